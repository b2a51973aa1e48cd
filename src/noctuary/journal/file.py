"""The file of a journal: appended to under a lock, read from a byte on, never edited.

    journal/<owner>/<project>.jsonl         the lines
    journal/<owner>/<project>.jsonl.torn    halves of lines that a crash left behind
    journal/<owner>/<project>.jsonl.lock    held by whoever writes

A line without its end is no line: it is set aside before the next is written, so that nothing is ever glued to it.
"""

import os
from collections.abc import Iterable, Iterator
from contextlib import contextmanager
from pathlib import Path

from noctuary.files import make_private_folder, open_private, sync_folder, translated, write_all
from noctuary.journal.contract import BEGINNING, Line, Place, are_in_order, damage
from noctuary.journal.lines import line_digest
from noctuary.locks import lock_file
from noctuary.names import file_name, original_name

ENDING = ".jsonl"
TORN = ".torn"
_CHUNK = 1 << 20


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

    @property
    def name(self) -> str:
        """What it is called in messages."""
        return str(self.path)

    def size(self) -> int:
        """Bytes of the file; 0 if there is none."""
        try:
            return self.path.stat().st_size
        except FileNotFoundError:
            return 0

    def check(self, place: Place) -> None:
        """Raise JournalDamaged unless the file is still the one that was read up to the place."""
        if not place.offset:
            return
        with translated(self.path):
            size = self.size()
            if size < place.offset:
                raise damage(self.name, place, size)
            with self.path.open("rb") as file:
                file.seek(place.start)
                if line_digest(file.read(place.offset - place.start)) != place.digest:
                    raise damage(self.name, place, size)

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
                    if not line.endswith(b"\n"):
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
        """Nobody else writes meanwhile.  Folders are made if need be, and half a line at the end is set aside.

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
                self._set_torn_line_aside()
            yield
        finally:
            os.close(handle)

    def append(self, content: bytes, place: Place) -> None:
        """Write whole lines at the end, where the place must be: all of them, and on the disk, or none.

        The caller holds the lock.
        """
        with translated(self.path):
            is_new = not self.path.exists()
            file = open_private(self.path, os.O_WRONLY | os.O_CREAT | os.O_APPEND)
            try:
                write_all(file, content)
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

    def _set_torn_line_aside(self) -> None:
        size = self.size()
        if not size:
            return
        with self.path.open("rb+", buffering=0) as file:
            file.seek(size - 1)
            if file.read(1) == b"\n":  # as it mostly is
                return
            end = size
            while end and (at := _last_newline(file.fileno(), end)) is None:
                end = max(0, end - _CHUNK)
            whole = at + 1 if end and at is not None else 0
            if whole == size:
                return
            file.seek(whole)
            aside = open_private(self.torn, os.O_WRONLY | os.O_CREAT | os.O_APPEND)
            try:
                while chunk := file.read(_CHUNK):
                    write_all(aside, chunk)
                write_all(aside, b"\n")
            finally:
                os.close(aside)
            os.ftruncate(file.fileno(), whole)
            os.fsync(file.fileno())


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


def _last_newline(file: int, end: int) -> int | None:
    """Where the last end of a line is among the bytes before this one; None if none is near."""
    start = max(0, end - _CHUNK)
    os.lseek(file, start, os.SEEK_SET)
    at = os.read(file, end - start).rfind(b"\n")
    return None if at < 0 else start + at
