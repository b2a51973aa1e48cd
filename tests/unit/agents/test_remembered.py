"""What install remembers is read again as it was; anything else is nothing."""

import json
import stat
from pathlib import Path

import pytest

from noctuary.agents.remembered import Remembered, drop_empty_folders, remember, remembered
from noctuary.agents.splicing import Edit

KNOWN = Remembered("codex", True, "a", "b", (Edit(1, "", "é\r\n"), Edit(0, "x", "")), (("hooks", "Stop"), ()), ("/f",))


def test_what_was_remembered_is_read_again(tmp_path: Path) -> None:
    """Every field; the file is for its owner only."""
    remember(tmp_path / "home", {"/a": KNOWN})
    file = tmp_path / "home" / "state" / "installed.json"

    assert remembered(tmp_path / "home") == {"/a": KNOWN}
    assert stat.S_IMODE(file.stat().st_mode) == 0o600
    remember(tmp_path / "home", {})
    drop_empty_folders(tmp_path / "home")
    assert [*(tmp_path / "home").iterdir()] == []


@pytest.mark.parametrize(
    "text", ["", "{", "[]", "null", '{"files": []}', '{"files": {"/a": 1}}', '{"files": {"/a": {"agent": "x"}}}']
)
def test_anything_else_is_nothing(tmp_path: Path, text: str) -> None:
    """A file that is damaged stops nobody."""
    (tmp_path / "state").mkdir()
    (tmp_path / "state" / "installed.json").write_text(text, encoding="utf-8")

    assert remembered(tmp_path) == {}


def test_lists_of_another_shape_are_nothing(tmp_path: Path) -> None:
    """Nor does one with the right names and the wrong values."""
    remember(tmp_path, {"/a": KNOWN})
    file = tmp_path / "state" / "installed.json"
    data = json.loads(file.read_text(encoding="utf-8"))
    data["files"]["/a"]["edits"] = [["x", "", ""]]
    file.write_text(json.dumps(data), encoding="utf-8")

    assert remembered(tmp_path) == {}
