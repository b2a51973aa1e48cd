"""Documents that were written or pasted: specifications, plans and rules say what must be, and what was chosen.

Only lines with a word that rules are looked at: a plan of many pages is read in the time of a search for some words.
"""

import re
from collections.abc import Iterator, Sequence

from noctuary.authored import EventType, Trust
from noctuary.models.rules.candidates import Candidate
from noctuary.models.rules.cues import ASKED, SAID
from noctuary.models.rules.lexicon import heaviest, normal
from noctuary.models.rules.prose import MOST_READ, plain
from noctuary.models.rules.statements import is_prose, quote_end, shortened
from noctuary.models.rules.turns import TOOL_CALL, Turn
from noctuary.records import Message
from noctuary.text import lowered

_MOST_A_DOCUMENT = 4
_MOST_CUES = 3.5  # the document was written for its readers; what people say counts for more
_LEAST_WORDS = 7
_HEAD = 400  # characters in which the name of the file stands
_WHOLE = frozenset({"write", "create_file", "write_file"})
_PART = frozenset({"edit", "str_replace"})
_PLAN = "exitplanmode"
_NAME = re.compile(  # it begins with what is found quickly
    r"path: (?:(?<=^path: )|(?<=^file_path: ))(\S+\.(?:md|mdc|rst|txt))$", re.MULTILINE
)
_NEW = "\nnew_string:"
_RULING = (  # looked for one by one: a pattern of all of them takes ten times as long
    "must", "never", "only", "instead", "rather", "avoid", "source of truth", "always", "at least", "at most",
    "does not", "do not", "responsib", "require", "decid", "expect", "ensure", "muss", "darf nicht", "долж", "нельзя",
    "debe", "nunca", "doit", "jamais",
)  # fmt: skip
_RULED_TYPES = (EventType.CONSTRAINT, EventType.DECISION)


def from_documents(turns: Sequence[Turn]) -> Iterator[Candidate]:
    """The strongest statements of each document that the agent wrote, as it was written last."""
    read: set[str] = set()
    for turn in reversed(turns):
        for message in reversed(turn.used):
            if message.kind is TOOL_CALL:
                name, start = _body(message)
                if start >= 0 and name not in read:
                    read.add(name)
                    yield from _strongest(_written(message, start))


def from_pasted(prompt: Message, start: int) -> Iterator[Candidate]:
    """The strongest demands of a document that the user pasted, from this place on.

    They are not the user's own words: a page that was pasted may say anything, and is trusted as what a tool shows.
    """
    yield from _strongest(_demanded(prompt, start))


def _strongest(found: Iterator[Candidate]) -> list[Candidate]:
    return sorted(found, key=lambda candidate: -candidate.score)[:_MOST_A_DOCUMENT]


def _body(message: Message) -> tuple[str, int]:
    """Which document was written, and where in the message it begins: nowhere, if it is none.

    What was changed only in part stands for itself.
    """
    tool = (message.tool_name or "").lower()
    if tool == _PLAN:
        return _PLAN, 0
    if tool not in _WHOLE and tool not in _PART:
        return "", -1
    found = _NAME.search(message.content, 0, _HEAD)
    if found is None:
        return "", -1
    if tool in _WHOLE:
        return found[1], found.end()
    new = message.content.find(_NEW)
    return f"{message.id}", new + len(_NEW) if new >= 0 else -1


def _written(message: Message, start: int) -> Iterator[Candidate]:
    for begin, end in _ruling_lines(message.content, start):
        text, norm = _read(message.content, begin, end)
        if norm.count(" ") > _LEAST_WORDS:
            weights = SAID.weigh(norm)
            ruled = {kind: weights.get(kind, 0.0) for kind in _RULED_TYPES}
            score = min(_MOST_CUES, sum(ruled.values()))
            kind = heaviest(ruled, EventType.CONSTRAINT)
            yield Candidate(kind, score, message, begin, end, shortened(text), "document")


def _demanded(prompt: Message, start: int) -> Iterator[Candidate]:
    for begin, end in _ruling_lines(prompt.content, start):
        text, norm = _read(prompt.content, begin, end)
        if norm.count(" ") > _LEAST_WORDS and is_prose(text):
            score = min(_MOST_CUES, sum(ASKED.weigh(norm).values()))
            yield Candidate(EventType.CONSTRAINT, score, prompt, begin, end, shortened(text), "pasted", Trust.TOOL)


def _read(content: str, start: int, end: int) -> tuple[str, str]:
    text = plain(content[start:end])
    return text, normal(text)


def _ruling_lines(content: str, start: int) -> Iterator[tuple[int, int]]:
    """Where lines are that have a word that rules, outside of code; our own pages have none."""
    small = lowered(content[: start + MOST_READ])
    if len(small) != min(len(content), start + MOST_READ) or "<!-- noctuary" in small:
        return  # a letter that is two when lowered: places would no longer fit
    code = _code(content, start)
    for begin in sorted({max(start, small.rfind("\n", 0, at) + 1) for at in _occurrences(small, start)}):
        line_end = small.find("\n", begin)
        end = quote_end(content, begin, len(small) if line_end < 0 else line_end)
        if not any(first <= begin < last for first, last in code):
            yield begin, end


def _occurrences(small: str, start: int) -> Iterator[int]:
    for word in _RULING:
        at = small.find(word, start)
        while at >= 0:
            yield at
            at = small.find("\n", at)  # once a line is enough
            at = small.find(word, at) if at >= 0 else -1


def _code(content: str, start: int) -> list[tuple[int, int]]:
    """Where code stands between fences."""
    fences: list[int] = []
    at = content.find("```", start)
    while at >= 0:
        fences.append(at)
        at = content.find("```", at + 3)
    if len(fences) % 2:
        fences.append(len(content))
    return list(zip(fences[::2], fences[1::2], strict=True))
