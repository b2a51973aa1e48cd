"""Switch from another tool: read what it kept, and let it come in as sessions, events and proposed memories.

The same is known again by what the tool calls it and what it says, so a second time adds nothing, and what was
forgotten here stays forgotten.  A rehearsal reads everything, counts it, and takes back what it did.
"""

from collections import Counter
from collections.abc import Iterable, Iterator, Mapping, Sequence
from contextlib import suppress
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any, Protocol, runtime_checkable

from noctuary.authored import Author, Event, EventSource, EventStatus, EventType, Refs, Trust
from noctuary.errors import BadEvent, BadInput
from noctuary.fences import apart
from noctuary.ids import derived_id
from noctuary.importing.files import printable
from noctuary.importing.projects import project_of
from noctuary.importing.report import ImportReport
from noctuary.importing.run import Importer
from noctuary.redact import redact
from noctuary.store.memories import MemoryStatus
from noctuary.store.tombstones import Graveyard
from noctuary.switching.basic_memory import read_basic_memory
from noctuary.switching.brought import Brought, Note, Switched
from noctuary.switching.claude_mem import read_claude_mem
from noctuary.switching.mem0 import read_mem0
from noctuary.switching.mempalace import read_mempalace
from noctuary.switching.tools import Tool
from noctuary.text import clean
from noctuary.transcripts.agents import adapters
from noctuary.transcripts.documents import Talk, read_document
from noctuary.transcripts.foreign_sqlite import beside, is_sqlite
from noctuary.transcripts.items import Adapter, Item, NewField, Place, Skipped, Source
from noctuary.work.desk import Desk
from noctuary.work.exchange import FARTHEST_AHEAD_MS, ImportedLines, add_events, checked, would_add
from noctuary.work.foreign.files import Format, import_path
from noctuary.work.foreign.lines import derived_ulid

# Where each tool keeps its things unless it is told otherwise, below the home folder.
USUAL = {
    Tool.CLAUDE_MEM: ".claude-mem",
    Tool.MEMPALACE: ".mempalace",
    Tool.MEM0: ".mem0",
    Tool.BASIC_MEMORY: "basic-memory",
}
_EXPORTS = (Tool.CHATGPT, Tool.CLAUDE_AI)
_LINES = {Tool.BEADS: Format.BEADS, Tool.TASK_JOURNAL: Format.TASK_JOURNAL}
_FORGOTTEN = "kept out, because you had it forgotten"
_OURS = "what Noctuary itself had told"


@runtime_checkable
class Exports(Protocol):
    """An adapter that reads files which a person names: exports of a web page, which lie anywhere."""

    def sources_in(self, path: Path) -> Iterator[Source]:
        """The transcripts in a file or a folder; nothing if there is none."""
        ...


class _TakenBack(Exception):
    """The end of a rehearsal is never reached."""


def usual_place(tool: Tool, home: Path) -> Path:
    """Where a tool keeps its things; BadInput if that has to be named."""
    if tool not in USUAL:
        raise BadInput(f"Name the file or the folder of {tool}: noctuary import --from {tool} PATH")
    return home / USUAL[tool]


