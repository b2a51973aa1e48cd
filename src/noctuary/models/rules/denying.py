"""Whether two texts that speak of the same say the same, or one denies or changes what the other says."""

import re
from collections.abc import Iterator
from functools import lru_cache

from noctuary.models.rules.lexicon import normal, normal_statement

_SHORT, _STEM = 3, 6  # letters of words that do not count, and of the beginnings that do
_MOST_DENIED = 0.5  # of the words of both; if more are denied in only one, they contradict
_DENIALS = frozenset(
    {
        "not", "no", "never", "none", "nothing", "dont", "doesnt", "didnt", "isnt", "arent", "wasnt", "werent",
        "wont", "cannot", "cant", "shouldnt", "mustnt", "havent", "hasnt", "stop", "avoid", "nicht", "kein",
        "keine", "keinen", "nie", "niemals", "не", "нет", "нельзя", "никогда", "nunca", "jamás", "ne", "pas",
        "jamais",
    }
)  # fmt: skip
_CLAUSE_END = re.compile(r"[.,;:!?()\n—–]|\b(?:but|instead|rather|aber|sondern|но|pero|mais)\b")
_DIGIT = re.compile(r"\d")
_NUMBER = re.compile(r"(?<![\w./-])\d[\d.,]*(?![\w./-])")


@lru_cache(maxsize=512)  # of one session the same texts are compared again and again
def content_words(text: str) -> frozenset[str]:
    """The longer words of a text, shortened to what inflection leaves."""
    return frozenset([word[:_STEM] for word in normal_statement(text).split() if len(word) > _SHORT])


def is_denied(one: str, other: str, shared: frozenset[str]) -> bool:
    """Whether most of the words that both texts have are denied in one of them and not in the other."""
    apart = (_denied(one) ^ _denied(other)) & shared
    return len(apart) >= _MOST_DENIED * max(1, len(shared))


def has_other_numbers(one: str, other: str) -> bool:
    """Whether both texts give numbers, and none is in both."""
    if not _DIGIT.search(one) or not _DIGIT.search(other):
        return False
    ours, theirs = set(_NUMBER.findall(one)), set(_NUMBER.findall(other))
    return bool(ours) and bool(theirs) and ours.isdisjoint(theirs)


def _stems(words: list[str]) -> Iterator[str]:
    return (word[:_STEM] for word in words if len(word) > _SHORT)


@lru_cache(maxsize=512)
def _denied(text: str) -> frozenset[str]:
    """The content words of a text that stand behind a denial in its clause."""
    if _DENIALS.isdisjoint(normal_statement(text).split()):
        return frozenset()
    found: set[str] = set()
    for clause in _CLAUSE_END.split(text.lower()):
        words = normal(clause).split()
        first = next((place for place, word in enumerate(words) if word in _DENIALS), None)
        if first is not None:
            found.update(_stems(words[first + 1 :]))
    return frozenset(found)
