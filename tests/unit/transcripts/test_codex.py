"""What the lines of a Codex rollout become."""

from pathlib import Path
from typing import Any

import pytest

from noctuary.records import Hidden, Kind, Message, Relation, Role, TitleSource
from noctuary.testing import CodexTranscript, messages, read_file, write_lines
from noctuary.transcripts.codex import Codex
from noctuary.transcripts.items import Facts, Item, Mark, Rewound, Said, Skipped

PARENT = "019c9b17-0000-7000-8000-000000000009"


def read(transcript: CodexTranscript, home: Path) -> list[Item]:
    return read_file(Codex(), transcript.save(home))


def told(transcript: CodexTranscript, home: Path) -> list[Message]:
    return messages(read(transcript, home))


def facts(items: list[Item]) -> list[Facts]:
    return [item for item in items if isinstance(item, Facts)]


def test_a_conversation(tmp_path: Path) -> None:
    """What is written twice is told once, in order."""
    talk = (
        CodexTranscript()
        .prompt("Why is test_tax flaky?")
        .think("Looking at the clock", "Looking at the zone")
        .reply("I will run it.")
        .call("exec_command", {"cmd": "pytest -x", "workdir": "/home/ana"})
        .result("1 failed")
        .patch("*** Begin Patch")
        .result('{"output":"Success.","metadata":{"exit_code":0}}', kind="custom_tool_call_output")
        .reply("Fixed.")
    )

    found = told(talk, tmp_path)

    assert [(m.role, m.kind, m.content, m.tool_name) for m in found] == [
        (Role.USER, Kind.TEXT, "Why is test_tax flaky?", None),
        (Role.ASSISTANT, Kind.THINKING, "Looking at the clock", None),
        (Role.ASSISTANT, Kind.THINKING, "Looking at the zone", None),
        (Role.ASSISTANT, Kind.TEXT, "I will run it.", None),
        (Role.ASSISTANT, Kind.TOOL_CALL, "cmd: pytest -x\nworkdir: /home/ana", "exec_command"),
        (Role.TOOL, Kind.TOOL_RESULT, "1 failed", "exec_command"),
        (Role.ASSISTANT, Kind.TOOL_CALL, "*** Begin Patch", "apply_patch"),
        (Role.TOOL, Kind.TOOL_RESULT, "Success.", "apply_patch"),
        (Role.ASSISTANT, Kind.TEXT, "Fixed.", None),
    ]
    assert found[0].source_line == 2
    assert len({m.uid for m in found}) == len(found)


def test_rollout_of_events_only(tmp_path: Path) -> None:
    """Older versions wrote no items for what was said."""
    talk = CodexTranscript().event("user_message", message="ok").event("agent_message", message="Yes")
    talk.event("user_message", message="ok").event("agent_reasoning", text="Hm")

    assert [m.content for m in told(talk, tmp_path)] == ["ok", "Yes", "ok", "Hm"]


def test_rollout_of_items_only(tmp_path: Path) -> None:
    """Equal words are different messages if nothing says that they are copies."""
    content = [{"type": "input_text", "text": "ok"}]
    talk = CodexTranscript().item("message", role="user", content=content)
    talk.item("message", role="user", content=content)

    assert [m.content for m in told(talk, tmp_path)] == ["ok", "ok"]


def test_equal_prompts_in_a_row_are_told_each_once(tmp_path: Path) -> None:
    """Every copy belongs to one original."""
    assert [m.content for m in told(CodexTranscript().prompt("ok").prompt("ok"), tmp_path)] == ["ok", "ok"]


def test_copies_are_recognised_in_spite_of_blanks_and_pictures(tmp_path: Path) -> None:
    """The item wraps pictures in tags, the event keeps them beside the text."""
    blocks = [
        {"type": "input_text", "text": "look at this\n"},
        {"type": "input_text", "text": "<image>"},
        {"type": "input_image", "image_url": "data:image/png;base64,iVBOR"},
        {"type": "input_text", "text": "</image>"},
    ]
    talk = CodexTranscript().item("message", role="user", content=blocks)
    talk.event("user_message", message="look at this", images=["data:image/png;base64,iVBOR"])

    assert [m.content for m in told(talk, tmp_path)] == ["look at this\n\n[image]"]