@dataclass(frozen=True, slots=True)
class Switch:
    """A switch that somebody wants: into a desk's project, unless the tool or the person names another."""

    desk: Desk
    tool: Tool
    path: Path
    project: str | None = None
    is_dry: bool = False
    readers: Sequence[Adapter] = field(default_factory=adapters)

    def run(self) -> Switched:
        """Bring everything in; BadInput, and nothing changed, if it is not what that tool writes."""
        if self.tool in _LINES:
            return self._lines(_LINES[self.tool])
        if self.tool in _EXPORTS:
            return self._export()
        brought = self._read()
        counted = _Counted(Counter(brought.left_out), Counter(self._where(brought)))
        events = self._events(brought, counted)
        report = self._sessions(brought)
        added = self._add(events)
        counted.left_out += Counter(dict(_told_as(report)))
        return Switched(
            tool=self.tool,
            path=printable(brought.path),
            is_dry=self.is_dry,
            sessions=report.sessions,
            messages=report.messages,
            entries=added.added,
            proposed=sum(event.type is EventType.REMEMBER for event in events),
            known=counted.known,
            projects=dict(counted.projects.most_common()),
            left_out=dict(counted.left_out.most_common()),
            remarks=[*(remark.why for remark in added.notes), *report.problems],
        )

    def _read(self) -> Brought:
        if self.tool is Tool.CLAUDE_MEM:
            return read_claude_mem(self.path, self._project_called, self._is_session)
        readers = {Tool.MEMPALACE: read_mempalace, Tool.MEM0: read_mem0, Tool.BASIC_MEMORY: read_basic_memory}
        return readers[self.tool](self.path, self._project_called)

    def _is_session(self, name: str) -> bool:
        return self.desk.store.sessions.find(self.desk.owner, name) is not None

    def _project_called(self, name: str) -> str:
        """A project by what a tool calls it: a folder that is named, what the person said, or one that is known."""
        if name.startswith("/") and (known := project_of(name, None)):
            return known
        if self.project is not None or not name:
            return self.desk.project
        known_here = self.desk.store.sessions.project_names(self.desk.owner, name)
        return known_here[0] if len(known_here) == 1 else name

    def _where(self, brought: Brought) -> Iterator[str]:
        yield from (talk.facts.project or "" for talk in brought.talks)
        yield from (note.project for note in brought.notes)

    def _sessions(self, brought: Brought) -> ImportReport:
        """Let the conversations come in as those of any agent do: redacted, fenced, and none that was forgotten."""
        if not brought.talks:
            return ImportReport()
        reader = _Given(str(self.tool), brought.talks)
        source = Source(
            adapter=reader.name,
            path=brought.path,
            session="",
            is_log=False,
            beside=beside(brought.path) if is_sqlite(brought.path) else tuple(brought.files),
        )
        return self._import([reader], [source])

    def _import(self, readers: Iterable[Adapter], sources: Iterable[Source]) -> ImportReport:
        importer = Importer(self.desk.store, self.desk.owner, readers=readers)
        if not self.is_dry:
            return importer.run(sources)
        with suppress(_TakenBack), self.desk.store.database.transaction():
            importer.run(sources)
            raise _TakenBack
        return importer.report

    def _events(self, brought: Brought, counted: "_Counted") -> list[Event]:
        """What was written down and is not here yet."""
        graveyard = self.desk.store.tombstones.all(self.desk.owner)
        latest_ms = self.desk.clock.now_ms() + FARTHEST_AHEAD_MS
        events: dict[str, Event] = {}
        for note in brought.notes:
            said = apart(redact(clean(note.text))).said.strip()
            try:
                if not said:
                    counted.left_out[_OURS] += 1
                elif _is_forgotten(graveyard, self.desk.owner, note, said):
                    counted.left_out[_FORGOTTEN] += 1
                elif note.kind and self.desk.store.memories.find(self.desk.owner, _memory_id(self.tool, note, said)):
                    counted.known += 1
                else:
                    event = checked(self._event(note, said), latest_ms)
                    events[event.id] = event
            except BadEvent as error:
                counted.left_out[f"entries of which {error}"] += 1
        known = self.desk.store.events.known(self.desk.owner, events)
        counted.known += len(known)
        return [event for event in events.values() if event.id not in known]

    def _event(self, note: Note, said: str) -> Event:
        now_ms = self.desk.clock.now_ms()
        ts_ms = min(note.ts_ms, now_ms) if note.ts_ms > 0 else now_ms
        return Event(
            type=note.type,
            text=said,
            id=derived_ulid(min(note.ts_ms, now_ms), self.tool, note.key, said),  # without a time, of none
            project=note.project,
            ts_ms=ts_ms,
            recorded_ms=ts_ms,
            author=Author.AGENT,
            source=EventSource.IMPORT,
            session=note.session,
            refs=Refs(files=tuple(note.files)),
            status=EventStatus.SUGGESTED if note.kind else EventStatus.CONFIRMED,
            trust=Trust.IMPORT,
            meta={self.tool.replace("-", "_"): {"key": note.key, **note.meta}},
            change=_proposal(self.tool, note, said),
        )

    def _add(self, events: Sequence[Event]) -> ImportedLines:
        return would_add(self.desk.ledger, events) if self.is_dry else add_events(self.desk.ledger, events)

    def _lines(self, only: Format) -> Switched:
        if is_sqlite(self.path):
            raise BadInput(
                f"{self.path} is a database; {self.tool} is read from its lines (*.jsonl), which it exports."
            )
        add = would_add if self.is_dry else add_events
        report = import_path(self.desk, self.path, self.project and self.desk.project, only=only, add=add)
        left_out = Counter(f"line {aside.number}: {aside.why}" if aside.number else aside.why for aside in report.bad)
        return Switched(
            tool=self.tool,
            path=printable(self.path),
            is_dry=self.is_dry,
            entries=report.added,
            known=report.known,
            left_out=dict(left_out),
            remarks=[f"line {note.number}: {note.why}" if note.number else note.why for note in report.notes],
        )

    def _export(self) -> Switched:
        """Let an adapter read the export that it knows."""
        reader = next((each for each in self.readers if each.name == self.tool and isinstance(each, Exports)), None)
        if reader is None or not isinstance(reader, Exports):
            raise BadInput(f"This version of Noctuary has no adapter for exports of {self.tool}.")
        if not self.path.exists():
            raise BadInput(
                f"There is no file or folder {self.path}. Nothing was changed. If it lies elsewhere, name it."
            )
        sources = list(reader.sources_in(self.path))
        if not sources:
            raise BadInput(f"There is no export of {self.tool} in {self.path}. Nothing was changed.")
        faults = [_fault(reader, source) for source in sources]
        if all(faults):
            raise BadInput(f"{printable(sources[0].path)}: {faults[0]}. Nothing was changed.")
        report = self._import([reader], sources)
        return Switched(
            tool=self.tool,
            path=printable(self.path),
            is_dry=self.is_dry,
            sessions=report.sessions,
            messages=report.messages,
            left_out=dict(_told_as(report)),
            remarks=report.problems,
        )


