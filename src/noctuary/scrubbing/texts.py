"""Texts without secrets; of JSON each text for itself, so that it stays JSON.

What was said is looked at as a whole, too, as on import: a key tells what the value beside it is.  A record of ours is
not, as what stands in one of its fields says nothing about the next.
"""

import json
from contextlib import suppress
from typing import Any

from noctuary.redact import redact

_JSON = ("{", "[")  # how it begins


def clean(text: str) -> str:
    """What was said without secrets; the same object if there are none."""
    plain = redact(text)
    return clean_record(plain) if plain[:1] in _JSON else plain


def clean_record(text: str) -> str:
    """A record without secrets, still the record that it was; the same object if there are none."""
    if text[:1] in _JSON:
        with suppress(ValueError, RecursionError):  # it is no JSON, or nested deeper than anybody would write it
            value = json.loads(text)
            cleaned = _cleaned(value)
            return text if cleaned == value else json.dumps(cleaned, ensure_ascii=False, separators=(",", ":"))
    return redact(text)


def clean_lines(text: str) -> str:
    """The same of a file of lines, of which each may be a record."""
    lines = text.split("\n")
    cleaned = [clean_record(line) for line in lines]
    return text if cleaned == lines else "\n".join(cleaned)


def clean_line(line: bytes) -> bytes:
    """A line of a journal without secrets: the same line if there are none."""
    text = line.decode("utf-8", "surrogateescape")
    return clean_record(text).encode("utf-8", "surrogateescape")


def _cleaned(value: Any) -> Any:
    if isinstance(value, str):
        return redact(value)
    if isinstance(value, list):
        return [_cleaned(item) for item in value]
    if isinstance(value, dict):
        return {redact(key): _cleaned(item) for key, item in value.items()}
    return value
