"""What was read from a file while transcripts were looked for is remembered for as long as the file stays as it is.

Whoever follows transcripts looks for them every few seconds; then a look at a file is cheap, and to open it is not.
"""

import time
from collections.abc import Callable
from functools import wraps
from pathlib import Path
from typing import TypeVar

_MOST = 10_000  # files
_SETTLED_NS = 2_000_000_000  # what changed just now may change again under the same time
T = TypeVar("T")
_Seen = list[tuple[int, int, int]]


def while_unchanged(read: Callable[[Path], T]) -> Callable[[Path], T]:
    """A function of a file, or of a database with its write-ahead log, that reads it only if it has changed."""
    known: dict[Path, tuple[_Seen, T]] = {}

    @wraps(read)
    def remembered(path: Path) -> T:
        seen = _look(path)
        if seen and path in known and known[path][0] == seen:
            return known[path][1]
        value = read(path)
        if seen and time.time_ns() - max(one[1] for one in seen) > _SETTLED_NS:
            if len(known) >= _MOST:
                known.clear()
            known[path] = seen, value
        return value

    return remembered


def _look(path: Path) -> _Seen:
    seen = []
    for each in (path, path.with_name(f"{path.name}-wal")):
        try:
            stat = each.stat()
        except (OSError, ValueError):
            continue
        seen.append((stat.st_size, stat.st_mtime_ns, stat.st_ino))
    return seen
