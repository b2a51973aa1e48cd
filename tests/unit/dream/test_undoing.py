"""A run is taken back completely, and what a user said since stays."""

from datetime import timedelta
from pathlib import Path

import pytest

from noctuary.authored import EventStatus
from noctuary.dream.keeping import pin
from noctuary.dream.life.completing import end_session
from noctuary.dream.life.eligibility import eligibility
from noctuary.dream.life.healing import heal
from noctuary.dream.night import Night
from noctuary.dream.pages.claude_memory import encoded_folder
from noctuary.dream.pages.writing import page_path
from noctuary.dream.reviewing import accept, queue
from noctuary.dream.run import Wanted, dream
from noctuary.dream.undoing import undo
from noctuary.dreams import Eligibility, Report, RunStatus, Trigger
from noctuary.errors import BadChange, NotFound
from noctuary.records import Relation
from noctuary.store.memories import MemoryStatus
from noctuary.testing import FakeClock
from tests.unit.dream.nights import OWNER, PROJECT, add_messages, add_session, damage, stored
from tests.unit.dream.reading_by_script import Verbatim

pytestmark = pytest.mark.slow

TABS = "Always indent the shop with tabs, never with spaces."
FRIDAY = "Never deploy the shop on a Friday afternoon."
PORT = "The shop listens on port 3000."


def dreamt(night: Night, name: str, *said: str) -> Report:
    """A session in which a user said this ends and is dreamt of."""
    add_session(night, name, *(part for text in said for part in (text, "Understood.")))
    end_session(night, name)
    return dream(night, Verbatim(), trigger=Trigger.MANUAL)


def state(night: Night) -> dict[str, object]:
    """All that a user can see of the memories: those that hold, and the page."""
    held = night.store.memories.where(OWNER, project=PROJECT)
    path = page_path(night.home, night.owner, PROJECT)
    return {
        "memories": sorted((memory.id, memory.text, memory.facts.get("support")) for memory in held),
        "page": path.read_bytes() if path.exists() else b"",
    }


def test_c23_undo_brings_back_what_was_before(night: Night, clock: FakeClock) -> None:
    """Memories, their support and MEMORY.md are byte for byte what they were before the run."""
    dreamt(night, "s-1", TABS, PORT)
    before = state(night)
    clock.advance(timedelta(hours=1))
    report = dreamt(night, "s-2", TABS, FRIDAY, "The shop listens on port 3001.")
    assert state(night) != before

    undone = undo(night)

    assert undone.run == report.run
    assert state(night) == before
    assert queue(night, PROJECT, run=report.run) == []


def test_undo_of_the_first_run_leaves_nothing_of_it(night: Night) -> None:
    """After the only run is taken back, no memory holds, nothing waits for review and no line stands in the page."""
    dreamt(night, "s-1", TABS, FRIDAY)

    undo(night)

    assert state(night)["memories"] == []
    assert "Friday" not in str(state(night)["page"])
    assert queue(night, None) == []


def test_sessions_of_an_undone_run_wait_until_somebody_asks(night: Night, clock: FakeClock) -> None:
    """No run reads them by itself, or it would bring back what was taken back; one that is asked for does."""
    dreamt(night, "s-1", TABS)
    undo(night)
    clock.advance(timedelta(days=3))

    assert eligibility(night, "s-1") is Eligibility.ELIGIBLE
    assert dream(night, Verbatim()).status is RunStatus.NOT_DUE
    assert dream(night, Verbatim(), trigger=Trigger.MANUAL).kept == 2
    assert any("tabs" in memory.text for memory in night.store.memories.where(OWNER, project=PROJECT))


def test_what_a_user_confirmed_since_stays(night: Night) -> None:
    """Undo takes back what the dream said, not what a person said after it."""
    report = dreamt(night, "s-1", TABS, FRIDAY)
    tabs = next(one.entry for one in queue(night, PROJECT) if "tabs" in one.entry.event.text)
    accept(night, tabs.event.id)

    undone = undo(night)

    assert undone.kept == (tabs.event.id,)
    kept = [memory.text for memory in night.store.memories.where(OWNER, project=PROJECT)]
    assert kept == [TABS]
    assert report.run == undone.run


