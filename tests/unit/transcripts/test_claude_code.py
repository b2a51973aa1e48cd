"""What the records of Claude Code become."""

from pathlib import Path
from typing import Any

import pytest

from noctuary.records import Hidden, Kind, Message, Relation, Role, TitleSource
from noctuary.testing import ClaudeTranscript, messages, read_file, write_lines
from noctuary.transcripts.claude_code import ClaudeCode
from noctuary.transcripts.items import Facts, Item, Mark, Said, Skipped


def read(transcript: ClaudeTranscript, home: Path) -> list[Item]:
    return read_file(ClaudeCode(), transcript.save(home))


def told(transcript: ClaudeTranscript, home: Path) -> list[Message]:
    return messages(read(transcript, home))


def facts(items: list[Item]) -> list[Facts]:
    return [item for item in items if isinstance(item, Facts)]


def test_a_conversation(tmp_path: Path) -> None:
    """Every block is a message, in order, with its role, kind, time, line and the uuid of its record."""
    talk = (
        ClaudeTranscript()
        .say("Why is test_tax flaky?")
        .think("Perhaps the clock.")
        .call("Bash", {"command": "pytest -x", "description": "Run the tests"})
        .result("1 failed")
        .reply("It fails after midnight in Tokyo.")
    )

    found = told(talk, tmp_path)

    assert [(m.role, m.kind, m.content) for m in found] == [
        (Role.USER, Kind.TEXT, "Why is test_tax flaky?"),
        (Role.ASSISTANT, Kind.THINKING, "Perhaps the clock."),
        (Role.ASSISTANT, Kind.TOOL_CALL, "command: pytest -x\ndescription: Run the tests"),
        (Role.TOOL, Kind.TOOL_RESULT, "1 failed"),
        (Role.ASSISTANT, Kind.TEXT, "It fails after midnight in Tokyo."),
    ]
    assert [m.source_line for m in found] == [1, 2, 3, 4, 5]
    assert [m.uid for m in found] == [record["uuid"] for record in talk.records]
    assert found[0].ts_ms == 1_772_442_007_000
    assert all(m.hidden is None for m in found)


def test_result_is_joined_with_its_call(tmp_path: Path) -> None:
    """A result names the tool that gave it, though its record does not."""
    call, result = told(ClaudeTranscript().call("Read", {"file_path": "a.py"}).result("x = 1"), tmp_path)

    assert call.content == "a.py"
    assert call.tool_calls == f'[{{"id":"{call.call_id}","name":"Read"}}]'
    assert (result.tool_name, result.call_id) == ("Read", call.call_id)


@pytest.mark.parametrize(
    ("kind", "role"),
    [
        ("user-rejected", Role.USER),
        ("interrupted", Role.TOOL),
        (["user-rejected"], Role.TOOL),
        (..., Role.TOOL),
    ],
)
def test_who_refuses_a_call_speaks_in_its_place(tmp_path: Path, kind: Any, role: Role) -> None:
    """If the agent says so beside the result; what stands in it a tool may have written."""
    talk = ClaudeTranscript().call("Bash", {"command": "git push"})
    words = "The user doesn't want to proceed with this tool use."

    _, refused = told(talk.result(words, failed=True, toolDenialKind=kind), tmp_path)

    assert (refused.role, refused.kind, refused.tool_name) == (role, Kind.TOOL_RESULT, "Bash")


@pytest.mark.parametrize(
    ("content", "text"),
    [
        ("plain", "plain"),
        ([{"type": "text", "text": "a"}, {"type": "text", "text": "b"}], "a\nb"),
        ([{"type": "text", "text": "a"}, {"type": "image", "source": {"data": "iVBOR"}}], "a\n[image]"),
        ([{"type": "document", "source": {}}], "[document]"),
        ([{"type": "hologram"}, "bare"], "bare"),
        (None, ""),
        (7, ""),
    ],
)
def test_content_of_a_result_is_flattened(tmp_path: Path, content: Any, text: str) -> None:
    """A result is a string or a list of blocks; pictures are named, not kept."""
    assert told(ClaudeTranscript().call("X", {}).result(content), tmp_path)[1].content == text


@pytest.mark.parametrize(
    ("tool_input", "text"),
    [
        ({}, ""),
        ({"command": "ls"}, "ls"),
        ({"limit": 5}, "limit: 5"),
        (
            {"path": "a.py", "edits": [{"old": "x"}], "all": True},
            'path: a.py\nedits: [{"old":"x"}]\nall: true',
        ),
    ],
)
def test_input_of_a_call_is_readable(tmp_path: Path, tool_input: dict[str, Any], text: str) -> None:
    """One string is shown as it is, anything else as lines of key and value."""
    assert told(ClaudeTranscript().call("X", tool_input), tmp_path)[0].content == text


