"""Two memories that know nothing of each other, and a third."""

from collections.abc import Iterator
from pathlib import Path

import pytest

from noctuary.testing import FakeClock
from noctuary.work.desk import Desk
from tests.unit.work.machines import machine


@pytest.fixture
def here(tmp_path: Path, clock: FakeClock) -> Iterator[Desk]:
    with machine(tmp_path / "here", clock) as desk:
        yield desk


@pytest.fixture
def there(tmp_path: Path, clock: FakeClock) -> Iterator[Desk]:
    with machine(tmp_path / "there", clock) as desk:
        yield desk


@pytest.fixture
def yonder(tmp_path: Path, clock: FakeClock) -> Iterator[Desk]:
    with machine(tmp_path / "yonder", clock) as desk:
        yield desk
