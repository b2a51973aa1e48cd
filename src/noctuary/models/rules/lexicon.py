"""Words that tell what a sentence is, looked up by one word of each cue: reading costs the same however many."""

from collections.abc import Iterable, Mapping
from functools import lru_cache

from noctuary.authored import EventType
from noctuary.text import lowered

_BETWEEN = tuple('.,;:!?()[]{}<>"“”„«»*`#|/\\—–-…=+&')  # replaced one by one: `str.translate` takes four times as long
_ASCII_BETWEEN = "".join(mark for mark in _BETWEEN if mark.isascii())
_OTHER_BETWEEN = tuple(mark for mark in _BETWEEN if not mark.isascii())
_APOSTROPHE = b"'"
_ASCII_NORMAL = bytes(  # of bytes, `translate` is the fastest of all
    ord(" " if chr(code) in _ASCII_BETWEEN else chr(code).lower()) if code < 128 else code for code in range(256)
)


# A phrase between spaces, what it speaks for and how much; of a cue of one word the phrase is empty, for to have the
# word is to have it.  No named tuple: those take four times as long to be taken apart.
_Cue = tuple[str, EventType, float]


# What is said more rarely is meant more surely: of types for which as much speaks, the first.
_PRECEDENCE = (
    EventType.CORRECTION,
    EventType.REJECTION,
    EventType.PREFERENCE,
    EventType.HYPOTHESIS,
    EventType.EVIDENCE,
    EventType.CONSTRAINT,
    EventType.DECISION,
    EventType.FINDING,
)


def heaviest(weights: Mapping[EventType, float], otherwise: EventType) -> EventType:
    """The type for which most speaks, or another if nothing speaks for any."""
    if not weights:
        return otherwise
    most = max(weights.values())
    found = [kind for kind in weights if weights[kind] == most]
    if len(found) == 1 and most > 0.0:  # as it mostly is
        return found[0]
    return max(_PRECEDENCE, key=lambda kind: weights.get(kind, 0.0))


def normal(text: str) -> str:
    """The text as cues are looked for in it: lowered, without punctuation, one space between words and at both ends."""
    if text.isascii():  # as most are
        return f" {' '.join(text.encode().translate(_ASCII_NORMAL, _APOSTROPHE).decode().split())} "
    raw = lowered(text).replace("’", "").encode("utf-8", "surrogatepass")  # "don't", "don’t" and "dont" are one word
    text = raw.translate(_ASCII_NORMAL, _APOSTROPHE).decode("utf-8", "surrogatepass")
    for mark in _OTHER_BETWEEN:
        if mark in text:
            text = text.replace(mark, " ")
    return f" {' '.join(text.split())} "


normal_statement = lru_cache(maxsize=512)(normal)  # of what may be proposed, which is looked at again when it is chosen


def spellings(word: str) -> list[str]:
    """A normal word with and without the apostrophe that may have been in it."""
    return [word, *(f"{word[:-n]}{mark}{word[-n:]}" for mark in "'’" for n in (1, 2) if len(word) > n)]


class Lexicon:
    """Cues by the longest of their words, which is in few texts that do not have the cue."""

    def __init__(self, cues: Mapping[EventType, Mapping[float, str]]) -> None:
        self._by_word: dict[str, list[_Cue]] = {}
        for kind, weights in cues.items():
            for weight, phrases in weights.items():
                for phrase in phrases.split(","):
                    words = normal(phrase).split()
                    whole = "" if len(words) == 1 else f" {' '.join(words)} "
                    self._by_word.setdefault(max(words, key=len), []).append((whole, kind, weight))
        self._words = frozenset(self._by_word)

    def weigh(self, text: str, words: Iterable[str] | None = None) -> dict[EventType, float]:
        """How much in a normal text speaks for each type; what nothing speaks for is left out.

        `words` are those of the text, if they are known.
        """
        weights: dict[EventType, float] = {}
        by_word = self._by_word
        for word in self._words.intersection(text.split() if words is None else words):
            for phrase, kind, weight in by_word[word]:
                if not phrase or phrase in text:
                    weights[kind] = weights.get(kind, 0.0) + weight
        return weights
