"""Crush: a database `.crush/crush.db` in every folder it was started in.

Crush writes down the folders it knows in `projects.json` of its data folder, so most are found without a search.  What
is older than that list is looked for in people's projects, see `repositories`.
"""

from collections.abc import Iterator, Mapping
from pathlib import Path
from typing import Any

from noctuary.records import Kind, Relation
from noctuary.transcripts.anthropic_blocks import call, result
from noctuary.transcripts.blocks import render_arguments
from noctuary.transcripts.documents import Entry, Talk, load_document, read_store, version_of
from noctuary.transcripts.drafts import ASSISTANT, SYSTEM, TEXT, USER, Draft, by_agent, thought
from noctuary.transcripts.fields import list_of, text_of, time_ms
from noctuary.transcripts.finding import at_home, is_file, real_path, those_at
from noctuary.transcripts.foreign_sqlite import ForeignDatabase, beside, is_sqlite, json_in, open_foreign, text_in
from noctuary.transcripts.items import Facts, Item, NewField, Place, Skipped, Source
from noctuary.transcripts.locations import data_folders
from noctuary.transcripts.repositories import CRUSH, folders_with
from noctuary.transcripts.speech import injected, sort_turn
from noctuary.transcripts.unfamiliar import new_fields

_NAME = "crush.db"
_UNNAMED = ("New Agent Session", "New Session", "Untitled Session")
_PART = {
    "text": frozenset(["text", "hidden"]),
    "reasoning": frozenset(
        ["thinking", "signature", "thought_signature", "tool_id", "responses_data", "started_at", "finished_at"]
    ),
    "tool_call": frozenset(["id", "name", "input", "type", "provider_executed", "finished"]),
    "tool_result": frozenset(["tool_call_id", "name", "content", "data", "mime_type", "metadata", "is_error"]),
    "shell_command": frozenset(["command", "output", "exit_code"]),
    "finish": frozenset(["reason", "time", "message", "details"]),
    "image_url": frozenset(["url", "detail"]),
    "binary": frozenset(["Path", "MIMEType", "Data"]),
}


class Crush:
    """The adapter."""

    name = "crush"
    globally_unique = False

    def find(self, home: Path, environ: Mapping[str, str]) -> Iterator[Source]:
        """The databases of the folders that Crush knows, and of people's projects."""
        known = [folder for listed in _lists(home, environ) for folder in _data_folders(listed)]
        seen: set[Path] = set()
        for folder in (*known, *(each / CRUSH for each in folders_with(home, CRUSH))):
            path = folder / _NAME
            if is_file(path) and is_sqlite(path) and (real := real_path(path)) not in seen:
                seen.add(real)
                yield Source(adapter=self.name, path=path, session="", is_log=False, beside=beside(path))

    def find_at(self, path: Path, home: Path, environ: Mapping[str, str]) -> Iterator[Source]:
        """The database at this path, if it lies where `find` looks; for another name nothing is walked."""
        return those_at(path, self.find(home, environ)) if path.name == _NAME else iter(())

    def read(self, source: Source, place: Place) -> Iterator[Item]:
        """Yield what is new in the database."""
        with open_foreign(source.path) as database:
            if "parts" not in database.columns("messages") or not database.columns("sessions"):
                yield Skipped(line=1, reason="not a database of Crush")
                return
            cwd = str(source.path.parent.parent) if source.path.parent.name == CRUSH else None
            yield from read_store(place, _listed(database), lambda session: _talk(database, session, cwd))


def _lists(home: Path, environ: Mapping[str, str]) -> list[Path]:
    configured = environ.get("CRUSH_GLOBAL_DATA", "").strip()
    folders = [at_home(home, configured)] if configured else data_folders(home, environ, "crush")
    return [folder / "projects.json" for folder in folders]


def _data_folders(listed: Path) -> Iterator[Path]:
    """Where the projects of a list have their data; none if the list cannot be read."""
    try:
        document = load_document(listed)
    except (OSError, ValueError):
        return
    for project in list_of(document if type(document) is dict else {}, "projects"):
        if type(project) is dict:
            folder = Path(text_of(project, "path")) / (text_of(project, "data_dir") or CRUSH)
            if folder.is_absolute() and "\0" not in str(folder):
                yield folder


