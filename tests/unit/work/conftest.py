"""A desk to work at, and as many more on the same memory as a test needs: other projects, other sessions, others."""

from collections.abc import Iterator
from pathlib import Path
from typing import Protocol

import pytest

from noctuary.authored import Author, Trust
from noctuary.ledger.ledger import Ledger
from noctuary.store import Store
from noctuary.testing import FakeClock
from noctuary.work.desk import Desk, Writer
from tests.databases import store_in

OWNER = "ana"
PROJECT = "/home/ana/code/shop"


class MakeDesk(Protocol):
    """Gives a desk on the test's memory."""

    def __call__(
        self,
        project: str = PROJECT,
        session: str | None = None,
        author: Author = Author.USER,
        owner: str = OWNER,
        trust: Trust = Trust.USER,
    ) -> Desk: ...


@pytest.fixture
def clock() -> FakeClock:
    """The time at every desk: it stands still until it is told otherwise."""
    return FakeClock()


@pytest.fixture
def store(home: Path, database: str) -> Iterator[Store]:
    home.mkdir(parents=True, exist_ok=True)
    opened = store_in(home)
    yield opened
    opened.close()


@pytest.fixture
def make_desk(store: Store, home: Path, clock: FakeClock) -> MakeDesk:
    def make(
        project: str = PROJECT,
        session: str | None = None,
        author: Author = Author.USER,
        owner: str = OWNER,
        trust: Trust = Trust.USER,
    ) -> Desk:
        own = store if owner == OWNER or store.database.dialect == "sqlite" else store_in(home, owner)
        return Desk(Ledger(own, home, owner, clock), project, Writer(author=author, session=session, trust=trust))

    return make


@pytest.fixture
def desk(make_desk: MakeDesk) -> Desk:
    """A user's desk in one project, of no session of an agent."""
    return make_desk()
