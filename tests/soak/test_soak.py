"""The soak itself: a short one goes well, and each of its checks can fail."""

import subprocess
import sys
from collections import Counter
from collections.abc import Callable
from pathlib import Path
from typing import Any

import apsw
import pytest

from tests.soak import acknowledged
from tests.soak.acknowledged import Thing, event, faults, message, node
from tests.soak.checking import check_resting, differences
from tests.soak.ground import Ground, wrong_with
from tests.soak.soaking import WRITERS, Pauses, Soak
from tests.soak.watching import Growth, Look, growth, growth_faults, left_behind, stray_files

SAID = message("s1", 3, "soak-w1-1")
NOTED = event("e-1", "soak-w1-2")


# What is changed behind everybody's back, and what is said of it.
SPOILT = {
    "delete from messages where key = (select max(key) from messages where content like '%soak-w2%')": "lost: message",
    "update events set node = 'x' where no = 1": "events: ",
    "update nodes set title = 'x' where no = (select max(no) from nodes)": "nodes: ",
    "update sessions set message_count = message_count + 1": "sessions miscounted",
    "delete from message_index where rowid = (select min(id) from message_index_docsize)": "message_index: ",
}


@pytest.mark.slow
def test_a_short_soak_goes_well_and_what_is_spoilt_then_is_found(tmp_path: Path) -> None:
    """Nothing goes wrong and nobody is idle; then a message, an event, a node, a count and an index are wrong."""
    ground = Ground(tmp_path / "ground")
    seen = Soak(ground, 3.0, Pauses().times(0.1), rounds=1).run()

    assert seen["faults"] == []
    assert seen["actions"].keys() >= {"web", "mcp", "storm", "dream", "upkeep", "checks"}
    assert seen["acknowledged"].keys() == {"message", "event", "node"}
    assert all((ground.noted / f"w{number}").read_text() for number in range(len(WRITERS)))

    spoil(ground)
    found = list(check_resting(ground))

    assert [said for said in SPOILT.values() if not any(said in fault for fault in found)] == [], found
    assert [fault for fault in found if fault.startswith("doubled: line")]
    assert [fault for fault in found if fault.startswith("`journal verify` ended with 4")]


def spoil(ground: Ground) -> None:
    """Change the database, and let the first line of a journal be there twice."""
    connection = apsw.Connection(str(ground.database))
    for statement in SPOILT:
        connection.execute(statement)
    connection.close()
    path = next((ground.memory / "journal").rglob("*.jsonl"))
    path.write_bytes(path.read_bytes() + path.read_bytes().splitlines(keepends=True)[0])


@pytest.mark.parametrize(
    ("kept", "said"),
    [
        ([SAID, NOTED], []),
        ([SAID], ["lost"]),
        ([SAID, NOTED, NOTED._replace(name="e-2")], ["doubled"]),
        ([SAID, NOTED, SAID], ["doubled"]),
        ([SAID, NOTED._replace(name="e-2")], ["elsewhere"]),
        ([SAID._replace(name="s1 4"), NOTED], ["elsewhere"]),
        ([SAID, NOTED, node("t-1", "soak-w1-3")], []),
    ],
)
def test_what_was_acknowledged_is_there_once(kept: list[Thing], said: list[str]) -> None:
    """What is not there, is there twice or is elsewhere is a fault; what nobody was told of is none."""
    assert [fault.partition(":")[0] for fault in faults([SAID, NOTED], kept)] == said


def test_a_line_that_is_being_written_was_not_acknowledged(tmp_path: Path) -> None:
    """Whoever is killed has told nobody of it."""
    with (tmp_path / "w0").open("w") as file:
        acknowledged.write(file, [SAID])
        file.write('["message", "s1 4", "soak-')

    assert acknowledged.read(tmp_path) == [SAID]


def test_a_command_that_complains_is_a_fault() -> None:
    """Also if it did what it was asked for; what it prints is no matter."""
    ended = [subprocess.CompletedProcess(["python", "-m", "noctuary", "dream"], *how) for how in (
        (0, "done", ""), (4, "", "noctuary: Another process is writing."), (0, "", "Traceback"))]  # fmt: skip

    assert [bool(wrong_with(each)) for each in ended] == [False, True, True]


@pytest.mark.parametrize(
    ("last", "said"),
    [
        (Look(60.0, 12), []),
        (Look(70.0, 14), []),
        (Look(160.0, 12), ["serve grew from 60.0 to 160.0 MB"]),
        (Look(60.0, 40), ["serve had 12 handles open at most, and later 40"]),
    ],
)
def test_what_a_server_holds_stays_what_it_was(last: Look, said: list[str]) -> None:
    """What it takes at its beginning is no matter, and neither is a little more."""
    looks = [Look(20.0, 5)] * 20 + [Look(60.0, 12)] * 20 + [last] * 20

    assert list(growth_faults("serve", growth(looks))) == said


def test_of_a_short_run_nothing_is_said_about_growth() -> None:
    """A few looks at a server that warms up prove nothing."""
    assert growth([Look(20.0, 5), Look(60.0, 12)]) is None
    assert list(growth_faults("serve", None)) == []
    assert list(growth_faults("serve", Growth((60.0, 60.0), (12, 12)))) == []


@pytest.mark.parametrize("how", ["in its environment", "in its command line"])
def test_a_process_that_is_left_behind_is_found_and_ended(tmp_path: Path, how: str) -> None:
    """Whoever knows of the memory is part of the soak, however far it went away."""
    of_memory = {"env": {"NOCTUARY_HOME": str(tmp_path)}} if how == "in its environment" else {}
    options: dict[str, Any] = {"start_new_session": True, **of_memory}
    arguments = [] if of_memory else [str(tmp_path)]
    program = "print(flush=True); import time; time.sleep(600)"
    process = subprocess.Popen([sys.executable, "-c", program, *arguments], stdout=subprocess.PIPE, **options)
    assert process.stdout
    process.stdout.readline()

    (fault,) = left_behind(tmp_path, 0.0)

    assert fault.startswith(f"left behind: {process.pid} ")
    assert process.wait(60) == -9
    process.stdout.close()
    assert left_behind(tmp_path, 0.0) == []


@pytest.mark.parametrize("name", ["noctuary.db-wal", ".sweep.json.4711", ".MEMORY.md.noctuary", "hooks.jsonl.taken"])
def test_files_that_were_for_a_moment_are_found(tmp_path: Path, name: str) -> None:
    """Those of a process that did not clean up."""
    make(tmp_path / "memory" / "state" / name)
    make(tmp_path / "memory" / "noctuary.db")

    assert [fault.rpartition("/")[2] for fault in stray_files(tmp_path / "memory", tmp_path / "none")] == [name]


def test_whatever_is_left_among_temporary_files_is_found(tmp_path: Path) -> None:
    """There is nothing that may stay."""
    make(tmp_path / "tmp" / "anything")

    assert len(list(stray_files(tmp_path / "memory", tmp_path / "tmp"))) == 1


def make(path: Path) -> None:
    """An empty file."""
    path.parent.mkdir(parents=True, exist_ok=True)
    path.touch()


def test_rows_that_are_there_more_often_are_a_difference() -> None:
    """Tables are compared with how often each row is there."""
    counted: Callable[..., dict[str, Counter[tuple[object, ...]]]] = lambda *rows: {"t": Counter(rows)}  # noqa: E731

    assert list(differences(counted((1,), (2,)), counted((2,), (1,)))) == []
    assert len(list(differences(counted((1,)), counted((1,), (1,))))) == 1
