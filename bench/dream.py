"""Dreams: what they cost and what they keep, each as a ratio or a count, by the shipped code path.

    python bench/dream.py [--json] [--data HOME] [--only NAME …]

twice    dreaming over the home folder HOME a second time adds nothing and leaves every page byte for byte
cost     CPU time of a dream over that of one read of the sessions' messages from the store
growth   CPU time of a dream over one new session after 2,000 sessions, over that after 20
days     500 days of 5 sessions: how many of 50 facts of the first day are kept, and the largest page
again    reading the same sessions again, as if none had been read: what is added
kills    kill -9 at 100 moments of a dream: what was lost, doubled or half-written
models   a model that fails in every way at every call: what was lost, doubled or spent beyond the budget
"""

import gc
import json
import os
import random
import signal
import subprocess
import sys
import tempfile
import time
from collections.abc import Callable, Iterator
from concurrent.futures import ProcessPoolExecutor
from contextlib import contextmanager
from datetime import UTC, datetime, timedelta
from functools import partial
from multiprocessing import get_context
from pathlib import Path
from statistics import median

import click

import failing_models
from lasting_facts import PINNED, SAID
from made_up_sessions import PROJECT, Stories
from noctuary import Memory
from noctuary.dream.pages.writing import page_path
from noctuary.dreams import DreamStatus
from noctuary.ledger.advice import is_sound
from noctuary.ledger.ledger import entry_from
from noctuary.store.keys import MOST_MESSAGES
from noctuary.testing import FakeClock

Measured = dict[str, float | int | str | bool]
OWNER = "bench"
START = datetime(2026, 1, 5, 9, 0, tzinfo=UTC)
DAYS, SESSIONS_A_DAY, FACTS = 500, 5, len(PINNED) + len(SAID)
MOST_LINES, MOST_BYTES = 200, 25_600
MOST_SESSIONS = 10_000
_TURNS = 15  # of each, of which the median counts: few enough that the few stay few
_PROCESSES = 5  # of each kind, of which the median counts


@contextmanager
def memory_in(folder: Path, clock: FakeClock | None = None, user_home: Path | None = None) -> Iterator[Memory]:
    """A memory in a folder of its own."""
    with Memory.open(folder, owner=OWNER, clock=clock, user_home=user_home) as memory:
        yield memory


def pages_below(home: Path) -> dict[str, bytes]:
    """Every page, by its name."""
    return {str(file.relative_to(home)): file.read_bytes() for file in sorted((home / "memory").rglob("*.md"))}


def twice(data: Path) -> Measured:
    """Dream twice over the same sessions."""
    with tempfile.TemporaryDirectory() as folder, memory_in(Path(folder), user_home=data) as memory:
        memory.import_transcripts()
        first = memory.dreams.run()
        before, events = pages_below(Path(folder)), memory.store.events.count(OWNER)
        second = memory.dreams.run()
        if not first.kept:
            raise click.ClickException("nothing was dreamt of, so nothing was measured")
        return {
            "sessions": first.processed,
            "events": first.kept,
            "second_events": second.kept,
            "second_memories": len(second.changes),
            "second_lines": memory.store.events.count(OWNER) - events,
            "identical": pages_below(Path(folder)) == before,
        }


def again(data: Path) -> Measured:
    """Read the same sessions again, as if nobody had read them; what is known must not be added."""
    with tempfile.TemporaryDirectory() as folder, memory_in(Path(folder), user_home=data) as memory:
        memory.import_transcripts()
        memory.dreams.run()
        before = pages_below(Path(folder))
        records = memory.store.dreams.where(OWNER, status=DreamStatus.COMPLETED)
        memory.store.dreams.save(OWNER, [each._replace(status=DreamStatus.PENDING) for each in records])
        report = memory.dreams.run()
        return {
            "events": report.kept,
            "memories": sum(change.kind in ("added", "proposed") for change in report.changes),
            "identical": pages_below(Path(folder)) == before,
        }


def cost(data: Path) -> Measured:
    """CPU time of a dream over one read of what it reads: each session is found and its messages are read.

    Both are measured alike: once, as they come, with nothing of the sessions in any cache, each in processes of its
    own.  A dream over one made-up session comes first there: modules are loaded and patterns compiled once a process,
    not once a session.  `over_best_reading` takes the best of five more readings instead, which find everything in
    the caches of the processor and of the database.
    """
    readings = [_in_new_process(_reading, data) for _ in range(_PROCESSES)]
    dreams = [_in_new_process(_dreaming, data)[0] for _ in range(_PROCESSES)]
    once, best = median(reading[0] for reading in readings), median(reading[1] for reading in readings)
    return {
        "over_reading": round(median(dreams) / once, 2),
        "over_best_reading": round(median(dreams) / best, 2),
        "dream_ms": round(median(dreams) * 1000, 1),
        "reading_ms": round(once * 1000, 1),
        "best_reading_ms": round(best * 1000, 1),
    }