def test_record_of_several_messages_numbers_their_uids(tmp_path: Path) -> None:
    """One record may hold words and calls; each is a message with its own uid."""
    blocks = [
        {"type": "text", "text": "Look:"},
        {"type": "tool_use", "id": "t1", "name": "Bash", "input": {}},
    ]
    talk = ClaudeTranscript().reply("", message={"role": "assistant", "content": blocks})

    assert [m.uid for m in told(talk, tmp_path)] == [f"{talk.tip}:0", f"{talk.tip}:1"]


def test_record_without_uuid_is_known_by_line_and_content(tmp_path: Path) -> None:
    """The uid of such a record is the same at every reading, and differs for equal words."""
    talk = ClaudeTranscript().say("ok", uuid=...).say("ok", uuid=...)

    first, second = told(talk, tmp_path)

    assert first.uid != second.uid
    assert [first, second] == told(talk, tmp_path)


def test_words_and_picture_of_a_prompt_are_one_message(tmp_path: Path) -> None:
    """The context of the editor in the same record is another, and injected."""
    talk = ClaudeTranscript().say(
        [
            {"type": "text", "text": "<ide_opened_file>tax.py</ide_opened_file>"},
            {"type": "text", "text": "Why this?"},
            {"type": "image", "source": {}},
        ]
    )

    context, prompt = told(talk, tmp_path)

    assert context.hidden is Hidden.INJECTED
    assert (prompt.role, prompt.content, prompt.hidden) == (Role.USER, "Why this?\n[image]", None)


@pytest.mark.parametrize(
    "fields",
    [{"isMeta": True}, {"message": {"role": "user", "content": "[Request interrupted by user]"}}],
)
def test_user_record_that_no_human_typed(tmp_path: Path, fields: dict[str, Any]) -> None:
    """It is kept as injected, and is nobody's speech."""
    (message,) = told(ClaudeTranscript().say("Base directory for this skill: /x", **fields), tmp_path)

    assert (message.role, message.hidden) == (Role.SYSTEM, Hidden.INJECTED)


def test_error_in_place_of_an_answer_is_injected(tmp_path: Path) -> None:
    """The model did not say that its limit is reached; nor is `<synthetic>` a model."""
    fields = {"isApiErrorMessage": True}
    talk = ClaudeTranscript(model="<synthetic>").reply("You've hit your limit", **fields)

    items = read(talk, tmp_path)

    assert [(m.role, m.hidden) for m in messages(items)] == [(Role.SYSTEM, Hidden.INJECTED)]
    assert all(fact.model is None for fact in facts(items))


def test_summary_of_compaction_is_not_human(tmp_path: Path) -> None:
    """It is a summary, visible, and not the title of the session."""
    items = read(ClaudeTranscript().say("Start").reply("Yes").compact("So far: Redis was rejected."), tmp_path)

    assert messages(items)[-1].kind is Kind.SUMMARY
    assert (messages(items)[-1].role, messages(items)[-1].hidden) == (Role.SYSTEM, None)


def test_thinking_without_words_is_no_message(tmp_path: Path) -> None:
    """Redacted thoughts and bare signatures say nothing."""
    message = {"role": "assistant", "content": [{"type": "redacted_thinking", "data": "x"}]}

    assert told(ClaudeTranscript().think("").reply("", message=message), tmp_path) == []


def test_queued_prompt_that_is_never_delivered_is_kept(tmp_path: Path) -> None:
    """What was typed while the agent worked may exist as a queue operation only."""
    talk = ClaudeTranscript().say("Start").queue("and use SQLite").note("queue-operation", operation="remove")

    assert [(m.role, m.content) for m in told(talk, tmp_path)] == [
        (Role.USER, "Start"),
        (Role.USER, "and use SQLite"),
    ]


@pytest.mark.parametrize("attached", [False, True])
def test_queued_prompt_is_told_once(tmp_path: Path, attached: bool) -> None:
    """Whether it comes again as a prompt or as an attachment; a second equal one is another."""
    talk = ClaudeTranscript().say("Start").queue("go on").reply("…")
    for _ in range(2):
        if attached:
            talk.link("attachment", attachment={"type": "queued_command", "prompt": "go on "})
        else:
            talk.say("go on ")

    assert [m.content.strip() for m in told(talk, tmp_path)] == ["Start", "go on", "…", "go on"]


