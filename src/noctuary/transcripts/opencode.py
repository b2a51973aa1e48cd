"""OpenCode: `opencode.db` in its data folder, or before version 1.2 one JSON file a session, message and part.

A session that is in both was moved, and the database is what goes on: the files are not read.
"""

import os
from collections.abc import Iterable, Iterator, Mapping
from pathlib import Path
from typing import Any

from noctuary.records import Relation
from noctuary.transcripts.documents import Talk, load_document, read_document, read_store, version_of
from noctuary.transcripts.fields import dict_of, text_of, time_ms
from noctuary.transcripts.finding import at_home, entries, is_file, is_folder, real_path, those_at
from noctuary.transcripts.foreign_sqlite import (
    ForeignDatabase,
    beside,
    ids_in,
    is_sqlite,
    json_in,
    open_foreign,
    text_in,
)
from noctuary.transcripts.items import Item, Place, Skipped, Source
from noctuary.transcripts.locations import chosen, data_folders, each_once
from noctuary.transcripts.opencode_forks import forked
from noctuary.transcripts.opencode_records import MessageRow, Record, SessionRow, talk_of

_VARIABLES = ("OPENCODE_DB", "OPENCODE_SQLITE_DB")


class OpenCode:
    """The adapter."""

    name = "opencode"
    globally_unique = False

    def find(self, home: Path, environ: Mapping[str, str]) -> Iterator[Source]:
        """Every database, and every session in files that is in none of them."""
        config = chosen(home, environ, "XDG_CONFIG_HOME", ".config")
        folders = each_once([*data_folders(home, environ, "opencode"), config / "opencode"])
        databases = _databases(folders, home, environ)
        for path in databases:
            yield Source(adapter=self.name, path=path, session="", is_log=False, beside=beside(path))
        files = [path for folder in folders for path in _session_files(folder / "storage")]
        moved = ids_in(databases, "session") if files else set()
        if moved is not None:
            for path in files:
                if path.stem not in moved:
                    yield session_at(path)

    def find_at(self, path: Path, home: Path, environ: Mapping[str, str]) -> Iterator[Source]:
        """The database or session at this path, if it lies where `find` looks."""
        return those_at(path, self.find(home, environ))

    def read(self, source: Source, place: Place) -> Iterator[Item]:
        """Yield what is new in the database or the session."""
        if source.session:
            yield from read_document(place, lambda: [_talk_in_files(source)])
            return
        yield from read_database(source.path, place, "OpenCode")


def session_at(path: Path) -> Source:
    """The session in a file, with the folders of its messages beside it."""
    storage, session = path.parents[2], path.stem
    messages = storage / "message" / session
    last = [Path(name).stem for name in _last_of(messages)]  # whose parts may still be written
    around = (messages, *(storage / "part" / name for name in last))
    return Source(adapter=OpenCode.name, path=path, session=session, is_log=False, beside=around)


def session_around(path: Path) -> Source | None:
    """The session in a file that lies anywhere, if its messages lie where they do in a storage of OpenCode."""
    is_there = path.suffix == ".json" and len(path.parents) > 2 and path.parents[1].name == "session"
    return session_at(path) if is_there and is_folder(path.parents[2] / "message" / path.stem) else None


def read_database(path: Path, place: Place, program: str) -> Iterator[Item]:
    """Yield what is new in a database of OpenCode, or of a program that is made of it."""
    with open_foreign(path) as database:
        if "directory" not in database.columns("session") or not database.columns("part"):
            yield Skipped(line=1, reason=f"not a database of {program}")
            return
        yield from read_store(place, _listed(database), lambda session: _talk_in(database, session))


def _databases(folders: Iterable[Path], home: Path, environ: Mapping[str, str]) -> list[Path]:
    named = [environ.get(variable, "").strip() for variable in _VARIABLES]
    paths = [at_home(home, name) for name in named if name and name != ":memory:"]
    paths += [
        path
        for folder in folders
        for path in entries(folder)
        if path.name == "opencode.db" or path.match("opencode-*.db")
    ]
    by_file: dict[Path, Path] = {}
    for path in paths:
        if is_sqlite(path):
            by_file.setdefault(real_path(path), path)
    return list(by_file.values())


