"""A memory for each test."""

from collections.abc import Iterator
from pathlib import Path

import pytest

from noctuary.app import Memory
from tests.unit.brief.shop import opened


@pytest.fixture
def memory(tmp_path: Path) -> Iterator[Memory]:
    """An empty memory."""
    with opened(tmp_path) as memory:
        yield memory
