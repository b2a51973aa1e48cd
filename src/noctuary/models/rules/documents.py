"""What the agent wrote down: specifications, plans and rules in Markdown say what must be, and what was chosen.

Only lines with a word that rules are looked at: a plan of many pages is read in the time of a search for some words.
"""

import re
from collections.abc import Iterator

from noctuary.authored import EventType
from noctuary.models.rules.candidates import Candidate
from noctuary.models.rules.cues import SAID
from noctuary.models.rules.lexicon import heaviest, normal
from noctuary.models.rules.prose import MOST_READ, plain
from noctuary.models.rules.statements import quote_end, shortened
from noctuary.models.rules.turns import Turn
from noctuary.records import Kind, Message

_MOST_A_DOCUMENT = 4
_MOST_CUES = 4.0
_LEAST_WORDS = 7
_HEAD = 400  # characters in which the name of the file stands
_WRITERS = frozenset({"write", "edit", "create_file", "write_file", "exitplanmode"})
_NAME = re.compile(r"^(?:file_)?path: \S+\.(?:md|mdc|rst|txt)$", re.MULTILINE)
_RULING = re.compile(
    r"must|never|only|instead|rather|avoid|source of truth|always|at least|at most|does not|do not|responsib"
    r"|require|decid|muss|darf nicht|долж|нельзя|debe|nunca|doit|jamais"
)
_RULED_TYPES = (EventType.CONSTRAINT, EventType.DECISION)


def from_documents(turn: Turn) -> Iterator[Candidate]:
    """The strongest statements of each document that the agent wrote in the turn."""
    for message in turn.work:
        if message.kind is Kind.TOOL_CALL and (message.tool_name or "").lower() in _WRITERS:
            start = _body(message)
            if start is not None:
                best = sorted(_statements(message, start), key=lambda found: -found.score)
                yield from best[:_MOST_A_DOCUMENT]


def _body(message: Message) -> int | None:
    """Where what was written begins, if it is a document."""
    name = (message.tool_name or "").lower()
    if name == "exitplanmode":
        return 0
    found = _NAME.search(message.content, 0, _HEAD)
    if found is None:
        return None
    if name != "edit":
        return found.end()
    start = message.content.find("\nnew_string:")
    return start + len("\nnew_string:") if start >= 0 else None


def _statements(message: Message, start: int) -> Iterator[Candidate]:
    content = message.content
    lowered = content[: start + MOST_READ].lower()
    if len(lowered) != min(len(content), start + MOST_READ):
        return  # a letter that is two when lowered: places would no longer fit
    code = _code(content, start)
    at = start
    for found in _RULING.finditer(lowered, start):
        if found.start() < at:
            continue  # in a line that was looked at
        begin = max(start, lowered.rfind("\n", start, found.start()) + 1)
        end = lowered.find("\n", found.end())
        at = len(lowered) if end < 0 else end
        if not any(first <= begin < last for first, last in code):
            if candidate := _judge(message, begin, at):
                yield candidate


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


def _judge(message: Message, start: int, end: int) -> Candidate | None:
    end = quote_end(message.content, start, end)
    raw = message.content[start:end]
    text = plain(raw)
    norm = normal(text)
    if norm.count(" ") <= _LEAST_WORDS:
        return None
    weights = SAID.weigh(norm)
    ruled = {kind: weights.get(kind, 0.0) for kind in _RULED_TYPES}
    score = min(_MOST_CUES, sum(ruled.values())) + 0.5 * ("**" in raw)
    kind = heaviest(ruled, EventType.CONSTRAINT)
    return Candidate(kind, score, message, start, end, shortened(text), "document")
