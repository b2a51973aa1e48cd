"""Small memories of other tools, as these write them: databases and folders made by hand."""

import json
from collections.abc import Iterable, Mapping
from pathlib import Path
from typing import Any

import apsw

MORNING_MS = 1_770_000_000_000
_CLAUDE_MEM = """
create table sdk_sessions (id integer primary key, content_session_id text unique not null,
    memory_session_id text unique, project text not null, user_prompt text, started_at text, started_at_epoch integer,
    status text, custom_title text);
create table observations (id integer primary key, memory_session_id text not null, project text not null, text text,
    type text not null, title text, subtitle text, facts text, narrative text, concepts text, files_read text,
    files_modified text, prompt_number integer, merged_into_project text, created_at text not null,
    created_at_epoch integer not null);
create table session_summaries (id integer primary key, memory_session_id text not null, project text not null,
    request text, investigated text, learned text, completed text, next_steps text, notes text,
    created_at text not null, created_at_epoch integer not null);
create table user_prompts (id integer primary key, content_session_id text not null, prompt_number integer,
    prompt_text text not null, created_at text not null, created_at_epoch integer not null);
create table pending_messages (id integer primary key, status text);
create table directives (id integer primary key, scope text, project text, content text not null,
    status text not null default 'active', created_at text, created_at_epoch integer);
"""
_CHROMA = """
create table collections (id text primary key, name text not null);
create table segments (id text primary key, type text not null, scope text not null, collection text not null);
create table embeddings (id integer primary key, segment_id text not null, embedding_id text not null, seq_id blob);
create table embedding_metadata (id integer, key text not null, string_value text, int_value integer, float_value real,
    bool_value integer, primary key (id, key));
insert into collections values ('c1', 'mempalace_drawers'), ('c2', 'mempalace_closets');
insert into segments values ('s1', 'sqlite', 'METADATA', 'c1'), ('v1', 'hnsw', 'VECTOR', 'c1'),
    ('s2', 'sqlite', 'METADATA', 'c2');
"""
_MEM0 = """
create table history (id text primary key, memory_id text, old_memory text, new_memory text, event text,
    created_at datetime, updated_at datetime, is_deleted integer, actor_id text, role text);
create table messages (id text primary key, session_scope text, role text, content text, name text,
    created_at datetime);
"""


def run(path: Path, sql: str, *values: object) -> Path:
    """Change a database behind its tool's back."""
    path.parent.mkdir(parents=True, exist_ok=True)
    connection = apsw.Connection(str(path))
    connection.execute(sql, values or None)
    connection.close()
    return path


def insert(path: Path, table: str, **row: object) -> Path:
    """Add a row."""
    names = ", ".join(row)
    return run(path, f"insert into {table} ({names}) values ({', '.join('?' * len(row))})", *row.values())


def claude_mem(path: Path) -> Path:
    """A database of claude-mem: a session with two prompts, a summary, two observations and a directive."""
    run(path, _CLAUDE_MEM)
    insert(
        path,
        "sdk_sessions",
        content_session_id="c-1",
        memory_session_id="m-1",
        project="shop",
        started_at_epoch=MORNING_MS,
        status="completed",
    )
    for number, prompt in enumerate(["Why do orders fail on Mondays?", "Then fix the timezone."], 1):
        insert(
            path,
            "user_prompts",
            content_session_id="c-1",
            prompt_number=number,
            prompt_text=prompt,
            created_at="",
            created_at_epoch=MORNING_MS + number * 1_000,
        )
    insert(
        path,
        "session_summaries",
        memory_session_id="m-1",
        project="shop",
        request="Orders that fail on Mondays",
        learned="The job ran in local time.",
        next_steps="Watch it for a week.",
        created_at="",
        created_at_epoch=MORNING_MS + 9_000,
    )
    observe(path, type="decision", title="Times are kept in UTC", narrative="Local time broke the Monday job.")
    observe(path, type="bugfix", title="Fixed the Monday job", facts='["cron ran twice"]', files_modified='["jobs.py"]')
    insert(path, "directives", scope="global", content="Never push on Fridays.", created_at_epoch=MORNING_MS)
    return path


