"""Two machines dream of the same session, and their journals are merged: what both propose counts once."""

from collections.abc import Iterator
from datetime import timedelta
from pathlib import Path

import pytest

from noctuary.dream.life.completing import end_session
from noctuary.dream.night import Night
from noctuary.dream.reviewing import accept, queue, reject
from noctuary.dream.run import dream
from noctuary.dream.undoing import undo
from noctuary.dreams import Trigger
from noctuary.store.memories import MemoryStatus
from noctuary.testing import FakeClock
from noctuary.work.exchange import export_journal, import_journal
from tests.unit.dream.nights import OWNER, PROJECT, add_session, open_night
from tests.unit.dream.reading_by_script import Verbatim

pytestmark = pytest.mark.slow

SAID = ("Always indent the shop with tabs.", "The shop listens on port 3000.", "Never deploy on a Friday.", "Noted.")


@pytest.fixture
def other(tmp_path: Path, clock: FakeClock) -> Iterator[Night]:
    """The same owner's memory on another machine, whose clock is a minute late."""
    late = FakeClock()
    late.advance(timedelta(minutes=-1))
    with open_night(tmp_path / "other", late) as opened:
        yield opened


@pytest.fixture
def both(night: Night, other: Night) -> tuple[Night, Night]:
    """Both have dreamt of the session, and know nothing of each other."""
    for machine in (night, other):
        add_session(machine, "s-1", *SAID, ts_ms=1_772_000_000_000)
        end_session(machine, "s-1")
        dream(machine, Verbatim(), trigger=Trigger.MANUAL)
    return night, other


def merge(*machines: Night) -> None:
    """Each gets what the others have."""
    lines = [[*export_journal(machine.ledger, PROJECT)] for machine in machines]
    for machine in machines:
        for given in lines:
            import_journal(machine.ledger, given, PROJECT)


def waiting(night: Night) -> list[str]:
    return sorted(one.entry.event.text for one in queue(night, None))


def held(night: Night) -> list[tuple[str, str, object]]:
    memories = night.store.memories.where(OWNER, project=PROJECT, statuses=None)
    return sorted((one.text, str(one.status), one.facts.get("approved")) for one in memories)


def test_what_both_propose_counts_once(both: tuple[Night, Night]) -> None:
    """On both machines the same: the entry with the smaller id waits, a memory is one, and the task is one."""
    one, other = both
    before, memories = waiting(one), held(one)

    merge(*both)

    assert waiting(one) == waiting(other) == before
    assert held(one) == held(other) == memories
    ids = [[suggestion.entry.event.id for suggestion in queue(machine, None)] for machine in both]
    assert ids[0] == ids[1]
    assert all(suggestion.memory is None or suggestion.memory.event in ids[0] for suggestion in queue(one, None))
    assert one.store.events.count(OWNER) == other.store.events.count(OWNER)
    dumped = one.store.journals.dump(OWNER, PROJECT)
    one.ledger.rebuild()
    assert one.store.journals.dump(OWNER, PROJECT) == dumped


@pytest.mark.parametrize("place", [0, 1])
def test_what_one_accepted_or_rejected_is_so_on_both(both: tuple[Night, Night], place: int) -> None:
    """Whichever machine it was, and whether its entry is the one that counts."""
    for suggestion in queue(both[place], PROJECT):
        if "tabs" in suggestion.entry.event.text:
            accept(both[place], suggestion.entry.event.id)
        elif "Friday" in suggestion.entry.event.text:
            reject(both[place], suggestion.entry.event.id)

    merge(*both)

    for machine in both:
        assert not any("tabs" in text or "Friday" in text for text in waiting(machine))
        stands = {text: (status, approved) for text, status, approved in held(machine)}
        assert stands[SAID[0]] == (MemoryStatus.ACTIVE, True)
        assert stands[SAID[2]][0] == MemoryStatus.RETRACTED


@pytest.mark.parametrize("is_accepted", [True, False])
def test_the_task_that_both_propose_is_decided_once(both: tuple[Night, Night], *, is_accepted: bool) -> None:
    """Opened or rejected, nothing is left to decide."""
    merge(*both)
    (task,) = [one.entry.event.id for one in queue(both[0], None) if one.entry.event.type == "open"]

    (accept if is_accepted else reject)(both[0], task)
    merge(*both)

    for machine in both:
        assert [one for one in queue(machine, None) if one.entry.event.type == "open"] == []
        assert len(machine.store.nodes.where(OWNER, project=PROJECT)) == is_accepted


@pytest.mark.parametrize("place", [0, 1])
def test_what_another_run_proposed_too_stays(both: tuple[Night, Night], place: int) -> None:
    """Whichever run is taken back, the one whose entries count or the other; when both are, nothing is left."""
    merge(*both)
    machine, before, memories = both[place], waiting(both[place]), held(both[place])
    runs = [one.store.dreams.runs(OWNER)[0].id for one in both]

    undo(machine)
    assert (waiting(machine), held(machine)) == (before, memories)

    undo(machine, runs[1 - place])
    assert waiting(machine) == []
    assert {status for _, status, _ in held(machine)} == {MemoryStatus.RETRACTED}
    dumped = machine.store.journals.dump(OWNER, PROJECT)
    machine.ledger.rebuild()
    assert machine.store.journals.dump(OWNER, PROJECT) == dumped
    dream(machine, Verbatim(), trigger=Trigger.MANUAL)
    assert waiting(machine) == before
