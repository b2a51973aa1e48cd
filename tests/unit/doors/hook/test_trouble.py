"""Trouble is told once, and what has been too slow is left alone for a while."""

import os
from pathlib import Path

from noctuary.doors.hook.trouble import (
    FAILED,
    PROMPT,
    START,
    UNWRITTEN,
    ask,
    asked_ms,
    begin,
    clear,
    end,
    record,
    untold,
)

NOW = 1_790_000_000_000
MINUTE = 60_000


def begun(home: Path, kind: str, now_ms: int) -> bool:
    """Whether something slow may begin; it never ends."""
    return begin(str(home), kind, now_ms, os.getpid() + now_ms % 1_000) is not None


def test_trouble_is_told_once(tmp_path: Path) -> None:
    """As long as it is the same."""
    record(str(tmp_path), FAILED, "the disk is full.", NOW)

    assert untold(str(tmp_path)) == "noctuary: the disk is full."
    assert untold(str(tmp_path)) == ""
    record(str(tmp_path), FAILED, "the disk is full.", NOW + MINUTE)
    assert untold(str(tmp_path)) == ""


def test_other_trouble_is_told(tmp_path: Path) -> None:
    """And the same again, if it was over in between."""
    home = str(tmp_path)
    record(home, FAILED, "one.", NOW)
    record(home, UNWRITTEN, "two.", NOW)
    assert [untold(home), untold(home), untold(home)] == ["noctuary: one.", "noctuary: two.", ""]

    record(home, FAILED, "three.", NOW)
    assert [untold(home), untold(home)] == ["noctuary: three.", ""]

    clear(home, FAILED)
    assert untold(home) == ""
    record(home, FAILED, "three.", NOW)
    assert untold(home) == "noctuary: three."


def test_what_a_sweep_left_is_told_on_one_plain_line(tmp_path: Path) -> None:
    """Whatever is in its message."""
    (tmp_path / "state" / "hook").mkdir(parents=True)
    left = "2026-03-02T10:00:00Z it \x1b[31mfailed\x07\nand more\n" + "x" * 5_000
    (tmp_path / "state" / "hook" / "failed").write_text(left, encoding="utf-8")

    assert untold(str(tmp_path)) == "noctuary: it  [31mfailed"


def test_what_cannot_be_kept_is_not_told(tmp_path: Path) -> None:
    """Or it would be told at every start."""
    record(str(tmp_path), FAILED, "the disk is full.", NOW)
    (tmp_path / "state" / "hook" / "told-failed").mkdir()

    assert untold(str(tmp_path)) == ""


def test_where_nothing_can_be_written_nothing_happens(tmp_path: Path) -> None:
    """A home folder that is a file."""
    home = tmp_path / "home"
    home.write_text("", encoding="utf-8")
    record(str(home), FAILED, "no.", NOW)

    assert untold(str(home)) == ""
    assert begin(str(home), START, NOW, 1) is None


def test_after_three_that_did_not_end_there_is_a_pause(tmp_path: Path) -> None:
    """Of ten minutes; then it is tried again."""
    assert [begun(tmp_path, START, NOW + number * 5_000) for number in range(4)] == [True, True, True, False]
    assert not begun(tmp_path, START, NOW + 9 * MINUTE)
    assert begun(tmp_path, START, NOW + 11 * MINUTE)


def test_what_ended_in_time_does_not_count(tmp_path: Path) -> None:
    """Nor what may still be running, nor what is of another kind."""
    for number in range(10):
        mark = begin(str(tmp_path), START, NOW + number * 5_000, 1)
        assert mark
        end(mark)
    assert all(begun(tmp_path, START, NOW + 60_000 + number) for number in range(10))  # all at once
    assert begun(tmp_path, PROMPT, NOW + 2 * MINUTE)
    assert not begun(tmp_path, START, NOW + 2 * MINUTE)


def test_old_marks_and_marks_of_the_future_are_removed(tmp_path: Path) -> None:
    """A clock that was set back does not keep the pause for ever."""
    for now_ms in (NOW, NOW + 60 * MINUTE, NOW + 60 * MINUTE + 1, NOW + 60 * MINUTE + 2):
        begun(tmp_path, START, now_ms)

    assert begun(tmp_path, START, NOW + 30 * MINUTE)
    assert len([*(tmp_path / "state" / "hook").iterdir()]) == 1


def test_notes_that_a_sweep_left_waiting_are_trouble(tmp_path: Path) -> None:
    """If it was started a while ago, and the notes are older than that."""
    home = str(tmp_path)
    ask(home, NOW, NOW + MINUTE)
    ask(home, NOW, NOW + 10 * MINUTE)
    assert (untold(home), asked_ms(home)) == ("", NOW + MINUTE)

    ask(home, NOW, NOW + 17 * MINUTE)
    assert "was started at 2026-09-21" in untold(home)


def test_notes_that_came_later_are_none(tmp_path: Path) -> None:
    """A sweep dealt with those before them, and nobody was at work for days."""
    home = str(tmp_path)
    ask(home, 0, NOW)
    ask(home, NOW + MINUTE, NOW + 5_000 * MINUTE)

    assert (untold(home), asked_ms(home)) == ("", NOW + 5_000 * MINUTE)


def test_a_sweep_of_the_future_was_not_started(tmp_path: Path) -> None:
    """A clock was set back."""
    home = str(tmp_path)
    ask(home, 0, NOW + 5_000 * MINUTE)
    ask(home, NOW, NOW + MINUTE)

    assert asked_ms(home) == NOW + MINUTE
