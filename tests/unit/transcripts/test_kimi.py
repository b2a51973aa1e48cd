"""Kimi: what a sample cannot show of its logs."""

import json
from pathlib import Path
from typing import Any

from noctuary import Memory
from noctuary.records import Relation, Role
from noctuary.testing import messages, write_lines
from noctuary.transcripts.items import Mark, Place
from noctuary.transcripts.kimi import Kimi
from tests.unit.importing.machine import said
from tests.unit.transcripts.foreign_homes import as_shown, taken_back, texts

WIRE = ".kimi-code/sessions/shop/s1/agents/main/wire.jsonl"


def typed(text: str) -> dict[str, Any]:
    return {"type": "context.append_message", "time": 1772355600000, "message": {"role": "user", "content": text}}


def answered(text: str) -> dict[str, Any]:
    part = {"type": "content.part", "part": {"type": "text", "text": text}}
    return {"type": "context.append_loop_event", "time": 1772355601000, "event": part}


def contents(home: Path) -> list[str]:
    [source] = Kimi().find(home, {})
    return as_shown(list(Kimi().read(source, Place())))


def test_a_log_that_grows_adds_only_what_is_new(tmp_path: Path) -> None:
    """Between two imports a turn is added: it is stored, and nothing else again."""
    path = tmp_path / "home" / WIRE
    write_lines(path, [typed("One"), answered("First.")])
    with Memory.open(tmp_path / "memory", user_home=tmp_path / "home") as memory:
        first = memory.import_transcripts()
        write_lines(path, [typed("One"), answered("First."), typed("Two"), answered("Second.")])
        second = memory.import_transcripts()

    assert (first.messages, second.messages, second.repeated, second.rewound) == (2, 2, 0, 0)


def test_what_is_undone_later_is_taken_back(tmp_path: Path) -> None:
    """A prompt that was imported and then undone is no longer part of the conversation."""
    path = tmp_path / WIRE
    before = [typed("One"), answered("First."), typed("Two"), answered("Second.")]
    write_lines(path, before)
    [source] = Kimi().find(tmp_path, {})
    mark = list(Kimi().read(source, Place()))[-1]
    assert isinstance(mark, Mark)
    write_lines(path, [*before, {"type": "context.undo", "count": 1}])

    items = list(Kimi().read(source, mark.place))

    assert (taken_back(items), texts(items)) == (2, [])


def test_an_undo_stops_at_a_summary(tmp_path: Path) -> None:
    """What was compacted cannot be undone, and what a program injected stays; what is undone is told as that."""
    summary = {"type": "context.apply_compaction", "summary": "So far.", "compactedCount": 2}
    write_lines(tmp_path / WIRE, [typed("One"), summary, typed("Two"), {"type": "context.undo", "count": 9}])

    assert contents(tmp_path) == ["One", "So far.", "(Two)"]


def test_both_homes_can_be_elsewhere(tmp_path: Path) -> None:
    """As the environment says; a log that two paths lead to is found once."""
    write_lines(tmp_path / "new/sessions/shop/s1/agents/main/wire.jsonl", [])
    write_lines(tmp_path / "old/sessions/hash/s2/wire.jsonl", [])
    (tmp_path / "new/sessions/again").symlink_to(tmp_path / "new/sessions/shop")
    environ = {"KIMI_CODE_HOME": "~/new", "KIMI_SHARE_DIR": str(tmp_path / "old")}

    assert [source.session for source in Kimi().find(tmp_path, environ)] == ["s1", "s2"]


def test_a_side_conversation_is_the_users_own(tmp_path: Path) -> None:
    """What a person asks beside the work is typed by a person; what a sub-agent is asked is not."""
    folder = tmp_path / ".kimi-code/sessions/shop/s1"
    write_lines(folder / "agents/agent-1/wire.jsonl", [typed("Search.")])
    write_lines(folder / "agents/btw/wire.jsonl", [typed("What is this?")])
    agents = {"agent-1": {"type": "sub"}, "btw": {"type": "independent"}}
    (folder / "state.json").write_text(json.dumps({"agents": agents}))

    roles = [messages(list(Kimi().read(source, Place())))[0].role for source in Kimi().find(tmp_path, {})]

    assert roles == [Role.ASSISTANT, Role.USER]


