"""No tool gives anything of another owner, whichever of their ids a model knows; on each database.

Everything that the other has said has one strange word in it, which no call ever has.
"""

from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

from noctuary.app import Memory
from noctuary.authored import EventType
from noctuary.doors.mcp.keeper import Keeper, Serving
from noctuary.doors.mcp.tools import TOOLS
from noctuary.settings import Settings
from noctuary.testing import FakeClock
from tests.databases import url_of
from tests.unit.doors.mcp.serving import NOW, Served

pytestmark = pytest.mark.slow

WORD = "xyzzy"
THEIR_PROJECT = f"/home/ana/code/{WORD}"
OWN_WORDS = "What is ours"


class Others:
    """What Ana has, beside Bob, whose server it is that models call."""

    def __init__(self, folder: Path) -> None:
        self._settings = Settings(
            home=folder / "memory", owner="ana", user_home=folder, environ={}, database_url=url_of(folder / "memory")
        )
        (folder / "shop").mkdir()
        bobs = Serving(self._settings._replace(owner="bob"), folder=folder / "shop")
        self.served = Served(Keeper(bobs, FakeClock(NOW)))
        self.served.keep("own-session", [OWN_WORDS])
        self.ids = self._of_ana()

    def _of_ana(self) -> list[str]:
        """Ids of one of everything, and their beginnings."""
        anas = Served(Keeper(Serving(self._settings), FakeClock(NOW)))
        said = [f"We decided to use {WORD} from now on.", "Yes."]
        anas.keep("their-session", said, project=THEIR_PROJECT)
        anas.keeper.close()
        with Memory.from_settings(self._settings, FakeClock(NOW)) as memory:
            work = memory.work(THEIR_PROJECT)
            goal = work.open_goal(f"Goal {WORD}")
            task = work.open_task(f"Task {WORD}", goal=goal.title)
            noted = work.note(EventType.FINDING, f"A finding: {WORD}.", node=task)
            kept = work.remember(f"A memory: {WORD}.")
            memory.dreams.end_session("their-session")
            run = memory.dreams.run(backend="rules").run
        whole = ["their-session", goal.id, task.id, noted.event.id, kept.id, run]
        return [*whole, *(name[:6] for name in whole)]

    def kept(self) -> str:
        """All that Ana has, as she sees it."""
        with Memory.from_settings(self._settings, FakeClock(NOW)) as memory:
            work = memory.work(THEIR_PROJECT)
            shown = memory.show("their-session", first=1, limit=10).messages
            memories = memory.store.memories.where("ana", statuses=None)
            return str([work.tasks(), work.entries(limit=100, suggested=True), shown, memories])

    def arguments(self, schema: Any, draw: Any) -> dict[str, Any]:
        """Arguments for a tool, with ids of others wherever there is room for a text."""
        needed = schema.get("required", ())
        fields = schema["properties"].items()
        return {name: self._value(each, draw) for name, each in fields if name in needed or draw(st.booleans())}

    def _value(self, schema: Any, draw: Any) -> Any:
        if "enum" in schema:
            return draw(st.sampled_from(schema["enum"]))
        if schema["type"] == "integer":
            return draw(st.integers(1, 5))
        texts = st.sampled_from([*self.ids, "*", ".", "decided finding memory task goal"])
        return [draw(texts)] if schema["type"] == "array" else draw(texts)


@pytest.fixture
def others(tmp_path: Path, database: str) -> Iterator[Others]:
    made = Others(tmp_path)
    yield made
    made.served.keeper.close()


@settings(max_examples=20, suppress_health_check=[HealthCheck.function_scoped_fixture, HealthCheck.too_slow])
@given(data=st.data())
def test_no_tool_tells_or_changes_anything_of_others(others: Others, data: st.DataObject) -> None:
    """Not a word of theirs is in any answer, and all they have is as it was."""
    before = others.kept()
    assert before.count(WORD) > 5

    for tool in TOOLS:
        arguments = others.arguments(tool["inputSchema"], data.draw)
        answer = others.served.asked(str(tool["name"]), **arguments)

        assert WORD not in answer.text, f"{tool['name']} {arguments}: {answer.text}"
    assert others.kept() == before


def test_what_is_ones_own_is_found(others: Others) -> None:
    """The walk would notice nothing if no tool gave anything."""
    assert OWN_WORDS in others.served("session_search", query="ours")
    assert OWN_WORDS in others.served("session_search", session_id="own-session")
