"""Read and atomically replace a file that has a block of ours, and keep what is not ours byte for byte.

The block stands between two comments; the first of them names the digest of what we wrote between them, so a block that
does not fit its own digest was edited by hand.  Marks count only on lines of their own and outside fenced code.  Line
ends are those of the file.
"""

import os
import re
import stat
from collections.abc import Iterator
from contextlib import contextmanager
from functools import lru_cache
from pathlib import Path
from typing import NamedTuple

from noctuary.digests import digest
from noctuary.errors import PageEdited, StoreBusy, StoreError, StoreReadOnly
from noctuary.files import make_private_folder, open_private, sync_folder, translated, write_all
from noctuary.locks import lock_file

BACKUPS = ".backups"
_MARK = "<!-- noctuary:"
_MARKING = _MARK.encode()
_LAST_LINE = b"<!-- noctuary:end -->\n"
_BEGIN = re.compile(rb" {0,3}<!-- noctuary:begin(?: ([0-9a-f]{1,64}))? -->[ \t]*")
_END = re.compile(rb" {0,3}<!-- noctuary:end -->[ \t]*")
_FENCE = re.compile(rb" {0,3}(?:(`{3,})[^`]*|(~{3,}).*)")
_OURS = re.compile(rb"\[m-[\w.:-]+\]\s*$")  # the end of a line that we wrote
_BOM = b"\xef\xbb\xbf"
_DIGEST_BYTES = 8
_MOST_TRIED = 400  # lines behind a begin whose end is gone
_ATTEMPTS = 5  # at a file that somebody else is writing to
Inside = str | bytes  # a block; in bytes as it stands in a file


class Page(NamedTuple):
    """A file as it was read: our block, and what stands before and after it."""

    before: bytes = b""
    block: str | None = None  # None: there is none
    digest: str = ""  # of what we wrote, as the block says
    is_edited: bool = False
    after: bytes = b""
    is_whole: bool = True  # its end is where we put it
    content: bytes | None = None  # all of it; None: there is no file

    @property
    def outside(self) -> bytes:
        """All that is not ours."""
        return self.before + self.after

    @property
    def is_ours_alone(self) -> bool:
        """Whether nobody would miss the file if the block went."""
        return not self.outside.removeprefix(_BOM).strip()


class _Block(NamedTuple):
    """Where a block stands, in lines: its marks are at `start` and before `stop`."""

    start: int
    stop: int
    text: str
    digest: str
    is_whole: bool

    @property
    def is_edited(self) -> bool:
        return block_digest(self.text) != self.digest


def block_digest(block: Inside) -> str:
    """The digest that the mark of a block names; ends of lines and what is empty around it do not matter."""
    return _digest_of(block_bytes(block))


def block_bytes(block: Inside) -> bytes:
    """A block as it stands in a file, but for the ends of its lines."""
    return block if isinstance(block, bytes) else _encoded(block)


@lru_cache(maxsize=16)  # what is written is read again by the next dream
def _digest_of(block: bytes) -> str:
    return digest(block, size=_DIGEST_BYTES).hex()


@lru_cache(maxsize=4)  # what its digest was made of is written a moment later
def _encoded(text: str) -> bytes:
    return _normal(text).encode("utf-8", "replace")


def read_page(path: Path) -> Page:
    """The file, or an empty page if there is none; StoreError if something else stands in its place."""
    with translated(path):
        return page_of(_content(path))


