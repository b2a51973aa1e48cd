"""Kimi: a log `wire.jsonl` for each agent of a session, and beside it a file of what the session is.

Kimi Code keeps `sessions/<folder>/<session>/agents/<agent>/wire.jsonl`; the Kimi CLI that was before it kept one log
for each session, in another format, `sessions/<hash of the folder>/<session>/wire.jsonl`.
"""

from bisect import bisect_right
from collections.abc import Iterator, Mapping
from hashlib import md5
from itertools import islice
from pathlib import Path
from typing import Any

from noctuary.records import Relation, TitleSource
from noctuary.transcripts.documents import Entry, Original, Talk, load_document, load_records, read_document
from noctuary.transcripts.fields import dict_of, list_of, text_of, time_ms
from noctuary.transcripts.finding import entries, is_file, real_path, those_at
from noctuary.transcripts.items import Facts, Item, Place, Skipped, Source
from noctuary.transcripts.kimi_legacy import LegacyWire
from noctuary.transcripts.kimi_wire import Wire
from noctuary.transcripts.locations import chosen
from noctuary.transcripts.whole_logs import records

_MAIN = "main"
_WIRE = "wire.jsonl"
_AGENTS, _STATE = "agents", "state.json"
_FIRST, _BEGINS = 40, ("context.", "turn.")  # records in which a log says what it is, and how their types begin
MOST_FORKS, _LONGEST_NAME = 20, 200


class Kimi:
    """The adapter."""

    name = "kimi"
    globally_unique = False

    def find(self, home: Path, environ: Mapping[str, str]) -> Iterator[Source]:
        """Every log of every agent, of Kimi Code first."""
        seen: set[Path] = set()
        for source in self._kept(home, environ):
            real = real_path(source.path)
            if real not in seen and is_file(real):
                seen.add(real)
                yield source

    def find_at(self, path: Path, home: Path, environ: Mapping[str, str]) -> Iterator[Source]:
        """The log at this path, if it lies where `find` looks."""
        return those_at(path, self.find(home, environ)) if path.name == _WIRE else iter(())

    def read(self, source: Source, place: Place) -> Iterator[Item]:
        """Yield what is new in the log."""
        is_legacy = source.path.parent.parent.name != _AGENTS
        return read_document(place, lambda: _legacy(source) if is_legacy else _modern(source))

    def _kept(self, home: Path, environ: Mapping[str, str]) -> Iterator[Source]:
        for folder in _sessions(chosen(home, environ, "KIMI_CODE_HOME", ".kimi-code")):
            yield from (log_at(agent / _WIRE) for agent in entries(folder / _AGENTS))
        for folder in _sessions(chosen(home, environ, "KIMI_SHARE_DIR", ".kimi")):
            yield log_at(folder / _WIRE)


def log_at(path: Path) -> Source:
    """The log at a path, by the folders around it: that of an agent of a session, or of a session."""
    if path.parent.parent.name != _AGENTS:
        folder = path.parent
        return Source(adapter=Kimi.name, path=path, session=folder.name, is_log=False, beside=(folder / _STATE,))
    agent, folder = path.parent.name, path.parents[2]
    is_main = agent == _MAIN
    return Source(
        adapter=Kimi.name,
        path=path,
        session=folder.name if is_main else f"{folder.name}:{agent}",
        parent=None if is_main else folder.name,
        relation=None if is_main else Relation.SUBAGENT,
        is_log=False,
        beside=(folder / _STATE,),
    )


def log_around(path: Path) -> Source | None:
    """The log that lies anywhere; OSError if it cannot be read."""
    if path.name != _WIRE:
        return None
    first = [record for _, record in islice(load_records(path), _FIRST) if type(record) is dict]
    is_wire = any(text_of(each, "type").startswith(_BEGINS) or "payload" in dict_of(each, "message") for each in first)
    return log_at(path) if is_wire else None


