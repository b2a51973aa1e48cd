"""Checks that failed, as the programs say that were run: tests, compilers, linters."""

import re
from collections.abc import Iterator

from noctuary.authored import EventType, Trust
from noctuary.models.rules.candidates import Candidate
from noctuary.models.rules.prose import plain
from noctuary.models.rules.statements import shortened
from noctuary.models.rules.turns import TOOL_CALL, Turn, is_command
from noctuary.records import Message

_HEAD, _TAIL = 400, 2_500  # characters of an output that are looked at
_SCORE = 4.0
_LONGEST_COMMAND, _LONGEST_COMPLAINT = 100, 140
_MOST_COMPLAINTS = 3
_EXIT = re.compile(r"[Ee]xit(?:(?<=exit)ed with code| code:?| status) [1-9]")
_VERIFIES = re.compile(
    r"\b(?:tests?|pytest|vitest|jest|tsc|type-?check|build|lint|eslint|mypy|ruff|cargo|check|make|gradle|mvn|compile)\b"
)
_LOOKS = re.compile(
    r"(?:(?:cmd|command): *)?(?:cd \S+ && *)?(?:sed|cat|rg|grep|ls|nl|head|tail|find|git|wc|echo|fd|tree|mkdir)\b"
)
_COMPLAINTS = ("error", "Error", "FAIL", "failed", "E   ")


def from_checks(turn: Turn) -> Iterator[Candidate]:
    """The checks of the turn that failed, each with its first complaints."""
    command: Message | None = None
    for message in turn.used:
        if not is_command(message):
            continue
        if message.kind is TOOL_CALL:
            told = message.content[:_HEAD]
            if not _LOOKS.match(told) and _VERIFIES.search(told):
                command = message  # what it prints may come later, if the agent waits for it
        elif command is not None and (candidate := _failure(message, command)):
            yield candidate


def _failure(message: Message, command: Message) -> Candidate | None:
    content = message.content
    tail = max(0, len(content) - _TAIL)
    if not (_has_failed(content[:_HEAD]) or _has_failed(content[tail:]) or content.find(": error ", tail) >= 0):
        return None
    lines = _complaints(content, tail)
    if not lines:
        return None
    told = plain(command.content.split("\n", 1)[0].removeprefix("cmd:").removeprefix("command:"))[:_LONGEST_COMMAND]
    said = "; ".join(dict.fromkeys(plain(content[start:end])[:_LONGEST_COMPLAINT] for start, end in lines))
    text = shortened(f"{told} failed: {said}")
    return Candidate(EventType.EVIDENCE, _SCORE, message, *lines[0], text, "check", Trust.TOOL, (command,))


def _has_failed(text: str) -> bool:
    return "xit" in text and _EXIT.search(text) is not None  # most is not worth a pattern


def _complaints(content: str, start: int) -> list[tuple[int, int]]:
    """Where the first lines are that say what is wrong."""
    found: list[tuple[int, int]] = []
    for line in content[start:].split("\n"):
        if any(cue in line for cue in _COMPLAINTS):
            found.append((start + len(line) - len(line.lstrip()), start + len(line.rstrip())))
            if len(found) == _MOST_COMPLAINTS:
                break
        start += len(line) + 1
    return found
