"""The audit: every memory, event and message is looked at, and nothing is changed."""

from collections import defaultdict
from collections.abc import Callable, Iterable, Iterator, Sequence
from typing import NamedTuple

from noctuary.audit import alike
from noctuary.audit.report import Audit, Concern, Item, Week, week_end, weeks_until
from noctuary.audit.sources import Cited, recalled_ids
from noctuary.dream.verifying.verifying import Verified
from noctuary.ledger.ledger import Ledger
from noctuary.redact import PRIVATE, findings, is_printed, redact, redact_printed
from noctuary.store import Store
from noctuary.store.auditing import Auditing
from noctuary.store.memories import MemoryKind, MemoryStatus, Remembered, is_of_user

WEEKS = 26
_HELD = (MemoryStatus.ACTIVE, MemoryStatus.PROPOSED)
_RULES = (MemoryKind.CONSTRAINT, MemoryKind.PREFERENCE)
_MOST = 1_000_000
_MONTH_MS = 30 * 86_400_000
Progress = Callable[[int, int], None]


class Asked(NamedTuple):
    """What an audit is to look at."""

    owner: str
    now_ms: int
    project: str | None = None  # of this alone; None is all of them
    told: frozenset[str] = frozenset()  # memories that hooks told, of which no transcript need be kept
    is_quick: bool = False  # what was said is not searched for secrets, only what was written down


def audit(ledger: Ledger, asked: Asked, progress: Progress | None = None) -> Audit:
    """Look at all of one owner's memory."""
    store = ledger.store
    everything = [memory for memory in _memories(store, asked) if asked.project in (None, memory.project)]
    held = [memory for memory in everything if memory.status in _HELD]
    reading = Auditing(store.database)
    recalled = recalled_ids(reading.recalled(asked.owner))
    secrets = _Secrets(reading, asked, progress)
    items = [
        *secrets.found(held),
        *_of_sources(Cited(store, asked.owner, ledger.entry), held),
        *_of_rules(held),
        *_of_staleness(held),
        *_of_likeness(held),
        *(_of_silence(held, recalled | asked.told, asked.now_ms) if recalled or asked.told else ()),
    ]
    order = list(Concern)
    items.sort(key=lambda item: order.index(item.concern))
    weeks = _weeks(everything, {item.id for item in items}, asked.now_ms)
    return Audit(len(held), secrets.searched, bool(recalled or asked.told), items, weeks)


def _memories(store: Store, asked: Asked) -> list[Remembered]:
    return store.memories.where(asked.owner, project=asked.project, statuses=None, most=_MOST)


class _Secrets:
    """The search for what should never have been kept."""

    def __init__(self, reading: Auditing, asked: Asked, progress: Progress | None) -> None:
        self._reading = reading
        self._asked = asked
        self._progress = progress
        self.searched = 0

    def found(self, held: Sequence[Remembered]) -> Iterator[Item]:
        """What holds a secret: memories, events, messages."""
        for memory in held:
            yield from self._looked(memory.id, memory.project, memory.text)
        for name, project, text in self._reading.events(self._asked.owner, self._asked.project):
            yield from self._looked(name, project, text)
        if not self._asked.is_quick:
            yield from self._said()

    def _said(self) -> Iterator[Item]:
        sessions = self._reading.sessions(self._asked.owner, self._asked.project)
        for done, (number, name, project) in enumerate(sessions, 1):
            printing: set[str] = set()
            for place, kind, call, text in self._reading.messages(number):
                hide = redact_printed if is_printed(text, kind, call, printing) else redact
                yield from self._looked(f"{name}#{place}", project, text, hide)
            if self._progress:
                self._progress(done, len(sessions))

    def _looked(self, name: str, project: str, text: str, hide: Callable[[str], str] = redact) -> Iterator[Item]:
        self.searched += 1
        kinds = {finding.kind for finding in findings(text) if finding.kind != PRIVATE}
        if not kinds and hide is redact_printed and hide(text) != text:
            kinds = {"secret"}
        if kinds:
            yield Item(Concern.SECRET, name, project, _shown(hide(text)), " and ".join(sorted(kinds)))


def _of_sources(cited: Cited, held: Iterable[Remembered]) -> Iterator[Item]:
    for memory in held:
        if lost := cited.lost(memory):
            yield _item(Concern.ORPHANED, memory, f"{lost} cited, none is there")
        elif cited.is_of_ourselves(memory):
            yield _item(Concern.RECALL_LOOP, memory, "what it cites was told by memory")


def _of_rules(held: Iterable[Remembered]) -> Iterator[Item]:
    for memory in held:
        if memory.kind in _RULES and not is_of_user(memory):
            waits = "waits for review" if memory.status is MemoryStatus.PROPOSED else "holds already"
            yield _item(
                Concern.UNVERIFIED_RULE, memory, f"said by {memory.facts.get('trust') or 'nobody known'}, {waits}"
            )


def _of_staleness(held: Iterable[Remembered]) -> Iterator[Item]:
    for memory in held:
        if memory.facts.get("verified") == Verified.STALE:
            yield _item(Concern.STALE, memory, str(memory.facts.get("why") or "what it names is gone"))


def _of_likeness(held: Iterable[Remembered]) -> Iterator[Item]:
    projects: dict[str, list[Remembered]] = defaultdict(list)
    for memory in held:
        if memory.status is MemoryStatus.ACTIVE:
            projects[memory.project].append(memory)
    for memories in projects.values():
        for old, new in alike.twins(memories):
            yield _item(Concern.DUPLICATE, new, f"as {old.id}")
        for old, new in alike.near_twins(memories):
            yield _item(Concern.NEAR_DUPLICATE, new, f"as {old.id}: {_shown(old.text)}")


def _of_silence(held: Iterable[Remembered], recalled: set[str] | frozenset[str], now_ms: int) -> Iterator[Item]:
    for memory in held:
        is_old = memory.recorded_ms < now_ms - _MONTH_MS
        if is_old and memory.status is MemoryStatus.ACTIVE and memory.id not in recalled:
            yield _item(Concern.NEVER_RECALLED, memory, "in no transcript that is kept")


def _item(concern: Concern, memory: Remembered, why: str) -> Item:
    return Item(concern, memory.id, memory.project, _shown(redact(memory.text)), why)


def _shown(text: str) -> str:
    return " ".join(text.split())[:300]


def _weeks(memories: Sequence[Remembered], of_concern: set[str], now_ms: int) -> list[Week]:
    weeks = []
    for begins in weeks_until(now_ms, WEEKS):
        ends = week_end(begins)
        held = [
            one for one in memories if one.recorded_ms < ends and (one.retired_ms is None or one.retired_ms >= ends)
        ]
        added = sum(begins <= one.recorded_ms < ends for one in memories)
        retired = sum(one.retired_ms is not None and begins <= one.retired_ms < ends for one in memories)
        weeks.append(Week(begins, len(held), added, retired, sum(one.id in of_concern for one in held)))
    return weeks
