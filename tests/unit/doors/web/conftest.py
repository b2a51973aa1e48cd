"""A memory for each test of the pages."""

from collections.abc import Iterator
from pathlib import Path

import pytest

from noctuary.app import Memory
from tests.unit.doors.web.visiting import empty_memory


@pytest.fixture
def memory(tmp_path: Path) -> Iterator[Memory]:
    with empty_memory(tmp_path / "memory") as opened:
        yield opened
