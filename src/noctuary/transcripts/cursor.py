"""Cursor: the chats of its editor, and the transcripts that its agent writes beside them.

Both are sessions of `cursor`, by the one name that Cursor gives them; `source` tells them apart.  The editor also
writes a transcript of its own chats, without times and without what tools gave back.  A chat that the editor's database
has is therefore told from there, and its transcript tells nothing; if that was read first, it is taken back.
"""

from collections.abc import Iterator, Mapping
from pathlib import Path

from noctuary.records import Relation
from noctuary.transcripts.anthropic_blocks import drafts_of
from noctuary.transcripts.cursor_ide import DATABASE, Chats, has_chat
from noctuary.transcripts.documents import Entry, Talk, load_document, load_records, read_document, read_store
from noctuary.transcripts.drafts import by_agent
from noctuary.transcripts.fields import text_of
from noctuary.transcripts.finding import entries, is_file, real_path, those_at
from noctuary.transcripts.foreign_sqlite import beside, is_sqlite, open_foreign
from noctuary.transcripts.items import Facts, Item, NewField, Place, Skipped, Source
from noctuary.transcripts.locations import chosen, each_once, editor_folders, windows_homes
from noctuary.transcripts.unfamiliar import new_fields

_SILENT = {"turn_ended"}
_LINE = frozenset(["role", "message", "type", "timestamp"])
_BLOCKS = {"text", "tool_use", "tool_result", "thinking", "image"}


class Cursor:
    """The adapter."""

    name = "cursor"
    globally_unique = False

    def __init__(self, windows: Path = Path("/mnt/c/Users")) -> None:
        self._windows = windows  # where a Linux inside of Windows sees its home folders

    def find(self, home: Path, environ: Mapping[str, str]) -> Iterator[Source]:
        """Every database of the editor and every transcript of the agent, once."""
        seen: set[Path] = set()
        for source in (*self._databases(home, environ), *self._transcripts(home, environ)):
            if (real := real_path(source.path)) not in seen:
                seen.add(real)
                yield source

    def find_at(self, path: Path, home: Path, environ: Mapping[str, str]) -> Iterator[Source]:
        """The database or transcript at this path, if it lies where `find` looks."""
        return those_at(path, self.find(home, environ))

    def read(self, source: Source, place: Place) -> Iterator[Item]:
        """Yield what is new in the database or the transcript."""
        if source.session:
            is_kept = _is_kept_by_editor(source)
            if is_kept and not place.state.get("said"):
                return
            yield from read_document(
                place, lambda: [Talk(Facts(session=source.session), ()) if is_kept else _talk(source)]
            )
            return
        with open_foreign(source.path) as database:
            chats = Chats(database, source.path)
            yield from read_store(place, chats.listed(), chats.talk)

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

    def _transcripts(self, home: Path, environ: Mapping[str, str]) -> Iterator[Source]:
        for root in each_once([chosen(home, environ, "CURSOR_CONFIG_DIR", ".cursor"), home / ".cursor"]):
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


def _project(source: Source) -> Path:
    """The folder of the project that a transcript belongs to."""
    parents = source.path.parents
    return next((parents[at + 1] for at, each in enumerate(parents) if each.name == "agent-transcripts"), parents[0])


def _is_kept_by_editor(source: Source) -> bool:
    """Whether the editor of the same home folder has this chat in its database; OSError if that cannot be read."""
    homes = [*_project(source).parents][2:3]  # none for a copy that lies at the root
    editors = (folder for home in homes for folder in editor_folders(home, {}, ["Cursor"]))
    databases = (folder / "globalStorage" / DATABASE for folder in editors)
    return any(has_chat(path, source.session) for path in databases if is_sqlite(path))


def _talk(source: Source) -> Talk:
    """What a transcript says; it has no times, so it was said when the file was written."""
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
        oddities += _unknown_blocks(message.get("content"), number)
        drafts = drafts_of(role, message.get("content"))
        if drafts:
            told.append(Entry(f"{number}", by_agent(drafts) if source.parent else drafts, 0, number))
    facts = Facts(session=source.session, cwd=_folder(_project(source)), source="agent")
    return Talk(facts, told, oddities, started_ms=written_ms)


def _unknown_blocks(content: object, number: int) -> Iterator[Skipped]:
    for block in content if type(content) is list else []:
        kind = text_of(block, "type") if type(block) is dict else ""
        if kind and kind not in _BLOCKS:
            yield Skipped(line=number, reason="unknown type of block", unknown=f"block/{kind}")


def _folder(project: Path) -> str | None:
    """Where a project lies: its folder here is named after that, but dashes stand for too much."""
    try:
        trusted = load_document(project / ".workspace-trusted")
    except (OSError, ValueError):
        return None
    return (text_of(trusted, "workspacePath") or None) if type(trusted) is dict else None
