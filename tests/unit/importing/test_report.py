"""The report accounts for every transcript and every line that was left out."""

import errno
from dataclasses import replace
from pathlib import Path

import pytest

from noctuary.app import Memory
from noctuary.forgetting import Forgotten
from noctuary.importing.batch import MOST_MESSAGES
from noctuary.importing.run import Importer, discover
from noctuary.testing import ClaudeTranscript, CodexTranscript, FailingAdapter, write_lines
from noctuary.transcripts.claude_code import ClaudeCode
from noctuary.transcripts.codex import Codex
from tests.unit.importing.machine import accounted, everything, open_memory, stored

pytestmark = pytest.mark.slow


def test_every_transcript_is_counted_once(memory: Memory, home: Path) -> None:
    """What was found is new, grown, unchanged or skipped with a reason; together they are all."""
    ClaudeTranscript("unchanged").say("Same.").save(home)
    grown = ClaudeTranscript("grown").say("More.")
    grown.save(home)
    ClaudeTranscript("forgotten").say("Gone.").save(home)
    memory.import_transcripts()
    memory.forget(Forgotten(session="forgotten"))
    folder = grown.reply("And more.").save(home).parent
    ClaudeTranscript("new").say("Fresh.").save(home)
    (folder / "empty.jsonl").touch()
    (folder / "binary.jsonl").write_bytes(bytes(range(256)) * 10)

    report = memory.import_transcripts()

    assert (report.found, report.new, report.grown, report.unchanged) == (6, 1, 1, 1)
    assert report.skipped == {"forgotten": 1, "empty": 1, "no conversation": 1}
    assert report.found == accounted(report)


def test_malformed_lines_are_counted_and_named(memory: Memory, home: Path) -> None:
    """Each line that cannot be read is counted, the first are named with file and line, and the rest is imported."""
    path = ClaudeTranscript("s-1").say("One.").reply("Two.").save(home)
    lines = path.read_text().splitlines()
    path.write_text("\n".join([lines[0], "{oops", "[1]", lines[1], '"text"']) + "\n")

    report = memory.import_transcripts()

    assert (report.messages, report.malformed) == (2, 3)
    assert report.problems[0] == f"{path}:2: not valid JSON; the line was left out."
    assert len(report.problems) == 3


def test_many_malformed_lines(memory: Memory, home: Path) -> None:
    """Only the first problems are told in words; all are counted."""
    path = ClaudeTranscript("s-1").say("One.").save(home)
    with path.open("a") as file:
        file.write("{oops\n" * 1000)

    report = memory.import_transcripts()

    assert report.malformed == 1000
    assert len(report.problems) == 20


def test_unknown_types_are_counted_by_name(memory: Memory, home: Path) -> None:
    """Records of a type nobody has met are counted by agent and type: the first sign that a format has changed."""
    ClaudeTranscript("s-1").say("One.").note("hologram").note("hologram").note("telepathy").save(home)
    CodexTranscript().prompt("Two.").event("mind_reading").line("aura", {"a": 1}).save(home)

    report = memory.import_transcripts()

    assert report.unknown == {
        "claude-code: hologram": 2,
        "claude-code: telepathy": 1,
        "codex: event_msg/mind_reading": 1,
        "codex: aura": 1,
    }
    assert report.malformed == 0


def test_nothing_found(memory: Memory) -> None:
    """A machine without transcripts gives an empty report."""
    report = memory.import_transcripts()

    assert (report.found, report.problems) == (0, [])


def reading_with_a_fault(memory: Memory, path: Path, error: OSError) -> Importer:
    """An import to which one transcript of Codex cannot be read."""
    return Importer(memory.store, memory.owner, readers=[FailingAdapter(Codex(), path, after=1, error=error)])


def test_a_fork_waits_for_a_parent_that_cannot_be_read(memory: Memory, home: Path, tmp_path: Path) -> None:
    """What both say would be there twice otherwise; when the parent can be read again, all is as if it always could."""
    parent = CodexTranscript().prompt("Never commit the cart fixtures.").reply("I will not.")
    path, child = parent.save(home), parent.fork("019c9b17-0000-7000-8000-000000000002")
    fork = child.prompt("And the voucher fixtures?").save(home)

    report = reading_with_a_fault(memory, path, OSError(errno.EIO, "Input/output error")).run(discover(memory.settings))

    assert (report.new, report.skipped) == (0, {"unreadable": 1, "waits for its parent": 1})
    assert report.found == accounted(report) == 2
    assert f"{fork}: it repeats {path}, which cannot be read now" in "".join(report.problems)
    memory.import_transcripts()
    with open_memory(tmp_path / "clean", home) as clean:
        clean.import_transcripts()
        assert everything(memory) == everything(clean)


