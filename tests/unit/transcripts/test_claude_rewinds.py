"""Going back in a conversation of Claude Code, and what only looks like it."""

from pathlib import Path

from noctuary.testing import ClaudeTranscript, messages, read_file
from noctuary.transcripts.claude_code import ClaudeCode
from noctuary.transcripts.items import Item, Mark, Place, Rewound, Said


def read(transcript: ClaudeTranscript, home: Path) -> list[Item]:
    return read_file(ClaudeCode(), transcript.save(home))


def taken_back(items: list[Item]) -> list[list[str]]:
    """The words of what was rewound, one list a time."""
    words = {message.uid: message.content for message in messages(items)}
    return [[words[uid] for uid in item.uids] for item in items if isinstance(item, Rewound)]


def test_going_back_once(tmp_path: Path) -> None:
    """What followed the record gone back to is no longer part of the conversation."""
    talk = ClaudeTranscript().say("one").reply("answer one")
    fork = talk.tip
    talk.say("two").call("Bash", {"command": "ls"}).result("files").reply("answer two")
    talk.back_to(fork).say("better two").reply("better answer")

    items = read(talk, tmp_path)

    assert taken_back(items) == [["two", "ls", "files", "answer two"]]
    index = next(at for at, item in enumerate(items) if isinstance(item, Rewound))
    following = items[index + 1]
    assert isinstance(following, Said)
    assert following.message.content == "better two"


def test_going_back_twice_to_the_same_record(tmp_path: Path) -> None:
    """Each time only what was new is taken back."""
    talk = ClaudeTranscript().say("one").reply("answer one")
    fork = talk.tip
    for attempt in ("a", "b", "c"):
        talk.back_to(fork).say(attempt).reply(f"answer {attempt}")

    assert taken_back(read(talk, tmp_path)) == [["a", "answer a"], ["b", "answer b"]]


def test_going_back_further_the_second_time(tmp_path: Path) -> None:
    """What was taken back already is not taken back again."""
    talk = ClaudeTranscript().say("one").reply("1")
    early = talk.tip
    talk.say("two").reply("2")
    late = talk.tip
    talk.say("three").back_to(late).say("three b").back_to(early).say("two b")

    assert taken_back(read(talk, tmp_path)) == [["three"], ["two", "2", "three b"]]


def test_prompt_without_parent_takes_nothing_back(tmp_path: Path) -> None:
    """A record without a parent follows a cleared or resumed conversation, not a change of mind."""
    talk = ClaudeTranscript().say("one").reply("1").back_to(None).say("two").reply("2")

    assert taken_back(read(talk, tmp_path)) == []


def test_prompt_with_a_parent_from_another_file_takes_nothing_back(tmp_path: Path) -> None:
    """Nothing here hangs below it."""
    talk = ClaudeTranscript().say("one").reply("1").back_to("99999999-0000-4000-8000-000000000000").say("two")

    assert taken_back(read(talk, tmp_path)) == []


def test_parallel_calls_are_no_change_of_mind(tmp_path: Path) -> None:
    """Each result hangs below its own call, in any order, and the next prompt below either."""
    talk = ClaudeTranscript().say("one").call("Read", {"file_path": "a"})
    call_a, record_a = talk.last_call, talk.tip
    talk.call("Read", {"file_path": "b"})
    call_b, record_b = talk.last_call, talk.tip
    talk.back_to(record_b).result("B", call=call_b)
    after_b = talk.tip
    talk.back_to(record_a).result("A", call=call_a).back_to(after_b).say("stop").reply("Stopped")

    assert taken_back(read(talk, tmp_path)) == []


def test_a_refused_call_is_no_change_of_mind(tmp_path: Path) -> None:
    """Its result is the user's word, but hangs below its own call as any other."""
    talk = ClaudeTranscript().say("one").call("Bash", {"command": "a"})
    call_a, record_a = talk.last_call, talk.tip
    talk.call("Bash", {"command": "b"}).result("B")
    talk.back_to(record_a).result("Rejected.", call=call_a, failed=True, toolDenialKind="user-rejected").reply("Well")

    assert taken_back(read(talk, tmp_path)) == []


def test_records_beside_the_chain_are_no_change_of_mind(tmp_path: Path) -> None:
    """Notices of duration, progress and interruption may hang below the answer beside the next prompt."""
    talk = ClaudeTranscript().say("one").reply("1")
    answer = talk.tip
    talk.link("system", subtype="turn_duration").link("progress", data={})
    talk.back_to(answer).say("[Request interrupted by user]").back_to(answer).say("two")

    assert taken_back(read(talk, tmp_path)) == []


def test_sidechains_are_no_change_of_mind(tmp_path: Path) -> None:
    """A sub-agent's records hang on a chain of their own."""
    talk = ClaudeTranscript().say("one").call("Task", {"prompt": "search"})
    talk.say("search", isSidechain=True, parentUuid=None).reply("found", isSidechain=True)
    talk.result("found").say("two")

    assert taken_back(read(talk, tmp_path)) == []


def test_going_back_across_a_compaction(tmp_path: Path) -> None:
    """The boundary names no parent but a logical one, and goes with the rest."""
    talk = ClaudeTranscript().say("one").reply("1")
    early = talk.tip
    talk.say("two").compact("summary").say("three").back_to(early).say("two b")

    assert taken_back(read(talk, tmp_path)) == [["two", "summary", "three"]]


def test_command_after_going_back_counts(tmp_path: Path) -> None:
    """The first record on the new branch may be what a command put there."""
    talk = ClaudeTranscript().say("one").reply("1")
    early = talk.tip
    talk.say("two").reply("2").back_to(early).say("Caveat: …", isMeta=True).say("three")

    assert taken_back(read(talk, tmp_path)) == [["two", "2"]]


def test_queued_prompt_is_taken_back_with_its_branch(tmp_path: Path) -> None:
    """Though it is known by another uid than that of the record that delivered it."""
    talk = ClaudeTranscript().say("one").reply("1")
    early = talk.tip
    talk.say("two").queue("hurry").reply("2").say("hurry").reply("3").back_to(early).say("two b")

    assert taken_back(read(talk, tmp_path)) == [["two", "2", "hurry", "3"]]


def test_going_back_to_before_a_saved_place(tmp_path: Path) -> None:
    """What the tail does not know is looked up in the head, which is not told again."""
    talk = ClaudeTranscript().say("one").reply("1")
    early = talk.tip
    talk.say("two").reply("2")
    last = read(talk, tmp_path)[-1]
    assert isinstance(last, Mark)
    talk.back_to(early).say("two b").reply("3")
    path = talk.save(tmp_path)

    rest = read_file(ClaudeCode(), path, last.place)

    assert rest[:-1] == [item for item in read_file(ClaudeCode(), path) if item in rest[:-1]]
    assert [type(item) for item in rest] == [Rewound, Said, Said, Mark]
    assert taken_back(read_file(ClaudeCode(), path, Place())) == [["two", "2"]]


def test_ids_need_not_be_uuids(tmp_path: Path) -> None:
    """Any string names a record."""
    talk = ClaudeTranscript().say("one", uuid="msg-1").say("two", uuid="msg-2").reply("2", uuid="MSG-3")
    talk.back_to("msg-1").say("two b", uuid="msg-4")

    assert [item.uids for item in read(talk, tmp_path) if isinstance(item, Rewound)] == [("msg-2", "MSG-3")]
