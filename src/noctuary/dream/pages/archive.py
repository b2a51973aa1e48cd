"""Lines that a page has no room for any more: they go to a file beside it, so that nobody has to wonder."""

import os
from collections.abc import Callable, Sequence
from pathlib import Path

from noctuary.files import make_private_folder, open_private, sync_folder, translated, write_all

_LOOKED_AT = 64 * 1024  # bytes at the end of the archive, two pages and more: what a run that was killed wrote is there


def archive(path: Path, day: str, lines: Sequence[str]) -> bool:
    """Add lines of a page to the archive under this day; those that are there under it already are not added again."""
    with translated(path):
        end = _end(path)
        known = _of_day(end, day)
        dated = [f"- {day}: {line.removeprefix('- ')}\n".encode() for line in lines]
        fresh = [line for line in dated if b"\n%b" % line not in known]
        if not fresh:
            return False
        start = b"" if not end or end.endswith(b"\n") else b"\n"
        make_private_folder(path.parent)
        file = open_private(path, os.O_WRONLY | os.O_CREAT | os.O_APPEND)
        try:
            write_all(file, start + b"".join(fresh))
        finally:
            os.close(file)
    return True


def strike_out(path: Path, is_struck: Callable[[str], bool]) -> bool:
    """Take lines out of a file of ours, whole or not at all; whether there were any."""
    with translated(path):
        lines = path.read_bytes().splitlines(keepends=True)
        kept = [line for line in lines if not is_struck(line.decode("utf-8", "replace"))]
        if len(kept) == len(lines):
            return False
        partial = path.with_name(f".{path.name}.noctuary")
        partial.unlink(missing_ok=True)
        file = open_private(partial, os.O_WRONLY | os.O_CREAT | os.O_EXCL)
        try:
            write_all(file, b"".join(kept))
        finally:
            os.close(file)
        partial.replace(path)
        sync_folder(path.parent)
    return True


def _of_day(end: bytes, day: str) -> bytes:
    """The lines of an archive from the first of this day on: what was archived earlier need not be looked through."""
    first = b"\n%b\n" % end
    start = first.find(f"\n- {day}: ".encode())
    return first[start:] if start >= 0 else b""


def _end(path: Path) -> bytes:
    try:
        with path.open("rb") as file:
            size = file.seek(0, os.SEEK_END)
            file.seek(max(0, size - _LOOKED_AT))
            return file.read()
    except FileNotFoundError:
        return b""
