"""What memories rest on, looked up: whether it is still there, and whether anybody but memory itself said it."""

import re
from collections.abc import Callable, Iterable, Sequence

from noctuary.authored import Entry, MessageRef
from noctuary.fences import without_fenced
from noctuary.records import Hidden, Message
from noctuary.store import Store
from noctuary.store.memories import Remembered

_ID = re.compile(r"\bm-[0-9a-z]{4,}")


class Cited:
    """The messages that memories cite, each read once."""

    def __init__(self, store: Store, owner: str, entry: Callable[[str], Entry | None]) -> None:
        self._store = store
        self._entry = entry  # of the journal, by its id
        self._owner = owner
        self._numbers: dict[str, int | None] = {}

    def lost(self, memory: Remembered) -> int:
        """How many messages a memory rested on, if all of them are gone; 0 if one is there, or it cites none."""
        refs = self._refs(memory)
        return len(refs) if refs and not any(self._message(ref) for ref in refs) else 0

    def is_of_ourselves(self, memory: Remembered) -> bool:
        """Whether all that is there of what a memory cites was told by memory."""
        found = [(message, ref) for ref in self._refs(memory) if (message := self._message(ref))]
        return bool(found) and all(_is_recalled(message, ref) for message, ref in found)

    def _refs(self, memory: Remembered) -> Sequence[MessageRef]:
        cited = memory.facts.get("messages")
        if not cited:
            entry = self._entry(memory.event)
            return entry.event.refs.messages if entry else ()
        return [
            MessageRef(str(ref.get("session")), int(ref.get("id") or 0), str(ref.get("quote") or "")) for ref in cited
        ]

    def _message(self, ref: MessageRef) -> Message | None:
        if ref.session not in self._numbers:
            known = self._store.sessions.find(self._owner, ref.session)
            self._numbers[ref.session] = known[0] if known else None
        number = self._numbers[ref.session]
        found = self._store.messages.between(number, ref.id, ref.id) if number is not None else []
        return found[0] if found else None


def recalled_ids(texts: Iterable[str]) -> set[str]:
    """The memories that were named in what sessions were told."""
    return {name for text in texts for name in _ID.findall(text)}


def _is_recalled(message: Message, ref: MessageRef) -> bool:
    if message.hidden is Hidden.RECALLED:
        return True
    quote = " ".join(ref.quote.split())
    said, own = (" ".join(text.split()) for text in (message.content, without_fenced(message.content)))
    return bool(quote) and quote in said and quote not in own
