"""Which messages could answer, at a cost that does not grow with the store.

Each term is asked for its newest few hundred messages.  A rare term has no more, and is known completely.  A common
one has far more; which of the messages with a rare term have it too is asked of the index, and messages that have
only common ones must have all of them.  So every query reads a bounded number of rows, and what is left out is what
would have said least: a message with nothing but one common word.
"""

import math
from collections.abc import Iterable, Sequence
from dataclasses import dataclass, field
from functools import cached_property
from typing import NamedTuple, Protocol

from noctuary.records import Term
from noctuary.store.keys import MOST_MESSAGES, PLACE_SHIFT, SESSION_SHIFT, pack
from noctuary.store.lexicon import NEWEST, IndexSize, Within

FIRST_ROWS = 50
RARE_ROWS = 350  # a term with fewer messages than this is rare
SURELY_COMMON = 2.5  # times as many, judged by the first look
SPREAD = 15  # sessions: messages of fewer say little about how common a term is
MOST_ROWS = 3_000  # of rare terms together
MOST_TOGETHER = 350
MOST_LOOKS = 5
EVERYWHERE = 0.05  # of all messages
SMALL_STORE = 10_000  # messages; in a smaller store every term is looked up
LITTLE_WEIGHT = 0.4  # terms of no more weight than this are not looked up, only looked for in the text
COMMON_WORTH = 3.0  # what such a term is taken to be worth: that of a word in one message of twenty


class Index(Protocol):
    """What lexical search needs of a backend; keys are those of `store/keys.py`."""

    def size(self) -> IndexSize:
        """How much there is to search."""
        ...

    def sessions_from(self, no: int) -> int:
        """How many sessions have this number or a higher one."""
        ...

    def matching(self, terms: Sequence[Term], within: Within, most: int, below: int = NEWEST) -> list[int]:
        """Keys, lower than `below`, of the messages that have all the terms, the newest first."""
        ...

    def matching_any(self, terms: Sequence[Term], any_of: Sequence[Term], within: Within, most: int) -> list[int]:
        """Keys of the messages that have all the terms and at least one of the others, the newest first."""
        ...

    def containing(self, text: str, within: Within, most: int) -> list[int]:
        """Keys of messages that contain the text literally, but for the case of a to z, the newest first."""
        ...

    def keys_at(self, positions: Iterable[int]) -> list[int]:
        """Keys of the messages that stand at these positions."""
        ...

    def texts(self, keys: Iterable[int]) -> dict[int, tuple[int, str]]:
        """Time and text of each message."""
        ...


class Word(NamedTuple):
    """A term of the query and what finding it is worth: much if it is rare."""

    term: Term
    worth: float


@dataclass(eq=False, repr=False)
class Candidates:
    """Messages by key, each with the set of words found in it, as bits."""

    words: list[Word] = field(default_factory=list)  # read from the index; bit i of a mask stands for words[i]
    common: list[Word] = field(default_factory=list)  # too frequent to read; to be looked for in the text
    masks: dict[int, int] = field(default_factory=dict)
    average_length: float = 1.0
    messages: int = 0  # in the memory, or 0 if that was not looked up

    @property
    def total_worth(self) -> float:
        """What a message with every word of the query would be worth."""
        return sum(word.worth for word in (*self.words, *self.common))

    @cached_property
    def positions(self) -> dict[int, int]:
        """The keys by position: a key without voice and length.  Asked for once all are added."""
        return {key >> PLACE_SHIFT: key for key in self.masks}

    @cached_property
    def titles(self) -> list[int]:
        """Keys that stand for titles.  Asked for once all are added."""
        return [key for position, key in self.positions.items() if not position & MOST_MESSAGES]

    @cached_property
    def worths(self) -> dict[int, float]:
        """What each set of words that occurs is worth.  Asked for once all are added."""
        return {
            mask: sum(word.worth for i, word in enumerate(self.words) if mask >> i & 1)
            for mask in {0, *self.masks.values()}
        }

    def forget_derived(self) -> None:
        """Have what is derived from the candidates derived again; for whoever adds some later."""
        for name in ("positions", "titles", "worths"):
            self.__dict__.pop(name, None)

    def add(self, keys: Iterable[int], bits: int) -> None:
        """Note that these messages have the words that the bits stand for."""
        fresh = dict.fromkeys(keys, bits)
        for key in self.masks.keys() & fresh.keys():  # few have two rare words, so this loop is short
            fresh[key] |= self.masks[key]
        self.masks.update(fresh)


@dataclass(slots=True, eq=False, repr=False)
class _Probe:
    term: Term
    keys: list[int]
    frequency: float
    is_rare: bool


