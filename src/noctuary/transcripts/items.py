"""What an adapter yields while it reads a transcript.

An adapter turns bytes into a stream of items and knows nothing of the store.  The importer applies the
items in order.  A `Mark` says: everything before this is whole, and reading can start again from here.
"""

from collections.abc import Iterator, Mapping
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any, NamedTuple, Protocol

from noctuary.records import Message, Relation, TitleSource

State = dict[str, Any]


@dataclass(frozen=True, slots=True, kw_only=True)
class Place:
    """Where reading stopped: bytes and lines consumed, and what the adapter must remember (plain JSON)."""

    offset: int = 0
    line: int = 0
    state: State = field(default_factory=dict)


class Source(NamedTuple):
    """A transcript found on disk, and what its surroundings already tell.

    A log only ever grows, so reading goes on at the byte where it stopped.  Anything else is read as a whole when it
    has changed, and compared with what the adapter remembers of it: see `documents`.
    """

    adapter: str
    path: Path
    session: str  # empty if it holds many, such as a database
    parent: str | None = None
    relation: Relation | None = None
    title: str | None = None  # from an index or sidecar beside the transcript; given by a person
    is_log: bool = True
    beside: tuple[Path, ...] = ()  # what else tells of a change: a write-ahead log, a sidecar, folders of parts


class Facts(NamedTuple):
    """Something learnt about a session.  What is None is not known here and changes nothing."""

    session: str
    cwd: str | None = None
    branch: str | None = None
    repository: str | None = None  # the address of the git remote, if the transcript names it
    project: str | None = None  # by its name here, if somebody said so; else it is that of the folder
    model: str | None = None
    title: str | None = None
    title_source: TitleSource | None = None
    parent: str | None = None
    relation: Relation | None = None
    source: str | None = None  # cli, vscode, exec, …


class Said(NamedTuple):
    """One message of a session, in the order of the conversation."""

    session: str
    message: Message


class Rewound(NamedTuple):
    """The user took back these messages: they stay stored, but are no longer part of the conversation."""

    session: str
    uids: tuple[str, ...]


class Mark(NamedTuple):
    """A safe place to save: all items before it are complete."""

    place: Place


class Skipped(NamedTuple):
    """A piece of the transcript that could not be used.  `unknown` names a record type we have not met."""

    line: int
    reason: str
    unknown: str | None = None


class NewField(NamedTuple):
    """A field that we have not met, by the kind of record it stands in; the record was used all the same."""

    line: int
    name: str  # `message.citations`


Item = Facts | Said | Rewound | Mark | Skipped | NewField


class Adapter(Protocol):
    """One agent's transcripts: where they are, and how to read them."""

    name: str  # the agent's name, as users filter by it: claude-code, codex
    globally_unique: bool  # uids never repeat across sessions, so an equal one is the same entry copied

    def find(self, home: Path, environ: Mapping[str, str]) -> Iterator[Source]:
        """Every transcript of this agent below the home folder, in a stable order, each once."""
        ...

    def find_at(self, path: Path, home: Path, environ: Mapping[str, str]) -> Iterator[Source]:
        """The transcript at this path, and what belongs to it, as `find` would find them; nothing if it would not.

        The path may be any, also one that somebody made up.
        """
        ...

    def read(self, source: Source, place: Place) -> Iterator[Item]:
        """Yield what the transcript says from the place on; OSError if it cannot be read to its end."""
        ...