def test_a_memory_that_a_later_run_supports_stays_when_the_first_is_undone(night: Night, clock: FakeClock) -> None:
    """What another session says, too, does not go with the session that said it first."""
    first = dreamt(night, "s-1", TABS, FRIDAY)
    clock.advance(timedelta(hours=1))
    dreamt(night, "s-2", TABS)

    undo(night, first.run)

    rules = [one.text for one in night.store.memories.where(OWNER, project=PROJECT) if one.kind == "constraint"]
    assert rules == [TABS]


def test_a_superseded_memory_holds_again(night: Night, clock: FakeClock) -> None:
    """When the run that superseded something is taken back, the older memory is active as before."""
    dreamt(night, "s-1", "Use Postgres for the sessions of the shop.")
    clock.advance(timedelta(days=1))
    dreamt(night, "s-2", "Do not use Postgres for the sessions of the shop.")

    undo(night)

    active = night.store.memories.where(OWNER, project=PROJECT, statuses=[MemoryStatus.ACTIVE])
    assert [memory.text for memory in active if memory.kind == "constraint"] == [
        "Use Postgres for the sessions of the shop."
    ]
    assert all(memory.superseded_by is None for memory in active)


def test_undone_events_stay_in_the_journal_as_retracted(night: Night) -> None:
    """A dream never destroys, and neither does its undoing: the lines are there, marked as taken back."""
    report = dreamt(night, "s-1", TABS)
    names = [name for session in report.sessions for name in session.events]

    undo(night)

    entries = [night.ledger.entry(name) for name in names]
    assert {entry.status for entry in entries if entry} == {EventStatus.RETRACTED}
    assert len(entries) == len(names) > 0


def test_a_run_is_undone_once(night: Night) -> None:
    """A second undo of the same run is refused, and without a name there is nothing left to take back."""
    report = dreamt(night, "s-1", TABS)
    undo(night)

    with pytest.raises(BadChange, match="already"):
        undo(night, report.run)
    with pytest.raises(NotFound):
        undo(night)
    with pytest.raises(NotFound):
        undo(night, "01NOSUCHRUN")


def test_the_last_success_is_that_of_the_run_before(night: Night, clock: FakeClock) -> None:
    """When the next run is due is judged as if the undone one had not been."""
    first = dreamt(night, "s-1", TABS)
    clock.advance(timedelta(hours=2))
    dreamt(night, "s-2", FRIDAY)

    undo(night)

    assert night.store.dreams.state(OWNER).last_success_ms == first.finished_ms


def test_rebuild_gives_the_same_after_an_undo(night: Night, clock: FakeClock) -> None:
    """All of it is in the journal: folded again from the beginning, the tables are the same."""
    dreamt(night, "s-1", TABS, PORT)
    clock.advance(timedelta(hours=1))
    dreamt(night, "s-2", TABS, FRIDAY, "The shop listens on port 3001.")
    undo(night)
    before = night.store.journals.dump(OWNER, PROJECT)

    night.ledger.rebuild()

    assert night.store.journals.dump(OWNER, PROJECT) == before


def test_undo_reaches_the_files_that_mirror_the_page(night: Night, tmp_path: Path) -> None:
    """The block in the project's own CLAUDE.md is what it was, too."""
    folder = tmp_path / "shop"
    folder.mkdir()
    night = night._replace(settings=night.settings._replace(mirror=("CLAUDE.md",)))
    add_session(night, "s-1", TABS, "Understood.", project=str(folder), cwd=str(folder))
    end_session(night, "s-1")
    dream(night, Verbatim(), trigger=Trigger.MANUAL)
    assert "tabs" in (folder / "CLAUDE.md").read_text()

    undo(night)

    assert not (folder / "CLAUDE.md").exists() or "tabs" not in (folder / "CLAUDE.md").read_text()


def about(night: Night, word: str) -> list[tuple[MemoryStatus, object, object]]:
    """Status, support and pin of the memories that speak of something."""
    memories = night.store.memories.where(OWNER, project=PROJECT, statuses=None)
    found = [one for one in memories if word in one.text]
    return [(one.status, one.facts.get("support"), one.facts.get("pinned")) for one in found]


