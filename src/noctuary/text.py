"""Words: how any text, in any language, becomes the terms it is found by.

One set of rules serves every backend and both sides of a search, so that a query means the same everywhere
and a snippet marks what matched.  Words are runs of letters and digits, lower-cased, without accents, stemmed.

- `maxRetries` is found whole and by its parts; `max_retries` and `src/main.py` are words in a row, so a phrase.
- Scripts written without spaces (Han, Kana, Hangul, Thai …) become overlapping pairs of characters and, at the
  end of a run, its last character: a query of one, two or many characters finds its place.
- A word that can be written in two ways (Straße and Strasse, отчёт and отчет, full width and half) is found as it
  stands and also by its plainest spelling, which is added at the end.  What stands is never replaced, so an index that
  was made before a rule was added finds what it always found.

`searchable` prepares a text for an index that splits and stems by itself (SQLite's FTS5); `tokens` does all of it
here, for snippets and for backends without an index.
"""

import re
import unicodedata
from collections.abc import Iterator
from functools import cache, lru_cache
from itertools import pairwise
from typing import NamedTuple

from noctuary.stemming import stem, without_front

# Marks that combine with the letter before them belong to its word, although Python's \w leaves them out.
_MARKS = (
    "\u0300-\u036f\u0483-\u0487\u0591-\u05bd\u05bf-\u05c7\u0610-\u061a\u064b-\u065f\u0670\u06d6-\u06dc"
    "\u0900-\u0903\u093a-\u094f\u0951-\u0957\u0980-\u0983\u09bc-\u09cd\u0a00-\u0a03\u0a3c-\u0a4d"
    "\u0b80-\u0b82\u0bbe-\u0bcd\u0c00-\u0c04\u0c3e-\u0c4d"
)
# Scripts without spaces between words: Thai to Khmer, Kana, Bopomofo, Han, Hangul and their extensions.
_UNSPACED = (
    "\u0e00-\u0eff\u1000-\u109f\u1100-\u11ff\u1780-\u17ff\u3005-\u3007\u3040-\u30fa\u30fc-\u312f\u3130-\u318f"
    "\u31a0-\u31bf\u31f0-\u31ff\u3400-\u4dbf\u4e00-\u9fff\ua960-\ua97f\uac00-\ud7ff\uf900-\ufaff\uff66-\uff9f"
    "\U0001b000-\U0001b16f\U00020000-\U0003ffff"
)
# Most texts have nothing but Latin letters, punctuation, symbols and emoji, so neither of them.  Such a text needs no
# pattern that knows them: to compile one takes a tenth of a cold search, so it is done when a text asks for it.
_OTHER_SCRIPT = "[^\0-\u02ff\u2000-\u2e7f\U0001f000-\U0001faff](?<!\ufe0f)"
# Characters of unspaced scripts that have another form: Jamo, Kana with a mark of its own, old code points, half width.
_UNCOMPOSED = "\u1100-\u11ff\u3099\u309a\uf900-\ufaff\uff66-\uff9f"
_ATTACHED = "\u3099\u309a\uff9e\uff9f"
_CLUSTER = rf"[\u1100-\u115f][\u1160-\u11a7][\u11a8-\u11ff]?|.[{_ATTACHED}]?"
_FRONTED = "\u05d0-\u05ea\u0620-\u06ff"  # Hebrew and Arabic write articles and prepositions together with the word
_PLAIN_WORD = re.compile(r"[^\W_]+")
_MIXED_CASE = re.compile(r"[a-z][A-Z]|[A-Z]{2}[a-z]")
_PARTS = re.compile(r"[A-Z]+(?![a-z])|[A-Z]?[a-z]+|[0-9]+")

