"""The journal and the work: what they cost, each as a ratio to a floor, or to a small one, measured in the same run.

    python bench/journal.py [--json] [--only NAME …]

Events are made up: those of some tasks below one goal, of the sizes and types that agents write.
"""

import json
import random
import tempfile
from collections.abc import Callable, Iterator
from functools import partial
from pathlib import Path
from statistics import median
from typing import Any

import apsw
import click

from noctuary.authored import Author, Event, EventSource, EventType, MessageRef, Refs
from noctuary.clock import SystemClock
from noctuary.ids import short_id, ulid_after
from noctuary.ledger.ledger import Ledger
from noctuary.store import open_store
from noctuary.store.database import Database, Row, Value
from noctuary.work.desk import Desk, Writer
from noctuary.work.handoff import handoff
from noctuary.work.pack import pack
from noctuary.work.ready import ready
from timing import bar, cpu_seconds, seconds

Measured = dict[str, float]
OWNER, PROJECT = "ana", "/home/ana/code/shop"
FEW, SOME, MANY = 100, 1_000, 100_000
FOLDS = 7
APPENDS = 300
READS = 100
NODES, EDGES_EACH = 10_000, 3
NOTES = ("finding", "evidence", "decision", "rejection", "hypothesis", "constraint")
STATUSES = ("in_progress", "completed", "blocked", "pending")


class History:
    """Events as a project leaves them: a task is opened, notes are taken, its status changes."""

    def __init__(self, seed: int, start_ms: int) -> None:
        self.chance = random.Random(seed)
        letters = ("bcdfgklmnprstvz", "aeiou")
        made = {"".join(map(self.chance.choice, letters * self.chance.randint(1, 4))) for _ in range(6_000)}
        self.words = sorted(made)
        self.weights = [1 / (rank + 10) for rank in range(len(self.words))]
        self.now_ms = start_ms
        self.last = ""
        self.goal = short_id("g")
        self.tasks: list[str] = []

    def say(self, words: int) -> str:
        """A sentence, of words as rare and as common as words are."""
        return " ".join(self.chance.choices(self.words, self.weights, k=words)).capitalize() + "."

    def events(self, count: int) -> Iterator[Event]:
        """So many events, the goal first."""
        node = {"id": self.goal, "type": "goal", "title": self.say(5), "status": "active"}
        yield self._event(EventType.OPEN, self.say(10), self.goal, change={"nodes": [node]})
        for _ in range(count - 1):
            kind = self.chance.random()
            if kind < 0.05 or not self.tasks:
                yield self._opening()
            elif kind < 0.15:
                task = self.chance.choice(self.tasks)
                change = {"set": {task: {"status": self.chance.choice(STATUSES)}}}
                yield self._event(EventType.STATUS, "", task, change=change)
            else:
                cited = MessageRef(
                    f"6f1c1f6e-0000-4000-8000-{len(self.tasks):012}", self.chance.randint(1, 400), self.say(4)
                )
                note = EventType(self.chance.choice(NOTES))
                text, task = self.say(self.chance.randint(8, 30)), self.chance.choice(self.tasks[-40:])
                yield self._event(note, text, task, refs=Refs(messages=(cited,)))

    def _opening(self) -> Event:
        task = short_id("t")
        self.tasks.append(task)
        node = {"id": task, "type": "task", "title": self.say(6), "status": "pending", "goal": self.say(8)}
        edge = {"type": "contains", "from": self.goal, "to": task}
        return self._event(EventType.OPEN, self.say(12), task, change={"nodes": [node], "edges": [edge]})

    def _event(self, kind: EventType, text: str, node: str, **more: Any) -> Event:
        self.now_ms += self.chance.randint(1, 20_000)
        self.last = ulid_after(self.last, self.now_ms)
        return Event(
            kind,
            text,
            id=self.last,
            node=node,
            ts_ms=self.now_ms,
            recorded_ms=self.now_ms,
            author=Author.AGENT,
            source=EventSource.CLI,
            session=f"6f1c1f6e-0000-4000-8000-{len(self.tasks):012}",
            **more,
        )


