"""What memory holds, to know it again where no mark of ours is left.

Some agents rewrite what a hook gives them: tags and ids are gone, lines are broken anew or cut short.  What no person
and no agent said, and yet says what memory holds, word for word, is that.
"""

import json
import re
from collections.abc import Callable, Iterable, Iterator

from noctuary.fences import Apart, cut_out
from noctuary.lazily import Once
from noctuary.proposals import PROPOSED
from noctuary.store import Store
from noctuary.store.sessions import Selection

FEWEST = 3  # words: fewer are said by chance
HEAD = 5  # words by which a text is looked up, the first or the last
MOST = 20_000  # memories, as many events, and as many nodes
MOST_SESSIONS = 500
MOST_CUT = 80  # characters that are looked at before the rest of a text
_WORD = re.compile(r"\w+")
_ESCAPED = re.compile(r"\\[nrt]")  # ends of lines as JSON writes them
# Cut short, perhaps within a word; what comes after a gap in a line is ours, too.
_CUT_AFTER = re.compile(r"\W*\w*(?:…|\.\.\.|\\u2026)[^\n]*|[^\w\n]*(?=\n|\Z)")
_HALF_WORD = re.compile(r"[^\w\n]*(\w+)[^\w\n]*(?=\n|\Z)")
_CUT_BEFORE = re.compile(r"(?:\A|\n|…|\.\.\.)[^\w\n]*(?:\w+[^\w\n]+)?\Z")

_Words = tuple[str, ...]
_Index = dict[_Words, list[_Words]]


class Told:
    """The texts that a session may have been told; read when they are first needed."""

    def __init__(self, store: Store, owner: str) -> None:
        self._store, self._owner = store, owner

    def apart(self, text: str) -> Apart:
        """What is in a text, and what of it memory holds: whole, or where it is cut short its beginning or its end."""
        if not self._by_head:
            return Apart(text, "")
        found = cut_out(text, [*self._spans(_ESCAPED.sub("\n ", text))])
        is_mostly_ours = len(found.ours) > len(found.said)  # then the rest is pieces that are too small to know
        return Apart("", text) if is_mostly_ours else found

    def _spans(self, text: str) -> Iterator[tuple[int, int]]:
        places = [match.span() for match in _WORD.finditer(text)]
        words = tuple(text[start:end].lower() for start, end in places)
        at = 0
        while at < len(words):
            count, end = max(self._beginning(text, places, words, at), default=(0, 0))
            if count:
                yield places[at][0], end
            at += count or 1
        for last in range(HEAD - 1, len(words)):
            for known in self._by_tail.get(words[last - HEAD + 1 : last + 1], ()):
                count = _agreeing(known[::-1], words[last::-1])
                start = places[last - count + 1][0]
                if _CUT_BEFORE.search(text, max(0, start - MOST_CUT), start):
                    yield start, places[last][1]

    def _beginning(self, text: str, places: list[tuple[int, int]], words: _Words, at: int) -> Iterator[tuple[int, int]]:
        """How many words from here on are a text of ours, and where that ends; nothing if none are."""
        for size in range(FEWEST, HEAD + 1):
            for known in self._by_head.get(words[at : at + size], ()):
                count = _agreeing(known, words[at : at + len(known)])
                end = places[at + count - 1][1]
                if count == len(known):
                    yield count, end
                elif cut := _CUT_AFTER.match(text, end):
                    yield count, cut.end()
                elif (half := _HALF_WORD.match(text, end)) and known[count].startswith(half[1].lower()):
                    yield count, half.end()

    @Once
    def _by_head(self) -> _Index:
        return _indexed(self._known, lambda words: words[:HEAD])

    @Once
    def _by_tail(self) -> _Index:
        return _indexed((words for words in self._known if len(words) > HEAD), lambda words: words[-HEAD:])

    @Once
    def _known(self) -> set[_Words]:
        found = (tuple(word.lower() for word in _WORD.findall(text)) for text in self._texts())
        return {words for words in found if len(words) >= FEWEST}

    def _texts(self) -> Iterator[str]:
        for memory in self._store.memories.where(self._owner, statuses=None, most=MOST):
            yield memory.text
        for node in self._store.nodes.where(self._owner, most=MOST):
            yield node.title
        for session in self._store.sessions.recent(self._owner, MOST_SESSIONS, Selection()):
            yield session.title or ""
        for row in self._store.events.of_project(self._owner, None, sorted(PROPOSED), MOST):
            yield str(json.loads(row[-1]).get("text") or "")


def _indexed(texts: Iterable[_Words], key: Callable[[_Words], _Words]) -> _Index:
    found: _Index = {}
    for words in texts:
        found.setdefault(key(words), []).append(words)
    return found


def _agreeing(known: _Words, words: _Words) -> int:
    """How many words are the same, from the first on."""
    pairs = zip(known, words, strict=False)
    return next((count for count, (one, other) in enumerate(pairs) if one != other), min(len(known), len(words)))
