"""Grok Build: a folder a session, `sessions/<folder, percent-encoded>/<session>` below its home.

`updates.jsonl` tells everything with its time; where it is not, `chat_history.jsonl` tells what the model was sent.
"""

from collections.abc import Iterator, Mapping
from pathlib import Path
from typing import Any
from urllib.parse import unquote

from noctuary.records import Relation, TitleSource
from noctuary.transcripts.documents import Talk, load_document, read_document
from noctuary.transcripts.fields import dict_of, list_of, text_of, time_ms
from noctuary.transcripts.finding import entries, is_file, is_folder, open_file, real_path, those_at
from noctuary.transcripts.grok_history import History
from noctuary.transcripts.grok_updates import Flow
from noctuary.transcripts.items import Facts, Item, Place, Skipped, Source
from noctuary.transcripts.jsonl import Record
from noctuary.transcripts.locations import chosen
from noctuary.transcripts.whole_logs import Oddities, records, unknown

_UPDATES, _HISTORY, _SUMMARY = "updates.jsonl", "chat_history.jsonl", "summary.json"
_LONGEST_PATH = 4096


class Grok:
    """The adapter."""

    name = "grok"
    globally_unique = False

    def find(self, home: Path, environ: Mapping[str, str]) -> Iterator[Source]:
        """Every session, once."""
        seen: set[Path] = set()
        for folder in entries(chosen(home, environ, "GROK_HOME", ".grok") / "sessions"):
            for session in entries(folder):
                path = session / _UPDATES
                path = path if is_file(path) else session / _HISTORY
                real = real_path(path)
                if real not in seen and is_file(real):
                    seen.add(real)
                    yield _session(path)

    def find_at(self, path: Path, home: Path, environ: Mapping[str, str]) -> Iterator[Source]:
        """The session at this path, if it lies where `find` looks."""
        return those_at(path, self.find(home, environ)) if path.name in (_UPDATES, _HISTORY) else iter(())

    def read(self, source: Source, place: Place) -> Iterator[Item]:
        """Yield what is new in the session."""
        return read_document(place, lambda: _talks(source))


def session_around(path: Path) -> Source | None:
    """The session whose history lies anywhere, if its summary lies beside it, and no updates that tell more."""
    is_one = path.name == _HISTORY and is_file(path.with_name(_SUMMARY)) and not is_file(path.with_name(_UPDATES))
    return _session(path) if is_one else None


def _session(path: Path) -> Source:
    beside = (path.with_name(_SUMMARY),)
    return Source(adapter=Grok.name, path=path, session=path.parent.name, is_log=False, beside=beside)


def _talks(source: Source) -> Iterator[Talk | Skipped]:
    summary = _summary(source.path.parent)
    facts, started = _facts(source, summary), time_ms(summary.get("created_at"))
    if source.path.name == _HISTORY:
        oddities: Oddities = []
        history = History(oddities)
        for number, item in records(source.path, oddities):
            history.take(number, item)
        yield Talk(
            facts._replace(model=facts.model or history.model or None), history.entries, oddities, started_ms=started
        )
        return
    log = _Log(source, is_delegated=facts.relation is Relation.SUBAGENT)
    for number, record in records(source.path, log.oddities):
        log.take(number, record)
    yield Talk(facts, log.flow.entries, log.oddities, started_ms=started)
    for session, flow in log.children.items():
        child = Facts(session=session, cwd=facts.cwd, parent=source.session, relation=Relation.SUBAGENT)
        yield Talk(child, flow.entries, started_ms=started)


class _Log:
    """The updates of a session, apart from those of its sub-agents that have no folder of their own."""

    def __init__(self, source: Source, *, is_delegated: bool) -> None:
        self.oddities: Oddities = []
        self.flow = Flow(is_delegated=is_delegated, oddities=self.oddities)
        self.children: dict[str, Flow] = {}
        self._own, self._folder = source.session, source.path.parent.parent
        self._elsewhere: dict[str, bool] = {}

    def take(self, number: int, record: Record) -> None:
        params = record.get("params")
        params = params if type(params) is dict else record
        update = params.get("update")
        update = update if type(update) is dict else params
        if "sessionUpdate" not in update:
            self.oddities.append(unknown(number, text_of(record, "method")))
            return
        if update.get("sessionUpdate") == "subagent_spawned":
            return
        child = self._child(params)
        if not child:
            self.flow.take(number, update, record, params)
        elif not self._is_elsewhere(child):
            flow = self.children.get(child)
            if flow is None:
                flow = self.children[child] = Flow(is_delegated=True, oddities=self.oddities)
            flow.take(number, update, record, params)

    def _child(self, params: Record) -> str:
        """The sub-agent that an update is of; empty if it is the session's own."""
        session, meta = params.get("sessionId"), params.get("_meta")
        if type(meta) is dict and type(agent := meta.get("subagentId")) is str and agent:
            return session if type(session) is str and session != self._own else f"{self._own}:{agent}"
        return session if type(session) is str and session not in (self._own, "") else ""

    def _is_elsewhere(self, session: str) -> bool:
        if session not in self._elsewhere:
            is_name = "/" not in session and "\0" not in session and len(session) < 200
            self._elsewhere[session] = is_name and is_folder(self._folder / session)
        return self._elsewhere[session]


def _summary(folder: Path) -> dict[str, Any]:
    try:
        summary = load_document(folder / _SUMMARY)
    except (OSError, ValueError):  # costs what it would tell of the session, not the session
        return {}
    return summary if type(summary) is dict else {}


def _facts(source: Source, summary: dict[str, Any]) -> Facts:
    info = dict_of(summary, "info")
    parent = text_of(summary, "parent_session_id") or text_of(info, "parent_session_id")
    is_agent = "subagent" in text_of(summary, "session_kind").lower()
    title = text_of(summary, "generated_title")
    remotes = [text_of(each, "url") if type(each) is dict else each for each in list_of(summary, "git_remotes")]
    return Facts(
        session=source.session,
        cwd=text_of(info, "cwd") or _folder_of(source.path.parent.parent),
        branch=text_of(summary, "head_branch") or None,
        repository=next((each for each in remotes if type(each) is str and each), None),
        model=text_of(summary, "current_model_id") or None,
        title=title or None,
        title_source=TitleSource.SUMMARY if title else None,
        parent=parent or None,
        relation=(Relation.SUBAGENT if is_agent else Relation.FORK) if parent else None,
    )


def _folder_of(folder: Path) -> str | None:
    """The folder of the work by the name of ours; a name that would be too long is written in a file."""
    try:
        with open_file(folder / ".cwd") as file:
            written = file.read(_LONGEST_PATH).decode("utf-8", "replace").strip()
    except OSError:
        written = ""
    name = written or unquote(folder.name)
    return name if "/" in name or "\\" in name else None
