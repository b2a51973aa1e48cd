"""The drill: everything is copied, wiped and put back, and nobody could tell; a dream then does nothing twice."""

import shutil
from collections.abc import Callable
from datetime import timedelta
from pathlib import Path

import pytest

from noctuary.app import Memory
from noctuary.dreams import Eligibility, RunStatus
from noctuary.records import Session
from noctuary.testing import START, ClaudeTranscript, CodexTranscript, FakeClock
from tests.unit.snapshot.memories import PROJECT, files_of, open_memory

LATER = "6f1c1f6e-0000-4000-8000-000000000009"
QUESTIONS = ("redis sessions", "prices in cents", "time zone", "flaky test", "expiry index")


def talk(user_home: Path) -> list[str]:
    """Sessions of two agents; the user states rules, and the agents find things out."""
    first = ClaudeTranscript().say("The tax test is flaky. Find out why.")
    first.reply("The cause is the time zone: the test reads the local clock.").say("Freeze the clock in it.")
    first.reply("Done. The tests pass in every time zone now.").save(user_home)
    second = ClaudeTranscript("6f1c1f6e-0000-4000-8000-000000000002", start=START + timedelta(days=1))
    second.say("We must never store prices as floats; always use whole cents.").reply("Prices are whole cents now.")
    second.say("Remember: releases are cut on Tuesdays.").reply("Noted.").save(user_home)
    third = CodexTranscript(start=START + timedelta(days=2))
    third.prompt("Decision: no Redis for sessions, a SQLite table with an expiry index is enough.")
    third.reply("Sessions live in SQLite now; Redis is gone from the compose file.").save(user_home)
    return [first.session, second.session, third.session]


def talk_more(user_home: Path) -> None:
    """One more session, which no dream has read."""
    more = ClaudeTranscript(LATER, start=START + timedelta(days=3))
    more.say("From now on, always run the linter before a commit.").reply("The hook runs it now.").save(user_home)


@pytest.fixture
def live(tmp_path: Path) -> Memory:
    """A memory with sessions dreamt of and one that waits, notes, memories and pages."""
    memory = open_memory(tmp_path / "live", tmp_path / "user")
    sessions = talk(tmp_path / "user")
    memory.import_transcripts()
    work = memory.work(PROJECT)
    task = work.open_task("Move sessions to SQLite", goal="No Redis in production")
    work.note("decision", "Sessions live in SQLite.", node=task)
    work.remember("The shop has one small VM.")
    for session in sessions:
        memory.dreams.end_session(session)
    memory.dream()
    talk_more(tmp_path / "user")
    memory.import_transcripts()
    memory.dreams.end_session(LATER)
    return memory


def everything(memory: Memory) -> list[object]:
    """What a memory answers, where each session stands, and what is in its journals."""
    sessions: list[Session] = memory.sessions()
    work = memory.work(PROJECT)
    return [
        [[(hit.session.id, hit.anchor_id, hit.snippet) for hit in memory.search(text).hits] for text in QUESTIONS],
        {session.id: memory.dreams.eligibility(session.id) for session in sessions},
        memory.dreams.waiting(),
        memory.dreams.log(),
        memory.verify_journals(),
        work.tasks(),
        [entry.event for entry in work.entries()],
        work.memories(held_only=False),
        memory.store.dreams.dump(memory.owner),
    ]


def restore_elsewhere(made: Path, tmp_path: Path) -> Path:
    """On another machine, where nothing is."""
    shutil.rmtree(tmp_path / "live")
    Memory.restore(made, tmp_path / "elsewhere", clock=FakeClock())
    return tmp_path / "elsewhere"


def restore_in_place(made: Path, tmp_path: Path) -> Path:
    """On the same one, after all was lost."""
    shutil.rmtree(tmp_path / "live")
    Memory.restore(made, tmp_path / "live", clock=FakeClock())
    return tmp_path / "live"


def restore_over(made: Path, tmp_path: Path) -> Path:
    """In place of a memory that went on."""
    Memory.restore(made, tmp_path / "live", replace=True, clock=FakeClock())
    return tmp_path / "live"


@pytest.mark.parametrize("put_back", [restore_elsewhere, restore_in_place, restore_over])
@pytest.mark.parametrize("name", ["kept", "kept.tar.gz"])
def test_r28_d27_snapshot_wipe_restore_retrigger(
    live: Memory, tmp_path: Path, name: str, put_back: Callable[[Path, Path], Path]
) -> None:
    """The same answers, eligibility, journals and pages; the next dream reads what waited, the one after it nothing."""
    before, files = everything(live), files_of(live.settings.home)
    assert any(name.endswith("MEMORY.md") for name in files)
    assert live.dreams.eligibility(LATER) is Eligibility.ELIGIBLE
    made = live.snapshot(tmp_path / name).path
    live.close()

    home = put_back(made, tmp_path)

    with open_memory(home, tmp_path / "user") as again:
        assert everything(again) == before
        kept = {name: content for name, content in files.items() if not name.startswith("state/")}
        assert {name: content for name, content in files_of(home).items() if not name.startswith("state/")} == kept
        first = again.dream().report
        assert [session.session for session in first.sessions] == [LATER]
        pages, events = files_of(home), again.store.events.count(again.owner)
        second = again.dream().report
        assert (second.processed, second.kept, [*second.changes]) == (0, 0, [])
        assert again.store.events.count(again.owner) == events
        assert files_of(home) == pages


def test_d29_r28_import_after_a_restore_adds_nothing(live: Memory, tmp_path: Path) -> None:
    """Transcripts that were read before the snapshot are not read again, and no session is completed twice."""
    made = live.snapshot(tmp_path / "kept").path
    before = live.store.dreams.dump(live.owner)
    live.close()
    home = restore_in_place(made, tmp_path)

    with open_memory(home, tmp_path / "user") as again:
        assert again.import_transcripts().messages == 0
        again.dreams.end_session(LATER)
        assert again.store.dreams.dump(again.owner) == before
        assert again.dreams.run_if_due().status is RunStatus.NOT_DUE
