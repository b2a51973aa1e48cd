"""Kills, power cuts, full and broken disks at every point of a verb: nothing acknowledged is lost, nothing doubled.

Here what is quick runs, each point of it but where it says so; `bench/crashes.py` runs all verbs and all faults: see
docs/durability.md.
"""

import json
import os
import subprocess
import sys
from collections.abc import Sequence
from pathlib import Path
from typing import Any

import pytest

from tests import databases
from tests.faults import small_disk
from tests.faults.injecting import NoCompiler, environ_with_faults
from tests.postgres_server import is_needed

pytestmark = pytest.mark.slow

ROOT = Path(__file__).parents[2]
# For each verb and fault how many points there are at least: fewer, and something is not seen any more.
ENUMERATED = {
    ("append", "kill"): 140,
    ("append", "full"): 80,
    ("append", "eio"): 100,
    ("note", "kill"): 200,
    ("import", "kill"): 150,
    ("dream", "sync"): 50,
    ("forget", "sync"): 20,
    ("restore", "sync"): 40,
    ("restore", "eio"): 130,
    ("keep", "sync"): 60,
    ("keep", "eio"): 500,
    ("migrate", "sync"): 15,
    ("replace", "kill"): 100,
    ("install", "kill"): 12,
    ("work", "sync"): 25,
    ("move", "full"): 400,
    ("open", "power"): 800,
    ("append", "power"): 250,
    ("import", "power"): 150,
    ("note", "power"): 350,
    ("dream", "power"): 600,
    ("sweep", "power"): 300,
    ("scrub", "power"): 2_000,
    ("migrate", "power"): 450,
    ("replace", "power"): 200,
    ("install", "power"): 40,
}
# What has so many points that they take minutes is disturbed here at each so many only (for a power cut: operations);
# the bench tries all.
SPARSELY = {
    ("keep", "eio"): 10,
    ("move", "full"): 5,
    ("open", "power"): 5,
    ("dream", "power"): 5,
    ("migrate", "power"): 5,
    ("scrub", "power"): 7,
}
# The same for a disk that is really small.
PAGES = {"append": 100, "import": 60}


def tried(program: str, *arguments: str, environ: dict[str, str], before: Sequence[str] = ()) -> dict[str, Any]:
    """What came of all tries."""
    counts: dict[str, Any] = json.loads(_run(["-m", f"tests.faults.{program}", *arguments], environ, before))
    return counts


def _run(arguments: Sequence[str], environ: dict[str, str], before: Sequence[str] = ()) -> str:
    """What Python prints."""
    done = subprocess.run(
        [*before, sys.executable, *arguments],
        env={**environ, "PYTHONPATH": os.pathsep.join([str(ROOT / "src"), str(ROOT)])},
        cwd=ROOT,
        capture_output=True,
        text=True,
        check=False,
    )
    assert done.returncode == 0, done.stderr
    return done.stdout


def assert_nothing_is_wrong(counts: dict[str, Any]) -> None:
    """No try lost, doubled or broke anything, and all were completed."""
    wrong = {name: counts[name] for name in ("lost", "doubled", "broken", "incomplete", "crashed") if counts[name]}
    assert not wrong, counts["examples"]


@pytest.mark.of_files
@pytest.mark.parametrize(("verb", "fault"), ENUMERATED)
def test_every_point(verb: str, fault: str) -> None:
    """Whatever happens at whichever operation on files or statement, the memory is sound and the next try completes."""
    try:
        environ = environ_with_faults()
    except NoCompiler as error:
        if is_needed(os.environ):
            pytest.fail(str(error))
        pytest.skip(str(error))
    quick, step = [] if fault == "power" else ["--quick"], SPARSELY.get((verb, fault), 1)

    counts = tried("enumerating", verb, fault, *quick, "--step", str(step), environ=environ)

    assert_nothing_is_wrong(counts)
    assert counts["points"] >= ENUMERATED[verb, fault] // step


