"""A brief as a file: what a session in one folder is told at its start, ready before anybody asks.

A hook that prints it must not load a database.  So whoever changes the memory leaves the brief of a folder in
`briefs/`, with the files that it was made from: as long as these are what they were, the brief is true.  This module
loads next to nothing, because hooks use it.

    noctuary-brief 1 <made, in milliseconds> <count of the files it depends on>
    <size> <time of change, in nanoseconds> <path>        `- -` where there was no such file
    <the text>

Beside it lies what can be recalled for a prompt, if somebody wants that (`bearing.py`).
"""

import os

try:
    from _blake2 import blake2b
except ImportError:  # a Python that is built in another way
    from hashlib import blake2b  # loads OpenSSL, which takes longer than all the rest

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Iterable

FOLDER = "briefs"
_MARK = "noctuary-brief 1 "
_MOST = 200_000  # bytes: nothing of ours is longer
_AT_ONCE = getattr(os, "O_NONBLOCK", 0) | getattr(os, "O_BINARY", 0)


class BriefFile:
    """A brief that was read from its file."""

    __slots__ = ("is_fresh", "made_ms", "text")

    def __init__(self, text: str, made_ms: int, *, is_fresh: bool) -> None:
        self.text = text
        self.made_ms = made_ms
        self.is_fresh = is_fresh  # what it was made from is as it was


def path_of(home: str, owner: str, folder: str) -> str:
    """Where the brief for a folder lies; `owner` is empty if the hook was not told whose memory it serves."""
    name = blake2b(f"{owner}\0{folder}".encode("utf-8", "surrogatepass"), digest_size=16).hexdigest()
    return f"{home}/{FOLDER}/{name}"


def recall_path_of(home: str, owner: str, folder: str) -> str:
    """Where the file lies that prompts in a folder are held against."""
    return path_of(home, owner, folder) + ".recall"


def stamp(path: str) -> str:
    """What tells whether a file has changed."""
    try:
        found = os.stat(path)  # noqa: PTH116 (pathlib alone would cost more than a hook may)
    except (OSError, ValueError):  # a path that no file can have
        return "- -"
    return f"{found.st_size} {found.st_mtime_ns}"


def written(text: str, made_ms: int, depends_on: "Iterable[tuple[str, str]]") -> bytes:
    """The content of a file: the text, and paths with the stamps that they had *before* the text was made."""
    lines = [f"{mark} {path}" for path, mark in depends_on if "\n" not in path]
    head = f"{_MARK}{made_ms} {len(lines)}"
    return "\n".join([head, *lines, text]).encode("utf-8", "replace")


def read(path: str) -> BriefFile | None:
    """The brief in a file; None if there is none, or it is none of ours."""
    return parsed(content_of(path).decode("utf-8", "replace"))


def content_of(path: str, most: int = _MOST) -> bytes:
    """The beginning of a file; empty if there is none, or it is something else: whoever reads a pipe would wait."""
    try:
        handle = os.open(path, os.O_RDONLY | _AT_ONCE)
    except (OSError, ValueError):
        return b""
    try:
        is_file = os.fstat(handle).st_mode & 0o170000 == 0o100000
        return _beginning(handle, most) if is_file else b""
    except OSError:
        return b""
    finally:
        os.close(handle)


def _beginning(handle: int, most: int) -> bytes:
    pieces = []
    while most > 0 and (piece := os.read(handle, most)):
        pieces.append(piece)
        most -= len(piece)
    return b"".join(pieces)


def parsed(content: str) -> BriefFile | None:
    """The brief that this is the content of; None if it is none of ours."""
    head, _, rest = content.partition("\n")
    numbers = head.removeprefix(_MARK).split(" ")
    if not head.startswith(_MARK) or len(numbers) != 2 or not all(map(_is_number, numbers)):
        return None
    count = int(numbers[1])
    *lines, text = rest.split("\n", count) if count <= len(rest) else [rest]
    if len(lines) != count:
        return None
    is_fresh = all(_is_as_it_was(line) for line in lines)
    return BriefFile(text, int(numbers[0]), is_fresh=is_fresh)


def _is_number(text: str) -> bool:
    return len(text) < 20 and text.isascii() and text.isdigit()


def _is_as_it_was(line: str) -> bool:
    size, _, rest = line.partition(" ")
    changed, _, path = rest.partition(" ")
    return bool(path) and stamp(path) == f"{size} {changed}"
