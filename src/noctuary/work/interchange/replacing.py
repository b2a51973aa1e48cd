"""A goal exported into a file: over an older export, but never over what somebody else wrote there."""

import os
from pathlib import Path
from typing import NamedTuple

from noctuary.errors import BadInput
from noctuary.work.desk import Desk
from noctuary.work.interchange.exporting import goal_file
from noctuary.work.interchange.goal_file import read_goal_file, write_goal_file


class Exported(NamedTuple):
    """A goal that is in a file now."""

    goal: str
    file: Path
    nodes: int
    edges: int
    is_new: bool  # False: the file said just this before


def export_goal_to(desk: Desk, goal: str, file: Path, *, force: bool = False) -> Exported:
    """Write the goal into the file.

    BadInput, and the file stays as it is, if it cannot be written to, or if it is no export of this goal or was edited
    since; `force` replaces it nevertheless.
    """
    content = goal_file(desk, goal)
    text = write_goal_file(content)
    try:
        before = file.read_bytes().decode("utf-8", "surrogateescape") if file.exists() else None
        if before != text:
            if before is not None and not force:
                _refuse_unless_ours(before, content.goal, file)
            _replace(file, text)
    except OSError as error:
        raise BadInput(f"{file} cannot be written: {error.strerror or error}. Check it or name another.") from error
    edges = len(content.edges) + len(content.outside)
    return Exported(content.goal, file, len(content.nodes), edges, is_new=before != text)


def _refuse_unless_ours(before: str, goal: str, file: Path) -> None:
    otherwise = "Name another file, or replace it with --force."
    try:
        known = read_goal_file(before)
    except BadInput:
        raise BadInput(f"{file} is no file of a goal; it was left as it is. {otherwise}") from None
    if known.goal != goal:
        raise BadInput(f"{file} is of another goal, {known.goal}; it was left as it is. {otherwise}")
    if known.is_edited:
        raise BadInput(f"{file} was edited since it was written. Import it first, or replace it with --force.")


def _replace(file: Path, text: str) -> None:
    """Whoever reads the file meanwhile reads the old one or the new one, never half of one."""
    partial = file.with_name(f".{file.name}.{os.getpid()}")
    try:
        with partial.open("wb") as target:
            target.write(text.encode("utf-8", "surrogateescape"))
            target.flush()
            os.fsync(target.fileno())
        partial.replace(file)
    finally:
        partial.unlink(missing_ok=True)
