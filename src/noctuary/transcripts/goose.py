"""Goose: `sessions.db` in its data folder, or before version 1.10 one file of JSON lines a session.

Goose writes such a file anew at every turn, and later takes it over into the database under the same name.  A message
is known by when it was made, which both have, so it is the same one in both.
"""

from collections.abc import Iterator, Mapping, Sequence
from pathlib import Path
from typing import Any, NamedTuple

from noctuary.records import Kind, Relation
from noctuary.transcripts.documents import (
    Entry,
    Original,
    Talk,
    load_records,
    read_document,
    read_store,
    version_of,
    with_tool_names,
)
from noctuary.transcripts.drafts import ASSISTANT, SYSTEM, TEXT, Draft, by_agent
from noctuary.transcripts.fields import dict_of, text_of, time_ms
from noctuary.transcripts.finding import at_home, entries, is_file, real_path, those_at
from noctuary.transcripts.foreign_sqlite import (
    ForeignDatabase,
    beside,
    ids_in,
    is_sqlite,
    json_in,
    open_foreign,
    text_in,
)
from noctuary.transcripts.goose_contents import drafts_of
from noctuary.transcripts.goose_forks import origins
from noctuary.transcripts.items import Facts, Item, NewField, Place, Skipped, Source
from noctuary.transcripts.locations import chosen, data_folders, each_once
from noctuary.transcripts.speech import injected
from noctuary.transcripts.unfamiliar import new_fields

_UNNAMED = ("CLI Session", "New Chat", "New session", "New Session", "ACP Session")
_AFTER_SUMMARY = ("The previous message contains a summary", "Your context was compacted")
_LINE = frozenset(["id", "role", "created", "content", "metadata"])


class Row(NamedTuple):
    """A message, wherever it is kept."""

    role: str
    content: Any
    created: Any
    metadata: dict[str, Any]
    line: int


class Goose:
    """The adapter."""

    name = "goose"
    globally_unique = False

    def find(self, home: Path, environ: Mapping[str, str]) -> Iterator[Source]:
        """Every database, and every session in a file that is in none of them."""
        folders = _folders(home, environ)
        databases = {real_path(path): path for path in (f / "sessions.db" for f in folders) if is_sqlite(path)}
        for path in databases.values():
            yield Source(adapter=self.name, path=path, session="", is_log=False, beside=beside(path))
        files = [path for folder in folders for path in entries(folder) if path.suffix == ".jsonl" and is_file(path)]
        moved = ids_in(databases.values(), "sessions") if files else set()
        if moved is not None:
            for path in files:
                if path.stem not in moved:
                    yield Source(adapter=self.name, path=path, session=path.stem, is_log=False)

    def find_at(self, path: Path, home: Path, environ: Mapping[str, str]) -> Iterator[Source]:
        """The database or session at this path, if it lies where `find` looks."""
        return those_at(path, self.find(home, environ))

    def read(self, source: Source, place: Place) -> Iterator[Item]:
        """Yield what is new in the database or the session."""
        if source.session:
            yield from read_document(place, lambda: [_talk_in_file(source)])
            return
        with open_foreign(source.path) as database:
            if "content_json" not in database.columns("messages") or not database.columns("sessions"):
                yield Skipped(line=1, reason="not a database of Goose")
                return
            yield from read_store(place, _listed(database), lambda session: _talk_in(database, session))


def _folders(home: Path, environ: Mapping[str, str]) -> list[Path]:
    configured = environ.get("GOOSE_PATH_ROOT", "").strip()
    if configured:
        return [at_home(home, configured) / "data" / "sessions"]
    roots = [
        *data_folders(home, environ, "goose"),
        *(folder / "data" for folder in data_folders(home, environ, "Block/goose")),
        chosen(home, environ, "XDG_CONFIG_HOME", ".config") / "goose",
        home / ".goose",
    ]
    return each_once(root / "sessions" for root in roots)


def _listed(database: ForeignDatabase) -> list[tuple[str, str]]:
    """Every session, parents first, with what changes when it does."""
    sizes = "select session_id, count(*) as messages, max(id) as last from messages group by session_id"
    by_session = {row[0]: row[1:] for row in database.rows(sizes)}
    about = database.these("sessions", "id", "name", "description", "updated_at", "model_config_json")
    rows = database.rows(f"select {about} from sessions order by created_at, id")  # noqa: S608 (names of ours)
    return [(text_in(row[0]), version_of(*row[1:], by_session[row[0]])) for row in rows if row[0] in by_session]


