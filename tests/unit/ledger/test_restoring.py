"""A journal that was lost is written again from the tables."""

from pathlib import Path

import pytest

from noctuary.authored import Event, EventType
from noctuary.errors import JournalDamaged
from noctuary.ledger.ledger import Ledger
from noctuary.ledger.restoring import restore
from noctuary.ledger.verifying import verify
from noctuary.store import Store, open_store
from noctuary.testing import FakeClock

PROJECT = "/home/ana/code/shop"


@pytest.fixture
def ledger(tmp_path: Path) -> Ledger:
    ledger = Ledger(open_store(tmp_path / "noctuary.db"), tmp_path, "ana", FakeClock())
    for number in range(5):
        ledger.record(Event(EventType.FINDING, f"finding {number}", project=PROJECT))
    ledger.record(Event(EventType.FINDING, "elsewhere", project="/other"))
    return ledger


def texts(store: Store) -> list[str]:
    return [row[-1].split('"text":"')[1].split('"')[0] for row in store.events.all("ana", PROJECT)]


def test_a_lost_journal_is_the_same_again(ledger: Ledger) -> None:
    """All lines are there again, byte for byte, and the journal goes on; others are not touched."""
    path = ledger.journal(PROJECT).path
    before, other = path.read_bytes(), ledger.journal("/other").path.stat().st_mtime_ns
    path.unlink()

    (restored,) = restore(ledger)

    assert (restored.project, restored.events, restored.aside) == (PROJECT, 5, None)
    assert path.read_bytes() == before
    assert ledger.journal("/other").path.stat().st_mtime_ns == other
    ledger.record(Event(EventType.FINDING, "and on", project=PROJECT))
    assert texts(ledger.store) == [*(f"finding {number}" for number in range(5)), "and on"]
    assert verify(ledger) == []


@pytest.mark.parametrize("left", [b"", b"{}\n", b'{"event_id":"half'])
def test_what_is_left_is_kept(ledger: Ledger, left: bytes) -> None:
    """What is left of a damaged file is put beside the new one, never thrown away."""
    path = ledger.journal(PROJECT).path
    path.write_bytes(left)

    (restored,) = restore(ledger)

    kept = [file.read_bytes() for file in path.parent.glob("*.jsonl.*") if not file.name.endswith(".lock")]
    assert b"".join(kept).strip() == left.strip()
    assert restored.events == 5
    assert verify(ledger) == [] or {str(finding.kind) for finding in verify(ledger)} == {"torn"}


def test_nothing_to_restore(ledger: Ledger) -> None:
    """A journal that is as it was read is left alone."""
    assert restore(ledger) == []


def test_a_rebuild_does_not_drop_what_only_the_tables_have(ledger: Ledger) -> None:
    """A rebuild without the journal would lose everything, so it is refused, and says what to do."""
    ledger.journal(PROJECT).path.unlink()

    with pytest.raises(JournalDamaged, match="noctuary journal restore"):
        ledger.rebuild()

    assert len(texts(ledger.store)) == 5
