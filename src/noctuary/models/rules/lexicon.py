"""Words that tell what a sentence is, looked up by the first word of each cue: reading costs the same however many."""

from collections.abc import Mapping
from typing import NamedTuple

from noctuary.authored import EventType

_BETWEEN = tuple('.,;:!?()[]{}<>"“”„«»*`#|/\\—–-…=+&')  # replaced one by one: `str.translate` takes four times as long
_ASCII_BETWEEN = "".join(mark for mark in _BETWEEN if mark.isascii())
_OTHER_BETWEEN = tuple(mark for mark in _BETWEEN if not mark.isascii())
_APOSTROPHE = b"'"
_ASCII_NORMAL = bytes(  # of bytes, `translate` is the fastest of all
    ord(" " if chr(code) in _ASCII_BETWEEN else chr(code).lower()) if code < 128 else code for code in range(256)
)


class Cue(NamedTuple):
    """A word or a phrase, between spaces, and what it speaks for."""

    phrase: str
    type: EventType
    weight: float
    is_word: bool  # to have its first word is to have it


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
    raw = text.lower().replace("’", "").encode("utf-8", "surrogatepass")  # "don't", "don’t" and "dont" are one word
    text = raw.translate(_ASCII_NORMAL, _APOSTROPHE).decode("utf-8", "surrogatepass")
    for mark in _OTHER_BETWEEN:
        if mark in text:
            text = text.replace(mark, " ")
    return f" {' '.join(text.split())} "


def spellings(word: str) -> list[str]:
    """A normal word with and without the apostrophe that may have been in it."""
    return [word, *(f"{word[:-n]}{mark}{word[-n:]}" for mark in "'’" for n in (1, 2) if len(word) > n)]


class Lexicon:
    """Cues by their first word."""

    def __init__(self, cues: Mapping[EventType, Mapping[float, str]]) -> None:
        self._by_word: dict[str, list[Cue]] = {}
        for kind, weights in cues.items():
            for weight, phrases in weights.items():
                for phrase in phrases.split(","):
                    words = normal(phrase).split()
                    self._by_word.setdefault(words[0], []).append(
                        Cue(f" {' '.join(words)} ", kind, weight, len(words) == 1)
                    )
        self._words = frozenset(self._by_word)

    def weigh(self, text: str) -> dict[EventType, float]:
        """How much in a normal text speaks for each type; what nothing speaks for is left out."""
        weights: dict[EventType, float] = {}
        for word in self._words.intersection(text.split()):
            for cue in self._by_word[word]:
                if cue.is_word or cue.phrase in text:
                    weights[cue.type] = weights.get(cue.type, 0.0) + cue.weight
        return weights
