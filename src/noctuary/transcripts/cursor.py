"""Cursor: the chats of its editor, those of its command line, and the transcripts that it writes beside them.

All are sessions of `cursor`, by the one name that Cursor gives them; `source` tells them apart.  A transcript is also
written of chats that are kept elsewhere, without times and without what tools gave back.  A chat that a database has
is therefore told from there, and its transcript tells nothing; if that was read first, it is taken back.
"""

from collections.abc import Iterator, Mapping
from pathlib import Path

from noctuary.records import Relation
from noctuary.transcripts.anthropic_blocks import drafts_of, unknown_blocks
from noctuary.transcripts.blocks import flatten
from noctuary.transcripts.cursor_ide import DATABASE, Chats, has_chat
from noctuary.transcripts.cursor_store import STORE, has_messages, is_store, store_at, talk_in
from noctuary.transcripts.cursor_turns import said_ms, spoken
from noctuary.transcripts.documents import Entry, Talk, load_document, load_records, read_document, read_store
from noctuary.transcripts.drafts import Draft, by_agent
from noctuary.transcripts.fields import text_of
from noctuary.transcripts.finding import entries, is_file, real_path, those_at
from noctuary.transcripts.foreign_sqlite import beside, is_sqlite, open_foreign
from noctuary.transcripts.items import Facts, Item, NewField, Place, Skipped, Source
from noctuary.transcripts.locations import chosen, each_once, editor_folders, windows_homes
from noctuary.transcripts.unfamiliar import new_fields

_VARIABLES = ("CURSOR_DATA_DIR", "CURSOR_CONFIG_DIR")
_SILENT = {"turn_ended"}
_LINE = frozenset(["role", "message", "type", "timestamp"])


class Cursor:
    """The adapter."""

    name = "cursor"
    globally_unique = False

    def __init__(self, windows: Path = Path("/mnt/c/Users")) -> None:
        self._windows = windows  # where a Linux inside of Windows sees its home folders

    def find(self, home: Path, environ: Mapping[str, str]) -> Iterator[Source]:
        """Every database of the editor and of the command line, and every transcript of the agent, once."""
        seen: set[Path] = set()
        found = (*self._databases(home, environ), *self._stores(home, environ), *self._transcripts(home, environ))
        for source in found:
            if (real := real_path(source.path)) not in seen:
                seen.add(real)
                yield source

    def find_at(self, path: Path, home: Path, environ: Mapping[str, str]) -> Iterator[Source]:
        """The database or transcript at this path, if it lies where `find` looks."""
        return those_at(path, self.find(home, environ))

    def read(self, source: Source, place: Place) -> Iterator[Item]:
        """Yield what is new in the database or the transcript."""
        if source.session:
            is_database = source.path.name == STORE
            is_kept = _is_kept_by_editor(source) or (not is_database and _is_kept_by_command_line(source))
            if is_kept and not place.state.get("said"):
                return
            read = _nothing if is_kept else _talk_in_store if is_database else _talk
            yield from read_document(place, lambda: [read(source)])
            return
        with open_foreign(source.path) as database:
            if not is_store(database):
                chats = Chats(database, source.path)
                yield from read_store(place, chats.listed(), chats.talk)
                return
        yield from read_document(place, lambda: [_talk_in_store(source)])

    def _databases(self, home: Path, environ: Mapping[str, str]) -> Iterator[Source]:
        for folder in self._folders(home, environ):
            paths = [folder / "globalStorage", *entries(folder / "workspaceStorage")]
            for path in (each / DATABASE for each in paths):
                if is_sqlite(path):
                    yield Source(adapter=self.name, path=path, session="", is_log=False, beside=beside(path))

    def _folders(self, home: Path, environ: Mapping[str, str]) -> list[Path]:
        """The folders `User` of the editor, also those of the Windows around us."""
        found = editor_folders(home, environ, ["Cursor"])
        if environ.get("WSL_DISTRO_NAME"):
            found += [user / "AppData/Roaming/Cursor/User" for user in windows_homes(self._windows)]
        return each_once(path for path in found if path.parent.name == "Cursor" or ".cursor-server" in path.parts)

    def _stores(self, home: Path, environ: Mapping[str, str]) -> Iterator[Source]:
        paths = (
            path / STORE
            for root in _roots(home, environ)
            for folder in entries(root / "chats")
            for path in entries(folder)
        )
        yield from (store_at(self.name, path) for path in paths if is_sqlite(path))

    def _transcripts(self, home: Path, environ: Mapping[str, str]) -> Iterator[Source]:
        for root in _roots(home, environ):
            for project in entries(root / "projects"):
                for path in entries(project / "agent-transcripts"):
                    yield from self._transcript(path)

    def _transcript(self, path: Path) -> Iterator[Source]:
        """The transcript of a session and those of its sub-agents; the first versions had no folder for each."""
        if path.suffix == ".jsonl" and is_file(path):
            yield Source(adapter=self.name, path=path, session=path.stem, is_log=False)
            return
        session = path.name
        if is_file(own := path / f"{session}.jsonl"):
            yield Source(adapter=self.name, path=own, session=session, is_log=False)
        for each in entries(path / "subagents"):
            if each.suffix == ".jsonl" and is_file(each):
                by = Relation.SUBAGENT
                yield Source(adapter=self.name, path=each, session=each.stem, is_log=False, parent=session, relation=by)


