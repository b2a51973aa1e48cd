"""The file of a journal: appended to under a lock, read from a byte on, never edited.

    journal/<owner>/<project>.jsonl         the lines
    journal/<owner>/<project>.jsonl.torn    halves of lines that a crash left behind
    journal/<owner>/<project>.jsonl.lock    held by whoever writes

A line without its end is no line: it is set aside before the next is written, so that nothing is ever glued to it.
Lines that are written together count together: the first byte of the first is written last, when all the others are on
the disk.  Until then a zero stands there, with which no line begins, and nothing from there on counts; unless it was
read before: then the zero is damage to one line, and all behind it stays.  A long line is written in the same way.
"""

import os
from collections.abc import Iterable, Iterator
from contextlib import contextmanager
from itertools import takewhile
from pathlib import Path
from typing import BinaryIO

from noctuary.errors import JournalDamaged
from noctuary.files import make_private_folder, open_private, sync_folder, translated, write_all
from noctuary.journal.contract import BEGINNING, UNFINISHED, Line, Place, are_in_order, check_new_lines, damage
from noctuary.journal.lines import line_digest
from noctuary.locks import lock_file
from noctuary.names import file_name, original_name

ENDING = ".jsonl"
TORN = ".torn"
_CHUNK = 1 << 20
_PAGE = 4_096  # bytes: of two pages, one without its end is no line, and one without its beginning begins with a zero


def journal_path(home: Path, owner: str, project: str) -> Path:
    """Where the journal of a project is."""
    return home / "journal" / file_name(owner) / f"{file_name(project)}{ENDING}"


def project_in(path: Path) -> str | None:
    """The project that a journal's file name stands for; None if the name was too long to hold it."""
    return original_name(path.name.removesuffix(ENDING))


