"""A night for each test, on a fresh memory whose clock stands still; `nights.py` fills it with sessions."""

from collections.abc import Iterator
from pathlib import Path

import pytest

from noctuary.dream.night import Night
from noctuary.testing import FakeClock
from tests.unit.dream.nights import open_night


@pytest.fixture
def clock() -> FakeClock:
    """The time of the night: it stands still until it is told otherwise."""
    return FakeClock()


@pytest.fixture
def night(home: Path, clock: FakeClock, database: str) -> Iterator[Night]:
    """A night on a fresh memory, with the default settings; `night._replace(settings=…)` gives others."""
    with open_night(home, clock) as opened:
        yield opened
