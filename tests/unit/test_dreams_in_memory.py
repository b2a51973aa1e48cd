"""Dreams through the library: `memory.dream()` and the verbs of `memory.dreams`."""

from collections.abc import Iterator
from datetime import timedelta
from itertools import pairwise
from pathlib import Path
from typing import Any

import pytest

from noctuary.app import Memory
from noctuary.dreams import DreamStatus, Eligibility, RunStatus, Trigger
from noctuary.errors import BadSettings, NotFound, SessionNotFound
from noctuary.health import Finding
from noctuary.records import Message, Role, Session
from noctuary.settings import Settings
from noctuary.testing import FakeClock

pytestmark = pytest.mark.slow

SHOP = "/home/ana/code/shop"
RULE = "From now on, never call datetime.now() without a zone; always pass the zone of the shop."
CENTS = "Please remember that prices are whole cents, never floats."
DAY = timedelta(days=1, minutes=1)


@pytest.fixture
def clock() -> FakeClock:
    """A clock that a test can put forward."""
    return FakeClock()


@pytest.fixture
def memory(tmp_path: Path, clock: FakeClock) -> Iterator[Memory]:
    """An empty memory."""
    with opened(tmp_path, clock) as memory:
        yield memory


def opened(folder: Path, clock: FakeClock, *, environ: dict[str, str] | None = None, **dream: Any) -> Memory:
    """The memory in a folder, with these settings of dreams."""
    settings = Settings(home=folder / "memory", owner="ana", user_home=folder, environ=environ or {}, dream_table=dream)
    return Memory.from_settings(settings, clock)


def talk(memory: Memory, name: str, *said: str, project: str = SHOP) -> None:
    """A session in which this was said just now."""
    now_ms = memory.clock.now_ms()
    messages = [Message(role=Role.USER, content=words, ts_ms=now_ms) for words in said]
    memory.add_session(Session(id=name, project=project, started_ms=now_ms), messages)


def page(memory: Memory) -> str:
    """The page of the shop; empty if there is none."""
    found = sorted((memory.settings.home / "memory").rglob("MEMORY.md"))
    return found[0].read_text() if found else ""


def test_a_dream_gives_its_report_its_difference_and_a_way_back(memory: Memory, clock: FakeClock) -> None:
    """One call dreams; what it gives says what it did, and takes it back."""
    talk(memory, "s-1", RULE)
    clock.advance(DAY)

    dreamt = memory.dream()
    written = page(memory)
    undone = dreamt.undo()

    assert (dreamt.report.status, dreamt.report.processed, dreamt.report.trigger) == (
        RunStatus.COMPLETED,
        1,
        Trigger.MANUAL,
    )
    assert f"+- {RULE}" in dreamt.diff
    assert RULE in written
    assert (undone.run, undone.sessions) == (dreamt.report.run, 1)
    assert page(memory) == ""
    assert memory.dreams.show(dreamt.report.run).status is RunStatus.UNDONE


def test_a_session_that_is_named_is_over(memory: Memory) -> None:
    """It is read at once, though something has just been said in it; others go on."""
    talk(memory, "s-1", RULE)
    talk(memory, "s-2", CENTS)

    report = memory.dream(sessions=["s-1"]).report

    assert [session.session for session in report.sessions] == ["s-1"]
    assert memory.dreams.eligibility("s-1") is Eligibility.ALREADY_CONSOLIDATED
    assert memory.dreams.eligibility("s-2") is Eligibility.NOT_COMPLETED


def test_a_rehearsal_of_a_session_that_goes_on_ends_nothing(memory: Memory) -> None:
    """It shows what a dream of it would give, and the session goes on."""
    talk(memory, "s-1", RULE)

    rehearsed = memory.dreams.rehearse(sessions=["s-1"])

    assert rehearsed.is_dry
    assert f"+- {RULE}" in rehearsed.diff
    assert memory.dreams.eligibility("s-1") is Eligibility.NOT_COMPLETED
    assert memory.dreams.log() == []
    assert page(memory) == ""


def test_the_outlook_counts_what_is_over_and_what_goes_on(memory: Memory, clock: FakeClock) -> None:
    """Idle for a day is over; what goes on is over a day after it was quiet first; what is suspended is neither."""
    assert memory.dreams.outlook().is_empty
    talk(memory, "s-1", RULE)
    clock.advance(DAY)
    talk(memory, "s-2", CENTS)
    talk(memory, "s-3", CENTS)
    memory.dreams.suspend_session("s-3")
    now_ms = clock.now_ms()

    before = memory.dreams.outlook()
    memory.dreams.end_session("s-2")
    ended = memory.dreams.outlook()
    memory.dream()

    assert before == (1, 0, 1, now_ms + 86_400_000, False)
    assert (ended.waiting, ended.open, ended.open_until_ms) == (2, 0, None)
    assert memory.dreams.outlook().waiting == 0
    assert memory.dreams.standing().last_ms == clock.now_ms()