def test_attached_prompt_is_human(tmp_path: Path) -> None:
    """A prompt typed during a turn may exist as an attachment only; other attachments say nothing."""
    prompt = [{"type": "text", "text": "and use SQLite"}]
    talk = ClaudeTranscript().link("attachment", attachment={"type": "queued_command", "prompt": prompt})
    talk.link("attachment", attachment={"type": "todo_reminder", "content": []})

    assert [(m.role, m.content) for m in told(talk, tmp_path)] == [(Role.USER, "and use SQLite")]


def test_queued_command_without_argument_is_not_speech(tmp_path: Path) -> None:
    """Nor is a notice that a program queued."""
    talk = ClaudeTranscript().queue("/rate-limit-options").queue("<task-notification>x</task-notification>")

    assert told(talk, tmp_path) == []


def test_facts_are_told_when_they_are_new(tmp_path: Path) -> None:
    """The first folder, the latest branch and model, and a title from the first human line."""
    talk = ClaudeTranscript().say("Drop Redis\nplease").reply("Yes").reply("Done")
    talk.branch, talk.cwd = "no-redis", "/elsewhere"
    talk.reply("Pushed")

    told_facts = facts(read(talk, tmp_path))

    assert [fact.cwd for fact in told_facts if fact.cwd] == ["/home/ana/code/shop"]
    assert [fact.branch for fact in told_facts if fact.branch] == ["main", "no-redis"]
    assert [fact.model for fact in told_facts if fact.model] == ["claude-sonnet-4-5-20250929"]
    assert [(f.title, f.title_source) for f in told_facts if f.title] == [("Drop Redis", TitleSource.PROMPT)]


def test_title_given_and_title_summarised(tmp_path: Path) -> None:
    """A name somebody gave is better than a summary; the store decides by the source."""
    talk = ClaudeTranscript().note("custom-title", customTitle="No Redis").note("ai-title", aiTitle="Sessions")

    assert [(f.title, f.title_source) for f in facts(read(talk, tmp_path))] == [
        ("No Redis", TitleSource.GIVEN),
        ("Sessions", TitleSource.SUMMARY),
    ]


def test_summary_names_the_session_its_leaf_is_in(tmp_path: Path) -> None:
    """Summaries of other conversations stand in the file too: only a leaf of this one makes a title."""
    talk = ClaudeTranscript()
    talk.note("summary", summary="Another talk", leafUuid="11111111-0000-4000-8000-000000000000")
    talk.say("Start", isMeta=True)
    early = talk.tip
    talk.reply("Yes").note("summary", summary="At the tip", leafUuid=talk.tip)
    talk.note("summary", summary="Further up", leafUuid=early)
    talk.note("summary", summary="Ahead", leafUuid="22222222-0000-4000-8000-000000000000")
    talk.reply("More", uuid="22222222-0000-4000-8000-000000000000")

    assert [f.title for f in facts(read(talk, tmp_path)) if f.title] == ["At the tip", "Further up", "Ahead"]


def test_sidechain_inside_a_file_is_a_session_of_its_own(tmp_path: Path) -> None:
    """Old versions wrote sub-agents into the main file, without naming them."""
    talk = ClaudeTranscript().say("Start")
    talk.say("Search the code", isSidechain=True, parentUuid=None)
    root = talk.records[-1]["uuid"]
    talk.reply("Found it", isSidechain=True, parentUuid=root).reply("Done")

    items = read(talk, tmp_path)

    side = f"{talk.session}/sidechain-{root[:8]}"
    assert [item.session for item in items if isinstance(item, Said)] == [
        talk.session,
        side,
        side,
        talk.session,
    ]
    assert Facts(session=side, parent=talk.session, relation=Relation.SUBAGENT) in items


def test_named_sidechain_keeps_its_name(tmp_path: Path) -> None:
    """The agent's id is the name of the session."""
    talk = ClaudeTranscript().say("Start").say("Search", isSidechain=True, agentId="a1b2")

    assert [item.session for item in read(talk, tmp_path) if isinstance(item, Said)][1] == f"{talk.session}/a1b2"


def test_sub_agent_of_its_own_file(tmp_path: Path) -> None:
    """The file is the session, the folder's session its parent; its prompt was written by an agent."""
    talk = ClaudeTranscript(agent="a8713ee1").say("Search the code").reply("Found it")

    items = read(talk, tmp_path)

    assert {item.session for item in items if isinstance(item, Said)} == {"agent-a8713ee1"}
    parent = Facts(session="agent-a8713ee1", parent=talk.session, relation=Relation.SUBAGENT)
    assert parent in items
    assert [m.role for m in messages(items)] == [Role.ASSISTANT, Role.ASSISTANT]
    assert [f.title for f in facts(items) if f.title] == ["Search the code"]


