"""Watching: the memory is opened if there is cause, and what is seen is dealt with once."""

from datetime import UTC, datetime, timedelta
from pathlib import Path

import pytest

from noctuary.app import Memory, sweep_state
from noctuary.app.sweeping import Swept
from noctuary.app.watching import ANYWAY_MS, Watch
from noctuary.errors import StoreError
from noctuary.settings import Settings
from noctuary.testing import ClaudeTranscript, FakeClock

NOW = datetime(2026, 3, 3, 9, 0, tzinfo=UTC)
ONE, TWO = "6f1c1f6e-0000-4000-8000-000000000001", "6f1c1f6e-0000-4000-8000-000000000002"


class Machine:
    """A user with transcripts, and somebody who watches them."""

    def __init__(self, folder: Path, owner: str | None = None) -> None:
        self.home, self.user_home = folder / "memory", folder / "home"
        self.clock = FakeClock(NOW)
        self.settings = Settings.load({"USER": "ana"}, home=self.home, owner=owner, user_home=self.user_home)
        self.watch = Watch(self.settings, self.clock)

    def looked(self) -> Swept:
        """A look that had cause."""
        swept = self.watch.look()
        assert swept is not None
        return swept


@pytest.fixture
def machine(tmp_path: Path) -> Machine:
    """One transcript of two messages, seen by nobody yet."""
    machine = Machine(tmp_path)
    ClaudeTranscript(ONE).say("Hello").reply("Good morning").save(machine.user_home)
    return machine


def test_what_is_new_is_brought_in_once(machine: Machine) -> None:
    """The first look brings in all there is; the next finds no cause to open anything."""
    assert machine.looked().messages == 2

    machine.settings.database.rename(machine.home / "away.db")

    assert machine.watch.look() is None
    assert not machine.settings.database.exists()


def test_what_has_grown_is_brought_in(machine: Machine) -> None:
    """Sizes and times tell it, and only what is new is read."""
    machine.looked()

    ClaudeTranscript(ONE).say("Hello").reply("Good morning").say("And now?").save(machine.user_home)
    ClaudeTranscript(TWO).say("Hello").save(machine.user_home)

    swept = machine.looked()
    assert (swept.messages, swept.sessions) == (2, 1)


def test_a_note_of_a_hook_is_cause(machine: Machine) -> None:
    """What hooks left is dealt with at the next look."""
    machine.looked()

    inbox = machine.home / "inbox"
    inbox.mkdir(exist_ok=True)
    (inbox / "hooks.jsonl").write_text(
        f'{{"event": "SessionEnd", "at_ms": {machine.clock.now_ms()}, "agent": "claude-code", "session": "{ONE}"}}\n'
    )

    swept = machine.looked()
    assert (swept.notes, swept.ended) == (1, (ONE,))
    assert machine.watch.look() is None


def test_time_is_cause(machine: Machine) -> None:
    """A dream can become due although nothing happens; so there is a sweep now and then, also if a clock goes back."""
    machine.looked()

    machine.clock.advance(timedelta(milliseconds=ANYWAY_MS - 1))
    assert machine.watch.look() is None
    machine.clock.advance(timedelta(milliseconds=1))
    assert machine.looked().messages == 0
    machine.clock.advance(timedelta(days=-1))
    assert machine.looked().messages == 0


def test_what_failed_is_tried_again(machine: Machine) -> None:
    """A memory that could not be opened has lost nothing of what was seen."""
    machine.home.write_text("in the way")
    with pytest.raises(StoreError):
        machine.watch.look()

    machine.home.unlink()

    assert machine.looked().messages == 2


def test_another_sweep_is_waited_for(machine: Machine) -> None:
    """While somebody else sweeps nothing is brought in, and it is when they are done."""
    with sweep_state.lock(machine.home, "sweep"):
        assert machine.looked().lock == "busy"

    assert machine.looked().messages == 2


def test_whose_it_is_may_be_said(tmp_path: Path) -> None:
    """What somebody watches for an owner by name is that owner's."""
    machine = Machine(tmp_path, owner="bea")
    ClaudeTranscript(ONE).say("Hello").reply("Good morning").save(machine.user_home)

    assert machine.looked().messages == 2

    with Memory.from_settings(machine.settings._replace(owner="ana"), machine.clock) as memory:
        assert memory.sessions() == []


def test_transcripts_that_a_hook_serves_for_another_are_not_taken(machine: Machine) -> None:
    """Whose a transcript is, only its hook knows: where a hook serves another owner, nobody else takes any."""
    inbox = machine.home / "inbox"
    inbox.mkdir(parents=True)
    (inbox / "hooks.jsonl").write_text(
        f'{{"event": "SessionStart", "at_ms": {machine.clock.now_ms()}, "cwd": "{machine.home}", "owner": "bea"}}\n'
    )

    assert machine.looked().messages == 0

    with Memory.from_settings(machine.settings, machine.clock) as memory:
        assert memory.sessions() == []
