"""Cline and Roo: one extension and one that came of it; for Kilo, which is another, see `kilo`.

Since its version 4 Cline keeps a session as `sessions/<id>/<id>.messages.json` in its own data folder, with a manifest
beside it, and those of sub-agents in the same folder.  Before, and with Roo and Kilo, a task is a folder in the storage
of an editor: see `cline_tasks`.
"""

from collections.abc import Iterator, Mapping
from pathlib import Path
from typing import Any

from noctuary.records import Relation
from noctuary.transcripts.cline_tasks import HISTORY, ITEM, SHOWN, manifest, model_of, task_talks
from noctuary.transcripts.cline_turns import Turns, tool_activities
from noctuary.transcripts.documents import Entry, Talk, load_document, read_document
from noctuary.transcripts.drafts import by_agent, new
from noctuary.transcripts.fields import dict_of, list_of, text_of, time_ms
from noctuary.transcripts.finding import entries, is_file, those_at
from noctuary.transcripts.items import Facts, Item, NewField, Place, Skipped, Source
from noctuary.transcripts.locations import chosen, each_once, editor_folders
from noctuary.transcripts.unfamiliar import new_fields

MESSAGES = ".messages.json"
_MOST_FORKS = 50
_FILE = frozenset(["version", "sessionId", "agent", "updated_at", "system_prompt", "messages", "taskType"])
_MESSAGE = frozenset(
    ["id", "role", "ts", "content", "modelInfo", "metrics", "metadata", "agent", "sessionId", "providerId", "modelId"]
)


class Tasks:
    """What the adapters of Cline, Roo and Kilo have in common."""

    name: str
    globally_unique = False
    extensions: tuple[str, ...]

    def find(self, home: Path, environ: Mapping[str, str]) -> Iterator[Source]:
        """Every task in the storage of every editor, and elsewhere."""
        for folder in each_once(self._folders(home, environ)):
            for task in entries(folder / "tasks"):
                if is_file(path := task / HISTORY):
                    beside = (task / SHOWN, task / ITEM)
                    yield Source(adapter=self.name, path=path, session=task.name, is_log=False, beside=beside)

    def find_at(self, path: Path, home: Path, environ: Mapping[str, str]) -> Iterator[Source]:
        """The transcript at this path, if it lies where `find` looks."""
        return those_at(path, self.find(home, environ))

    def read(self, source: Source, place: Place) -> Iterator[Item]:
        """Yield what is new in the transcript."""
        return read_document(place, lambda: task_talks(source))

    def _folders(self, home: Path, environ: Mapping[str, str]) -> Iterator[Path]:
        for user in editor_folders(home, environ):
            for extension in self.extensions:
                yield user / "globalStorage" / extension


class Cline(Tasks):
    """The adapter of Cline."""

    name = "cline"
    extensions = ("saoudrizwan.claude-dev", "saoudrizwan.cline-nightly")

    def find(self, home: Path, environ: Mapping[str, str]) -> Iterator[Source]:
        """Every session, and every task of earlier versions."""
        sessions = (
            chosen(home, environ, "CLINE_SESSION_DATA_DIR", "") if environ.get("CLINE_SESSION_DATA_DIR") else None
        )
        for folder in entries(sessions or _data(home, environ) / "sessions"):
            own = _own_of(folder)
            for path in sorted(entries(folder), key=lambda path: path != own):  # parents before their sub-agents
                if path.name.endswith(MESSAGES) and is_file(path):
                    yield _in_folder(path)
        yield from super().find(home, environ)

    def read(self, source: Source, place: Place) -> Iterator[Item]:
        """Yield what is new in the transcript."""
        if source.path.name.endswith(MESSAGES):
            return read_document(place, lambda: _session_talks(source))
        return super().read(source, place)

    def _folders(self, home: Path, environ: Mapping[str, str]) -> Iterator[Path]:
        yield _data(home, environ)
        yield from super()._folders(home, environ)


class Roo(Tasks):
    """The adapter of Roo."""

    name = "roo"
    extensions = ("rooveterinaryinc.roo-cline", "rooveterinaryinc.roo-code-nightly")


def _data(home: Path, environ: Mapping[str, str]) -> Path:
    if environ.get("CLINE_DATA_DIR", "").strip():
        return chosen(home, environ, "CLINE_DATA_DIR", "")
    return chosen(home, environ, "CLINE_DIR", ".cline") / "data"