def _in_new_process(work: Callable[[Path], list[float]], data: Path) -> list[float]:
    with ProcessPoolExecutor(1, mp_context=get_context("spawn")) as process:
        return process.submit(work, data).result()


def _reading(data: Path) -> list[float]:
    """CPU time of one read of all messages, and the best of five more."""
    with _imported(data) as memory:
        sessions = [session.id for session in memory.sessions(limit=MOST_SESSIONS)]
        once = _cpu(partial(_read_all, memory, sessions))
        return [once, min(_cpu(partial(_read_all, memory, sessions)) for _ in range(5))]


def _dreaming(data: Path) -> list[float]:
    with _imported(data) as memory:
        return [_cpu(memory.dreams.run)]


@contextmanager
def _imported(data: Path) -> Iterator[Memory]:
    """A memory of the sessions that was just opened, in a process that has dreamt of something else."""
    with tempfile.TemporaryDirectory() as folder, memory_in(Path(folder), FakeClock(START)) as memory:
        _one_more(memory, FakeClock(START), Stories(3))
    with tempfile.TemporaryDirectory() as folder:
        with memory_in(Path(folder), user_home=data) as memory:
            memory.import_transcripts()
        with memory_in(Path(folder), user_home=data) as memory:
            yield memory


def _read_all(memory: Memory, sessions: list[str]) -> None:
    for session in sessions:
        number, _ = memory.store.sessions.find(OWNER, session) or (0, None)
        memory.store.messages.between(number, 1, MOST_MESSAGES)


def _cpu(work: Callable[[], object]) -> float:
    gc.collect()
    started = time.process_time()
    work()
    return time.process_time() - started


def growth() -> Measured:
    """CPU time of a dream over one new session, after few and after many.

    The many come first: else the few would be measured in a process that has not dreamt much, and look expensive.
    Then both take turns, so that a machine that is busy for a while makes both slow.
    """
    with tempfile.TemporaryDirectory() as many_home, tempfile.TemporaryDirectory() as few_home:
        clock = FakeClock(START)
        with memory_in(Path(many_home), clock) as many, memory_in(Path(few_home), clock) as few:
            tales = {2_000: Stories(7), 20: Stories(8)}
            _dream_up(many, clock, tales[2_000], 2_000)
            _dream_up(few, clock, tales[20], 20)
            turns = [(_one_more(many, clock, tales[2_000]), _one_more(few, clock, tales[20])) for _ in range(_TURNS)]
    at_many, at_few = (median(times) for times in zip(*turns, strict=True))
    return {
        "ratio": round(at_many / at_few, 3),
        "few_ms": round(at_few * 1000, 1),
        "many_ms": round(at_many * 1000, 1),
    }


def _dream_up(memory: Memory, clock: FakeClock, stories: Stories, upto: int) -> None:
    """Let so many sessions happen, and dream of them now and then."""
    while stories.told < upto:
        for _ in range(min(50, upto - stories.told)):
            _live(memory, clock, stories)
        memory.dreams.run()


def _one_more(memory: Memory, clock: FakeClock, stories: Stories) -> float:
    _live(memory, clock, stories)
    return _cpu(memory.dreams.run)


def _live(memory: Memory, clock: FakeClock, stories: Stories, rules: tuple[str, ...] = ()) -> None:
    """A session happens and ends."""
    clock.advance(timedelta(minutes=20))
    session, messages = stories.session(clock.now_ms() - 600_000, rules)
    memory.add_session(session, messages)
    memory.dreams.end_session(session.id)


