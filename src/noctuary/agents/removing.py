"""Take out of the settings of an agent what install put in, and nothing else.

If nobody else has changed the file the edits are undone, and it is what it was.  Else what is ours is found by what it
calls and cut out, in whichever way leaves the text around it as it is.
"""

import re
from collections.abc import Iterator, Sequence

from noctuary.agents import jsonc, splicing
from noctuary.agents.commands import is_our_hook, is_our_server
from noctuary.agents.jsonc import Node
from noctuary.agents.known import SERVER
from noctuary.agents.remembered import Remembered
from noctuary.agents.splicing import Edit
from noctuary.errors import BadSettings

_PLACES = (("mcpServers",), ("mcp",), ("mcp", "servers"))
_COMMENTS = re.compile(r'"(?:[^"\\]|\\.)*"|(//[^\r\n]*|/\*.*?\*/)', re.DOTALL)  # a string may hold what looks like one


def removed(text: str, remembered: Remembered | None) -> str:
    """The text without what is ours; BadSettings if it cannot be read."""
    if remembered and remembered.is_after(text):
        return splicing.undone(text, remembered.edits)
    plain = _cut_out(text, remembered)
    careful = _found_and_undone(text, remembered.edits) if remembered else None
    return careful if careful is not None and _says_the_same(careful, plain, text) else plain


def _says_the_same(text: str, plain: str, before: str) -> bool:
    """Whether it holds what the other holds, comments too, and has no comma at an end where there was none before."""
    try:
        root, other, old = jsonc.skim(text), jsonc.skim(plain), jsonc.skim(before)
    except BadSettings:
        return False
    if (root.data if root else None) != (other.data if other else None):
        return False
    if _comments(text) != _comments(plain):  # a comma that stood after ours would be the end of one
        return False
    return _commas_at_ends(root) <= _commas_at_ends(old)


def _comments(text: str) -> list[str]:
    return [found for found in _COMMENTS.findall(text) if found]


def _commas_at_ends(node: Node | None) -> int:
    if node is None:
        return 0
    return (len(node.commas) == len(node.items) > 0) + sum(map(_commas_at_ends, node.items))


def _found_and_undone(text: str, edits: Sequence[Edit]) -> str | None:
    """Undo each edit where its text is found; None if one is not to be found, or more than once."""
    for edit in reversed(edits):
        if text.count(edit.inserted) != 1:
            return None
        text = text.replace(edit.inserted, edit.removed)
    return text


def _cut_out(text: str, remembered: Remembered | None) -> str:
    """Cut out our entries one by one, then what was made to hold them and holds nothing now."""
    touched: set[tuple[str, ...]] = set()
    while found := _first_of_ours(text):
        path, node, index = found
        touched |= {path[:end] for end in range(1, len(path) + 1)}
        text = splicing.without(text, node, index)
    may_go = touched if remembered is None else touched & set(remembered.made)
    for path in sorted(may_go, key=len, reverse=True):
        text = _without_empty(text, path)
    if remembered and ("version",) in remembered.made:
        text = _without_version(text)
    return text


def _first_of_ours(text: str) -> tuple[tuple[str, ...], Node, int] | None:
    """The path of what holds it, that array or object, and which item of it is ours."""
    root = jsonc.skim(text)
    if root is None:
        return None
    for key, events in zip(root.keys, root.items, strict=False):
        for event, groups in zip(events.keys, events.items, strict=False) if key == "hooks" else ():
            if found := next(_ours_in(groups), None):
                return ("hooks", event), *found
    for path in _PLACES:
        node: Node | None = root
        for key in path:
            node = node.member(key) if node else None
        index = node.index_of(SERVER) if node else None
        if node and index is not None and is_our_server(node.items[index].data):
            return path, node, index
    return None


def _ours_in(groups: Node) -> Iterator[tuple[Node, int]]:
    """Handlers of ours below an event: alone, in a group of their own, or in a group with others."""
    for index, group in enumerate(groups.items):
        handlers = group.member("hooks")
        ours = [at for at, each in enumerate(handlers.items) if is_our_hook(each.data)] if handlers else []
        if is_our_hook(group.data) or (handlers and ours and len(ours) == len(handlers.items)):
            yield groups, index
        elif handlers and ours:
            yield handlers, ours[0]


def _without_empty(text: str, path: tuple[str, ...]) -> str:
    """The text without the object or array at this path, if there is nothing in it any more."""
    node = jsonc.skim(text)
    for key in path[:-1]:
        node = node.member(key) if node else None
    index = node.index_of(path[-1]) if node else None
    if node is None or index is None or node.items[index].data not in ({}, []):
        return text
    return splicing.without(text, node, index)


def _without_version(text: str) -> str:
    """The text without the version of a file of hooks, if there are no hooks for it to speak of."""
    root = jsonc.skim(text)
    index = root.index_of("version") if root else None
    return splicing.without(text, root, index) if root and index is not None and len(root.items) == 1 else text
