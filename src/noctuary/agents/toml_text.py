"""The same for TOML: a marked block at the end of a file, and a setting in a table of our own file.

Whatever is written is read again with `tomllib` first, and must say what was meant and nothing else.
"""

import json
import re
import tomllib
from collections.abc import Mapping

from noctuary.agents.known import SERVER
from noctuary.agents.remembered import Remembered
from noctuary.agents.splicing import Edit, Spliced, edited, undone
from noctuary.errors import BadSettings

BEGIN, END = "# noctuary: begin", "# noctuary: end"
_TABLE = "mcp_servers"
_MARKS = re.compile(rf"^{BEGIN}[ \t]*\r?\n((?:(?!^{BEGIN}).)*?)^{END}[ \t]*(?:\r?\n|\Z)", re.MULTILINE | re.DOTALL)
_OURS = re.compile(rf"^\[{_TABLE}\.{SERVER}\][^\n]*\n(?:(?!\[|{END})[^\n]*(?:\n|\Z))*", re.MULTILINE)
_HOOKS = re.compile(r"^[ \t]*\[[ \t]*hooks[ \t]*\][ \t]*(?:#[^\r\n]*)?(?=\r?\n|\Z)", re.MULTILINE)
_RECALL = re.compile(r"^([ \t]*prompt_recall[ \t]*=[ \t]*)false\b", re.MULTILINE)


def read(text: str) -> dict[str, object]:
    """What a text says; BadSettings if it is no TOML."""
    try:
        return tomllib.loads(text.removeprefix("\ufeff"))
    except (tomllib.TOMLDecodeError, RecursionError) as error:
        raise BadSettings(f"it is no TOML: {error}") from error


def server_in(text: str) -> object:
    """The entry of our MCP server, or None."""
    servers = read(text).get(_TABLE)
    return servers.get(SERVER) if isinstance(servers, dict) else None


def with_server(text: str, entry: Mapping[str, object]) -> Spliced:
    """The text with a marked block for our MCP server at its end; BadSettings if TOML does not allow one there."""
    newline = "\r\n" if "\r\n" in text else "\n"
    start = newline * (0 if not text.strip("\ufeff") else 1 if text[-1] == "\n" else 2)
    values = [f"{name} = {json.dumps(value, ensure_ascii=False)}" for name, value in entry.items()]
    lines = [BEGIN, f"[{_TABLE}.{SERVER}]", *values, END, ""]
    edit = Edit(len(text), "", start + newline.join(lines))
    after = edited(text, [edit])
    expected = read(text)
    servers = expected.setdefault(_TABLE, {})
    if isinstance(servers, dict):
        servers[SERVER] = {**entry}
    if _says(after) != expected:
        raise BadSettings(f"`{_TABLE}` is written there in a way that cannot be added to; add the server by hand")
    return Spliced(after, (edit,), ())


def without_server(text: str, remembered: Remembered | None) -> str:
    """The text without that block; BadSettings if it cannot be told from what others wrote."""
    if remembered and remembered.is_after(text):
        return undone(text, remembered.edits)
    expected = read(text)
    servers = expected.get(_TABLE)
    if not isinstance(servers, dict) or SERVER not in servers:
        return _MARKS.sub("", text) if _MARKS.search(text) and _is_empty_block(text) else text
    del servers[SERVER]
    inserted = remembered.edits[-1].inserted if remembered and remembered.edits else None
    candidates = [text.replace(inserted, "")] if inserted and text.count(inserted) == 1 else []
    candidates += [_MARKS.sub("", text), _without_marks(_OURS.sub("", text))]
    for candidate in candidates:
        said = _says(candidate)
        if said is not None and {_TABLE: {}, **said} == {**expected, _TABLE: servers}:
            return candidate
    raise BadSettings(f"`{_TABLE}.{SERVER}` is mixed with other settings there; take it out by hand")


def _is_empty_block(text: str) -> bool:
    return all(not line.strip() for found in _MARKS.findall(text) for line in found.splitlines())


def _without_marks(text: str) -> str:
    return re.sub(rf"^(?:{BEGIN}|{END})[ \t]*(?:\r?\n|\Z)", "", text, flags=re.MULTILINE)


def with_recall(text: str) -> Spliced:
    """Our own settings with `prompt_recall = true` in the table `hooks`; BadSettings if that takes a person."""
    expected = read(text)
    hooks = expected.setdefault("hooks", {})
    if isinstance(hooks, dict):
        if hooks.get("prompt_recall") is True:
            return Spliced(text, (), ())
        hooks["prompt_recall"] = True
    newline = "\r\n" if "\r\n" in text else "\n"
    start = newline if text and text[-1] not in "\n\ufeff" else ""
    options = [Edit(len(text), "", f"{start}[hooks]{newline}prompt_recall = true{newline}")]
    options += [Edit(each.end(), "", f"{newline}prompt_recall = true") for each in _HOOKS.finditer(text)]
    options += [Edit(each.end(1), "false", "true") for each in _RECALL.finditer(text)]
    for edit in options:
        after = edited(text, [edit])
        if _says(after) == expected:
            return Spliced(after, (edit,), ())
    raise BadSettings("`hooks` is written there in an unusual way; write `prompt_recall = true` by hand")


def without_recall(text: str, remembered: Remembered) -> str:
    """Our own settings as they were before that, or as near to it as what was changed since allows."""
    if remembered.is_after(text):
        return undone(text, remembered.edits)
    expected = read(text)
    hooks = expected.get("hooks")
    if not isinstance(hooks, dict) or hooks.pop("prompt_recall", None) is not True:
        return text
    (edit,) = remembered.edits
    setting = re.compile(r"^[ \t]*prompt_recall[ \t]*=[ \t]*true[ \t]*(?:#[^\r\n]*)?(?:\r?\n|\Z)", re.MULTILINE)
    candidates = [text.replace(edit.inserted, edit.removed)] if text.count(edit.inserted) == 1 else []
    for candidate in [*candidates, setting.sub("", text)]:
        said = _says(candidate)
        if said is not None and {"hooks": {}, **said} in (
            expected,
            {**expected, "hooks": {**hooks, "prompt_recall": False}},
        ):
            return candidate
    raise BadSettings("`prompt_recall` is written there in an unusual way; take it out by hand")


def _says(text: str) -> dict[str, object] | None:
    try:
        return read(text)
    except BadSettings:
        return None