@pytest.mark.parametrize("event_first", [False, True])
def test_either_copy_may_come_first(tmp_path: Path, event_first: bool) -> None:
    """Lines that say nothing may stand between them."""
    item = ("response_item", {"type": "message", "role": "user", "content": [{"text": "go"}]})
    event = ("event_msg", {"type": "user_message", "message": "go"})
    first, second = (event, item) if event_first else (item, event)
    talk = CodexTranscript().line(*first).event("token_count", info=None).line(*second)

    assert [m.content for m in told(talk, tmp_path)] == ["go"]


def test_what_nobody_said_is_injected(tmp_path: Path) -> None:
    """Instructions come as the user's or the developer's words."""
    talk = CodexTranscript()
    talk.item("message", role="developer", content=[{"type": "input_text", "text": "Be brief."}])
    blocks = [
        {"type": "input_text", "text": "# AGENTS.md instructions for /x\n\n<INSTRUCTIONS>…"},
        {"type": "input_text", "text": "<environment_context>…</environment_context>"},
    ]
    talk.item("message", role="user", content=blocks)

    assert [(m.role, m.hidden) for m in told(talk, tmp_path)] == [(Role.SYSTEM, Hidden.INJECTED)] * 3


def test_request_out_of_the_editor(tmp_path: Path) -> None:
    """The context is injected, the request is the human's, both on the same line and told once."""
    text = "# Context from my IDE setup:\n\n## Open tabs:\n- tax.py\n\n## My request for Codex:\nfix the tax\n"

    items = read(CodexTranscript().prompt(text), tmp_path)

    assert [(m.role, m.source_line) for m in messages(items)] == [(Role.SYSTEM, 2), (Role.USER, 2)]
    assert messages(items)[1].content == "fix the tax"
    assert [f.title for f in facts(items) if f.title] == ["fix the tax"]


@pytest.mark.parametrize(
    ("output", "text"),
    [
        ("plain", "plain"),
        ({"content": [{"type": "text", "text": "a"}, {"type": "text", "text": "b"}]}, "a\nb"),
        ({"content": "inner", "success": True}, "inner"),
        ([{"type": "input_text", "text": "a"}, {"type": "input_image"}], "a\n[image]"),
        ('{"output":"out\\n","metadata":{"exit_code":1}}', "out\n"),
        ('{"output":5}', '{"output":5}'),
        ('{"output": broken', '{"output": broken'),
        ({"odd": 1}, "odd: 1"),
        (None, ""),
        (7, "7"),
    ],
)
def test_output_of_a_tool_is_unwrapped(tmp_path: Path, output: Any, text: str) -> None:
    """It comes as a string, as blocks, or as a string of JSON around a string."""
    assert told(CodexTranscript().call("x", {}).result(output), tmp_path)[1].content == text


@pytest.mark.parametrize(
    ("kind", "payload", "name", "text"),
    [
        ("function_call", {"name": "f", "arguments": "not json"}, "f", "not json"),
        ("function_call", {"name": "f", "arguments": {"a": 1}}, "f", "a: 1"),
        ("function_call", {"name": "f", "arguments": r'{"a":"\ud800"}'}, "f", "\ufffd"),
        ("custom_tool_call", {"name": "g", "input": "patch"}, "g", "patch"),
        ("local_shell_call", {"action": {"command": ["git", "status"]}}, "local_shell", "git status"),
        ("web_search_call", {"action": {"type": "search", "query": "fts5"}}, "web_search", "fts5"),
        ("tool_search_call", {"arguments": {"query": "mail"}}, "tool_search", "mail"),
    ],
)
def test_every_sort_of_call(tmp_path: Path, kind: str, payload: dict[str, Any], name: str, text: str) -> None:
    """Each is a call with a name, an id and readable input."""
    (message,) = told(CodexTranscript().item(kind, call_id="c1", **payload), tmp_path)

    assert (message.kind, message.tool_name, message.call_id) == (Kind.TOOL_CALL, name, "c1")
    assert message.content == text


