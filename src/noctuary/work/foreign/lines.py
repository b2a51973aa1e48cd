"""What every file of others needs: lines as objects, ids that are the same each time, and words for our tables."""

import json
from collections.abc import Iterable, Iterator, Mapping
from typing import Any, NamedTuple

from noctuary.authored import Event
from noctuary.digests import digest
from noctuary.errors import BadEvent, BadInput
from noctuary.ids import ALPHABET, ULID_LENGTH
from noctuary.journal.lines import moment
from noctuary.work.exchange import SetAside, as_line, goes_too_deep, whole
from noctuary.work.wording import headline_of, title_of

_CHANCE = 80
_LATEST_MS = 253_402_300_799_999  # the last millisecond of the year 9999


class Found(NamedTuple):
    """A line that is an object."""

    number: int
    line: str
    record: dict[str, Any]


class Read(NamedTuple):
    """What a file of others comes to: events of ours, lines that are none, and what was read not quite as it stands."""

    events: list[Event]
    bad: list[SetAside]
    notes: list[SetAside]


def objects_in(lines: Iterable[str | bytes], bad: list[SetAside]) -> Iterator[Found]:
    """The lines that are objects; the others are set aside."""
    for number, line in enumerate(map(as_line, lines), start=1):
        if line.strip():
            try:
                yield Found(number, line, _object(line))
            except BadEvent as error:
                bad.append(SetAside(number, str(error), line))


def derived_ulid(moment_ms: int, *parts: str) -> str:
    """The ULID of something that has none: of its time, and otherwise of what it is."""
    number = int.from_bytes(digest("\0".join(parts).encode(), size=_CHANCE // 8), "big")
    number |= min(max(moment_ms, 0), _LATEST_MS) << _CHANCE
    return "".join(ALPHABET[number >> 5 * place & 31] for place in reversed(range(ULID_LENGTH)))


def time_in(record: Mapping[str, Any], key: str) -> int | None:
    """A time that the record tells; None if it tells none, or one that cannot be read."""
    value = record.get(key)
    try:
        return moment(value) if isinstance(value, str) and value else None
    except BadEvent:
        return None


def text_in(record: Mapping[str, Any], key: str) -> str:
    """A text that the record has; empty if it has none."""
    value = record.get(key)
    return value if isinstance(value, str) else ""


def title_from(title: str, *texts: str) -> str:
    """The title on one line, or else one made from the first of the texts that says anything."""
    for make, text in ((title_of, title), *((headline_of, each) for each in (title, *texts))):
        try:
            return make(text)
        except BadInput:
            continue
    return "(untitled)"


def closes_circle(above: Mapping[str, Iterable[str]], start: str, end: str) -> bool:
    """Whether a way leads from the end back to the start, so that an edge between them would close a circle."""
    seen, pending = {end}, [end]
    while pending:
        name = pending.pop()
        if name == start:
            return True
        fresh = set(above.get(name, ())) - seen
        seen |= fresh
        pending += fresh
    return False


def _object(line: str) -> dict[str, Any]:
    try:
        record = json.loads(whole(line), parse_constant=_refuse)
        json.dumps(record, ensure_ascii=False).encode()  # JSON can spell half a character, which no database can hold
    except UnicodeEncodeError:
        raise BadEvent("it has half a character") from None
    except (ValueError, RecursionError) as error:
        raise BadEvent(f"it is no JSON: {error}") from None
    if not isinstance(record, dict):
        raise BadEvent("it is JSON, but no object")
    if goes_too_deep(record):
        raise BadEvent("its lists and objects stand too deep in each other")
    return record


def _refuse(constant: str) -> None:
    raise ValueError(f"{constant} is no number")
