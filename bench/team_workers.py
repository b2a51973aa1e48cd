"""Dream workers on one PostgreSQL server: how much faster many are than one, and whether each session is read once."""

import multiprocessing
import tempfile
import time
from collections import Counter
from contextlib import ExitStack
from multiprocessing.synchronize import Barrier
from pathlib import Path
from typing import Any

from made_up_sessions import PROJECT, Stories
from noctuary import Memory
from noctuary.authored import EventType, MessageRef
from noctuary.dream import run
from noctuary.dreams import DreamStatus, Trigger
from noctuary.proposals import Conversation, Extraction, Proposal
from noctuary.records import Role, Status

SESSIONS, PEOPLE, WAIT_SECONDS = 400, 8, 0.05
START_MS, HOUR_MS = 1_767_603_600_000, 3_600_000


class Waiting:
    """An extractor that waits as one that asks a model does, and proposes one entry a session."""

    name = "waiting"

    def extract(self, conversation: Conversation) -> Extraction:
        """What a person asked for."""
        time.sleep(WAIT_SECONDS)
        said = next(message for message in conversation.messages if message.role is Role.USER)
        ref = MessageRef(conversation.session.id, said.id, said.content[:60])
        return Extraction([Proposal(EventType.FINDING, said.content, [ref], ts_ms=said.ts_ms)])


def workers(url: str, counts: tuple[int, int] = (1, 8), sessions: int = SESSIONS) -> dict[str, Any]:
    """Seconds that one worker and several take for as many sessions, and how often each session was read.

    Once all of them are one person's, whose journal has one writer at a time; once those of a team of eight.
    """
    measured: dict[str, Any] = {"sessions": sessions}
    for people in (1, PEOPLE):
        seconds, often = {}, 0
        for count in counts:
            owners = [f"workers-{count}-{time.time_ns()}-{number}" for number in range(people)]
            with tempfile.TemporaryDirectory() as folder:
                for owner in owners:
                    _fill(url, owner, Path(folder), sessions // people)
                seconds[count] = _run(url, owners, Path(folder), count)
                often += sum(_how_often(url, owner, Path(folder), sessions // people) for owner in owners)
        few, many = counts
        measured[f"of_{people}"] = {
            **{f"seconds_{count}": round(each, 2) for count, each in seconds.items()},
            "throughput_ratio": round(seconds[few] / seconds[many], 2),
            "read_other_than_once": often,
        }
    return measured


def _fill(url: str, owner: str, folder: Path, sessions: int) -> None:
    stories = Stories(7)
    with Memory.open(folder, owner=owner, database=url) as memory:
        for place in range(sessions):
            session, messages = stories.session(START_MS + place * HOUR_MS)
            memory.add_session(session._replace(status=Status.ENDED, ended_ms=messages[-1].ts_ms), messages)
        memory.dreams.tidy(is_forced=True)


def _run(url: str, owners: list[str], folder: Path, count: int) -> float:
    """Seconds from the moment when all workers are ready until the last has ended."""
    context = multiprocessing.get_context("spawn")
    ready, done = context.Barrier(count + 1), context.Barrier(count + 1)
    processes = [context.Process(target=_work, args=(url, owners, n, folder, ready, done)) for n in range(count)]
    for process in processes:
        process.start()
    ready.wait()
    start = time.perf_counter()
    done.wait()
    seconds = time.perf_counter() - start
    for process in processes:
        process.join()
        if process.exitcode:
            raise SystemExit(f"a worker ended with {process.exitcode}")
    return seconds


def _work(url: str, owners: list[str], number: int, folder: Path, ready: Barrier, done: Barrier) -> None:
    """Dream for everybody in turn, beginning with another owner than the other workers do."""
    first = number % len(owners)
    with ExitStack() as opened:
        nights = []
        for owner in (*owners[first:], *owners[:first]):
            home = folder / f"machine-{number}"
            nights.append(opened.enter_context(Memory.open(home, owner=owner, database=url)).dreams.night)
        ready.wait()
        for night in nights:
            run.dream(night, Waiting(), trigger=Trigger.MANUAL)
        done.wait()


def _how_often(url: str, owner: str, folder: Path, sessions: int) -> int:
    """How many sessions were not read exactly once, by the marks that runs leave in the journal."""
    with Memory.open(folder, owner=owner, database=url) as memory:
        done = memory.store.dreams.where(owner, status=DreamStatus.COMPLETED)
        marks = Counter(mark.session for mark in done)
        entries = memory.work(PROJECT).entries(limit=10 * sessions, suggested=True)
        cited = Counter(ref.session for entry in entries for ref in entry.event.refs.messages)
        twice = sum(count != 1 for count in marks.values()) + sum(count > 1 for count in cited.values())
        return twice + sessions - len(marks)
