"""Many who dream over one memory on a server: each session is read by one of them, and nobody waits for anybody."""

from collections.abc import Iterator
from datetime import timedelta
from pathlib import Path

import pytest

from noctuary.app import Memory
from noctuary.clock import Clock
from noctuary.dream import run
from noctuary.dream.life.leasing import LEASE_MINUTES, claims
from noctuary.dream.life.run_lock import dream_lock
from noctuary.dream.run import candidates
from noctuary.dreams import DreamRecord, DreamStatus, RunStatus, Trigger
from noctuary.errors import NotFree, StoreBusy
from noctuary.forgetting import Forgotten
from noctuary.proposals import Conversation, Extraction
from noctuary.records import Message, Role, Session, Status
from noctuary.testing import FakeClock
from tests.databases import changes_once

pytestmark = pytest.mark.slow
START_MS = 1_772_000_000_000


class Noting:
    """An extractor that notes what it was given."""

    name = "noting"

    def __init__(self) -> None:
        self.read: list[str] = []

    def extract(self, conversation: Conversation) -> Extraction:
        """Nothing."""
        self.read.append(conversation.session.id)
        return Extraction()


@pytest.fixture
def clock() -> FakeClock:
    """A clock that stands."""
    return FakeClock()


@pytest.fixture
def first(postgres_url: str, tmp_path: Path, clock: FakeClock) -> Iterator[Memory]:
    """A memory with six ended sessions, as one machine has it."""
    with on_machine("first", postgres_url, tmp_path, clock) as memory:
        for number in range(6):
            message = Message(Role.USER, f"Please look at number {number}.", ts_ms=START_MS + number)
            memory.add_session(Session(id=f"s{number}", status=Status.ENDED, ended_ms=message.ts_ms), [message])
        memory.dreams.tidy(is_forced=True)
        yield memory


@pytest.fixture
def second(first: Memory, postgres_url: str, tmp_path: Path, clock: FakeClock) -> Iterator[Memory]:
    """The same memory on another machine."""
    with on_machine("second", postgres_url, tmp_path, clock) as memory:
        yield memory


def on_machine(name: str, url: str, folder: Path, clock: Clock) -> Memory:
    """The memory, with a home folder of this machine."""
    return Memory.open(folder / name, owner="ana", database=url, clock=clock)


def waiting(memory: Memory) -> list[DreamRecord]:
    """What a run would read."""
    return candidates(memory.dreams.night, Trigger.MANUAL, run.Wanted())


def taken(memory: Memory, name: str, most: int) -> list[str]:
    """The sessions that a run takes, if it stops after so many."""
    found: list[str] = []
    for record in claims(memory.dreams.night, name, waiting(memory), is_asked=True):
        if record:
            found.append(record.session)
        if len(found) == most:
            break
    return found


def test_two_take_different_sessions_in_order(first: Memory, second: Memory) -> None:
    """What one has, the other passes over."""
    assert taken(first, "A", 2) == ["s0", "s1"]
    assert taken(second, "B", 3) == ["s2", "s3", "s4"]
    assert taken(first, "A", 9) == ["s5"]


def test_two_whose_lists_are_the_same_take_turns(first: Memory, second: Memory) -> None:
    """Both began when all was free."""
    mine = claims(first.dreams.night, "A", waiting(first), is_asked=True)
    theirs = claims(second.dreams.night, "B", waiting(second), is_asked=True)
    read = [next(each) for _ in range(3) for each in (mine, theirs)]

    assert [record.session for record in read if record] == [f"s{number}" for number in range(6)]
    assert [*mine, *theirs] == []


def test_what_a_killed_run_had_is_free_when_its_lease_ends(first: Memory, second: Memory, clock: FakeClock) -> None:
    """It counts as an attempt of the session."""
    assert taken(first, "A", 1) == ["s0"]
    clock.advance(timedelta(minutes=LEASE_MINUTES + 1))

    record = next(claims(second.dreams.night, "B", waiting(second), is_asked=True))
    assert record is not None
    assert (record.session, record.attempts, record.run) == ("s0", 1, "B")


def test_a_run_reads_what_is_left(first: Memory, second: Memory) -> None:
    """While another, which holds two sessions, goes on."""
    with dream_lock(first.dreams.night, with_others=True):
        assert taken(first, "A", 2) == ["s0", "s1"]
        noting = Noting()
        report = run.dream(second.dreams.night, noting, trigger=Trigger.MANUAL)

    assert report.status is RunStatus.COMPLETED
    assert noting.read == ["s2", "s3", "s4", "s5"]
    assert {record.session for record in first.store.dreams.where("ana", status=DreamStatus.RUNNING)} == {"s0", "s1"}


def test_a_run_that_finds_nothing_is_kept_and_told_once(first: Memory, second: Memory) -> None:
    """Most workers of a team find that others have read everything; nobody is told that these began."""
    run.dream(first.dreams.night, Noting(), trigger=Trigger.MANUAL)
    report = run.dream(second.dreams.night, Noting(), trigger=Trigger.MANUAL)

    assert (report.status, report.considered) == (RunStatus.COMPLETED, 0)
    assert first.dreams.show(report.run).status is RunStatus.COMPLETED
    told = changes_once(first.store.requests, "ana", lambda found: report.run in [each.name for each in found])
    assert [(each.kind, each.detail) for each in told if each.name == report.run] == [("run", "completed")]


def test_who_is_alone_takes_over_at_once(first: Memory, second: Memory) -> None:
    """If nobody else is at it on any machine, whoever had something was killed."""
    assert taken(first, "A", 2) == ["s0", "s1"]
    noting = Noting()
    run.dream(second.dreams.night, noting, trigger=Trigger.MANUAL)

    assert noting.read == [f"s{number}" for number in range(6)]


def test_nobody_takes_back_or_forgets_while_others_dream(first: Memory, second: Memory) -> None:
    """They may be reading just that."""
    with dream_lock(first.dreams.night, with_others=True) as is_there:
        assert is_there
        with pytest.raises(NotFree):
            second.dreams.undo()
        with pytest.raises(StoreBusy):
            second.forget(Forgotten(session="s0"))


def test_nobody_dreams_while_somebody_takes_back(first: Memory, second: Memory) -> None:
    """The run says that it was not one."""
    with dream_lock(first.dreams.night):
        report = run.dream(second.dreams.night, Noting(), trigger=Trigger.MANUAL)

    assert report.status is RunStatus.SKIPPED