class JournalFile:
    """A `Journal` in a file of its own."""

    is_file = True

    def __init__(self, path: Path) -> None:
        self.path = path
        self.torn = path.with_name(path.name + TORN)
        self._known = BEGINNING  # the last place that it was said to have been read up to

    @property
    def name(self) -> str:
        """What it is called in messages."""
        return str(self.path)

    def size(self) -> int:
        """Bytes of the file; 0 if there is none."""
        with translated(self.path):
            try:
                return self.path.stat().st_size
            except FileNotFoundError:
                return 0

    def check(self, place: Place) -> None:
        """Raise JournalDamaged unless the file is still the one that was read up to the place."""
        if not place.offset:
            return
        self._known = place
        with translated(self.path):
            if not self._is_as_at(place):
                raise damage(self.name, place, self.size())

    def read(self, place: Place = BEGINNING) -> Iterator[Line]:
        """The whole lines behind the place."""
        number, start = place.number, place.offset
        for content in self.contents(place):
            number, end = number + 1, start + len(content) + 1
            yield Line(content, number, start, end)
            start = end

    def contents(self, place: Place = BEGINNING) -> Iterator[bytes]:
        """What is in the whole lines behind the place, without their ends; the fastest way to read."""
        with translated(self.path):
            if self.size() <= place.offset:
                return
            with self.path.open("rb", buffering=_CHUNK) as file:
                file.seek(place.offset)
                for line in file:
                    if not self._counts(line, file):
                        return
                    yield line[:-1]

    def is_in_order(self, place: Place = BEGINNING) -> bool:
        """Whether the lines behind the place are as we write them and none has a lower id than the one before."""
        with translated(self.path):
            if self.size() <= place.offset:
                return True
            with self.path.open("rb", buffering=_CHUNK) as file:
                file.seek(place.offset)
                return are_in_order(file)

    @contextmanager
    def locked(self, place: Place) -> Iterator[None]:
        """Nobody else writes meanwhile.  Folders are made if need be, and what is unfinished at the end is set aside.

        JournalDamaged, and nothing done, if the file is not the one that was read up to the place.
        """
        with translated(self.path):
            make_private_folder(self.path.parent)
            handle = open_private(self.path.with_name(self.path.name + ".lock"), os.O_RDWR | os.O_CREAT)
        try:
            with translated(self.path):
                lock_file(handle)
            self.check(place)
            with translated(self.path):
                self._set_unfinished_aside(place.offset)
            yield
        finally:
            os.close(handle)

    def append(self, content: bytes, place: Place) -> None:
        """Write whole lines at the end, where the place must be: all of them, and on the disk, or none.

        JournalDamaged, and nothing written, if the place is elsewhere or a line begins with a zero byte.  The caller
        holds the lock.
        """
        check_new_lines(self.name, content)
        with translated(self.path):
            is_new = not self.path.exists()
            file = open_private(self.path, os.O_WRONLY | os.O_CREAT)
            try:
                if (size := os.lseek(file, 0, os.SEEK_END)) != place.offset:
                    raise damage(self.name, place, size)
                _write_at_once(file, content, place.offset)
            except JournalDamaged:
                raise
            except BaseException:  # a full disk, or Ctrl-C, may have left some of the lines
                os.ftruncate(file, place.offset)
                raise
            finally:
                os.close(file)
            if is_new:
                sync_folder(self.path.parent)

    def cut(self, size: int) -> None:
        """Take away what was written behind so many bytes.  The caller holds the lock."""
        with translated(self.path):
            if self.size() > size:
                with self.path.open("rb+") as file:
                    os.ftruncate(file.fileno(), size)
                    os.fsync(file.fileno())

    def replace(self, content: bytes) -> None:
        """Put whole lines in the place of all there are: all of them, and on the disk, or none.

        The caller holds the lock.
        """
        partial = self.path.with_name(f".{self.path.name}.noctuary")
        with translated(self.path):
            partial.unlink(missing_ok=True)
            file = open_private(partial, os.O_WRONLY | os.O_CREAT | os.O_EXCL)
            try:
                write_all(file, content)
            finally:
                os.close(file)
            partial.replace(self.path)
            sync_folder(self.path.parent)
        start = content.rfind(b"\n", 0, -1) + 1
        self._known = Place(len(content), content.count(b"\n"), line_digest(content[start:]), "", start)

    def set_aside(self, ending: str) -> Path | None:
        """Give the file another name, so that another can take its place; its path then, None if there is none.

        The caller holds the lock.
        """
        if not self.size():
            return None
        aside = self.path.with_name(self.path.name + ending)
        with translated(self.path):
            number = 1
            while aside.exists():
                number += 1
                aside = self.path.with_name(f"{self.path.name}{ending}-{number}")
            self.path.rename(aside)
            sync_folder(self.path.parent)
        return aside

    def halves(self) -> Path | None:
        """Where halves of lines are that a crash left; None if there are none."""
        return self.torn if self.torn.exists() else None

    def _set_unfinished_aside(self, known: int) -> None:
        """Keep nothing behind the last line that counts, of those behind the bytes that are known."""
        if self.size() <= known:
            return
        with self.path.open("rb+") as file:
            file.seek(known)
            whole = known + sum(map(len, takewhile(lambda line: self._counts(line, file), file)))
            file.seek(whole)
            rest = file.read(_CHUNK)
            if not rest:
                return
            aside = open_private(self.torn, os.O_WRONLY | os.O_CREAT | os.O_APPEND)
            try:
                while rest:
                    write_all(aside, rest)
                    rest = file.read(_CHUNK)
                write_all(aside, b"\n")
            finally:
                os.close(aside)
            os.ftruncate(file.fileno(), whole)
            os.fsync(file.fileno())

    def _counts(self, line: bytes, file: BinaryIO) -> bool:
        """Whether it is a line that was just read from the file, and is not being written."""
        if not line.endswith(b"\n"):
            return False
        return not line.startswith(UNFINISHED) or self._was_read(file.tell() - len(line))

    def _was_read(self, start: int) -> bool:
        """Whether what begins there was a line once: it is before a place up to which the file was read."""
        return start < self._known.offset and self._is_as_at(self._known)

    def _is_as_at(self, place: Place) -> bool:
        """Whether the line before the place is the one that was read."""
        if self.size() < place.offset:
            return False
        with self.path.open("rb") as file:
            file.seek(place.start)
            return line_digest(file.read(place.offset - place.start)) == place.digest


def _write_at_once(file: int, content: bytes, start: int) -> None:
    """Write lines there: all of them count, or none.

    One alone counts when its end is there.  Of a longer one a power cut may leave the end and nothing before it, as the
    pages of a file come to the disk in any order; so that is written as if it were several.
    """
    is_one = len(content) <= _PAGE and content.find(b"\n") == len(content) - 1
    if not is_one:
        os.lseek(file, start + 1, os.SEEK_SET)
        write_all(file, content[1:])
    os.lseek(file, start, os.SEEK_SET)
    write_all(file, content if is_one else content[:1])


def write_aside(path: Path, ending: str, contents: Iterable[bytes]) -> Path:
    """Write lines that are no file to a new one beside where theirs would be; its path, when all is on the disk."""
    aside, number = path.with_name(path.name + ending), 1
    with translated(path):
        make_private_folder(path.parent)
        while aside.exists():
            number += 1
            aside = path.with_name(f"{path.name}{ending}-{number}")
        with os.fdopen(open_private(aside, os.O_WRONLY | os.O_CREAT | os.O_EXCL), "wb") as file:
            file.writelines(content + b"\n" for content in contents)
            file.flush()
            os.fsync(file.fileno())
        sync_folder(path.parent)
    return aside
