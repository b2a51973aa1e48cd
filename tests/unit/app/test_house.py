"""Memories that are lent: each to one alone, and the one that is there now."""

from contextlib import closing
from pathlib import Path

from noctuary.app.house import House
from noctuary.settings import Settings
from noctuary.testing import FakeClock


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
        with house.memory("ana") as memory:
            assert memory in (memory, another)
