"""What came in from another tool, in words."""

from collections.abc import Iterator
from typing import TYPE_CHECKING

from noctuary.doors.cli.memory_options import command_line
from noctuary.doors.cli.paint import bold, coloured, one_line
from noctuary.doors.cli.tables import facts
from noctuary.doors.cli.words import counted

if TYPE_CHECKING:
    from noctuary.switching.brought import Switched

_MOST = 8


def switched_lines(switched: "Switched") -> Iterator[str]:
    """What came in or would, what was left out and why, and what to do next."""
    yield bold(f"{_amount(switched)}.")
    pairs = [
        ("proposed", _proposed(switched)),
        ("known", f"{counted(switched.known, 'entry', 'entries')} here already" if switched.known else ""),
        ("projects", _projects(switched)),
    ]
    pairs += [("left out", f"{number:,}: {one_line(why)}") for why, number in list(switched.left_out.items())[:_MOST]]
    yield from facts(pairs)
    yield from _rest(len(switched.left_out) - _MOST, "left out")
    yield from (coloured(f"  ! {one_line(remark)}", "yellow") for remark in switched.remarks[:_MOST])
    yield from _rest(len(switched.remarks) - _MOST, "to remark")
    yield from _next(switched)


def _amount(switched: "Switched") -> str:
    parts = []
    if switched.messages:
        parts.append(f"{counted(switched.messages, 'message')} in {counted(switched.sessions, 'session')}")
    if switched.entries:
        parts.append(counted(switched.entries, "entry", "entries"))
    if not parts:
        return f"Nothing new in {switched.tool}"
    return f"{'Would bring' if switched.is_dry else 'Brought'} {' and '.join(parts)} from {switched.tool}"


def _proposed(switched: "Switched") -> str:
    if not switched.proposed:
        return ""
    return f"{counted(switched.proposed, 'memory', 'memories')}, none of which holds until you say so"


def _projects(switched: "Switched") -> str:
    shown = [f"{one_line(name) or '(none)'} {number:,}" for name, number in list(switched.projects.items())[:_MOST]]
    more = len(switched.projects) - len(shown)
    return ", ".join([*shown, *([f"and {more} more"] if more else [])])


def _rest(more: int, what: str) -> Iterator[str]:
    if more > 0:
        yield f"  … and {more:,} more {what}; --json has them."


def _next(switched: "Switched") -> Iterator[str]:
    if switched.is_dry:
        yield "Nothing was changed."
    elif switched.proposed:
        yield f"Next: {command_line('dream', 'review')}"
    elif switched.messages or switched.entries:
        yield f"Next: {command_line('search', 'what you remember of it')}"
