"""Points of the systems before us that no other test of dreams stands for; their numbers are in decision 16."""

from collections.abc import Callable
from datetime import timedelta
from pathlib import Path

import pytest

from noctuary.authored import EventStatus, EventType
from noctuary.dream.life.completing import end_session, record_completion
from noctuary.dream.life.eligibility import eligibility
from noctuary.dream.life.hygiene import tidy
from noctuary.dream.life.schedule import due
from noctuary.dream.night import Night
from noctuary.dream.pages.writing import page_path
from noctuary.dream.run import Wanted, dream
from noctuary.dreams import DreamStatus, Eligibility, RunStatus, Trigger
from noctuary.errors import ModelUnreachable
from noctuary.models.rules.extractor import RulesExtractor
from noctuary.records import Status
from noctuary.testing import FakeClock
from tests.unit.dream.nights import OWNER, PROJECT, add_messages, add_session, damage, open_night, records, stored
from tests.unit.dream.proposing import memories, read, said
from tests.unit.dream.reading_by_script import Verbatim

pytestmark = pytest.mark.slow

TABS = "Always indent the shop with tabs, never with spaces."
FRIDAY = "Never deploy the shop on a Friday afternoon."


def page(night: Night) -> str:
    return page_path(night.home, OWNER, PROJECT).read_text(encoding="utf-8")


def by_verb(night: Night, _: FakeClock) -> None:
    end_session(night, "s-1")


def by_idleness(night: Night, clock: FakeClock) -> None:
    clock.advance(timedelta(hours=25))
    tidy(night)


def by_transcript(night: Night, _: FakeClock) -> None:
    """An import says that a session has ended; nobody records it but the next run."""
    number, _session = night.store.sessions.find(OWNER, "s-1") or (0, None)
    night.store.sessions.set_status(number, Status.ENDED, night.now_ms())
    dream(night, Verbatim())


@pytest.mark.parametrize("trigger", [by_verb, by_idleness, by_transcript])
def test_d2_whoever_ends_a_session_it_is_the_same(
    night: Night, clock: FakeClock, trigger: Callable[[Night, FakeClock], None]
) -> None:
    """A trigger only says that a session is over: whether and what a dream reads of it is decided in one place."""
    add_session(night, "s-1", TABS, "Yes.")

    trigger(night, clock)

    (record,) = records(night, "s-1")
    assert (record.epoch, record.status, record.first_id, record.last_id) == (1, DreamStatus.PENDING, 1, 2)
    assert eligibility(night, "s-1") is Eligibility.ELIGIBLE


def test_d6_whether_a_session_is_read_is_not_when(night: Night) -> None:
    """A session is a candidate long before a dream is due; thresholds move only the hour."""
    add_session(night, "s-1", TABS)
    end_session(night, "s-1")

    assert due(night) is None
    assert eligibility(night, "s-1") is Eligibility.ELIGIBLE
    sooner = night._replace(settings=night.settings._replace(session_count=1))
    assert (due(sooner), eligibility(sooner, "s-1")) == (Trigger.SESSION_COUNT, Eligibility.ELIGIBLE)


def test_d12_what_came_of_a_session_can_be_found_from_it_and_back(night: Night) -> None:
    """A record names the entries it gave and the line that says so; each entry names its run, session and epoch."""
    add_session(night, "s-1", TABS, "Yes.")
    end_session(night, "s-1")
    report = dream(night, Verbatim(), trigger=Trigger.MANUAL)

    (record,) = records(night, "s-1")
    entries = [night.ledger.entry(name) for name in record.artifacts]
    assert tuple(report.sessions[0].events) == record.artifacts[:-1]
    assert all(entry is not None for entry in entries)
    marks = [entry.event.meta["dream"] for entry in entries if entry]
    assert {(mark["run"], mark["session"], mark["epoch"]) for mark in marks} == {(report.run, "s-1", 1)}


def test_d20_a_session_that_goes_on_is_ended_by_nobody(night: Night, clock: FakeClock) -> None:
    """Every session can be ended by whoever knows its id; as long as nobody does and it is not idle, it goes on."""
    add_session(night, "s-1", TABS)
    clock.advance(timedelta(hours=20))
    add_messages(night, "s-1", FRIDAY)
    clock.advance(timedelta(hours=20))

    dream(night, Verbatim(), trigger=Trigger.MANUAL)
    assert stored(night, "s-1").status is Status.ACTIVE
    assert records(night, "s-1") == []

    end_session(night, "s-1")
    assert dream(night, Verbatim(), trigger=Trigger.MANUAL).processed == 1