def test_fields_of_any_type_raise_nothing(tmp_path: Path) -> None:
    """A field of the wrong type counts as absent, in both formats."""
    odds: list[Any] = [None, 5, [], {}, "x", [5], {"type": []}, {"type": "text", "text": 5}]
    for odd in odds:
        lines: list[dict[str, Any]] = [
            {"type": odd},
            {"type": "context.append_message", "message": {"role": "user", "content": odd, "origin": odd}},
            {"type": "context.append_message", "message": {"role": "assistant", "content": [odd], "toolCalls": [odd]}},
            {"type": "context.append_loop_event", "event": {"type": "tool.result", "toolCallId": odd, "result": odd}},
            {"type": "context.append_loop_event", "event": {"type": odd, "part": odd}},
            {"type": "context.undo", "count": odd},
            {"timestamp": odd, "message": {"type": "SubagentEvent", "payload": {"event": odd, "agent_id": odd}}},
            {"timestamp": odd, "message": {"type": "ToolResult", "payload": {"return_value": odd}}},
            {"timestamp": odd, "message": {"type": "ToolCall", "payload": {"function": odd, "id": odd}}},
            {"timestamp": odd, "message": {"type": "ToolCallPart", "payload": {"arguments_part": odd}}},
        ]
        write_lines(tmp_path / WIRE, lines)
        write_lines(tmp_path / ".kimi/sessions/hash/s2/wire.jsonl", lines)
        for source in Kimi().find(tmp_path, {}):
            assert isinstance(list(Kimi().read(source, Place()))[-1], Mark)


def test_what_a_fork_repeats_is_stored_with_the_original(tmp_path: Path) -> None:
    """A fork begins with all lines of the session that it is of, and with those of its sub-agents."""
    home, forked = tmp_path / "home", {"type": "forked", "time": 1772355700000}
    first = [typed("One"), answered("First.")]
    second = [*first, forked, typed("Two")]
    third = [*second, forked, typed("Three")]
    for name, origin, lines in (("s1", "", first), ("s2", "s1", second), ("s3", "s2", third)):
        folder = home / ".kimi-code/sessions/shop" / name
        write_lines(folder / "agents/main/wire.jsonl", lines)
        helped = [typed("Search."), answered("Found."), *([forked] if origin else [])]
        write_lines(folder / "agents/agent-1/wire.jsonl", helped)
        (folder / "state.json").write_text(json.dumps({"forkedFrom": origin} if origin else {}))
    with Memory.open(tmp_path / "memory", user_home=home) as memory:
        memory.import_transcripts()
        told = {name: said(memory, name) for name in ("s1", "s2", "s3", "s1:agent-1")}
        agents = [each.id for each in memory.sessions() if "agent" in each.id]
        relations = [(memory.session(name).parent, memory.session(name).relation) for name in ("s2", "s3")]
        again = memory.import_transcripts()

    assert told == {"s1": ["One", "First."], "s2": ["Two"], "s3": ["Three"], "s1:agent-1": ["Search.", "Found."]}
    assert agents == ["s1:agent-1"]
    assert relations == [("s1", Relation.FORK), ("s2", Relation.FORK)]
    assert (again.messages, again.unchanged) == (0, again.found)


def test_a_fork_of_what_is_not_there_has_all_of_it(tmp_path: Path) -> None:
    """An original that is gone, or that names itself, costs nothing that was said."""
    for name, origin in (("s1", "gone"), ("s2", "s2"), ("s3", "../s1"), ("s4", "x" * 300)):
        folder = tmp_path / ".kimi-code/sessions/shop" / name
        write_lines(folder / "agents/main/wire.jsonl", [typed("One"), {"type": "forked"}, typed("Two")])
        (folder / "state.json").write_text(json.dumps({"forkedFrom": origin}))

    for source in Kimi().find(tmp_path, {}):
        assert as_shown(list(Kimi().read(source, Place()))) == ["One", "Two"]
