"""The backends that the recall contract is held against."""

from collections.abc import Iterator
from contextlib import ExitStack
from pathlib import Path

import pytest

from noctuary.recall.contract import RecallStore
from tests import databases
from tests.contract.building import BACKENDS, Backend, new_backend


@pytest.fixture(params=BACKENDS)
def backend(request: pytest.FixtureRequest, tmp_path: Path) -> Iterator[Backend]:
    """An empty backend of each kind."""
    if request.param != "postgres":
        with new_backend(request.param, tmp_path) as made:
            yield made
        return
    with databases.on_postgres(request.getfixturevalue("first_database")):
        made = Backend("postgres", databases.url_of(tmp_path) or "")
        yield made
        made.close()


@pytest.fixture
def recall(backend: Backend) -> RecallStore:
    """An empty store of each kind."""
    return backend.open()


@pytest.fixture(scope="module")
def each_kind(tmp_path_factory: pytest.TempPathFactory) -> Iterator[list[RecallStore]]:
    """A store of each kind, for many examples, each of an owner of its own."""
    with ExitStack() as made:
        backends = [made.enter_context(new_backend(kind, tmp_path_factory.mktemp(kind))) for kind in BACKENDS]
        yield [backend.open() for backend in backends]