@lru_cache(maxsize=8)  # a file is read again before it is written
def page_of(content: bytes | None) -> Page:
    """The parts of a file's content.

    Of several blocks the first that was edited is the one; others that nobody edited are left out, as they hold nothing
    that is not ours.
    """
    if content is None:
        return Page()
    if page := _as_written(content):
        return page
    lines = content.splitlines(keepends=True)
    blocks = list(_blocks(lines))
    if not blocks:
        return Page(before=content, content=content)
    chosen = next((block for block in blocks if block.is_edited), blocks[0])
    copies = [block for block in blocks if block is not chosen and block.is_whole and not block.is_edited]
    left_out = {number for copy in copies for number in range(copy.start, copy.stop)}
    before = b"".join(line for number, line in enumerate(lines[: chosen.start]) if number not in left_out)
    rest = enumerate(lines[chosen.stop :], chosen.stop)
    after = b"".join(line for number, line in rest if number not in left_out)
    if lines[0].startswith(_BOM) and chosen.start == 0:
        before = _BOM + before
    return Page(before, chosen.text, chosen.digest, chosen.is_edited, after, chosen.is_whole, content)


def _as_written(content: bytes) -> Page | None:
    """A file that holds our block, as its digest says, and nothing else, as most do; None if it is not so."""
    first, _, rest = content.partition(b"\n")
    begin = _BEGIN.fullmatch(first)
    inside = rest.removesuffix(_LAST_LINE)
    if begin is None or inside == rest or not inside.endswith(b"\n"):
        return None
    named = (begin[1] or b"").decode()
    if _digest_of(inside[:-1]) != named:
        return None
    return Page(b"", inside[:-1].decode("utf-8", "replace"), named, content=content)


def assembled(page: Page, block: Inside) -> bytes:
    """The content of the file with this block in the place of its own; else at its end, or its top if that is code."""
    end = b"\r\n" if _ends_with_return(page.outside) else b"\n"
    inside = block_bytes(block)
    body = inside + b"\n" if inside else b""
    marked = f"{_MARK}begin {_digest_of(inside)} -->\n".encode() + body + _LAST_LINE
    marked = marked if end == b"\n" else marked.replace(b"\n", end)
    before, after = page.before, page.after
    if page.block is None and before.removeprefix(_BOM):
        if _ends_in_code(before):
            top = _BOM if before.startswith(_BOM) else b""
            before, after = top, end + before.removeprefix(_BOM)
        else:
            before += (b"" if before.endswith(b"\n") else end) + (end if before.strip() else b"")
    return before + marked + after


def write_page(
    path: Path, block: Inside, page: Page, *, keep_backups: int, backups: Path | None = None, is_synced: bool = True
) -> bool:
    """Put the block into the file; False, and nothing touched, if it is there already.

    What was written outside the block since the page was read is kept; PageEdited if the block itself was edited since.
    The old file is kept in `backups`, by default a folder beside it; of these the last few stay.  Unless it
    `is_synced`, whoever writes many files sees to it that the folder is on the disk.
    """
    folder = backups or path.parent / BACKUPS
    with translated(path):
        if page.content is not None and assembled(page, block) == page.content == _content(path):
            return False
        if not path.is_symlink():  # where a link leads is not ours to make
            make_private_folder(path.parent)
        with _only_writer(folder):
            for _ in range(_ATTEMPTS):
                now = _unedited(path, page)
                content = assembled(now, block)
                if content == now.content:
                    return False
                _check_is_writable(path, now)
                _back_up(path, now.content, keep_backups, folder)
                if _is_replaced(path, content, now.content, is_synced=is_synced):
                    return True
    raise StoreBusy(f"Somebody else keeps writing to {path}; it was not touched.")


def remove_page(path: Path, page: Page, *, keep_backups: int) -> bool:
    """Take away a file that holds nothing but our block; False if there is none, or if it holds more."""
    if page.content is None or not page.is_ours_alone:
        return False
    folder = path.parent / BACKUPS
    with translated(path), _only_writer(folder):
        for _ in range(_ATTEMPTS):
            now = _unedited(path, page)
            if now.content is None or not now.is_ours_alone:
                return False
            _check_is_writable(path, now)
            _back_up(path, now.content, keep_backups, folder)
            if _content(path) == now.content:
                path.unlink()
                sync_folder(path.parent)
                return True
    raise StoreBusy(f"Somebody else keeps writing to {path}; it was not touched.")


