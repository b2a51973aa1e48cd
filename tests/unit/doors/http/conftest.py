"""The application of each test."""

from collections.abc import Iterator
from pathlib import Path

import pytest

from tests.unit.doors.http.serving import Served


@pytest.fixture
def served(tmp_path: Path) -> Iterator[Served]:
    application = Served(tmp_path / "memory")
    yield application
    application.close()
