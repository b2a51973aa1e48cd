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
        whole = end if end.endswith(b"\n") else end + b"\n"  # a run that was killed may have written all but that
        dated = [f"- {day}: {line.removeprefix('- ')}\n".encode() for line in lines]
        fresh = [line for line in dated if not whole.startswith(line) and b"\n%b" % line not in whole]
        if not fresh:
            return False
        start = b"" if not end or whole is end else b"\n"
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


def _end(path: Path) -> bytes:
    try:
        with path.open("rb") as file:
            size = file.seek(0, os.SEEK_END)
            file.seek(max(0, size - _LOOKED_AT))
            return file.read()
    except FileNotFoundError:
        return b""
