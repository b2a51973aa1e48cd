"""What tools say that they touch is what they touch: agents ask their users before tools that may destroy something."""

import re
import sqlite3
from collections.abc import Mapping, Sequence
from typing import Any

import pytest

from noctuary.doors.mcp.tools import TASK_ACTIONS, TOOLS, WORK_ACTIONS
from tests.unit.doors.mcp.serving import Served

pytestmark = pytest.mark.slow
HINTS: Mapping[str, Mapping[str, bool]] = {str(tool["name"]): tool["annotations"] for tool in TOOLS}
READS: Mapping[str, Sequence[dict[str, Any]]] = {
    "session_search": [{}, {"query": "redis"}, {"session_id": "s1"}, {"session_id": "s1", "around": 1}],
    "recall_why": [{"topic": "redis"}, {"topic": "redis", "project": "*"}],
    "task": [{"action": action} for action in ("check", "list")],
    "work": [{"action": action} for action in ("ready", "next", "tree")],
    "pack": [{}],
    "handoff": [{}],
    "dream_status": [{}],
}


def rows(served: Served) -> dict[str, set[tuple[Any, ...]]]:
    """Every row of every table of ours; what is only for finding words is not counted."""
    with sqlite3.connect(served.keeper.serving.settings.database) as database:
        found = database.execute("select name from sqlite_schema where type = 'table' and sql like 'create table%'")
        names = [name for (name,) in found if not re.search(r"^sqlite_|_(?:data|idx|docsize|config|content)$", name)]
        return {name: set(database.execute(f'select * from "{name}"')) for name in names}


@pytest.fixture
def used(served: Served) -> Served:
    """A memory with a session, a task and notes."""
    served.keep("s1", ["Shall we use redis?", "No, SQLite."])
    served("task", action="open", title="Move sessions", goal="No Redis")
    served("task", action="note", kind="decision", text="Sessions live in SQLite, not in redis")
    served("remember", text="Redis was dropped", topic="redis")
    return served


def test_what_only_reads_changes_no_row(used: Served) -> None:
    """Neither a tool that says so, nor the actions of the others that only look."""
    before = rows(used)
    for tool, calls in READS.items():
        for arguments in calls:
            used(tool, **arguments)

    assert rows(used) == before
    assert {tool for tool, hints in HINTS.items() if hints["readOnlyHint"]} <= set(READS)


def test_what_writes_takes_nothing_away(used: Served) -> None:
    """Whatever an agent writes, each entry of the journal and each memory stays as it was: there is only more.

    A task that was closed is opened again, and a claim given back, so no agent has to ask its user before.
    """
    calls: list[tuple[str, dict[str, str]]] = [
        ("task", {"action": "open", "title": "Another"}),
        ("task", {"action": "note", "kind": "rejection", "text": "Not redis: it forgets"}),
        ("remember", {"text": "Redis is back", "topic": "redis"}),
        ("work", {"action": "claim"}),
        ("work", {"action": "release"}),
        ("task", {"action": "close", "text": "Given up", "ending": "superseded"}),
        ("task", {"action": "reopen"}),
        ("handoff", {"summary": "Moved half of it"}),
        ("handoff", {"summary": "Moved the other half"}),
    ]
    named = re.search(r"\bt-\w+", used("task", action="list"))
    assert named
    for tool, arguments in calls:
        before = rows(used)
        used(tool, **arguments, **({} if tool == "remember" or "summary" in arguments else {"task": named[0]}))
        after = rows(used)
        for table in ("events", "memories", "messages", "sessions"):
            assert before[table] <= after[table], (tool, arguments, table)
        assert len(after["nodes"]) >= len(before["nodes"])

    assert {arguments["action"] for tool, arguments in calls if tool == "task"} == {*TASK_ACTIONS} - {"check", "list"}
    assert {arguments["action"] for tool, arguments in calls if tool == "work"} == {*WORK_ACTIONS} - {
        "ready",
        "next",
        "tree",
    }
    assert {tool for tool, hints in HINTS.items() if not hints["readOnlyHint"]} == {tool for tool, _ in calls}
    assert not any(hints["destructiveHint"] for hints in HINTS.values())


def test_once_is_as_good_as_twice_where_it_is_said(used: Served) -> None:
    """A sentence that is remembered again changes nothing."""
    used("remember", text="Redis was dropped", topic="redis")
    before = rows(used)
    used("remember", text="Redis was dropped", topic="redis")

    assert rows(used) == before
    assert [tool for tool, hints in HINTS.items() if hints.get("idempotentHint")] == ["remember"]
