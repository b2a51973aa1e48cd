"""What the words found in a message, and in its neighbours, are worth.

Rare words are worth more than common ones, what people said counts more than what tools printed, and a word in a
short message more than one in a long.  A message inherits part of its neighbours' words, the shorter it is the more:
an answer often stands beside the question and shares no word with it.

Every number that decides anything here is named; `docs/benchmarks.md` says what they were measured on.
"""

import heapq
from collections import Counter
from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from functools import lru_cache

from noctuary.recall.candidates import Candidates, Index
from noctuary.recall.query import Query
from noctuary.store import keys

# What people said weighs most; what tools printed is searchable, but must not drown it.
VOICE_WEIGHTS = {
    keys.USER: 1.6,
    keys.ASSISTANT: 1.2,
    keys.THINKING: 1.0,
    keys.SUMMARY: 0.8,
    keys.CALL: 0.45,
    keys.OUTPUT: 0.33,
    keys.INJECTED: 0.2,
    keys.TITLE: 1.0,
}
TALK = {keys.USER, keys.ASSISTANT, keys.SUMMARY}
SATURATION = 0.8  # BM25's k1: how soon more of the same adds nothing
LENGTH_EFFECT = 0.5  # BM25's b: how much long messages must share their words' worth
# Distance of a neighbour, and how far its words count here.
NEIGHBOURS = ((-1, 0.65), (1, 0.65), (-2, 0.5), (2, 0.5), (-3, 0.1), (3, 0.1))
LEAST_RELIANCE = 0.1  # a longer message speaks for itself
SHORT_MESSAGE = 80  # characters: a message this long owes half of its meaning to its neighbours
LONGEST_BESIDE = 250  # characters: a longer message that shares no word with the query is not about it
BEST_BY_WORDS = 50
MORE_BY_WORDS = 700  # the shorter messages are, the more their neighbours decide, so the more are looked at
SURELY_WEAKER = 0.6  # voice and length can make up for no more than this
MORE_BY_CONTEXT = 200
BEST_BY_TEXT = 40
BEST_SESSIONS = 25
TITLE_BONUS = 0.25


@dataclass(slots=True, eq=False, repr=False)
class Scored:
    """A message on its way up or down; `why` sums to the score."""

    key: int
    why: dict[str, float]
    worth: float = 0.0  # of the query's words, how much was found
    text: str = ""
    lowered: str = ""
    ts_ms: int = 0

    @property
    def score(self) -> float:
        """What all reasons add up to."""
        return sum(self.why.values())


@lru_cache(maxsize=64)
def voice_and_length(average_length: int) -> tuple[list[float], list[float]]:
    """What one occurrence counts, plain and saturated, by the low byte of a key (voice and length class)."""
    table: list[float] = []
    for low in range(1 << keys.PLACE_SHIFT):
        voice, length = low >> keys.LENGTH_BITS, keys.LENGTHS[low & (1 << keys.LENGTH_BITS) - 1]
        share = 1 - LENGTH_EFFECT + LENGTH_EFFECT * length / max(average_length, 1)
        table.append(VOICE_WEIGHTS[voice] / share)
    return table, [saturated(count) for count in table]


def saturated(occurrence: float) -> float:
    """BM25's saturation."""
    return occurrence * (SATURATION + 1) / (occurrence + SATURATION)


def score_words(found: Candidates, index: Index, query: Query) -> list[Scored]:
    """The best candidates by the words in them and around them."""
    context = Context(found)
    worths, plain, promising = found.worths, context.plain, _promising(found)
    own = [(worths[mask] * plain[key & 255], key) for key, mask in found.masks.items() if mask in promising]
    own.sort(reverse=True)
    shortness = SHORT_MESSAGE / (SHORT_MESSAGE + found.average_length)
    best = [key for _, key in own[: BEST_BY_WORDS + round(MORE_BY_WORDS * shortness)] if keys.place_of(key)]
    leaders = _leaders(own)
    beside = _beside(best[: round(MORE_BY_CONTEXT * shortness)], found, index, query)
    whole = [(context.whole(key), key) for key in {*best, *leaders, *beside}]
    kept = [context.scored(score, key) for score, key in heapq.nlargest(BEST_BY_TEXT, whole)]
    missing = leaders - {s.key for s in kept}
    kept += [context.scored(score, key) for score, key in whole if key in missing]
    return kept + _known_by_title(found, index, query, {keys.session_of(key) for _, key in whole})