def gather(index: Index, terms: Sequence[Term], within: Within) -> Candidates:
    """Collect candidates for the terms; phrases that must occur count as terms."""
    size = index.size()
    average = size.characters / size.messages if size.messages else 1.0
    found = Candidates(average_length=average, messages=size.messages)
    terms = (*terms, *within.required)
    is_small = size.messages < SMALL_STORE
    telling = [term for term in terms if is_small or term.weight > LITTLE_WEIGHT] or terms
    looked_up = sorted((_probe(index, term, within, size) for term in telling), key=lambda probe: probe.frequency)
    probes, everywhere = _without_everywhere([probe for probe in looked_up if probe.keys], size)
    read = _rarest(probes)
    if probes and not probes[0].is_rare:  # then it must do: its newest, from as many sessions as can be
        newest = index.matching([probes[0].term], within, RARE_ROWS)
        probes[0].keys = [*newest, *_older(index, probes[0].term, newest, within)]
    for i, probe in enumerate(probes):
        word = Word(term=probe.term, worth=worth(probe.frequency, size.messages) * probe.term.weight)
        found.words.append(word)
        keys = probe.keys
        if probe not in read:
            keys = index.matching_any([probe.term], [other.term for other in read], within, MOST_TOGETHER)
        found.add(keys, 1 << i)
    common = [i for i, probe in enumerate(probes) if not probe.is_rare and probe.term.weight == 1.0]
    if len(common) > 1:
        together = index.matching([probes[i].term for i in common], within, MOST_TOGETHER)
        found.add(together, sum(1 << i for i in common))
    for probe in looked_up:
        if not probe.keys:  # it is nowhere, and still was asked for: a message with all the rest has not everything
            found.words.append(Word(term=probe.term, worth=worth(0, size.messages) * probe.term.weight))
    found.common = [Word(term=term, worth=COMMON_WORTH * term.weight) for term in terms if term not in telling]
    found.common += [Word(term=p.term, worth=worth(p.frequency, size.messages) * p.term.weight) for p in everywhere]
    return found


def _without_everywhere(probes: list[_Probe], size: IndexSize) -> tuple[list[_Probe], list[_Probe]]:
    """Terms of every twentieth message say too little to be looked up beside others; they are looked for later."""
    rarer = [probe for probe in probes if probe.is_rare or probe.frequency < EVERYWHERE * size.messages]
    return (rarer, [probe for probe in probes if probe not in rarer]) if rarer else (probes, [])


def _rarest(probes: Sequence[_Probe]) -> list[_Probe]:
    """The probes to take as they are: all rare ones within the budget, or the rarest if none is rare."""
    read, remaining = list(probes[:1]), MOST_ROWS
    for probe in probes[1:]:
        remaining -= len(probe.keys)
        if probe.is_rare and remaining > 0:
            read.append(probe)
    return read


def _probe(index: Index, term: Term, within: Within, size: IndexSize) -> _Probe:
    """A first look at the newest messages with the term, and a second unless they show that it is common."""
    keys = index.matching([term], within, FIRST_ROWS)
    if len(keys) < FIRST_ROWS:
        return _Probe(term, keys, len(keys), is_rare=True)
    if _is_spread(keys) and (frequency := _extrapolated(keys, index, size)) > SURELY_COMMON * RARE_ROWS:
        return _Probe(term, keys, frequency, is_rare=False)
    keys = index.matching([term], within, RARE_ROWS)
    if len(keys) == RARE_ROWS and not _is_spread(keys):
        keys = [*keys, *_older(index, term, keys, within)]
        if len(keys) % RARE_ROWS:  # the last page was not full, so these are all we need to know of
            return _Probe(term, keys, len(keys), is_rare=True)
    if len(keys) < RARE_ROWS:
        return _Probe(term, keys, len(keys), is_rare=True)
    return _Probe(term, keys, _extrapolated(keys, index, size), is_rare=False)


def _is_spread(keys: Sequence[int]) -> bool:
    return len({key >> SESSION_SHIFT for key in keys}) >= SPREAD


def _extrapolated(keys: Sequence[int], index: Index, size: IndexSize) -> float:
    """The newest rows lie in the newest sessions; if they lie close together, there are many more behind them.

    Sessions are counted, as numbers between them may be other people's.
    """
    sessions_seen = max(1, index.sessions_from(keys[-1] >> SESSION_SHIFT))
    return len(keys) * max(1.0, size.sessions / sessions_seen)


def _older(index: Index, term: Term, page: list[int], within: Within) -> list[int]:
    """More messages with the term, from other sessions: one that talks of nothing else must not be all we see."""
    older: list[int] = []
    for _ in range(MOST_LOOKS):
        if len(page) < RARE_ROWS:
            break
        page = index.matching([term], within, RARE_ROWS, below=pack(page[-1] >> SESSION_SHIFT, 0))
        older += page
    return older


def worth(frequency: float, messages: int) -> float:
    """Inverse document frequency: what is in one message of a thousand says far more than what is in half."""
    return math.log(1 + (max(messages, frequency) - frequency + 0.5) / (frequency + 0.5))