def test_d22_what_fails_before_the_reading_does_not_stop_it(night: Night, clock: FakeClock, home: Path) -> None:
    """A run closes what is idle, then reads, then writes; a session that cannot be closed is told, the others read."""
    add_session(night, "good", TABS)
    add_session(night, "bad", FRIDAY)
    record_completion(night, "bad")
    add_messages(night, "bad", "More.")
    damage(home, "update dream_sessions set status = 'nonsense' where session = 'bad'")
    clock.advance(timedelta(hours=25))

    closed = tidy(night, is_forced=True)

    assert [failure.session for failure in closed.failures] == ["bad"]
    assert "good" in closed.recorded
    assert [record.session for record in records(night, "good")] == ["good"]


def test_d34_whoever_asks_gets_a_run_though_nothing_waits(night: Night, clock: FakeClock) -> None:
    """Pages are written anew, what was edited by hand is taken in, and the last run is this one."""
    add_session(night, "s-1", TABS)
    end_session(night, "s-1")
    dream(night, Verbatim(), trigger=Trigger.MANUAL)
    path = page_path(night.home, OWNER, PROJECT)
    path.unlink()
    night.store.pages.mark_due(OWNER, PROJECT)
    clock.advance(timedelta(hours=1))

    report = dream(night, Verbatim(), trigger=Trigger.MANUAL)

    assert (report.status, report.considered, report.processed) == (RunStatus.COMPLETED, 0, 0)
    assert TABS in page(night)
    assert night.store.dreams.state(OWNER).last_success_ms == night.now_ms()
    assert dream(night, Verbatim()).status is RunStatus.NOT_DUE


def test_d40_a_run_says_what_each_part_of_it_touched(night: Night) -> None:
    """Looking around, reading, checking and writing: each with its numbers, and the files and projects by name."""
    for number in range(3):
        add_session(night, f"s-{number}", f"{TABS} ({number})")
        end_session(night, f"s-{number}")

    report = dream(night, Verbatim(), trigger=Trigger.MANUAL)

    phases = {phase.name: phase for phase in report.phases}
    assert [*phases] == ["orientation", "extraction", "verification", "writing"]
    assert phases["orientation"].summary == "3 completed sessions wait to be read."
    assert phases["extraction"].summary.startswith(f"{report.kept} entries from 3 sessions")
    assert phases["extraction"].touched == (PROJECT,)
    assert str(page_path(night.home, OWNER, PROJECT)) in phases["writing"].touched


def test_d41_c11_however_many_wait_and_whatever_they_are_called_all_are_read_once(night: Night) -> None:
    """Not the last five by name: each session has a place of its own, so rare runs lose nothing."""
    names = ["zz", "notes", "2026-01-01", "a", "Ä", *(f"s-{number}" for number in range(8))]
    for name in names:
        add_session(night, name, f"In {name} prices are whole cents and never floats.")
        end_session(night, name)
    reader = Verbatim()

    assert dream(night, reader, trigger=Trigger.MANUAL).processed == len(names)
    assert dream(night, reader, trigger=Trigger.MANUAL).processed == 0
    assert sorted(name for name, _, _ in reader.read) == sorted(names)


def test_d42_what_was_said_first_is_read_first(night: Night) -> None:
    """However sessions came to wait, the later word is taken for the later one: the page has what was said last."""
    add_session(night, "later", "Use SQLite for sessions", ts_ms=night.now_ms())
    add_session(night, "earlier", "Use Redis for sessions", ts_ms=night.now_ms() - 86_400_000)
    for name in ("later", "earlier"):
        end_session(night, name)

    reader = Verbatim()
    dream(night, reader, trigger=Trigger.MANUAL)

    assert [name for name, _, _ in reader.read] == ["earlier", "later"]
    assert "SQLite" in page(night)
    assert "Redis" not in page(night)


def test_d55_a_dream_writes_nowhere_but_in_the_memory(night: Night, tmp_path: Path) -> None:
    """The project and the user's folder are only read: not a byte of them changes, unless a mirror was asked for."""
    project, user_home = tmp_path / "shop", tmp_path / "user"
    for path in (project / "CLAUDE.md", project / "src" / "a.py", user_home / ".claude" / "CLAUDE.md"):
        path.parent.mkdir(parents=True, exist_ok=True)
        path.write_text("Mine.\n")
    before = _all_of(project, user_home)
    add_session(night, "s-1", f"{TABS} It is in `src/a.py`.", project=str(project), cwd=str(project))
    end_session(night, "s-1")

    report = dream(night, RulesExtractor(), trigger=Trigger.MANUAL, user_home=user_home)

    assert report.pages
    assert all(Path(file).is_relative_to(night.home) for file in report.pages)
    assert _all_of(project, user_home) == before


