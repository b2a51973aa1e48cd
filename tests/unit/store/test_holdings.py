"""How much each owner has, and a copy of the database as it was."""

from collections.abc import Iterator
from pathlib import Path

import pytest

from noctuary.errors import StoreError
from noctuary.store import Store, open_store
from noctuary.store.dreams import DreamState
from noctuary.store.holdings import Holdings, holdings
from noctuary.store.sqlite import SqliteDatabase
from tests.unit.store.test_sqlite import add, owners


@pytest.fixture
def store(tmp_path: Path) -> Iterator[Store]:
    opened = open_store(tmp_path / "noctuary.db")
    yield opened
    opened.close()


def test_nobody_has_anything_at_first(store: Store) -> None:
    """A new database is empty, and says so."""
    assert holdings(store.database) == {}
    assert Holdings().is_empty


def test_everybody_who_has_anything_is_counted(store: Store, tmp_path: Path) -> None:
    """Whatever it is: a session, or only the time of the last dream."""
    database = SqliteDatabase(tmp_path / "noctuary.db")
    add(database, "ana")
    database.close()
    store.dreams.save_state("bea", DreamState(last_success_ms=5))

    assert holdings(store.database) == {"ana": Holdings(sessions=1), "bea": Holdings(last_success_ms=5)}


def test_copy_is_of_the_moment_it_was_pinned(tmp_path: Path) -> None:
    """What is written between the two is not in it."""
    database = SqliteDatabase(tmp_path / "noctuary.db")
    add(database, "before")
    with database.pinned() as copy_to:
        add(database, "after")
        copy_to(tmp_path / "copy.db")
    copy = SqliteDatabase(tmp_path / "copy.db")

    assert owners(copy) == ["before"]
    assert owners(database) == ["after", "before"]
    copy.close()
    database.close()


def test_copy_never_replaces_a_file(tmp_path: Path) -> None:
    """Whatever is there stays."""
    (tmp_path / "copy.db").write_text("mine")
    database = SqliteDatabase(tmp_path / "noctuary.db")

    with database.pinned() as copy_to, pytest.raises((StoreError, FileExistsError)):
        copy_to(tmp_path / "copy.db")
    assert (tmp_path / "copy.db").read_text() == "mine"
    database.close()
