"""TOML, written: what is read back is what was given, and the same is always written the same.

Keys come sorted.  A text of several lines stands on several lines, so that a difference between two files is a
difference between lines.  What cannot be seen, or turns the direction of text, is written as its number.
"""

import re
from collections.abc import Mapping, Sequence
from typing import Any

from noctuary.work.wording import UNSEEN

_QUOTE_TO_ESCAPE = re.compile(r'"(?="|\Z)')  # one alone may stand as it is
_BARE = re.compile(r"[A-Za-z0-9_-]+")
_ESCAPES = {
    **{code: f"\\u{code:04X}" for code in UNSEEN},
    ord("\b"): "\\b",
    ord("\t"): "\\t",
    ord("\n"): "\\n",
    ord("\f"): "\\f",
    ord("\r"): "\\r",
    ord('"'): '\\"',
    ord("\\"): "\\\\",
}
_ESCAPES_IN_LINES = {code: escape for code, escape in _ESCAPES.items() if code not in (ord("\n"), ord("\t"), ord('"'))}


def dumps(table: Mapping[str, Any]) -> str:
    """The table as TOML.  It may hold texts, whole numbers, truths, lists and tables; anything else is a TypeError."""
    return "".join(_lines(table, ())).lstrip("\n")


def _lines(table: Mapping[str, Any], path: tuple[str, ...]) -> list[str]:
    plain = {key: value for key, value in sorted(table.items()) if not isinstance(value, Mapping)}
    tables = {key: value for key, value in sorted(table.items()) if isinstance(value, Mapping)}
    lines = [f"\n[{'.'.join(map(_key, path))}]\n"] if path and (plain or not tables) else []
    lines += [f"{_key(key)} = {_value(value)}\n" for key, value in plain.items()]
    for key, value in tables.items():
        lines += _lines(value, (*path, key))
    return lines


def _key(key: str) -> str:
    return key if _BARE.fullmatch(key) else _one_line(key)


def _value(value: Any) -> str:
    if isinstance(value, str):
        return _several_lines(value) if "\n" in value else _one_line(value)
    if isinstance(value, bool):
        return "true" if value else "false"
    if isinstance(value, int):
        return str(value)
    if isinstance(value, Mapping):
        return "{" + ", ".join(f"{_key(key)} = {_inline(item)}" for key, item in sorted(value.items())) + "}"
    if isinstance(value, Sequence):
        return "[" + ", ".join(_inline(item) for item in value) + "]"
    raise TypeError(f"TOML has no {type(value).__name__}")


def _inline(value: Any) -> str:
    return _one_line(value) if isinstance(value, str) else _value(value)


def _one_line(text: str) -> str:
    return f'"{text.translate(_ESCAPES)}"'


def _several_lines(text: str) -> str:
    body = _QUOTE_TO_ESCAPE.sub(r'\\"', text.translate(_ESCAPES_IN_LINES))
    return f'"""\n{body}"""'
