"""A goal exported into a file: over an older export, but never over what somebody else wrote there."""

import os
from pathlib import Path
from typing import NamedTuple

from noctuary.errors import BadInput
from noctuary.work.desk import Desk
from noctuary.work.interchange.exporting import goal_file
from noctuary.work.interchange.goal_file import GoalFile, read_goal_file, write_goal_file
from noctuary.work.interchange.importing import plan_import


class Exported(NamedTuple):
    """A goal that is in a file now."""

    goal: str
    file: Path
    nodes: int
    edges: int
    is_new: bool  # False: the file said just this before


def export_goal_to(desk: Desk, goal: str, file: Path, *, force: bool = False) -> Exported:
    """Write the goal into the file.

    BadInput, and the file stays as it is, if it cannot be written to, if it is no export of this goal, or if it says
    something that was not imported yet; `force` replaces it nevertheless.
    """
    content = goal_file(desk, goal)
    text = write_goal_file(content)
    try:
        before = file.read_bytes().decode("utf-8", "surrogateescape") if file.exists() else None
        if before != text:
            if before is not None and not force:
                _refuse_unless_ours(desk, before, content, file)
            _replace(file, text)
    except OSError as error:
        raise BadInput(f"{file} cannot be written: {error.strerror or error}. Check it or name another.") from error
    edges = len(content.edges) + len(content.outside)
    return Exported(content.goal, file, len(content.nodes), edges, is_new=before != text)


def _refuse_unless_ours(desk: Desk, before: str, content: GoalFile, file: Path) -> None:
    otherwise = "Name another file, or replace it with --force."
    try:
        known = read_goal_file(before)
    except BadInput:
        raise BadInput(f"{file} is no file of a goal; it was left as it is. {otherwise}") from None
    if known.goal != content.goal:
        raise BadInput(f"{file} is of another goal, {known.goal}; it was left as it is. {otherwise}")
    plan = plan_import(desk, before, into=content.project)
    if plan.changes_anything or plan.conflicts:
        raise BadInput(
            f"{file} says something that is not known here; it was left as it is. "
            "Import it first (`noctuary graph import`), or replace it with --force."
        )


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
