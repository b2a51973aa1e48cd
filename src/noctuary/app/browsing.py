"""A memory a screenful at a time: what pages show of memories, dreams and work, however much there is."""

from __future__ import annotations  # or the annotations would load the parts below

from collections.abc import Iterable, Iterator, Mapping, Sequence
from datetime import UTC, datetime, timedelta
from typing import TYPE_CHECKING, NamedTuple

from noctuary.app import dream_checkup, hook_checkup
from noctuary.dream import explaining, reports, reviewing
from noctuary.dream.life import schedule
from noctuary.dream.pages import lines, places
from noctuary.dreams import MemoryChange, Report, Trigger
from noctuary.errors import NotFound
from noctuary.store.memories import MemoryChoice, MemoryKind, MemoryStatus, Remembered

if TYPE_CHECKING:
    from noctuary.app.memory import Memory
    from noctuary.authored import Entry, MessageRef
    from noctuary.dream.explaining import Why
    from noctuary.dream.reviewing import Suggestion
    from noctuary.health import Checked
    from noctuary.proposals import Spent

HOLDING = (MemoryStatus.ACTIVE, MemoryStatus.PROPOSED)
PAST = (MemoryStatus.SUPERSEDED, MemoryStatus.RETRACTED, MemoryStatus.ARCHIVED)
_MOST_TOPICS = 60
_MOST_WORDINGS = 20


class Shelf(NamedTuple):
    """Some of the memories that were asked for."""

    memories: Sequence[Remembered]
    total: int


class Shares(NamedTuple):
    """How many memories there are of each sort, to choose by."""

    kinds: Mapping[str, int]  # of those that hold
    topics: Mapping[str, int]  # the greatest
    projects: Mapping[str, int]  # of those that hold; "" is all projects
    held: int
    past: int


class Told(NamedTuple):
    """A memory, what it rests on, and what it was before."""

    why: Why
    wordings: Sequence[Entry]  # how it was said before, the newest first
    earlier: Sequence[Remembered]  # whose place it took
    later: Remembered | None  # what took its place


class CitedChange(NamedTuple):
    """What a run did to a memory, and the message that it did it for, if there is one."""

    change: MemoryChange
    message: MessageRef | None


