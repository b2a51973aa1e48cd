"""Put a value into a JSON text, or take one out, in the style of the text; no other character changes.

Every change is a list of edits, so that it can be shown and, as long as nobody else edits the text, undone exactly.
"""

import json
import re
from collections.abc import Iterable, Sequence
from typing import NamedTuple

from noctuary.agents import jsonc
from noctuary.agents.jsonc import Node
from noctuary.errors import BadSettings

_SPACE = " \t\r\n"
Path = Sequence[str]


class Edit(NamedTuple):
    """What stood at a place, and what stands there now; places count in the text as the edits before left it."""

    at: int
    removed: str
    inserted: str


class Spliced(NamedTuple):
    """A text with a value put in."""

    text: str
    edits: tuple[Edit, ...]
    made: tuple[tuple[str, ...], ...]  # objects and arrays that were not there before, from the outermost


class _Style(NamedTuple):
    """How a text is written."""

    newline: str
    unit: str  # of indentation
    colon: str
    comma: str  # between items on one line
    is_flat: bool  # it stands on one line


def edited(text: str, edits: Iterable[Edit]) -> str:
    """The text after these edits."""
    for edit in edits:
        text = text[: edit.at] + edit.inserted + text[edit.at + len(edit.removed) :]
    return text


def undone(text: str, edits: Sequence[Edit]) -> str:
    """The text before these edits, if nothing else was changed since."""
    return edited(text, [Edit(each.at, each.inserted, each.removed) for each in reversed(edits)])


def put_member(text: str, path: Path, key: str, value: object) -> Spliced:
    """Let the object at this path have a member; objects that are missing are made.

    BadSettings if something else than an object is in the way; the member must not be there yet.
    """
    return _put(text, [*path, key], value)


def append_item(text: str, path: Path, value: object) -> Spliced:
    """Let the array at this path have one more item; it is made if it is missing."""
    return _put(text, path, [value], item=value)


def _put(text: str, path: Path, value: object, item: object = None) -> Spliced:
    root = jsonc.skim(text)
    style = _style_of(text, root)
    if root is None:
        return _put_into_nothing(text, path, value, style)
    node = root
    for depth, key in enumerate(path):
        if not isinstance(node.data, dict):
            raise BadSettings(f"{_named(path[:depth])} is not an object")
        inner = node.member(key)
        if inner is None:
            whole = _nested(path[depth + 1 :], value)
            made = _containers(path[: depth + 1], whole)
            return _done(text, _insertion(text, node, style, whole, key), made)
        node = inner
    if not isinstance(node.data, list):
        raise BadSettings(f"{_named(path)} is not {'a list' if item is not None else 'free'}")
    return _done(text, _insertion(text, node, style, item, None), ())


def _put_into_nothing(text: str, path: Path, value: object, style: _Style) -> Spliced:
    whole = _nested(path, value)
    start = style.newline if text and text[-1] not in "\r\n\ufeff" else ""
    written = start + _written(whole, style, "", is_flat=False, is_root=True) + style.newline
    return _done(text, [Edit(len(text), "", written)], ((), *_containers((), whole)))


def _done(text: str, edits: Sequence[Edit], made: tuple[tuple[str, ...], ...]) -> Spliced:
    return Spliced(edited(text, edits), tuple(edits), made)


def _nested(keys: Path, value: object) -> object:
    for key in reversed(keys):
        value = {key: value}
    return value


def _containers(path: Path, value: object) -> tuple[tuple[str, ...], ...]:
    """The paths of the objects and arrays in a value that is put in, and of what they hold of their own."""
    found = [tuple(path)]
    if isinstance(value, dict):
        for key, inner in value.items():
            found += _containers((*path, key), inner) if isinstance(inner, dict | list) else [(*path, key)]
    return tuple(found) if path else tuple(found[1:])


def _named(path: Path) -> str:
    return f"`{'.'.join(path)}`" if path else "the whole"


def _insertion(text: str, node: Node, style: _Style, value: object, key: str | None) -> list[Edit]:
    """The edits that put a member or an item at the end of an object or array."""
    last = _end_of_last(text, node)
    own = _indent_at(text, node.start)
    is_flat = _is_flat(text, node, style)
    indent = _indent_of_items(text, node, own + style.unit)
    new = _written(value, style, indent, is_flat=is_flat or key is None)
    if key is not None:
        new = _flat(key) + style.colon + new
    if not node.items:
        return [_into_empty(text, node, style, new, indent, own, last)]
    end = node.items[-1].end
    is_after_comment = "//" in text[end:last]  # what follows such a comment on its line is part of it
    lead = style.comma[1:] if is_flat and not is_after_comment else style.newline + indent
    if len(node.commas) == len(node.items):
        return [Edit(last, "", f"{lead}{new},")]
    if end == last:
        return [Edit(end, "", f",{lead}{new}")]
    return [Edit(last, "", f"{lead}{new}"), Edit(end, "", ",")]


def _into_empty(text: str, node: Node, style: _Style, new: str, indent: str, own: str, last: int) -> Edit:
    space = text[last : node.end - 1]
    if _is_flat(text, node, style):
        return Edit(last, space, new)
    if "\n" in space or "\r" in space:
        return Edit(last, "", style.newline + indent + new)
    return Edit(last, space, style.newline + indent + new + style.newline + own)


def _end_of_last(text: str, node: Node) -> int:
    """The end of the last thing inside, a comment too; of a line comment, before its newline."""
    at = node.end - 1
    while text[at - 1] in _SPACE:
        at -= 1
    return at


