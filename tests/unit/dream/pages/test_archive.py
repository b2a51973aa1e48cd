"""Lines that a page had no room for, in a file beside it."""

from pathlib import Path

from noctuary.dream.pages.archive import archive


def test_a_line_is_archived_once_a_day(tmp_path: Path) -> None:
    """What a run that was killed archived is not archived again, and on another day it is."""
    path = tmp_path / "project" / "archive.md"
    assert archive(path, "2026-03-01", ["- One. [m-1]", "- Two. [m-2]"])

    assert not archive(path, "2026-03-01", ["- Two. [m-2]"])
    assert archive(path, "2026-03-02", ["- Two. [m-2]", "- One. [m-1] 2"])
    assert path.read_text().splitlines() == [
        "- 2026-03-01: One. [m-1]",
        "- 2026-03-01: Two. [m-2]",
        "- 2026-03-02: Two. [m-2]",
        "- 2026-03-02: One. [m-1] 2",
    ]


def test_half_a_line_is_no_archived_one(tmp_path: Path) -> None:
    """A line that was cut off when its run was killed is written again, below what is left of it."""
    path = tmp_path / "archive.md"
    path.write_text("- 2026-03-01: One. [m-")

    assert archive(path, "2026-03-01", ["- One. [m-1]"])
    assert path.read_text() == "- 2026-03-01: One. [m-\n- 2026-03-01: One. [m-1]\n"