# A verb that fails by itself once, at its tenth try, and is not completed once; or its files are taken away when it has
# ended without a fault; or somebody looks into the memory that all its tries begin with, and is still looking.
TROUBLED = """
import sys
from contextlib import suppress
from pathlib import Path
from tempfile import TemporaryDirectory

from apsw import Connection
from noctuary.errors import StoreBusy
from tests.faults.enumerating import VERBS, every_point

appending = VERBS["append"]

def troubled(verb, name, times):
    def tried(root, *done):
        tries = root.with_name(name)
        tries.open("ab").write(b".")
        if tries.stat().st_size == times:
            raise StoreBusy(f"Trouble of its own: {name}.")
        verb(root, *done)
    return tried

def robbed(root, done):
    appending.act(root, done)
    with suppress(OSError):
        (root / "room").touch()  # there is none if the fault has happened
        if root.with_name("was").exists():
            root.rename(root.with_name("gone"))
        root.with_name("was").touch()

looking = []

def visited(root):
    looking.append(Connection(str(root.with_name("prepared") / "home" / "noctuary.db")))
    looking[-1].pragma("user_version")
    appending.complete(root)

failing = {"act": troubled(appending.act, "act", 10), "complete": troubled(appending.complete, "complete", 5)}
changes = {"failing": failing, "robbed": {"act": robbed}, "visited": {"complete": visited}}
VERBS["append"] = appending._replace(**changes[sys.argv[1]])
with TemporaryDirectory() as folder:
    print(*every_point("append", "full", Path(folder), is_quick=True), sep="\\n")
"""


def _troubled(how: str) -> list[str]:
    """What came of all tries of such a verb, field by field."""
    try:
        environ = environ_with_faults()
    except NoCompiler as error:
        pytest.skip(str(error))
    return _run(["-c", TROUBLED, how], environ).splitlines()


@pytest.mark.of_files
def test_what_fails_by_itself_is_no_end_of_the_points() -> None:
    """A verb that fails before the fault is tried again, counted and shown; so is what is wrong once with some files.

    Or a moment's trouble would hide all points behind it, or count for every point that leaves the same files.
    """
    _, _, points, _, *wrong, examples = _troubled("failing")

    assert int(points) >= ENUMERATED["append", "full"]
    assert [*map(int, wrong)] == [0, 0, 0, 1, 1]  # incomplete, and crashed
    assert "failed before the fault: StoreBusy: Trouble of its own: act." in examples
    assert "incomplete: StoreBusy: Trouble of its own: complete." in examples


@pytest.mark.of_files
def test_the_last_try_is_looked_at_too() -> None:
    """In it the fault does not happen, so all must be there; or files that somebody took away would be its end."""
    _, _, points, _, lost, *_, examples = _troubled("robbed")

    assert int(points) >= ENUMERATED["append", "full"]
    assert int(lost) == 1
    assert "which was not reached: lost" in examples


@pytest.mark.of_files
def test_nobody_may_look_into_what_was_prepared() -> None:
    """SQLite leaves files beside a database that somebody looks into, and every try behind that would be another."""
    with pytest.raises(AssertionError, match="somebody changed the memory that was prepared"):
        _troubled("visited")


@pytest.mark.of_files
@pytest.mark.parametrize("verb", ["move", "restore"])
def test_what_was_acknowledged_is_on_the_disk(verb: str) -> None:
    """A power cut takes nothing of what has returned; the bench cuts it at every moment before, too."""
    try:
        environ = environ_with_faults()
    except NoCompiler as error:
        pytest.skip(str(error))

    counts = tried("enumerating", verb, "power", "--late", environ=environ)

    assert_nothing_is_wrong(counts)
    assert counts["points"] >= 3


@pytest.mark.of_files
def test_a_scrub_that_cannot_write_leaves_no_snapshot_clean_by_half() -> None:
    """After an I/O error the next scrub finds all that is left; here at every fortieth point, the bench tries all."""
    try:
        environ = environ_with_faults()
    except NoCompiler as error:
        pytest.skip(str(error))

    counts = tried("enumerating", "scrub", "eio", "--quick", "--step", "40", environ=environ)

    assert_nothing_is_wrong(counts)
    assert counts["points"] >= 35


@pytest.mark.parametrize("verb", PAGES)
def test_every_page_of_a_small_disk(verb: str) -> None:
    """A disk that is full after whichever page loses nothing that was acknowledged, and the next try completes.

    Where nothing can be mounted this says so, and `full` above is what plays such a disk.
    """
    try:
        before = small_disk.command()
    except small_disk.NoMounting as error:
        pytest.skip(f"{error}; a full disk was played only, by errors from each change on")

    counts = tried("small_disk", verb, small_disk.SMALL, environ=dict(os.environ), before=before)

    assert_nothing_is_wrong(counts)
    assert counts["points"] >= PAGES[verb]


@pytest.mark.parametrize(
    ("verb", "cut"), [("append", "before"), ("append", "after"), ("note", "after"), ("migrate", "after")]
)
def test_statements_on_a_server(verb: str, cut: str) -> None:
    """A connection that ends at a statement loses nothing that was acknowledged, and doubles nothing.

    Here at every fifth: a database is made anew each time.  The bench tries all of them.
    """
    databases.server_of_tests()  # skips where there is none

    counts = tried("cutting", verb, cut, "--step", "5", environ=dict(os.environ))

    assert_nothing_is_wrong(counts)
    assert counts["points"] >= 7
