"""Which memories say the same: letter for letter, or in other words.

Sentences are compared as dreams compare them, but only those that share two words which few others have.
"""

from collections import defaultdict
from collections.abc import Iterator, Sequence
from itertools import combinations

from noctuary.dream.comparing.nearness import telling_words
from noctuary.dream.comparing.outline import may_say_all_of
from noctuary.dream.comparing.sameness import Relation, compare
from noctuary.store.memories import Remembered

Pair = tuple[Remembered, Remembered]  # the older one first
_SHARED = 2  # words
_MOST_HAVING = 60  # memories: a word that more have says little, and pairs of them would be too many
_SAYING = (Relation.SAME, Relation.SAYS_MORE)


def twins(memories: Sequence[Remembered]) -> list[Pair]:
    """Memories of one project that say the same, letter for letter, each with the oldest that does."""
    first: dict[str, Remembered] = {}
    found = []
    for memory in sorted(memories, key=_age):
        plain = _plain(memory.text)
        if plain in first:
            found.append((first[plain], memory))
        first.setdefault(plain, memory)
    return found


def near_twins(memories: Sequence[Remembered]) -> list[Pair]:
    """Memories of one project that say the same, or one all that the other does, in other words."""
    return [pair for pair in _candidates(sorted(memories, key=_age)) if _say_the_same(*pair)]


def _age(memory: Remembered) -> tuple[int, str]:
    return memory.recorded_ms, memory.id


def _plain(text: str) -> str:
    return " ".join(text.casefold().split()).rstrip(".!")


def _candidates(memories: Sequence[Remembered]) -> Iterator[Pair]:
    having: dict[str, list[int]] = defaultdict(list)
    for place, memory in enumerate(memories):
        for word in telling_words(memory.text) or ():
            having[word].append(place)
    shared: dict[tuple[int, int], int] = defaultdict(int)
    for places in having.values():
        if len(places) <= _MOST_HAVING:
            for pair in combinations(places, 2):
                shared[pair] += 1
    for (one, other), count in sorted(shared.items()):
        if count >= _SHARED and _plain(memories[one].text) != _plain(memories[other].text):
            yield memories[one], memories[other]


def _say_the_same(old: Remembered, new: Remembered) -> bool:
    return any(
        may_say_all_of(one.text, other.text) and compare(one.text, other.text) in _SAYING
        for one, other in ((new, old), (old, new))
    )