def test_old_event_of_a_call(tmp_path: Path) -> None:
    """Once calls were events."""
    (call,) = told(CodexTranscript().event("tool_call", name="bash", call_id="c", input={"cmd": "ls"}), tmp_path)

    assert (call.kind, call.tool_name, call.content) == (Kind.TOOL_CALL, "bash", "ls")


def test_encrypted_thoughts_say_nothing(tmp_path: Path) -> None:
    """Nor does an empty summary."""
    talk = CodexTranscript().item("reasoning", summary=[], encrypted_content="gAAA").think("")

    assert told(talk, tmp_path) == []


def test_summary_of_compaction(tmp_path: Path) -> None:
    """It is kept as a summary; the history it replaces was told before."""
    payload = {"message": "So far: Redis was rejected.", "replacement_history": [{"type": "message"}]}

    (message,) = told(CodexTranscript().line("compacted", payload), tmp_path)

    assert (message.role, message.kind, message.hidden) == (Role.SYSTEM, Kind.SUMMARY, None)


def test_facts_of_a_session(tmp_path: Path) -> None:
    """The first line tells where, the context of a turn tells the model; all of it once."""
    items = facts(read(CodexTranscript().prompt("Drop Redis").prompt("Now"), tmp_path))

    assert [f.cwd for f in items if f.cwd] == ["/home/ana/code/shop"]
    assert [f.branch for f in items if f.branch] == ["main"]
    assert [f.repository for f in items if f.repository] == ["https://git.example.org/ana/shop.git"]
    assert [f.source for f in items if f.source] == ["cli"]
    assert [f.model for f in items if f.model] == ["gpt-5.3-codex"]
    assert [(f.title, f.title_source) for f in items if f.title] == [("Drop Redis", TitleSource.PROMPT)]


def test_session_is_named_by_its_first_line_else_by_its_file(tmp_path: Path) -> None:
    """A second first line, as forks have, changes nothing."""
    named = CodexTranscript().line("session_meta", {"id": PARENT}).prompt("hello")
    path = write_lines(tmp_path / f"rollout-2026-03-02T09-00-00-{PARENT}.jsonl", named.records[2:])
    (source,) = Codex().find(tmp_path, {"CODEX_HOME": str(_as_home(tmp_path, path))})

    assert {i.session for i in read(named, tmp_path) if isinstance(i, Said | Facts)} == {named.session}
    assert source.session == PARENT


def _as_home(home: Path, path: Path) -> Path:
    folder = home / "codex" / "archived_sessions"
    folder.mkdir(parents=True)
    path.rename(folder / path.name)
    return home / "codex"


def test_fork_repeats_the_uids_of_its_parent(tmp_path: Path) -> None:
    """Times and lines differ, the words are the same; what comes after is different."""
    parent = CodexTranscript().prompt("one").reply("1").call("x", {"a": "b"}).result("c")
    child = parent.fork(PARENT).prompt("two")
    parent.prompt("other two")

    old, new = told(parent, tmp_path), told(child, tmp_path)

    assert [m.uid for m in new[:4]] == [m.uid for m in old[:4]]
    assert new[4].uid != old[4].uid
    assert Facts(session=PARENT, parent=parent.session, relation=Relation.FORK) in read(child, tmp_path)


def test_fork_that_is_instructed_otherwise_still_repeats_the_uids(tmp_path: Path) -> None:
    """What was injected is beside the conversation: it does not change who said what."""
    old = told(CodexTranscript().prompt("one").reply("1"), tmp_path)
    told_more = CodexTranscript().item("message", role="developer", content="Be brief.").prompt("one").reply("1")

    assert [m.uid for m in told(told_more, tmp_path)][1:] == [m.uid for m in old]


def test_sub_agent(tmp_path: Path) -> None:
    """It belongs to the thread that spawned it, which also wrote its prompt; repeated uids stay equal."""
    spawn = {"subagent": {"thread_spawn": {"parent_thread_id": PARENT, "depth": 1}}}
    child = CodexTranscript(source=spawn).prompt("Search the code")

    items = read(child, tmp_path)

    assert facts(items)[0] == Facts(session=child.session, parent=PARENT, relation=Relation.SUBAGENT)
    assert [f.source for f in facts(items) if f.source] == ["subagent"]
    assert messages(items)[0].role is Role.ASSISTANT
    assert messages(items)[0].uid == told(CodexTranscript().prompt("Search the code"), tmp_path)[0].uid