def _roots(home: Path, environ: Mapping[str, str]) -> list[Path]:
    """Where the command line keeps its files."""
    return each_once([*(chosen(home, environ, variable, ".cursor") for variable in _VARIABLES), home / ".cursor"])


def _project(source: Source) -> Path:
    """The folder of the project that a transcript belongs to."""
    parents = source.path.parents
    return next((parents[at + 1] for at, each in enumerate(parents) if each.name == "agent-transcripts"), parents[0])


def _root_of(source: Source) -> Path | None:
    """The folder of Cursor that a transcript or a chat lies in; none for a copy that lies nowhere."""
    is_in_chats = source.path.name == STORE
    above = [*(source.path if is_in_chats else _project(source)).parents]
    place = 3 if is_in_chats else 1
    return above[place] if len(above) > place else None


def _is_kept_by_editor(source: Source) -> bool:
    """Whether the editor of the same home folder has this chat in its database; OSError if that cannot be read."""
    root = _root_of(source)
    editors = editor_folders(root.parent, {}, ["Cursor"]) if root else []
    databases = (folder / "globalStorage" / DATABASE for folder in editors)
    return any(has_chat(path, source.session) for path in databases if is_sqlite(path))


def _is_kept_by_command_line(source: Source) -> bool:
    """Whether the command line has this chat in a database beside; OSError if that cannot be read."""
    root = _root_of(source)
    folders = entries(root / "chats") if root else []
    return any(has_messages(path) for folder in folders if is_sqlite(path := folder / source.session / STORE))


def _nothing(source: Source) -> Talk:
    return Talk(Facts(session=source.session), ())


def _talk_in_store(source: Source) -> Talk | Skipped:
    return talk_in(source.path, source.session)


def _talk(source: Source) -> Talk:
    """What a transcript says; if its prompts tell no times, it was said when the file was written."""
    written_ms = source.path.stat().st_mtime_ns // 1_000_000
    told: list[Entry] = []
    oddities: list[Skipped | NewField] = []
    for number, record in load_records(source.path):
        if isinstance(record, Skipped):
            oddities.append(record)
            continue
        role, message = text_of(record, "role"), record.get("message")
        if role not in ("user", "assistant") or type(message) is not dict:
            kind = text_of(record, "type") or role
            if kind not in _SILENT:
                oddities.append(Skipped(line=number, reason="unknown type of record", unknown=kind or "?"))
            continue
        oddities += new_fields("line", record, _LINE, number)
        unknown = unknown_blocks(message.get("content"))
        oddities += [Skipped(line=number, reason="unknown type of block", unknown=kind) for kind in unknown]
        drafts = _drafts(role, message.get("content"))
        if drafts:
            at_ms = said_ms(flatten(message.get("content"))) if role == "user" else 0
            told.append(Entry(f"{number}", by_agent(drafts) if source.parent else drafts, at_ms, number))
    facts = Facts(session=source.session, cwd=_folder(_project(source)), source="agent")
    return Talk(facts, told, oddities, started_ms=written_ms)


def _drafts(role: str, content: object) -> list[Draft]:
    drafts: list[Draft] = []
    for block in content if type(content) is list else [content]:
        text = block if type(block) is str else text_of(block, "text") if type(block) is dict else ""
        drafts += spoken(role, text) if text else drafts_of(role, [block])
    return drafts


def _folder(project: Path) -> str | None:
    """Where a project lies: its folder here is named after that, but dashes stand for too much."""
    try:
        trusted = load_document(project / ".workspace-trusted")
    except (OSError, ValueError):
        return None
    return (text_of(trusted, "workspacePath") or None) if type(trusted) is dict else None
