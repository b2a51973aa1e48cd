"""Answers as text: within so many characters, on lines that stay lines, fenced as what they are: quoted memory.

Nobody can be trusted to keep messages short, so every answer has a budget and is cut to it in one place, `given`.
"""

from collections.abc import Iterable, Sequence
from typing import NamedTuple

from noctuary.doors.cli.paint import one_line, safe
from noctuary.fences import fenced

CHARACTERS_A_TOKEN = 4
LONGEST_ANSWER = 20_000
LONGEST_ERROR = 1_500
INDENT = "  "  # before every line of a message, so that none can pass for the head of another
_CUT = "\n… cut here: the answer was longer than its budget"


class Answer(NamedTuple):
    """What a tool gives back."""

    text: str
    is_error: bool = False


def given(text: str, most: int = LONGEST_ANSWER) -> str:
    """The text as it goes into a conversation: nothing invisible in it, fenced, and no longer than this, all told."""
    words = safe(text).strip("\n")
    room = most
    while len(whole := fenced(_cut(words, room))) > most:
        room = max(0, room * most // len(whole) - 1)  # a fence takes room, and makes what would end it longer
    return whole


def _cut(text: str, most: int) -> str:
    return text if len(text) <= most else text[: max(0, most - len(_CUT))] + _CUT


def line(*parts: str | None) -> str:
    """What is known, on one line: 2026-05-03 · Drop Redis · codex."""
    return " · ".join(words for part in parts if part and (words := one_line(part)))


def short(text: str | None, most: int) -> str:
    """The text on one line of at most so many characters."""
    words = one_line((text or "")[: most * 4])
    return words if len(words) <= most else words[: most - 1].rstrip() + "…"


def body(text: str, most: int) -> str:
    """The beginning of a text, indented, in at most so many characters, and how much was left out of it."""
    words = INDENT + safe(text[: most + 1].replace("\r\n", "\n")).strip().replace("\n", f"\n{INDENT}")
    if len(text) <= most and len(words) <= most:
        return words
    kept = words[:most].rstrip()
    missing = len(text) - len(kept) + len(INDENT) * (kept.count("\n") + 1)
    return f"{kept or INDENT[:-1]} … ({missing:,} more characters)"


def size(text: str) -> int:
    """How many characters a text takes as a body."""
    return len(text) + len(INDENT) * (text.count("\n") + 1)


def tokens(characters: int) -> str:
    """What it costs a model to read so many characters, about."""
    return f"about {max(1, round(characters / CHARACTERS_A_TOKEN)):,} tokens"


def listed(heading: str, lines: Sequence[str], most: int) -> list[str]:
    """A heading and lines below it, as many as there may be; nothing if there are none."""
    if not lines:
        return []
    more = [f"… and {len(lines) - most:,} more"] if len(lines) > most else []
    return [f"{heading} ({len(lines):,})", *lines[:most], *more, ""]


def level(lengths: Iterable[int], room: int) -> int:
    """How long each text may be so that all have room together; what the short ones leave is shared by the others."""
    ordered = sorted(lengths)
    for place, length in enumerate(ordered):
        if length * (len(ordered) - place) > room:
            return max(0, room // (len(ordered) - place))
        room -= length
    return ordered[-1] if ordered else 0
