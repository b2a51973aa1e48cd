"""The files of one session: a line of JSON a message, and beside it what is known of the session.

    <owner>/<session>.jsonl        messages, oldest first; only ever appended to
    <owner>/<session>.meta.json    the session, its last id, and how many bytes of the messages are counted in it
    <owner>/<session>.jsonl.torn   halves of lines that a crash left behind

Whoever writes holds the owner's lock, across processes.  The lines are the truth: if there are more bytes than the
meta file counts, because a writer died in between, only those are read again.  A line that cannot be read is passed
over; one without its end is set aside, so that the next is never glued to it.
"""

import json
import os
from collections.abc import Iterable, Iterator
from contextlib import contextmanager
from dataclasses import dataclass
from enum import StrEnum
from pathlib import Path
from typing import Any

from noctuary.files import open_private
from noctuary.locks import lock_file
from noctuary.names import file_name, original_name
from noctuary.records import Hidden, Kind, Message, Relation, Role, Session, Status, TitleSource
from noctuary.store.keys import MOST_MESSAGES
from noctuary.store.messages import PREVIEW_CHARACTERS

MESSAGES, META, TORN, PARTIAL = ".jsonl", ".meta.json", ".jsonl.torn", ".meta.json.partial"
_ENUMS: dict[str, type[StrEnum]] = {
    "role": Role,
    "kind": Kind,
    "hidden": Hidden,
    "relation": Relation,
    "status": Status,
    "title_source": TitleSource,
}
# In the order they are written: who and what first, so that a line reads well.
_MESSAGE_FIELDS = ("id", "role", "kind", "ts_ms", "content", "tool_name", "tool_calls", "call_id", "hidden",
                   "source_line", "uid")  # fmt: skip
_SESSION_FIELDS = Session._fields


@dataclass(frozen=True, slots=True, kw_only=True)
class Meta:
    """What is known of a session without reading its messages."""

    session: Session
    last_id: int = 0
    size: int = 0  # bytes of the messages file that are counted in


@dataclass(frozen=True, slots=True)
class Lines:
    """Messages read from a file, and where the last whole line ends."""

    messages: list[Message]
    end: int


@dataclass(frozen=True, slots=True)
class SessionFiles:
    """The files of one session."""

    folder: Path
    name: str

    @classmethod
    def of(cls, folder: Path, session_id: str) -> "SessionFiles":
        """The files of the session with this id."""
        return cls(folder, file_name(session_id))

    def path(self, ending: str) -> Path:
        """One of the files."""
        return self.folder / (self.name + ending)

    def size(self) -> int:
        """Bytes of the messages file; 0 if there is none."""
        try:
            return self.path(MESSAGES).stat().st_size
        except FileNotFoundError:
            return 0

    def meta(self, owner: str, session_id: str | None = None) -> Meta | None:
        """What is known of the session, with all that was written since; None if there is no such session."""
        stored = self._stored_meta()
        size = self.size()
        if stored is None:
            # The meta file was lost: the lines are enough, if their owner's name for the session can be read back.
            name = session_id if session_id is not None else original_name(self.name)
            if not size or name is None:
                return None
            stored = Meta(session=Session(id=name, owner=owner))
        return self.caught_up(stored) if size != stored.size else stored

    def caught_up(self, meta: Meta) -> Meta:
        """The meta data with the lines that are not counted in yet."""
        if self.size() < meta.size:  # somebody cut the file: count again from its beginning
            meta = Meta(session=meta.session._replace(message_count=0, preview=None), last_id=meta.last_id)
        lines = self.read(meta.size, after_id=meta.last_id if meta.size else 0)
        return Meta(
            session=counted(meta.session, lines.messages),
            last_id=max([meta.last_id, *(m.id for m in lines.messages)]),
            size=lines.end,
        )

    def read(self, start: int = 0, after_id: int = 0) -> Lines:
        """Messages whose lines begin at or after this byte; a last line without its end is not read."""
        data = self.read_bytes(start)
        whole = data.rfind(b"\n") + 1
        return Lines(list(_messages(data[:whole], after_id)), start + whole)

    def read_bytes(self, start: int, end: int | None = None) -> bytes:
        """Part of the messages file; nothing if there is no such part."""
        try:
            with self.path(MESSAGES).open("rb") as file:
                file.seek(start)
                return file.read() if end is None else file.read(end - start)
        except FileNotFoundError:
            return b""

    def write_meta(self, meta: Meta) -> None:
        """Replace the meta file; it is the old one or the new one, never half of it."""
        known = as_json(meta.session, _SESSION_FIELDS) | {"last_id": meta.last_id, "size": meta.size}
        partial = self.path(PARTIAL)
        with os.fdopen(open_private(partial, os.O_WRONLY | os.O_CREAT | os.O_TRUNC), "wb") as file:
            file.write(json.dumps(known, ensure_ascii=False, indent=1).encode() + b"\n")
            file.flush()
            os.fsync(file.fileno())
        partial.replace(self.path(META))

    def append(self, meta: Meta, message: Message) -> Meta:
        """Write the message as the next line; the meta data with it."""
        self._set_torn_line_aside(meta.size)
        numbered = message._replace(id=meta.last_id + 1)
        line = json.dumps(as_json(numbered, _MESSAGE_FIELDS), ensure_ascii=False).encode() + b"\n"
        with os.fdopen(open_private(self.path(MESSAGES), os.O_WRONLY | os.O_CREAT | os.O_APPEND), "ab") as file:
            file.write(line)
            file.flush()
            os.fsync(file.fileno())
        written = Meta(session=counted(meta.session, [numbered]), last_id=numbered.id, size=meta.size + len(line))
        self.write_meta(written)
        return written

    def remove(self) -> bool:
        """Remove all files of the session; False if there were none."""
        existed = self.path(META).exists() or self.path(MESSAGES).exists()
        for ending in (META, MESSAGES, TORN, PARTIAL):
            self.path(ending).unlink(missing_ok=True)
        return existed

    def _set_torn_line_aside(self, end: int) -> None:
        if self.size() <= end:
            return
        with self.path(MESSAGES).open("rb+") as file:
            file.seek(end)
            torn = file.read()
            with os.fdopen(open_private(self.path(TORN), os.O_WRONLY | os.O_CREAT | os.O_APPEND), "ab") as aside:
                aside.write(torn + b"\n")
            file.truncate(end)

    def _stored_meta(self) -> Meta | None:
        try:
            known = json.loads(self.path(META).read_bytes())
            session = Session(**_fields_from(known, _SESSION_FIELDS))
            return Meta(session=session, last_id=int(known["last_id"]), size=int(known["size"]))
        except (FileNotFoundError, ValueError, KeyError, TypeError, AttributeError):
            return None


