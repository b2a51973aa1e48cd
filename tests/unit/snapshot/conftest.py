"""A memory with something of everything in it, and a snapshot of it."""

from collections.abc import Iterator
from pathlib import Path

import pytest

from noctuary.app import Memory
from tests.unit.snapshot.memories import fill, open_memory


@pytest.fixture
def full(tmp_path: Path) -> Iterator[Memory]:
    """A memory with something of everything."""
    with open_memory(tmp_path / "live", tmp_path / "user") as memory:
        fill(memory)
        yield memory


@pytest.fixture
def snapshot(full: Memory, tmp_path: Path) -> Path:
    """A snapshot of it, in a folder outside."""
    return full.snapshot(tmp_path / "kept").path
