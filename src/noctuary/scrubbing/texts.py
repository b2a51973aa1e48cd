"""Texts without secrets; of JSON each text for itself, so that it stays JSON."""

import json
from typing import Any

from noctuary.redact import redact


def clean(text: str) -> str:
    """The text without secrets; the same object if there are none."""
    if text[:1] in ("{", "["):
        try:
            value = json.loads(text)
        except (ValueError, RecursionError):
            return redact(text)
        cleaned = _cleaned(value)
        return text if cleaned == value else json.dumps(cleaned, ensure_ascii=False, separators=(",", ":"))
    return redact(text)


def clean_lines(text: str) -> str:
    """The same of a file of lines, of which each may be JSON."""
    lines = text.split("\n")
    cleaned = [clean(line) for line in lines]
    return text if cleaned == lines else "\n".join(cleaned)


def clean_line(line: bytes) -> bytes:
    """A line of a journal without secrets: the same line if there are none."""
    text = line.decode("utf-8", "surrogateescape")
    return clean(text).encode("utf-8", "surrogateescape")


def _cleaned(value: Any) -> Any:
    if isinstance(value, str):
        return redact(value)
    if isinstance(value, list):
        return [_cleaned(item) for item in value]
    if isinstance(value, dict):
        return {redact(key): _cleaned(item) for key, item in value.items()}
    return value
