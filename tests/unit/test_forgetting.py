"""What is forgotten is gone: from every table, from the index and from the file; and no import brings it back."""

import json
from pathlib import Path

import pytest

from noctuary.app import Memory
from noctuary.errors import BadInput, SessionNotFound
from noctuary.forgetting import Forgotten
from noctuary.recall.query import parse
from noctuary.records import Message, Role, Session
from noctuary.testing import ClaudeTranscript, CodexTranscript, write_lines
from tests.unit.importing.machine import everything, finds, indexed, open_memory, resume, said, stored

pytestmark = pytest.mark.slow

WORD = "zanzibar77"


def secret_talk(session: str = "s-1", cwd: str = "/nowhere/spice") -> ClaudeTranscript:
    """A conversation in which the word stands in the middle."""
    transcript = ClaudeTranscript(session, cwd=cwd).say("Where do we trade?").reply("In many places.")
    transcript.say(f"Tell nobody of {WORD}, it is where the cloves are kept.").reply("I will not.")
    return transcript.say("Good.")


def file_bytes(memory: Memory) -> bytes:
    """All bytes of the database as they are on disk, its write-ahead log included."""
    return b"".join(path.read_bytes() for path in memory.settings.home.glob("noctuary.db*"))


def parsed(memory: Memory, text: str) -> Forgotten:
    return Forgotten(query=memory.query(text))


WAYS = {
    "session": Forgotten(session="s-1"),
    "project": Forgotten(project="/nowhere/spice"),
    "project by its last part": Forgotten(project="spice"),
    "query": Forgotten(query=parse(WORD, 0)),
    "text": Forgotten(text=f"nobody of {WORD}"),
}


@pytest.mark.parametrize("way", WAYS)
def test_gone_from_everywhere(memory: Memory, home: Path, way: str) -> None:
    """Rows, index entries and the very bytes are gone; the totals are right and the rest is untouched."""
    secret_talk().save(home)
    for number in range(100):
        tea = ClaudeTranscript(f"o-{number}", cwd="/nowhere/tea").say(f"Tea number {number} is brewed in {number}.")
        tea.save(home)
        if number % 5 == 0:  # often enough that the index merges its parts and the file reuses its pages
            memory.import_transcripts()
    memory.import_transcripts()
    assert WORD.encode() in file_bytes(memory)

    removed = memory.forget(WAYS[way])

    assert removed == (1 if way in ("query", "text") else 5)
    assert indexed(memory, WORD) == []
    assert finds(memory, "cloves") == []
    assert WORD.encode() not in file_bytes(memory)
    assert WORD[1:].encode() not in file_bytes(memory)
    assert len(memory.sessions(limit=500)) == (101 if way in ("query", "text") else 100)
    counted = memory.store.lexicon.size(memory.owner)
    memory.rebuild()
    assert memory.store.lexicon.size(memory.owner) == counted
    assert memory.doctor().is_healthy


@pytest.mark.parametrize("way", WAYS)
@pytest.mark.parametrize("change", ["unchanged", "grown", "rewritten", "lost place"])
def test_next_import_does_not_bring_it_back(memory: Memory, home: Path, way: str, change: str) -> None:
    """Whatever became of the transcript, what was forgotten stays forgotten; other messages are as they were."""
    transcript = secret_talk()
    path = transcript.save(home)
    memory.import_transcripts()
    memory.forget(WAYS[way])
    kept = [m.content for m in stored(memory, "s-1")]
    if change == "grown":
        transcript.say("Something else.").save(home)
    elif change == "rewritten":
        write_lines(path, [{"type": "mode", "mode": "x"}, *transcript.records])
    elif change == "lost place":
        path.rename(path.with_name("moved.jsonl")).rename(path.parent / "s-1.jsonl")
        path.touch()

    memory.import_transcripts()

    assert WORD.encode() not in file_bytes(memory)
    added = ["Something else."] if change == "grown" and kept else []
    assert [m.content for m in stored(memory, "s-1")] == kept + added
    memory.rebuild()
    assert indexed(memory, WORD) == []


@pytest.mark.parametrize("way", ["session", "query", "text"])
def test_copies_do_not_bring_it_back(memory: Memory, home: Path, way: str) -> None:
    """A resumed session that copied what was forgotten has only its own."""
    transcript = secret_talk()
    transcript.save(home)
    memory.import_transcripts()
    memory.forget(WAYS[way])
    resume(transcript, "s-2").say("Where were we?").save(home)

    memory.import_transcripts()

    assert said(memory, "s-2") == ["Where were we?"]
    assert WORD.encode() not in file_bytes(memory)


