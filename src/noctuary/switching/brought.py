"""What a reader of another tool's memory gives, and what became of it.

Conversations and documents become sessions, with their words as they stand.  What the tool itself wrote down becomes
events, and sentences to keep become memories that are only proposed.  All of it has trust `import`: nothing is a rule
until a person confirms it.
"""

from collections import Counter
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any, NamedTuple

from noctuary.authored import EventType
from noctuary.store.memories import MemoryKind
from noctuary.transcripts.documents import Talk


class Note(NamedTuple):
    """Something that the tool wrote down."""

    key: str  # what the tool calls it; nothing else of the tool is called so
    type: EventType
    text: str
    ts_ms: int
    project: str
    kind: MemoryKind | None = None  # of the memory that is proposed, if it is a sentence to keep
    session: str | None = None
    files: Sequence[str] = ()
    meta: Mapping[str, Any] = {}  # where it comes from, and what has no field here


@dataclass(slots=True)
class Brought:
    """All that a tool kept, read."""

    path: Path  # the file that was read, or the folder
    files: list[Path] = field(default_factory=list)  # in the folder
    talks: list[Talk] = field(default_factory=list)
    notes: list[Note] = field(default_factory=list)
    left_out: Counter[str] = field(default_factory=Counter)  # why, and how many


ProjectOf = Callable[[str], str]  # what a tool calls a project → its name here
Reader = Callable[[Path, ProjectOf], Brought]


class Switched(NamedTuple):
    """What came in, and what was left out and why."""

    tool: str
    path: str
    is_dry: bool  # then it is what would come in
    sessions: int = 0
    messages: int = 0
    entries: int = 0  # events that were written down
    proposed: int = 0  # of those, memories to be confirmed
    known: int = 0  # events that were here already
    projects: Mapping[str, int] = {}  # into which project how many sessions and entries
    left_out: Mapping[str, int] = {}
    remarks: Sequence[str] = ()  # read, but not quite as it stands