def _sessions(home: Path) -> Iterator[Path]:
    for folder in entries(home / "sessions"):
        yield from entries(folder)


def _modern(source: Source) -> Iterator[Talk | Skipped]:
    agent = source.path.parent
    state = _written_in(agent.parent.parent / "state.json")
    known = dict_of(dict_of(state, "agents"), agent.name)
    wire = Wire(is_delegated=source.parent is not None and known.get("type") != "independent")
    for number, record in records(source.path, wire.oddities):
        wire.take(number, record)
    is_named = state.get("isCustomTitle") is True
    title = text_of(state, "title") if source.parent is None else ""
    facts = Facts(
        session=source.session,
        cwd=text_of(state, "workDir") or text_of(state, "cwd") or None,
        model=wire.model or None,
        title=title or None,
        title_source=None if not title else TitleSource.GIVEN if is_named else TitleSource.SUMMARY,
        parent=source.parent,
        relation=source.relation,
    )
    told = wire.entries
    copied = _copied(told, wire.forks, _forked_from(agent.parent.parent, state), source) if wire.forks else {}
    if copied and source.parent is None:
        facts = facts._replace(parent=text_of(state, "forkedFrom"), relation=Relation.FORK)
    elif copied:  # its parent is the session it works for, so the first one is no ancestor that it could repeat
        folder = agent.parent.parent.parent
        kept = {
            name: is_file(folder / name.partition(":")[0] / "agents" / agent.name / _WIRE)
            for name, _ in copied.values()
        }
        told = [entry for entry in told if entry.key not in copied or not kept[copied[entry.key][0]]]
    yield Talk(facts, told, wire.oddities, started_ms=time_ms(state.get("createdAt")), copied=copied)


def _forked_from(folder: Path, state: dict[str, Any]) -> list[str]:
    """The sessions that this one was forked from, the nearest first; they lie beside it."""
    found: list[str] = []
    while (name := text_of(state, "forkedFrom")) and name not in found and len(found) < MOST_FORKS:
        if "/" in name or "\0" in name or len(name) > _LONGEST_NAME:
            break
        found.append(name)
        state = _written_in(folder.parent / name / "state.json")
    return found


def _copied(told: list[Entry], forks: list[int], origins: list[str], source: Source) -> dict[str, Original]:
    """What entries are copies of, by their keys: a fork begins with the lines of all sessions before it.

    Each of these ends with a line that says so, the first with the line of the first fork.
    """
    agent = "" if source.parent is None else f":{source.session.partition(':')[2]}"
    copied: dict[str, Original] = {}
    for entry in told:
        later = len(forks) - bisect_right(forks, entry.line)
        if 0 < later <= len(origins):
            copied[entry.key] = (f"{origins[later - 1]}{agent}", entry.key)
    return copied


def _legacy(source: Source) -> Iterator[Talk | Skipped]:
    folder = source.path.parent
    state = _written_in(folder / "state.json")
    title = text_of(state, "custom_title") or text_of(state, "title")
    facts = Facts(session=source.session, cwd=_work_folder(folder) or None, title=title or None)
    wire = LegacyWire(facts)
    for number, record in records(source.path, wire.oddities):
        wire.take(number, record)
    yield from wire.talks()


def _work_folder(session: Path) -> str:
    """The folder whose hash the sessions lie in, if Kimi knows it."""
    known = list_of(_written_in(session.parent.parent.parent / "kimi.json"), "work_dirs")
    paths = [text_of(each, "path") for each in known if type(each) is dict]
    hashed = {_hash(path): path for path in paths if path}
    return hashed.get(session.parent.name, "")


def _hash(path: str) -> str:
    return md5(path.encode("utf-8", "replace"), usedforsecurity=False).hexdigest()


def _written_in(path: Path) -> dict[str, Any]:
    """The object in a file beside the log; what cannot be read costs what it would tell, and no more."""
    try:
        value = load_document(path)
    except (OSError, ValueError):
        return {}
    return value if type(value) is dict else {}