def test_what_was_taken_back_is_held(memory: Memory) -> None:
    """It is counted apart: no dream reads it by itself."""
    talk(memory, "s-1", RULE)
    dreamt = memory.dream(sessions=["s-1"])

    dreamt.undo()

    assert (memory.dreams.outlook().waiting, memory.dreams.outlook().held) == (0, 1)
    assert memory.dreams.run_if_due().status is RunStatus.NOT_DUE
    assert memory.dream().report.processed == 1


def test_due_after_enough_sessions(memory: Memory, clock: FakeClock) -> None:
    """Four wait and nothing happens; the fifth makes it due."""
    for number in range(4):
        talk(memory, f"s-{number}", f"{CENTS} Shop {number}.")
        memory.dreams.end_session(f"s-{number}")
    early = memory.dreams.run_if_due()
    talk(memory, "s-4", RULE)
    memory.dreams.end_session("s-4")

    report = memory.dreams.run_if_due()

    assert (early.status, early.waiting) == (RunStatus.NOT_DUE, 4)
    assert (report.status, report.trigger, report.processed) == (RunStatus.COMPLETED, Trigger.SESSION_COUNT, 5)


def test_dreams_that_are_switched_off_come_only_when_asked_for(tmp_path: Path, clock: FakeClock) -> None:
    """None by itself, however much waits."""
    with opened(tmp_path, clock, enabled=False, session_count=1) as memory:
        talk(memory, "s-1", RULE)
        memory.dreams.end_session("s-1")

        assert memory.dreams.run_if_due().status is RunStatus.NOT_DUE
        assert memory.dream().report.processed == 1


def test_no_dream_begins_within_a_dream(tmp_path: Path, clock: FakeClock) -> None:
    """What a dream starts is told so in its environment: no dream, no rehearsal, and nothing is changed."""
    with opened(tmp_path, clock, environ={"NOCTUARY_DREAMING": "1"}) as memory:
        talk(memory, "s-1", RULE)

        reports = [memory.dream(sessions=["s-1"]).report, memory.dreams.run_if_due(), memory.dreams.rehearse()]

        assert {(report.status, report.lock) for report in reports} == {(RunStatus.SKIPPED, "nested")}
        assert memory.dreams.eligibility("s-1") is Eligibility.NOT_COMPLETED


def test_settings_that_make_no_sense(tmp_path: Path, clock: FakeClock) -> None:
    """They are refused when dreams are first asked for; a memory works without."""
    with opened(tmp_path, clock, session_count=0) as memory:
        talk(memory, "s-1", RULE)

        with pytest.raises(BadSettings, match="session_count"):
            memory.dream()
        assert [check.finding for check in memory.doctor().checks if check.name == "dreams"] == [Finding.PROBLEM]


def test_the_last_run_is_shown_and_runs_are_listed(memory: Memory, clock: FakeClock) -> None:
    """Without a name it is the last; by the beginning of its id any; NotFound says what to do."""
    with pytest.raises(NotFound, match="noctuary dream"):
        memory.dreams.show()
    talk(memory, "s-1", RULE)
    first = memory.dream(sessions=["s-1"]).report
    clock.advance(timedelta(hours=1))
    talk(memory, "s-2", CENTS)
    second = memory.dream(sessions=["s-2"]).report

    assert memory.dreams.show() == second
    assert memory.dreams.show(first.run.lower()) == first
    assert memory.dreams.log() == [second, first]
    assert memory.dreams.log(1) == [second]
    with pytest.raises(NotFound, match="dream log"):
        memory.dreams.show("zzz")
    with pytest.raises(SessionNotFound, match="noctuary sessions"):
        memory.dream(sessions=["nope"])


def test_what_matters_most_is_reported_first(memory: Memory) -> None:
    """Changes of one kind stand together, what was added before what is only proposed, the heaviest first."""
    talk(memory, "s-1", RULE, CENTS, "The root cause was a missing index on orders.", "Let's go for SQLite, not Redis.")

    changes = memory.dream(sessions=["s-1"]).report.changes

    kinds = [change.kind for change in changes]
    weights = [memory.dreams.explain(change.memory, SHOP).memory.facts["weight"] for change in changes]
    assert len(changes) > 1
    assert kinds == sorted(kinds, key=kinds.index)
    told = pairwise(zip(kinds, weights, strict=True))
    assert all(kind != other or weight >= less for (kind, weight), (other, less) in told)