def _all_of(*folders: Path) -> dict[str, tuple[bytes, float]]:
    found = [path for folder in folders for path in folder.rglob("*") if path.is_file()]
    return {str(path): (path.read_bytes(), path.stat().st_mtime) for path in found}


def test_c1_a_dream_reads_what_was_said(night: Night) -> None:
    """What is kept is a sentence of the conversation with its quote, not a line about the session."""
    add_session(night, "s-1", TABS, "Done, all files of the shop are indented with tabs now.")
    end_session(night, "s-1")

    dream(night, RulesExtractor(), trigger=Trigger.MANUAL)

    assert "indent the shop with tabs" in page(night)
    assert "s-1" not in page(night)


def test_c19_a_session_waits_the_moment_it_ends(night: Night) -> None:
    """Whoever's session it is and whatever its id: nobody has to wait for a day of silence."""
    for name in ("0b7c8f5e-5a52-4f0b-9f3c-2c5d4f1f0a11", "explicit id", "agent-a1"):
        add_session(night, name, f"{TABS} ({name})")
        end_session(night, name)

    assert len(night.store.dreams.waiting(OWNER, night.now_ms(), is_asked=False)) == 3


def test_j7_4_nothing_is_passed_over_for_good(night: Night, clock: FakeClock) -> None:
    """Neither a session that failed, nor those that a limited or a narrowed run left: the next run has them."""
    for number in range(4):
        add_session(night, f"s-{number}", f"{TABS} ({number})")
        end_session(night, f"s-{number}")
    failing = Verbatim({"s-0": ModelUnreachable("The model is away.")})

    dream(night, failing, trigger=Trigger.MANUAL, wanted=Wanted(most=1))
    dream(night, failing, trigger=Trigger.MANUAL, wanted=Wanted(sessions=["s-2"]))
    clock.advance(timedelta(days=1))
    reader = Verbatim()
    dream(night, reader)

    assert [name for name, _, _ in reader.read] == ["s-0", "s-1", "s-3"]


def test_j7_6_the_whole_history_is_compared_by_what_it_says(night: Night) -> None:
    """A paraphrase of the first of fifty entries adds nothing; the same numbers the other way round do."""
    raised = said(EventType.DECISION, "Raised the timeout of the payment client from 30s to 60s")
    read(night, "s-0", said(EventType.DECISION, "Use SQLite instead of Postgres because embedding is simpler"), raised)
    for number in range(50):
        read(night, f"s-{number + 1}", said(EventType.FINDING, f"Shelf {number} holds {number * 7} jars of spice"))

    again = read(night, "again", said(EventType.DECISION, "Chose SQLite over Postgres: simpler to embed"))
    swapped = read(night, "swapped", raised._replace(text="Raised the timeout of the payment client from 60s to 30s"))

    assert again.events == ()
    assert len([name for name in swapped.events if _type_of(night, name) is EventType.DECISION]) == 1
    assert len(memories(night)) > 0


def _type_of(night: Night, name: str) -> EventType | None:
    entry = night.ledger.entry(name)
    return entry.event.type if entry and entry.status is not EventStatus.RETRACTED else None


def test_j7_28_a_dream_that_is_due_needs_nobody_to_ask(night: Night, clock: FakeClock) -> None:
    """Whoever passes by asks whether one is due: five sessions, or one that has waited for a day."""
    add_session(night, "s-1", TABS)
    end_session(night, "s-1")
    assert dream(night, Verbatim()).status is RunStatus.NOT_DUE

    clock.advance(timedelta(hours=24))

    assert dream(night, Verbatim()).trigger is Trigger.TIME_ELAPSED
    assert TABS in page(night)


def test_d75_owners_dream_apart(night: Night, home: Path, clock: FakeClock) -> None:
    """Neither sessions nor memories nor pages of one owner are the other's, in the same folder and project."""
    with open_night(home, clock, owner="bob") as other:
        add_session(night, "s-1", TABS)
        add_session(other, "s-1", FRIDAY)
        for each in (night, other):
            end_session(each, "s-1")
            assert dream(each, Verbatim(), trigger=Trigger.MANUAL).processed == 1

        assert [memory.text for memory in memories(night)] == [TABS]
        assert "Friday" not in page(night)
        assert "tabs" not in page_path(home, "bob", PROJECT).read_text(encoding="utf-8")
        assert len(other.store.dreams.runs("bob")) == 1
