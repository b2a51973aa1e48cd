"""Memories against the repository: what they name is there, has changed, or is gone.

A memory is stale only if git knows that what it names was there and is no longer: what nobody ever saw may be on
another branch.  That a file has changed says nothing about a sentence by itself, so then nobody can say.
"""

from collections.abc import Iterable, Mapping, Sequence
from enum import StrEnum
from pathlib import Path
from typing import NamedTuple

from noctuary.authored import Author, Event, EventSource, EventType
from noctuary.dream.merging.touched import said_ms, since_ms
from noctuary.dream.night import Night
from noctuary.dream.verifying.anchors import Anchors, anchors_of, relative_to
from noctuary.dream.verifying.checkout import Checkout, Fate
from noctuary.dreams import ChangeKind, MemoryChange
from noctuary.store.memories import Remembered

MOST_VERIFIED = 300  # of a project in a run: more than a page can show
_SAVED_FOR_STALE = 50  # of them, so that what is stale is looked at again, too


class Verified(StrEnum):
    """What a look at the repository said."""

    OK = "ok"
    STALE = "stale"
    UNKNOWN = "unknown"


class Verdict(NamedTuple):
    """What was found out about a memory, and how."""

    memory: Remembered
    verified: Verified
    why: str = ""


class _Seen(NamedTuple):
    """What git was asked once for all memories."""

    checkout: Checkout
    fates: Mapping[str, Fate]
    lost: Mapping[str, str]  # commits that nothing with a name leads to any more, and how
    is_repository: bool


class _Findings:
    """What speaks for and against one memory."""

    def __init__(self) -> None:
        self.good = 0
        self.stale: list[str] = []
        self.unclear: list[str] = []

    def verdict(self, memory: Remembered) -> Verdict:
        if self.stale and not memory.facts.get("vouched"):
            return Verdict(memory, Verified.STALE, self.stale[0])
        if self.stale or self.unclear:
            return Verdict(memory, Verified.UNKNOWN, [*self.stale, *self.unclear][0])
        return Verdict(memory, Verified.OK if self.good else Verified.UNKNOWN)


def worth_verifying(night: Night, project: str, *, is_looked_up: bool = True) -> list[Remembered]:
    """The memories of a project that a run looks at: the leading ones, and those that wait because they were stale.

    Where nothing can be looked up, only those about which something was known once.
    """
    stale = night.store.memories.stale(night.owner, project, _SAVED_FOR_STALE)
    if not is_looked_up:
        return [*night.store.memories.verified(night.owner, project, MOST_VERIFIED), *stale]
    leading = night.store.memories.leading(night.owner, project, MOST_VERIFIED - len(stale))
    return [*{memory.id: memory for memory in (*leading, *stale)}.values()]


def verify(
    night: Night, project: str, folder: Path | None, memories: Sequence[Remembered] | None = None
) -> list[Verdict]:
    """Look memories up in the repository at the folder, those worth it if none are given.

    Nothing is written, and nothing of the repository is run.
    """
    given = worth_verifying(night, project) if memories is None else memories
    own = [memory for memory in given if memory.project == project][:MOST_VERIFIED]
    is_folder = folder is not None and folder.is_dir()
    anchored = {memory.id: anchors_of(memory) for memory in own} if is_folder else {}
    if folder is None or not any(anchors.is_any() for anchors in anchored.values()):
        return [Verdict(memory, Verified.UNKNOWN) for memory in own]
    checkout = Checkout(folder)
    oldest_ms = min(since_ms(memory) for memory in own)
    named = dict.fromkeys(one for each in anchored.values() for one in each.commits)
    fates, is_there = checkout.fates(oldest_ms), checkout.is_there()
    seen = _Seen(checkout, fates, checkout.lost(named), is_there)
    return [_look(seen, memory, anchored[memory.id]).verdict(memory) for memory in own]


