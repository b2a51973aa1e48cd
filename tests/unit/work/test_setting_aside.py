"""Lines that could not be imported are kept beside the file they come from."""

from pathlib import Path

from noctuary.work.exchange import ImportedLines, SetAside
from noctuary.work.setting_aside import set_aside


def report(*lines: str, file: str = "") -> ImportedLines:
    return ImportedLines(bad=[SetAside(number, "odd", line, file) for number, line in enumerate(lines, start=1)])


def test_nothing_bad_leaves_nothing_behind(tmp_path: Path) -> None:
    """Without bad lines there is no file."""
    set_aside(tmp_path / "a.jsonl", ImportedLines(added=3))

    assert list(tmp_path.iterdir()) == []


def test_bad_lines_are_kept_as_they_were(tmp_path: Path) -> None:
    """Each line is there again to the byte, so that it can be mended and imported."""
    odd = b"\xff\xfe no text".decode("utf-8", "surrogateescape")

    done = set_aside(tmp_path / "a.jsonl", report("{half", odd))

    assert done.written == (tmp_path / "a.jsonl.bad",)
    assert (tmp_path / "a.jsonl.bad").read_bytes() == b"{half\n\xff\xfe no text\n"


def test_what_somebody_mends_is_not_overwritten(tmp_path: Path) -> None:
    """The same lines again change nothing; others get a file of their own."""
    first = set_aside(tmp_path / "a.jsonl", report("{half"))
    again = set_aside(tmp_path / "a.jsonl", report("{half"))
    (tmp_path / "a.jsonl.bad").write_text("{mended}\n")
    third = set_aside(tmp_path / "a.jsonl", report("{half"))

    assert first.written == again.written
    assert third.written == (tmp_path / "a.jsonl.bad.2",)
    assert (tmp_path / "a.jsonl.bad").read_text() == "{mended}\n"


def test_files_of_a_folder_each_have_their_own(tmp_path: Path) -> None:
    """The bad lines of a folder's files are beside those files, wherever in it they are."""
    (tmp_path / "events").mkdir()
    (tmp_path / "events" / "a.jsonl").touch()
    joined = report("{one", file="a.jsonl").joined(report("{two", file="b.jsonl"))

    done = set_aside(tmp_path, joined)

    assert done.written == (tmp_path / "events" / "a.jsonl.bad", tmp_path / "b.jsonl.bad")


def test_what_cannot_be_written_is_told(tmp_path: Path) -> None:
    """Where no file can be made, the report still has the lines, and says so."""
    done = set_aside(tmp_path / "nowhere" / "a.jsonl", report("{half"))

    assert (done.written, done.unwritable) == ((), (tmp_path / "nowhere" / "a.jsonl",))
    assert done.report.bad[0].line == "{half"


def test_a_file_that_is_bad_as_a_whole_has_no_lines(tmp_path: Path) -> None:
    """What is wrong with a file as a whole is in the report alone."""
    done = set_aside(tmp_path, ImportedLines(bad=[SetAside(0, "of no tool that is known", "", "a.jsonl")]))

    assert done.written == ()
