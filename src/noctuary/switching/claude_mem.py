"""claude-mem: what it observed, summarised and was asked, from `~/.claude-mem/claude-mem.db`.

Its public `src/services/sqlite/schema.sql` was read at migration 35, `SessionStore.ts` of versions before in excerpts:
tables sdk_sessions (content_session_id is the session of the agent, memory_session_id its own), observations (type,
title, subtitle, narrative, and facts, concepts, files_read and files_modified as JSON lists; only `text` in the first
versions), session_summaries (request, investigated, learned, completed, next_steps, notes), user_prompts, and later
directives.  Times are milliseconds in `created_at_epoch`.  The first versions say sdk_session_id and claude_session_id.

Prompts and summaries become sessions, observations become events, directives proposed memories.  A session whose
transcript is here already is left out: its prompts are in it, word for word.
"""

from collections.abc import Callable, Iterator
from pathlib import Path

from noctuary.authored import EventType
from noctuary.records import BROUGHT, Kind, TitleSource
from noctuary.store.memories import MemoryKind
from noctuary.switching.brought import Brought, Note, ProjectOf
from noctuary.switching.reading import Row, database_of, file_at, names_in, plain_meta, rows_of, text, when
from noctuary.switching.tools import Tool
from noctuary.transcripts.documents import Entry, Talk
from noctuary.transcripts.drafts import SYSTEM, Draft
from noctuary.transcripts.foreign_sqlite import ForeignDatabase
from noctuary.transcripts.items import Facts
from noctuary.transcripts.speech import sort_turn

NAME = Tool.CLAUDE_MEM
FILE = "claude-mem.db"
_TYPES = {"decision": EventType.DECISION}  # all others say what was found, or done
_PARTS = ("request", "investigated", "learned", "completed", "next_steps", "notes")
_SAID = ("text", "title", "subtitle", "narrative", "facts", "files_read", "files_modified", "project", "metadata")
IsKnown = Callable[[str], bool]


def read_claude_mem(path: Path, project_of: ProjectOf, is_known: IsKnown) -> Brought:
    """All that claude-mem kept; `is_known` says whether the transcript of a session is here."""
    file = file_at(path, FILE)
    with database_of(NAME, file, "observations", "session_summaries") as database:
        reading = _Reading(Brought(file), project_of, is_known)
        reading.read(database)
        return reading.brought


class _Reading:
    """One database while it is read."""

    def __init__(self, brought: Brought, project_of: ProjectOf, is_known: IsKnown) -> None:
        self.brought, self.project_of, self.is_known = brought, project_of, is_known
        self.sessions: dict[str, Row] = {}  # by the agent's name for them
        self.agents_names: dict[str, str] = {}  # of sessions, by claude-mem's own
        self.entries: dict[str, list[Entry]] = {}

    def read(self, database: ForeignDatabase) -> None:
        """Read every table that is known."""
        for row in rows_of(database, "sdk_sessions"):
            if name := _first(row, "content_session_id", "claude_session_id"):
                self.sessions[name] = row
                self.agents_names[_first(row, "memory_session_id", "sdk_session_id") or name] = name
        for row in rows_of(database, "user_prompts"):
            self._prompt(row)
        for row in rows_of(database, "session_summaries"):
            self._summary(row)
        for name, entries in self.entries.items():
            self._session(name, entries)
        for row in rows_of(database, "observations"):
            self._observation(row)
        for row in rows_of(database, "directives"):
            self._directive(row)
        waiting = sum(1 for _ in rows_of(database, "pending_messages"))
        if waiting:
            self.brought.left_out["tool calls that claude-mem had not looked at yet"] += waiting

    def _prompt(self, row: Row) -> None:
        name = _first(row, "content_session_id", "claude_session_id")
        if drafts := sort_turn(text(row, "prompt_text")):
            self._add(name, Entry(f"prompt-{row.get('id')}", drafts, when(row, "created_at_epoch", "created_at"), 1))
        else:
            self.brought.left_out["empty prompts"] += 1

    def _summary(self, row: Row) -> None:
        told = [f"{part.replace('_', ' ').capitalize()}: {said}" for part in _PARTS if (said := text(row, part))]
        if not told:
            self.brought.left_out["empty summaries"] += 1
            return
        draft = Draft(SYSTEM, Kind.SUMMARY, None, "\n\n".join(told))
        entry = Entry(f"summary-{row.get('id')}", [draft], when(row, "created_at_epoch", "created_at"), 1)
        self._add(self._agents_name(row), entry, row)

    def _add(self, name: str, entry: Entry, row: Row | None = None) -> None:
        self.sessions.setdefault(name, row or {})
        self.entries.setdefault(name, []).append(entry)

    def _session(self, name: str, entries: list[Entry]) -> None:
        if self.is_known(name):
            self.brought.left_out["prompts and summaries of sessions whose transcript is here"] += len(entries)
            return
        row = self.sessions[name]
        ordered = sorted(entries, key=lambda entry: entry.ts_ms)
        numbered = [entry._replace(line=line) for line, entry in enumerate(ordered, 1)]
        title = text(row, "custom_title") or None
        facts = Facts(
            session=session_of(name),
            project=self._project(row),
            source=BROUGHT,
            title=title,
            title_source=TitleSource.GIVEN if title else None,
        )
        started_ms = when(row, "started_at_epoch", "started_at")
        self.brought.talks.append(Talk(facts, numbered, started_ms=started_ms))

    def _observation(self, row: Row) -> None:
        said = "\n".join(_said(row))
        if not said:
            self.brought.left_out["empty observations"] += 1
            return
        name = self._agents_name(row)
        self.brought.notes.append(
            Note(
                key=f"observation-{row.get('id')}",
                type=_TYPES.get(text(row, "type"), EventType.FINDING),
                text=said,
                ts_ms=when(row, "created_at_epoch", "created_at"),
                project=self._project(row),
                session=name if self.is_known(name) else session_of(name),
                files=tuple(dict.fromkeys([*names_in(row, "files_modified"), *names_in(row, "files_read")])),
                meta=plain_meta(row, *_SAID),
            )
        )

    def _directive(self, row: Row) -> None:
        if text(row, "status") not in ("", "active"):
            self.brought.left_out["directives that were switched off"] += 1
        elif said := text(row, "content"):
            key, ts_ms = f"directive-{row.get('id')}", when(row, "created_at_epoch", "created_at")
            kind, meta = MemoryKind.CONSTRAINT, plain_meta(row, "content")
            project = self._project(row)
            self.brought.notes.append(Note(key, EventType.REMEMBER, said, ts_ms, project, kind, meta=meta))

    def _agents_name(self, row: Row) -> str:
        own = _first(row, "memory_session_id", "sdk_session_id")
        return self.agents_names.get(own, own)

    def _project(self, row: Row) -> str:
        return self.project_of(text(row, "merged_into_project") or text(row, "project"))


def session_of(name: str) -> str:
    """What a session of claude-mem is called here: not as its agent calls it, whose transcript may come later."""
    return f"{NAME}-{name}"


def _said(row: Row) -> Iterator[str]:
    yield from (said for part in ("title", "subtitle", "narrative", "text") if (said := text(row, part)))
    yield from (f"- {fact}" for fact in names_in(row, "facts"))


def _first(row: Row, *keys: str) -> str:
    return next((found for key in keys if (found := text(row, key))), "")
