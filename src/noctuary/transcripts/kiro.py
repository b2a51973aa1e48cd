"""Kiro: `sessions/cli/<id>.jsonl` with a sidecar `<id>.json`, and the newer `sessions/<bucket>/<id>/messages.jsonl`.

Both grow by lines, but a line may take back earlier ones, so they are read as a whole.  The newer ones are shared with
Kiro's editor; the name of a bucket is a digest of folders, so where a session took place is in `session.json` beside.
"""

from collections.abc import Iterator, Mapping
from pathlib import Path
from typing import Any

from noctuary.records import Relation
from noctuary.transcripts.documents import Entry, Talk, load_document, load_records, read_document, with_tool_names
from noctuary.transcripts.drafts import by_agent, taken_back
from noctuary.transcripts.fields import dict_of, list_of, text_of, time_ms
from noctuary.transcripts.finding import entries, is_file, real_path, those_at
from noctuary.transcripts.items import Facts, Item, NewField, Place, Skipped, Source
from noctuary.transcripts.kiro_records import (
    SILENT_EVENTS,
    SILENT_KINDS,
    drafts_of_event,
    drafts_of_line,
    new_fields_of,
)
from noctuary.transcripts.locations import chosen, each_once

_MESSAGES, _ABOUT = "messages.jsonl", "session.json"
_Spoken = tuple[bool, Entry]  # whether it is a prompt, and what it says


class Kiro:
    """The adapter."""

    name = "kiro"
    globally_unique = False

    def find(self, home: Path, environ: Mapping[str, str]) -> Iterator[Source]:
        """Every session of the command line and of the editor, which knows no other home folder."""
        seen: set[Path] = set()
        for root in each_once([chosen(home, environ, "KIRO_HOME", ".kiro"), home / ".kiro"]):
            for path, session, sidecar in _sessions(root / "sessions"):
                if (real := real_path(path)) not in seen:
                    seen.add(real)
                    yield Source(adapter=self.name, path=path, session=session, is_log=False, beside=(sidecar,))

    def find_at(self, path: Path, home: Path, environ: Mapping[str, str]) -> Iterator[Source]:
        """The session at this path, if it lies where `find` looks."""
        return those_at(path, self.find(home, environ))

    def read(self, source: Source, place: Place) -> Iterator[Item]:
        """Yield what is new in the session."""
        return read_document(place, lambda: [_talk(source)])


def _sessions(root: Path) -> Iterator[tuple[Path, str, Path]]:
    """The files of messages below a folder of sessions, each with its session and what is told about it."""
    for path in entries(root / "cli"):
        if path.suffix == ".jsonl" and is_file(path):
            yield path, path.stem, path.with_suffix(".json")
    for bucket in entries(root):
        for folder in entries(bucket) if bucket.name != "cli" else []:
            if is_file(folder / _MESSAGES):
                yield folder / _MESSAGES, folder.name, folder / _ABOUT


def session_around(path: Path) -> Source | None:
    """The session of the editor whose messages lie anywhere, if what is told about it lies beside them."""
    about = path.with_name(_ABOUT)
    if path.name != _MESSAGES or not is_file(about):
        return None
    return Source(adapter=Kiro.name, path=path, session=path.parent.name, is_log=False, beside=(about,))


def _talk(source: Source) -> Talk:
    about = _about(source.beside[0])
    facts = _facts(source.session, about)
    read = _told_by_events if source.path.name == _MESSAGES else _told_by_lines
    oddities: list[Skipped | NewField] = []
    told, model = read(source.path, oddities)
    if facts.relation is Relation.SUBAGENT:
        told = [entry._replace(drafts=by_agent([*entry.drafts])) for entry in told]
    if model and not facts.model:
        facts = facts._replace(model=model)
    started_ms = time_ms(about.get("created_at")) or time_ms(about.get("createdAt"))
    return Talk(facts, with_tool_names(told), oddities, started_ms=started_ms)


def _about(sidecar: Path) -> dict[str, Any]:
    """What is told about a session; nothing if that is broken or gone, for what was said counts more."""
    try:
        found = load_document(sidecar)
    except (OSError, ValueError):
        return {}
    return found if type(found) is dict else {}


def _facts(session: str, about: dict[str, Any]) -> Facts:
    folders = [folder for folder in list_of(about, "workspacePaths") if type(folder) is str]
    parent = text_of(about, "parent_session_id") or text_of(about, "parentSessionId")
    state = dict_of(dict_of(about, "session_state"), "rts_model_state")
    return Facts(
        session=session,
        title=text_of(about, "title") or None,
        cwd=text_of(about, "cwd") or next(iter(folders), None),
        model=text_of(dict_of(state, "model_info"), "model_id") or text_of(about, "modelId") or None,
        parent=parent or None,
        relation=Relation.SUBAGENT if parent else None,
    )


def _told_by_lines(path: Path, oddities: list[Skipped | NewField]) -> tuple[list[Entry], str]:
    """What the command line wrote: prompts with their time, and what came of them without."""
    messages: list[_Spoken] = []
    gone: list[_Spoken] = []
    model = ""
    for number, record in load_records(path):
        if isinstance(record, Skipped):
            oddities.append(record)
            continue
        kind, data = text_of(record, "kind"), dict_of(record, "data")
        if kind == "ResetTo":
            at = _reset_to(messages, data.get("target_index"))
            gone += messages[at:]
            del messages[at:]
            continue
        drafts, named = drafts_of_line(kind, data, number, oddities)
        if drafts is None:
            if kind not in SILENT_KINDS:
                oddities.append(Skipped(line=number, reason="unknown type of record", unknown=kind or "?"))
            continue
        oddities += new_fields_of(kind, record, data, number)
        model = named or model
        said_ms = time_ms(dict_of(data, "meta").get("timestamp"))
        messages.append((kind == "Prompt", Entry(f"{number}", drafts, said_ms, number)))
    left = [entry._replace(drafts=taken_back([*entry.drafts])) for _, entry in gone]
    return [entry for entry in (*(entry for _, entry in messages), *left) if entry.drafts], model


def _reset_to(messages: list[_Spoken], index: object) -> int:
    """How many messages stay when a session is reset to one of them: turns are only ever taken back whole."""
    if type(index) is not int or index < 0:
        return len(messages)
    while index < len(messages) and not messages[index][0]:
        index += 1
    return index


def _told_by_events(path: Path, oddities: list[Skipped | NewField]) -> tuple[list[Entry], str]:
    """What the newer store has: one event a line, with a name and a time."""
    told: list[Entry] = []
    keys: set[str] = set()
    model = ""
    for number, record in load_records(path):
        if isinstance(record, Skipped):
            oddities.append(record)
            continue
        payload = dict_of(record, "payload")
        kind = text_of(payload, "type")
        drafts = drafts_of_event(kind, payload)
        if drafts is None:
            if kind not in SILENT_EVENTS:
                oddities.append(Skipped(line=number, reason="unknown type of event", unknown=f"event/{kind or '?'}"))
            continue
        model = text_of(payload, "reasoningModelId") or model
        key = text_of(record, "id") or f"{number}"
        key = key if key not in keys else f"{key}.{number}"
        keys.add(key)
        told.append(Entry(key, drafts, time_ms(record.get("timestamp")), number))
    return told, model