def session_at(path: Path) -> Source:
    """The session in a file that lies anywhere: in its folder, or alone, and then it says of which session it is.

    OSError or ValueError if it cannot be read.
    """
    if is_file(_own_of(path.parent)):
        return _in_folder(path)
    file = load_document(path)
    session = text_of(file, "sessionId") or path.name.removesuffix(MESSAGES)
    found = Source(adapter=Cline.name, path=path, session=session, is_log=False)
    return _sub_agent(found) if text_of(file, "agent") == "subagent" else found


def _in_folder(path: Path) -> Source:
    folder = path.parent
    about = folder / f"{folder.name}.json"
    found = Source(adapter=Cline.name, path=path, session=folder.name, is_log=False, beside=(about,))
    return found if path == _own_of(folder) else _sub_agent(found)


def _own_of(folder: Path) -> Path:
    """The file of the session itself in its folder; others are of its sub-agents."""
    return folder / f"{folder.name}{MESSAGES}"


def _sub_agent(source: Source) -> Source:
    parent, name = source.session, source.path.name.removesuffix(MESSAGES)
    return source._replace(session=f"{parent}__{name}", parent=parent, relation=Relation.SUBAGENT, beside=())


def _session_talks(source: Source) -> Iterator[Talk | Skipped]:
    file = load_document(source.path)
    if type(file) is not dict or type(file.get("messages")) is not list:
        raise ValueError("not a conversation")
    about = manifest(source.path.with_name(f"{source.path.parent.name}.json"))
    turns = Turns()
    oddities: list[Skipped | NewField] = [*new_fields("file", file, _FILE)]
    is_agent = source.relation is Relation.SUBAGENT
    messages = list_of(file, "messages")
    forked = "" if is_agent else _forked_from(about)
    facts = Facts(
        session=source.session,
        cwd=text_of(about, "cwd") or text_of(about, "workspace_root") or None,
        model=_model(messages) or (None if is_agent else text_of(about, "model") or None),
        title=None if is_agent else _title(about),
        source=text_of(about, "source") or None,
        parent=forked or None,
        relation=Relation.FORK if forked else None,
    )
    told = _entries(messages, turns, oddities, is_agent=is_agent, scope=_origin(source))
    started = time_ms(about.get("started_at")) or time_ms(file.get("updated_at"))
    yield Talk(facts, told, oddities, started_ms=started, is_named_apart=True)


def _entries(
    messages: list[Any], turns: Turns, oddities: list[Skipped | NewField], *, is_agent: bool, scope: str
) -> list[Entry]:
    """The messages by their numbers: their ids are given anew whenever a session is opened."""
    told: list[Entry] = []
    for number, message in enumerate(messages, 1):
        role = text_of(message, "role") if type(message) is dict else ""
        if role not in ("user", "assistant"):
            oddities.append(Skipped(line=number, reason="unknown type of message", unknown=f"message/{role[:60]}"))
            continue
        if not _MESSAGE.issuperset(message):
            oddities += new_fields("message", message, _MESSAGE, number)
        content = message.get("content")
        drafts = turns.user(content) if role == "user" else turns.assistant(content)
        if "metadata" in message and role == "assistant":
            drafts = tool_activities(message) + drafts
        if turns.unknown:
            oddities += [Skipped(line=number, reason="unknown type of content", unknown=name) for name in turns.unknown]
            turns.unknown.clear()
        if is_agent:
            drafts = by_agent(drafts)
        said_ms = time_ms(message["ts"]) if "ts" in message else 0
        told.append(new(Entry, (f"{scope}.{number}", drafts, said_ms, number)))
    return told


def _forked_from(about: dict[str, Any]) -> str:
    return text_of(dict_of(dict_of(about, "metadata"), "fork"), "forkedFromSessionId")


def _origin(source: Source) -> str:
    """The session whose beginning this one repeats, over all forks: by that its entries are named, too."""
    session, sessions = source.session, source.path.parent.parent
    for _ in range(_MOST_FORKS):
        if source.relation or "/" in session or not (parent := _parent_of(sessions, session)):
            break
        session = parent
    return session


def _parent_of(sessions: Path, session: str) -> str:
    try:
        return _forked_from(manifest(sessions / session / f"{session}.json"))
    except ValueError:  # no name of a file
        return ""


def _title(about: dict[str, Any]) -> str | None:
    """The title that somebody gave; Cline makes one of the prompt otherwise, as we do."""
    title = text_of(dict_of(about, "metadata"), "title").strip()
    return title if title and title not in text_of(about, "prompt") else None


def _model(messages: list[Any]) -> str | None:
    """The model that spoke last."""
    return next((model for each in reversed(messages) if type(each) is dict and (model := model_of(each))), None)
