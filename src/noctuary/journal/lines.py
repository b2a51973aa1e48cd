"""An event as a line of JSON, and back.

    {"event_id":"01J…","schema_version":1,"prev":"…","owner":"ana","project":"…","node":"t-…","type":"decision",
     "timestamp":"2026-06-08T10:00:00.000Z","recorded_at":"…","author":"agent","source":"cli","text":"…", …}

Keys come in a fixed order and what is empty is left out, so the same event is always the same line.  `prev` is the
digest of the line before it in the same file and no part of the event: merged into another journal, it gets another.
"""

import json
from collections.abc import Mapping
from datetime import UTC, datetime
from functools import lru_cache
from typing import Any

from noctuary.authored import Author, Event, EventSource, EventStatus, EventType, MessageRef, Refs, Strength, Trust
from noctuary.digests import digest
from noctuary.errors import BadEvent, JournalTooNew

SCHEMA_VERSION = 1
DIGEST_BYTES = 16
_LATEST_MS = 253_402_300_799_999  # the last millisecond of the year 9999


def encode(event: Event, prev: str) -> bytes:
    """The line of the event, with its end."""
    line = json.dumps({"event_id": event.id, "schema_version": SCHEMA_VERSION, "prev": prev, **_fields(event)},
                      ensure_ascii=False, separators=(",", ":"))  # fmt: skip
    return line.encode("utf-8", "replace") + b"\n"


def line_digest(line: bytes) -> str:
    """What the next line says of this one; a line's end is no part of it."""
    return digest(line.rstrip(b"\r\n"), size=DIGEST_BYTES).hex()


def parse_line(line: bytes | str) -> dict[str, Any]:
    """The record of a line; BadEvent says what is wrong with it, JournalTooNew that we are too old for it."""
    try:
        record = json.loads(line)
    except (ValueError, RecursionError) as error:
        raise BadEvent(f"it is no JSON: {error}") from None
    if not isinstance(record, dict):
        raise BadEvent("it is JSON, but no object")
    check_version(record)
    for key in ("event_id", "type", "timestamp"):
        if not isinstance(record.get(key), str) or not record[key]:
            raise BadEvent(f"it has no {key}")
    if record["type"] not in _TYPES:
        raise BadEvent(f"{record['type']!r} is no type of event")
    return record


def check_version(record: Mapping[str, Any]) -> None:
    """Raise JournalTooNew if the record was written by a newer version; BadEvent if it has none of ours."""
    version = record.get("schema_version")
    if not isinstance(version, int) or isinstance(version, bool) or version < 1:
        raise BadEvent(f"schema_version is {version!r}")
    if version > SCHEMA_VERSION:
        raise JournalTooNew(
            f"A line of the journal was written by a newer Noctuary (schema {version}, this one knows "
            f"{SCHEMA_VERSION}). Nothing was changed. Upgrade with: pip install -U noctuary"
        )


def decode(record: Mapping[str, Any]) -> Event:
    """The event of a record; BadEvent if it is none."""
    try:
        return Event(
            type=EventType(record["type"]),
            text=str(record.get("text", "")),
            id=record["event_id"],
            owner=record.get("owner", ""),
            project=record.get("project", ""),
            node=record.get("node"),
            ts_ms=moment(record["timestamp"]),
            recorded_ms=moment(record.get("recorded_at", record["timestamp"])),
            author=Author(record.get("author", "user")),
            source=EventSource(record.get("source", "api")),
            session=record.get("session"),
            confidence=record.get("confidence"),
            strength=Strength(record["evidence_strength"]) if record.get("evidence_strength") else None,
            refs=_refs(record.get("refs") or {}),
            corrects=record.get("corrects"),
            supersedes=record.get("supersedes"),
            status=EventStatus(record.get("status", "confirmed")),
            trust=Trust(record.get("trust", "user")),
            meta=record.get("meta") or {},
            change=record.get("change") or {},
        )
    except (KeyError, ValueError, TypeError, AttributeError) as error:
        raise BadEvent(f"it is no event: {error}") from None


def stamp(ts_ms: int) -> str:
    """A time as 2026-06-08T10:00:00.000Z."""
    seconds, milliseconds = divmod(min(max(ts_ms, 0), _LATEST_MS), 1000)
    return f"{datetime.fromtimestamp(seconds, UTC):%Y-%m-%dT%H:%M:%S}.{milliseconds:03d}Z"


def moment(text: str) -> int:
    """Milliseconds since 1970 of a time with its zone; BadEvent if it is none."""
    try:
        if len(text) == 24 and text[10] == "T" and text[19] == "." and text[23] == "Z":  # as we write it, and fast
            hours, minutes, seconds = int(text[11:13]), int(text[14:16]), int(text[17:19])
            return _midnight(text[:10]) + ((hours * 60 + minutes) * 60 + seconds) * 1000 + int(text[20:23])
        when = datetime.fromisoformat(text)
    except (ValueError, TypeError, AttributeError):
        raise BadEvent(f"{text!r} is no time") from None
    when = when if when.tzinfo else when.replace(tzinfo=UTC)
    return max(0, round(when.timestamp() * 1000))


_TYPES = frozenset(EventType)


@lru_cache(maxsize=4096)
def _midnight(day: str) -> int:
    return round(datetime.fromisoformat(day).replace(tzinfo=UTC).timestamp() * 1000)


def _fields(event: Event) -> dict[str, Any]:
    fields = {
        "owner": event.owner,
        "project": event.project,
        "node": event.node,
        "type": event.type,
        "timestamp": stamp(event.ts_ms),
        "recorded_at": stamp(event.recorded_ms),
        "author": event.author,
        "source": event.source,
        "session": event.session,
        "confidence": event.confidence,
        "evidence_strength": event.strength,
        "text": event.text,
        "refs": _refs_as_json(event.refs),
        "corrects": event.corrects,
        "supersedes": event.supersedes,
        "status": event.status,
        "trust": event.trust,
        "meta": event.meta,
        "change": event.change,
    }
    return {key: value for key, value in fields.items() if value not in (None, "", {}, [])}


def _refs_as_json(refs: Refs) -> dict[str, Any]:
    messages = [
        {key: value for key, value in ref._asdict().items() if value not in (None, "")} for ref in refs.messages
    ]
    lists = {"messages": messages, "commits": refs.commits, "files": refs.files, "events": refs.events}
    return {key: list(values) for key, values in lists.items() if values}


def _refs(record: Mapping[str, Any]) -> Refs:
    return Refs(
        messages=tuple(
            MessageRef(str(ref["session"]), int(ref["id"]), str(ref.get("quote", "")), ref.get("line"))
            for ref in record.get("messages", ())
        ),
        commits=tuple(map(str, record.get("commits", ()))),
        files=tuple(map(str, record.get("files", ()))),
        events=tuple(map(str, record.get("events", ()))),
    )
