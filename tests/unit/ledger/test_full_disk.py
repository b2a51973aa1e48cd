"""A disk that is full when the tables are saved: the journals keep no line that was said not to be stored."""

from collections.abc import Iterator
from pathlib import Path

import apsw
import pytest

from noctuary.app import Memory
from noctuary.authored import Event
from noctuary.errors import StoreError, StoreFull
from noctuary.ledger.ledger import Ledger
from noctuary.settings import Settings
from noctuary.store import Store
from noctuary.store.sqlite import SqliteDatabase
from noctuary.testing import FakeClock
from noctuary.work.exchange import add_events
from tests.unit.ledger.writing import PROJECT, everything, opening, saying, texts


class FullDisk(SqliteDatabase):
    """A database for which there is sometimes no room."""

    is_full = False

    def _commit(self) -> None:
        if self.is_full:
            self._connection.execute("rollback")
            raise apsw.FullError
        super()._commit()


@pytest.fixture
def disk(home: Path) -> Iterator[FullDisk]:
    home.mkdir()
    database = FullDisk(home / "noctuary.db")
    yield database
    database.close()


@pytest.fixture
def small(disk: FullDisk, home: Path, clock: FakeClock) -> Ledger:
    """A ledger on such a disk."""
    return Ledger(Store(disk), home, "ana", clock)


def sizes(ledger: Ledger) -> dict[str, int]:
    return {project: size for project in ledger.projects() if (size := ledger.journal(project).size())}


def test_a_line_is_taken_back_if_the_tables_cannot_be_saved(small: Ledger, disk: FullDisk) -> None:
    """What was said not to be stored is not there later, and running the command again stores it once."""
    small.record(opening())
    before = everything(small), sizes(small)

    disk.is_full = True
    with pytest.raises(StoreFull):
        small.record(saying("once"))
    assert (everything(small), sizes(small)) == before

    disk.is_full = False
    small.record(saying("once"))
    assert texts(small).count("once") == 1
    assert small.catch_up() == []


def test_several_projects_are_all_or_none(small: Ledger, disk: FullDisk) -> None:
    """If the tables of an import cannot be saved, no project keeps a line of it."""
    events = [_made("t-1", "a", 1), _made("t-2", "b", 2)]

    disk.is_full = True
    with pytest.raises(StoreFull):
        add_events(small, events)
    assert sizes(small) == {}

    disk.is_full = False
    assert add_events(small, events).added == 2


def test_one_journal_that_cannot_be_written_to_takes_the_others_back(small: Ledger) -> None:
    """If one journal of an import cannot be written to, those that were have no line more than before."""
    small.record(opening())
    unwritable = small.journal("/a").path  # before the other, so that it is written to after it
    unwritable.symlink_to(unwritable.parent / "nowhere" / "journal")
    before = small.journal(PROJECT).path.read_bytes()

    with pytest.raises(StoreError):
        add_events(small, [_made("t-1", "/a", 1), _made("t-2", PROJECT, 2)])

    assert small.journal(PROJECT).path.read_bytes() == before


def test_reads_go_on(disk: FullDisk, home: Path, clock: FakeClock) -> None:
    """If a line cannot be read into the tables because nothing can be written, what they have is shown."""
    memory = Memory(Store(disk), Settings(home=home, owner="ana", user_home=home, environ={}), clock)
    memory.work(PROJECT).open_task("Known")
    journal = memory.ledger.journal(PROJECT).path
    with journal.open("ab") as file:
        file.write(journal.read_bytes().splitlines()[0].replace(b'{"event_id":"0', b'{"event_id":"1') + b"\n")

    disk.is_full = True
    assert [task.title for task in memory.work(PROJECT).tasks()] == ["Known"]


def _made(node: str, project: str, number: int) -> Event:
    return opening(node, project=project)._replace(id=f"01JZ{number:022d}", ts_ms=number, recorded_ms=number)