def _listed(database: ForeignDatabase) -> list[tuple[str, str]]:
    """Every session, parents first, with what changes when it does; `octet_length` does not read the parts."""
    sizes = database.rows(
        "select session_id, count(*) as messages, sum(octet_length(parts)) as size from messages group by session_id"
    )
    by_session = {row[0]: row[1:] for row in sizes}
    about = database.these("sessions", "id", "title", "updated_at")
    rows = database.rows(f"select {about} from sessions order by created_at, id")  # noqa: S608 (names of ours)
    return [(text_in(row[0]), version_of(*row[1:], by_session[row[0]])) for row in rows if row[0] in by_session]


def _talk(database: ForeignDatabase, session: str, cwd: str | None) -> Talk | None:
    about = database.these("sessions", "title", "parent_session_id", "created_at", "summary_message_id")
    found = database.rows(f"select {about} from sessions where id = ?", session)  # noqa: S608 (names of ours)
    columns = database.these("messages", "id", "role", "parts", "model", "created_at", "is_summary_message")
    rows = database.rows(
        f"select {columns} from messages where session_id = ? order by created_at, rowid",  # noqa: S608 (the same)
        session,
    )
    if not rows or not found:
        return None
    title, parent, created, summary = found[0]
    entries: list[Entry] = []
    oddities: list[Skipped | NewField] = []
    for number, (key, role, parts, _, at, is_summary) in enumerate(rows, 1):
        is_summary = bool(is_summary) or key == summary  # noqa: PLW2901
        drafts: list[Draft] = []
        for kind, data in _parts(json_in(parts), number, oddities):
            drafts += _drafts(role, kind, data, is_summary=is_summary)
        if drafts:
            entries.append(Entry(text_in(key), by_agent(drafts) if parent else drafts, time_ms(at), number))
    facts = Facts(
        session=session,
        title=text_in(title) if title and title not in _UNNAMED else None,
        cwd=cwd,
        model=next((text_in(row[3]) for row in reversed(rows) if row[3] and not row[5]), None),
        parent=text_in(parent) or None,
        relation=Relation.SUBAGENT if parent else None,
    )
    return Talk(facts, entries, oddities, started_ms=time_ms(created))


def _parts(parts: Any, number: int, oddities: list[Skipped | NewField]) -> Iterator[tuple[str, dict[str, Any]]]:
    """The parts of a message by their types; early ones stand for themselves, later ones wrap what they say."""
    if type(parts) is not list:
        oddities.append(Skipped(line=number, reason="not a list of parts"))
        return
    for part in parts:
        kind = text_of(part, "type") if type(part) is dict else ""
        if kind not in _PART:
            oddities.append(Skipped(line=number, reason="unknown type of part", unknown=f"part/{kind or '?'}"))
            continue
        if type(part.get("data")) is not dict:
            yield kind, part
            continue
        oddities += new_fields(kind, part["data"], _PART[kind], number)
        yield kind, part["data"]


def _drafts(role: str, kind: str, data: dict[str, Any], *, is_summary: bool) -> list[Draft]:
    match kind:
        case "text":
            return _spoken(role, data, is_summary=is_summary)
        case "reasoning":
            return thought(text_of(data, "thinking"))
        case "tool_call":
            return [call(text_of(data, "name"), text_of(data, "id"), render_arguments(data.get("input")))]
        case "tool_result":
            return [result(text_of(data, "tool_call_id"), data.get("content"), text_of(data, "name"))]
        case "shell_command":  # what a person ran with an exclamation mark
            ran = Draft(USER, TEXT, None, f"! {text_of(data, 'command')}")
            return [ran, injected(text_of(data, "output"))]
        case "binary":
            return [injected(f"[file: {text_of(data, 'Path') or text_of(data, 'MIMEType')}]")]
        case "image_url":
            return [injected("[image]")]
    return []


def _spoken(role: str, data: dict[str, Any], *, is_summary: bool) -> list[Draft]:
    text = text_of(data, "text")
    if not text or text.isspace():
        return []
    if is_summary:
        return [Draft(SYSTEM, Kind.SUMMARY, None, text)]
    if role == "user":
        return [injected(text)] if data.get("hidden") is True else sort_turn(text)
    return [Draft(ASSISTANT, TEXT, None, text)] if role == "assistant" else [injected(text)]