def test_short_message_in_a_fork(memory: Memory, home: Path) -> None:
    """A short message is known by its place in the conversation: its copy in a fork stays out, its like does not."""
    ids = [f"019c9b17-0000-7000-8000-00000000000{n}" for n in (1, 2, 3)]
    parent = CodexTranscript(ids[0]).prompt("The pin?").reply("It is 4711.")
    parent.save(home)
    memory.import_transcripts()
    memory.forget(parsed(memory, "4711"))
    parent.fork(ids[1]).prompt("And now?").save(home)
    CodexTranscript(ids[2]).prompt("A perfume?").reply("It is 4711.").save(home)

    memory.import_transcripts()

    assert said(memory, ids[1]) == ["And now?"]
    assert said(memory, ids[2]) == ["A perfume?", "It is 4711."]


def test_later_session_of_a_forgotten_project(memory: Memory, home: Path) -> None:
    """A project that was forgotten stays forgotten: its later sessions are not imported, nor when they grow."""
    secret_talk().save(home)
    memory.import_transcripts()
    memory.forget(Forgotten(project="/nowhere/spice"))
    later = secret_talk("s-2")
    later.save(home)
    assert memory.import_transcripts().messages == 0
    later.say("And more.").save(home)

    report = memory.import_transcripts()

    assert (report.messages, everything(memory)) == (0, {})
    assert WORD.encode() not in file_bytes(memory)


def test_long_session_of_a_forgotten_project(memory: Memory, home: Path) -> None:
    """Also the later batches of a long transcript belong to the project that its first line names."""
    memory.forget(Forgotten(project="/nowhere/spice"))
    transcript = ClaudeTranscript("s-1", cwd="/nowhere/spice")
    for turn in range(2_500):
        transcript.say(f"Turn {turn}.")
    transcript.save(home)

    assert memory.import_transcripts().messages == 0


@pytest.mark.parametrize(
    ("forgotten", "written", "is_held"),
    [
        ("the blue heron", "We saw THE blue\n heron!", True),
        ("the blue heron", "We saw the blue herons", False),
        ("blue heron", "blue grey heron", False),
        ("cat", "concatenate the files", False),
        ("cat", "the cat's whiskers", True),
        ("café", "in the CAFE today", True),
        ("cafe", "in the Café today", True),
        ("東京", "明日は東京都に行く", True),
        ("東京都", "東京に行く", False),
        ("Über-Uhr", "die über uhr", True),
    ],
)
def test_text_means_words_in_a_row(memory: Memory, home: Path, forgotten: str, written: str, is_held: bool) -> None:
    """What a text removes now is what it keeps out later: these words in a row, in any case and spelling."""
    ClaudeTranscript("now").say("Hello.").reply(written).save(home)
    memory.import_transcripts()

    removed = memory.forget(Forgotten(text=forgotten))
    ClaudeTranscript("later").say("Hello.").reply(written).save(home)
    report = memory.import_transcripts()

    assert (removed, report.forgotten) == (int(is_held), int(is_held))
    assert said(memory, "later") == (["Hello."] if is_held else ["Hello.", written])
    assert said(memory, "now") == said(memory, "later")


def test_title_made_of_what_was_forgotten(memory: Memory, home: Path) -> None:
    """A title goes with the prompt it was made of, and no later import makes it again."""
    for session, way in (("s-1", Forgotten(text=WORD)), ("s-2", parsed(memory, "porcupine"))):
        path = ClaudeTranscript(session).say(f"{WORD} porcupine {session}?").reply("Yes.").save(home)
        memory.import_transcripts()
        memory.forget(way)
        assert memory.session(session).title is None
        path.write_text("\n" + path.read_text())

        memory.import_transcripts()

        assert memory.session(session).title is None
        assert indexed(memory, "porcupine") == []
        assert memory.doctor().is_healthy


def test_title_that_holds_a_forgotten_text(memory: Memory, home: Path) -> None:
    """A text is also kept out of titles that people or agents give."""
    memory.forget(Forgotten(text=WORD))
    ClaudeTranscript("s-1").say("Hello.").note("custom-title", customTitle=f"Trading with {WORD}").save(home)

    memory.import_transcripts()

    assert memory.session("s-1").title == "Hello."
    assert WORD.encode() not in file_bytes(memory)


def test_preview_of_what_was_forgotten(memory: Memory, home: Path) -> None:
    """The preview of a session does not keep what was forgotten."""
    ClaudeTranscript("s-1").say(f"What of {WORD}?").reply("Yes.").save(home)
    memory.import_transcripts()

    memory.forget(Forgotten(text=WORD))

    assert WORD not in (memory.session("s-1").preview or "")
    assert WORD.encode() not in file_bytes(memory)


