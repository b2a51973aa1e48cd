"""Kills, power cuts, full and broken disks at every point of a verb: nothing acknowledged is lost, nothing doubled.

Here what is quick runs, each point of it; `bench/crashes.py` runs all verbs and all faults: see docs/durability.md.
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
    ("migrate", "sync"): 15,
    ("open", "power"): 300,
    ("append", "power"): 100,
    ("import", "power"): 60,
    ("note", "power"): 150,
    ("dream", "power"): 200,
    ("sweep", "power"): 130,
    ("scrub", "power"): 1_000,
    ("migrate", "power"): 150,
    ("replace", "power"): 80,
}


# The same for a disk that is really small.
PAGES = {"append": 100, "import": 60}


def tried(program: str, *arguments: str, environ: dict[str, str], before: Sequence[str] = ()) -> dict[str, Any]:
    """What came of all tries."""
    done = subprocess.run(
        [*before, sys.executable, "-m", f"tests.faults.{program}", *arguments],
        env={**environ, "PYTHONPATH": os.pathsep.join([str(ROOT / "src"), str(ROOT)])},
        cwd=ROOT,
        capture_output=True,
        text=True,
        check=False,
    )
    assert done.returncode == 0, done.stderr
    counts: dict[str, Any] = json.loads(done.stdout)
    return counts


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
    quick = [] if fault == "power" else ["--quick"]

    counts = tried("enumerating", verb, fault, *quick, environ=environ)

    assert_nothing_is_wrong(counts)
    assert counts["points"] >= ENUMERATED[verb, fault]


@pytest.mark.of_files
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
