"""What the agent wrote down: specifications, plans and rules in Markdown, and summaries of what came before."""

import re
from collections.abc import Iterator, Sequence

from noctuary.authored import EventType
from noctuary.models.rules.asked import Words, judge_words
from noctuary.models.rules.candidates import Candidate
from noctuary.models.rules.cues import ASKED, SAID
from noctuary.models.rules.lexicon import normal
from noctuary.models.rules.prose import LONGEST, plain, units
from noctuary.models.rules.turns import Turn
from noctuary.records import Kind, Message

_MOST_A_DOCUMENT = 4
_WRITERS = frozenset({"write", "edit", "multiedit", "exitplanmode", "create_file", "write_file"})
_DOCUMENT = re.compile(r"^file_path: \S+\.(?:md|mdc|rst|txt)$", re.MULTILINE)
_SECTION = re.compile(r"^ {0,3}(?:#+ *)?\d{1,2}\. +\**([A-Z][^:\n*]{3,60})\**:?\**[ \t]*$", re.MULTILINE)

_RULING = (
    "must",
    "never",
    "only",
    "instead",
    "rather",
    "not ",
    "avoid",
    "source of truth",
    "always",
    "least",
    "respons",
    "require",
    "decid",
    "muss",
    "долж",
    "debe",
    "doit",
)

_SECTIONS: dict[str, EventType] = {
    "primary request": EventType.CONSTRAINT,
    "errors and fixes": EventType.FINDING,
    "problem solving": EventType.DECISION,
    "current work": EventType.FINDING,
}


def from_documents(turn: Turn) -> Iterator[Candidate]:
    """The strongest statements of each document that the agent wrote in the turn."""
    for message in turn.work:
        if message.kind is not Kind.TOOL_CALL or (message.tool_name or "").lower() not in _WRITERS:
            continue
        name = (message.tool_name or "").lower()
        start = 0
        if name != "exitplanmode":
            found = _DOCUMENT.search(message.content, 0, 300)
            if not found:
                continue
            start = message.content.find("new_string:") if name == "edit" else found.end()
            if start < 0:
                continue
        yield from sorted(_statements(message, start), key=lambda c: -c.score)[:_MOST_A_DOCUMENT]


def _statements(message: Message, offset: int) -> Iterator[Candidate]:
    body = message.content[offset:]
    for unit in units(body, 200):
        raw = body[unit.start : min(unit.end, unit.start + 2 * LONGEST)].rstrip()
        if raw.lstrip().startswith(("content:", "new_string:", "plan:")) or not _may_rule(raw.lower()):
            continue
        text = plain(raw)
        norm = normal(text)
        if norm.count(" ") < 7:
            continue
        weights = SAID.weigh(norm)
        strong = {k: weights.get(k, 0.0) for k in (EventType.CONSTRAINT, EventType.DECISION)}
        score = min(4.0, sum(strong.values()))
        if "**" in raw:
            score += 0.5
        if score < 2:
            continue
        kind = max(strong, key=lambda k: strong[k])
        yield Candidate(
            kind, score, message, offset + unit.start, offset + unit.start + len(raw), text[:LONGEST], "document"
        )


def _may_rule(text: str) -> bool:
    """Whether it is worth a closer look."""
    return any(cue in text for cue in _RULING)


def is_summary(message: Message) -> bool:
    """Whether the message sums up a conversation that went on before."""
    return message.kind is Kind.SUMMARY or (
        "<summary>" in message.content[:20_000] and len(_SECTION.findall(message.content)) > 3
    )


def from_summary(message: Message) -> Iterator[Candidate]:
    """What a summary says was asked, fixed, solved and left."""
    content = message.content
    begin = max(0, content.find("<summary>"))
    marks: Sequence[re.Match[str]] = list(_SECTION.finditer(content, begin))
    for mark, after in zip(marks, [*marks[1:], None], strict=True):
        title = mark[1].lower()
        start, end = mark.end(), after.start() if after else len(content)
        if "user messages" in title:
            yield from judge_words(Words(message, start, end, "summary"))
        for name, usual in _SECTIONS.items():
            if name in title:
                for unit in units(content[start:end], 160 if usual is EventType.CONSTRAINT else 300):
                    kind = usual
                    raw = content[start + unit.start : start + min(unit.end, unit.start + 2 * LONGEST)].rstrip()
                    text = plain(raw)
                    if normal(text).count(" ") < 7:
                        continue
                    if kind is EventType.CONSTRAINT and EventType.PREFERENCE in ASKED.weigh(normal(text)):
                        kind = EventType.PREFERENCE
                    yield Candidate(
                        kind,
                        6.0,
                        message,
                        start + unit.start,
                        start + unit.start + len(raw),
                        text[:LONGEST],
                        "summary",
                    )
