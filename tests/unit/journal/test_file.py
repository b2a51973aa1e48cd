"""The file of a journal: whole lines only, behind those that are there, and nothing is ever glued or lost."""

import os
import resource
import sys
from collections.abc import Iterator, Sequence
from contextlib import contextmanager
from pathlib import Path

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from noctuary.errors import JournalDamaged, StoreError
from noctuary.journal.contract import BEGINNING, Place
from noctuary.journal.file import JournalFile, journal_path, project_in
from noctuary.journal.lines import line_digest


@pytest.fixture
def journal(tmp_path: Path) -> JournalFile:
    return JournalFile(journal_path(tmp_path, "ana", "shop"))


def contents(journal: JournalFile, place: Place = BEGINNING) -> list[bytes]:
    return [line.content for line in journal.read(place)]


def append(journal: JournalFile, *lines: bytes, place: Place = BEGINNING) -> Place:
    """Write lines at the place; the place behind them."""
    content = b"".join(line + b"\n" for line in lines)
    with journal.locked(place):
        journal.append(content, place)
    return behind(lines, place)


def behind(lines: Sequence[bytes], place: Place = BEGINNING) -> Place:
    """The place behind lines that stand at another."""
    if not lines:
        return place
    last, end = lines[-1], place.offset + sum(len(line) + 1 for line in lines)
    return Place(end, place.number + len(lines), line_digest(last), "", end - len(last) - 1)


def test_lines_are_read_as_they_were_written(journal: JournalFile) -> None:
    """Lines come back in order, numbered from 1, each with its place in the file."""
    append(journal, b"one", b"three")

    assert [*journal.read()] == [(b"one", 1, 0, 4), (b"three", 2, 4, 10)]


def test_reading_goes_on_from_a_place(journal: JournalFile) -> None:
    """Only what is new is read."""
    place = append(journal, b"one", b"two")
    append(journal, b"three", place=place)

    assert [*journal.read(place)] == [(b"three", 3, 8, 14)]


def test_nothing_written_is_nothing_read(journal: JournalFile) -> None:
    """A journal that there is not yet has no lines and no size."""
    assert contents(journal) == []
    assert journal.size() == 0


def test_files_are_for_their_owner_only(journal: JournalFile) -> None:
    """Nobody else on the machine can read a journal, or list the folder of journals."""
    append(journal, b"one")

    assert journal.path.stat().st_mode & 0o777 == 0o600
    assert journal.path.parent.stat().st_mode & 0o777 == 0o700
    assert journal.path.parent.parent.stat().st_mode & 0o777 == 0o700


@pytest.mark.parametrize("torn", [b"h", b'{"half": ', "ü".encode()[:1], b"x" * (3 << 20)])
def test_half_a_line_is_set_aside(journal: JournalFile, torn: bytes) -> None:
    """What a crash left without its end is no line; it is kept beside before the next line is written."""
    place = append(journal, b"one")
    with journal.path.open("ab") as file:
        file.write(torn)

    assert contents(journal) == [b"one"]
    append(journal, b"two", place=place)
    assert contents(journal) == [b"one", b"two"]
    assert journal.torn.read_bytes() == torn + b"\n"


def test_half_a_first_line_is_set_aside(journal: JournalFile) -> None:
    """Also if it is all there is, and longer than what is looked at in one go."""
    journal.path.parent.mkdir(parents=True)
    journal.path.write_bytes(b"x" * (2 << 20))

    append(journal, b"one")

    assert contents(journal) == [b"one"]
    assert journal.torn.stat().st_size == (2 << 20) + 1


LINES = st.lists(st.binary(max_size=40).map(lambda raw: raw.replace(b"\n", b" ").lstrip(b"\0")), min_size=1)


@settings(deadline=None)
@given(lines=LINES, cut=st.integers(0))
def test_killed_anywhere(tmp_path_factory: pytest.TempPathFactory, lines: list[bytes], cut: int) -> None:
    """Wherever the disk stopped, the lines before are read, the next is whole, and no byte is lost."""
    journal = JournalFile(tmp_path_factory.mktemp("killed") / "ana" / "x.jsonl")
    append(journal, *lines)
    written = journal.path.read_bytes()
    kept = written[: cut % (len(written) + 1)]
    journal.path.write_bytes(kept)
    whole = kept.split(b"\n")[:-1]

    assert contents(journal) == whole
    append(journal, b"next", place=behind(whole))
    assert contents(journal) == [*whole, b"next"]
    torn = journal.torn.read_bytes()[:-1] if journal.torn.exists() else b""
    assert journal.path.read_bytes().removesuffix(b"next\n") + torn == kept


