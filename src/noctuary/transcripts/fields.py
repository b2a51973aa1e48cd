"""Take a field out of a record written by somebody else's program, whatever it turns out to be.

Formats are internal to the agents and change without notice.  A field of the wrong type counts as absent:
nothing here raises.
"""

import json
from datetime import UTC, datetime, timedelta
from typing import Any

_written = json.JSONEncoder(ensure_ascii=False, separators=(",", ":")).encode  # to make one takes longer than to write
_LAST_MS = 7_258_118_400_000  # the year 2200
_EPOCH, _MILLISECOND = datetime(1970, 1, 1, tzinfo=UTC), timedelta(milliseconds=1)
_MS_FROM = 1e11  # smaller numbers are seconds: as milliseconds they would all lie in early 1973


def text_of(record: dict[str, Any], key: str) -> str:
    """The string in a field, or an empty one."""
    value = record.get(key)
    return value if type(value) is str else ""


def dict_of(record: dict[str, Any], key: str) -> dict[str, Any]:
    """The object in a field, or an empty one."""
    value = record.get(key)
    return value if type(value) is dict else {}


def list_of(record: dict[str, Any], key: str) -> list[Any]:
    """The array in a field, or an empty one."""
    value = record.get(key)
    return value if type(value) is list else []


def int_of(record: dict[str, Any], key: str, default: int = 0) -> int:
    """The whole number in a field, or the default."""
    value = record.get(key)
    return value if type(value) is int else default


def compact(value: Any) -> str:
    """A value as JSON on one line; what is nested too deeply to write is left out."""
    try:
        return _written(value)
    except RecursionError:
        return "…"


def time_ms(value: Any) -> int:
    """Milliseconds since 1970 from any spelling of a time; 0 for what is none.

    Numbers below 1e11 are seconds.  A time without a zone is UTC.
    """
    if type(value) is str:
        if value[4:5] != "-":  # fromisoformat would take 20260226 for a day
            return _number_ms(value)
        try:
            moment = datetime.fromisoformat(value)
            if moment.tzinfo is None:
                moment = moment.replace(tzinfo=UTC)
            ms = (moment - _EPOCH) // _MILLISECOND
            return ms if 0 <= ms <= _LAST_MS else 0
        except (ValueError, OverflowError):
            return 0
    if type(value) is int or type(value) is float:
        return _number_ms(value)
    return 0


def _number_ms(value: str | float) -> int:
    try:
        number = float(value)
    except (ValueError, OverflowError):
        return 0
    return _within(number * 1000 if abs(number) < _MS_FROM else number)


def _within(ms: float) -> int:
    return round(ms) if 0 <= ms <= _LAST_MS else 0
