"""What holds for all tests, and the databases that they run on."""

import os
import shutil
from collections.abc import Iterator
from pathlib import Path

import pytest
from hypothesis import settings

from tests import databases, postgres_server

# A property that takes long on a busy machine holds all the same; how long things take is measured in bench/.
examples = int(os.environ.get("NOCTUARY_EXAMPLES", "100"))  # `make fuzz` wants more
# What decides whether a change lands is the same each time; whoever works, or fuzzes, tries other examples every time.
always_the_same = os.environ.get("CI") == "true" and "NOCTUARY_EXAMPLES" not in os.environ
settings.register_profile("untimed", deadline=None, max_examples=examples, derandomize=always_the_same)
settings.load_profile("untimed")


# What stands above the database and takes long is run on one kind, or on both with NOCTUARY_TEST_BOTH=1.
ABOVE = (
    "tests/unit/dream/comparing/",
    "tests/unit/dream/merging/",
    "tests/unit/dream/pages/",
    "tests/unit/dream/verifying/",
    "tests/unit/work/foreign/",
    "tests/unit/work/interchange/",
)


# Files of tests are kept in memory where there is room: a commit waits for the disk, and a test makes many.
IN_MEMORY = Path("/dev/shm")
ROOM_BYTES = 6 << 30


def pytest_configure(config: pytest.Config) -> None:
    """Whoever starts the tests names the folder of their PostgreSQL server, which is started when a test needs it."""
    if IN_MEMORY.is_dir() and shutil.disk_usage(IN_MEMORY).free > ROOM_BYTES:
        os.environ.setdefault("PYTEST_DEBUG_TEMPROOT", str(IN_MEMORY))
    if not hasattr(config, "workerinput"):
        folder = postgres_server.name_folder()
        config.add_cleanup(lambda: postgres_server.remove(folder))


def pytest_ignore_collect(collection_path: Path, config: pytest.Config) -> bool | None:
    """Whoever wants no slow tests does not wait for files either that have nothing else, and what they import."""
    if "not slow" not in config.getoption("markexpr") or collection_path.suffix != ".py":
        return None
    return True if b"\npytestmark = pytest.mark.slow\n" in collection_path.read_bytes() else None


def pytest_collection_modifyitems(config: pytest.Config, items: list[pytest.Item]) -> None:
    """Tests of files are run on the database that is one, and so is what stands high above it."""
    above = () if os.environ.get("NOCTUARY_TEST_BOTH") == "1" else ABOVE
    away = [
        item
        for item in items
        if _runs_on(item) in ("postgres", databases.WITH_VECTORS)
        and (item.get_closest_marker("of_files") or item.nodeid.startswith(above))
    ]
    if away:
        config.hook.pytest_deselected(items=away)
        items[:] = [item for item in items if item not in set(away)]
    if workers := getattr(config, "workerinput", {}).get("workercount"):
        items[:] = _slow_first(items, workers)


def _slow_first(items: list[pytest.Item], workers: int) -> list[pytest.Item]:
    """Tests in an order in which each process begins with slow ones, for it is given so many that stand together.

    Or the last to begin would be one that takes a minute, while the other processors have nothing to do.
    """
    slow, quick = dict[object, list[pytest.Item]](), list[pytest.Item]()
    for item in items:
        if item.get_closest_marker("slow"):
            slow.setdefault(item.path, []).append(item)
        else:
            quick.append(item)
    shares = [list[pytest.Item]() for _ in range(workers)]
    for place, module in enumerate(slow.values()):  # whose tests may share what takes long to set up
        shares[place % workers] += module
    each, rest = divmod(len(items), workers)
    for place, share in enumerate(shares):
        room = max(0, each + (place < rest) - len(share))
        share.extend(quick[:room])
        del quick[:room]
    return [item for share in shares for item in share] + quick


def _runs_on(item: pytest.Item) -> object:
    called = getattr(item, "callspec", None)
    return called.params.get("database") if called else None


@pytest.fixture(scope="session")
def first_database() -> Iterator[databases.Reused]:
    """The database that every test on PostgreSQL finds empty, and leaves so."""
    with databases.reused_database() as made:
        yield made


@pytest.fixture(scope="session")
def database_with_vectors() -> Iterator[databases.Reused]:
    """One more, on which the server compares vectors."""
    with databases.with_vectors() as made:
        yield made


@pytest.fixture
def postgres_url() -> Iterator[str]:
    """A new database on the server, for this test alone, which may leave it as it likes."""
    with databases.new_database() as url:
        yield url


@pytest.fixture(params=databases.KINDS)
def database(request: pytest.FixtureRequest) -> Iterator[str]:
    """The kind of database that memories of this test are on: it runs once on each."""
    with databases.of_kind(request) as kind:
        yield kind
