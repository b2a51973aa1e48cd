"""Copies of a memory that no verb looks into: those that a restore moved aside, and what was cut short left."""

from collections.abc import Iterator
from glob import escape
from pathlib import Path

BEFORE = ".before-restore-"  # stands in the name of a memory behind its own, and then the time
RESTORING = ".restoring-"
PARTIAL = ".partial-"
SNAPSHOTS = "snapshots"


def copies_aside(home: Path) -> Iterator[Path]:
    """The copies of the memory in a folder, of which some may be in the making."""
    place = home.resolve()  # as a restore does: they lie beside what a link leads to
    name = escape(place.name)
    for folder, pattern in (
        (place.parent, f"{name}{BEFORE}*"),
        (place.parent, f"{name}{RESTORING}*"),
        (home, f"{RESTORING}*"),
        (home / SNAPSHOTS, f".*{PARTIAL}*"),
    ):
        yield from sorted(folder.glob(pattern))
