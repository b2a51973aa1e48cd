"""What a model proposes is kept only if it holds: the same checks for every model, however clever it is.

The type is one that may be proposed, the messages exist in the part that was read, the quote occurs in the first of
them, the text can be read alone and no secret is in it.  When it was said and who said it are taken from the message,
never from the model.
"""

import re
from collections.abc import Callable, Mapping, Sequence
from typing import Any, NamedTuple

from noctuary.authored import EventType, MessageRef, Strength, Trust
from noctuary.models.asking.wording_checks import added_literal, says_something_else
from noctuary.models.rules.asked import typed_end
from noctuary.models.rules.cues import REMEMBER
from noctuary.models.rules.lexicon import normal
from noctuary.models.rules.naming import commits_in, files_in
from noctuary.proposals import PROPOSED, Conversation, Dropped, Proposal
from noctuary.records import Kind, Message, Role

LONGEST_TEXT = 500
LONGEST_QUOTE = 1_000
SHORTEST_QUOTE = 4  # characters that are no white space
MOST_CITED = 20
_UNSURE = 0.5  # what is not given as a number
_FROM_THE_WEB = re.compile(
    r"fetch|web|browser|crawl|scrape|google|bing|brave|duckduckgo|tavily|perplexity|firecrawl|\bexa\b|_exa_",
    re.IGNORECASE,
)
_STRENGTHS = {Trust.TOOL: Strength.STRONG, Trust.WEB: Strength.WEAK}  # what a tool printed proves most
_NUMBER = re.compile(r"[0-9]{1,9}")
_TYPES = ", ".join(sorted(PROPOSED))

SCHEMA: Mapping[str, Any] = {
    "type": "object",
    "additionalProperties": False,
    "required": ["events"],
    "properties": {
        "events": {
            "type": "array",
            "items": {
                "type": "object",
                "additionalProperties": False,
                "required": ["type", "text", "messages", "quote", "confidence"],
                "properties": {
                    "type": {"type": "string", "enum": sorted(PROPOSED)},
                    "text": {"type": "string"},
                    "messages": {"type": "array", "items": {"type": "integer"}},
                    "quote": {"type": "string"},
                    "confidence": {"type": "number"},
                },
            },
        }
    },
}


class Fault(NamedTuple):
    """Something that was proposed and does not hold, and all that is wrong with it."""

    item: Mapping[str, Any]
    why: str

    def dropped(self) -> Dropped:
        """The same, for the report."""
        return Dropped(_string(self.item.get("text"))[:LONGEST_TEXT], self.why)