def _unedited(path: Path, page: Page) -> Page:
    """The page as it is now; PageEdited if somebody has edited its block since it was read, which we did not."""
    content = _content(path)
    now = page if content == page.content else page_of(content)
    if now.is_edited and now.block is not None and (now.block, now.digest) != (page.block, page.digest):
        raise PageEdited(f"{path} was edited this moment; the next dream takes the edit in.")
    return now


def _check_is_writable(path: Path, page: Page) -> None:
    """Raise StoreReadOnly if somebody made the file read-only, though to replace it would be possible."""
    if page.content is not None and not path.stat().st_mode & stat.S_IWUSR:
        raise StoreReadOnly(f"{path} is read-only; make it writable, or take it away to have it written anew.")


def _normal(text: str) -> str:
    """The text of a block: lines without spaces at their end, no empty ones around, no marks within."""
    plain = text.replace("\r\n", "\n").replace("\r", "\n").replace(_MARK, f"&lt;{_MARK[1:]}")
    return "\n".join([line.rstrip() for line in plain.split("\n")]).strip("\n")


def _blocks(lines: list[bytes]) -> Iterator[_Block]:
    """The blocks outside fenced code; code that is never closed is none."""
    at = 0
    unclosed: dict[bytes, int] = {}  # the sign of a fence, and the least length that is not closed
    while at < len(lines):
        line = _bare(lines[at], is_first=at == 0)
        if begin := _BEGIN.fullmatch(line):
            block = _block(lines, at, (begin[1] or b"").decode())
            yield block
            at = block.stop
        else:
            at = _closing(lines, at, line, unclosed) + 1


def _bare(line: bytes, *, is_first: bool = False) -> bytes:
    return (line.removeprefix(_BOM) if is_first else line).rstrip(b"\r\n")


def _block(lines: list[bytes], start: int, named: str) -> _Block:
    for at in range(start + 1, len(lines)):
        if _MARKING not in lines[at]:
            continue
        line = _bare(lines[at])
        if _END.fullmatch(line):
            return _Block(start, at + 1, _text(lines[start + 1 : at]), named, is_whole=True)
        if _BEGIN.fullmatch(line):
            return _unended(lines[:at], start, named)
    return _unended(lines, start, named)


def _unended(lines: list[bytes], start: int, named: str) -> _Block:
    """A block whose end is gone: up to where it fits its digest, else up to the last line that we wrote."""
    rest = lines[start + 1 : start + 1 + _MOST_TRIED]
    last = 0
    for count in range(len(rest) + 1):
        if block_digest(text := _text(rest[:count])) == named:
            return _Block(start, start + 1 + count, text, named, is_whole=False)
        if count and _OURS.search(rest[count - 1]):
            last = count
    return _Block(start, start + 1 + last, _text(rest[:last]), named, is_whole=False)


def _text(lines: list[bytes]) -> str:
    return _normal(b"".join(lines).decode("utf-8", "replace"))


def _closing(lines: list[bytes], at: int, line: bytes, unclosed: dict[bytes, int]) -> int:
    """The line that closes the code which begins here; the same line if none begins, or if it is never closed."""
    fence = _fence(line)
    sign, length = fence[:1], len(fence)
    if not fence or length >= unclosed.get(sign, 1 << 30):
        return at
    for number in range(at + 1, len(lines)):
        bare = _bare(lines[number])
        if (found := _fence(bare)) and found[:1] == sign and len(found) >= length and bare.strip() == found:
            return number
    unclosed[sign] = min(length, unclosed.get(sign, length))
    return at


def _fence(line: bytes) -> bytes:
    found = _FENCE.fullmatch(line)
    return (found[1] or found[2]) if found else b""


def _ends_in_code(content: bytes) -> bool:
    """Whether what is added behind it may be taken for code: a fence is not closed."""
    fence = b""
    for line in map(_bare, content.splitlines()):
        found = _fence(line)
        if not fence:
            fence = found
        elif found[:1] == fence[:1] and len(found) >= len(fence) and line.strip() == found:
            fence = b""
    return bool(fence)


