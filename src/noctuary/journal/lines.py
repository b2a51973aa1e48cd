"""An event as a line of JSON, and back.

    {"event_id":"01J…","schema_version":1,"prev":"…","owner":"ana","project":"…","node":"t-…","type":"decision",
     "timestamp":"2026-06-08T10:00:00.000Z","recorded_at":"…","author":"agent","source":"cli","text":"…", …}

Keys come in a fixed order and what is empty is left out, so the same event is always the same line.  `prev` is the
digest of the line before it in the same file and no part of the event: merged into another journal, it gets another.
Whatever `parse_line` lets pass can be decoded and stored in a database, but for its time, which `moment` reads.
"""

import json
from collections.abc import Callable, Iterable, Mapping
from datetime import UTC, datetime
from functools import lru_cache
from math import isfinite
from typing import Any

from noctuary.authored import Author, Event, EventSource, EventStatus, EventType, MessageRef, Refs, Strength, Trust
from noctuary.digests import digest
from noctuary.errors import BadEvent, JournalTooNew
from noctuary.ids import is_ulid

SCHEMA_VERSION = 1
DIGEST_BYTES = 16
FIRST_KEY = b'{"event_id":"'  # with which each line that we write begins
Record = dict[str, Any]
_LATEST_MS = 253_402_300_799_999  # the last millisecond of the year 9999
_GREATEST = (1 << 62) - 1
_NO_REFS = Refs()
_STAMP_LENGTH, _SECONDS_LENGTH = 24, 19
_ID_KEY, _TEXT_KEY = FIRST_KEY.decode(), ',"text":"'  # within a text there is a stroke before each quote
_DECODER = json.JSONDecoder()
_ENCODER = json.JSONEncoder(ensure_ascii=False, allow_nan=False, check_circular=False, separators=(",", ":"))


def _writer() -> Callable[[Record, int], Iterable[str]]:
    """What `_ENCODER` makes anew for each record, which takes as long as to write a short one; made once."""
    make = getattr(json.encoder, "c_make_encoder", None)
    if make is None:  # not every Python has it
        return lambda record, _: _ENCODER.iterencode(record)
    quoted = json.encoder.encode_basestring
    made: Callable[[Record, int], Iterable[str]] = make(
        None, _ENCODER.default, quoted, None, ":", ",", _ENCODER.sort_keys, _ENCODER.skipkeys, _ENCODER.allow_nan
    )
    return made


_write = _writer()


def encode(event: Event, prev: str) -> bytes:
    """The line of the event, with its end; BadEvent if it cannot be written down."""
    return encode_with_record(event, prev)[0]


def encode_with_record(event: Event, prev: str) -> tuple[bytes, Record]:
    """The line, and the record that `parse_line` would make of it but for what `check_record` refuses.

    Only of an event whose `meta` and `change` are made of nothing but what JSON has.
    """
    record = {"event_id": event.id, "schema_version": SCHEMA_VERSION, "prev": prev, **_fields(event)}
    try:
        return "".join(_write(record, 0)).encode() + b"\n", record
    except (TypeError, ValueError, RecursionError) as error:
        raise BadEvent(f"The event cannot be written down: {error}.") from None


def line_digest(line: bytes) -> str:
    """What the next line says of this one; a line's end is no part of it."""
    return digest(line.rstrip(b"\r\n"), size=DIGEST_BYTES).hex()


def as_text(line: bytes) -> str:
    """The line as text; BadEvent if it is none."""
    try:
        return line.decode()
    except UnicodeDecodeError:
        raise BadEvent("it is no text in UTF-8") from None


def parse_line(line: bytes | str) -> Record:
    """The record of a line; BadEvent says what is wrong with it, JournalTooNew that we are too old for it."""
    text = line if isinstance(line, str) else as_text(line)
    try:
        record, end = _scan(text, 0)
    except (ValueError, RecursionError, StopIteration) as error:
        raise BadEvent(f"it is no JSON: {error}") from None
    if type(record) is not dict or (end != len(text) and text[end:].strip()):
        raise BadEvent("it is JSON, but not one object")
    version = record.get("schema_version")
    if version != SCHEMA_VERSION or type(version) is not int:
        _refuse_version(version)
    if "\\" in text and "\\ud" in text.lower():
        _refuse_half_characters(record)
    check_record(record)
    return record