def counted(session: Session, messages: Iterable[Message]) -> Session:
    """The session with these messages at its end."""
    started, last, count, preview = session.started_ms, session.last_ms, session.message_count, session.preview
    for message in messages:
        if message.ts_ms > 0:
            started = min(started or message.ts_ms, message.ts_ms)
        last = max(last or 0, message.ts_ms)
        count += message.hidden is None
        preview = preview or _preview(message)
    return session._replace(started_ms=started, last_ms=last, message_count=count, preview=preview)


def _preview(message: Message) -> str | None:
    if message.role is Role.USER and message.kind is Kind.TEXT and message.hidden is None:
        return " ".join(message.content[: PREVIEW_CHARACTERS * 4].split())[:PREVIEW_CHARACTERS] or None
    return None


def known_sessions(folder: Path) -> list[SessionFiles]:
    """The sessions that have files in the folder."""
    try:
        names = [path.name for path in folder.iterdir()]
    except FileNotFoundError:
        return []
    stems = {name.removesuffix(ending) for name in names for ending in (META, MESSAGES) if name.endswith(ending)}
    return [SessionFiles(folder, stem) for stem in sorted(stems)]


@contextmanager
def locked(folder: Path) -> Iterator[None]:
    """Only one process and one thread at a time writes to the owner's folder, which is made if need be."""
    for part in (folder.parent, folder):
        part.mkdir(parents=True, exist_ok=True, mode=0o700)
    # No session's files have this name: names never begin with a dot.
    with os.fdopen(open_private(folder / ".lock", os.O_RDWR | os.O_CREAT), "rb+") as file:
        lock_file(file.fileno())
        yield


def as_json(record: Message | Session, names: Iterable[str]) -> dict[str, Any]:
    """The record for a file: in this order, without what is not known."""
    values = {name: getattr(record, name) for name in names}
    return {name: value for name, value in values.items() if value is not None}


def _fields_from(known: dict[str, Any], names: Iterable[str]) -> dict[str, Any]:
    values = {name: known[name] for name in names if known.get(name) is not None}
    return {name: _ENUMS[name](value) if name in _ENUMS else value for name, value in values.items()}


def _messages(data: bytes, after_id: int) -> Iterator[Message]:
    """The messages of whole lines, in order; what is no message, or has an id already given, is passed over."""
    last = after_id
    for line in data.split(b"\n"):
        message = _message(line)
        if message and last < message.id <= MOST_MESSAGES:
            last = message.id
            yield message


def _message(line: bytes) -> Message | None:
    try:
        message = Message(**_fields_from(json.loads(line), _MESSAGE_FIELDS))
    except (ValueError, KeyError, TypeError, AttributeError, RecursionError):
        return None
    numbers, content = (message.id, message.ts_ms), message.content
    return message if all(type(number) is int for number in numbers) and type(content) is str else None
