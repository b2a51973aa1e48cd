"""What dreams ask the database for: found by an index, not by reading all that was ever dreamt of."""

import re
from pathlib import Path

import apsw
import pytest

from noctuary.store.sqlite import SqliteDatabase

# What is asked at every completion and by every run.
ASKED_OFTEN = (
    "dream_bookkeeping_of",
    "dream_records_of",
    "dream_records_of_run",
    "dream_records_waiting",
    "end_dream_leases",
    "end_idle_sessions",
    "renew_dream_leases",
    "session_span",
    "sessions_waiting",
    "unrecorded_sessions",
)
READS_ALL = re.compile(r"SCAN \w+|SEARCH (?:d|dream_sessions|sessions|events) USING [\w ]+ \(owner=\?\)")
FEW = re.compile(r"dream_sessions_waiting|sessions_uncovered")  # partial indexes: of what waits only


@pytest.fixture
def plans(tmp_path: Path) -> dict[str, list[str]]:
    """How the database goes about each query."""
    path = tmp_path / "noctuary.db"
    database = SqliteDatabase(path)
    database.close()
    connection = apsw.Connection(str(path))
    return {
        name: [
            row[3]
            for row in connection.execute(
                f"explain query plan {database.queries[name]}",
                dict.fromkeys(re.findall(r":(\w+)", database.queries[name])),
            )
        ]
        for name in ASKED_OFTEN
    }


def test_c16_nothing_that_is_asked_often_reads_what_was_completed(plans: dict[str, list[str]]) -> None:
    """The cost of a run does not grow with the sessions that were dreamt of before."""
    slow = {
        (name, step)
        for name, steps in plans.items()
        for step in steps
        if READS_ALL.search(step) and not FEW.search(step)
    }

    assert slow == set()
    assert any("dream_sessions_waiting" in step for step in plans["sessions_waiting"])
