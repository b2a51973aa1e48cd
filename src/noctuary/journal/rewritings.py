"""Journals of which lines were rewritten, and the proof that nothing else was changed.

A journal is only ever added to, but for one thing: what must not be in it any more, a secret or what was forgotten, is
taken out of its lines.  All lines are then chained anew, and the last is a record of the rewriting:

    "meta":{"bookkeeping":true,"rewriting":{"line":18,"reason":"scrub","head":"…","lines":[[3,"01J…","…",["…"]]]}}

`head` is the digest of the last line as it was; of each rewritten line there are its number, the id of its event, its
digest now, and the digests that it had before, the oldest first.  Every other line differs in nothing but the digest
of the one before it.  So whoever has the journal can compute the digests of all lines as they were, and if the last
is `head`, no other line was touched, added or removed.  A journal that was rewritten twice is proven back to its
first state, by the digests of each.
"""

import json
from collections.abc import Iterable, Sequence
from typing import Any, NamedTuple

from noctuary.errors import JournalDamaged
from noctuary.journal.contract import Journal, Place
from noctuary.journal.lines import line_digest

REWRITING = "rewriting"


class RewrittenLine(NamedTuple):
    """A line that was rewritten: its number from 1, its event, its digest then, and those that it had before."""

    number: int
    event: str
    digest: str
    was: tuple[str, ...]


class Rewriting(NamedTuple):
    """What a record of a rewriting says."""

    line: int  # its own number
    reason: str
    head: str
    lines: tuple[RewrittenLine, ...]

    def as_meta(self) -> dict[str, Any]:
        """As it is written down."""
        lines = [[one.number, one.event, one.digest, list(one.was)] for one in self.lines]
        return {"line": self.line, "reason": self.reason, "head": self.head, "lines": lines}


class Generations(NamedTuple):
    """The digests of all lines of a journal: as they were before each rewriting, the oldest first, and as they are."""

    before: tuple[tuple[str, ...], ...]
    now: tuple[str, ...]
    rewritings: tuple[Rewriting, ...]

    def unproven(self) -> list[tuple[Rewriting, str]]:
        """The rewritings that are not proven, and why."""
        return [(one, why) for k, one in enumerate(self.rewritings) if (why := self._doubt(k, one))]

    def _doubt(self, k: int, one: Rewriting) -> str:
        then = self.before[k + 1] if k + 1 < len(self.before) else self.now
        if any(then[line.number - 1] != line.digest for line in one.lines):
            return "a line that it rewrote was changed since"
        if one.line > 1 and self.before[k][one.line - 2] != one.head:
            return "the lines before it are not those that it left: one was changed, added or removed"
        return ""

    def has_been(self, place: Place) -> bool:
        """Whether the journal was once read up to a place, before it was rewritten."""
        return any(0 < place.number <= len(then) and then[place.number - 1] == place.digest for then in self.before)


def generations(contents: Sequence[bytes]) -> Generations:
    """The generations of a journal with these lines."""
    rewritings = tuple(_rewritings(contents))
    now = tuple(map(line_digest, contents))
    before = tuple(_before(contents, now, rewritings, k) for k in range(len(rewritings)))
    return Generations(before, now, rewritings)


def is_rewritten(journal: Journal, place: Place) -> bool:
    """Whether a journal is another than was read up to the place because lines were rewritten, which it proves.

    JournalDamaged if it is another without that.
    """
    try:
        journal.check(place)
    except JournalDamaged:
        found = generations([line.content for line in journal.read()])
        if not found.rewritings or found.unproven() or not found.has_been(place):
            raise
        return True
    return False


def rewritten(contents: Sequence[bytes], changed: Sequence[bytes]) -> tuple[list[bytes], tuple[RewrittenLine, ...]]:
    """Lines of which some were changed, chained anew, and what a record has to say of those."""
    known = generations(contents)
    lines: list[bytes] = []
    told: list[RewrittenLine] = []
    old_prev = new_prev = ""
    for at, (old, new) in enumerate(zip(contents, changed, strict=True)):
        line = with_prev(new, old_prev, new_prev)
        old_prev, new_prev = known.now[at], line_digest(line)
        lines.append(line)
        if old != new:
            was = tuple(then[at] for then in known.before if at < len(then))
            told.append(RewrittenLine(at + 1, _event_of(old), new_prev, (*was, known.now[at])))
    return lines, tuple(told)


def with_prev(line: bytes, old: str, new: str) -> bytes:
    """A line that says of the one before it what it is now; one that never said so stays as it is."""
    return line.replace(f'"prev":"{old}"'.encode(), f'"prev":"{new}"'.encode(), 1) if old != new else line


def _before(contents: Sequence[bytes], now: Sequence[str], rewritings: Sequence[Rewriting], k: int) -> tuple[str, ...]:
    """The digests of the lines before one of the rewritings, as they were."""
    known: dict[int, str] = {}
    for later in rewritings[k:]:
        for one in later.lines:
            if k < len(one.was):
                known[one.number] = one.was[k]
    digests: list[str] = []
    for at in range(rewritings[k].line - 1):
        if at + 1 in known:
            digests.append(known[at + 1])
        else:
            current = now[at - 1] if at else ""
            digests.append(line_digest(with_prev(contents[at], current, digests[-1] if digests else "")))
    return tuple(digests)


def _rewritings(contents: Iterable[bytes]) -> Iterable[Rewriting]:
    """The records of rewritings of this very journal; one that came from another stands in another line."""
    marker = f'"{REWRITING}":'.encode()
    for number, line in enumerate(contents, 1):
        if marker in line and (found := _parsed(line)) is not None and found.line == number:
            yield found


def _parsed(line: bytes) -> Rewriting | None:
    try:
        said = json.loads(line)["meta"][REWRITING]
        lines = tuple(RewrittenLine(number, event, digest, tuple(was)) for number, event, digest, was in said["lines"])
        found = Rewriting(said["line"], said["reason"], said["head"], lines)
    except (ValueError, TypeError, KeyError, RecursionError):
        return None
    numbers = [found.line, *(one.number for one in lines)]
    return found if all(type(number) is int and 0 < number <= found.line for number in numbers) else None


def _event_of(line: bytes) -> str:
    try:
        return str(json.loads(line).get("event_id", ""))
    except (ValueError, AttributeError, RecursionError):
        return ""
