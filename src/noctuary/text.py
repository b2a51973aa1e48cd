"""Words: how any text, in any language, becomes the terms it is found by.

One set of rules serves every backend and both sides of a search, so that a query means the same everywhere
and a snippet marks what matched.  Words are runs of letters and digits, lower-cased, without accents, stemmed.

- `maxRetries` is found whole and by its parts; `max_retries` and `src/main.py` are words in a row, so a phrase.
- Scripts written without spaces (Han, Kana, Hangul, Thai …) become overlapping pairs of characters and, at the
  end of a run, its last character: a query of one, two or many characters finds its place.

`searchable` prepares a text for an index that splits and stems by itself (SQLite's FTS5); `tokens` does all of it
here, for snippets and for backends without an index.
"""

import re
import unicodedata
from collections.abc import Iterator
from functools import cache, lru_cache
from typing import NamedTuple

from noctuary.stemming import stem

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
_PLAIN_WORD = re.compile(r"[^\W_]+")
_MIXED_CASE = re.compile(r"[a-z][A-Z]|[A-Z]{2}[a-z]")
_PARTS = re.compile(r"[A-Z]+(?![a-z])|[A-Z]?[a-z]+|[0-9]+")

# One byte a byte of UTF-8: lower-case letter, upper-case letter, digit, the first of a character that may be of an
# unspaced script (all but U+2000 to U+2FFF, the typographer's quotes and dashes), anything else.  Searching this string
# is far cheaper than a regular expression over the text, and most texts have no identifier to take apart.
_CLASSES = bytes(
    ord("a" if chr(b).islower() else "A" if chr(b).isupper() else "0" if chr(b).isdigit() else " ")
    if b < 128
    else ord("?" if b >= 0xE0 and b != 0xE2 else " ")
    for b in range(256)
)
_BOUNDARY = re.compile(rb"A(?:(?<=aA)|(?<=AA)a)")  # begins with what is rare, which `re` finds by memchr
_LONGEST_IDENTIFIER = 80
_MOST_PARTS = 10


class Token(NamedTuple):
    """A word of a text: the terms it is found by, and where it stands in the original string."""

    terms: tuple[str, ...]
    start: int
    end: int


def searchable(text: str) -> str:
    """The text as an index should be given it: pairs for unspaced scripts, parts of identifiers at the end."""
    encoded = text.encode("utf-8", "replace")
    prepared = searchable_bytes(encoded)
    return text if prepared is encoded else prepared.decode()


def searchable_bytes(encoded: bytes) -> bytes:
    """The same for UTF-8, as a database holds it; the very same object if there is nothing to prepare."""
    classes = encoded.translate(_CLASSES)
    if b"?" in classes:
        paired = _unspaced_run().sub(lambda run: f" {' '.join(pairs(run.group()))} ", encoded.decode())
        prepared = paired.encode()
        encoded = encoded if prepared == encoded else prepared
        classes = encoded.translate(_CLASSES).replace(b"?", b" ")
    identifiers = _mixed_case_words(encoded, classes) if _BOUNDARY.search(classes) else None
    if not identifiers:
        return encoded
    return encoded + b"\n" + " ".join(part for word in sorted(identifiers) for part in identifier_parts(word)).encode()


@cache
def _unspaced_run() -> re.Pattern[str]:
    return re.compile(f"[{_UNSPACED}]+")


@cache
def _other_script() -> re.Pattern[str]:
    return re.compile(_OTHER_SCRIPT)


@cache
def _word() -> re.Pattern[str]:
    return re.compile(rf"(?P<unspaced>[{_UNSPACED}]+)|(?:(?![_{_UNSPACED}])[\w{_MARKS}])+")


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
    parts = _PARTS.findall(word)
    return tuple(parts) if 1 < len(parts) <= _MOST_PARTS else ()


def pairs(run: str) -> list[str]:
    """Overlapping pairs, then the last character alone, so that every character begins some term."""
    return [run[i : i + 2] for i in range(len(run))]


def tokens(text: str) -> Iterator[Token]:
    """Each word of the text, with its terms and its place."""
    is_plain = text.isascii() or not _other_script().search(text)
    for match in (_PLAIN_WORD if is_plain else _word()).finditer(text):
        if match.lastgroup:
            for i, pair in enumerate(pairs(match.group())):
                yield Token((pair,), match.start() + i, match.start() + i + len(pair))
        else:
            yield Token(terms_of_word(match.group()), match.start(), match.end())


@lru_cache(maxsize=50_000)
def terms_of_word(word: str) -> tuple[str, ...]:
    """The word's own term, then those of the parts of an identifier."""
    whole = stem(fold(word))
    if len(word) > _LONGEST_IDENTIFIER or not word.isascii() or not _MIXED_CASE.search(word):
        return (whole,)
    return (whole, *(stem(part.lower()) for part in identifier_parts(word)))


def fold(word: str) -> str:
    """Lower case and without accents."""
    if word.isascii():
        return word.lower()
    if is_unspaced(word):  # Kana would lose their marks, Hangul its syllables
        return word
    return "".join(c for c in unicodedata.normalize("NFKD", word.lower()) if not unicodedata.combining(c))


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
