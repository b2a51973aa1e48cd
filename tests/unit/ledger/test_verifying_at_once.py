"""What is fine is found fine also while others write: to the journal first, and then to the tables."""

import itertools
import shutil
from collections.abc import Callable, Iterator
from contextlib import suppress
from pathlib import Path
from threading import Event, Thread

import pytest

from noctuary.errors import StoreBusy
from noctuary.journal.contract import BEGINNING, Line, Place
from noctuary.journal.file import JournalFile, journal_path
from noctuary.journal.folder import FolderJournals
from noctuary.ledger.ledger import Ledger
from noctuary.ledger.verifying import Kind, verify
from noctuary.store import Store, open_store
from noctuary.testing import FakeClock
from tests.unit.ledger.writing import PROJECT, opening, saying

pytestmark = pytest.mark.of_files


class Overheard(FolderJournals):
    """Journals of which somebody knows when they have been read to their end."""

    def __init__(self, home: Path, owner: str, when_read: Callable[[], None]) -> None:
        super().__init__(home, owner)
        self._when_read = when_read

    def journal(self, project: str) -> JournalFile:
        """The journal of a project."""
        return _OverheardFile(journal_path(self.home, self.owner, project), self._when_read)


class _OverheardFile(JournalFile):
    def __init__(self, path: Path, when_read: Callable[[], None]) -> None:
        super().__init__(path)
        self._when_read = when_read

    def read(self, place: Place = BEGINNING) -> Iterator[Line]:
        yield from super().read(place)
        self._when_read()


@pytest.fixture
def other(home: Path, ledger: Ledger, clock: FakeClock) -> Iterator[Ledger]:
    """Somebody else who writes to the same memory, and does not wait for long if they may not."""
    ledger.record(opening())
    store = open_store(home / "noctuary.db", busy_seconds=0.01)
    yield Ledger(store, home, "ana", clock)
    store.close()


def overhearing(store: Store, home: Path, clock: FakeClock, when_read: Callable[[], None]) -> Ledger:
    return Ledger(store, home, "ana", clock, Overheard(home, "ana", when_read))


@pytest.mark.parametrize("most", [1, 2, 5, 1_000])
def test_what_is_written_meanwhile_is_not_held_against_the_tables(
    store: Store, home: Path, clock: FakeClock, other: Ledger, most: int
) -> None:
    """Somebody writes whenever a journal has been read, a few times or as long as they may."""
    numbers = iter(range(most))

    def write() -> None:
        with suppress(StoreBusy):
            for number in itertools.islice(numbers, 1):
                other.record(saying(f"word {number}"))

    assert verify(overhearing(store, home, clock, write)) == []
    assert next(numbers, most) > 0, "nobody wrote"


def test_a_line_that_is_not_in_the_tables_yet_is_waited_for(
    store: Store, home: Path, clock: FakeClock, other: Ledger
) -> None:
    """Whoever wrote it is about to commit; only if nobody is, the tables are behind."""
    written, seen = Event(), Event()

    def write_slowly() -> None:
        with other.at_once():
            other.record(saying("slowly"))
            written.set()
            seen.wait(60)

    writer = Thread(target=write_slowly)
    writer.start()
    written.wait(60)
    findings = verify(overhearing(store, home, clock, seen.set))
    writer.join()

    assert findings == []


def test_half_a_line_that_becomes_a_whole_one_is_not_torn(
    store: Store, home: Path, clock: FakeClock, other: Ledger, tmp_path: Path
) -> None:
    """Half a line is what one sees of a line that is just being written."""
    path = other.journal(PROJECT).path
    before, line = path.read_bytes(), next_line(home, tmp_path / "copy", clock)
    path.write_bytes(before + line[: len(line) // 2])

    def write_the_rest() -> None:
        path.write_bytes(before + line)
        with suppress(StoreBusy):
            other.catch_up()

    assert verify(overhearing(store, home, clock, write_the_rest)) == []


def next_line(home: Path, copy: Path, clock: FakeClock) -> bytes:
    """The line that would be written next."""
    shutil.copytree(home, copy)
    store = open_store(copy / "noctuary.db")
    try:
        ledger = Ledger(store, copy, "ana", clock)
        ledger.record(saying("one"))
        return ledger.journal(PROJECT).path.read_bytes().splitlines(keepends=True)[-1]
    finally:
        store.close()


def test_tables_that_are_wrong_are_found_while_others_write(
    store: Store, home: Path, clock: FakeClock, other: Ledger
) -> None:
    """To look again is not to look away."""
    store.database.run_many("save_edge", [("ana", "informs", "t-1", "t-1", "e-1", PROJECT, None, 0)])
    numbers = itertools.count()

    def write() -> None:
        with suppress(StoreBusy):
            other.record(saying(f"word {next(numbers)}"))

    found = verify(overhearing(store, home, clock, write))

    assert Kind.UNEQUAL in [finding.kind for finding in found]
