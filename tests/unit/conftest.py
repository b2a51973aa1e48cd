"""A home and a memory for each test."""

from collections.abc import Iterator
from pathlib import Path

import pytest

from noctuary.app import Memory
from tests.unit.importing.machine import open_memory


@pytest.fixture
def home(tmp_path: Path) -> Path:
    return tmp_path / "home"


@pytest.fixture
def memory(tmp_path: Path, home: Path) -> Iterator[Memory]:
    with open_memory(tmp_path / "memory", home) as opened:
        yield opened
