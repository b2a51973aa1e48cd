"""What is left of files when the power is cut: played from what a process did to them, operation by operation.

A file has what was written to it when it was last synced, and no more; a name is there if its folder was synced since
it was given, as POSIX has it.  File systems in use keep more.  Which of it they keep differs, so there are three kinds
of cuts: one that leaves nothing that was not synced, one that leaves every name but no byte that was not synced, and
one that leaves every name and of what was not synced every second page, as pages come to the disk in any order.
"""

import struct
from collections.abc import Iterator
from enum import StrEnum
from pathlib import Path
from typing import NamedTuple

_RECORD = struct.Struct("=IIIIQQ16s")
_PAGE = 4_096  # bytes that are written together
_ONLY_SHARED = "-shm"  # memory that processes share: what is in it is made again from the log beside it


class Cut(StrEnum):
    """What a cut leaves."""

    SYNCED = "only what was synced"
    NAMES = "every name, but only bytes that were synced"
    PAGES = "every name, and every second page that was not synced"


class Done(NamedTuple):
    """An operation that a process did."""

    name: str
    path: Path
    other: Path
    inode: int
    offset: int
    data: bytes


class _File:
    def __init__(self, content: bytes = b"") -> None:
        self.now = bytearray(content)
        self.safe: bytes = content
        self.written: set[int] = set()  # pages, since it was synced

    def left(self, cut: Cut) -> bytes:
        """What a cut leaves of it."""
        if cut is not Cut.PAGES:
            return self.safe
        left, written = bytearray(self.now), sorted(self.written)
        for page in written[1:-1:2] or written[:1]:  # the first or one between: the last often says that all is there
            place = slice(page * _PAGE, min((page + 1) * _PAGE, len(left)))
            left[place] = self.safe[place].ljust(place.stop - place.start, b"\0")
        return bytes(left)


class _Folder:
    def __init__(self) -> None:
        self.now: dict[str, _File | _Folder] = {}
        self.safe: dict[str, _File | _Folder] = {}


class Disk:
    """The files below a folder, as they are and as they would be after a cut."""

    def __init__(self, folder: Path) -> None:
        self.folder = folder
        self._by_inode: dict[int, _File | _Folder] = {}
        self._root = self._read(folder)

    def _read(self, path: Path) -> "_File | _Folder":
        if path.is_dir():
            made: _File | _Folder = _Folder()
            assert isinstance(made, _Folder)
            made.now = {each.name: self._read(each) for each in path.iterdir()}
            made.safe = dict(made.now)
        else:
            made = _File(path.read_bytes())
        self._by_inode[path.stat().st_ino] = made
        return made

    def do(self, done: Done) -> None:
        """Let an operation happen."""
        getattr(self, f"_{done.name}")(done)

    def _create(self, done: Done) -> None:
        self._by_inode[done.inode] = self._parent(done.path).now[done.path.name] = _File()

    def _write(self, done: Done) -> None:
        file = self._file(done)
        end = done.offset + len(done.data)
        file.now.extend(bytes(max(0, end - len(file.now))))
        file.now[done.offset : end] = done.data
        file.written |= {*range(done.offset // _PAGE, -(-end // _PAGE))}

    def _truncate(self, done: Done) -> None:
        file = self._file(done)
        file.now.extend(bytes(max(0, done.offset - len(file.now))))
        del file.now[done.offset :]
        file.written = {page for page in file.written if page * _PAGE < done.offset}

    def _sync(self, done: Done) -> None:
        found = self._by_inode[done.inode]
        if isinstance(found, _File):
            found.safe = bytes(found.now)
            found.written.clear()
        else:
            found.safe = dict(found.now)

    def _rename(self, done: Done) -> None:
        self._parent(done.other).now[done.other.name] = self._parent(done.path).now.pop(done.path.name)

    def _exchange(self, done: Done) -> None:
        one, other = self._parent(done.path).now, self._parent(done.other).now
        one[done.path.name], other[done.other.name] = other[done.other.name], one[done.path.name]

    def _link(self, done: Done) -> None:
        self._parent(done.other).now[done.other.name] = self._parent(done.path).now[done.path.name]

    def _unlink(self, done: Done) -> None:
        del self._parent(done.path).now[done.path.name]

    def _mkdir(self, done: Done) -> None:
        self._by_inode[done.inode] = self._parent(done.path).now[done.path.name] = _Folder()

    def _mark(self, done: Done) -> None:
        pass

    def _file(self, done: Done) -> _File:
        found = self._by_inode[done.inode]
        assert isinstance(found, _File)
        return found

    def _parent(self, path: Path) -> _Folder:
        found: _File | _Folder = self._root
        for name in path.parent.relative_to(self.folder).parts:
            assert isinstance(found, _Folder)
            found = found.now[name]
        assert isinstance(found, _Folder)
        return found

    def left(self, cut: Cut) -> dict[str, bytes | None]:
        """What a cut leaves, by path; None is a folder."""
        return dict(_left(self._root, "", cut))

    def write(self, left: dict[str, bytes | None]) -> None:
        """Put what is left into the folder, which must be empty or not there."""
        self.folder.mkdir(exist_ok=True)
        for name, content in left.items():
            if content is None:
                (self.folder / name).mkdir()
            else:
                (self.folder / name).write_bytes(content)


def _left(found: _File | _Folder, path: str, cut: Cut) -> Iterator[tuple[str, bytes | None]]:
    if isinstance(found, _File):
        if not path.endswith(_ONLY_SHARED):
            yield path, found.left(cut)
        return
    if path:
        yield path, None
    entries = found.safe if cut is Cut.SYNCED else found.now
    for name, each in entries.items():
        yield from _left(each, f"{path}/{name}" if path else name, cut)


def read_log(content: bytes) -> Iterator[Done]:
    """What a process did, in order."""
    at = 0
    while at < len(content):
        _, path, other, data, inode, offset, name = _RECORD.unpack_from(content, at)
        at += _RECORD.size
        ends = [at + path, at + path + other, at + path + other + data]
        yield Done(
            name.rstrip(b"\0").decode(),
            Path(content[at : ends[0]].decode()),
            Path(content[ends[0] : ends[1]].decode()),
            inode,
            offset,
            content[ends[1] : ends[2]],
        )
        at = ends[2]