# One byte a byte of UTF-8: lower-case letter, upper-case letter, digit, the first of a character that may be of an
# unspaced script (all but U+2000 to U+2FFF, the typographer's quotes and dashes) or have another spelling, the second
# of one whose first is that of é and of all Cyrillic, anything else.  Searching this string is far cheaper than a
# regular expression over the text, and most texts have nothing to be prepared and no identifier to take apart.
_FIRST_BYTES = bytes([0xC4, 0xC5, 0xCE, 0xCF, *range(0xD6, 0xDC), 0xE0, 0xE1, *range(0xE3, 0x100)])
_RARELY_RESPELLED = tuple(map(str.encode, "ßøØæÆёЁ"))
_SECOND_BYTES = bytes(letter[1] for letter in _RARELY_RESPELLED)
_CLASSES = bytes(
    ord("a" if chr(b).islower() else "A" if chr(b).isupper() else "0" if chr(b).isdigit() else " ")
    if b < 128
    else ord("?" if b in _FIRST_BYTES else "!" if b in _SECOND_BYTES else " ")
    for b in range(256)
)
_ONLY_ASCII_CLASSES = bytes.maketrans(b"?!", b"  ")
# Begins with what is rare, for which `re` looks fast; most capitals begin a word, which is seen first.
_BOUNDARY = re.compile(rb"A(?<! A)(?:(?<=aA)|(?<=AA)a)")
_LONGEST_IDENTIFIER = 80
_MOST_PARTS = 10

# Letters that are written in two ways, and the plainer one.  SQLite folds case and the accents of Latin by itself.
_PLAIN_LETTERS = {
    "ß": "ss", "ẞ": "ss", "ı": "i", "đ": "d", "Đ": "d", "ł": "l", "Ł": "l", "ø": "o", "Ø": "o",
    "æ": "ae", "Æ": "ae", "œ": "oe", "Œ": "oe", "ё": "е", "Ё": "е",
    "ٱ": "ا", "ة": "ه", "ۀ": "ه", "ى": "ي", "ی": "ي", "ک": "ك", "ँ": "ं",
}  # fmt: skip
# First and last of ranges: letters that lose their mark or their width, signs that are mostly left out, and digits.
_MARKED_LETTERS = "ͰϿἀ῿آئक़य़ড়য়ＡＺａｚ"
_VOWEL_SIGNS = (
    "\u0591\u05bd\u05bf\u05bf\u05c1\u05c2\u05c4\u05c5\u05c7\u05c7\u0610\u061a\u0640\u0640\u064b\u065f\u0670\u0670"
    "\u06d6\u06dc\u093c\u093c\u09bc\u09bc"
)
_DIGITS = "٠٩۰۹०९০৯０９"
_ASCII = bytes(range(128))
_WORDS_APART = bytes(code if chr(code).isalnum() and code < 128 else ord(" ") for code in range(256))


class Token(NamedTuple):
    """A word of a text: the terms it is found by, and where it stands in the original string."""

    terms: tuple[str, ...]
    start: int
    end: int


def searchable(text: str) -> str:
    """The text as an index should be given it: pairs for unspaced scripts; other spellings and parts at the end."""
    encoded = text.encode("utf-8", "replace")
    prepared = searchable_bytes(encoded)
    return text if prepared is encoded else prepared.decode()


def searchable_bytes(encoded: bytes) -> bytes:
    """The same for UTF-8, as a database holds it; the very same object if there is nothing to prepare."""
    classes = encoded.translate(_CLASSES)
    if not encoded.isascii() and (b"?" in classes or b"!" in classes):
        if b"?" in classes or any(letter in encoded for letter in _RARELY_RESPELLED):
            prepared = _prepared(encoded.decode()).encode()
            encoded = encoded if prepared == encoded else prepared
            classes = encoded.translate(_CLASSES)
        classes = classes.translate(_ONLY_ASCII_CLASSES)
    identifiers = _mixed_case_words(encoded, classes) if _BOUNDARY.search(classes) else None
    if not identifiers:
        return encoded
    return encoded + b"\n" + " ".join(part for word in sorted(identifiers) for part in identifier_parts(word)).encode()


def _prepared(text: str) -> str:
    """The text with its unspaced runs as pairs, and at its end the plainest spelling of words that have another."""
    paired = _unspaced_run().sub(lambda run: f" {' '.join(pairs(run.group()))} ", text)
    other = " ".join(_respellings(text)) if _respelled_character().search(text) else ""
    return f"{paired}\n{other}" if other else paired


