"""A house lends memories of many owners: how many are open, what they have in common, and which are of now."""

from collections.abc import Iterator
from contextlib import ExitStack, closing
from pathlib import Path

import apsw
import pytest

from noctuary.app import Memory
from noctuary.app.house import House
from noctuary.records import Message, Role, Session
from noctuary.settings import Settings
from noctuary.testing import FakeClock
from tests.unit.models.building import static_folder


@pytest.fixture
def house(tmp_path: Path) -> Iterator[House]:
    """One that keeps two memories which nobody uses."""
    settings = Settings(home=tmp_path / "memory", owner="ana", user_home=tmp_path, environ={})
    with closing(House(settings, FakeClock(), most_free=2)) as made:
        yield made


def is_open(memory: Memory) -> bool:
    """Whether it can be asked anything."""
    try:
        memory.store.sessions.numbers("ana")
    except apsw.ConnectionClosedError:
        return False
    return True


def test_memories_that_nobody_uses_are_few(house: House) -> None:
    """Those that were given back first are closed, whosever they are; and who comes again is lent one."""
    with ExitStack() as stack:
        lent = [stack.enter_context(house.memory(owner)) for owner in ("ana", "ben", "cem", "ana")]
        assert all(map(is_open, lent))

    assert [is_open(memory) for memory in lent] == [True, True, False, False]  # the last was given back first
    for owner in ("ana", "ben", "cem"):
        with house.memory(owner) as memory:
            assert memory.owner == owner
            assert is_open(memory)


def test_nothing_stays_open_behind_its_end(house: House) -> None:
    """What is lent is closed when it comes back."""
    with house.memory("ana") as free:
        pass
    with house.memory("ben") as lent:
        house.close()
        assert is_open(lent)

    assert not is_open(free)
    assert not is_open(lent)


def test_a_model_and_its_vectors_are_in_memory_once(house: House, tmp_path: Path) -> None:
    """However many memories are open: each by itself would take as much memory."""
    folder = static_folder(tmp_path / "model")
    with house.memory("ana") as memory:
        said = [Message(Role.USER, "a train to somewhere", ts_ms=1)]
        memory.add_session(Session(id="s1", started_ms=1), said)
        memory.use_model(str(folder))
        memory.embed()
    with house.memory("ana") as one, house.memory("ana") as other:
        for each in (one, other):
            assert [hit.session.id for hit in each.search("train").hits] == ["s1"]

        [(known, _)] = one.used_models()
        assert one is not other
        assert one.open_embedder(known.source) is other.open_embedder(known.source)
        version = known._replace(source="")
        assert one.meanings.kept.find(version, None) is other.meanings.kept.find(version, None) is not None


def test_a_memory_that_was_put_in_the_others_place_is_lent(tmp_path: Path) -> None:
    """A snapshot is restored while a server runs: whoever asks next has what was restored."""
    home = tmp_path / "home"
    with closing(House(Settings(home=home, owner="ana", user_home=tmp_path, environ={}), FakeClock())) as house:
        with house.memory("ana") as first, house.memory("ana") as second:
            first.work("shop").open_task("Before")
            assert first is not second
        home.rename(tmp_path / "aside")

        with house.memory("ana") as memory, house.memory("ana") as another:
            memory.work("shop").open_task("After")
            assert [task.title for task in another.work("shop").tasks()] == ["After"]
            assert memory not in (first, second)
            assert memory.meanings.kept is another.meanings.kept
            assert memory.meanings.kept is not first.meanings.kept
        with house.memory("ana") as memory:
            assert memory in (memory, another)
