"""What sweeps leave for each other, for hooks and for the doctor: a lock, a few times, a log, and what failed."""

import json
import os
from contextlib import AbstractContextManager, suppress
from datetime import UTC, datetime
from pathlib import Path
from typing import NamedTuple

from noctuary.files import held, open_private, replace_private, translated

_LONGEST_LOG = 200_000  # bytes; half of them stay
_LONGEST_LINE = 500


class Times(NamedTuple):
    """When what happened last, in milliseconds since 1970; 0 if it never did."""

    swept_ms: int = 0
    note_ms: int = 0  # the newest note that was dealt with


def lock(home: Path, name: str) -> AbstractContextManager[bool]:
    """Whether this process alone holds the lock of this name; never waits, and is free when the process ends."""
    return held(home / "state" / f"{name}.lock")


def times(home: Path) -> Times:
    """What the last sweeps left; zeros if it cannot be read."""
    try:
        given = json.loads(_times_path(home).read_bytes())
    except (OSError, ValueError, RecursionError):
        return Times()
    if not isinstance(given, dict):
        return Times()
    return Times(*(given[name] if type(given.get(name)) is int else 0 for name in Times._fields))


def save_times(home: Path, known: Times) -> None:
    """Leave them for the next; whoever calls this holds the lock."""
    with translated(_times_path(home)):
        replace_private(_times_path(home), json.dumps(known._asdict()).encode())


def imported_ms(home: Path) -> int:
    """When every transcript was last looked at; 0 if never."""
    try:
        return int(_imported_path(home).read_text(encoding="ascii"))
    except (OSError, ValueError):
        return 0


def imported(home: Path, now_ms: int) -> None:
    """Leave word that every transcript was looked at; whoever calls this holds the lock of that."""
    with translated(_imported_path(home)):
        replace_private(_imported_path(home), str(now_ms).encode())


def log(home: Path, now_ms: int, line: str) -> None:
    """Add a line to the log of sweeps; of a log that is too long the older half goes."""
    path = log_path(home)
    with suppress(OSError):  # a disk that is full fills the log last
        path.parent.mkdir(parents=True, exist_ok=True, mode=0o700)
        file = open_private(path, os.O_WRONLY | os.O_CREAT | os.O_APPEND)
        try:
            os.write(file, _line(now_ms, line))
        finally:
            os.close(file)
        if path.stat().st_size > _LONGEST_LOG:
            rest = path.read_bytes()[-_LONGEST_LOG // 2 :]
            replace_private(path, rest[rest.find(b"\n") + 1 :])


def failed(home: Path, now_ms: int, why: str) -> None:
    """Leave word that a sweep failed: a hook says it once, and the doctor until one ends well."""
    with suppress(OSError):
        replace_private(failed_path(home), f"{now_ms} {_shortened(why)}\n".encode("utf-8", "replace"))


def went_well(home: Path) -> None:
    """Take back the word that a sweep failed, or that we are gone."""
    with suppress(OSError):
        failed_path(home).unlink(missing_ok=True)
    with suppress(OSError):
        (hook_folder(home) / "told-gone").rmdir()


def log_path(home: Path) -> Path:
    """The log of sweeps that nobody watched."""
    return home / "log" / "sweep.log"


def hook_folder(home: Path) -> Path:
    """Where hooks and sweeps leave word of trouble."""
    return home / "state" / "hook"


def failed_path(home: Path) -> Path:
    """One line with time and reason, as long as the last sweep failed; hooks read it, too (`doors/hook/trouble.py`)."""
    return hook_folder(home) / "failed"


def _times_path(home: Path) -> Path:
    return home / "state" / "sweep.json"


def _imported_path(home: Path) -> Path:
    return home / "state" / "imported"


def _line(now_ms: int, text: str) -> bytes:
    moment = datetime.fromtimestamp(now_ms / 1000, UTC)
    return f"{moment:%Y-%m-%dT%H:%M:%SZ} {_shortened(text)}\n".encode("utf-8", "replace")


def _shortened(text: str) -> str:
    return " ".join(text.split())[:_LONGEST_LINE]