def _respellings(text: str) -> Iterator[str]:
    """The words, in order, that are also found by another spelling; of an unspaced run, its pairs."""
    for match in _word().finditer(text):
        word = match.group()
        plainest = respelled(word)
        if plainest != word:
            yield from pairs(plainest) if match.lastgroup else (plainest,)


@cache
def _unspaced_run() -> re.Pattern[str]:
    return re.compile(f"[{_UNSPACED}]+")


@cache
def _other_script() -> re.Pattern[str]:
    return re.compile(_OTHER_SCRIPT)


@cache
def _word() -> re.Pattern[str]:
    return re.compile(rf"(?P<unspaced>[{_UNSPACED}]+)|(?:(?![_{_UNSPACED}])[\w{_MARKS}])+")


@cache
def _uncomposed() -> re.Pattern[str]:
    return re.compile(f"[{_UNCOMPOSED}]")


@cache
def _cluster() -> re.Pattern[str]:
    return re.compile(_CLUSTER, re.DOTALL)


@cache
def _respelled_character() -> re.Pattern[str]:
    letters = "".join(map(chr, _plain_letters()))
    return re.compile(f"[{_FRONTED}{_UNCOMPOSED}{letters}]")


@cache
def _plain_letters() -> dict[int, str]:
    """Letters and signs that are written in two ways, and the way by which both are found."""
    plain = str.maketrans(_PLAIN_LETTERS) | dict.fromkeys(map(ord, _characters(_VOWEL_SIGNS)), "")
    for letter in _characters(_MARKED_LETTERS):
        bare = "".join(c for c in unicodedata.normalize("NFKD", letter) if not unicodedata.combining(c))
        if bare.isalnum() and bare != letter:
            plain[ord(letter)] = bare
    return plain | {ord(digit): str(unicodedata.digit(digit)) for digit in _characters(_DIGITS)}


def _characters(ranges: str) -> Iterator[str]:
    """The characters of ranges, each given by its first and last character."""
    for first, last in zip(ranges[::2], ranges[1::2], strict=True):
        yield from map(chr, range(ord(first), ord(last) + 1))


def _mixed_case_words(encoded: bytes, classes: bytes) -> set[str]:
    found: set[str] = set()
    end = 0
    for boundary in _BOUNDARY.finditer(classes):
        at = boundary.start()
        if at >= end:  # else it is in the word before
            start, end = classes.rfind(b" ", 0, at) + 1, classes.find(b" ", at)
            end = end if end >= 0 else len(classes)
            if end - start <= _LONGEST_IDENTIFIER:  # longer runs are base64 and the like, not names
                found.add(encoded[start:end].decode("ascii"))
    return found


@lru_cache(maxsize=20_000)
def identifier_parts(word: str) -> tuple[str, ...]:
    """The parts that mixed case shows in a name, as `max` and `Retries` in `maxRetries`; none if there are none."""
    parts = _PARTS.findall(word) if word.isascii() else []  # é is no boundary
    return tuple(parts) if 1 < len(parts) <= _MOST_PARTS else ()


def pairs(run: str) -> list[str]:
    """Overlapping pairs, then the last character alone, so that every character begins some term."""
    return [run[i : i + 2] for i in range(len(run))]


def tokens(text: str) -> Iterator[Token]:
    """Each word of the text, with its terms and its place."""
    is_plain = text.isascii() or not _other_script().search(text)
    for match in (_PLAIN_WORD if is_plain else _word()).finditer(text):
        if match.lastgroup:
            yield from _unspaced_tokens(match.group(), match.start())
        else:
            yield Token(terms_of_word(match.group()), match.start(), match.end())


def _unspaced_tokens(run: str, at: int) -> Iterator[Token]:
    """A token a character: its pair, and the pair of what is composed of it if it is another."""
    clusters = _composed(run)
    composed = {
        start: (first + second[:1], end)
        for (first, start, _), (second, _, end) in pairwise([*clusters, ("", len(run), len(run))])
    }
    for i, pair in enumerate(pairs(run)):
        other, end = composed.get(i, (pair, i + len(pair)))
        terms = (pair,) if other == pair else (pair, other)
        yield Token(terms, at + i, at + max(end, i + len(pair)))


