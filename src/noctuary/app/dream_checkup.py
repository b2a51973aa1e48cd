"""How dreams are, for the doctor: the settings, the state, the pages, and what failed."""

from __future__ import annotations  # or the annotations would load the parts below

from collections.abc import Sequence
from typing import TYPE_CHECKING

from noctuary.errors import NoctuaryError
from noctuary.health import Checked, Finding

if TYPE_CHECKING:
    from noctuary.app.memory import Memory


def check_up(memory: Memory) -> Checked:
    """Look at all of it; nothing is changed."""
    try:
        problems, unsettled = memory.dreams.checked(), memory.dreams.unsettled()
    except NoctuaryError as error:
        return _found(Finding.PROBLEM, [str(error)], "")
    if problems:
        return _found(Finding.PROBLEM, problems, "")
    if unsettled:
        return _found(Finding.WARNING, unsettled, " `noctuary dream` tries again.")
    read = memory.store.dreams.completed_count(memory.owner)
    return _found(Finding.OK, [f"{read:,} read, state and pages in place" if read else "none yet"], "")


def _found(finding: Finding, said: Sequence[str], advice: str) -> Checked:
    more = f" (and {len(said) - 1:,} more: `noctuary dream status`)" if len(said) > 1 else ""
    end = "" if finding is Finding.OK else "."
    return Checked(name="dreams", finding=finding, detail=f"{said[0].rstrip('.')}{more}{end}{advice}")
