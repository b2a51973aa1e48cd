"""Mem0: its memories, from `history.db` (`~/.mem0`) or from a JSON file of them.

Verified in its public source (`mem0/memory/storage.py`): table history (memory_id, old_memory, new_memory, event ADD,
UPDATE or DELETE, created_at, updated_at, is_deleted, actor_id, role), and messages, a buffer of the last ten of each
scope.  Verified in its documentation: `get_all()` gives `{"results": [{"id", "memory", "user_id", "created_at",
"metadata", "categories"}]}`; a list of such objects, one a line, or under `memories`, is read too.  Exports with a
schema of one's own are not.  Memories themselves are in a vector store, which is not read: the history has their words.

Each memory that still holds is proposed as one of ours.
"""

from collections.abc import Iterator
from pathlib import Path

from noctuary.authored import EventType
from noctuary.errors import BadInput
from noctuary.store.memories import MemoryKind
from noctuary.switching.brought import Brought, Note, ProjectOf
from noctuary.switching.reading import Row, database_of, file_at, json_in, plain_meta, rows_of, short, text, when
from noctuary.switching.tools import Tool
from noctuary.transcripts.foreign_sqlite import ForeignDatabase, is_sqlite

NAME = Tool.MEM0
FILE = "history.db"
_DELETED = "memories that were deleted there"
_LISTS = ("results", "memories", "data")
_WORDS = ("memory", "text", "content", "data")
_ABOUT = ("user_id", "agent_id", "run_id", "app_id", "actor_id", "role", "categories")


def read_mem0(path: Path, project_of: ProjectOf) -> Brought:
    """Every memory that still holds."""
    file = file_at(path, FILE, "memories.json")
    brought = Brought(file)
    if is_sqlite(file):
        with database_of(NAME, file, "history") as database:
            _read_history(database, brought, project_of)
    else:
        _read_json(file, brought, project_of)
    return brought


def _read_history(database: ForeignDatabase, brought: Brought, project_of: ProjectOf) -> None:
    last: dict[str, Row] = {}
    first_ms: dict[str, int] = {}
    for row in sorted(rows_of(database, "history"), key=lambda row: when(row, "updated_at", "created_at")):
        name = text(row, "memory_id")
        first_ms.setdefault(name, when(row, "created_at", "updated_at"))
        last[name] = row
    for name, row in last.items():
        if row.get("is_deleted") or text(row, "event").upper() == "DELETE":
            brought.left_out[_DELETED] += 1
        else:
            said_ms = when(row, "updated_at", "created_at") or first_ms[name]
            meta = plain_meta(row, "new_memory", "old_memory")
            _add(brought, name, text(row, "new_memory"), said_ms, project_of(""), meta)
    if buffered := sum(1 for _ in rows_of(database, "messages")):
        brought.left_out["messages in its buffer, which has only the last of each conversation"] += buffered


def _read_json(file: Path, brought: Brought, project_of: ProjectOf) -> None:
    found = json_in(file, NAME)
    while isinstance(found, dict) and (inner := next((found[key] for key in _LISTS if key in found), None)) is not None:
        found = inner
    items = found if isinstance(found, list) else [found]
    before = len(brought.notes)
    for item in items:
        if not isinstance(item, dict) or not (said := _words(item)):
            brought.left_out["records that are no memories"] += 1
            continue
        name = text(item, "id") or short(said)
        metadata = item.get("metadata")
        kept = metadata if isinstance(metadata, dict) else {}
        named = (text(each, key) for each in (kept, item) for key in ("cwd", "project"))
        project = project_of(next(filter(None, named), ""))
        meta = {**dict(_about(item)), **({"metadata": kept} if kept else {})}
        _add(brought, name, said, when(item, "updated_at", "created_at"), project, meta)
    if len(brought.notes) == before:
        raise BadInput(f"{file} is no file of {NAME}: there is no memory in it. Nothing was changed.")


def _about(item: Row) -> Iterator[tuple[str, object]]:
    for key in _ABOUT:
        value = item.get(key)
        if isinstance(value, (str, list)) and value:
            yield key, value


def _words(item: Row) -> str:
    return next((said for key in _WORDS if (said := text(item, key))), "")


def _add(brought: Brought, name: str, said: str, ts_ms: int, project: str, meta: Row) -> None:
    if not said:
        brought.left_out["empty memories"] += 1
        return
    named = str(meta.get("categories", "")) + str(meta.get("metadata", ""))
    kind = MemoryKind.PREFERENCE if "preference" in named.lower() else MemoryKind.FACT
    note = Note(f"memory-{name}", EventType.REMEMBER, said, ts_ms, project, kind, meta={**meta, "id": name})
    brought.notes.append(note)
