"""Sessions and numbers in the words of the command line."""

from noctuary.doors.cli.paint import one_line
from noctuary.records import Session
from noctuary.store.vectors import Coverage

_UNTITLED = "(untitled)"
_UNITS = ("bytes", "kB", "MB", "GB", "TB")


def counted(number: int, noun: str, plural: str = "") -> str:
    """A number and its noun: 1 session, 2,000 sessions."""
    return f"{number:,} {noun if number == 1 else plural or noun + 's'}"


def short_project(session: Session) -> str:
    """The last part of the project's name: `shop` for `/home/ana/code/shop`."""
    return last_part(session.project or "")


def last_part(project: str) -> str:
    """The same for the name alone."""
    return one_line(project.replace("\\", "/").rstrip("/").rsplit("/", 1)[-1])


def title_of(session: Session) -> str:
    """The title; else how the session begins."""
    return one_line(session.title or session.preview or "") or _UNTITLED


def size(number: int) -> str:
    """Bytes in a unit that people can compare."""
    amount, unit = float(number), 0
    while amount >= 1000 and unit < len(_UNITS) - 1:
        amount, unit = amount / 1000, unit + 1
    return f"{amount:,.0f} {_UNITS[unit]}" if unit == 0 or amount >= 100 else f"{amount:,.1f} {_UNITS[unit]}"


def seen(coverage: Coverage) -> str:
    """How much of the memory a model has read: all 95 messages, 1,204 of 1,756 messages."""
    if coverage.is_full:
        return f"all {counted(coverage.total, 'message')}" if coverage.total > 1 else counted(coverage.total, "message")
    return f"{coverage.done:,} of {counted(coverage.total, 'message')}"
