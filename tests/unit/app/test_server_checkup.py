"""What the doctor says of a server: which extensions are in use, and what to do about those that are not."""

from contextlib import closing

import pytest

from noctuary.app.server_checkup import check_up
from noctuary.health import Checked, Finding
from noctuary.store import open_server_store
from tests.databases import Reused, change_behind, needs_vectors

pytestmark = pytest.mark.slow


def said_of(url: str) -> Checked:
    """What is said of the server at an address."""
    with closing(open_server_store(url, "ana")) as store:
        return check_up(store)


def test_all_are_in_use(database_with_vectors: Reused) -> None:
    """Then there is nothing to do."""
    checked = said_of(database_with_vectors.url)

    assert checked.finding is Finding.OK
    assert "pg_trgm finds what stands inside of words" in checked.detail
    assert "pgvector compares vectors" in checked.detail
    assert "btree_gin finds words among one's own alone" in checked.detail


def test_without_pgvector(postgres_url: str) -> None:
    """Nothing is wrong, and it says what would be better; as soon as it is there but idle, that is a warning."""
    needs_vectors()
    checked = said_of(postgres_url)
    assert checked.finding is Finding.OK
    assert "runs `create extension vector` in this database, then run `noctuary rebuild`" in checked.detail

    change_behind(postgres_url, "create extension vector")

    checked = said_of(postgres_url)
    assert checked.finding is Finding.WARNING
    assert "version 0." in checked.detail


def test_without_trigrams(postgres_url: str) -> None:
    """Searches inside of words read everything, which whoever asks the doctor should know."""
    change_behind(postgres_url, "drop extension pg_trgm cascade")

    checked = said_of(postgres_url)

    assert checked.finding is Finding.WARNING
    assert "reading all messages, as pg_trgm is not in use: an administrator runs" in checked.detail
