"""What one file of an agent should hold of ours, and its text with that put in."""

from collections.abc import Mapping, Sequence
from typing import NamedTuple

from noctuary.agents import jsonc, splicing, toml_text
from noctuary.agents.commands import arguments_of, is_our_hook, is_our_server
from noctuary.agents.known import SERVER
from noctuary.agents.remembered import Remembered
from noctuary.agents.removing import removed
from noctuary.agents.splicing import Edit, Spliced


class Wanted(NamedTuple):
    """What a file should hold of ours."""

    agent: str
    hooks: Mapping[str, object]  # by event
    server: Mapping[str, object] | None = None
    server_at: tuple[str, ...] = ()
    is_toml: bool = False


class Merged(NamedTuple):
    """A text with what is wanted in it, and how that came about."""

    text: str
    base: str  # the text without anything of ours
    edits: tuple[Edit, ...] = ()
    made: tuple[tuple[str, ...], ...] = ()
    is_server_foreign: bool = False  # somebody else wrote an entry under our name, and it stays


def merged(text: str, wanted: Wanted, remembered: Remembered | None) -> Merged:
    """The text with what is wanted, and without anything else of ours; BadSettings if it cannot be changed."""
    if wanted.is_toml:
        return _merged_toml(text, wanted, remembered)
    root = jsonc.skim(text)
    at = _place_of_server(root.data if root else None, wanted)
    entry = _looked_up(root.data if root else None, (*at, SERVER))
    is_foreign = wanted.server is not None and entry is not None and not is_our_server(entry)
    if is_foreign:
        wanted = wanted._replace(server=None)
    if root and _holds(root.data, wanted, at):
        return Merged(text, text, is_server_foreign=is_foreign)
    base = removed(text, remembered)
    parts = _put_in(base, wanted, at)
    edits = tuple(edit for part in parts for edit in part.edits)
    made = tuple(path for part in parts for path in part.made)
    return Merged(parts[-1].text if parts else base, base, edits, made, is_foreign)


def _put_in(text: str, wanted: Wanted, at: tuple[str, ...]) -> list[Spliced]:
    """Put everything in, one after the other."""
    parts: list[Spliced] = []
    now = text
    root = jsonc.skim(text)
    held = root.data if root else {}
    has_hooks = isinstance(held, dict) and "hooks" in held
    if wanted.agent == "cursor" and wanted.hooks and isinstance(held, dict) and "version" not in held:
        parts.append(splicing.put_member(now, (), "version", 1))
        now = parts[-1].text
    if wanted.hooks and not has_hooks:
        whole = {event: [entry] for event, entry in wanted.hooks.items()}
        parts.append(splicing.put_member(now, (), "hooks", whole))
        now = parts[-1].text
    for event, entry in wanted.hooks.items() if has_hooks else ():
        parts.append(splicing.append_item(now, ("hooks", event), entry))
        now = parts[-1].text
    if wanted.server is not None:
        parts.append(splicing.put_member(now, at, SERVER, wanted.server))
    return parts


def _holds(data: object, wanted: Wanted, at: tuple[str, ...]) -> bool:
    """Whether all that is wanted is called from there already, and nothing else of ours; the rest is the user's."""
    hooks = _looked_up(data, ("hooks",))
    there = {event: _ours_below(groups) for event, groups in hooks.items()} if isinstance(hooks, dict) else {}
    ours = {event: [_called(each) for each in found] for event, found in there.items() if found}
    return ours == {event: [_called(each)] for event, each in wanted.hooks.items()} and _is_same_server(
        _looked_up(data, (*at, SERVER)), wanted.server
    )


def _called(entry: object) -> list[list[str] | None]:
    """The command lines of ours in an entry below an event."""
    return [arguments_of(each) for each in (entry, *_handlers(entry)) if is_our_hook(each)]


def _is_same_server(entry: object, wanted: Mapping[str, object] | None) -> bool:
    if wanted is None or not isinstance(entry, dict):
        return wanted is None and not is_our_server(entry)
    return all(entry.get(name) == wanted.get(name) for name in ("command", "args"))


def _ours_below(groups: object) -> list[object]:
    """The entries below an event that call our hook."""
    found = groups if isinstance(groups, list) else []
    return [each for each in found if is_our_hook(each) or any(map(is_our_hook, _handlers(each)))]


def _handlers(group: object) -> Sequence[object]:
    inner = group.get("hooks") if isinstance(group, dict) else None
    return inner if isinstance(inner, list) else ()


def handlers_in(text: str) -> list[object]:
    """All handlers of ours in a settings file."""
    root = jsonc.skim(text)
    hooks = _looked_up(root.data if root else None, ("hooks",))
    groups = [each for below in (hooks.values() if isinstance(hooks, dict) else ()) for each in _ours_below(below)]
    return [each for group in groups for each in (group, *_handlers(group)) if is_our_hook(each)]


def server_in(text: str, wanted: Wanted) -> object:
    """The entry for an MCP server under our name, whoever wrote it."""
    if wanted.is_toml:
        return toml_text.server_in(text)
    root = jsonc.skim(text)
    data = root.data if root else None
    return _looked_up(data, (*_place_of_server(data, wanted), SERVER))


def _place_of_server(data: object, wanted: Wanted) -> tuple[str, ...]:
    """Where servers are written; OpenCode has two ways, and keeps to the one it was begun with."""
    if wanted.agent == "opencode":
        servers = _looked_up(data, ("mcp", "servers"))
        if isinstance(servers, dict) and "type" not in servers:
            return ("mcp", "servers")
    return wanted.server_at


def _looked_up(data: object, path: Sequence[str]) -> object:
    for key in path:
        data = data.get(key) if isinstance(data, dict) else None
    return data


def _merged_toml(text: str, wanted: Wanted, remembered: Remembered | None) -> Merged:
    entry = toml_text.server_in(text)
    if entry is not None and not is_our_server(entry):
        return Merged(text, text, is_server_foreign=wanted.server is not None)
    if _is_same_server(entry, wanted.server):
        return Merged(text, text)
    base = toml_text.without_server(text, remembered)
    if wanted.server is None:
        return Merged(base, base)
    spliced = toml_text.with_server(base, wanted.server)
    return Merged(spliced.text, base, spliced.edits, spliced.made)