def _session_files(storage: Path) -> list[Path]:
    projects = [folder for folder in entries(storage / "session") if is_folder(folder)]
    return [path for project in projects for path in entries(project) if path.suffix == ".json" and is_file(path)]


def _last_of(folder: Path) -> list[str]:
    try:
        return [max(os.listdir(folder))]  # noqa: PTH208 (there are many, and only names are needed)
    except (OSError, ValueError):
        return []


def _listed(database: ForeignDatabase) -> list[tuple[str, str]]:
    """Every session, parents first, with what changes when it does.

    An answer that is complete ends with one more part, so parts are counted, which only takes their index.
    """
    messages = dict(database.rows("select session_id, count(*) as messages from message group by session_id"))
    parts = dict(database.rows("select session_id, count(*) as parts from part group by session_id"))
    about = database.these("session", "id", "title", "time_updated", "revert")
    rows = database.rows(f"select {about} from session order by time_created, id")  # noqa: S608 (names of ours)
    return [(text_in(row[0]), version_of(*row[1:], messages.get(row[0]), parts.get(row[0]))) for row in rows]


def _talk_in(database: ForeignDatabase, session: str) -> Talk | None:
    found = _loaded(database, session)
    if found is None:
        return None
    talk = talk_of(*found)
    fork = forked(database, lambda other: _loaded(database, other), *found)
    if fork is None:
        return talk
    parent, copied = fork
    return talk._replace(facts=talk.facts._replace(parent=parent, relation=Relation.FORK), copied=copied)


def _loaded(database: ForeignDatabase, session: str) -> tuple[SessionRow, list[MessageRow]] | None:
    """A session and its messages; None if it is not there, or nothing was said in it."""
    about = database.these("session", "title", "directory", "parent_id", "time_created", "revert")
    found = database.rows(f"select {about} from session where id = ?", session)  # noqa: S608 (names of ours)
    rows = database.rows(
        "select id, data, time_created from message where session_id = ? order by time_created, id", session
    )
    if not rows or not found:
        return None
    parts: dict[str, list[tuple[str, Record]]] = {}
    for key, message, data in database.rows(
        "select id, message_id, data from part where session_id = ? order by message_id, id", session
    ):
        parts.setdefault(message, []).append((text_in(key), _record(json_in(data))))
    title, directory, parent, created, revert = found[0]
    row = SessionRow(session, text_in(title), text_in(directory), text_in(parent), created, _record(json_in(revert)))
    return row, [MessageRow(text_in(key), _record(json_in(data)), parts.get(key, []), at) for key, data, at in rows]


def _talk_in_files(source: Source) -> Talk | Skipped:
    about = load_document(source.path)
    if type(about) is not dict or not text_of(about, "id"):
        raise ValueError("not a session of OpenCode")
    storage = source.path.parents[2]
    messages = [
        MessageRow(key, info, list(_records_in(storage / "part" / key)))
        for key, info in _records_in(storage / "message" / source.session)
    ]
    messages.sort(key=lambda message: (time_ms(dict_of(message.info, "time").get("created")), message.id))
    created = dict_of(about, "time").get("created")
    title, directory, parent = text_of(about, "title"), text_of(about, "directory"), text_of(about, "parentID")
    return talk_of(SessionRow(source.session, title, directory, parent, created, dict_of(about, "revert")), messages)


def _records_in(folder: Path) -> Iterator[tuple[str, Record]]:
    """The records of a folder by the names of their files; one that is broken is empty, and told as unknown."""
    for path in entries(folder):
        if path.suffix == ".json":
            try:
                yield path.stem, _record(load_document(path))
            except ValueError:
                yield path.stem, {}


def _record(value: Any) -> Record:
    return value if type(value) is dict else {}
