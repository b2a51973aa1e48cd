"""Take a field out of a record written by somebody else's program, whatever it turns out to be.

Formats are internal to the agents and change without notice.  A field of the wrong type counts as absent:
nothing here raises.
"""

import json
import json.encoder
from datetime import UTC, datetime, timedelta
from typing import Any

_LAST_MS = 7_258_118_400_000  # the year 2200
_EPOCH, _MILLISECOND = datetime(1970, 1, 1, tzinfo=UTC), timedelta(milliseconds=1)
_encode = json.JSONEncoder(ensure_ascii=False, separators=(",", ":")).encode  # json.dumps would make one each time
# What that calls in the end, and makes anew each time, which takes longer than to encode a small value.
_make: Any = getattr(json.encoder, "c_make_encoder", None)
_pieces = _make and _make(None, None, json.encoder.encode_basestring, None, ":", ",", False, False, True)
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
    if value is None or type(value) is bool:
        return "null" if value is None else "true" if value else "false"
    if type(value) is int:
        return str(value)
    try:
        return "".join(_pieces(value, 0)) if _pieces else _encode(value)
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
    if type(value) is int:
        ms = value if abs(value) >= _MS_FROM else value * 1000
        return ms if 0 <= ms <= _LAST_MS else 0
    if type(value) is float:
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