def _ends_with_return(content: bytes) -> bool:
    first = content.find(b"\n")
    return first > 0 and content[first - 1 : first] == b"\r"


def _content(path: Path) -> bytes | None:
    """What the file holds, through links; None if there is none.  Pipes and devices are not waited for."""
    try:
        if not stat.S_ISREG(path.stat().st_mode):
            what = "a folder" if path.is_dir() else "no ordinary file"
            raise StoreError(f"{path} is {what}; a page is to be written there. Move it away.")
        with path.open("rb", buffering=0) as file:
            return file.readall()
    except FileNotFoundError:
        return None


@contextmanager
def _only_writer(folder: Path) -> Iterator[None]:
    make_private_folder(folder)
    lock = open_private(folder / ".lock", os.O_RDWR | os.O_CREAT)
    try:
        lock_file(lock)
        yield
    finally:
        os.close(lock)


def _back_up(path: Path, content: bytes | None, keep: int, folder: Path) -> None:
    """Keep the content under the next number; only the last few are kept."""
    if content is None or keep <= 0:
        return
    name = path.name
    numbers = sorted(_numbered(folder, name))
    if not numbers or not _holds(folder / f"{name}.{numbers[-1]:06}", content):
        numbers.append(numbers[-1] + 1 if numbers else 1)
        copy = folder / f"{name}.{numbers[-1]:06}"
        if not _is_linked(path, copy):
            _write_new(copy, content, 0o600)
    for number in numbers[:-keep]:
        (folder / f"{name}.{number:06}").unlink(missing_ok=True)


def _holds(path: Path, content: bytes) -> bool:
    return path.stat().st_size == len(content) and path.read_bytes() == content


def _is_linked(path: Path, copy: Path) -> bool:
    """Keep a file that is about to be replaced under another name, too, which needs no writing; if it is ours alone."""
    status = path.lstat()
    is_private = stat.S_ISREG(status.st_mode) and stat.S_IMODE(status.st_mode) == 0o600
    if not is_private or status.st_nlink != 1:  # a copy has the mode of its file, and changes with it
        return False
    try:
        os.link(path, copy)
    except (OSError, NotImplementedError):  # on another disk, or on one without links
        return False
    return True


def _numbered(folder: Path, name: str) -> Iterator[int]:
    beginning = f"{name}."
    with os.scandir(folder) as entries:
        for each in entries:
            number = each.name.removeprefix(beginning)
            if each.name != number and number.isascii() and number.isdigit() and each.is_file():
                yield int(number)


def _is_replaced(path: Path, content: bytes, old: bytes | None, *, is_synced: bool) -> bool:
    """Put the new content where the path leads; False if there is something else by now than the old."""
    target = Path(os.path.realpath(path)) if path.is_symlink() else path
    mode = stat.S_IMODE(target.stat().st_mode) if old is not None else 0o600
    partial = target.with_name(f".{target.name}.noctuary")
    is_replaced = False
    try:
        _write_new(partial, content, mode)
        if _content(path) != old:
            return False
        partial.replace(target)
        is_replaced = True
    finally:
        if not is_replaced:
            partial.unlink(missing_ok=True)
    if is_synced:
        sync_folder(target.parent)
    return True


def _write_new(path: Path, content: bytes, mode: int) -> None:
    try:
        file = open_private(path, os.O_WRONLY | os.O_CREAT | os.O_EXCL)
    except FileExistsError:  # what a killed run left, or a link that somebody put there
        path.unlink(missing_ok=True)
        file = open_private(path, os.O_WRONLY | os.O_CREAT | os.O_EXCL)
    try:
        if hasattr(os, "fchmod") and mode != 0o600:
            os.fchmod(file, mode)
        write_all(file, content)
    finally:
        os.close(file)
