"""What memory holds, to know it again where no mark of ours is left.

Some agents rewrite what a hook gives them: tags and ids are gone, lines are broken anew or cut short.  What no person
and no agent said, and yet says what memory holds, word for word, is that.
"""

import json
import re
from collections.abc import Iterator
from functools import cached_property

from noctuary.fences import Apart, cut_out
from noctuary.proposals import PROPOSED
from noctuary.store import Store
from noctuary.store.sessions import Selection

FEWEST = 3  # words: fewer are said by chance
HEAD = 5  # words by which a text is looked up
MOST = 20_000  # memories, as many events, and as many nodes
MOST_SESSIONS = 500
_WORD = re.compile(r"\w+")
# Cut short, perhaps within a word; what comes after a gap in a line is ours, too.
_SHORTENED = re.compile(r"\W*\w*(?:…|\.\.\.)[^\n]*|[^\w\n]*(?=\n|\Z)")

_Words = tuple[str, ...]


class Told:
    """The texts that a session may have been told; read when they are first needed."""

    def __init__(self, store: Store, owner: str) -> None:
        self._store, self._owner = store, owner

    def apart(self, text: str) -> Apart:
        """What is in a text, and what of it memory holds: whole, or its beginning if it is cut short there."""
        if not self._by_head:
            return Apart(text, "")
        return cut_out(text, [*self._spans(text)])

    def _spans(self, text: str) -> Iterator[tuple[int, int]]:
        places = [match.span() for match in _WORD.finditer(text)]
        words = tuple(text[start:end].lower() for start, end in places)
        at = 0
        while at < len(words):
            count, end = max(self._said_from(text, places, words, at), default=(0, 0))
            if count:
                yield places[at][0], end
            at += count or 1

    def _said_from(self, text: str, places: list[tuple[int, int]], words: _Words, at: int) -> Iterator[tuple[int, int]]:
        """How many words from here on are a text of ours, and where that ends; nothing if none are."""
        for size in range(FEWEST, HEAD + 1):
            for known in self._by_head.get(words[at : at + size], ()):
                count = _agreeing(known, words, at)
                end = places[at + count - 1][1]
                if count == len(known):
                    yield count, end
                elif shortened := _SHORTENED.match(text, end):
                    yield count, shortened.end()

    @cached_property
    def _by_head(self) -> dict[_Words, list[_Words]]:
        found: dict[_Words, list[_Words]] = {}
        for words in {tuple(word.lower() for word in _WORD.findall(text)) for text in self._texts()}:
            if len(words) >= FEWEST:
                found.setdefault(words[:HEAD], []).append(words)
        return found

    def _texts(self) -> Iterator[str]:
        for memory in self._store.memories.where(self._owner, statuses=None, most=MOST):
            yield memory.text
        for node in self._store.nodes.where(self._owner, most=MOST):
            yield node.title
        for session in self._store.sessions.recent(self._owner, MOST_SESSIONS, Selection()):
            yield session.title or ""
        for row in self._store.events.of_project(self._owner, None, sorted(PROPOSED), MOST):
            yield str(json.loads(row[-1]).get("text") or "")


def _agreeing(known: _Words, words: _Words, at: int) -> int:
    count = 0
    for one, other in zip(known, words[at : at + len(known)], strict=False):
        if one != other:
            break
        count += 1
    return count
