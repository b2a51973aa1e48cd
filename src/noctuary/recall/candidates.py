"""Which messages could answer, at a cost that does not grow with the store.

Each term is probed first: its newest few hundred messages show whether it is rare, and about how common it is.
Rare terms are then read in full, the rarest first, within a budget of rows; common ones are not read at all but
looked for later in the text of the best candidates, and messages that have *all* the terms are asked for as such.
So every query reads a bounded number of rows, and what is left out is what would have said least.
"""

import math
from collections.abc import Iterable, Sequence
from dataclasses import dataclass, field
from typing import Protocol

from noctuary.records import Term
from noctuary.store.keys import PLACE_SHIFT, SESSION_SHIFT
from noctuary.store.lexicon import IndexSize, Within

PROBE_ROWS = 300
MOST_ROWS = 8_000
MOST_TOGETHER = 500


class Index(Protocol):
    """What lexical search needs of a backend; keys are those of `store/keys.py`."""

    def size(self) -> IndexSize:
        """How much there is to search."""
        ...

    def matching(self, terms: Sequence[Term], within: Within, most: int) -> list[int]:
        """Keys of the messages that have all the terms, the newest first."""
        ...

    def containing(self, text: str, most: int) -> list[int]:
        """Keys of messages that contain the text literally, the newest first."""
        ...

    def keys_at(self, positions: Iterable[int]) -> list[int]:
        """Keys of the messages that stand at these positions."""
        ...

    def texts(self, keys: Iterable[int]) -> dict[int, tuple[int, str]]:
        """Time and text of each message."""
        ...


@dataclass(frozen=True, slots=True, kw_only=True)
class Word:
    """A term of the query and what finding it is worth: much if it is rare."""

    term: Term
    worth: float


@dataclass(slots=True)
class Candidates:
    """Messages by position (a key without voice and length), each with the set of words found in it, as bits."""

    words: list[Word] = field(default_factory=list)  # read from the index; bit i of a mask stands for words[i]
    common: list[Word] = field(default_factory=list)  # too frequent to read; to be looked for in the text
    masks: dict[int, int] = field(default_factory=dict)
    keys: dict[int, int] = field(default_factory=dict)
    average_length: float = 1.0

    @property
    def total_worth(self) -> float:
        """What a message with every word of the query would be worth."""
        return sum(word.worth for word in (*self.words, *self.common))

    def add(self, keys: Iterable[int], bits: int) -> None:
        """Note that these messages have the words that the bits stand for."""
        masks, by_position = self.masks, self.keys
        for key in keys:
            position = key >> PLACE_SHIFT
            masks[position] = masks.get(position, 0) | bits
            by_position[position] = key


@dataclass(frozen=True, slots=True)
class _Probe:
    term: Term
    keys: list[int]
    frequency: float
    is_whole: bool


def gather(index: Index, terms: Sequence[Term], within: Within) -> Candidates:
    """Collect candidates for the terms; `within.required` alone is enough to look for."""
    size = index.size()
    found = Candidates(average_length=size.characters / size.messages if size.messages else 1.0)
    if not terms and within.required:
        terms, within = (
            within.required,
            Within(excluded=within.excluded, picked=within.picked, voices=within.voices),
        )
    probes = sorted((_probe(index, term, within, size) for term in terms), key=lambda probe: probe.frequency)
    remaining = MOST_ROWS
    for probe in probes:
        word = Word(term=probe.term, worth=worth(probe.frequency, size.messages) * probe.term.weight)
        if not probe.is_whole and found.words and probe.frequency > remaining:
            found.common.append(word)
            continue
        keys = probe.keys if probe.is_whole else index.matching([probe.term], within, max(remaining, PROBE_ROWS))
        found.add(keys, 1 << len(found.words))
        found.words.append(word)
        remaining -= len(keys)
    if found.common:
        _add_together(index, within, found)
    return found


def _probe(index: Index, term: Term, within: Within, size: IndexSize) -> _Probe:
    keys = index.matching([term], within, PROBE_ROWS)
    if len(keys) < PROBE_ROWS:
        return _Probe(term, keys, len(keys), True)
    # The newest rows lie in the newest sessions; if they lie close together, there are many more behind them.
    sessions_seen = size.newest_session - (keys[-1] >> SESSION_SHIFT) + 1
    return _Probe(term, keys, len(keys) * max(1.0, size.newest_session / sessions_seen), False)


def _add_together(index: Index, within: Within, found: Candidates) -> None:
    """Messages that have all of the words that say something, wherever they are."""
    words = [word for word in (*found.words, *found.common) if word.term.weight == 1.0]
    if len(words) > 1 and any(word in found.common for word in words):
        bits = sum(1 << i for i, word in enumerate(found.words) if word in words)
        found.add(index.matching([word.term for word in words], within, MOST_TOGETHER), bits)


def worth(frequency: float, messages: int) -> float:
    """Inverse document frequency: what is in one message of a thousand says far more than what is in half."""
    return math.log(1 + (max(messages, frequency) - frequency + 0.5) / (frequency + 0.5))