def test_written_pages_are_told_by_project(memory: Memory) -> None:
    """Whose page, where it is, how many lines it has and how many files of topics were written."""
    talk(memory, "s-1", RULE)

    [written] = memory.dream(sessions=["s-1"]).report.written

    assert (written.project, Path(written.path).read_text()) == (SHOP, page(memory))
    assert 0 < written.lines <= len(page(memory).splitlines())
    assert written.topics == len([*Path(written.path).parent.glob("topics/*.md")])


def test_proposals_are_accepted_and_rejected(memory: Memory) -> None:
    """What is accepted is the user's, in their words if they like, and outlives the dream; what is rejected is gone."""
    talk(memory, "s-1", RULE, CENTS)
    dreamt = memory.dream(sessions=["s-1"])
    first, second = memory.dreams.suggestions()[:2]

    accepted = memory.dreams.accept(first.entry.event.id, "Every time has a zone.")
    memory.dreams.reject(second.entry.event.id)
    undone = dreamt.undo()

    assert accepted.event.text == "Every time has a zone."
    assert "Every time has a zone." in page(memory)
    assert second.entry.event.text not in page(memory)
    assert len(undone.kept) <= 1
    assert memory.dreams.accept_all() == []


def test_what_was_accepted_stays_approved_when_the_dream_is_taken_back(memory: Memory) -> None:
    """Two sessions say the same, somebody accepts it, and the dream is taken back: it is still a user's word."""
    talk(memory, "s-1", RULE)
    talk(memory, "s-2", RULE)
    dreamt = memory.dream(sessions=["s-1", "s-2"])
    memory.dreams.accept_all()

    dreamt.undo()

    [kept] = memory.store.memories.where("ana", project=SHOP)
    assert kept.facts["approved"] is True
    assert RULE in page(memory)


def test_a_line_is_explained_from_another_project(memory: Memory) -> None:
    """A part of the line is enough, wherever one stands; the project that one stands in comes first."""
    talk(memory, "s-1", RULE)
    talk(memory, "s-2", f"{CENTS} In the till.", project="/home/ana/code/till")
    memory.dream(sessions=["s-1", "s-2"])

    why = memory.dreams.why("never call datetime.now()", "/home/ana/code/till")

    assert why.memory.project == SHOP
    assert [ground.messages[0].session for ground in why.grounds] == ["s-1"]
    with pytest.raises(NotFound, match="memory list"):
        memory.dreams.why("nobody said this", SHOP)


def test_memories_are_found_by_the_beginning_of_their_ids_in_any_project(memory: Memory) -> None:
    """For pinning, forgetting and checking, too."""
    talk(memory, "s-1", RULE)
    [change] = memory.dream(sessions=["s-1"]).report.changes[:1]
    name = change.memory[:8]

    assert memory.dreams.pin(name, "/home/ana/code/till").facts["pinned"] is True
    assert [verdict.memory.id for verdict in memory.dreams.verify([name], "/home/ana/code/till")] == [change.memory]
    assert memory.dreams.forget(name, "/home/ana/code/till").status == "retracted"
    assert RULE not in page(memory)


def test_what_somebody_remembers_is_on_the_page_after_the_next_dream(memory: Memory) -> None:
    """Also if no session was read; what holds for all projects is on every page."""
    talk(memory, "s-1", RULE)
    memory.dream(sessions=["s-1"])
    memory.work(SHOP).remember("The build needs Node 22.")
    memory.work(SHOP).remember("Answers are in German.", everywhere=True)

    memory.dream()

    pages = [path.read_text() for path in (memory.settings.home / "memory").rglob("MEMORY.md")]
    assert any("Node 22" in text and "in German" in text and RULE in text for text in pages)
    assert memory.dream().report.pages == ()


def test_the_doctor_looks_at_dreams(memory: Memory) -> None:
    """Nothing yet, all in place, a page that is due, a session that failed: each is told apart."""
    told = [dreams_checked(memory)]
    talk(memory, "s-1", RULE)
    memory.dream(sessions=["s-1"])
    told.append(dreams_checked(memory))
    memory.store.pages.mark_due("ana", SHOP)
    told.append(dreams_checked(memory))
    memory.dream()
    talk(memory, "s-2", CENTS)
    record = memory.dreams.end_session("s-2")
    memory.store.dreams.save("ana", [record._replace(status=DreamStatus.FAILED, failure="it was busy", attempts=1)])
    told.append(dreams_checked(memory))

    assert [finding for finding, _ in told] == [Finding.OK, Finding.OK, Finding.WARNING, Finding.WARNING]
    assert "none yet" in told[0][1]
    assert "1 read" in told[1][1]
    assert f"MEMORY.md of {SHOP}" in told[2][1]
    assert "it was busy" in told[3][1]


def dreams_checked(memory: Memory) -> tuple[Finding, str]:
    """What the doctor says about dreams."""
    [check] = [check for check in memory.doctor().checks if check.name == "dreams"]
    return check.finding, check.detail