def test_nobody_waits_for_what_is_not_theirs_to_read(memory: Memory, home: Path) -> None:
    """A parent of somebody else is never read, so its fork keeps what it repeats."""
    parent = CodexTranscript().prompt("Never commit the cart fixtures.").reply("I will not.")
    path = parent.save(home)
    parent.fork("019c9b17-0000-7000-8000-000000000002").prompt("And the voucher fixtures?").save(home)

    report = reading_with_a_fault(memory, path, PermissionError(errno.EACCES, "Permission denied")).run(
        discover(memory.settings)
    )

    assert (report.new, report.messages, report.skipped) == (1, 3, {"unreadable": 1})


def test_read_error_midway(memory: Memory, home: Path, tmp_path: Path) -> None:
    """A transcript that cannot be read to its end keeps what was stored, says so, and is completed next time."""
    transcript = ClaudeTranscript("s-1")
    for turn in range(MOST_MESSAGES + 500):
        transcript.say(f"Turn {turn}.")
    path = transcript.save(home)
    ClaudeTranscript("s-2").say("Not concerned.").save(home)
    importer = Importer(memory.store, memory.owner)
    failing = FailingAdapter(
        ClaudeCode(), path, after=MOST_MESSAGES + 400, error=OSError(errno.EIO, "Input/output error")
    )
    importer.adapters = {failing.name: failing}

    report = importer.run(discover(memory.settings))

    assert report.found == accounted(report) == 2
    assert (report.new, report.skipped) == (1, {"unreadable": 1})
    assert "Input/output error" in report.problems[0]
    assert 0 < len(stored(memory, "s-1")) < MOST_MESSAGES + 400
    assert memory.status().interrupted == [(str(path), "Input/output error")]

    assert memory.import_transcripts().grown == 1
    assert memory.status().interrupted == []
    with open_memory(tmp_path / "clean", home) as clean:
        clean.import_transcripts()
        assert everything(memory) == everything(clean)


def test_read_error_at_once(memory: Memory, home: Path) -> None:
    """A transcript that fails before anything could be stored is new again next time."""
    path = ClaudeTranscript("s-1").say("One.").say("Two.").save(home)
    importer = Importer(memory.store, memory.owner)
    failing = FailingAdapter(ClaudeCode(), path, after=2, error=OSError(errno.ESTALE, "Stale file handle"))
    importer.adapters = {failing.name: failing}
    importer.run(discover(memory.settings))
    assert stored(memory, "s-1") == []

    report = memory.import_transcripts()

    assert (report.new, report.messages) == (1, 2)


def test_error_mark_is_removed(memory: Memory, home: Path) -> None:
    """A transcript once interrupted is no longer called so when there is nothing more to read in it."""
    path = ClaudeTranscript("s-1").say("One.").save(home)
    memory.import_transcripts()
    saved = memory.store.places.find(memory.owner, str(path))
    assert saved
    memory.store.places.save(memory.owner, str(path), replace(saved, error="Input/output error"))

    memory.import_transcripts()

    assert memory.status().interrupted == []


def test_transcript_removed_while_importing(memory: Memory, home: Path) -> None:
    """A transcript that an agent deletes while the import goes on stops nothing, and what was read of it is kept."""
    first = ClaudeTranscript("s-1").say("Short-lived.").save(home)
    second = ClaudeTranscript("s-2")
    for turn in range(MOST_MESSAGES + 10):
        second.say(f"Turn {turn}.")
    second.save(home)
    write_lines(first.parent / "s-3.jsonl", ClaudeTranscript("s-3").say("Last.").records)

    report = memory.import_transcripts(progress=lambda _done, _all: first.unlink(missing_ok=True))

    assert report.found == accounted(report)
    assert len(stored(memory, "s-2")) == MOST_MESSAGES + 10
    assert stored(memory, "s-3")
    assert memory.import_transcripts().found == 2


def test_progress(memory: Memory, home: Path) -> None:
    """Whoever watches is told how many bytes of all were read, never more than all, and at the end all."""
    paths = [ClaudeTranscript(f"s-{n}").say("Hello." * n).save(home) for n in range(1, 4)]
    told: list[tuple[int, int]] = []

    memory.import_transcripts(progress=lambda done, total: told.append((done, total)))

    total = sum(path.stat().st_size for path in paths)
    assert {of for _, of in told} == {total}
    assert [done for done, _ in told] == sorted(done for done, _ in told)
    assert told[-1] == (total, total)


def test_an_agent_of_which_nothing_came_in_is_not_named(memory: Memory, home: Path) -> None:
    """A transcript that was written again with the same words is read, and its agent has no part in the import."""
    path = ClaudeTranscript("same").say("Same.").save(home)
    memory.import_transcripts()
    path.write_text(path.read_text() + '{"type":"summary","summary":"Sameness","leafUuid":"x"}\n')

    report = memory.import_transcripts()

    assert (report.grown, report.messages, report.by_agent) == (1, 0, {})
