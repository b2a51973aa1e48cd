"""A journal that was lost is written again from the tables."""

from pathlib import Path

import pytest

from noctuary.authored import Event, EventType
from noctuary.errors import JournalDamaged
from noctuary.ledger.ledger import Ledger
from noctuary.ledger.restoring import restore
from noctuary.ledger.verifying import verify
from noctuary.store import Store
from noctuary.testing import FakeClock
from tests.unit.ledger.writing import overwrite, written

pytestmark = pytest.mark.slow

PROJECT = "/home/ana/code/shop"


@pytest.fixture
def ledger(store: Store, home: Path) -> Ledger:
    ledger = Ledger(store, home, "ana", FakeClock())
    for number in range(5):
        ledger.record(Event(EventType.FINDING, f"finding {number}", project=PROJECT))
    ledger.record(Event(EventType.FINDING, "elsewhere", project="/other"))
    return ledger


def texts(store: Store) -> list[str]:
    return [row[-1].split('"text":"')[1].split('"')[0] for row in store.events.all("ana", PROJECT)]


def test_a_lost_journal_is_the_same_again(ledger: Ledger) -> None:
    """All lines are there again, byte for byte, and the journal goes on; others are not touched."""
    before, other = written(ledger), written(ledger, "/other")
    overwrite(ledger, b"")

    (restored,) = restore(ledger)

    assert (restored.project, restored.events, restored.aside) == (PROJECT, 5, None)
    assert (written(ledger), written(ledger, "/other")) == (before, other)
    ledger.record(Event(EventType.FINDING, "and on", project=PROJECT))
    assert texts(ledger.store) == [*(f"finding {number}" for number in range(5)), "and on"]
    assert verify(ledger) == []


@pytest.mark.of_files
def test_others_are_not_touched(ledger: Ledger) -> None:
    """A journal that is as it was is not even written anew."""
    path = ledger.journal("/other").path
    before = path.stat()
    overwrite(ledger, b"")

    restore(ledger)

    assert (path.stat().st_ino, path.stat().st_mtime_ns) == (before.st_ino, before.st_mtime_ns)


@pytest.mark.parametrize("left", [b"{}\n", b"not\n\neven JSON\n"])
def test_whole_lines_that_are_left_are_kept(ledger: Ledger, left: bytes) -> None:
    """What is left of a damaged journal is put into a file, whatever it was, and can be imported from there."""
    overwrite(ledger, left)

    (restored,) = restore(ledger)

    assert restored.aside is not None
    assert restored.aside.read_bytes() == left
    assert restored.events == 5
    assert verify(ledger) == []


@pytest.mark.of_files
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
    overwrite(ledger, b"")

    with pytest.raises(JournalDamaged, match="noctuary journal restore"):
        ledger.rebuild()

    assert len(texts(ledger.store)) == 5
