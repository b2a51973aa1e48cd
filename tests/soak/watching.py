"""What processes hold while they run, and what they leave behind."""

import os
import re
import signal
import statistics
import time
from collections.abc import Iterator, Sequence
from contextlib import suppress
from pathlib import Path
from typing import NamedTuple

PROC = Path("/proc")
# What a server may hold more of in the last third of a run than in the second.
MORE_MEMORY, MORE_MEGABYTES, MORE_HANDLES = 1.15, 12.0, 10
_PASSING = re.compile(r"\.taken$|-wal$|-shm$|\.partial-|^\..*\.(noctuary|\d+)$")  # how such files are called
FEWEST = 30  # looks, below which nothing can be said of thirds


class Look(NamedTuple):
    """What a process held at a moment."""

    megabytes: float
    handles: int


def look_at(pid: int) -> Look | None:
    """What a process holds now; None if it is gone."""
    try:
        status = (PROC / str(pid) / "status").read_text(encoding="ascii", errors="replace")
        resident = int(status.partition("VmRSS:")[2].split()[0]) / 1024
        return Look(resident, sum(1 for _ in (PROC / str(pid) / "fd").iterdir()))
    except (OSError, IndexError):  # a process that has ended and was not waited for yet has no memory
        return None


class Growth(NamedTuple):
    """What a process held in the second and in the last third of a run."""

    megabytes: tuple[float, float]  # medians
    handles: tuple[int, int]  # at most


def growth(looks: Sequence[Look]) -> Growth | None:
    """How much a process grew when it had warmed up; None if it was not looked at often enough."""
    if len(looks) < FEWEST:
        return None
    third = len(looks) // 3
    middle, last = looks[third : 2 * third], looks[-third:]
    medians = [round(statistics.median(look.megabytes for look in part), 1) for part in (middle, last)]
    most = [max(look.handles for look in part) for part in (middle, last)]
    return Growth((medians[0], medians[1]), (most[0], most[1]))


def growth_faults(name: str, grown: Growth | None) -> Iterator[str]:
    """What a process holds too much of."""
    if grown is None:
        return
    (middle, last), (few, many) = grown
    if last > middle * MORE_MEMORY + MORE_MEGABYTES:
        yield f"{name} grew from {middle} to {last} MB"
    if many > few + MORE_HANDLES:
        yield f"{name} had {few} handles open at most, and later {many}"


def processes_of(memory: Path) -> dict[int, str]:
    """Processes that have the memory in their command line or in their environment, but for this one."""
    found: dict[int, str] = {}
    mark = os.fsencode(memory)
    for folder in PROC.iterdir():
        if not folder.name.isdigit() or int(folder.name) == os.getpid():
            continue
        with suppress(OSError):
            command = (folder / "cmdline").read_bytes()
            if command and (mark in command or mark in (folder / "environ").read_bytes()):
                found[int(folder.name)] = command.replace(b"\0", b" ").decode("utf-8", "replace").strip()
    return found


def left_behind(memory: Path, patience: float) -> list[str]:
    """Processes that have not ended after so long; they are killed."""
    ends = time.monotonic() + patience
    while (found := processes_of(memory)) and time.monotonic() < ends:
        time.sleep(0.5)
    for pid in found:
        with suppress(ProcessLookupError):
            os.kill(pid, signal.SIGKILL)
    return [f"left behind: {pid} {command[:300]}" for pid, command in found.items()]


def stray_files(memory: Path, temporary: Path) -> Iterator[str]:
    """Files that were for a moment only, and are still there."""
    yield from (f"left behind: {path}" for path in temporary.rglob("*"))
    for path in memory.rglob("*"):
        if _PASSING.search(path.name):
            yield f"left behind: {path}"