def _talk_in(database: ForeignDatabase, session: str) -> Talk | None:
    names = ("name", "description", "session_type", "working_dir", "created_at", "model_config_json")
    about = database.these("sessions", *names, "parent_session_id")
    found = database.rows(f"select {about} from sessions where id = ?", session)  # noqa: S608 (names of ours)
    columns = database.these("messages", "role", "content_json", "created_timestamp", "metadata_json")
    messages = database.rows(
        f"select {columns} from messages where session_id = ? order by id",  # noqa: S608 (names of ours)
        session,
    )
    if not found or not messages:
        return None
    name, description, kind, folder, created, model, parent = found[0]
    rows = [
        Row(text_in(role), json_in(content), at, _record(json_in(metadata)), number)
        for number, (role, content, at, metadata) in enumerate(messages, 1)
    ]
    title = text_in(name) or text_in(description)
    facts = Facts(
        session=session,
        title=title if title and title not in _UNNAMED else None,
        cwd=text_in(folder) or None,
        model=text_of(_record(json_in(model)), "model_name") or None,
        parent=text_in(parent) or None,
        relation=Relation.SUBAGENT if parent else None,
        source=text_in(kind) if kind and kind != "user" else None,
    )
    copied = [] if parent else origins(database, session, created)
    if copied:
        facts = facts._replace(parent=copied[-1], relation=Relation.FORK)
    return _talk(facts, rows, [], time_ms(created), copied)


def _talk_in_file(source: Source) -> Talk | Skipped:
    """A session in a file, whose first line usually is about it."""
    rows: list[Row] = []
    oddities: list[Skipped | NewField] = []
    about: dict[str, Any] = {}
    for number, record in load_records(source.path):
        if isinstance(record, Skipped):
            oddities.append(record)
        elif "role" in record:
            oddities += new_fields("message", record, _LINE, number)
            created, metadata = record.get("created"), dict_of(record, "metadata")
            rows.append(Row(text_of(record, "role"), record.get("content"), created, metadata, number))
        elif "working_dir" in record or "description" in record or "message_count" in record:
            about = about or record
        else:
            oddities.append(Skipped(line=number, reason="unknown type of record", unknown="?"))
    if not rows and not about:
        raise ValueError("not a session of Goose")
    facts = Facts(
        session=source.session, title=text_of(about, "description") or None, cwd=text_of(about, "working_dir") or None
    )
    return _talk(facts, rows, oddities, time_ms(about.get("created_at")))


def _talk(
    facts: Facts, rows: Sequence[Row], oddities: list[Skipped | NewField], started_ms: int, said_in: Sequence[str] = ()
) -> Talk:
    told: list[Entry] = []
    copied: dict[str, Original] = {}
    times: dict[object, int] = {}
    is_delegated = facts.relation is Relation.SUBAGENT or facts.source == "sub_agent"
    for row, following in zip(rows, (*rows[1:], None), strict=True):
        said_ms = time_ms(row.created)
        times[said_ms] = times.get(said_ms, 0) + 1
        drafts = drafts_of(row.role, row.content, row.line, oddities)
        if row.metadata.get("userVisible") is False:
            drafts = [_unseen(draft, is_summary=_is_summary(row, following)) for draft in drafts]
        if drafts:
            key = f"{said_ms}.{times[said_ms]}"
            if row.line <= len(said_in):  # a message is called by its time, which its copy has, too
                copied[key] = (said_in[row.line - 1], key)
            told.append(Entry(key, by_agent(drafts) if is_delegated else drafts, said_ms, row.line))
    return Talk(facts, with_tool_names(told), oddities, started_ms=started_ms, copied=copied)


def _unseen(draft: Draft, *, is_summary: bool) -> Draft:
    """What only the model is shown was written by Goose, in whoever's name."""
    if draft.kind is not TEXT:
        return draft
    return Draft(SYSTEM, Kind.SUMMARY, None, draft.content) if is_summary else injected(draft.content)


def _is_summary(row: Row, following: Row | None) -> bool:
    """After a summary Goose tells the model what that was."""
    if following is None or row.role != "user" or following.role != "assistant":
        return False
    said = drafts_of(following.role, following.content, following.line, [])
    return any(draft.role is ASSISTANT and draft.content.startswith(_AFTER_SUMMARY) for draft in said)


def _record(value: Any) -> dict[str, Any]:
    return value if type(value) is dict else {}
