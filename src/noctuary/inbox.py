"""The inbox: what hooks saw of sessions, a line each, until a sweep has dealt with it.

Hooks append lines to `inbox/hooks.jsonl` and do no more (`doors/hook`).  A sweep takes the file away by renaming it,
deals with its lines and removes it last, so a sweep that is killed leaves them for the next.  A hook that had the
file open meanwhile writes to the one that was taken: it is looked at again until it has grown no more, and once more
when its name is gone.  A hook that wrote even later sees that its file has no name any more, and writes again.

What a sweep cannot deal with yet waits in `inbox/kept.jsonl`, a file of its own, which is replaced as a whole: hooks
start no sweep because of it.
"""

import json
import os
from collections.abc import Callable, Iterable, Iterator, Sequence
from contextlib import ExitStack
from pathlib import Path
from typing import BinaryIO, NamedTuple

from noctuary.files import replace_private, sync_folder, translated

FOLDER = "inbox"
NAME = "hooks.jsonl"
KEPT = "kept.jsonl"
MOST_KEPT = 1_000  # notes; the newest stay
_TAKEN = ".taken"
_LONGEST = 1_000_000  # bytes of a line that is looked at
_PIECE = 64_000_000  # bytes that are read at once
_MOST_BEGINNINGS = 8  # of a note, in a line that begins with the rest of another
_LAST_MS = 253_402_300_800_000  # the year 10000


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
    tries: int = 0  # how many sweeps could not deal with it yet


Deal = Callable[[Sequence[Note]], Iterable[Note]]


def is_empty(home: Path) -> bool:
    """Whether hooks have left nothing that no sweep has dealt with."""
    return not any(_files(home / FOLDER))


def waiting(home: Path) -> list[Note]:
    """All that hooks have left and no sweep has dealt with, as it was written; nothing is taken."""
    notes: list[Note] = []
    with translated(home / FOLDER):
        for path in _files(home / FOLDER):
            with path.open("rb") as file:
                notes += notes_in(file.read(_PIECE))
    return notes


def sweep(home: Path, deal: Deal, *, is_again: bool = False) -> int:
    """Give all that waits to `deal`, and remove it when that returns; how many notes hooks had left.

    What `deal` gives back waits for the next sweep, with one try more; if this is the same sweep again, what it kept
    before goes on waiting.  After a sweep that was killed the same notes are given again.  One process at a time may
    call this; the lock is the caller's.
    """
    folder, count = home / FOLDER, 0
    with ExitStack() as opened:
        with translated(folder):
            _take(folder)
            paths = list(_taken(folder))
            files = [opened.enter_context(path.open("rb")) for path in paths]
            notes, kept = _news(files), _kept(folder)
        again, kept = (kept, []) if is_again else ([], kept)
        while notes or kept:
            again += _tried(deal(_each_once([*kept, *notes])))
            _keep(folder, again)
            count += len(notes)
            with translated(folder):
                notes, kept = _news(files), []  # of hooks that were late
        with translated(folder):
            for path in paths:
                path.unlink()
            late = _news(files, is_end=True)
        if late:
            _keep(folder, [*again, *late])  # their file is gone, and whoever deals with them may be killed
            _keep(folder, [*again, *_tried(deal(late))])
    return count + len(late)


def _tried(notes: Iterable[Note]) -> list[Note]:
    return [note._replace(tries=note.tries + 1) for note in notes]


def notes_in(content: bytes) -> Iterator[Note]:
    """The notes in the lines of a file; what is no note of ours is left out."""
    for line in content.split(b"\n"):
        if 0 < len(line) <= _LONGEST and (note := _note_in(line)):
            yield note


def _note_in(line: bytes) -> Note | None:
    """The note in a line; it may stand behind the rest of one that could not be written to its end."""
    start, note = 0, _note(line)
    for _ in range(_MOST_BEGINNINGS):
        if note is not None or (start := line.find(b'{"', start + 1)) < 0:
            break
        note = _note(line[start:])
    return note


def _note(text: bytes) -> Note | None:
    try:
        given = json.loads(text)
    except (ValueError, RecursionError):
        return None
    if not isinstance(given, dict) or not isinstance(given.get("event"), str) or type(given.get("at_ms")) is not int:
        return None
    if not 0 <= given["at_ms"] < _LAST_MS:
        return None
    # Half a character, which JSON can hold, is nothing that a store or a path could: it would stop every sweep.
    texts = {name: _whole(given[name]) for name in Note._fields if isinstance(given.get(name), str)}
    tries = given["tries"] if type(given.get("tries")) is int else 0
    return Note(**{**texts, "at_ms": given["at_ms"], "tries": tries})


def _whole(text: str) -> str:
    return text.encode("utf-8", "replace").decode()


def _news(files: Iterable[BinaryIO], *, is_end: bool = False) -> list[Note]:
    """What was added to files since they were read last; of a line that is not whole nothing, unless this is the end.

    Read in pieces, so that no file is too long.
    """
    notes: list[Note] = []
    for file in files:
        while piece := file.read(_PIECE):
            whole, is_last = len(piece) if is_end else piece.rfind(b"\n") + 1, len(piece) < _PIECE
            notes += notes_in(piece[:whole])
            if whole or is_last:  # else it is a line that is longer than any note
                file.seek(whole - len(piece), os.SEEK_CUR)
            if is_last:
                break
    return notes


def _each_once(notes: Iterable[Note]) -> list[Note]:
    """What a sweep kept that was killed before it removed the file is there twice: the one with more tries stays."""
    once: dict[Note, Note] = {}
    for note in notes:
        once.setdefault(note._replace(tries=0), note)
    return list(once.values())


def _take(folder: Path) -> None:
    waits = folder / NAME
    if waits.is_file():
        waits.rename(folder / f"{os.urandom(8).hex()}{_TAKEN}")


def _files(folder: Path) -> Iterator[Path]:
    """What waits: files that were taken, then the one that hooks write to.

    Whatever else lies there is passed over: whoever opens a pipe waits for ever.  Hooks tell that they cannot write.
    """
    yield from _taken(folder)
    if (waits := folder / NAME).is_file():
        yield waits


def _taken(folder: Path) -> list[Path]:
    """The files that a sweep took and has not dealt with, by age."""
    found = [path for path in folder.glob(f"*{_TAKEN}") if path.is_file()]
    return sorted(found, key=lambda path: path.stat().st_mtime_ns)


def _kept(folder: Path) -> list[Note]:
    try:
        return list(notes_in((folder / KEPT).read_bytes()))
    except FileNotFoundError:
        return []


def _keep(folder: Path, notes: Sequence[Note]) -> None:
    """Let these, and only these, wait for the next sweep."""
    path = folder / KEPT
    with translated(path):
        if not notes:
            path.unlink(missing_ok=True)
            return
        content = "".join(json.dumps(note._asdict()) + "\n" for note in notes[-MOST_KEPT:]).encode()
        replace_private(path, content)
        sync_folder(folder)
