"""The inbox: what hooks saw of sessions, a line each, until a sweep has dealt with it.

Hooks append lines to `inbox/hooks.jsonl` and do no more (`doors/hook`).  A sweep takes the file away by renaming it,
deals with its lines and removes it last, so a sweep that is killed leaves them for the next.  A hook that had the
file open meanwhile writes to the one that was taken, which is why that is looked at again before it goes.
"""

import json
import os
from collections.abc import Callable, Iterator, Sequence
from pathlib import Path
from typing import NamedTuple

from noctuary.files import translated

FOLDER = "inbox"
NAME = "hooks.jsonl"
_TAKEN = ".taken"
_LONGEST = 1_000_000  # bytes of a line that is looked at


class Note(NamedTuple):
    """What a hook saw."""

    event: str  # as the agent calls it: Stop, SessionEnd …
    at_ms: int
    agent: str = ""
    session: str = ""
    cwd: str = ""
    transcript: str = ""  # path of the transcript; of a sub-agent's own if it is that which ended
    summary: str = ""  # what a compaction left
    owner: str = ""  # if the hook was told whose memory it serves
    reason: str = ""


def is_empty(home: Path) -> bool:
    """Whether nothing waits."""
    return not any(_files(home / FOLDER))


def sweep(home: Path, deal: Callable[[Sequence[Note]], None]) -> int:
    """Give all that waits to `deal`, oldest first, and remove it if that returns; how many notes there were.

    One process at a time may call this; the lock is the caller's.
    """
    folder, count = home / FOLDER, 0
    with translated(folder):
        _take(folder)
        for path in _files(folder):
            size = -1
            while size != path.stat().st_size:  # a hook that was late adds to it
                content = path.read_bytes()
                notes = list(notes_in(content[max(size, 0) :]))
                size = len(content)
                deal(notes)
                count += len(notes)
            path.unlink()
    return count


def notes_in(content: bytes) -> Iterator[Note]:
    """The notes in the lines of a file; what is no note of ours is left out."""
    for line in content.splitlines():
        if len(line) <= _LONGEST and (note := _note(line)):
            yield note


def _note(line: bytes) -> Note | None:
    try:
        given = json.loads(line)
    except (ValueError, RecursionError):
        return None
    if not isinstance(given, dict) or not isinstance(given.get("event"), str) or type(given.get("at_ms")) is not int:
        return None
    texts = {name: given[name] for name in Note._fields if isinstance(given.get(name), str)}
    return Note(**{**texts, "at_ms": given["at_ms"]})


def _take(folder: Path) -> None:
    waiting = folder / NAME
    if waiting.exists():
        waiting.rename(folder / f"{os.urandom(8).hex()}{_TAKEN}")


def _files(folder: Path) -> Iterator[Path]:
    """What waits: files that were taken, by age, then the one that hooks write to."""
    if folder.is_dir():
        yield from sorted(folder.glob(f"*{_TAKEN}"), key=lambda path: path.stat().st_mtime_ns)
        if (waiting := folder / NAME).exists():
            yield waiting
