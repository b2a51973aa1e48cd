"""How the records of a Claude Code transcript hang together, kept small enough for the longest of them.

A record names its parent.  Parallel tool calls make branches that are all part of the conversation; a prompt
that goes back to an earlier record leaves behind a branch that no longer is.  About 24 bytes a record.
"""

from array import array
from hashlib import blake2b
from uuid import UUID

_SIZE = 16
_SPELLED = 36  # characters of a UUID
_NOBODY = -1


class Tree:
    """Records in the order of the file, each with its parent and the number of its messages."""

    def __init__(self) -> None:
        self._keys = bytearray()
        self._parents = array("l")
        self._counts = array("H")
        self._spoken = bytearray()  # 2: typed by a human, 1: said by the agent, 0: neither
        self._names: dict[int, str] = {}  # ids that are not spelled like a UUID
        self._others: dict[int, str] = {}  # records whose message is known by another uid

    def add(self, uuid: str, *, parent: str, messages: int, spoken: int, other: str | None = None) -> None:
        """Append a record."""
        index = len(self._parents)
        key = _key(uuid)
        if _spelling(key) != uuid:
            self._names[index] = uuid
        if other is not None:
            self._others[index] = other
        self._parents.append(self._find(parent))
        self._keys += key
        self._counts.append(min(messages, 65535))
        self._spoken.append(spoken)

    def __contains__(self, uuid: str) -> bool:
        return self._find(uuid) != _NOBODY

    def leave(self, parent: str, *, spoken: int) -> tuple[str, ...]:
        """Go back to the parent: the uids of all messages that hung below it, which are thereby forgotten.

        Nothing is left behind if nothing there was spoken, at least of the given sort: then it was no branch
        of the conversation but results or notices beside it.
        """
        origin = self._find(parent)
        if origin == _NOBODY:
            return ()
        below = self._below(origin)
        if not any(self._spoken[index] >= spoken for index in below):
            return ()
        uids = [uid for index in below for uid in self._uids(index)]
        for index in below:
            self._counts[index] = self._spoken[index] = 0
        return tuple(uids)

    def _below(self, origin: int) -> list[int]:
        reached = {origin}
        below = []
        for index in range(origin + 1, len(self._parents)):
            if self._parents[index] in reached:
                reached.add(index)
                below.append(index)
        return below

    def _uids(self, index: int) -> list[str]:
        if index in self._others:
            return [self._others[index]]
        uuid = self._names.get(index) or _spelling(bytes(self._keys[index * _SIZE : (index + 1) * _SIZE]))
        return message_uids(uuid, self._counts[index])

    def _find(self, uuid: str) -> int:
        if not uuid:
            return _NOBODY
        key, end = _key(uuid), len(self._keys)
        while (at := self._keys.rfind(key, 0, end)) >= 0:  # a parent is nearly always among the last few
            if at % _SIZE == 0:
                return at // _SIZE
            end = at + _SIZE - 1
        return _NOBODY


def message_uids(uuid: str, count: int) -> list[str]:
    """The uids of a record's messages: its own, numbered if there are several."""
    return [uuid] if count == 1 else [f"{uuid}:{number}" for number in range(count)]


def _key(uuid: str) -> bytes:
    if len(uuid) == _SPELLED:
        try:
            key = bytes.fromhex(uuid.replace("-", ""))
        except ValueError:
            pass
        else:  # a UUID made of it would take four times as long
            if len(key) == _SIZE and _spelling(key) == uuid:
                return key
    try:
        return UUID(uuid).bytes
    except ValueError:
        return blake2b(uuid.encode("utf-8", "replace"), digest_size=_SIZE).digest()


def _spelling(key: bytes) -> str:
    digits = key.hex()
    return f"{digits[:8]}-{digits[8:12]}-{digits[12:16]}-{digits[16:20]}-{digits[20:]}"
