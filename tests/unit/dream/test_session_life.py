"""Whatever happens to sessions, in whatever order: every message is read once, by one run, and none is lost."""

import tempfile
from collections import Counter
from datetime import timedelta
from pathlib import Path

from hypothesis import settings
from hypothesis import strategies as st
from hypothesis.stateful import RuleBasedStateMachine, invariant, precondition, rule

from noctuary.authored import Event, EventType
from noctuary.dream.completing import converge, end_session, record_completion
from noctuary.dream.eligibility import eligibility
from noctuary.dream.healing import check_state, heal
from noctuary.dream.hygiene import tidy
from noctuary.dream.leasing import claim, complete, fail, heartbeat, put_back
from noctuary.dream.night import Night
from noctuary.dream.schedule import due, waiting_count
from noctuary.dream.state_file import restore_state, state_bytes
from noctuary.dreams import DreamRecord, DreamStatus, Eligibility, Trigger
from noctuary.errors import NotFree
from noctuary.testing import FakeClock
from tests.unit.dream.nights import OWNER, PROJECT, add_messages, add_session, open_night, records, stored, write_mark

SESSIONS = ("s-1", "s-12", "S-1")
names = st.sampled_from(SESSIONS)


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

    def teardown(self) -> None:
        """Leave nothing behind."""
        self.opened.__exit__(None, None, None)
        self.folder.cleanup()

    @rule(name=names, count=st.integers(1, 3))
    def say(self, name: str, count: int) -> None:
        """The session goes on."""
        add_messages(self.night, name, *["And then?"] * count)

    @rule(name=names)
    def end(self, name: str) -> None:
        """Somebody says that the session is over."""
        end_session(self.night, name)
        assert eligibility(self.night, name) is not Eligibility.NOT_COMPLETED

    @rule(name=names)
    def record(self, name: str) -> None:
        """The completion is told, perhaps again."""
        record = record_completion(self.night, name)
        assert record_completion(self.night, name) == record

    @rule(minutes=st.sampled_from([1, 11, 60 * 25]))
    def wait(self, minutes: int) -> None:
        """Time passes: leases end, failures may be tried again, sessions are idle."""
        self.clock.advance(timedelta(minutes=minutes))

    @rule()
    def clean_up(self) -> None:
        """Idle sessions are closed, and what was not recorded is."""
        assert tidy(self.night, is_forced=True).failures == ()
        assert converge(self.night).recorded == []

    @rule(is_asked=st.booleans())
    def begin(self, is_asked: bool) -> None:
        """A run takes all that waits."""
        self.runs += 1
        for record in self.night.store.dreams.waiting(OWNER, self.night.now_ms(), is_asked=is_asked):
            if claimed := claim(self.night, f"run-{self.runs}", record):
                self.held.append(claimed)

    @precondition(lambda self: self.held)
    @rule(data=st.data())
    def finish(self, data: st.DataObject) -> None:
        """A run writes down what it read, if it is still its own."""
        record = self._taken(data)
        try:
            with self.night.ledger.writing(PROJECT) as write:
                event = write(Event(EventType.FINDING, "Tabs are used."))
                mark = write_mark(self.night, record, str(record.run), event.id)
                complete(self.night, record, run=str(record.run), trigger=Trigger.MANUAL, artifacts=(event.id, mark))
        except NotFree:
            return
        for message in range(record.first_id, record.last_id + 1):
            self.read[record.session, message] += 1

    @precondition(lambda self: self.held)
    @rule(data=st.data())
    def break_down(self, data: st.DataObject) -> None:
        """A run cannot read a session."""
        fail(self.night, self._taken(data), "the model did not answer")

    @precondition(lambda self: self.held)
    @rule(data=st.data())
    def give_back(self, data: st.DataObject) -> None:
        """A run has no time or no money for a session."""
        put_back(self.night, self._taken(data), "interrupted")

    @precondition(lambda self: self.held)
    @rule(data=st.data())
    def killed_between_journal_and_tables(self, data: st.DataObject) -> None:
        """A run dies when its line is in the journal and nothing is in the tables."""
        record = self._taken(data)
        if record not in records(self.night, record.session):
            return  # it lost its lease, so it would not have come so far
        write_mark(self.night, record, str(record.run))
        for message in range(record.first_id, record.last_id + 1):
            self.read[record.session, message] += 1

    @precondition(lambda self: self.held)
    @rule(data=st.data())
    def go_on(self, data: st.DataObject) -> None:
        """A run says that it is alive."""
        heartbeat(self.night, str(data.draw(st.sampled_from(self.held)).run))

    @rule()
    def heal_it(self) -> None:
        """Somebody heals what may not need it."""
        heal(self.night)
        assert check_state(self.night) == []

    @rule()
    def snapshot_and_restore(self) -> None:
        """A restore of the present state changes nothing."""
        content = state_bytes(self.night.store, OWNER)
        assert restore_state(self.night, content).is_skipped
        assert state_bytes(self.night.store, OWNER) == content

    def _taken(self, data: st.DataObject) -> DreamRecord:
        return self.held.pop(data.draw(st.integers(0, len(self.held) - 1)))

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
