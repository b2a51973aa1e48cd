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

_CHUNK = 64 * 1024
_BLANK = " \t\n\r"
_scan: Callable[[str, int], tuple[Any, int]] = vars(json.JSONDecoder())["scan_once"]  # what json.loads calls in the end
_BOM = b"\xef\xbb\xbf"
_ESCAPE = r"\\u(?:[dD][89a-fA-F]|0000)"  # looked for by a pattern, since `in` takes four times as long for two letters
_ESCAPES, _RAW_ESCAPES = re.compile(_ESCAPE), re.compile(_ESCAPE.encode())
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
    take = reader.take
    with open_file(path) as file:
        reached, number = place.offset, place.line
        mark_at, mark_line = reached + MARK_BYTES, number + MARK_LINES
        for line_number, _, end, record, problem, complete in read_lines(file, place):
            if not complete:
                marked = Place(offset=reached, line=number, state=reader.state())
                if record is not None:
                    yield from take(record, line_number)
                yield Mark(place=marked)
                return
            if record is not None:
                yield from take(record, line_number)
            elif problem is not None:
                yield Skipped(line=line_number, reason=problem)
            reached, number = end, line_number
            if number >= mark_line or reached >= mark_at:
                mark_at, mark_line = reached + MARK_BYTES, number + MARK_LINES
                yield Mark(place=Place(offset=reached, line=number, state=reader.state()))
        yield Mark(place=Place(offset=reached, line=number, state=reader.state()))


def read_lines(file: BinaryIO, place: Place, *, longest: int = LONGEST) -> Iterator[Line]:
    """Every line from the place on, the unfinished last one included."""
    file.seek(place.offset)
    start, number = place.offset, place.line
    while chunk := file.read(min(_CHUNK, longest)):
        *whole, rest = chunk.split(b"\n")
        if whole:
            yield from _parsed(whole, start, number, may_be_escaped=_RAW_ESCAPES.search(chunk) is not None)
            start, number = start + len(chunk) - len(rest), number + len(whole)
            if rest:
                file.seek(start)
        else:
            file.seek(start)
            line = _long_line(file, start, number, longest)
            yield line
            start, number = line.end, line.number


def _parsed(lines: list[bytes], start: int, number: int, *, may_be_escaped: bool) -> Iterator[Line]:
    """The lines that begin at a place, as records.  All is done here, since every line of every log comes by."""
    new, scan, end = tuple.__new__, _scan, start
    for raw in lines:
        number, start, end = number + 1, end, end + len(raw) + 1
        problem = None
        try:
            text = raw.decode()
            record, stop = scan(text, 0)
            is_plain = stop == len(text) and type(record) is dict
        except (StopIteration, ValueError, RecursionError):
            is_plain = False
        if not is_plain:
            record, problem = parse_line(raw.removeprefix(_BOM) if start == 0 else raw)
        elif may_be_escaped and _ESCAPES.search(text):
            record = _clean(record)
        yield new(Line, (number, start, end, record, problem, True))


def records_before(path: Path, number: int) -> Iterator[tuple[int, Record]]:
    """The records of a log before a line, with their numbers: for who has to know what was read long ago."""
    with open_file(path) as file:
        for at, _, _, record, _, _ in read_lines(file, Place()):
            if at >= number:
                return
            if record is not None:
                yield at, record


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
        value = load_clean_bytes(raw)
    except ValueError:  # malformed, or a number of more digits than Python converts
        return None, "not valid JSON" if raw.strip() else None
    except RecursionError:
        return None, "nested too deeply"
    if type(value) is not dict:
        return None, "not a JSON object"
    return value, None


def load_clean(text: str) -> Any:
    """The value in a string of JSON, without the characters that are no text; ValueError, RecursionError."""
    value = _load(text)
    return _clean(value) if _ESCAPES.search(text) else value  # rare, so most values are not walked


def load_clean_bytes(raw: bytes) -> Any:
    """The same of bytes; what is no UTF-8 in them is replaced."""
    value = _load(raw.decode("utf-8", "replace"))
    return _clean(value) if _RAW_ESCAPES.search(raw) else value  # takes half as long as to search the text


def _load(text: str) -> Any:
    start = 0 if text[:1] == "{" else len(text) - len(text.lstrip(_BLANK))
    try:
        value, end = _scan(text, start)
    except StopIteration:
        raise ValueError("no value") from None
    if end != len(text) and text[end:].strip(_BLANK):  # to strip all of a large document would copy it
        raise ValueError("more than one value")
    return value


def scan_clean(text: str, start: int) -> tuple[Any, int]:
    """The value that begins at a place in a text, and where it ends; StopIteration, ValueError, RecursionError."""
    value, end = _scan(text, start)
    return (_clean(value) if _ESCAPES.search(text, start, end) else value), end


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
