"""A ledger on a memory of its own, and builders for what is written to it."""

from collections.abc import Iterator
from pathlib import Path

import pytest

from noctuary.ledger.ledger import Ledger
from noctuary.store import Store
from noctuary.testing import FakeClock
from tests.databases import store_in

PROJECT = "/home/ana/code/shop"


@pytest.fixture
def clock() -> FakeClock:
    return FakeClock()


@pytest.fixture
def store(home: Path, database: str) -> Iterator[Store]:
    opened = store_in(home)
    yield opened
    opened.close()


@pytest.fixture
def ledger(store: Store, home: Path, clock: FakeClock) -> Ledger:
    return Ledger(store, home, "ana", clock)