@pytest.mark.parametrize(
    ("source", "role"),
    [
        ({"internal": "memory_consolidation"}, Role.ASSISTANT),
        ({"subagent": "review"}, Role.ASSISTANT),
        ({"custom": "my-editor"}, Role.USER),
        ("vscode", Role.USER),
    ],
)
def test_who_prompts_a_thread(tmp_path: Path, source: Any, role: Role) -> None:
    """What Codex does by itself nobody typed; in a program that is built around it people type."""
    assert told(CodexTranscript(source=source).prompt("Sum it up"), tmp_path)[0].role is role


@pytest.mark.parametrize(
    ("turns", "lost"), [(1, ["two", "2"]), (2, ["one", "1", "two", "2"]), (9, ["one", "1", "two", "2"])]
)
def test_rolling_back_turns(tmp_path: Path, turns: int, lost: list[str]) -> None:
    """The last turns are taken back, each from its prompt on."""
    talk = CodexTranscript().item("message", role="developer", content="Be brief.")
    talk.prompt("one").reply("1").prompt("two").reply("2").event("thread_rolled_back", num_turns=turns)

    items = read(talk, tmp_path)

    words = {m.uid: m.content for m in messages(items)}
    assert [[words[uid] for uid in i.uids] for i in items if isinstance(i, Rewound)] == [lost]


def test_rolling_back_beyond_a_saved_place(tmp_path: Path) -> None:
    """Turns of the head are looked up in the file again."""
    talk = CodexTranscript().prompt("one").reply("1").prompt("two")
    mark = read(talk, tmp_path)[-1]
    assert isinstance(mark, Mark)
    path = talk.reply("2").event("thread_rolled_back", num_turns=2).save(tmp_path)

    rest = read_file(Codex(), path, mark.place)

    (whole,) = [item for item in read_file(Codex(), path) if isinstance(item, Rewound)]
    assert [item for item in rest if isinstance(item, Rewound)] == [whole]
    assert len(whole.uids) == 4


def test_rollout_without_envelope(tmp_path: Path) -> None:
    """The first versions put the item itself on the line."""
    path = write_lines(
        tmp_path / "rollout-old.jsonl",
        [
            {
                "id": "old-1",
                "timestamp": "2025-06-01T10:00:00Z",
                "instructions": None,
                "git": {"branch": "dev"},
            },
            {"record_type": "state"},
            {"type": "message", "role": "user", "content": [{"type": "input_text", "text": "hello"}]},
            {"type": "function_call", "name": "shell", "arguments": '{"command":["ls"]}', "call_id": "c"},
        ],
    )

    items = read_file(Codex(), path)

    assert [(m.role, m.content) for m in messages(items)] == [
        (Role.USER, "hello"),
        (Role.ASSISTANT, 'command: ["ls"]'),
    ]
    assert {item.session for item in items if isinstance(item, Said)} == {"old-1"}
    assert not [item for item in items if isinstance(item, Skipped)]


def test_known_lines_without_speech_are_passed_over(tmp_path: Path) -> None:
    """They are neither messages nor worth a word."""
    talk = CodexTranscript().line("world_state", {}).item("ghost_snapshot")
    for kind in ("token_count", "task_started", "task_complete", "turn_aborted", "context_compacted"):
        talk.event(kind)
    for kind in ("patch_apply_end", "exec_command_begin", "mcp_tool_call_end", "web_search_begin"):
        talk.event(kind)

    assert not [item for item in read(talk, tmp_path) if isinstance(item, Skipped | Said)]


def test_unknown_lines_are_named(tmp_path: Path) -> None:
    """What a newer version writes must not vanish unseen."""
    talk = CodexTranscript().line("hologram", {}).item("smell").event("gesture").line("event_msg", None)

    unknown = [item.unknown for item in read(talk, tmp_path) if isinstance(item, Skipped)]

    assert unknown == ["hologram", "response_item/smell", "event_msg/gesture", "event_msg/"]