def test_sub_agents_go_with_their_session(memory: Memory, home: Path) -> None:
    """Forgetting a session forgets what its sub-agents did, in its file, beside it, and later."""
    talk = ClaudeTranscript("main").say("Find the leak.").say("Look!", isSidechain=True, agentId="x")
    talk.save(home)
    ClaudeTranscript("main", agent="a1").say("Search.").save(home)
    memory.import_transcripts()
    assert memory.plan_forgetting(Forgotten(session="main")).sessions == ("main", "main/x", "agent-a1")

    memory.forget(Forgotten(session="main"))
    ClaudeTranscript("main", agent="a2").say("Search again.").save(home)
    memory.import_transcripts()

    assert everything(memory) == {}


def test_neighbours_of_a_match_stay(memory: Memory, home: Path) -> None:
    """Forgetting by query removes the messages with the words, not those that a search shows beside them."""
    secret_talk().save(home)
    memory.import_transcripts()

    memory.forget(parsed(memory, WORD))

    assert said(memory, "s-1") == ["Where do we trade?", "In many places.", "I will not.", "Good."]


def test_plan_changes_nothing(memory: Memory, home: Path) -> None:
    """A plan says what would go and leaves it."""
    secret_talk().save(home)
    memory.import_transcripts()
    before = everything(memory)

    plan = memory.plan_forgetting(Forgotten(text=WORD))

    assert len(plan.messages) == 1
    assert WORD in plan.examples[0]
    assert everything(memory) == before


def test_unknown(memory: Memory, home: Path) -> None:
    """Forgetting what is not there removes nothing, and holds for what comes later."""
    assert memory.forget(Forgotten(session="nobody")) == 0
    assert memory.forget(Forgotten(project="/no/such")) == 0
    assert memory.forget(Forgotten(text="unheard of")) == 0
    assert memory.forget(parsed(memory, "unheard")) == 0
    ClaudeTranscript("nobody").say("Hello.").save(home)

    report = memory.import_transcripts()

    assert (report.skipped, report.messages) == ({"forgotten": 1}, 0)
    assert memory.status().unread == 0


@pytest.mark.parametrize("way", WAYS)
def test_twice(memory: Memory, home: Path, way: str) -> None:
    """Forgetting the same again removes nothing more and harms nothing."""
    secret_talk().save(home)
    memory.import_transcripts()
    memory.forget(WAYS[way])
    before = everything(memory)

    assert memory.forget(WAYS[way]) == 0
    assert everything(memory) == before
    assert memory.doctor().is_healthy


@pytest.mark.parametrize("way", WAYS)
def test_other_owners_are_untouched(memory: Memory, home: Path, way: str, tmp_path: Path) -> None:
    """What one owner forgets, another in the same database keeps and imports."""
    secret_talk().save(home)
    with open_memory(tmp_path / "memory", home, "Ana") as other:
        memory.import_transcripts()
        other.import_transcripts()
        kept = everything(other)

        memory.forget(WAYS[way])
        secret_talk("s-2").save(home)
        report = other.import_transcripts()

        assert everything(other)["s-1"] == kept["s-1"]
        assert report.messages == 5
        assert len(finds(other, WORD)) == 2
        assert other.doctor().is_healthy


@pytest.mark.parametrize(
    "what",
    [
        Forgotten(),
        Forgotten(session="a", text="b"),
        Forgotten(text=""),
        Forgotten(text="=> && …"),
        Forgotten(project=""),
    ],
)
def test_one_thing_at_a_time(memory: Memory, what: Forgotten) -> None:
    """What to forget must be said, and be one thing that can be recognised again."""
    with pytest.raises(BadInput):
        memory.forget(what)


def test_appended_messages(memory: Memory) -> None:
    """What was stored without a transcript is forgotten like the rest."""
    memory.add_session(Session(id="s-1", title="Notes"), [Message(role=Role.USER, content=f"Of {WORD}.")])

    assert memory.forget(Forgotten(session="s-1")) == 1
    with pytest.raises(SessionNotFound):
        memory.session("s-1")
    assert WORD.encode() not in file_bytes(memory)


def test_tombstones_hold_no_words(memory: Memory, home: Path) -> None:
    """A tombstone for a text is a hash: the words cannot be read back from it."""
    secret_talk().save(home)
    memory.import_transcripts()
    memory.forget(Forgotten(text=f"nobody of {WORD}"))

    kept = json.dumps([list(row) for row in memory.store.database.fetch("tombstones", owner=memory.owner)])

    assert WORD not in kept
    assert "nobody" not in kept


def test_looking_through_all_messages_tells_how_far_it_is(memory: Memory, home: Path) -> None:
    """To forget a text reads all that may have it in any spelling; whoever watches is told how much that is."""
    transcript = ClaudeTranscript("s-1").say("The codename is Nightjar.").reply("Noted.")
    transcript.say("The codename is Ｎｉｇｈｔｊａｒ, in full width").save(home)
    memory.import_transcripts()
    told: list[tuple[int, int]] = []

    memory.forget(Forgotten(text="codename is Nightjar"), progress=lambda done, total: told.append((done, total)))

    assert told == [(0, 2)]
