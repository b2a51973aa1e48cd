"""Whatever happens to sessions, in whatever order: every message is read once, by one run, and none is lost."""

import tempfile
from collections import Counter
from datetime import timedelta
from pathlib import Path

import pytest
from hypothesis import settings
from hypothesis import strategies as st
from hypothesis.stateful import RuleBasedStateMachine, invariant, precondition, rule

from noctuary.authored import Event, EventType
from noctuary.dream.life.completing import converge, end_session, record_completion
from noctuary.dream.life.eligibility import eligibility
from noctuary.dream.life.healing import check_state, heal
from noctuary.dream.life.hygiene import tidy
from noctuary.dream.life.leasing import claim, complete, fail, heartbeat, put_back
from noctuary.dream.life.schedule import due, waiting_count
from noctuary.dream.life.state_file import restore_state, state_bytes
from noctuary.dream.night import Night
from noctuary.dreams import DreamRecord, DreamStatus, Eligibility, Trigger
from noctuary.errors import NotFree
from noctuary.testing import FakeClock
from tests.unit.dream.nights import OWNER, PROJECT, add_messages, add_session, open_night, records, stored, write_mark

SESSIONS = ("s-1", "s-12", "S-1")
names = st.sampled_from(SESSIONS)
pytestmark = pytest.mark.slow


class SessionLife(RuleBasedStateMachine):
    """Sessions that people and runs do everything to, and what must hold all the while."""

    def __init__(self) -> None:
        super().__init__()
        self.folder = tempfile.TemporaryDirectory()
        self.clock = FakeClock()
        self.opened = open_night(Path(self.folder.name), self.clock)
        self.night: Night = self.opened.__enter__()
        self.held: list[DreamRecord] = []  # by runs, whether they still have a right to it or not
        self.read: Counter[tuple[str, int]] = Counter()  # messages that a run has completed
        self.runs = 0
        for name in SESSIONS:
            add_session(self.night, name, "Use tabs.")
        end_session(self.night, "s-1")

    def teardown(self) -> None:
        """Leave nothing behind."""
        self.opened.__exit__(None, None, None)
        self.folder.cleanup()

    @rule(name=names, then=st.sampled_from(["goes on", "ends", "is recorded"]))
    def speak(self, name: str, then: str) -> None:
        """Something is said in a session, and perhaps it is over then."""
        add_messages(self.night, name, "And then?")
        if then == "ends":
            end_session(self.night, name)
            assert eligibility(self.night, name) is not Eligibility.NOT_COMPLETED
        elif then == "is recorded":
            record = record_completion(self.night, name)
            assert record_completion(self.night, name) == record

    @rule(minutes=st.sampled_from([11, 1, 60 * 25]))
    def wait(self, minutes: int) -> None:
        """Time passes: leases end, failures may be tried again, sessions are idle."""
        self.clock.advance(timedelta(minutes=minutes))

    @rule(is_asked=st.booleans(), is_late=st.booleans())
    def begin(self, is_asked: bool, is_late: bool) -> None:
        """A run takes all that waits, when those before it are thought to be dead or at once."""
        if is_late:
            self.clock.advance(timedelta(minutes=11))
        self.runs += 1
        for record in self.night.store.dreams.waiting(OWNER, self.night.now_ms(), is_asked=is_asked):
            if claimed := claim(self.night, f"run-{self.runs}", record):
                self.held.append(claimed)

    @precondition(lambda self: self.held)
    @rule(place=st.integers(0, 9), how=st.sampled_from([*range(6)]))
    def end_reading(self, place: int, how: int) -> None:
        """A run comes to an end with one session, in one of the ways there are."""
        record = self.held.pop(place % len(self.held))
        ways = (self._finish, self._finish, self._die_halfway, self._fail, self._give_back, self._go_on)
        ways[how](record)

    def _finish(self, record: DreamRecord) -> None:
        """It writes down what it read, if that is still its own."""
        try:
            with self.night.ledger.writing(PROJECT) as write:
                event = write(Event(EventType.FINDING, "Tabs are used."))
                mark = write_mark(self.night, record, str(record.run), event.id)
                complete(self.night, record, run=str(record.run), trigger=Trigger.MANUAL, artifacts=(event.id, mark))
        except NotFree:
            return
        self._count(record)

    def _die_halfway(self, record: DreamRecord) -> None:
        """It is killed when its line is in the journal and nothing is in the tables."""
        if record in records(self.night, record.session):  # else it lost its lease, and would not have come so far
            write_mark(self.night, record, str(record.run))
            self._count(record)

    def _fail(self, record: DreamRecord) -> None:
        fail(self.night, record, "the model did not answer")

    def _give_back(self, record: DreamRecord) -> None:
        put_back(self.night, record, "interrupted")

    def _go_on(self, record: DreamRecord) -> None:
        """It says that it is alive."""
        heartbeat(self.night, str(record.run))
        self.held.append(record)

    def _count(self, record: DreamRecord) -> None:
        self.read.update((record.session, message) for message in range(record.first_id, record.last_id + 1))

    @rule(how=st.sampled_from(["tidy", "heal", "restore"]))
    def look_after(self, how: str) -> None:
        """Idle sessions are closed; nothing needs to be healed; a restore of the present state changes nothing."""
        if how == "tidy":
            assert tidy(self.night, is_forced=True).failures == ()
            assert converge(self.night).recorded == []
        elif how == "heal":
            heal(self.night)
            assert check_state(self.night) == []
        else:
            content = state_bytes(self.night.store, OWNER)
            assert restore_state(self.night, content).is_skipped
            assert state_bytes(self.night.store, OWNER) == content

    @invariant()
    def nothing_is_read_twice(self) -> None:
        """No message was completed by two runs."""
        assert all(count == 1 for count in self.read.values())

    @invariant()
    def epochs_follow_each_other(self) -> None:
        """Completions of a session have no gap and no overlap, from the first message on."""
        for name in SESSIONS:
            next_id = 1
            for epoch, record in enumerate(records(self.night, name), 1):
                assert (record.epoch, record.first_id) == (epoch, next_id)
                next_id = record.last_id + 1

    @invariant()
    def what_is_read_is_what_was_completed(self) -> None:
        """The tables never say that something was read which no run has read."""
        for name in SESSIONS:
            for record in records(self.night, name):
                if record.status is DreamStatus.COMPLETED:
                    assert all(self.read[name, one] for one in range(record.first_id, record.last_id + 1))

    @invariant()
    def what_is_due_can_be_read(self) -> None:
        """If a dream is due a run finds something, and what waits is counted."""
        found = self.night.store.dreams.waiting(OWNER, self.night.now_ms(), is_asked=False)
        assert bool(found) or due(self.night) is None
        assert waiting_count(self.night) >= len({record.session for record in found})

    @invariant()
    def nothing_is_lost(self) -> None:
        """What is not completed yet can be; after that every message is in an epoch."""
        for name in SESSIONS:
            span = self.night.store.dreams.span(OWNER, name)
            assert span is not None
            last = [record.last_id for record in records(self.night, name)]
            assert span.covered_id == max(last, default=0) <= span.last_id
            assert stored(self.night, name).message_count == span.last_id


TestSessionLife = SessionLife.TestCase
TestSessionLife.settings = settings(max_examples=60, stateful_step_count=40, deadline=None)
