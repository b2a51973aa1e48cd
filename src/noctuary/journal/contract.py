"""What every journal is, whether a file or rows of a table: lines one behind the other, of which none is ever changed.

A place means the same in both, so a journal can be carried from one to the other and read on where it was left.
"""

from collections.abc import Iterator
from contextlib import AbstractContextManager
from pathlib import Path
from typing import NamedTuple, Protocol

from noctuary.errors import JournalDamaged
from noctuary.ids import ULID_LENGTH
from noctuary.journal.lines import FIRST_KEY

_ADVICE = "Put a copy of it back, or `noctuary journal restore` writes it again from what was read of it."
_REBUILD = "To go on with what is left of it: `noctuary rebuild`."
UNFINISHED = b"\0"  # with which lines begin in a file while they are being written together
_ID = slice(len(FIRST_KEY), len(FIRST_KEY) + ULID_LENGTH)


class Place(NamedTuple):
    """How far a journal has been read: everything before it is known."""

    offset: int = 0
    number: int = 0  # of the last line read
    digest: str = ""  # of that line
    last_id: str = ""  # the greatest id of an event so far
    start: int = 0  # the byte at which the last line begins


BEGINNING = Place()


class Line(NamedTuple):
    """One line, and where it stands."""

    content: bytes  # without its end
    number: int  # from 1
    start: int
    end: int


class Journal(Protocol):
    """The journal of one project."""

    @property
    def name(self) -> str:
        """What it is called in messages."""
        ...

    @property
    def path(self) -> Path:
        """Its file; if it is none, the one that would be."""
        ...

    @property
    def is_file(self) -> bool:
        """Whether whoever looks at the file sees when it changes."""
        ...

    def size(self) -> int:
        """Bytes of its lines with their ends; 0 if there is none."""
        ...

    def check(self, place: Place) -> None:
        """Raise JournalDamaged unless it is still the one that was read up to the place."""
        ...

    def read(self, place: Place = BEGINNING) -> Iterator[Line]:
        """The whole lines behind the place."""
        ...

    def is_in_order(self, place: Place = BEGINNING) -> bool:
        """Whether the lines behind the place are as we write them and none has a lower id than the one before."""
        ...

    def locked(self, place: Place) -> AbstractContextManager[None]:
        """Nobody else writes meanwhile; JournalDamaged if it is not the one that was read up to the place.

        Only within a transaction of the database.
        """
        ...

    def append(self, content: bytes, place: Place) -> None:
        """Write whole lines at the end, where the place must be: all of them, or none.  The caller holds the lock.

        JournalDamaged, and nothing written, if one begins with a zero byte, with which a file marks what is unfinished.
        """
        ...

    def cut(self, size: int) -> None:
        """Take away what was written behind so many bytes, if a transaction that failed did not.

        The caller holds the lock.
        """
        ...

    def replace(self, content: bytes) -> None:
        """Put whole lines in the place of all there are: all of them, and on the disk, or none.

        The caller holds the lock.
        """
        ...

    def set_aside(self, ending: str) -> Path | None:
        """Put what there is into another file, so that it can be written anew; its path, None if there is nothing.

        The caller holds the lock.
        """
        ...

    def halves(self) -> Path | None:
        """Where halves of lines are that a crash left and that were set aside; None if there are none."""
        ...


class Journals(Protocol):
    """The journals of one owner."""

    def journal(self, project: str) -> Journal:
        """The journal of a project, which may have no lines yet."""
        ...

    def projects(self) -> list[str]:
        """The projects that have a journal, by name."""
        ...


def check_new_lines(name: str, content: bytes) -> None:
    """Raise JournalDamaged if one of the lines begins with a zero byte: in a file it would not count as a line."""
    if content.startswith(UNFINISHED) or b"\n" + UNFINISHED in content:
        raise JournalDamaged(f"{name} cannot have a line that begins with a zero byte. {_ADVICE}")


def are_in_order(lines: Iterator[bytes]) -> bool:
    """Whether lines are as we write them and none has a lower id than the one before."""
    last = b""
    for line in lines:
        event_id = line[_ID]
        if event_id < last or not line.startswith(FIRST_KEY):
            return False
        last = event_id
    return True


def damage(name: str, place: Place, size: int) -> JournalDamaged:
    """What is wrong with a journal of this size that is not the one that was read up to the place."""
    if not size:
        return JournalDamaged(f"{name} is gone. {_ADVICE}")
    if size < place.offset:
        return JournalDamaged(f"{name} is shorter than when it was last read. {_ADVICE} {_REBUILD}")
    return JournalDamaged(f"{name} is not what it was: line {place.number} has changed. {_ADVICE} {_REBUILD}")
