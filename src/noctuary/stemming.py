"""Porter's stemmer: deploy, deploys and deployed are found by one another.

This is the algorithm of M. F. Porter, "An algorithm for suffix stripping" (1980), as SQLite's `porter`
tokeniser applies it; a test holds the two to each other, because a snippet must mark what the index matched.
SQLite stems the bytes of a word, so `k8s` loses its s as well; so do we.

Hebrew and Arabic inflect in front as well, and there SQLite does nothing: `without_front` takes off what is written
together with a word.
"""

import re
from functools import cache, lru_cache

_STEP2 = {
    "ational": "ate", "tional": "tion", "enci": "ence", "anci": "ance", "izer": "ize", "logi": "log",
    "bli": "ble", "alli": "al", "entli": "ent", "eli": "e", "ousli": "ous", "ization": "ize",
    "ation": "ate", "ator": "ate", "alism": "al", "iveness": "ive", "fulness": "ful", "ousness": "ous",
    "aliti": "al", "iviti": "ive", "biliti": "ble",
}  # fmt: skip
_STEP3 = {"icate": "ic", "ative": "", "alize": "al", "iciti": "ic", "ical": "ic", "ful": "", "ness": ""}
_STEP4 = (
    "al", "ance", "ence", "er", "ic", "able", "ible", "ant", "ement", "ment", "ent", "sion", "tion", "ou",
    "ism", "ate", "iti", "ous", "ive", "ize",
)  # fmt: skip
_STEP4_LONGEST_FIRST = tuple(sorted(_STEP4, key=len, reverse=True))
_SHAPES = bytes(ord("v" if chr(code) in "aeiou" else "c") for code in range(256))
_STEP2_LETTERS, _STEP3_LETTERS = ({ending[-1] for ending in endings} for endings in (_STEP2, _STEP3))
_ENDS = frozenset("cdegilmnrstuy")  # letters with which a word ends that may lose something
# Hebrew: and, that, the, as, to, in, from; Arabic: the, alone or after and, so, in, as, for.  Three letters must stay.
_FRONT = "[ושהכלבמ]+(?=[א-ת]{3,}$)|(?:[وفبكل]?ال|لل)+(?=[ء-ۿ]{3,}$)"


@lru_cache(maxsize=50_000)
def stem(word: str) -> str:
    """The word without its English endings."""
    if word.isascii():
        return _stem(word) if 2 < len(word) <= 64 and word[-1] in _ENDS else word
    raw = word.encode("utf-8", "surrogatepass")
    if not 2 < len(raw) <= 64:
        return word
    return _stem(raw.decode("latin-1")).encode("latin-1").decode("utf-8", "replace")


def without_front(word: str) -> str:
    """A Hebrew or Arabic word without the article and prepositions written together with it; any other as it is."""
    return word if word.isascii() else _front().sub("", word, count=1)


@cache
def _front() -> re.Pattern[str]:
    return re.compile(f"^(?:{_FRONT})")


def _stem(word: str) -> str:
    word = _step_1a(word)
    word = _step_1b(word)
    if word.endswith("y") and _has_vowel(word[:-1]):
        word = word[:-1] + "i"
    if word[-1:] in _STEP2_LETTERS:
        word = _replace(word, _STEP2)
    if word[-1:] in _STEP3_LETTERS:
        word = _replace(word, _STEP3)
    word = _step_4(word)
    return _step_5(word)


def _shape(word: str) -> str:
    """The word as consonants (c) and vowels (v); y is a vowel after a consonant."""
    if "y" not in word:
        return word.encode("latin-1").translate(_SHAPES).decode()
    shape = ""
    for letter in word:
        vowel = letter in "aeiou" or (letter == "y" and shape.endswith("c"))
        shape += "v" if vowel else "c"
    return shape


def _measure(word: str) -> int:
    """How many times a vowel is followed by a consonant: Porter's m."""
    return _shape(word).count("vc")


def _has_vowel(word: str) -> bool:
    return "v" in _shape(word)


def _ends_short(word: str) -> bool:
    """Ends consonant, vowel, consonant, the last not w, x or y: such a word wants its e back."""
    return _shape(word).endswith("cvc") and word[-1] not in "wxy"


def _step_1a(word: str) -> str:
    if (len(word) > 4 and word.endswith("sses")) or (len(word) > 3 and word.endswith("ies")):
        return word[:-2]
    if word.endswith("s") and not word.endswith("ss"):
        return word[:-1]
    return word


def _step_1b(word: str) -> str:
    if len(word) > 3 and word.endswith("eed"):
        return word[:-1] if _measure(word[:-3]) > 0 else word
    for ending in ("ed", "ing"):
        if word.endswith(ending):
            base = word.removesuffix(ending)
            return _tidy_1b(base) if _has_vowel(base) else word
    return word


def _tidy_1b(base: str) -> str:
    if base.endswith(("at", "bl", "iz")):
        return base + "e"
    if len(base) > 1 and base[-1] == base[-2] and base[-1] not in "aeioulsz":
        return base[:-1]
    if _measure(base) == 1 and _ends_short(base):
        return base + "e"
    return base


def _replace(word: str, endings: dict[str, str]) -> str:
    for length in (7, 6, 5, 4, 3):
        ending = word[-length:]
        if ending in endings and len(ending) == length:
            base = word[:-length]
            return base + endings[ending] if _measure(base) > 0 else word
    return word


def _step_4(word: str) -> str:
    if not word.endswith(_STEP4):
        return word
    for ending in _STEP4_LONGEST_FIRST:
        if word.endswith(ending):
            base = word.removesuffix(ending)
            if ending in ("sion", "tion"):
                base += ending[0]
            return base if _measure(base) > 1 else word
    return word


def _step_5(word: str) -> str:
    if word.endswith("e"):
        base = word[:-1]
        if _measure(base) > 1 or (_measure(base) == 1 and not _ends_short(base)):
            word = base
    if word.endswith("ll") and _measure(word[:-1]) > 1:
        word = word[:-1]
    return word