def observe(path: Path, **row: object) -> Path:
    """Add an observation."""
    given = {"memory_session_id": "m-1", "project": "shop", "type": "discovery", "created_at": ""}
    return insert(path, "observations", **{**given, "created_at_epoch": MORNING_MS + 5_000, **row})


def drawer(path: Path, number: int, content: str, **meta: object) -> Path:
    """Add a drawer to a palace, which is made if need be."""
    if not path.exists():
        run(path, _CHROMA)
    insert(path, "embeddings", id=number, segment_id=meta.pop("segment", "s1"), embedding_id=f"drawer_{number}")
    insert(path, "embedding_metadata", id=number, key="chroma:document", string_value=content)
    for key, value in meta.items():
        column = "int_value" if isinstance(value, int) else "string_value"
        insert(path, "embedding_metadata", id=number, key=key, **{column: value})
    return path


def palace(path: Path) -> Path:
    """A palace with two pieces of a file, a note of an agent, a closet and an entry of its books."""
    mined = {"wing": "shop", "room": "backend", "source_file": "/code/shop/tax.md", "added_by": "mempalace"}
    filed = {"filed_at": "2026-02-02T10:00:00"}
    drawer(path, 1, "Second piece: rounding is half up.", chunk_index=1, **mined, **filed)
    drawer(path, 2, "First piece: taxes are kept in cents.", chunk_index=0, **mined, **filed)
    drawer(
        path, 3, "The user ships to Norway.", wing="wing_shop", room="diary", added_by="claude", chunk_index=0, **filed
    )
    drawer(path, 4, "index of drawers", segment="s2", wing="shop", room="backend")
    drawer(path, 5, "[registry] /code/shop/empty.md", wing="shop", room="_registry")
    return path


def mem0_history(path: Path) -> Path:
    """A history of Mem0: one memory that was changed, one that was deleted, and a message in the buffer."""
    run(path, _MEM0)
    days = {"created_at": "2026-01-01T10:00:00+00:00", "is_deleted": 0}
    insert(path, "history", id="h1", memory_id="a", new_memory="Ana likes tea.", event="ADD", **days)
    changed = {
        "old_memory": "Ana likes tea.",
        "new_memory": "Ana likes coffee.",
        "updated_at": "2026-01-03T10:00:00+00:00",
    }
    insert(path, "history", id="h2", memory_id="a", event="UPDATE", **changed, **days)
    insert(path, "history", id="h3", memory_id="b", new_memory="Bob is away.", event="ADD", **days)
    gone = {"old_memory": "Bob is away.", "updated_at": "2026-01-04T10:00:00+00:00", "is_deleted": 1}
    insert(path, "history", id="h4", memory_id="b", event="DELETE", created_at=days["created_at"], **gone)
    insert(path, "messages", id="x", session_scope="ana", role="user", content="hi", created_at="2026-01-01")
    return path


def mem0_export(path: Path, *items: Mapping[str, Any]) -> Path:
    """A file of memories as Mem0 gives them."""
    path.write_text(json.dumps({"count": len(items), "results": list(items)}))
    return path


def notes(folder: Path, files: Iterable[tuple[str, str]] = ()) -> Path:
    """A folder of Basic Memory: a note with observations and relations, and others."""
    (folder / "specs").mkdir(parents=True, exist_ok=True)
    (folder / "specs" / "Search.md").write_text(SEARCH)
    (folder / ".obsidian").mkdir(exist_ok=True)
    (folder / ".obsidian" / "hidden.md").write_text("- [fact] hidden\n")
    (folder / "picture.png").write_bytes(b"\x89PNG")
    for name, content in files:
        (folder / name).write_text(content)
    return folder


SEARCH = """---
title: Search
type: spec
permalink: specs/search
created: 2026-02-01T08:00:00+00:00
modified: 2026-02-03T08:00:00+00:00
---

# Search

How the shop finds products.

- [decision] Search uses FTS5 #search #sqlite (measured in March)
- [preference] Ana wants short result pages
- [x] write the migration
- [00:11] a line of a transcript
- [docs](https://example.org)
- implements [[Shop]]
> - [fact] quoted by somebody
```
- [fact] in code
```
"""