def record_verdicts(night: Night, project: str, verdicts: Iterable[Verdict]) -> list[MemoryChange]:
    """Write down which memories have become stale or are so no longer; nothing is written if none has changed."""
    changed = [one for one in verdicts if one.memory.project == project and _is_news(one)]
    if not changed:
        return []
    now_ms = night.now_ms()
    records = [
        {"id": one.memory.id, "verified": str(one.verified), "why": one.why, "last_verified": now_ms} for one in changed
    ]
    event = Event(
        EventType.STATUS,
        project=project,
        author=Author.DREAM,
        source=EventSource.DREAM,
        meta={"bookkeeping": True, "verified": len(records)},
        change={"memories": records},
    )
    night.ledger.record(event)
    return [MemoryChange(_kind(one), one.memory.id, one.memory.text, one.why, project) for one in changed]


def _is_news(verdict: Verdict) -> bool:
    facts = verdict.memory.facts
    before = facts.get("verified") or Verified.UNKNOWN
    is_other_reason = verdict.verified is Verified.STALE and facts.get("why") != verdict.why
    return bool(before != verdict.verified) or is_other_reason


def _kind(verdict: Verdict) -> ChangeKind:
    return ChangeKind.STALE if verdict.verified is Verified.STALE else ChangeKind.VERIFIED


def _look(seen: _Seen, memory: Remembered, anchors: Anchors) -> _Findings:
    found = _Findings()
    there = _look_at_paths(seen, memory, anchors, found)
    _look_at_symbols(seen, memory, anchors, there, found)
    for command in anchors.commands:
        is_defined = seen.checkout.defines(command)
        if is_defined is False and not anchors.tells_of_change:
            found.stale.append(f"there is no `{command}`")
        found.good += is_defined is True
    if anchors.commits and seen.is_repository:
        first = anchors.commits[0]
        if all(commit in seen.lost for commit in anchors.commits):
            found.stale.append(f"commit {first[:12]} {seen.lost[first]}")
        else:
            found.good += 1
    return found


def _look_at_paths(seen: _Seen, memory: Remembered, anchors: Anchors, found: _Findings) -> list[str]:
    """The files that are named and there; what is gone is noted."""
    there: list[str] = []
    gone: list[str] = []
    for path in (*anchors.paths, *anchors.cited):
        name = relative_to(path, str(seen.checkout.root))
        if name is None:
            continue
        if seen.checkout.has(name):
            there.append(name)
            found.good += 1
        elif not anchors.tells_of_change and (told := _went(name, seen.fates.get(name), since_ms(memory))):
            (found.stale if path in anchors.paths else gone).append(told)
    if gone and not there:  # a sentence that names none of its files holds as long as one of them is there
        found.stale.append(gone[0])
    return there


def _went(name: str, fate: Fate | None, since: int) -> str:
    """How a file went since; empty if git does not know that it did."""
    if fate is None or not fate.is_gone or fate.at_ms < since:
        return ""
    return f"{name} is now {fate.now}" if fate.now else f"{name} is gone"


def _look_at_symbols(seen: _Seen, memory: Remembered, anchors: Anchors, there: Sequence[str], found: _Findings) -> None:
    """What is named together with a file is still in it; if nothing is named, a changed file leaves it open."""
    last_ms = said_ms(memory)
    changed = [name for name in there if (fate := seen.fates.get(name)) is not None and fate.at_ms > last_ms]
    if not changed:
        return
    texts = [text for name in there if (text := seen.checkout.text(name)) is not None]
    if not anchors.symbols or not texts:
        found.unclear.append(f"{changed[0]} has changed since")
        return
    lost = [symbol for symbol in anchors.symbols if not any(symbol in text for text in texts)]
    for symbol in lost if not anchors.tells_of_change else ():
        if any(seen.checkout.took_out(symbol, name, last_ms) for name in changed):
            found.stale.append(f"{symbol} is no longer in {changed[0]}")
    if len(lost) == len(anchors.symbols):
        found.unclear.append(f"{changed[0]} has changed since")
