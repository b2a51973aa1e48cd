"""`kill -9` during embedding, at random places: what was stored is whole, and the next run completes it."""

import random
import subprocess
import time
from array import array
from pathlib import Path

import apsw
import pytest

from noctuary.records import Hidden, Message, Role, Session
from noctuary.store import keys
from noctuary.store.vectors import LOW_MASK, SessionVectors
from tests.acceptance.killing import kill, start
from tests.unit.importing.machine import open_memory

KILLS = 15
SESSIONS = 200
DIMENSION = 64

Row = tuple[int, SessionVectors]  # up to which id, and the vectors


@pytest.fixture(scope="module")
def filled(tmp_path_factory: pytest.TempPathFactory) -> bytes:
    """A database of some hundred sessions, short ones and some that are stored in several parts."""
    folder, chance = tmp_path_factory.mktemp("filled"), random.Random(1)
    vocabulary = [f"word{chance.randrange(10**6)}" for _ in range(2_000)]
    with open_memory(folder, folder) as memory:
        with memory.store.database.transaction():
            for number in range(SESSIONS):
                turns = 450 if number % 50 == 0 else chance.randrange(1, 50)
                memory.add_session(Session(id=f"s{number}"), conversation(turns, chance, vocabulary))
        memory.store.database.fetch("tidy_log")
    return (folder / "noctuary.db").read_bytes()


def conversation(turns: int, chance: random.Random, vocabulary: list[str]) -> list[Message]:
    """Prompts and answers of a line or a page, a few of them hidden."""
    return [
        Message(
            role=(Role.USER, Role.ASSISTANT)[turn % 2],
            content=". ".join(" ".join(chance.choices(vocabulary, k=9)) for _ in range(chance.choice([1, 1, 2, 12]))),
            hidden=Hidden.INJECTED if chance.random() < 0.05 else None,
        )
        for turn in range(turns)
    ]


def new_memory(folder: Path, filled: bytes) -> Path:
    """A copy of the filled memory, without a model."""
    folder.mkdir()
    (folder / "noctuary.db").write_bytes(filled)
    return folder


def start_embedding(folder: Path) -> subprocess.Popen[str]:
    """With the model loaded, so that a kill strikes the work and not its preparation."""
    return start("memory.embed()", folder, folder, first='memory.use_model("hashing")')


def stored(folder: Path) -> dict[int, Row]:
    """The rows of vectors; the file must be sound, each row must add up and cover what it says, no more and no less."""
    connection = apsw.Connection(str(folder / "noctuary.db"))
    try:
        assert connection.execute("pragma integrity_check").get == "ok"
        messages: dict[int, list[int]] = {}
        for (key,) in connection.execute(
            "select key from messages where hidden is null and content <> '' order by key"
        ):
            messages.setdefault(keys.session_of(key), []).append(key & LOW_MASK)
        found = {}
        for session, upto, *parts in connection.execute("select session, upto, lows, scales, codes from vectors"):
            vectors = SessionVectors(*parts)
            assert vectors.adds_up(DIMENSION)
            lows = array("I", vectors.lows).tolist()
            assert lows == sorted(lows)
            assert list(dict.fromkeys(lows)) == [low for low in messages.get(session, []) if keys.place_of(low) <= upto]
            found[session] = (upto, vectors)
        return found
    finally:
        connection.close()


def is_grown(now: dict[int, Row], before: dict[int, Row]) -> bool:
    """Whether everything that was stored still is, with more behind it at most."""
    return all(
        session in now and now[session][0] >= upto and now[session][1].codes.startswith(vectors.codes)
        for session, (upto, vectors) in before.items()
    )


@pytest.mark.slow
def test_kill_9(tmp_path: Path, filled: bytes) -> None:
    """However often embedding is killed, what was stored stays, and in the end all is as if nothing had happened."""
    clean = new_memory(tmp_path / "clean", filled)
    process = start_embedding(clean)
    started = time.monotonic()
    process.communicate()
    whole_run = time.monotonic() - started
    expected = stored(clean)
    assert len(expected) == SESSIONS
    chance, kills, rounds, partial = random.Random(7), 0, 0, 0

    def is_one_more_wanted() -> bool:  # the machine may have become busier than it was
        return kills < KILLS or (partial <= KILLS // 3 and rounds < 8 * KILLS)

    while is_one_more_wanted():
        folder = new_memory(tmp_path / f"memory-{rounds}", filled)
        before: dict[int, Row] = {}
        rounds += 1
        while is_one_more_wanted() and kill(start_embedding(folder), chance.uniform(0.0, 0.6) * whole_run):
            kills += 1
            now = stored(folder)
            assert is_grown(now, before), "what was stored is gone"
            partial += 0 < len(now) < SESSIONS
            before = now
        with open_memory(folder, folder) as memory:
            assert memory.doctor().is_healthy
            done = memory.embed()
            assert (done.waiting, done.is_serving) == (0, True)
        assert stored(folder) == expected

    assert partial > KILLS // 3, "the kills did not hit the middle of embedding"
