"""Gemini CLI: `tmp/<project>/chats/session-*.jsonl` in its folder, before 0.39 `session-*.json`.

A project's folder is called by a short name or by a hash of its path.  What the path is stands in `.project_root` in
that folder, in `projects.json`, or is found by its hash among the folders that Gemini CLI knows.
"""

import hashlib
from collections.abc import Iterable, Iterator, Mapping
from pathlib import Path
from typing import Any

from noctuary.records import Relation
from noctuary.transcripts.documents import Talk, load_document, load_lines, read_document
from noctuary.transcripts.fields import dict_of, text_of
from noctuary.transcripts.finding import at_home, entries, is_file, is_folder, open_file, those_at
from noctuary.transcripts.gemini_chat import Kept, session_at, talk_of
from noctuary.transcripts.gemini_log import Chat, legacy_messages
from noctuary.transcripts.items import Item, NewField, Place, Skipped, Source
from noctuary.transcripts.unfamiliar import new_fields

_CHAT = frozenset(
    [
        "sessionId",
        "projectHash",
        "startTime",
        "lastUpdated",
        "messages",
        "summary",
        "directories",
        "kind",
        "activeExtensionName",
        "memoryScratchpad",
    ]
)
_SMALL = 1024 * 1024
_LONGEST_PATH = 4096


class Gemini:
    """The adapter."""

    name = "gemini"
    globally_unique = False

    def find(self, home: Path, environ: Mapping[str, str]) -> Iterator[Source]:
        """Every chat of every project, and those of its sub-agents."""
        for root in _roots(home, environ):
            for project in entries(root / "tmp"):
                yield from chats_in(self.name, project / "chats")

    def find_at(self, path: Path, home: Path, environ: Mapping[str, str]) -> Iterator[Source]:
        """The chat at this path, if it lies where `find` looks."""
        return those_at(path, self.find(home, environ))

    def read(self, source: Source, place: Place) -> Iterator[Item]:
        """Yield what is new in the chat."""
        return read_document(place, lambda: read_chat(source, _root_of(source)))


def _roots(home: Path, environ: Mapping[str, str]) -> list[Path]:
    configured = environ.get("GEMINI_CLI_HOME", "").strip()
    if configured:
        return [at_home(home, configured) / ".gemini"]
    return [home / ".gemini", home / ".cache" / ".gemini"]  # the second in the sandbox of macOS


def chats_in(adapter: str, folder: Path) -> Iterator[Source]:
    """The chats in a folder, then those of sub-agents in folders called after the session that started them."""
    inside = entries(folder)
    for path in _newest_form(inside):
        if path.name.startswith("session-"):
            yield Source(adapter=adapter, path=path, session=session_at(path), is_log=False)
    for parent in inside:
        for path in _newest_form(entries(parent)) if is_folder(parent) else ():
            session = session_at(path)
            yield Source(
                adapter=adapter,
                path=path,
                session=session,
                parent=parent.name,
                relation=Relation.SUBAGENT,
                is_log=False,
            )


def _newest_form(paths: Iterable[Path]) -> list[Path]:
    """The files of chats; a resumed chat was copied from its document into a log, which then goes on."""
    found = [path for path in paths if path.suffix in (".json", ".jsonl") and is_file(path)]
    logs = {path.stem for path in found if path.suffix == ".jsonl"}
    return [path for path in found if path.suffix == ".jsonl" or path.stem not in logs]


def read_chat(source: Source, cwd: str | None) -> Iterator[Talk]:
    """The session in a file; ValueError if that is no chat."""
    oddities: list[Skipped | NewField] = []
    if source.path.suffix == ".jsonl":
        about, kept, rewound = _from_log(source, oddities)
    else:
        (about, kept), rewound = _from_document(source, oddities), []
    oddities += new_fields("chat", about, _CHAT)
    yield talk_of(source, about, kept, oddities, cwd, rewound)


def _from_log(source: Source, oddities: list[Skipped | NewField]) -> tuple[dict[str, Any], list[Kept], list[Kept]]:
    chat = Chat()
    for line in load_lines(source.path):
        if line.record is not None:
            chat.take(line.record, line.number)
        elif line.problem is not None:
            oddities.append(Skipped(line=line.number, reason=line.problem))
    oddities += chat.problems
    return chat.about, chat.kept(), chat.rewound()


def _from_document(source: Source, oddities: list[Skipped | NewField]) -> tuple[dict[str, Any], list[Kept]]:
    document = load_document(source.path)
    if type(document) is not dict or not ("sessionId" in document or "messages" in document):
        raise ValueError("not a chat")
    kept = []
    for number, message in enumerate(legacy_messages(document), 1):
        if type(message) is dict:
            kept.append(Kept(number, message))
        else:
            oddities.append(Skipped(line=number, reason="not a JSON object"))
    return document, kept


def _root_of(source: Source) -> str | None:
    """The folder that a project is."""
    chats = source.path.parent.parent if source.parent else source.path.parent
    project = chats.parent
    root = project.parent.parent
    try:
        with open_file(project / ".project_root") as file:
            said = file.read(_LONGEST_PATH).decode("utf-8", "replace").strip()
    except OSError:
        said = ""
    return said or _by_name(project.name, root)


def _by_name(name: str, root: Path) -> str | None:
    projects = dict_of(_load_small(root / "projects.json"), "projects")
    for path in projects:
        if text_of(projects, path) == name:
            return path
    for path in (*projects, *_load_small(root / "trustedFolders.json")):
        if hashlib.sha256(path.encode("utf-8", "replace")).hexdigest() == name:
            return path
    return None


def _load_small(path: Path) -> dict[str, Any]:
    """A JSON object that may be missing or broken: it costs the path of a project, not its chats."""
    try:
        value = load_document(path, _SMALL)
    except (OSError, ValueError):
        return {}
    return value if type(value) is dict else {}