def test_what_a_user_did_since_to_an_older_memory_stays(night: Night, clock: FakeClock) -> None:
    """A memory that the run only supported is what it was, but stays pinned: that was the user."""
    dreamt(night, "s-1", TABS)
    clock.advance(timedelta(hours=1))
    dreamt(night, "s-2", TABS)
    tabs = next(one for one in night.store.memories.where(OWNER, project=PROJECT) if "tabs" in one.text)
    pin(night, PROJECT, tabs.id)

    undo(night)

    assert about(night, "tabs") == [(MemoryStatus.ACTIVE, 1, True)]


def test_what_a_later_run_did_stays_without_the_voice_of_the_undone_one(night: Night, clock: FakeClock) -> None:
    """Of three sessions that state something two are left, whichever run is taken back, and in which order."""
    dreamt(night, "s-1", TABS)
    clock.advance(timedelta(hours=1))
    second = dreamt(night, "s-2", TABS)
    clock.advance(timedelta(hours=1))
    third = dreamt(night, "s-3", TABS)

    undo(night, second.run)
    assert about(night, "tabs") == [(MemoryStatus.ACTIVE, 2, None)]
    undo(night, third.run)
    assert about(night, "tabs") == [(MemoryStatus.ACTIVE, 1, None)]


def test_what_others_state_is_not_made_twice_afterwards(night: Night, clock: FakeClock) -> None:
    """The entry of a memory that another session states, too, stays, so that the next one still finds it."""
    first = dreamt(night, "s-1", TABS)
    clock.advance(timedelta(hours=1))
    dreamt(night, "s-2", TABS)
    undo(night, first.run)
    clock.advance(timedelta(hours=1))
    add_session(night, "s-3", TABS, "Understood.")
    end_session(night, "s-3")
    dream(night, Verbatim(), trigger=Trigger.MANUAL, wanted=Wanted(sessions=("s-3",)))

    assert about(night, "tabs") == [(MemoryStatus.ACTIVE, 2, None)]


def test_sub_agents_are_taken_back_too(night: Night) -> None:
    """Their statements count as their parent's, and go with the run that read them."""
    add_session(night, "s-main", "Look at the shop.", "I shall.")
    add_session(night, "s-helper", TABS, "Understood.", parent="s-main", relation=Relation.SUBAGENT)
    end_session(night, "s-helper")
    dream(night, Verbatim(), trigger=Trigger.MANUAL, wanted=Wanted(sessions=("s-helper",)))
    assert about(night, "tabs") == [(MemoryStatus.ACTIVE, 1, None)]

    undo(night)

    assert about(night, "tabs") == [(MemoryStatus.RETRACTED, 1, None)]


def test_a_later_part_of_the_session_still_speaks(night: Night, clock: FakeClock) -> None:
    """A memory that another run took from a later part of the same session is not silenced."""
    first = dreamt(night, "s-1", TABS)
    clock.advance(timedelta(hours=1))
    add_messages(night, "s-1", FRIDAY)
    end_session(night, "s-1")
    dream(night, Verbatim(), trigger=Trigger.MANUAL)

    undo(night, first.run)

    assert about(night, "Friday") == [(MemoryStatus.ACTIVE, 1, None)]


def test_a_session_that_was_given_another_project_can_be_taken_back(night: Night) -> None:
    """What counts is where the entries are, not where the session belongs by now."""
    add_session(night, "s-1", TABS, "Understood.", project=None)
    end_session(night, "s-1")
    dream(night, Verbatim(), trigger=Trigger.MANUAL)
    night.store.sessions.ensure(OWNER, stored(night, "s-1")._replace(project=PROJECT))

    assert undo(night).events == 2
    assert dream(night, Verbatim()).status is RunStatus.NOT_DUE


def test_a_run_that_was_killed_is_over_and_can_be_taken_back(night: Night, clock: FakeClock) -> None:
    """The next run says that it failed; without a name the last that read anything is taken back, killed or not."""
    dreamt(night, "s-1", TABS)
    clock.advance(timedelta(hours=1))
    killed = dreamt(night, "s-2", FRIDAY)
    run = night.store.dreams.run(OWNER, killed.run)
    assert run is not None
    night.store.dreams.save_run(OWNER, run._replace(status=RunStatus.RUNNING))
    dream(night, Verbatim(), trigger=Trigger.MANUAL)

    assert undo(night).run == killed.run
    assert about(night, "tabs") == [(MemoryStatus.ACTIVE, 1, None)]


