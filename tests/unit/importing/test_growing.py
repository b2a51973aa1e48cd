"""A transcript is read again only where it is new; however it changes, nothing is lost and nothing doubled."""

import json
import os
from pathlib import Path

import pytest

from noctuary.app import Memory
from noctuary.importing.batch import MOST_MESSAGES
from noctuary.testing import ClaudeTranscript, CodexTranscript, write_lines
from tests.unit.importing.machine import everything, open_memory, place, said, stored

pytestmark = pytest.mark.slow


def talk(turns: int) -> ClaudeTranscript:
    transcript = ClaudeTranscript("s-1")
    for turn in range(turns):
        transcript.say(f"Question {turn} about apples?").reply(f"Answer {turn} about pears.")
    return transcript


def test_importing_twice_adds_nothing(memory: Memory, home: Path) -> None:
    """The second import finds everything unchanged."""
    talk(3).save(home)
    CodexTranscript().prompt("Ship it.").reply("Shipped.").save(home)
    memory.import_transcripts()
    before = everything(memory)

    report = memory.import_transcripts()

    assert (report.found, report.unchanged, report.messages, report.sessions) == (2, 2, 0, 0)
    assert everything(memory) == before


def test_only_the_tail_is_read(memory: Memory, home: Path) -> None:
    """A grown transcript is read from the saved place on: what was changed before it goes unnoticed."""
    transcript = talk(40)
    path = transcript.save(home)
    memory.import_transcripts()
    seen = place(memory, path)
    head = path.read_bytes().replace(b"Question 20 about apples?", b"Question 20 about RADISH?")
    head = head.replace(b'"Answer 21 about pears."', b'"Answer 21 about pear{{"')
    path.write_bytes(head)
    with path.open("ab") as file:
        file.write(json.dumps(transcript.say("One more?").records[-1]).encode() + b"\n")

    report = memory.import_transcripts()

    assert (report.grown, report.messages, report.malformed) == (1, 1, 0)
    assert stored(memory, "s-1")[40].content == "Question 20 about apples?"
    assert stored(memory, "s-1")[-1].content == "One more?"
    assert place(memory, path).byte_offset == path.stat().st_size > seen.byte_offset
    assert (seen.line, place(memory, path).line) == (80, 81)


@pytest.mark.parametrize("builder", ["claude", "codex"])
def test_grown_at_every_byte(tmp_path: Path, builder: str) -> None:
    """Wherever a transcript was cut off while it was being written, the parts add up to the whole."""
    home, grown = tmp_path / "whole", tmp_path / "grown"
    if builder == "claude":
        written = ClaudeTranscript("s").say("Why?").call("Bash", {"command": "ls"}).result("a.py").reply("So.")
        path = written.queue("Faster!").save(home)
    else:
        path = CodexTranscript().prompt("Why?").call("shell", {"command": "ls"}).result("a.py").reply("So.").save(home)
    whole = path.read_bytes()
    with open_memory(tmp_path / "clean", home) as clean:
        clean.import_transcripts()
        expected = everything(clean)
    copy = grown / path.relative_to(home)
    copy.parent.mkdir(parents=True)

    for cut in range(1, len(whole), 97):
        copy.write_bytes(whole[:cut])
        with open_memory(tmp_path / f"memory-{cut}", grown) as memory:
            memory.import_transcripts()
            copy.write_bytes(whole)
            memory.import_transcripts()
            assert everything(memory) == expected, cut


def test_without_last_newline(memory: Memory, home: Path) -> None:
    """A last line without its newline is imported, and completing it adds nothing."""
    path = talk(2).save(home)
    whole = path.read_bytes()
    path.write_bytes(whole[:-1])
    first = memory.import_transcripts()
    offset = place(memory, path).byte_offset
    path.write_bytes(whole)

    report = memory.import_transcripts()

    assert (first.messages, report.messages) == (4, 0)
    assert offset < place(memory, path).byte_offset == len(whole)
    assert memory.status().messages == 4


