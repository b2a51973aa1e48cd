"""A goal exported into a file that may be there already: nothing of others is lost."""

from pathlib import Path

import pytest

from noctuary.errors import BadInput
from noctuary.graph import Node
from noctuary.testing import FakeClock
from noctuary.work.desk import Desk
from noctuary.work.interchange.exporting import export_goal, export_goal_to
from noctuary.work.interchange.importing import import_goal
from noctuary.work.tasks import open_goal, open_task, rename_node
from tests.unit.work.machines import make_goal

pytestmark = pytest.mark.slow


@pytest.fixture
def goal(desk: Desk, clock: FakeClock) -> Node:
    return make_goal(desk, clock)


def test_the_file_has_what_an_export_says(desk: Desk, goal: Node, tmp_path: Path) -> None:
    """The file is the export, byte for byte, and nothing else is left in the folder."""
    folder = tmp_path / "files"
    folder.mkdir()

    exported = export_goal_to(desk, goal.id, folder / "goal.toml")

    assert (folder / "goal.toml").read_bytes().decode() == export_goal(desk, goal.id)
    assert (exported.goal, exported.nodes, exported.is_new) == (goal.id, 4, True)
    assert [path.name for path in folder.iterdir()] == ["goal.toml"]


def test_an_older_export_is_replaced(desk: Desk, goal: Node, tmp_path: Path) -> None:
    """A file of ours is written anew when the work went on, and not touched when it did not."""
    file = tmp_path / "goal.toml"
    export_goal_to(desk, goal.id, file)
    assert not export_goal_to(desk, goal.id, file).is_new
    open_task(desk, "One more", parent=goal.id)

    assert export_goal_to(desk, goal.id, file).is_new
    assert "One more" in file.read_text()


@pytest.mark.parametrize("content", [b"# My notes\n", b"", b"\xff\xfe\x00", b"[meta]\nversion = 1\n"])
def test_what_is_no_goal_stays(desk: Desk, goal: Node, tmp_path: Path, content: bytes) -> None:
    """A file that somebody else wrote is left as it is; with force it is replaced."""
    file = tmp_path / "notes.toml"
    file.write_bytes(content)

    with pytest.raises(BadInput, match=r"no file of a goal.*--force"):
        export_goal_to(desk, goal.id, file)

    assert file.read_bytes() == content
    assert export_goal_to(desk, goal.id, file, force=True).is_new


def test_the_file_of_another_goal_stays(desk: Desk, goal: Node, tmp_path: Path) -> None:
    """One goal is not written over another."""
    file = tmp_path / "goal.toml"
    other = open_goal(desk, "Another")
    export_goal_to(desk, other.id, file)

    with pytest.raises(BadInput, match=other.id):
        export_goal_to(desk, goal.id, file)

    assert other.title in file.read_text()


def test_edits_are_not_lost(desk: Desk, goal: Node, tmp_path: Path) -> None:
    """What somebody wrote into the file must be imported before it is replaced."""
    file = tmp_path / "goal.toml"
    export_goal_to(desk, goal.id, file)
    file.write_text(file.read_text().replace('"Send mail"', '"Send a letter"'))

    with pytest.raises(BadInput, match="Import it first"):
        export_goal_to(desk, goal.id, file)
    import_goal(desk, file.read_text())
    rename_node(desk, goal.id, "Ship it")

    assert export_goal_to(desk, goal.id, file).is_new
    assert "Send a letter" in file.read_text()


def test_a_conflict_is_not_lost(desk: Desk, goal: Node, tmp_path: Path) -> None:
    """What both sides changed stays in the file until somebody has decided."""
    file = tmp_path / "goal.toml"
    export_goal_to(desk, goal.id, file)
    file.write_text(file.read_text().replace('"Ship the shop"', '"Ship a shop"'))
    rename_node(desk, goal.id, "Ship it")

    with pytest.raises(BadInput, match="Import it first"):
        export_goal_to(desk, goal.id, file)


def test_where_nothing_can_be_written(desk: Desk, goal: Node, tmp_path: Path) -> None:
    """A folder that is not there, or a name that is a folder, is refused in one sentence."""
    for file in (tmp_path / "nowhere" / "goal.toml", tmp_path):
        with pytest.raises(BadInput, match="cannot be written"):
            export_goal_to(desk, goal.id, file)