def _leaders(own: Sequence[tuple[float, int]]) -> set[int]:
    """The best message of each of the best sessions: they always take part, so that a chatty session hides none."""
    best: dict[int, int] = {}
    for _, key in own:  # the best come first
        if key >> keys.SESSION_SHIFT not in best and keys.place_of(key):
            best[key >> keys.SESSION_SHIFT] = key
            if len(best) == BEST_SESSIONS:
                break
    return set(best.values())


def _beside(best: Sequence[int], found: Candidates, index: Index, query: Query) -> list[int]:
    """An answer often stands beside the question and shares no word with it: let it take part."""
    if query.demands_of_messages:
        return []  # what a query demands of a message it does not find in a neighbour
    absent = {p for key in best for p in _around(key >> keys.PLACE_SHIFT)} - found.positions.keys()
    return [key for key in index.keys_at(absent) if _is_short_talk(key)]


def _known_by_title(found: Candidates, index: Index, query: Query, present: set[int]) -> list[Scored]:
    """The beginnings of sessions that only their title speaks for."""
    if query.demands_of_messages:
        return []
    titles = {
        keys.session_of(key): found.worths[found.masks[key]]
        for key in found.titles
        if keys.session_of(key) not in present
    }
    best = heapq.nlargest(BEST_SESSIONS, titles, key=titles.__getitem__)
    firsts = index.keys_at(number << keys.PLACE_BITS | 1 for number in best) if best else []
    return [
        Scored(key=key, why={"title": TITLE_BONUS * worth}, worth=worth)
        for key in firsts
        for worth in (titles[keys.session_of(key)],)
    ]


def _promising(found: Candidates) -> set[int]:
    """The sets of words that can be among the best; most messages have one word that says little and cannot."""
    enough, weakest = BEST_BY_WORDS * 4, 0.0
    by_worth = sorted(Counter(found.masks.values()).items(), key=lambda entry: -found.worths[entry[0]])
    for mask, count in by_worth:
        weakest, enough = found.worths[mask], enough - count
        if enough < 0:
            break
    return {mask for mask, worth in found.worths.items() if worth >= weakest * SURELY_WEAKER}


def _is_short_talk(key: int) -> bool:
    return keys.voice_in(key) in TALK and keys.LENGTHS[key & 31] <= LONGEST_BESIDE


def _around(position: int) -> Iterable[int]:
    place = position & keys.MOST_MESSAGES
    return (position + distance for distance, _ in NEIGHBOURS if place + distance > 0)


class Context:
    """Scores a message by its own words and, the shorter it is the more, by those of its neighbours."""

    def __init__(self, found: Candidates) -> None:
        self.found = found
        self.counts, self.plain = voice_and_length(round(found.average_length))

    def own(self, key: int, mask: int) -> float:
        """What the message's own words are worth."""
        return self.found.worths[mask] * self.plain[key & 255]

    def whole(self, key: int) -> float:
        """What its own words and those around it are worth."""
        mask = self.found.masks.get(key, 0)
        score = self.own(key, mask)
        # What a tool printed does not become speech because people spoke beside it.
        reliance = min(1.0, VOICE_WEIGHTS[keys.voice_in(key)])
        reliance *= SHORT_MESSAGE / (SHORT_MESSAGE + keys.LENGTHS[key & 31])
        near = self._near(key >> keys.PLACE_SHIFT) if reliance > LEAST_RELIANCE else ()
        if not near:
            return score
        for i, word in enumerate(self.found.words):
            around = sum(count for bits, count in near if bits >> i & 1)
            if around:
                count = self.counts[key & 255] if mask >> i & 1 else 0.0
                score += word.worth * (saturated(count + reliance * around) - saturated(count))
        return score

    def scored(self, score: float, key: int) -> Scored:
        """The message with its score and the reasons for it."""
        mask = self.found.masks.get(key, 0)
        own = self.own(key, mask)
        return Scored(key=key, why={"words": own, "neighbours": score - own}, worth=self.found.worths[mask])

    def _near(self, position: int) -> list[tuple[int, float]]:
        """The neighbours that have words of the query: which, and how much they count here."""
        place = position & keys.MOST_MESSAGES
        positions, near = self.found.positions, []
        for distance, reach in NEIGHBOURS:
            if position + distance in positions and place + distance > 0:
                neighbour = positions[position + distance]
                near.append((self.found.masks[neighbour], reach * self.counts[neighbour & 255]))
        return near
