"""The log of changes that VS Code keeps of a document: what has become of the document by its end.

A line is one change: 0 is the whole document, 1 sets what a path leads to, 2 cuts a list and adds to it, 3 deletes.
"""

from typing import Any

from noctuary.transcripts.jsonl import Record

_WHOLE, _SET, _PUSH, _DELETE = range(4)


class Document:
    """A document as far as its log was read; None before its first line.

    What is cut out of the list of a name that it has at its top is kept apart.
    """

    def __init__(self, watched: str = "") -> None:
        self.value: Any = None
        self.cut: list[Any] = []
        self._watched = watched

    def take(self, change: Record) -> bool:
        """Apply one change; False if it does not fit the document, which then stays as it is."""
        kind, path = change.get("kind"), change.get("k")
        if kind == _WHOLE and type(kind) is int:
            self.cut += self._list()
            self.value = change.get("v")
            return True
        if type(kind) is not int or type(path) is not list or not path:
            return False
        if path[0] == self._watched:
            self._keep_cut(kind, path, change.get("i"))
        holder = self._at(path[:-1])
        if kind == _SET:
            return _put(holder, path[-1], change.get("v"))
        if kind == _PUSH:
            return _push(holder, path[-1], change.get("v"), change.get("i"))
        return kind == _DELETE and _delete(holder, path[-1])

    def _list(self) -> list[Any]:
        found = _get(self.value, self._watched)
        return found if type(found) is list else []

    def _keep_cut(self, kind: int, path: list[Any], start: Any) -> None:
        """Note what a change is about to cut out of the watched list."""
        if len(path) == 1:
            is_cut = kind in (_SET, _DELETE) or (kind == _PUSH and type(start) is int and start >= 0)
            self.cut += self._list()[start if kind == _PUSH else 0 :] if is_cut else []
        elif kind == _DELETE and len(path) == 2:  # the list, and a place in it
            self.cut += [found] if (found := _get(self._list(), path[1])) is not None else []

    def _at(self, path: list[Any]) -> Any:
        here = self.value
        for step in path:
            here = _get(here, step)
        return here


def _get(holder: Any, step: Any) -> Any:
    if type(holder) is dict and type(step) is str:
        return holder.get(step)
    if type(holder) is list and type(step) is int and 0 <= step < len(holder):
        return holder[step]
    return None


def _put(holder: Any, step: Any, value: Any) -> bool:
    if type(holder) is dict and type(step) is str:
        holder[step] = value
        return True
    if type(holder) is list and type(step) is int and 0 <= step <= len(holder):
        holder[step : step + 1] = [value]
        return True
    return False


def _push(holder: Any, step: Any, added: Any, start: Any) -> bool:
    """Add to a list, from a place on if one is named: what stood there goes."""
    old = _get(holder, step)
    if old is None and not _put(holder, step, []):
        return False
    into = _get(holder, step)
    if type(into) is not list:
        return False
    if type(start) is int and start >= 0:
        del into[start:]
    if type(added) is list:
        into += added
    return True


def _delete(holder: Any, step: Any) -> bool:
    if type(holder) is dict and type(step) is str:
        holder.pop(step, None)
        return True
    if type(holder) is list and type(step) is int and 0 <= step < len(holder):
        del holder[step]
        return True
    return False