class Bench:
    """A folder to work in, and the histories that were made in it."""

    def __init__(self, folder: Path) -> None:
        self.folder = folder
        self._made: dict[int, tuple[Ledger, History]] = {}

    def ledger(self, count: int) -> tuple[Ledger, History]:
        """A ledger with so many events."""
        if count not in self._made:
            home = self.folder / str(count)
            ledger = Ledger(open_store(home / "noctuary.db"), home, OWNER, SystemClock())
            history = History(1, SystemClock().now_ms() - count * 20_001)
            ledger.add_lines(PROJECT, history.events(count))
            self._made[count] = ledger, history
        return self._made[count]

    def fold(self) -> Measured:
        """CPU of a rebuild over that of reading the same file with `json.loads`; the best of each, taken in turns."""
        ledger, _ = self.ledger(MANY)
        path = ledger.journal(PROJECT).path
        floor, ours = [], []
        for _ in bar(range(FOLDS), f"fold {MANY:,} events"):
            floor.append(cpu_seconds(partial(_load, path)))
            ours.append(cpu_seconds(ledger.rebuild))
        return {
            "fold_cpu_ratio": min(ours) / min(floor),
            "fold_cpu_ratio_middle": median(our / their for our, their in zip(ours, floor, strict=True)),
            "fold_events_per_cpu_s": MANY / min(ours),
            "bytes_an_event": path.stat().st_size / MANY,
        }

    def append(self) -> Measured:
        """Time to record one event, on the disk, in a journal of 100,000 over that in one of 100; taken in turns."""
        ledgers = [self.ledger(count) for count in (FEW, MANY)]
        times: list[list[float]] = [[], []]
        for turn in bar(range(APPENDS), "append"):
            for place, (ledger, history) in enumerate(ledgers):
                event = Event(EventType.FINDING, history.say(20), project=PROJECT, node=history.tasks[turn % 3])
                times[place].append(seconds(partial(ledger.record, event)))
        few, many = (median(each) for each in times)
        return {"append_ratio": many / few, "append_ms": 1000 * many}

    def read(self) -> Measured:
        """Time of a pack and of a handoff with 100,000 events of other tasks over that with 1,000; taken in turns."""
        works = []
        for count in (SOME, MANY):
            ledger, _ = self.ledger(count)
            own = History(2, SystemClock().now_ms() - 60 * 20_001)
            ledger.add_lines(PROJECT, own.events(60))
            works.append((Desk(ledger, PROJECT, Writer()), own))
        measured: Measured = {}
        for name, read in (("pack", _pack), ("handoff", _handoff)):
            times: list[list[float]] = [[], []]
            for _ in bar(range(READS), name):
                for place, (desk, own) in enumerate(works):
                    times[place].append(seconds(partial(read, desk, own)))
            few, many = (median(each) for each in times)
            measured |= {f"{name}_ratio": many / few, f"{name}_ms": 1000 * many}
        return measured

    def ready(self) -> Measured:
        """Time of the verb `ready` over that of counting the same nodes, joined with their edges."""
        home = self.folder / "ready"
        ledger = Ledger(open_store(home / "noctuary.db"), home, OWNER, SystemClock())
        ledger.add_lines(PROJECT, _graph(random.Random(3)))
        counting = Counting(ledger.store.database)
        ledger.store.nodes.database = counting
        desk = Desk(ledger, PROJECT, Writer())
        floor, ours, beside = [], [], apsw.Connection(str(home / "noctuary.db"))
        for _ in bar(range(READS), f"ready among {NODES:,} nodes"):
            floor.append(seconds(partial(_count, beside)))
            ours.append(seconds(partial(ready, desk)))
        found = len(ready(desk).tasks)
        return {
            "ready_ratio": median(ours) / median(floor),
            "ready_queries": counting.asked / (READS + 1),
            "ready_tasks": found,
            "ready_ms": 1000 * median(ours),
        }


class Counting:
    """A database that counts what it is asked."""

    def __init__(self, database: Database) -> None:
        self.database = database
        self.dialect = database.dialect
        self.run_many, self.transaction, self.close = database.run_many, database.transaction, database.close
        self.hurried = database.hurried
        self.asked = 0

    @property
    def is_elsewhere(self) -> bool:
        """As the database says."""
        return self.database.is_elsewhere

    def fetch(self, query: str, /, **values: Value) -> list[Row]:
        """Run one named query, and count it."""
        self.asked += 1
        return self.database.fetch(query, **values)


def _graph(chance: random.Random) -> Iterator[Event]:
    """Nodes, half of them done, each of which depends on some that were there before."""
    names = [short_id("t") for _ in range(NODES)]
    last, now_ms = "", SystemClock().now_ms() - NODES
    for place, name in enumerate(names):
        last = ulid_after(last, now_ms + place)
        status = chance.choice(("completed", "pending"))
        node = {"id": name, "type": "task", "title": f"Task {place}", "status": status}
        before = chance.sample(names[max(0, place - 500) : place], k=min(place, EDGES_EACH))
        edges = [{"type": "depends_on", "from": name, "to": other} for other in before]
        yield Event(EventType.OPEN, id=last, node=name, ts_ms=now_ms + place, change={"nodes": [node], "edges": edges})


def _count(connection: apsw.Connection) -> None:
    sql = "select count(*) from nodes n join edges e on e.owner = n.owner and e.from_id = n.id where n.owner = ?"
    list(connection.execute(sql, (OWNER,)))


def _pack(desk: Desk, own: History) -> None:
    pack(desk, own.tasks[0])


def _handoff(desk: Desk, own: History) -> None:
    handoff(desk, own.goal)


def _load(path: Path) -> None:
    with path.open("rb") as lines:
        for line in lines:
            json.loads(line)


MEASURES: dict[str, Callable[[Bench], Measured]] = {
    "fold": Bench.fold,
    "append": Bench.append,
    "read": Bench.read,
    "ready": Bench.ready,
}


@click.command()
@click.option("--json", "as_json", is_flag=True, help="Print one JSON object.")
@click.option("--only", type=click.Choice(list(MEASURES)), multiple=True, help="Measure only this.")
def main(as_json: bool, only: tuple[str, ...]) -> None:
    """Measure, and print what was seen."""
    measured: Measured = {}
    with tempfile.TemporaryDirectory() as folder:
        bench = Bench(Path(folder))
        for name in only or MEASURES:
            measured |= MEASURES[name](bench)
    if as_json:
        click.echo(json.dumps({name: round(value, 3) for name, value in measured.items()}))
        return
    for name, value in measured.items():
        click.echo(f"{name:28s} {value:10.3f}")


if __name__ == "__main__":
    main()
