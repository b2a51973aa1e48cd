"""What tools were told and answered, as far as people or programs speak in it: never what a file or a page says."""

import re
from collections.abc import Iterator

from noctuary.authored import EventType, Trust
from noctuary.models.rules.asked import Words, judge_words
from noctuary.models.rules.candidates import Candidate
from noctuary.models.rules.cues import SAID
from noctuary.models.rules.lexicon import normal
from noctuary.models.rules.prose import LONGEST, plain
from noctuary.models.rules.turns import SHELLS, Turn
from noctuary.records import Kind, Message

_HEAD, _TAIL = 400, 2_500  # characters of an output that are looked at
_ANSWERED = re.compile(r'"([^"\n]{5,200})"="([^"\n]{1,200})"')
_REASON = "provided the following reason for the rejection:"
_DENIED = "Permission for this tool use was denied"
_COMMIT = re.compile(r"git commit\b[^\n]*?-m\s+(?:\"\$\(cat <<'?EOF'?\n|[\"'])")
_EXIT = re.compile(r"(?:exited with code|Exit code:?|exit status|Exit status) ([1-9]\d*)")
_VERIFIES = re.compile(
    r"\b(?:test|tests|pytest|vitest|jest|tsc|type-?check|build|lint|eslint|mypy|ruff|cargo|check|make|gradle|mvn|compile|clippy)\b"
)
_LOOKS = re.compile(
    r"(?:(?:cmd|command): *)?(?:cd \S+ && *)?(?:sed|cat|rg|grep|ls|nl|head|tail|find|git|wc|echo|fd|tree)\b"
)
_COMPLAINTS = ("error", "Error", "FAIL", "failed", "E   ")
_MOST_COMPLAINTS = 3


def from_tools(turn: Turn) -> Iterator[Candidate]:
    """What the user answered or refused, what was committed and why, and which checks failed."""
    command: Message | None = None
    for message in turn.work:
        if message.kind is Kind.TOOL_CALL:
            if (message.tool_name or "").lower() in SHELLS:
                text = message.content[:_HEAD]
                if _VERIFIES.search(text) and not _LOOKS.match(text):
                    command = message
                if "git commit" in message.content:
                    yield from _commits(message)
        elif message.kind is Kind.TOOL_RESULT:
            yield from _results(message, command)


def _results(message: Message, command: Message | None) -> Iterator[Candidate]:
    head = message.content[:_HEAD]
    if '"="' in head and (message.tool_name or "").startswith("Ask"):
        for match in _ANSWERED.finditer(message.content[:_TAIL]):
            text = f"{match[1]} The user chose: {match[2]}."
            yield Candidate(
                EventType.DECISION, 8.0, message, match.start(), match.end(), text[:LONGEST], "choice", Trust.USER
            )
    elif _REASON in head:
        start = message.content.index(_REASON) + len(_REASON)
        yield from judge_words(Words(message, start, len(message.content), "reason"))
    elif head.startswith(_DENIED):
        yield Candidate(
            EventType.CONSTRAINT,
            5.0,
            message,
            0,
            len(_DENIED),
            f"{_DENIED}: {message.tool_name}.",
            "denied",
            Trust.TOOL,
        )
    elif command is not None and (message.tool_name or "").lower() in SHELLS:
        yield from _failures(message, command)


def _failures(message: Message, command: Message) -> Iterator[Candidate]:
    content = message.content
    tail_start = max(0, len(content) - _TAIL)
    if not (_EXIT.search(content[:_HEAD]) or _EXIT.search(content, tail_start) or ": error " in content[tail_start:]):
        return
    lines = list(_complaints(content, tail_start))
    if not lines:
        return
    told = plain(command.content.split("\n")[0].removeprefix("cmd:").removeprefix("command:"))[:100]
    complaints = "; ".join(dict.fromkeys(plain(content[start:end])[:140] for start, end in lines))
    yield Candidate(
        EventType.EVIDENCE,
        4.0,
        message,
        *lines[0],
        f"{told} failed: {complaints}"[:LONGEST],
        "check",
        Trust.TOOL,
        (command,),
    )


def _complaints(content: str, start: int) -> Iterator[tuple[int, int]]:
    """Where the first lines are that say what is wrong."""
    found = 0
    for line in content[start:].split("\n"):
        end = start + len(line)
        if found < _MOST_COMPLAINTS and any(cue in line for cue in _COMPLAINTS) and line.strip():
            found += 1
            yield start + len(line) - len(line.lstrip()), start + len(line.rstrip())
        start = end + 1


def _commits(message: Message) -> Iterator[Candidate]:
    for match in _COMMIT.finditer(message.content):
        start = match.end()
        words = message.content[start : start + 2 * LONGEST]
        end = min(
            [
                at
                for at in (words.find('"\n'), words.find("\nEOF"), words.find("Co-Authored"), words.find('" '))
                if at >= 0
            ]
            or [len(words)]
        )
        raw = words[:end].rstrip().rstrip('"')
        text = plain(raw)
        if len(text) < 25:
            continue
        weights = SAID.weigh(normal(text))
        yield Candidate(
            EventType.DECISION,
            0.5 + min(4.0, sum(weights.values())),
            message,
            start,
            start + len(raw),
            text[:LONGEST],
            "commit",
        )