class Browsing:
    """What pages ask a memory for."""

    def __init__(self, memory: Memory) -> None:
        self.memory = memory
        self.store = memory.store
        self.owner = memory.owner
        memory.ledger.catch_up_all()  # other processes write, too; what cannot be read is the doctor's

    def projects(self) -> list[str]:
        """The projects in whose journals something is written, by name."""
        return [name for name in self.store.journals.projects(self.owner) if name]

    def memories(self, wanted: MemoryChoice, most: int, skip: int = 0) -> Shelf:
        """Some of the memories that are wanted, the newest first."""
        return Shelf(*self.store.memories.page(self.owner, wanted, most, skip))

    def shares(self, project: str | None = None) -> Shares:
        """How many memories there are of each sort, of one project or of all."""
        rows = self.store.memories.shares(self.owner, project)
        held = [row for row in rows if row[2] in HOLDING]
        topics = self.store.memories.main_topics(self.owner, project, _MOST_TOPICS)
        return Shares(
            kinds={str(kind): sum(row[3] for row in held if row[1] is kind) for kind in MemoryKind},
            topics=topics,
            projects={name: sum(row[3] for row in held if row[0] == name) for name in sorted({row[0] for row in held})},
            held=sum(row[3] for row in held),
            past=sum(row[3] for row in rows) - sum(row[3] for row in held),
        )

    def told(self, name: str) -> Told:
        """A memory with all that is known about it, by its whole id; NotFound if there is none."""
        night, memory = self.memory.dreams.night, self.store.memories.find(self.owner, name)
        if memory is None:
            raise NotFound(f"There is no memory {name!r}.")
        why = explaining.explain(night, memory)
        later = self.store.memories.find(self.owner, memory.superseded_by) if memory.superseded_by else None
        earlier = self.store.memories.superseded_by(self.owner, memory.id)
        return Told(why, [*self._wordings(memory)], earlier, later)

    def _wordings(self, memory: Remembered) -> Iterator[Entry]:
        """The entries that said it before the one that says it now."""
        entry = self.memory.ledger.entry(memory.event)
        for _ in range(_MOST_WORDINGS):
            entry = self.memory.ledger.entry(entry.event.corrects) if entry and entry.event.corrects else None
            if entry is None:
                return
            yield entry

    def memory_file(self, project: str) -> str:
        """MEMORY.md of exactly this project; empty if there is none."""
        path = places.page_path(self.memory.settings.home, self.owner, project)
        return path.read_text(encoding="utf-8", errors="replace") if path.exists() else ""

    def with_memory_file(self) -> list[str]:
        """The projects that have a MEMORY.md, those where most is remembered first; "" is what holds everywhere."""
        held = self.shares().projects
        known = sorted({"", *self.projects()}, key=lambda name: (-held.get(name, 0), name))
        return [name for name in known if places.page_path(self.memory.settings.home, self.owner, name).exists()]

    @staticmethod
    def words_of(item: str) -> tuple[str, Sequence[str]]:
        """What an item of MEMORY.md says, as it was said and not as Markdown has it; and what is noted behind it."""
        shown = lines.shown_in(item)
        return shown.text, sorted(shown.notes)

    def titles(self, sessions: Iterable[str], project: str | None) -> dict[str, str]:
        """What sessions are about that are cited: of those of one project alone, if that is all that may be seen."""
        return self.store.sessions.titles_of(self.owner, {*sessions}, project)

    def runs(self, before: str | None, most: int) -> list[Report]:
        """Runs that left a report, from before one on, the newest first."""
        found = self.store.dreams.runs_before(self.owner, before, most)
        return [reports.from_json(one.report) for one in found if one.report]

    def cited(self, run: str, changes: Sequence[MemoryChange]) -> list[CitedChange]:
        """Each change of a run with a message that speaks for it; one that the run itself read, if there is."""
        return [CitedChange(change, self._message_for(run, change.memory)) for change in changes]

    def _message_for(self, run: str, name: str) -> MessageRef | None:
        memory = self.store.memories.find(self.owner, name)
        if memory is None:
            return None
        grounds = explaining.explain(self.memory.dreams.night, memory).grounds
        of_run = [one for one in grounds if one.entry.event.meta.get("dream", {}).get("run") == run]
        return next((message for one in [*of_run, *grounds] for message in one.messages), None)

    def suggestions(self, project: str | None, after: str, most: int) -> list[Suggestion]:
        """What was proposed after an event and nobody has looked at, the oldest first."""
        return reviewing.queue(self.memory.dreams.night, project, most=most, after=after)

    def found_in(self, suggestions: Sequence[Suggestion]) -> dict[str, str]:
        """The sessions in which dreams found what was proposed, by its event; a task cites no message."""
        found = {one.entry.event.id: one.entry.event.meta.get("dream", {}).get("session") for one in suggestions}
        return {event: session for event, session in found.items() if session}

    def verdict(self, event: str) -> Entry | None:
        """What was decided of a proposal, if anything was; NotFound if it is none."""
        return reviewing.verdict(self.memory.dreams.night, event)

    def suggested(self, project: str | None) -> int:
        """How much waits to be looked at."""
        return self.store.events.suggested_count(self.owner, project)

    def due(self) -> Trigger | None:
        """Why a dream would begin by itself now; None if it would not."""
        return schedule.due(self.memory.dreams.night)

    def spending(self, days: int) -> dict[str, Spent]:
        """What models cost on each of the last days, the first first; days without cost are left out."""
        today = datetime.fromtimestamp(self.memory.clock.now_ms() / 1000, UTC)
        return self.store.dreams.spent_since(self.owner, f"{today - timedelta(days=days - 1):%Y-%m-%d}")

    def last_read_ms(self) -> int | None:
        """When the newest transcript that was read had been written."""
        times = [mtime_ns for _, mtime_ns in self.store.places.seen(self.owner).values()]
        return max(times) // 1_000_000 if times else None

    def quick_checks(self) -> list[Checked]:
        """What the doctor can say at once: hooks and dreams."""
        memory = self.memory
        return [hook_checkup.check_up(memory.settings, memory.clock.now_ms()), dream_checkup.check_up(memory)]
