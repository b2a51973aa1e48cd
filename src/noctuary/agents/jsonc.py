"""JSON as people write it, read with the place of every value, so that a part can be changed and all else stays.

Settings of agents hold comments, commas at the end and any layout; parsed and dumped again they would lose it.  What
`json` reads is read the same way; comments and a comma before a closing bracket are allowed besides.
"""

import json
import re
from typing import NamedTuple

from noctuary.errors import BadSettings

_DEEPEST = 100  # brackets inside each other: no settings are like that, and a reader must end
_SCALAR = frozenset('"-0123456789tfn')
_DECODER = json.JSONDecoder()
_SKIPPED = re.compile(r"(?:[ \t\r\n]+|//[^\r\n]*|/\*.*?\*/)*", re.DOTALL)
_PLACES = frozenset(["hooks", "mcpServers", "mcp"])  # members of settings that we look into


class Node(NamedTuple):
    """A value, and where it stands."""

    start: int
    end: int
    data: object  # as `json` would give it: of two members with one name the last counts
    keys: tuple[str, ...] = ()  # of an object, in the order of `items`
    key_starts: tuple[int, ...] = ()
    items: tuple["Node", ...] = ()  # of an array, or the values of an object
    commas: tuple[int, ...] = ()  # where they stand; as many as items if the last is followed by one, too

    def starts_of(self, index: int) -> int:
        """Where an item begins, with its name."""
        return self.key_starts[index] if self.key_starts else self.items[index].start

    def index_of(self, key: str) -> int | None:
        """Which member has this name: the last of them, as in `json`."""
        found = [index for index, each in enumerate(self.keys) if each == key]
        return found[-1] if found else None

    def member(self, key: str) -> "Node | None":
        """The value that counts under this name."""
        index = self.index_of(key)
        return None if index is None else self.items[index]


class _Open(NamedTuple):
    """An array or an object whose end is not found yet."""

    start: int
    is_object: bool
    keys: list[str]
    key_starts: list[int]
    items: list[Node]
    commas: list[int]


def read(text: str) -> Node | None:
    """The value in a text, None if there is none; BadSettings with the place if it is no JSON."""
    return _read(text, _Reader(text))


def skim(text: str) -> Node | None:
    """The same, but what other members of the whole hold is read without its places, if it is plain JSON.

    Agents keep megabytes of their own in the files that we change.
    """
    return _read(text, _Skimmer(text))


def _read(text: str, reader: "_Reader") -> Node | None:
    at = skipped(text, 1 if text.startswith("\ufeff") else 0)
    if at == len(text):
        return None
    root = reader.value(at)
    if skipped(text, root.end) != len(text):
        raise _wrong(text, skipped(text, root.end), "something follows after the end")
    return root


def skipped(text: str, at: int) -> int:
    """Where the next thing begins that is neither white space nor a comment."""
    found = _SKIPPED.match(text, at)
    end = found.end() if found else at
    if text.startswith("/*", end):
        raise _wrong(text, end, "a comment has no end")
    return end


class _Reader:
    """Reads one text; arrays and objects that are open are kept in a list, so depth costs no stack."""

    def __init__(self, text: str) -> None:
        self.text = text
        self.open: list[_Open] = []

    def value(self, at: int) -> Node:
        """The value that begins here."""
        while True:
            begun = self._begin(at)
            if begun is None:  # an array or an object was opened
                at = skipped(self.text, at + 1)
                if not self._closes(at):
                    at = self._named(at)
                    continue
                begun = self._close(at)
            while self.open:  # what was read is an item; a comma leads to the next, a bracket ends it all
                self.open[-1].items.append(begun)
                at = self._after_item(begun.end)
                if not self._closes(at):
                    break
                begun = self._close(at)
            else:
                return begun
            at = self._named(at)

    def _begin(self, at: int) -> Node | None:
        letter = self.text[at : at + 1]
        if letter in ("{", "["):
            if len(self.open) >= _DEEPEST:
                raise _wrong(self.text, at, "it is nested too deeply")
            self.open.append(_Open(at, letter == "{", [], [], [], []))
            return None
        return self._scalar(at)

    def _scalar(self, at: int) -> Node:
        text = self.text
        if text[at : at + 1] not in _SCALAR or not text[at : at + 1] or text.startswith("-I", at):
            raise _wrong(text, at, "a value is missing" if at < len(text) else "it ends too early")
        try:
            data, end = _DECODER.raw_decode(text, at)
        except (ValueError, RecursionError) as error:
            message = error.msg if isinstance(error, json.JSONDecodeError) else str(error)
            raise _wrong(text, at, message[:1].lower() + message[1:]) from error
        return Node(at, end, data)

    def _named(self, at: int) -> int:
        """Read the name before a member, if this is an object; where its value begins."""
        inner = self.open[-1]
        if not inner.is_object:
            return at
        if self.text[at : at + 1] != '"':
            raise _wrong(self.text, at, "a name in double quotes is missing")
        name = self._scalar(at)
        colon = skipped(self.text, name.end)
        if self.text[colon : colon + 1] != ":":
            raise _wrong(self.text, colon, "a colon is missing")
        inner.keys.append(str(name.data))
        inner.key_starts.append(at)
        return skipped(self.text, colon + 1)

    def _after_item(self, at: int) -> int:
        """Read the comma after an item, if there is one; where the next item or the closing bracket is."""
        at = skipped(self.text, at)
        if self.text[at : at + 1] == ",":
            self.open[-1].commas.append(at)
            return skipped(self.text, at + 1)
        if not self._closes(at):
            raise _wrong(self.text, at, "a comma is missing" if at < len(self.text) else "it ends too early")
        return at

    def _closes(self, at: int) -> bool:
        return self.text[at : at + 1] == ("}" if self.open[-1].is_object else "]")

    def _close(self, at: int) -> Node:
        done = self.open.pop()
        values = [item.data for item in done.items]
        return Node(
            start=done.start,
            end=at + 1,
            data=dict(zip(done.keys, values, strict=True)) if done.is_object else values,
            keys=tuple(done.keys),
            key_starts=tuple(done.key_starts),
            items=tuple(done.items),
            commas=tuple(done.commas),
        )


class _Skimmer(_Reader):
    """The same for who needs the places of a few members only."""

    def _begin(self, at: int) -> Node | None:
        is_other = len(self.open) == 1 and self.open[0].is_object and self.open[0].keys[-1] not in _PLACES
        if is_other and self.text[at : at + 1] in ("{", "["):
            try:
                data, end = _DECODER.raw_decode(self.text, at)
            except (ValueError, RecursionError):
                return super()._begin(at)
            return Node(at, end, data)
        return super()._begin(at)


def _wrong(text: str, at: int, what: str) -> BadSettings:
    line = text.count("\n", 0, at) + 1
    column = at - (text.rfind("\n", 0, at) + 1) + 1
    return BadSettings(f"line {line}, column {column}: {what}")
