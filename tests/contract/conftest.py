"""The backends that the recall contract is held against."""

from collections.abc import Iterator
from pathlib import Path

import pytest

from noctuary.recall.contract import RecallStore
from tests.contract.building import BACKENDS, Backend


@pytest.fixture(params=BACKENDS)
def backend(request: pytest.FixtureRequest, tmp_path: Path) -> Iterator[Backend]:
    """An empty backend of each kind."""
    made = Backend(request.param, tmp_path)
    yield made
    made.close()


@pytest.fixture
def recall(backend: Backend) -> RecallStore:
    """An empty store of each kind."""
    return backend.open()
