"""A format that a person describes in a TOML file: where an agent's transcripts lie, and which fields say what.

There is no code in it, only names of fields.  What is wrong with a file is said in words, with what to write instead.
"""

import tomllib
from collections.abc import Mapping, Sequence
from pathlib import Path, PurePosixPath, PureWindowsPath
from typing import Any, NamedTuple

from noctuary.records import Role
from noctuary.transcripts.finding import open_file

Steps = tuple[str | int, ...]
Paths = tuple[Steps, ...]  # the first that leads to something counts

LARGEST = 100_000  # bytes of a description
MESSAGE_FIELDS = ("role", "text", "time", "id", "thinking", "tool_name", "tool_input", "tool_output", "call_id")
SESSION_FIELDS = ("session", "cwd", "branch", "model", "title", "parent")
_TOP = {"agent", "files", "shape", "messages", "session_from", "fields", "roles"}
_SHAPES = ("jsonl", "json")
_SESSIONS = ("file", "folder")
_ROLES = {"user": Role.USER, "assistant": Role.ASSISTANT, "tool": Role.TOOL, "system": Role.SYSTEM, "skip": None}


class BadFormat(ValueError):
    """A description cannot be used; the message says why, and what to write."""


class Format(NamedTuple):
    """How one agent's transcripts are read."""

    agent: str
    files: tuple[str, ...]
    is_log: bool  # one record a line, and only ever more lines
    messages: Steps  # to the list of messages in a document
    is_named_by_folder: bool  # a session, where no field names it
    fields: Mapping[str, Paths]
    roles: Mapping[str, Role | None]


def load_format(path: Path) -> Format:
    """The format that a file describes; BadFormat."""
    try:
        if path.stat().st_size > LARGEST:
            raise BadFormat(f"larger than {LARGEST} bytes")
        with open_file(path) as file:
            table = tomllib.loads(file.read().decode("utf-8"))
    except OSError as error:
        raise BadFormat(f"cannot be read: {error.strerror or error}") from None
    except (UnicodeDecodeError, tomllib.TOMLDecodeError, RecursionError) as error:
        raise BadFormat(f"is no TOML: {error}") from None
    return format_of(table)


def format_of(table: Mapping[str, Any]) -> Format:
    """The format that a table describes; BadFormat."""
    _known(table, _TOP, "")
    shape = _one_of(table.get("shape", "jsonl"), _SHAPES, "shape")
    fields = {name: _paths(value, f"fields.{name}") for name, value in _table(table, "fields").items()}
    _known(fields, {*MESSAGE_FIELDS, *SESSION_FIELDS}, "fields.")
    for name in ("role", "text"):
        if name not in fields:
            raise BadFormat(f'`fields.{name}` is missing; write where it stands, as in {name} = "{name}"')
    if shape == "jsonl" and "messages" in table:
        raise BadFormat('`messages` is for shape = "json"; in "jsonl" every line is a message')
    return Format(
        agent=_agent(table.get("agent")),
        files=_files(table.get("files")),
        is_log=shape == "jsonl",
        messages=_steps(table.get("messages", ""), "messages"),
        is_named_by_folder=_one_of(table.get("session_from", "file"), _SESSIONS, "session_from") == "folder",
        fields=fields,
        roles=_roles(_table(table, "roles")),
    )


def _agent(value: Any) -> str:
    if type(value) is not str or not value.strip() or value != value.strip() or not value.isprintable():
        raise BadFormat('`agent` must be a name in quotes, as in agent = "vibe"')
    return value


def _files(value: Any) -> tuple[str, ...]:
    patterns = [value] if type(value) is str else value
    if type(patterns) is not list or not patterns or not all(type(each) is str and each for each in patterns):
        raise BadFormat('`files` must be a list of patterns, as in files = ["~/.vibe/logs/*/messages.jsonl"]')
    return tuple(_pattern(each) for each in patterns)


def _pattern(text: str) -> str:
    """A pattern of files: below the home folder of the user, unless it says by itself where it begins."""
    pattern = text.removeprefix("~/").replace("\\", "/") if not PureWindowsPath(text).drive else text
    parts = PurePosixPath(pattern).parts
    if not parts or ".." in parts or "\0" in text or pattern.startswith("~"):
        raise BadFormat(f"`files`: {text!r} leads out of the home folder; write the whole path if that is meant")
    first = parts[1] if len(parts) > 1 and pattern.startswith("/") else parts[0]
    if any(sign in first for sign in "*?["):
        raise BadFormat(f"`files`: {text!r} would look everywhere; begin it with the name of a folder")
    if any("**" in part and part != "**" for part in parts):
        raise BadFormat(f"`files`: in {text!r} the part ** must stand alone between slashes")
    return pattern


def _roles(table: Mapping[str, Any]) -> Mapping[str, Role | None]:
    known: dict[str, Role | None] = {"user": Role.USER, "assistant": Role.ASSISTANT, "tool": Role.TOOL}
    known |= {"system": Role.SYSTEM, "human": Role.USER, "model": Role.ASSISTANT}
    return known | {word: _ROLES[_one_of(role, tuple(_ROLES), f"roles.{word}")] for word, role in table.items()}


def _paths(value: Any, where: str) -> Paths:
    several = [value] if type(value) is str else value
    if type(several) is not list or not several:
        raise BadFormat(f'`{where}` must be the path of a field, as in "message.content", or a list of such')
    return tuple(_steps(each, where, is_needed=True) for each in several)


def _steps(value: Any, where: str, *, is_needed: bool = False) -> Steps:
    """The names on the way to a field: `message.parts[0].text`."""
    if type(value) is not str or (is_needed and not value):
        raise BadFormat(f'`{where}` must be the path of a field, as in "message.content"')
    steps: list[str | int] = []
    for part in value.split(".") if value else []:
        name, *numbers = part.split("[")
        if name:
            steps.append(name)
        for number in numbers:
            if not (number.endswith("]") and number[:-1].isdecimal() and number.isascii() and len(number) < 8):
                raise BadFormat(f"`{where}`: in {value!r} a number must stand between brackets, as in parts[0]")
            steps.append(int(number[:-1]))
        if not name and not numbers:
            raise BadFormat(f"`{where}`: {value!r} has a dot too many")
    return tuple(steps)


def _table(table: Mapping[str, Any], name: str) -> Mapping[str, Any]:
    value = table.get(name, {})
    if type(value) is not dict:
        raise BadFormat(f"`{name}` must be a table: begin it with a line [{name}]")
    return value


def _one_of(value: Any, words: Sequence[str], where: str) -> str:
    if type(value) is not str or value not in words:
        raise BadFormat(f"`{where}` must be one of {', '.join(words)}, in quotes")
    return value


def _known(table: Mapping[str, Any], known: set[str], prefix: str) -> None:
    for name in table:
        if name not in known:
            raise BadFormat(f"`{prefix}{name}` means nothing here; known are {', '.join(sorted(known))}")