def decode(record: Mapping[str, Any]) -> Event:
    """The event of a record that `parse_line` let pass."""
    strength, refs = record.get("evidence_strength"), record.get("refs")
    return Event(
        type=EventType(record["type"]),
        text=record.get("text", ""),
        id=record["event_id"],
        owner=record.get("owner", ""),
        project=record.get("project", ""),
        node=record.get("node") or None,
        ts_ms=moment(record["timestamp"]),
        recorded_ms=moment(record.get("recorded_at", record["timestamp"])),
        author=Author(record.get("author", "user")),
        source=EventSource(record.get("source", "api")),
        session=record.get("session") or None,
        confidence=record.get("confidence"),
        strength=Strength(strength) if strength else None,
        refs=_refs(refs) if refs else Refs(),
        corrects=record.get("corrects") or None,
        supersedes=record.get("supersedes") or None,
        status=EventStatus(record.get("status", "confirmed")),
        trust=Trust(record.get("trust", "user")),
        meta=record.get("meta", {}),
        change=record.get("change", {}),
    )


@lru_cache(maxsize=1_024)  # sessions of one dream meet the same events
def said_in_line(line: str) -> tuple[str, str]:
    """The id of an event and its text; of a line that we wrote no more is read than these."""
    at, start = line.find(_TEXT_KEY), len(_ID_KEY)
    if 0 < at < line.find("{", 1) and line.startswith(_ID_KEY):  # it stands before all that is nested
        return line[start : line.index('"', start)], _DECODER.raw_decode(line, at + len(_TEXT_KEY) - 1)[0]
    record = json.loads(line)
    return record["event_id"], str(record.get("text", ""))


def trust_in_line(line: str) -> Trust:
    """How far an event is trusted, of which only that is asked."""
    return Trust(json.loads(line).get("trust") or "user")


def stamp(ts_ms: int) -> str:
    """A time as 2026-06-08T10:00:00.000Z."""
    seconds, milliseconds = divmod(min(max(ts_ms, 0), _LATEST_MS), 1000)
    return f"{_second(seconds)}.{milliseconds:03d}Z"


@lru_cache(maxsize=256)
def _second(seconds: int) -> str:
    return datetime.fromtimestamp(seconds, UTC).isoformat()[:_SECONDS_LENGTH]


def moment(text: str) -> int:
    """Milliseconds since 1970 of a time with its zone, none before that; BadEvent if it is no time."""
    if len(text) == _STAMP_LENGTH and text[23] == "Z" and (milliseconds := text[20:23]).isdecimal():
        return _day(text[:11]) + _time(text[11:20]) + int(milliseconds)  # as we write it
    return _moment(text)


def _moment(text: str) -> int:
    try:
        when = datetime.fromisoformat(text)
        when = when if when.tzinfo else when.replace(tzinfo=UTC)
        return max(0, round(when.timestamp() * 1000))
    except (ValueError, OverflowError):
        raise BadEvent(f"{text[:40]!r} is no time") from None


@lru_cache(maxsize=4096)
def _day(text: str) -> int:
    return _moment(f"{text}00:00:00Z")


@lru_cache(maxsize=86_400)
def _time(text: str) -> int:
    return _moment(f"1970-01-01T{text}000Z")


def _refuse(constant: str) -> None:
    raise ValueError(f"{constant} is no number")


def _finite(digits: str) -> float:
    number = float(digits)
    if not isfinite(number):
        raise ValueError(f"{digits[:20]} is too great")
    return number


_scan = json.JSONDecoder(parse_constant=_refuse, parse_float=_finite).scan_once  # type: ignore[attr-defined]
_TEXTS = frozenset({"event_id", "type", "timestamp", "recorded_at", "prev", "owner", "project", "node", "text",
                    "author", "source", "session", "corrects", "supersedes", "status", "trust"})  # fmt: skip
_RARE = frozenset({"meta", "change", "refs", "confidence", "evidence_strength"})
_TYPES = frozenset(map(str, EventType))
_AUTHORS, _SOURCES, _STATUSES, _TRUSTS, _STRENGTHS = (
    frozenset([*map(str, kind), None]) for kind in (Author, EventSource, EventStatus, Trust, Strength)
)
_CHOICES: Mapping[str, frozenset[str | None]] = {
    "type": frozenset([*_TYPES]),
    "author": _AUTHORS,
    "source": _SOURCES,
    "status": _STATUSES,
    "trust": _TRUSTS,
}


def check_record(record: Record) -> None:
    """Raise BadEvent unless every field is what it should be; what is null is as if it were not there.

    Every event ever recorded comes along here at a rebuild, so it looks at all at once and explains only what is wrong.
    """
    get = record.get
    try:
        texts = (record["timestamp"], get("recorded_at", ""), get("text", ""), get("node", ""), get("session", ""),
                 get("corrects", ""), get("supersedes", ""), get("prev", ""), get("owner", ""),
                 get("project", ""))  # fmt: skip
        "".join(texts)  # a TypeError, unless all are
        is_well = (
            get("type") in _TYPES
            and get("author") in _AUTHORS
            and get("source") in _SOURCES
            and get("status") in _STATUSES
            and get("trust") in _TRUSTS
            and is_ulid(record["event_id"])
        )
    except (TypeError, KeyError):
        is_well = False
    if not is_well:
        _explain(record)
    if record["timestamp"] != get("recorded_at", record["timestamp"]):
        moment(record["recorded_at"])
    if not _RARE.isdisjoint(record):
        _check_rare(record)


