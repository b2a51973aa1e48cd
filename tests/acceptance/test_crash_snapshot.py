"""`kill -9` while a snapshot is made or put back, at random places: the memory is whole, and so is every snapshot."""

import random
import shutil
import time
from collections import Counter
from pathlib import Path

import pytest

from noctuary.app import Memory
from noctuary.records import Message, Role
from noctuary.snapshot.reading import opened, read_out
from tests.acceptance.killing import attempts, kill, start
from tests.unit.snapshot.memories import WAITING, answers, fill, open_memory

KILLS = 12
MESSAGES = 4_000


@pytest.fixture(scope="module")
def crowded(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """A folder with a memory that takes a moment to copy, in `live`, and a snapshot of it, in `kept`."""
    folder = tmp_path_factory.mktemp("crash")
    chance = random.Random(7)
    words = [f"word{chance.randrange(10**5)}" for _ in range(2_000)]
    with open_memory(folder / "live", folder / "user") as memory:
        fill(memory)
        memory.add_session(
            memory.session(WAITING)._replace(id="long"),
            [Message(role=Role.USER, content=" ".join(chance.choices(words, k=120)), ts_ms=1) for _ in range(MESSAGES)],
        )
        memory.snapshot(folder / "kept")
        memory.snapshot(folder / "kept.tar.gz")
        memory.append(WAITING, Message(role=Role.USER, content="And what about redis sessions later?", ts_ms=1))
    return folder


def asked(home: Path, folder: Path) -> list[object]:
    """What the memory in a home answers."""
    with open_memory(home, folder / "user") as memory:
        return answers(memory)


def seconds(work: str, folder: Path, home: Path) -> float:
    """How long it takes if nobody stops it."""
    process = start(work, home, folder / "user")
    began = time.monotonic()
    process.communicate()
    assert process.returncode == 0
    return time.monotonic() - began


@pytest.mark.parametrize("name", ["made", "made.tar.gz"])
def test_killed_snapshot(crowded: Path, tmp_path: Path, name: str) -> None:
    """A snapshot is whole or has a name that is none; the memory answers as before."""
    home, before, chance = crowded / "live", asked(crowded / "live", crowded), random.Random(name)
    longest = seconds(f"memory.snapshot({str(tmp_path / 'first' / name)!r})", crowded, home)
    hits: Counter[str] = Counter()
    for number in attempts(KILLS, hits, killed=KILLS // 4):
        target = tmp_path / str(number) / name
        process = start(f"memory.snapshot({str(target)!r})", home, crowded / "user")
        hits["killed"] += kill(process, chance.uniform(0, longest))
        if target.exists():
            with opened(target) as snapshot:
                assert read_out(snapshot)[1] == []
        elif target.parent.exists():
            assert all(path.name.startswith(f".{name}.partial-") for path in target.parent.iterdir())
        shutil.rmtree(target.parent, ignore_errors=True)

    assert hits["killed"] > KILLS // 4
    assert asked(home, crowded) == before


@pytest.mark.parametrize("name", ["kept", "kept.tar.gz"])
def test_killed_restore(crowded: Path, tmp_path: Path, name: str) -> None:
    """The memory is the one that was there, or the one of the snapshot with the other beside it; never another."""
    now, chance = asked(crowded / "live", crowded), random.Random(name)
    with open_memory(tmp_path / "other", crowded / "user"):
        pass  # the process that restores has a memory of its own open
    work = f"Memory.restore({str(crowded / name)!r}, {str(tmp_path / 'home')!r}, replace=True)"
    shutil.copytree(crowded / "live", tmp_path / "home")
    longest = seconds(work, crowded, tmp_path / "other")
    then = asked(tmp_path / "home", crowded)
    assert then != now
    hits: Counter[str] = Counter()
    for _ in attempts(KILLS, hits, killed=KILLS // 4):
        for path in tmp_path.glob("home*"):
            shutil.rmtree(path)
        shutil.copytree(crowded / "live", tmp_path / "home")
        hits["killed"] += kill(start(work, tmp_path / "other", crowded / "user"), chance.uniform(0, longest))
        found = asked(tmp_path / "home", crowded)
        assert found in (now, then)
        if found == then:
            assert asked(next(tmp_path.glob("home?*")), crowded) == now

    assert hits["killed"] > KILLS // 4


def test_killed_restore_into_nothing_can_be_repeated(crowded: Path, tmp_path: Path) -> None:
    """Whatever it left, the next restore ends with the whole memory."""
    Memory.restore(crowded / "kept", tmp_path / "whole")
    then, chance = asked(tmp_path / "whole", crowded), random.Random(3)
    work = f"Memory.restore({str(crowded / 'kept')!r}, {str(tmp_path / 'home')!r})"
    longest = seconds(work, crowded, tmp_path / "other")
    for _ in range(KILLS):
        for path in tmp_path.glob("home*"):
            shutil.rmtree(path)
        was_killed = kill(start(work, tmp_path / "other", crowded / "user"), chance.uniform(0, longest))
        if was_killed and not (tmp_path / "home" / "noctuary.db").exists():
            Memory.restore(crowded / "kept", tmp_path / "home")
        assert asked(tmp_path / "home", crowded) == then
