"""Lines of a log: each is one JSON object, none has contents, and a file of them has a bound."""

import json
from datetime import UTC, datetime
from pathlib import Path
from threading import Thread
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from noctuary.doors.logging_lines import FileLog, LogLines, open_log
from noctuary.errors import BadInput, StoreBusy
from noctuary.testing import FakeClock

NOW = datetime(2026, 3, 3, 9, 0, tzinfo=UTC)


class Kept:
    """A log that keeps its lines for the test."""

    def __init__(self) -> None:
        self.lines: list[bytes] = []

    def write(self, line: bytes) -> None:
        """Keep the line."""
        self.lines.append(line)

    @property
    def last(self) -> dict[str, Any]:
        """The last line, read."""
        read: dict[str, Any] = json.loads(self.lines[-1])
        return read


def lines_of(path: Path) -> list[dict[str, Any]]:
    """All lines of a file, read."""
    return [json.loads(line) for line in path.read_text().splitlines()]


def test_a_line_has_time_what_and_facts() -> None:
    """Whoever reads it needs no other line: when, what, how many."""
    kept = Kept()

    LogLines(kept, FakeClock(NOW)).say("import", messages=3, is_first=True, route="/api/v1/sessions/{id}")

    assert kept.lines[0].endswith(b"}\n")
    assert kept.last == {
        "time": "2026-03-03T09:00:00.000Z",
        "level": "info",
        "what": "import",
        "messages": 3,
        "is_first": True,
        "route": "/api/v1/sessions/{id}",
    }


@given(st.text())
def test_no_text_makes_a_second_line_or_a_sentence(text: str) -> None:
    """Whatever is handed over, it is one line; a text with a space or a control character is withheld."""
    kept = Kept()

    LogLines(kept, FakeClock(NOW)).say("import", said=text)

    assert kept.lines[0].count(b"\n") == 1
    assert kept.last["said"] in (text, "?")
    if not text.isascii() or any(character.isspace() or not character.isprintable() for character in text):
        assert kept.last["said"] == "?"


def test_what_is_timed_says_how_long_it_took() -> None:
    """Facts that are known only at the end are in the same line."""
    kept = Kept()

    with LogLines(kept, FakeClock(NOW)).timed("import", first=1) as facts:
        facts["messages"] = 4

    assert kept.last["messages"] == 4
    assert kept.last["first"] == 1
    assert kept.last["seconds"] >= 0


def test_what_fails_is_named_by_its_class_and_goes_on() -> None:
    """The text of an error may quote what somebody wrote; its class does not."""
    kept = Kept()

    with pytest.raises(StoreBusy), LogLines(kept, FakeClock(NOW)).timed("import"):
        raise StoreBusy("ana's secret is in the way")

    assert (kept.last["level"], kept.last["failed"]) == ("error", "StoreBusy")
    assert b"secret" not in kept.lines[0]


def test_a_file_has_a_bound_and_loses_nothing_young(tmp_path: Path) -> None:
    """However much is written, two files are left, neither over the bound, and the last lines are all there."""
    path = tmp_path / "log" / "watch.log"
    log = LogLines(FileLog(path, most_bytes=1_000), FakeClock(NOW))

    for number in range(100):
        log.say("look", number=number)

    older = path.with_name("watch.log.1")
    assert sorted(path.parent.iterdir()) == [path, older]
    assert max(path.stat().st_size, older.stat().st_size) <= 1_000
    numbers = [line["number"] for line in (*lines_of(older), *lines_of(path))]
    assert numbers == list(range(numbers[0], 100))
    assert len(numbers) > 10


def test_a_file_is_for_its_owner_only(tmp_path: Path) -> None:
    """Nobody else learns when somebody works."""
    open_log(tmp_path / "watch.log", FakeClock(NOW)).say("look")

    assert (tmp_path / "watch.log").stat().st_mode & 0o777 == 0o600


def test_threads_write_whole_lines(tmp_path: Path) -> None:
    """A server answers many at once; no line is torn, and none is lost."""
    path = tmp_path / "serve.log"
    log = LogLines(FileLog(path, most_bytes=1_000_000), FakeClock(NOW))

    def answer() -> None:
        for number in range(50):
            log.say("request", number=number)

    threads = [Thread(target=answer) for _ in range(4)]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()

    assert sorted(line["number"] for line in lines_of(path)) == sorted([*range(50)] * 4)


def test_a_file_that_is_moved_away_is_made_anew(tmp_path: Path) -> None:
    """Whoever rotates logs in their own way need not tell us."""
    path = tmp_path / "watch.log"
    log = open_log(path, FakeClock(NOW))
    log.say("look", number=1)

    path.rename(tmp_path / "away")
    log.say("look", number=2)

    assert [line["number"] for line in lines_of(path)] == [2]


def test_a_place_that_is_no_file_is_said_at_once(tmp_path: Path) -> None:
    """A process that is to run for days must not find out later that it has no log."""
    with pytest.raises(BadInput, match="--log"):
        open_log(tmp_path, FakeClock(NOW))


def test_a_log_that_went_away_stops_nothing(tmp_path: Path) -> None:
    """What is done matters more than what is said about it."""
    folder = tmp_path / "log"
    log = open_log(folder / "watch.log", FakeClock(NOW))
    (folder / "watch.log").unlink()
    folder.rmdir()

    log.say("look")

    assert not folder.exists()


def test_standard_error_and_nowhere(capfd: pytest.CaptureFixture[str]) -> None:
    """`-` is standard error; without a place nothing is written."""
    open_log("-", FakeClock(NOW)).say("look", messages=1)
    open_log(None, FakeClock(NOW)).say("look", messages=2)

    assert [json.loads(line)["messages"] for line in capfd.readouterr().err.splitlines()] == [1]
