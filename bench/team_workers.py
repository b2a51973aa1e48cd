"""Dream workers on one PostgreSQL server: how much faster many are than one, and whether each session is read once."""

import multiprocessing
import tempfile
import time
from collections import Counter
from multiprocessing.synchronize import Barrier
from pathlib import Path
from typing import Any

from made_up_sessions import Stories
from noctuary import Memory
from noctuary.authored import EventType, MessageRef
from noctuary.dream import run
from noctuary.dreams import DreamStatus, Trigger
from noctuary.proposals import Conversation, Extraction, Proposal
from noctuary.records import Role, Status

SESSIONS, WAIT_SECONDS = 400, 0.05
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
    """Seconds that one worker and several take for as many sessions, and how often each session was read."""
    seconds, often = {}, {}
    for count in counts:
        owner = f"workers-{count}-{time.time_ns()}"
        with tempfile.TemporaryDirectory() as folder:
            _fill(url, owner, Path(folder), sessions)
            seconds[count] = _run(url, owner, Path(folder), count)
            often[count] = _how_often(url, owner, Path(folder), sessions)
    few, many = counts
    return {
        "sessions": sessions,
        **{f"seconds_{count}": round(each, 2) for count, each in seconds.items()},
        "throughput_ratio": round(seconds[few] / seconds[many], 2),
        "read_other_than_once": often[few] + often[many],
    }


def _fill(url: str, owner: str, folder: Path, sessions: int) -> None:
    stories = Stories(7)
    with Memory.open(folder, owner=owner, database=url) as memory:
        for place in range(sessions):
            session, messages = stories.session(START_MS + place * HOUR_MS)
            memory.add_session(session._replace(status=Status.ENDED, ended_ms=messages[-1].ts_ms), messages)
        memory.dreams.tidy(is_forced=True)


def _run(url: str, owner: str, folder: Path, count: int) -> float:
    """Seconds from the moment when all workers are ready until the last has ended."""
    context = multiprocessing.get_context("spawn")
    ready = context.Barrier(count + 1)
    processes = [context.Process(target=_work, args=(url, owner, folder / str(n), ready)) for n in range(count)]
    for process in processes:
        process.start()
    ready.wait()
    start = time.perf_counter()
    for process in processes:
        process.join()
        if process.exitcode:
            raise SystemExit(f"a worker ended with {process.exitcode}")
    return time.perf_counter() - start


def _work(url: str, owner: str, folder: Path, ready: Barrier) -> None:
    with Memory.open(folder, owner=owner, database=url) as memory:
        night = memory.dreams.night
        ready.wait()
        run.dream(night, Waiting(), trigger=Trigger.MANUAL)


def _how_often(url: str, owner: str, folder: Path, sessions: int) -> int:
    """How many sessions were not read exactly once, by the marks that runs leave in the journal."""
    with Memory.open(folder, owner=owner, database=url) as memory:
        done = memory.store.dreams.where(owner, status=DreamStatus.COMPLETED)
        marks = Counter(mark.session for mark in done)
        cited = Counter(
            ref.session for entry in memory.work("").entries(limit=10 * sessions) for ref in entry.event.refs.messages
        )
        del cited
        return sum(count != 1 for count in marks.values()) + sessions - len(marks)
