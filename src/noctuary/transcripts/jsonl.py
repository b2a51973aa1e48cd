"""Read a file of JSON lines as a stream, and tell what is wrong with a line instead of failing.

No byte sequence raises anything here: a line that is broken, too long or too deep comes back with its
problem in words.  Only a piece of the file is held at a time, and never more than `LONGEST` bytes of one line.
"""

import json
import os
import re
from collections.abc import Callable, Iterable, Iterator
from pathlib import Path
from typing import Any, BinaryIO, NamedTuple, Protocol

from noctuary.transcripts.finding import open_file
from noctuary.transcripts.items import Item, Mark, Place, Skipped, State

LONGEST = 64 * 1024 * 1024  # bytes of one line; beyond this it is not a conversation
MARK_LINES = 256
MARK_BYTES = 4 * 1024 * 1024

_CHUNK = 256 * 1024
_BLANK = " \t\n\r"
_scan: Callable[[str, int], tuple[Any, int]] = vars(json.JSONDecoder())["scan_once"]  # what json.loads calls in the end
_BOM = b"\xef\xbb\xbf"
_ESCAPES = re.compile(r"\\u(?:[dD][89a-fA-F]|0000)")
_UNWANTED = re.compile("[\x00\ud800-\udfff]")  # NUL ends strings in some databases, a lone half is no text

Record = dict[str, Any]


class Line(NamedTuple):
    """One physical line: the record it holds, or the problem with it; neither if it is blank."""

    number: int  # from 1
    start: int
    end: int
    record: Record | None
    problem: str | None
    complete: bool  # ends in a newline, so nobody is still writing it


class Reader(Protocol):
    """Turns the records of one file into items, and can say what it must remember to go on later."""

    def take(self, record: Record, number: int) -> Iterable[Item]:
        """The items of one record."""
        ...

    def state(self) -> State:
        """Plain JSON, of bounded size, from which another reader of the same file can go on."""
        ...


def read_items(path: Path, place: Place, reader: Reader) -> Iterator[Item]:
    """Yield the file's items from the place on, with a Mark now and then and one at the end.

    A last line without a newline may still be being written: its items are yielded if it can be parsed,
    but no Mark passes it, so the next reading meets it again.
    """
    with open_file(path) as file:
        marked = Place(offset=place.offset, line=place.line, state=place.state)
        reached, number = place.offset, place.line
        for line_number, _, end, record, problem, complete in read_lines(file, place):
            if not complete:
                marked = Place(offset=reached, line=number, state=reader.state())
                if record is not None:
                    yield from reader.take(record, line_number)
                yield Mark(place=marked)
                return
            if record is not None:
                yield from reader.take(record, line_number)
            elif problem is not None:
                yield Skipped(line=line_number, reason=problem)
            reached, number = end, line_number
            if number - marked.line >= MARK_LINES or reached - marked.offset >= MARK_BYTES:
                marked = Place(offset=reached, line=number, state=reader.state())
                yield Mark(place=marked)
        yield Mark(place=Place(offset=reached, line=number, state=reader.state()))


def read_lines(file: BinaryIO, place: Place, *, longest: int = LONGEST) -> Iterator[Line]:
    """Every line from the place on, the unfinished last one included."""
    file.seek(place.offset)
    start, number = place.offset, place.line
    while chunk := file.read(min(_CHUNK, longest)):
        whole = chunk.rfind(b"\n") + 1
        if whole:
            for line in _whole_lines(chunk[:whole], start, number):
                yield line
        else:
            file.seek(start)
            line = _long_line(file, start, number, longest)
            yield line
        if line.end != start + len(chunk):
            file.seek(line.end)
        start, number = line.end, line.number


def _whole_lines(chunk: bytes, start: int, number: int) -> Iterator[Line]:
    """The lines of a chunk that ends with one."""
    is_escaped = b"\\u" in chunk
    here, size = 0, len(chunk)
    while here < size:
        number += 1
        end = chunk.find(b"\n", here) + 1
        raw = chunk[here : end - 1]
        record, problem = None if is_escaped else _plain_record(raw), None
        if record is None:
            record, problem = parse_line(raw.removeprefix(_BOM) if start + here == 0 else raw)
        yield Line(number, start + here, start + end, record, problem, True)
        here = end


def _plain_record(raw: bytes) -> Record | None:
    """The record that is the whole line, if it is nothing else; most lines are."""
    try:
        text = raw.decode()
        value, end = _scan(text, 0)
    except (StopIteration, ValueError, RecursionError):
        return None
    return value if end == len(text) and type(value) is dict else None


def _long_line(file: BinaryIO, start: int, number: int, longest: int) -> Line:
    """The line that begins here and does not end in its chunk: a long one, or the last."""
    raw = file.readline(longest)
    end, complete = start + len(raw), raw.endswith(b"\n")
    if not complete and len(raw) >= longest:
        rest, complete = _skip_rest(file)
        return Line(number + 1, start, end + rest, None, f"longer than {longest} bytes", complete)
    record, problem = parse_line(raw.removeprefix(_BOM) if start == 0 else raw)
    return Line(number + 1, start, end, record, problem, complete)


def parse_line(raw: bytes) -> tuple[Record | None, str | None]:
    """The record in a line or the problem with it; a blank line has neither."""
    try:
        value = load_clean(raw.decode("utf-8", "replace"))
    except ValueError:  # malformed, or a number of more digits than Python converts
        return None, "not valid JSON" if raw.strip() else None
    except RecursionError:
        return None, "nested too deeply"
    if type(value) is not dict:
        return None, "not a JSON object"
    return value, None


def load_clean(text: str) -> Any:
    """The value in a string of JSON, without the characters that are no text; ValueError, RecursionError."""
    start = 0 if text[:1] == "{" else len(text) - len(text.lstrip(_BLANK))
    try:
        value, end = _scan(text, start)
    except StopIteration:
        raise ValueError("no value") from None
    if end != len(text) and text[end:].strip(_BLANK):  # to strip all of a large document would copy it
        raise ValueError("more than one value")
    # Rare, so most lines are not walked; and the plain test is far cheaper than the pattern.
    return _clean(value) if "\\u" in text and _ESCAPES.search(text) else value


def scan_clean(text: str, start: int, *, may_be_escaped: bool = True) -> tuple[Any, int]:
    """The value that begins at a place in a text, and where it ends; StopIteration, ValueError, RecursionError."""
    value, end = _scan(text, start)
    is_unclean = may_be_escaped and text.find("\\u", start, end) >= 0 and _ESCAPES.search(text, start, end)
    return (_clean(value) if is_unclean else value), end


def _skip_rest(file: BinaryIO) -> tuple[int, bool]:
    skipped = 0
    while chunk := file.read(_CHUNK):
        end = chunk.find(b"\n") + 1
        if end:
            file.seek(end - len(chunk), os.SEEK_CUR)
            return skipped + end, True
        skipped += len(chunk)
    return skipped, False


def _clean(value: Any) -> Any:
    if isinstance(value, str):
        return _UNWANTED.sub("\ufffd", value)
    if isinstance(value, list):
        return [_clean(part) for part in value]
    if isinstance(value, dict):
        return {_clean(key): _clean(part) for key, part in value.items()}
    return value
