"""What every adapter promises of any file: no exception, and the same items however often one stops."""

import json
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

from noctuary.testing import ClaudeTranscript, CodexTranscript, messages, read_file
from noctuary.transcripts import jsonl
from noctuary.transcripts.claude_code import ClaudeCode
from noctuary.transcripts.codex import Codex
from noctuary.transcripts.items import Adapter, Item, Mark, Place, Said, Skipped

pytestmark = pytest.mark.slow

ADAPTERS: list[Adapter] = [ClaudeCode(), Codex()]
each_adapter = pytest.mark.parametrize("adapter", ADAPTERS, ids=lambda adapter: adapter.name)
tmp_path_is_overwritten = settings(suppress_health_check=[HealthCheck.function_scoped_fixture], deadline=None)

KEYS = [
    "type",
    "uuid",
    "parentUuid",
    "logicalParentUuid",
    "sessionId",
    "timestamp",
    "message",
    "role",
    "content",
    "text",
    "cwd",
    "gitBranch",
    "id",
    "name",
    "input",
    "isSidechain",
    "agentId",
    "isMeta",
    "isCompactSummary",
    "isApiErrorMessage",
    "leafUuid",
    "summary",
    "operation",
    "attachment",
    "prompt",
    "payload",
    "call_id",
    "arguments",
    "output",
    "source",
    "subagent",
    "thread_spawn",
    "parent_thread_id",
    "git",
    "num_turns",
    "model",
    "action",
    "command",
    "tool_use_id",
    "thinking",
    "customTitle",
    "forked_from_id",
    "images",
    "record_type",
]
WORDS = [
    "user",
    "assistant",
    "message",
    "tool_use",
    "tool_result",
    "text",
    "thinking",
    "image",
    "summary",
    "system",
    "attachment",
    "queued_command",
    "queue-operation",
    "enqueue",
    "custom-title",
    "session_meta",
    "response_item",
    "event_msg",
    "turn_context",
    "compacted",
    "function_call",
    "function_call_output",
    "custom_tool_call",
    "local_shell_call",
    "web_search_call",
    "reasoning",
    "user_message",
    "agent_message",
    "agent_reasoning",
    "thread_rolled_back",
    "input_text",
    "developer",
    "a",
    "b",
    "c",
]

scalars = st.one_of(st.none(), st.booleans(), st.integers(), st.floats(), st.sampled_from(WORDS), st.text())
values = st.recursive(
    scalars,
    lambda inner: st.lists(inner, max_size=3) | st.dictionaries(st.sampled_from(KEYS), inner, max_size=6),
    max_leaves=12,
)
records = st.dictionaries(st.sampled_from(KEYS), values, max_size=8)


def long_claude() -> ClaudeTranscript:
    """A conversation with everything a reader must remember."""
    talk = ClaudeTranscript().note("summary", summary="Later", leafUuid="not yet").say("Start")
    root = talk.tip
    talk.call("Read", {"file_path": "a"})
    first, at = talk.last_call, talk.tip
    talk.call("Read", {"file_path": "b"}).queue("hurry").result("B").back_to(at).result("A", call=first)
    talk.say("search", isSidechain=True, parentUuid=None)
    side = talk.records[-1]["uuid"]
    talk.reply("found", isSidechain=True, parentUuid=side)
    talk.say("hurry").reply("Done", uuid="not yet").back_to(root).say("Again").reply("Yes", timestamp=None)
    talk.compact("So far").say("Go on").back_to(root).say("No, thus").reply("Fine")
    return talk


def long_codex() -> CodexTranscript:
    """A conversation with everything a reader must remember."""
    talk = CodexTranscript().prompt("one").think("a", "b").reply("1").call("x", {"a": "b"}).call("y", {})
    talk.item("function_call_output", call_id=talk.records[-2]["payload"]["call_id"], output="late")
    talk.item("message", role="developer", content="Be brief.").prompt("two").reply("2")
    talk.event("thread_rolled_back", num_turns=1).prompt("two").reply("2").event("user_message", message="three")
    return talk.event("thread_rolled_back", num_turns=2).prompt("four").call("z", {})


def without_marks(items: list[Item]) -> list[Item]:
    return [item for item in items if not isinstance(item, Mark)]


def places(path: Path, adapter: Adapter) -> list[Place]:
    """A place after each line, as if reading had stopped there."""
    content = path.read_bytes()
    found = []
    for end in [at + 1 for at, byte in enumerate(content) if byte == 10]:
        path.write_bytes(content[:end])
        mark = read_file(adapter, path)[-1]
        assert isinstance(mark, Mark)
        found.append(
            Place(**json.loads(json.dumps({"offset": end, "line": mark.place.line, "state": mark.place.state})))
        )
    path.write_bytes(content)
    return found


@pytest.mark.parametrize(
    ("adapter", "build"), [(ClaudeCode(), long_claude), (Codex(), long_codex)], ids=["claude", "codex"]
)
def test_reading_can_stop_after_any_line(
    tmp_path: Path, adapter: Adapter, build: Callable[[], ClaudeTranscript | CodexTranscript]
) -> None:
    """From any place on come exactly the items that reading in one go gives after it."""
    path = build().save(tmp_path)
    whole = without_marks(read_file(adapter, path))

    for place in places(path, adapter):
        rest = without_marks(read_file(adapter, path, place))
        assert rest == whole[len(whole) - len(rest) :]
        lines = [item.message.source_line or 0 for item in rest if isinstance(item, Said)]
        assert all(line > place.line for line in lines)
        assert len(messages(rest)) == sum((m.source_line or 0) > place.line for m in messages(whole))


