"""GitHub Copilot in VS Code: the chats that the editor keeps, a file each, in the storage of a workspace or for all.

Since 1.109 a file is a log of changes, before that a document; before March 2025 all chats of a workspace were one
value in its database.  Other extensions chat in the same place: only chats in which Copilot answers are read.
"""

from collections.abc import Iterator, Mapping
from pathlib import Path
from typing import Any

from noctuary.transcripts.blocks import parse_json
from noctuary.transcripts.copilot_chat_records import is_chat, is_of_copilot, talks_in
from noctuary.transcripts.documents import Talk, load_document, load_lines, read_document
from noctuary.transcripts.fields import dict_of, list_of, text_of
from noctuary.transcripts.finding import entries, is_file, is_folder, those_at
from noctuary.transcripts.foreign_sqlite import beside, is_sqlite, open_foreign
from noctuary.transcripts.items import Item, Place, Skipped, Source
from noctuary.transcripts.locations import editor_folders
from noctuary.transcripts.uris import path_in
from noctuary.transcripts.vscode_log import Document

_EDITORS = ("Code", "Code - Insiders", "Code - OSS", "VSCodium")  # others of the family have agents of their own
_NOT_OURS = (".cursor-server", ".windsurf-server")
_ANYWHERE = ("emptyWindowChatSessions", "transferredChatSessions")
_KEY = "interactive.sessions"
_SMALL = 1024 * 1024


class CopilotChat:
    """The adapter."""

    name = "copilot-chat"
    globally_unique = False

    def find(self, home: Path, environ: Mapping[str, str]) -> Iterator[Source]:
        """Every chat of every workspace, then those without one."""
        for user in editor_folders(home, environ, _EDITORS):
            if user.parents[1].name in _NOT_OURS:
                continue
            for workspace in entries(user / "workspaceStorage"):
                yield from self._chats(workspace / "chatSessions")
                yield from self._database(workspace, "chatSessions")
            for name in _ANYWHERE:
                yield from self._chats(user / "globalStorage" / name)
            yield from self._database(user / "globalStorage", _ANYWHERE[0])

    def _chats(self, folder: Path) -> Iterator[Source]:
        files = [path for path in entries(folder) if path.suffix in (".json", ".jsonl") and is_file(path)]
        logs = {path.stem for path in files if path.suffix == ".jsonl"}
        for path in files:
            if path.suffix == ".jsonl" or path.stem not in logs:  # the log goes on where the document ended
                yield Source(adapter=self.name, path=path, session=path.stem, is_log=False)

    def _database(self, folder: Path, moved_to: str) -> Iterator[Source]:
        """The database of a folder, unless its chats were moved into files, as VS Code does once."""
        path = folder / "state.vscdb"
        if is_sqlite(path) and not is_folder(folder / moved_to):
            yield Source(adapter=self.name, path=path, session="", is_log=False, beside=beside(path))

    def find_at(self, path: Path, home: Path, environ: Mapping[str, str]) -> Iterator[Source]:
        """The chat at this path, if it lies where `find` looks."""
        return those_at(path, self.find(home, environ))

    def read(self, source: Source, place: Place) -> Iterator[Item]:
        """Yield what is new in the chat, or in the chats of a database."""
        talks = _from_file if source.session else _from_database
        return read_document(place, lambda: talks(source))


def _from_file(source: Source) -> Iterator[Talk | Skipped]:
    problems: list[Skipped] = []
    chat = load_document(source.path) if source.path.suffix == ".json" else _from_log(source.path, problems)
    yield from problems
    if not is_chat(chat):
        raise ValueError("not a chat")
    if not is_of_copilot(chat):
        yield Skipped(line=1, reason="a chat with another extension")
        return
    if chat["requests"]:  # every window has an empty chat
        yield from talks_in(chat, source.session, _folder_of(source.path.parent.parent, chat))


def _from_log(path: Path, problems: list[Skipped]) -> Any:
    document = Document("requests")
    for line in load_lines(path):
        if line.record is not None:
            if not document.take(line.record):
                kind = line.record.get("kind")
                known = type(kind) is int and 0 <= kind <= 3
                unknown = None if known else f"kind {str(kind)[:20]}"
                problems.append(Skipped(line=line.number, reason="a change that does not fit", unknown=unknown))
        elif line.problem is not None:
            problems.append(Skipped(line=line.number, reason=line.problem))
    return _with_cut(document.value, document.cut)


def _with_cut(chat: Any, cut: list[Any]) -> Any:
    """A chat with the requests that a change cut out of it, which are hidden: they were taken back."""
    if not cut or not is_chat(chat):
        return chat
    there = {text_of(each, "requestId") for each in chat["requests"] if type(each) is dict}
    gone = {text_of(each, "requestId"): each for each in cut if type(each) is dict}
    left = [{**each, "isHidden": True} for name, each in gone.items() if name and name not in there]
    return {**chat, "requests": [*chat["requests"], *left]}


def _from_database(source: Source) -> Iterator[Talk | Skipped]:
    with open_foreign(source.path) as database:
        if "key" not in database.columns("ItemTable"):
            return
        rows = database.rows("select cast(value as text) from ItemTable where key = ? and value is not null", _KEY)
    stored = parse_json(rows[0][0]) if rows else None
    chats = list(stored.values()) if type(stored) is dict else stored if type(stored) is list else []
    for number, chat in enumerate(chats, 1):
        session = text_of(chat, "sessionId") if is_chat(chat) else ""
        if session and is_of_copilot(chat):
            yield from talks_in(chat, session, _folder_of(source.path.parent, chat))
        elif not session:
            yield Skipped(line=number, reason="not a chat")


def _folder_of(workspace: Path, chat: dict[str, Any]) -> str | None:
    """The folder that a chat was about, as the file beside its storage says."""
    if found := path_in(text_of(chat, "workingDirectory")):
        return found
    try:
        about = load_document(workspace / "workspace.json", _SMALL)
    except (OSError, ValueError):
        return None
    if type(about) is not dict:
        return None
    if found := path_in(text_of(about, "folder")):
        return found
    first = next((each for each in list_of(about, "folders") if type(each) is dict), {})
    if found := path_in(text_of(first, "uri")) or text_of(first, "path"):
        return found
    named = (
        text_of(about, "workspace")
        or text_of(about, "configuration")
        or text_of(dict_of(about, "workspace"), "configPath")
    )
    file = path_in(named)
    return file.rpartition("/")[0] or None if file else None