def _is_flat(text: str, node: Node, style: _Style) -> bool:
    """Whether what the array or object holds stands on the line of its bracket."""
    if not node.items:
        return style.is_flat
    between = text[node.start : node.starts_of(0)]
    return "\n" not in between and "\r" not in between


def _indent_of_items(text: str, node: Node, otherwise: str) -> str:
    if node.items and not text[_start_of_line(text, node.starts_of(0)) : node.starts_of(0)].strip(" \t"):
        return _indent_at(text, node.starts_of(0))
    return otherwise


def _start_of_line(text: str, at: int) -> int:
    return max(text.rfind("\n", 0, at), text.rfind("\r", 0, at), 0 if text.startswith("\ufeff") else -1) + 1


def _indent_at(text: str, at: int) -> str:
    """The white space that the line begins with."""
    start = _start_of_line(text, at)
    line = text[start:at]
    return line[: len(line) - len(line.lstrip(" \t"))]


def _style_of(text: str, root: Node | None) -> _Style:
    newline = next((found for found in re.findall(r"\r\n|\n|\r", text)), "\n")
    if root is None or not root.items:
        return _Style(newline, "  ", ": ", ", ", is_flat=False)
    outer, inner = _indent_at(text, root.start), _indent_of_items(text, root, "")
    unit = inner.removeprefix(outer) or "  "
    is_flat = "\n" not in text[root.start : root.end] and "\r" not in text[root.start : root.end]
    is_tight = is_flat and re.search(r'":(?! )', text) is not None and '": ' not in text
    return _Style(newline, unit, ":" if is_tight else ": ", "," if is_tight else ", ", is_flat)


def _written(value: object, style: _Style, indent: str, *, is_flat: bool, is_root: bool = False) -> str:
    """A value in the style of the text; what is innermost stands on one line, so that a difference can be read."""
    if is_flat or not value or not (is_root or _is_outer(value)):
        return json.dumps(value, ensure_ascii=False, separators=(style.comma, style.colon))
    inner = indent + style.unit
    if isinstance(value, dict):
        lines = [
            f"{_flat(key)}{style.colon}{_written(each, style, inner, is_flat=False)}" for key, each in value.items()
        ]
    else:
        lines = [_flat(each) for each in value] if isinstance(value, list) else []
    start, end = ("{", "}") if isinstance(value, dict) else ("[", "]")
    return style.newline.join([start, *(f"{inner}{line}," for line in lines[:-1]), inner + lines[-1], indent + end])


def _flat(value: object) -> str:
    return json.dumps(value, ensure_ascii=False)


def _is_outer(value: object) -> bool:
    """Whether it holds only objects and arrays: a table of things, not a thing."""
    held = list(value.values()) if isinstance(value, dict) else value if isinstance(value, list) else [None]
    return all(isinstance(each, dict | list) for each in held)


def without(text: str, node: Node, index: int) -> str:
    """The text without one item of an array or member of an object, and without the comma that it needed.

    Comments stay.  BadSettings if that cannot be done so that all other items stay, too.
    """
    rest = [(node.keys[at : at + 1], item.data) for at, item in enumerate(node.items) if at != index]
    for start in (_start_of_space(text, node.starts_of(index)), node.starts_of(index)):
        shorter = _without(text, node, index, start)
        if _items_at(shorter, node.start) == rest:
            return shorter
    raise BadSettings("the layout is too unusual to take something out of it")


def _items_at(text: str, start: int) -> list[tuple[tuple[str, ...], object]] | None:
    """The items of the array or object that begins here."""
    for read in (jsonc.skim, jsonc.read):  # the second knows places that the first has passed over
        try:
            waiting = [read(text)]
        except BadSettings:
            return None
        while waiting:
            node = waiting.pop()
            if node and node.start == start and (node.items or node.data in ({}, [])):
                return [(node.keys[at : at + 1], item.data) for at, item in enumerate(node.items)]
            waiting += [item for item in node.items if item.start <= start < item.end] if node else []
    return None


def _without(text: str, node: Node, index: int, before: int) -> str:
    """The same, with the white space from `before` on."""
    start, end = node.starts_of(index), node.items[index].end
    if index + 1 < len(node.items) and (index == 0 or text[before - 1] != ","):
        comma, following = node.commas[index], node.starts_of(index + 1)
        if comma == end and not text[comma + 1 : following].strip(_SPACE):
            return text[:start] + text[following:]
        return _cut(text, (before, end), (comma, comma + 1))
    if index + 1 == len(node.commas):  # the last, and the style is a comma after the last
        shorter = _cut(text, (before, end), (node.commas[index], node.commas[index] + 1))
    elif index:
        comma = node.commas[index - 1]
        shorter = _cut(text, (comma, comma + 1), (before, end))
    else:
        shorter = _cut(text, (before, end))
    return shorter if index else _emptied(shorter, node.start)


def _cut(text: str, *spans: tuple[int, int]) -> str:
    for start, end in sorted(spans, reverse=True):
        text = text[:start] + text[end:]
    return text


def _emptied(text: str, start: int) -> str:
    """Let a pair of brackets with nothing but white space in it stand close together."""
    inside = re.compile(r"[ \t\r\n]*(?=[\]}])").match(text, start + 1)
    return text[: start + 1] + text[inside.end() :] if inside else text


def _start_of_space(text: str, at: int) -> int:
    while at and text[at - 1] in _SPACE:
        at -= 1
    return at