def days() -> Measured:
    """Days and days of sessions, after facts that were pinned or said often at the start."""
    with tempfile.TemporaryDirectory() as folder:
        clock = FakeClock(START)
        with memory_in(Path(folder), clock) as memory:
            stories = Stories(11)
            facts = _first_days(memory, clock, stories)
            page = page_path(Path(folder), OWNER, PROJECT)
            lines = size = 0
            kept = FACTS
            for _ in range(DAYS):
                clock.advance(timedelta(hours=20))
                for _ in range(SESSIONS_A_DAY):
                    _live(memory, clock, stories)
                memory.dreams.run()
                written = page.read_bytes().replace(b"`", b"")
                lines, size = max(lines, len(written.splitlines())), max(size, len(written))
                kept = min(kept, sum(fact in written for fact in facts))
    within = lines <= MOST_LINES and size <= MOST_BYTES
    return {"kept": kept, "of": FACTS, "most_lines": lines, "most_bytes": size, "within_budget": within}


def _first_days(memory: Memory, clock: FakeClock, stories: Stories) -> list[bytes]:
    """Half of the facts are pinned, half are said in four sessions each; what each is known by in a page."""
    for fact in PINNED:
        memory.work(PROJECT).remember(fact, kind="constraint", pinned=True)
    for _ in range(4):
        for place in range(0, len(SAID), 2):
            _live(memory, clock, stories, SAID[place : place + 2])
        memory.dreams.run()
    return [fact.rstrip(".").replace("`", "").encode() for fact in (*PINNED, *SAID)]


_DREAMER = """
import sys
from noctuary import Memory
with Memory.open(sys.argv[1], owner="bench") as memory:
    memory.dreams.run()
"""


def kills(times: int = 100) -> Measured:
    """Dreams that are killed at any moment, each followed by the next; the last one is let be."""
    chance = random.Random(5)
    torn = 0
    with tempfile.TemporaryDirectory() as folder:
        home, stories = Path(folder), Stories(23)
        _fill(home, stories)
        seconds = _timed_dream(home)
        for _ in range(times):
            _fill(home, stories)
            process = _dreamer(home)
            time.sleep(chance.uniform(0.0, seconds))
            process.send_signal(signal.SIGKILL)
            process.wait()
            torn += _torn_pages(home)
        _timed_dream(home)
        with memory_in(home) as memory:
            events = [entry_from(row).event for row in memory.store.events.suggested(OWNER, None)]
            said = [(event.text, event.refs.messages) for event in events]
            return {
                "kills": times,
                "torn_pages": torn + _torn_pages(home),
                "lost": stories.told - memory.store.dreams.completed_count(OWNER),
                "waiting": len(memory.dreams.waiting()),
                "doubled": len(said) - len(set(map(repr, said))),
                "journal_sound": is_sound(memory.verify_journals()),
            }


def _fill(home: Path, stories: Stories, count: int = 3) -> None:
    now_ms = time.time_ns() // 1_000_000
    with memory_in(home) as memory:
        for _ in range(count):
            session, messages = stories.session(now_ms - 3_600_000)
            memory.add_session(session, messages)
            memory.dreams.end_session(session.id)


def _dreamer(home: Path) -> subprocess.Popen[bytes]:
    return subprocess.Popen([sys.executable, "-c", _DREAMER, str(home)], env=os.environ)


def _timed_dream(home: Path) -> float:
    started = time.monotonic()
    if _dreamer(home).wait():
        raise click.ClickException("the dream failed")
    return time.monotonic() - started


def _torn_pages(home: Path) -> int:
    """Pages that are not whole: without the mark at their end."""
    pages = {name: content for name, content in pages_below(home).items() if not name.endswith("archive.md")}
    return sum(b"<!-- noctuary:end -->" not in content for content in pages.values())


MEASURES: dict[str, Callable[[], Measured]] = {
    "growth": growth,
    "days": days,
    "kills": kills,
    "models": failing_models.measured,
}
ON_DATA: dict[str, Callable[[Path], Measured]] = {"twice": twice, "again": again, "cost": cost}


@click.command()
@click.option("--json", "as_json", is_flag=True, help="Print JSON.")
@click.option("--data", type=click.Path(path_type=Path, exists=True), help="A home folder with transcripts.")
@click.option("--only", multiple=True, type=click.Choice([*MEASURES, *ON_DATA]), help="Only these.")
def main(as_json: bool, data: Path | None, only: tuple[str, ...]) -> None:
    """Measure dreams."""
    measured = {name: measure(data) for name, measure in ON_DATA.items() if data and (not only or name in only)}
    measured |= {name: measure() for name, measure in MEASURES.items() if not only or name in only}
    if as_json:
        click.echo(json.dumps(measured, indent=2))
        return
    for name, figures in measured.items():
        click.echo(f"{name:8s} " + ", ".join(f"{what} {value}" for what, value in figures.items()))


if __name__ == "__main__":
    main()