def test_file_that_begins_with_another_session(tmp_path: Path) -> None:
    """A resumed session copies the records of the one before it; a branch names it."""
    talk = ClaudeTranscript().say("Start", sessionId="before").reply("Yes")
    branch = ClaudeTranscript().say("Start", forkedFrom={"sessionId": "before", "messageUuid": "x"})

    resumed = Facts(session=talk.session, parent="before", relation=Relation.RESUME)
    forked = Facts(session=talk.session, parent="before", relation=Relation.FORK)
    assert resumed in read(talk, tmp_path)
    assert [fact for fact in facts(read(branch, tmp_path)) if fact.parent] == [forked]


def test_known_records_without_speech_are_passed_over(tmp_path: Path) -> None:
    """They are neither messages nor worth a word."""
    talk = ClaudeTranscript()
    for kind in ("file-history-snapshot", "last-prompt", "mode", "permission-mode", "tag", "cost-state"):
        talk.note(kind)
    talk.link("progress", data={"type": "hook_progress"}).link("system", subtype="turn_duration")

    assert [type(item) for item in read(talk, tmp_path)] == [Mark]


def test_unknown_records_and_blocks_are_named(tmp_path: Path) -> None:
    """What a newer version writes must not vanish unseen."""
    talk = ClaudeTranscript().note("hologram").say([{"type": "smell"}])
    talk.reply("", message={"role": "assistant", "content": [{"type": "gesture"}, 5]})

    items = read(talk, tmp_path)

    unknown = [(item.line, item.unknown) for item in items if isinstance(item, Skipped)]
    assert unknown == [(1, "hologram"), (2, "block:smell"), (3, "block:gesture"), (3, "block:int")]


def test_old_records_have_the_message_on_the_line(tmp_path: Path) -> None:
    """Type `message` with a role is read as well, and content beside the type."""
    path = write_lines(
        tmp_path / "old.jsonl",
        [
            {"type": "message", "role": "user", "content": "Hello", "timestamp": 1_700_000_000},
            {"type": "assistant", "content": "Hi", "timestamp": "1700000001"},
        ],
    )

    found = messages(read_file(ClaudeCode(), path))

    assert [(m.role, m.content, m.ts_ms) for m in found] == [
        (Role.USER, "Hello", 1_700_000_000_000),
        (Role.ASSISTANT, "Hi", 1_700_000_001_000),
    ]


def test_message_without_time_has_that_of_the_one_before(tmp_path: Path) -> None:
    """Order by time must not tear it away."""
    first, second = told(ClaudeTranscript().say("a").say("b", timestamp="soon"), tmp_path)

    assert second.ts_ms == first.ts_ms > 0


def test_broken_line_costs_only_itself(tmp_path: Path) -> None:
    """Lines before and after it are read, with their own numbers."""
    path = ClaudeTranscript().say("a").say("b").save(tmp_path)
    first, second = path.read_bytes().splitlines(keepends=True)
    path.write_bytes(first + b'{"type":"user","mess\n\x00\x00\n' + second)

    items = read_file(ClaudeCode(), path)

    assert [(m.content, m.source_line) for m in messages(items)] == [("a", 1), ("b", 4)]
    assert [item.line for item in items if isinstance(item, Skipped)] == [2, 3]


def test_read_error_is_not_swallowed(tmp_path: Path) -> None:
    """A file that cannot be read to its end must not look complete."""
    with pytest.raises(OSError, match="missing"):
        read_file(ClaudeCode(), tmp_path / "missing.jsonl")


def test_a_role_that_is_no_text_counts_as_absent(tmp_path: Path) -> None:
    """Then the type of the record says who spoke: an assistant's words never become the user's."""
    record = {"type": "assistant", "uuid": "1", "message": {"role": 5, "content": "I did it."}}

    found = messages(read_file(ClaudeCode(), write_lines(tmp_path / "s.jsonl", [record])))

    assert [(m.role, m.content) for m in found] == [(Role.ASSISTANT, "I did it.")]


def test_a_folder_may_have_any_name(tmp_path: Path) -> None:
    """Only a model of this name stands for none."""
    record = {"type": "user", "uuid": "1", "cwd": "<synthetic>", "message": {"role": "user", "content": "Hello."}}

    items = read_file(ClaudeCode(), write_lines(tmp_path / "s.jsonl", [record]))

    assert [fact.cwd for fact in facts(items) if fact.cwd] == ["<synthetic>"]