def remembering_night(night: Night, tmp_path: Path) -> tuple[Night, Path]:
    """A night that also reads what Claude Code remembers of a folder, and that folder."""
    folder = tmp_path / "code" / "shop"
    folder.mkdir(parents=True)
    memory = tmp_path / ".claude" / "projects" / encoded_folder(folder) / "memory"
    memory.mkdir(parents=True)
    (memory / "MEMORY.md").write_text("The shop opens at nine in the morning.\n")
    return night._replace(settings=night.settings._replace(read_claude_memory=True)), folder


def nine(night: Night) -> list[MemoryStatus]:
    memories = night.store.memories.where(OWNER, project=PROJECT, statuses=None)
    return [one.status for one in memories if "nine" in one.text]


def test_what_a_run_took_from_claude_codes_memory_goes_with_it(night: Night, clock: FakeClock, tmp_path: Path) -> None:
    """It waits for nobody any more, comes back only with a dream that is asked for, and can be taken back again."""
    night, folder = remembering_night(night, tmp_path)
    add_session(night, "s-1", TABS, "Understood.", cwd=str(folder))
    end_session(night, "s-1")
    dream(night, Verbatim(), trigger=Trigger.MANUAL, user_home=tmp_path)
    assert nine(night) == [MemoryStatus.PROPOSED]

    assert undo(night).events == 3
    assert nine(night) == [MemoryStatus.RETRACTED]
    assert queue(night, None) == []

    clock.advance(timedelta(days=3))
    add_session(night, "s-2", PORT, "Understood.", cwd=str(folder))
    end_session(night, "s-2")
    dream(night, Verbatim(), trigger=Trigger.TIME_ELAPSED, user_home=tmp_path)
    assert nine(night) == [MemoryStatus.RETRACTED]

    dream(night, Verbatim(), trigger=Trigger.MANUAL, user_home=tmp_path)
    assert nine(night) == [MemoryStatus.PROPOSED]
    undo(night)
    assert nine(night) == [MemoryStatus.RETRACTED]


def test_a_run_that_only_read_claude_codes_memory_is_taken_back(night: Night, clock: FakeClock, tmp_path: Path) -> None:
    """Without a name the last run that wrote anything is meant, whether it read a session or not."""
    quiet = night
    night, folder = remembering_night(night, tmp_path)
    add_session(quiet, "s-1", TABS, "Understood.", cwd=str(folder))
    end_session(quiet, "s-1")
    dream(quiet, Verbatim(), trigger=Trigger.MANUAL)
    clock.advance(timedelta(hours=1))
    night.store.pages.mark_due(OWNER, PROJECT)
    report = dream(night, Verbatim(), trigger=Trigger.MANUAL, user_home=tmp_path)
    assert nine(night) == [MemoryStatus.PROPOSED]

    assert undo(night).run == report.run
    assert nine(night) == [MemoryStatus.RETRACTED]
    assert about(night, "tabs") == [(MemoryStatus.ACTIVE, 1, None)]


def test_what_a_user_accepted_of_claude_codes_memory_stays(night: Night, tmp_path: Path) -> None:
    """As with all else that a run proposed."""
    night, folder = remembering_night(night, tmp_path)
    add_session(night, "s-1", TABS, "Understood.", cwd=str(folder))
    end_session(night, "s-1")
    dream(night, Verbatim(), trigger=Trigger.MANUAL, user_home=tmp_path)
    accept(night, next(one.entry.event.id for one in queue(night, PROJECT) if "nine" in one.entry.event.text))

    undo(night)

    assert nine(night) == [MemoryStatus.ACTIVE]


@pytest.mark.parametrize("is_named", [True, False])
def test_a_run_can_be_taken_back_after_the_tables_were_lost(
    night: Night, home: Path, clock: FakeClock, is_named: bool
) -> None:
    """What a run wrote is in the journal, and so is that it was taken back."""
    dreamt(night, "s-1", TABS)
    before = state(night)
    clock.advance(timedelta(hours=1))
    report = dreamt(night, "s-2", FRIDAY)
    damage(home, "delete from dream_sessions")
    damage(home, "delete from dream_runs")
    heal(night)

    undone = undo(night, report.run if is_named else None)

    assert (undone.run, undone.sessions) == (report.run, 1)
    assert state(night) == before
    damage(home, "delete from dream_runs")
    with pytest.raises(BadChange, match="already"):
        undo(night, report.run)