@settings(deadline=None)
@given(lines=LINES, cut=st.integers(0))
def test_lines_that_are_written_together_count_together(
    tmp_path_factory: pytest.TempPathFactory, lines: list[bytes], cut: int
) -> None:
    """Until the first byte of the first is there, which is written last, none of them is a line."""
    journal = JournalFile(tmp_path_factory.mktemp("killed") / "ana" / "x.jsonl")
    place = append(journal, b"before")
    written = b"".join(line + b"\n" for line in lines)
    rest = b"\0" + written[1 : 1 + cut % len(written)]
    with journal.path.open("ab") as file:
        file.write(rest)

    assert contents(journal) == [b"before"]
    append(journal, b"next", place=place)
    assert contents(journal) == [b"before", b"next"]
    assert journal.torn.read_bytes() == rest + b"\n"


@pytest.mark.parametrize("size", [0, 3, 7])
def test_shortened_journal(journal: JournalFile, size: int) -> None:
    """A journal that is shorter than it was is not written to, and is left as it is."""
    place = append(journal, b"one", b"two")
    os.truncate(journal.path, size)

    with pytest.raises(JournalDamaged, match="noctuary journal restore"):
        append(journal, b"three", place=place)

    assert journal.size() == size
    assert not journal.torn.exists()


def test_lines_are_written_nowhere_but_at_the_end(journal: JournalFile) -> None:
    """Whoever does not know all lines that there are overwrites none of them."""
    place = append(journal, b"one")
    append(journal, b"two", place=place)

    with pytest.raises(JournalDamaged):
        append(journal, b"three", place=place)

    assert contents(journal) == [b"one", b"two"]


def test_deleted_journal(journal: JournalFile) -> None:
    """A journal that is gone is not begun anew as if it had never been."""
    place = append(journal, b"one")
    journal.path.unlink()

    with pytest.raises(JournalDamaged, match="is gone"):
        append(journal, b"two", place=place)

    assert not journal.path.exists()


def test_changed_journal(journal: JournalFile) -> None:
    """A journal whose last known line is another is not written to."""
    place = append(journal, b"one", b"two")
    journal.path.write_bytes(b"one\nTWO\nthree\n")

    with pytest.raises(JournalDamaged, match="line 2 has changed"):
        append(journal, b"four", place=place)


@pytest.mark.skipif(sys.platform == "win32", reason="no limits to the size of files")
def test_failed_write_leaves_nothing(journal: JournalFile) -> None:
    """If the disk takes only half of what is written, no part of it stays."""
    place = append(journal, b"one")

    with files_of_at_most(place.offset + 6), pytest.raises(StoreError, match="Check the disk"):
        append(journal, b"two", b"three", place=place)

    assert contents(journal) == [b"one"]
    assert not journal.torn.exists()
    append(journal, b"two", b"three", place=place)
    assert contents(journal) == [b"one", b"two", b"three"]


@contextmanager
def files_of_at_most(size: int) -> Iterator[None]:
    """A disk that is full when a file has so many bytes."""
    before = resource.getrlimit(resource.RLIMIT_FSIZE)
    resource.setrlimit(resource.RLIMIT_FSIZE, (size, before[1]))
    try:
        yield
    finally:
        resource.setrlimit(resource.RLIMIT_FSIZE, before)


def test_journal_that_cannot_be_looked_at(tmp_path: Path) -> None:
    """A file where its folder should be is no journal that is gone: it is said what cannot be used."""
    path = journal_path(tmp_path, "ana", "shop")
    path.parent.parent.mkdir()
    path.parent.write_text("no folder")

    with pytest.raises(StoreError, match="cannot be used"):
        JournalFile(path).size()


def test_folder_that_cannot_be_used(tmp_path: Path) -> None:
    """Where no folder can be made the error says which file, and what to do."""
    (tmp_path / "journal").write_text("in the way")
    journal = JournalFile(journal_path(tmp_path, "ana", "shop"))

    with pytest.raises(StoreError, match="Check the disk"):
        append(journal, b"one")


@pytest.mark.parametrize("project", ["", "/home/ana/code/shop", "..", "A", "ä/ö", "con"])
def test_project_is_read_from_the_name(tmp_path: Path, project: str) -> None:
    """A journal says by its name whose it is, even before it has a line."""
    assert project_in(journal_path(tmp_path, "ana", project)) == project


def test_order_of_ids(journal: JournalFile) -> None:
    """Lines that we wrote in order are known to be without reading them; any other line makes it doubtful."""
    first, second = (b'{"event_id":"01J0000000000000000000000%d","x":1}' % number for number in (1, 2))
    place = append(journal, first, first, second)

    assert journal.is_in_order()
    place = append(journal, first, place=place)
    assert not journal.is_in_order()
    assert not JournalFile(_written(journal.path.with_name("y"), b'{"x": 1}\n')).is_in_order()


def _written(path: Path, content: bytes) -> Path:
    path.write_bytes(content)
    return path