def test_torn_line_is_no_malformed_line(memory: Memory, home: Path) -> None:
    """A line that is still being written is not complained about."""
    path = talk(2).save(home)
    path.write_bytes(path.read_bytes()[:-20])

    report = memory.import_transcripts()

    assert (report.messages, report.malformed, report.problems) == (3, 0, [])


def test_truncated(memory: Memory, home: Path) -> None:
    """What a truncated transcript no longer has stays stored; what it says next is added."""
    transcript = talk(3)
    path = transcript.save(home)
    memory.import_transcripts()
    write_lines(path, transcript.records[:2])
    assert memory.import_transcripts().messages == 0
    assert len(stored(memory, "s-1")) == 6

    with path.open("a", encoding="utf-8") as file:
        file.write(json.dumps(transcript.say("After the cut.").records[-1]) + "\n")
    report = memory.import_transcripts()

    assert report.messages == 1
    assert len(stored(memory, "s-1")) == 7


def test_rewritten_by_compaction(memory: Memory, home: Path) -> None:
    """A file that was written anew, with a summary for its beginning, keeps what was stored and adds the rest."""
    transcript = talk(3)
    path = transcript.save(home)
    memory.import_transcripts()
    kept = transcript.records[4:]
    transcript.compact("They talked of fruit.").say("What now?")
    write_lines(path, [*transcript.records[6:8], *kept, *transcript.records[8:]])

    report = memory.import_transcripts()

    assert (report.grown, report.messages) == (1, 2)
    contents = [message.content for message in stored(memory, "s-1")]
    assert contents[6:] == ["They talked of fruit.", "What now?"]
    assert len(set(contents)) == 8


def test_touched(memory: Memory, home: Path) -> None:
    """A new time alone is no change."""
    path = talk(1).save(home)
    memory.import_transcripts()
    os.utime(path, (1, 1))

    assert memory.import_transcripts().unchanged == 1


def test_facts_told_before_the_first_message(memory: Memory, home: Path) -> None:
    """A session met when it had only its first line knows where it ran once somebody speaks in it."""
    transcript = CodexTranscript()
    transcript.save(home)
    assert memory.import_transcripts().skipped == {"no conversation": 1}
    transcript.prompt("Ship it.").save(home)

    memory.import_transcripts()

    found = memory.session(transcript.session)
    assert (found.cwd, found.project, found.source) == (transcript.cwd, "git.example.org/ana/shop", "cli")


def test_facts_outlast_a_batch(memory: Memory, home: Path) -> None:
    """A transcript of several batches is one session with one set of facts."""
    transcript = ClaudeTranscript("s-1", cwd="/nowhere/shop")
    for turn in range(MOST_MESSAGES + 10):
        transcript.say(f"Turn {turn}.")
    transcript.save(home)

    report = memory.import_transcripts()

    assert (report.sessions, report.messages) == (1, MOST_MESSAGES + 10)
    assert [m.id for m in stored(memory, "s-1")] == list(range(1, MOST_MESSAGES + 11))
    assert memory.session("s-1").project == "/nowhere/shop"
    assert memory.session("s-1").title == "Turn 0."


def test_deleted_transcript_stays_remembered(memory: Memory, home: Path) -> None:
    """What agents delete, memory keeps."""
    talk(1).save(home).unlink()
    path = talk(2).save(home)
    memory.import_transcripts()
    path.unlink()

    assert memory.import_transcripts().found == 0
    assert len(said(memory, "s-1")) == 4


def test_source_lines(memory: Memory, home: Path) -> None:
    """Every message knows its line, also when the file was read in parts and has broken lines in it."""
    path = talk(1).save(home)
    with path.open("a", encoding="utf-8") as file:
        file.write("{broken\n\n")
    memory.import_transcripts()
    transcript = talk(1).say("Line five.")
    with path.open("a", encoding="utf-8") as file:
        file.write(json.dumps(transcript.records[-1]) + "\n")

    memory.import_transcripts()

    assert [message.source_line for message in stored(memory, "s-1")] == [1, 2, 5]