@each_adapter
@tmp_path_is_overwritten
@given(content=st.lists(records, max_size=12), cut=st.integers(min_value=0, max_value=12))
def test_any_objects_can_be_read_in_pieces(
    tmp_path: Path, adapter: Adapter, content: list[dict[str, Any]], cut: int
) -> None:
    """No combination of fields raises, and two halves give what the whole gives."""
    path = tmp_path / "any.jsonl"
    lines = [json.dumps(record).encode() + b"\n" for record in content]
    path.write_bytes(b"".join(lines[:cut]))
    first = read_file(adapter, path)
    path.write_bytes(b"".join(lines))
    mark = first[-1]
    assert isinstance(mark, Mark)

    second = read_file(adapter, path, mark.place)

    assert without_marks(first) + without_marks(second) == without_marks(read_file(adapter, path))
    json.dumps(mark.place.state)
    for message in messages(second):
        assert "\x00" not in message.content
        message.content.encode()


@each_adapter
@tmp_path_is_overwritten
@given(content=st.binary(max_size=2000))
def test_any_bytes_can_be_read(tmp_path: Path, adapter: Adapter, content: bytes) -> None:
    """Whatever is in the file, reading it ends with a place that is not beyond it."""
    path = tmp_path / "any.jsonl"
    path.write_bytes(content)

    mark = read_file(adapter, path)[-1]

    assert isinstance(mark, Mark)
    assert mark.place.offset == content.rfind(b"\n") + 1


@pytest.mark.parametrize(
    ("adapter", "build"), [(ClaudeCode(), long_claude), (Codex(), long_codex)], ids=["claude", "codex"]
)
@tmp_path_is_overwritten
@given(data=st.data())
def test_damaged_transcripts_can_be_read(
    tmp_path: Path,
    adapter: Adapter,
    build: Callable[[], ClaudeTranscript | CodexTranscript],
    data: st.DataObject,
) -> None:
    """A valid transcript with any value replaced by any other, lines swapped or cut, raises nothing."""
    damaged = data.draw(st.permutations(build().records)) if data.draw(st.booleans()) else build().records
    for record in data.draw(st.lists(st.sampled_from(damaged), max_size=5)):
        target = record
        while isinstance(nested := target[data.draw(st.sampled_from(sorted(target)))], dict) and nested:
            target = nested
        target[data.draw(st.sampled_from(sorted(target)))] = data.draw(values)
    path = tmp_path / "any.jsonl"
    content = b"\n".join(json.dumps(record).encode() for record in damaged)
    path.write_bytes(content[: data.draw(st.integers(min_value=0, max_value=len(content)))])

    assert isinstance(read_file(adapter, path)[-1], Mark)


@pytest.mark.parametrize(
    ("adapter", "build"), [(ClaudeCode(), long_claude), (Codex(), long_codex)], ids=["claude", "codex"]
)
def test_line_being_written_is_seen_again(
    tmp_path: Path, adapter: Adapter, build: Callable[[], ClaudeTranscript | CodexTranscript]
) -> None:
    """A last line without newline is told if it is whole, and told again, the same, when it is finished."""
    path = build().save(tmp_path)
    content = path.read_bytes()
    path.write_bytes(content[:-1])
    whole = read_file(adapter, path)
    path.write_bytes(content[:-9])
    torn = read_file(adapter, path)

    mark, before = whole[-1], torn[-1]

    assert isinstance(mark, Mark)
    assert mark == before
    assert mark.place.offset == content[:-1].rfind(b"\n") + 1
    assert not [item for item in torn if isinstance(item, Skipped)]
    path.write_bytes(content)
    assert messages(read_file(adapter, path, mark.place))[-1] == messages(whole)[-1]


@each_adapter
def test_marks_come_now_and_then(tmp_path: Path, adapter: Adapter) -> None:
    """Every few hundred lines or megabytes, so that a stopped import loses little."""
    path = tmp_path / "any.jsonl"
    path.write_bytes(b"{}\n" * 1000 + b'{"x":"' + b"x" * jsonl.MARK_BYTES + b'"}\n{}\n')

    marks = [item.place.line for item in read_file(adapter, path) if isinstance(item, Mark)]

    assert marks == [256, 512, 768, 1001, 1002]


@each_adapter
def test_state_stays_small(tmp_path: Path, adapter: Adapter) -> None:
    """Calls that are never answered, queued prompts and sub-agents do not grow without end."""
    claude = ClaudeTranscript()
    codex = CodexTranscript()
    for number in range(2000):
        claude.call("X", {}).queue(f"prompt {number}").say("x", isSidechain=True, agentId=str(number))
        claude.note("summary", summary="s" * 5000, leafUuid=str(number)).say("y", isSidechain=True, parentUuid=None)
        codex.call("x", {}).event("agent_message", message=f"{number}")
    path = (claude if adapter.name == "claude-code" else codex).save(tmp_path)

    mark = read_file(adapter, path)[-1]

    assert isinstance(mark, Mark)
    assert len(json.dumps(mark.place.state)) < 100_000
