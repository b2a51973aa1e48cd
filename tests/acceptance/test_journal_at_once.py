"""Many processes write to one journal, or are killed while they do: no line is torn, lost or doubled."""

import json
import os
import random
import signal
import subprocess
import sys
import time
from pathlib import Path

import pytest

from noctuary.authored import Event, EventType
from noctuary.clock import SystemClock
from noctuary.journal.lines import line_digest
from noctuary.ledger.ledger import Ledger
from noctuary.ledger.verifying import Kind, verify
from noctuary.store import open_store

SRC = Path(__file__).parents[2] / "src"
PROJECT = "/home/ana/code/shop"
WRITERS = 8
EVENTS = 1_000
KILLS = 25

WRITE = """
import sys
from pathlib import Path
from noctuary.authored import Event, EventType
from noctuary.clock import SystemClock
from noctuary.ledger.ledger import Ledger
from noctuary.store import open_store
home, name, count = Path(sys.argv[1]), sys.argv[2], int(sys.argv[3])
ledger = Ledger(open_store(home / "noctuary.db", busy_seconds=600), home, "ana", SystemClock())
node = {"id": "t-" + name, "type": "task", "title": "Task of " + name, "status": "pending"}
print("writing", flush=True)
for number in range(count):
    change = {} if number else {"nodes": [node]}
    ledger.record(Event(EventType.FINDING, f"{name} found {number} " + "x" * (number * 37 % 600),
                        project="/home/ana/code/shop", node="t-" + name, change=change))
    print(number, flush=True)
"""


def start(home: Path, name: str, count: int) -> subprocess.Popen[str]:
    """A process that writes so many events, one by one, and says which are recorded."""
    return subprocess.Popen(
        [sys.executable, "-c", WRITE, str(home), name, str(count)],
        env={"PYTHONPATH": str(SRC), "PATH": os.defpath},
        stdout=subprocess.PIPE,
        text=True,
    )


def opened(home: Path) -> Ledger:
    return Ledger(open_store(home / "noctuary.db"), home, "ana", SystemClock())


def told(output: str) -> int:
    """How many events a writer said it had recorded."""
    return len([line for line in output.splitlines(keepends=True) if line.strip().isdigit() and line.endswith("\n")])


def words(ledger: Ledger) -> list[str]:
    """Who found what, in the order of the file; the file must be one chain of whole lines."""
    lines = [line.content for line in ledger.journal(PROJECT).read()]
    records = [json.loads(line) for line in lines]
    assert [record["prev"] for record in records] == ["", *map(line_digest, lines[:-1])]
    assert [record["event_id"] for record in records] == sorted({record["event_id"] for record in records})
    return [" ".join(record["text"].split()[:3]) for record in records]


@pytest.mark.slow
def test_eight_writers_at_once(tmp_path: Path) -> None:
    """Eight processes write a thousand events each: all are there once and whole, and the tables agree."""
    opened(tmp_path).store.close()
    writers = [start(tmp_path, f"w{number}", EVENTS) for number in range(WRITERS)]

    assert [told(writer.communicate()[0]) for writer in writers] == [EVENTS] * WRITERS

    ledger = opened(tmp_path)
    assert sorted(words(ledger)) == sorted(f"w{w} found {n}" for w in range(WRITERS) for n in range(EVENTS))
    assert ledger.store.events.count("ana") == WRITERS * EVENTS
    assert verify(ledger) == []


@pytest.mark.slow
def test_kill_9(tmp_path: Path) -> None:
    """However often a writer is killed, what it said it had recorded stays, and the tables agree."""
    opened(tmp_path).store.close()
    chance, kept = random.Random(1), 0
    for kill in range(KILLS):
        writer = start(tmp_path, f"k{kill}", 10_000)
        assert writer.stdout
        assert writer.stdout.readline() == "writing\n"
        heard = [writer.stdout.readline() for _ in range(chance.randrange(1, 12))]  # however fast the machine is
        time.sleep(chance.uniform(0.0, 0.01))  # into the next
        writer.send_signal(signal.SIGKILL)
        said = told("".join(heard) + writer.communicate()[0])

        ledger = opened(tmp_path)
        ledger.catch_up()
        recorded = words(ledger)
        mine = [word for word in recorded if word.startswith(f"k{kill} ")]
        assert mine == [f"k{kill} found {number}" for number in range(len(mine))]
        assert said <= len(mine) <= said + 1
        assert ledger.store.events.count("ana") == len(recorded) == kept + len(mine)
        kept = len(recorded)
        ledger.store.close()

    ledger = opened(tmp_path)
    ledger.record(Event(EventType.FINDING, "After all that", project=PROJECT))
    assert {finding.kind for finding in verify(ledger)} <= {Kind.TORN}
    assert kept >= KILLS