def _explain(record: Record) -> None:
    """Raise BadEvent with what is wrong, unless nothing is but that there are nulls, which are taken out."""
    for key in [key for key, value in record.items() if value is None]:
        del record[key]
    for key in ("event_id", "type", "timestamp"):
        if key not in record:
            raise BadEvent(f"it has no {key}")
    for key, value in record.items():
        if key in _TEXTS and type(value) is not str:
            raise BadEvent(f"its {key} is a {type(value).__name__}")
        if key in _CHOICES and value not in _CHOICES[key]:
            raise BadEvent(f"its {key} is {value[:40]!r}")
    if not is_ulid(record["event_id"]):
        raise BadEvent(f"its event_id is {record['event_id'][:40]!r}")


def _check_rare(record: Record) -> None:
    """Check what most events do not have."""
    for key in ("meta", "change", "refs"):
        if type(record.get(key, {})) is not dict:
            raise BadEvent(f"its {key} is no object")
    strength, confidence = record.get("evidence_strength"), record.get("confidence", 1)
    if type(confidence) not in (int, float) or not 0 <= confidence <= 1:
        raise BadEvent(f"its confidence is {str(confidence)[:40]!r}")
    if strength is not None and (type(strength) is not str or strength not in _STRENGTHS):
        raise BadEvent(f"its evidence_strength is {str(strength)[:40]!r}")
    if "refs" in record:
        _check_refs(record["refs"])


def _check_refs(refs: Record) -> None:
    for key, names in refs.items():
        if type(names) is not list:
            raise BadEvent(f"its {key} are no list")
        for name in names:
            if type(name) is not str if key != "messages" else not _is_message(name):
                raise BadEvent(f"its {key} are not what they should be")


def _is_message(ref: object) -> bool:
    if type(ref) is not dict or type(ref.get("session")) is not str or type(ref.get("quote", "")) is not str:
        return False
    number, line = ref.get("id"), ref.get("line", 0)
    return type(number) is int and type(line) is int and 0 <= number < _GREATEST and 0 <= line < _GREATEST


def _refuse_version(version: object) -> None:
    if type(version) is not int or version < 1:
        raise BadEvent(f"its schema_version is {str(version)[:40]!r}")
    raise JournalTooNew(
        f"A line of the journal was written by a newer Noctuary (schema {str(version)[:40]}, this one knows "
        f"{SCHEMA_VERSION}). Nothing was changed. Upgrade with: pip install -U noctuary"
    )


def _refuse_half_characters(record: Record) -> None:
    """JSON can spell half a character, which no database can hold."""
    try:
        json.dumps(record, ensure_ascii=False).encode()
    except (UnicodeEncodeError, RecursionError):
        raise BadEvent("it has half a character") from None


def _fields(event: Event) -> Record:
    (kind, text, _, owner, project, node, ts_ms, recorded_ms, author, source, session, confidence, strength, refs,
     corrects, supersedes, status, trust, meta, change) = event  # fmt: skip
    fields = {
        "owner": owner,
        "project": project,
        "node": node,
        "type": str(kind),
        "timestamp": stamp(ts_ms),
        "recorded_at": stamp(recorded_ms),
        "author": str(author),
        "source": str(source),
        "session": session,
        "confidence": float(confidence) if isinstance(confidence, float) else confidence,
        "evidence_strength": strength and str(strength),
        "text": text,
        "refs": _refs_as_json(refs),
        "corrects": corrects,
        "supersedes": supersedes,
        "status": str(status),
        "trust": str(trust),
        "meta": meta,
        "change": change,
    }
    return {key: value for key, value in fields.items() if value or value not in (None, "", {}, [])}


def _refs_as_json(refs: Refs) -> Record:
    if refs == _NO_REFS:
        return {}
    lists = {
        "messages": [*map(_message_as_json, refs.messages)],
        "commits": refs.commits,
        "files": refs.files,
        "events": refs.events,
    }
    return {key: list(values) for key, values in lists.items() if values}


def _message_as_json(ref: MessageRef) -> Record:
    session, number, quote, line = ref
    written: Record = {"session": session} if session else {}
    written["id"] = number
    if quote:
        written["quote"] = quote
    if line is not None:
        written["line"] = line
    return written


def _refs(record: Mapping[str, Any]) -> Refs:
    return Refs(
        messages=tuple(
            MessageRef(ref["session"], ref["id"], ref.get("quote", ""), ref.get("line"))
            for ref in record.get("messages", ())
        ),
        commits=tuple(record.get("commits", ())),
        files=tuple(record.get("files", ())),
        events=tuple(record.get("events", ())),
    )
