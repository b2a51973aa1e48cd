"""`kill -9` during an import, at random places: the database opens, nothing is doubled, the next import completes."""

import json
import random
import time
from pathlib import Path

import apsw
import pytest

from noctuary.app import Memory
from noctuary.importing.batch import MOST_MESSAGES
from noctuary.testing import CodexTranscript
from tests.acceptance.killing import kill, start
from tests.unit.importing.machine import everything, open_memory

IMPORT = "memory.import_transcripts()"
KILLS = 25  # in each of two tests, so that they can run side by side
SESSIONS = 8
TURNS = 300

Counted = dict[int, int]


@pytest.fixture(scope="module")
def home(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """Some twenty thousand messages: a session of three batches, small ones, a resumed one and a fork."""
    home = tmp_path_factory.mktemp("crash") / "home"
    folder = home / ".claude" / "projects" / "-nowhere-shop"
    folder.mkdir(parents=True)
    chance = random.Random(1)
    vocabulary = [f"word{chance.randrange(10**6)}" for _ in range(3_000)]
    for number in range(SESSIONS):
        turns = 2 * MOST_MESSAGES + 500 if number == 0 else chance.randrange(50, TURNS * 2)
        write_session(folder, f"session-{number:02}", turns, chance, vocabulary)
    first = (folder / "session-01.jsonl").read_text()
    (folder / "resumed.jsonl").write_text(first + first.splitlines()[-1].replace('"uuid":"', '"uuid":"new-') + "\n")
    parent = CodexTranscript("019c9b17-0000-7000-8000-000000000001")
    for turn in range(500):
        parent.prompt(f"Question {turn}?").reply(f"Answer {turn}.")
    parent.save(home)
    parent.fork("019c9b17-0000-7000-8000-000000000002").prompt("And now?").save(home)
    return home


def write_session(folder: Path, session: str, turns: int, chance: random.Random, vocabulary: list[str]) -> None:
    """A transcript of Claude Code, written faster than by the builder."""
    parent = None
    with (folder / f"{session}.jsonl").open("w") as file:
        for turn in range(turns):
            uuid, role = f"{session}-{turn}", ("user", "assistant")[turn % 2]
            content = " ".join(chance.choices(vocabulary, k=12))
            record: dict[str, object] = {
                "type": role,
                "uuid": uuid,
                "parentUuid": parent,
                "sessionId": session,
                "cwd": "/nowhere/shop",
            }
            record |= {"message": {"role": role, "content": content}, "timestamp": "2026-03-02T09:00:00Z"}
            file.write(json.dumps(record, separators=(",", ":")) + "\n")
            parent = uuid


def committed(folder: Path) -> Counted:
    """Key and hash of every message in the database; it must be sound and have no entry twice in one session."""
    connection = apsw.Connection(str(folder / "noctuary.db"))
    try:
        assert connection.execute("pragma integrity_check").get == "ok"
        doubled = "select 1 from messages where uid is not null group by key >> 32, uid having count(*) > 1"
        assert list(connection.execute(doubled)) == []
        return {key: hash(content) for key, content in connection.execute("select key, content from messages")}
    finally:
        connection.close()


@pytest.mark.slow
@pytest.mark.parametrize("seed", [1, 2])
def test_kill_9(tmp_path: Path, home: Path, seed: int) -> None:
    """However often an import is killed, what was committed stays, and in the end all is as if nothing had happened."""
    started = time.monotonic()
    process = start(IMPORT, tmp_path / "clean", home)
    process.communicate()
    whole_import = time.monotonic() - started
    with open_memory(tmp_path / "clean", home) as clean:
        expected = everything(clean)
    chance, kills, rounds, partial = random.Random(seed), 0, 0, 0

    def is_one_more_wanted() -> bool:  # the machine may have become busier than it was
        return kills < KILLS or (partial <= KILLS // 3 and rounds < 8 * KILLS)

    while is_one_more_wanted():
        folder, before = tmp_path / f"memory-{rounds}", Counted()
        rounds += 1
        while is_one_more_wanted() and kill(start(IMPORT, folder, home), chance.uniform(0.1, 1.0) * whole_import):
            kills += 1
            now = committed(folder)
            assert now.items() >= before.items(), "what was committed is gone"
            partial += 0 < len(now) < sum(map(len, expected.values()))
            before = now
            with open_memory(folder, home) as memory:
                assert memory.doctor().is_healthy
        with open_memory(folder, home) as memory:
            memory.import_transcripts()
            assert is_complete(memory, expected)

    assert partial > KILLS // 3, "the kills did not hit the middle of imports"


def is_complete(memory: Memory, expected: object) -> bool:
    """Whether the memory is message for message what a clean import gives, and finds nothing more to do."""
    report = memory.import_transcripts()
    return report.unchanged == report.found and everything(memory) == expected and memory.doctor().is_healthy