def _fault(reader: Adapter, source: Source) -> str | None:
    """What is wrong with an export of which nothing can be read; all that is read for it is its beginning."""
    try:
        first = next((item for item in reader.read(source, Place()) if not isinstance(item, NewField)), None)
    except OSError as error:
        return error.strerror or str(error)
    return first.reason if isinstance(first, Skipped) else None


@dataclass(slots=True)
class _Counted:
    """What was not brought, what is here already, and where the rest goes."""

    left_out: Counter[str]
    projects: Counter[str]
    known: int = 0


class _Given:
    """An adapter for sessions that were read already."""

    globally_unique = False

    def __init__(self, name: str, talks: Sequence[Talk]) -> None:
        self.name, self._talks = name, talks

    def find(self, home: Path, environ: Mapping[str, str]) -> Iterator[Source]:
        """Nothing: it is not looked for."""
        del home, environ
        return iter(())

    def find_at(self, path: Path, home: Path, environ: Mapping[str, str]) -> Iterator[Source]:
        """Nothing, likewise."""
        del path, home, environ
        return iter(())

    def read(self, source: Source, place: Place) -> Iterator[Item]:
        """The sessions; those of before that say the same are not said again."""
        del source
        return read_document(place, lambda: self._talks)


def _is_forgotten(graveyard: Graveyard, owner: str, note: Note, said: str) -> bool:
    is_part = note.session in graveyard.sessions or note.project in graveyard.projects
    return is_part or graveyard.holds_text(owner, said)


def _memory_id(tool: Tool, note: Note, said: str) -> str:
    return derived_id("m", tool, note.key, said)


def _proposal(tool: Tool, note: Note, said: str) -> dict[str, Any]:
    if note.kind is None:
        return {}
    memory = {"id": _memory_id(tool, note, said), "kind": str(note.kind), "text": said}
    return {"memories": [{**memory, "status": str(MemoryStatus.PROPOSED), "trust": str(Trust.IMPORT)}]}


def _told_as(report: ImportReport) -> Iterator[tuple[str, int]]:
    told = (
        ("messages taken back or replaced since", report.rewound),
        (_FORGOTTEN, report.forgotten + report.skipped["forgotten"]),
        ("records that could not be read", report.malformed),
        ("records of types that are not known", report.unknown.total()),
        ("files that could not be read to their end", report.skipped["unreadable"]),
        ("files that wait for one that could not be read", report.skipped["waits for its parent"]),
        ("files without a conversation", report.skipped["no conversation"] + report.skipped["empty"]),
    )
    return ((why, number) for why, number in told if number)
