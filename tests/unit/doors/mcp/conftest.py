"""A server's verbs over a real memory in a folder of the test's own."""

from collections.abc import Iterator
from pathlib import Path

import pytest

from noctuary.doors.mcp.keeper import Keeper, Serving
from noctuary.settings import Settings
from noctuary.testing import FakeClock
from tests.unit.doors.mcp.serving import NOW, OWNER, Served


@pytest.fixture
def served(tmp_path: Path) -> Iterator[Served]:
    """Started in a folder, as an agent starts it."""
    folder = tmp_path / "shop"
    folder.mkdir()
    settings = Settings(home=tmp_path / "memory", owner=OWNER, user_home=tmp_path / "home", environ={})
    keeper = Keeper(Serving(settings, folder=folder), FakeClock(NOW))
    yield Served(keeper)
    keeper.close()
