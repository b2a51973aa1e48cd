"""Records as JSON, for programs: the whole record, times as milliseconds since 1970 in UTC."""

import json
import re
from collections.abc import Iterable
from dataclasses import fields, is_dataclass
from pathlib import PurePath
from typing import Any

import click

# JSON allows these inside strings, terminals obey them: invisible and direction-changing characters, C1 controls.
_HOSTILE = "[\x7f-\x9f\u061c\u200b-\u200f\u2028-\u202e\u2060-\u206f\ufeff\ufff9-\ufffb\U000e0000-\U000e007f]"


def print_json(value: object) -> None:
    """Print the value, readable by people too."""
    text = json.dumps(plain(value), ensure_ascii=False, indent=2)
    click.echo(re.sub(_HOSTILE, lambda match: json.dumps(match.group())[1:-1], text))


def print_either(value: object, lines: Iterable[str], as_json: bool) -> None:
    """Print the value for programs, or the lines for people."""
    print_json(value) if as_json else click.echo("\n".join(lines))


def plain(value: object) -> Any:
    """The value in terms of JSON: records become objects, sequences lists, paths strings."""
    if is_dataclass(value) and not isinstance(value, type):
        return {field.name: plain(getattr(value, field.name)) for field in fields(value)}
    if isinstance(value, tuple) and hasattr(value, "_asdict"):
        return {name: plain(item) for name, item in value._asdict().items()}
    if isinstance(value, dict):
        return {str(key): plain(item) for key, item in value.items()}
    if isinstance(value, (list, tuple, set, frozenset)):
        return [plain(item) for item in value]
    return str(value) if isinstance(value, PurePath) else value