def _composed(run: str) -> list[tuple[str, int, int]]:
    """The characters of an unspaced run in their usual form, each with where it stands; none if all have it."""
    if not _uncomposed().search(run):
        return []
    return [(_usual_form(found.group()), *found.span()) for found in _cluster().finditer(run)]


def _usual_form(cluster: str) -> str:
    return unicodedata.normalize("NFKC", cluster) if _uncomposed().search(cluster) else cluster


@lru_cache(maxsize=50_000)
def terms_of_word(word: str) -> tuple[str, ...]:
    """The word's own term, that of its plainest spelling if it is another, then those of the parts of an identifier."""
    whole, plainest = stem(fold(word)), respelled(word)
    terms = (whole,) if plainest == word else tuple(dict.fromkeys((whole, stem(fold(plainest)))))
    if len(word) > _LONGEST_IDENTIFIER or not plainest.isascii() or not _MIXED_CASE.search(plainest):
        return terms
    return (*terms, *(stem(part.lower()) for part in identifier_parts(plainest)))


def respelled(text: str) -> str:
    """The plainest spelling of a word or an unspaced run: what it and all its other spellings are found by."""
    if text.isascii():
        return text
    if is_unspaced(text):
        return "".join(form for form, _, _ in _composed(text)) or text
    return without_front(text.translate(_plain_letters()))


def respelled_words(text: str) -> str:
    """The text with each word and unspaced run in its plainest spelling."""
    return text if text.isascii() else _word().sub(lambda word: respelled(word.group()), text)


def fold(word: str) -> str:
    """Lower case and without accents."""
    if word.isascii():
        return word.lower()
    if is_unspaced(word):  # Kana would lose their marks, Hangul its syllables
        return word
    apart = unicodedata.normalize("NFKD", word.lower())
    accents = {c for c in set(apart) if not c.isascii() and unicodedata.combining(c)}
    return "".join([c for c in apart if c not in accents]) if accents else apart


def fold_text(text: str) -> str:
    """A whole text in lower case and without accents, to look for folded words in."""
    lowered = text.lower()
    if lowered.isascii() or (unicodedata.is_normalized("NFD", lowered) and not _accents().search(lowered)):
        return lowered
    return unicodedata.normalize("NFC", _accents().sub("", unicodedata.normalize("NFD", lowered)))


@cache
def _accents() -> re.Pattern[str]:
    return re.compile("[\u0300-\u036f]+")


def ascii_lowered(text: str) -> str:
    """The text with a to z in lower case and all else as it stands, as databases do; no character changes its place."""
    return (
        text.lower()
        if text.isascii()
        else text.encode("utf-8", "surrogatepass").lower().decode("utf-8", "surrogatepass")
    )


def lowered(text: str) -> str:
    """What `str.lower` makes of a text, in a tenth of its time if few signs of it are not ASCII and those are small."""
    if text.isascii():
        return text.lower()
    raw = text.encode("utf-8", "surrogatepass")
    others = raw.translate(None, _ASCII).decode("utf-8", "surrogatepass")
    return raw.lower().decode("utf-8", "surrogatepass") if others == others.lower() else text.lower()


def plain_words(text: str) -> list[str]:
    """The runs of letters and digits in a text, in their order: of one in ASCII several times as fast as a pattern."""
    if text.isascii():
        return text.encode().translate(_WORDS_APART).decode().split()
    return _PLAIN_WORD.findall(text)


def is_unspaced(text: str) -> bool:
    """Whether the whole text is one run of a script that is written without spaces."""
    return not text.isascii() and _unspaced_run().fullmatch(text) is not None


def clean(text: str) -> str:
    """The text without what no database can hold: lone surrogates and NUL characters become U+FFFD."""
    if "\0" in text:
        text = text.replace("\0", "\ufffd")
    if text.isascii():
        return text
    try:
        text.encode()
    except UnicodeEncodeError:
        return text.encode("utf-16", "surrogatepass").decode("utf-16", "replace")
    return text