class Checker:
    """Checks what is proposed for one part of a conversation."""

    def __init__(
        self, conversation: Conversation, messages: Sequence[Message], redact: Callable[[str], str] = str
    ) -> None:
        self._session = conversation.session
        self._messages = {message.id: message for message in messages}
        self._from_web = _resting_on_web([*conversation.before, *conversation.messages])
        self._redact = redact

    def sort(self, items: Sequence[Mapping[str, Any]]) -> tuple[list[Proposal], list[Fault]]:
        """What holds, and what does not."""
        proposals: list[Proposal] = []
        faults: list[Fault] = []
        for item in items:
            why = "; ".join(self._complaints(item))
            if why:
                faults.append(Fault({**item, "text": self._redact(_string(item.get("text")))}, why))
            else:
                proposals.append(self._proposal(item))
        return proposals, faults

    def _complaints(self, item: Mapping[str, Any]) -> list[str]:
        cited = _numbers(item.get("messages"))
        found = [
            _about_type(item.get("type")),
            self._about_text(_string(item.get("text"))),
            self._about_messages(cited),
            self._about_quote(_string(item.get("quote")), cited),
            self._about_facts(_string(item.get("text")), cited),
        ]
        return [complaint for complaint in found if complaint]

    def _about_text(self, text: str) -> str:
        if not text.strip():
            return "the text is empty"
        if len(text) > LONGEST_TEXT:
            return f"the text has {len(text)} characters, and may have {LONGEST_TEXT}"
        return "the text has a secret in it" if self._redact(text) != text else ""

    def _about_facts(self, text: str, cited: Sequence[int]) -> str:
        """A command, a number or a path that none of the messages has was made up, or comes from elsewhere."""
        said = " ".join(self._messages[number].content for number in cited if number in self._messages)
        added = added_literal(said, text) if said else ""
        return f"the text {added}, which none of the messages that it names has" if added else ""

    def _about_messages(self, cited: Sequence[int]) -> str:
        if not cited:
            return "no message is named"
        unknown = [number for number in cited if number not in self._messages]
        return f"there is no message {', '.join(map(str, unknown[:5]))} in this part" if unknown else ""

    def _about_quote(self, quote: str, cited: Sequence[int]) -> str:
        message = self._messages.get(cited[0]) if cited else None
        if len("".join(quote.split())) < SHORTEST_QUOTE:
            return "the quote is missing or too short"
        if len(quote) > LONGEST_QUOTE:
            return f"the quote has {len(quote)} characters, and may have {LONGEST_QUOTE}"
        if self._redact(quote) != quote:
            return "the quote has a secret in it"
        if message and occurrence(quote, message.content) is None:
            return f"message {message.id} does not have the quote in it word for word"
        return ""

    def _proposal(self, item: Mapping[str, Any]) -> Proposal:
        cited = list(dict.fromkeys(_numbers(item["messages"])))[:MOST_CITED]
        first = self._messages[cited[0]]
        quote = occurrence(item["quote"], first.content) or ""
        refs = [
            MessageRef(
                self._session.id, number, quote if number == first.id else "", self._messages[number].source_line
            )
            for number in cited
        ]
        kind = EventType(item["type"])
        trust = Trust.WEB if first.id in self._from_web else _trust_in(first, quote, item["text"])
        return Proposal(
            type=kind,
            text=" ".join(_string(item["text"]).split()),
            messages=tuple(refs),
            ts_ms=self._when(first),
            trust=trust,
            confidence=_share(item.get("confidence")),
            strength=_STRENGTHS.get(trust, Strength.MEDIUM) if kind is EventType.EVIDENCE else None,
            is_asked=trust is Trust.USER and any(cue in normal(quote) for cue in REMEMBER),
            files=files_in(quote),
            commits=commits_in(quote),
        )

    def _when(self, message: Message) -> int:
        """When it was said; if the transcript does not say, when the last thing before it was."""
        times = [each.ts_ms for each in self._messages.values() if each.id <= message.id and each.ts_ms]
        return times[-1] if times else self._session.started_ms or 0


def occurrence(quote: str, text: str) -> str | None:
    """The words of the text that the quote has, however the lines are broken; None if it does not occur."""
    if quote in text:
        return quote.strip()
    found = re.search(r"\s+".join(map(re.escape, quote.split())), text)
    return found[0] if found else None


def _trust_in(message: Message, quote: str, text: str) -> Trust:
    """Who is to be believed for a text: the user only for the user's own words, not for pasted ones or a model's."""
    trust = trust_of(message)
    if trust is not Trust.USER:
        return trust
    if message.content.find(quote) >= typed_end(message.content):
        return Trust.TOOL
    return Trust.AGENT if says_something_else(message.content, text) else Trust.USER


def trust_of(message: Message) -> Trust:
    """Where the content of the message comes from."""
    if message.role is Role.USER:
        return Trust.USER
    if message.role is Role.TOOL:
        return Trust.WEB if _FROM_THE_WEB.search(message.tool_name or "") else Trust.TOOL
    return Trust.AGENT


def _resting_on_web(messages: Sequence[Message]) -> set[int]:
    """What an agent says to a prompt after it has read the web: it may say what pages say."""
    found: set[int] = set()
    sources: set[Trust] = set()
    for message in messages:
        if message.role is Role.USER:
            if message.kind is Kind.TEXT:  # to refuse a call is no prompt: what was read before is still known
                sources.clear()
        elif message.role is Role.TOOL:
            sources.add(trust_of(message))
        elif Trust.WEB in sources:
            found.add(message.id)
    return found


def _about_type(given: object) -> str:
    return "" if isinstance(given, str) and given in PROPOSED else f"the type is none of {_TYPES}"


def _string(given: object) -> str:
    """The text, without halves of characters that no file can hold."""
    return given.encode("utf-8", "replace").decode() if isinstance(given, str) else ""


def _numbers(given: object) -> list[int]:
    """The numbers of messages; one that is written as a text counts."""
    listed = given if isinstance(given, list) else [given]
    return [int(each) for each in listed if type(each) is int or (isinstance(each, str) and _NUMBER.fullmatch(each))]


def _share(given: object) -> float:
    if isinstance(given, bool) or not isinstance(given, int | float):
        return _UNSURE
    return float(min(1, max(0, given)))
