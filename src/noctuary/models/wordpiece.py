"""WordPiece as BERT does it: clean, spread, strip, split, then the longest pieces first.

Gives the ids that the `tokenizers` library gives, but for characters that Unicode got after 2015, whose kind that
library does not know.  What a character becomes is worked out once and kept, and so are the pieces of a word.
"""

import unicodedata
from typing import Any, NamedTuple

MOST_KEPT = 200_000  # words
_CONTROL = ("Cc", "Cf", "Co")
_REPLACEMENT = "\ufffd"
_SPACES = {
    *"\t\n\v\f\r \x85\xa0\u1680\u2028\u2029\u202f\u205f\u3000",
    *(chr(point) for point in range(0x2000, 0x200B)),
}
_IDEOGRAPHS = (
    (0x3400, 0x4DBF),
    (0x4E00, 0x9FFF),
    (0xF900, 0xFAFF),
    (0x20000, 0x2A6DF),
    (0x2A700, 0x2B81F),
    (0x2B920, 0x2CEAF),
    (0x2F800, 0x2FA1F),
)


class Normalizer(NamedTuple):
    """What is done to a text before it is split."""

    clean: bool = True
    ideographs: bool = True  # each a word
    strip_accents: bool = True
    lowercase: bool = True


class WordPiece:
    """Cuts words into the pieces of a vocabulary."""

    def __init__(
        self,
        vocabulary: dict[str, int],
        *,
        unknown: str,
        prefix: str,
        longest: int,
        normalizer: Normalizer,
        most_kept: int = MOST_KEPT,
    ) -> None:
        self._vocabulary = vocabulary
        self._unknown = [vocabulary[unknown]]
        self._prefix = prefix
        self._longest = longest
        self._most_kept = most_kept
        self._strip_accents = normalizer.strip_accents
        self._cleaned = _Cleaned(normalizer)
        self._spread = _Spread(normalizer)
        self._kept: dict[str, list[int]] = {}

    def ids(self, text: str) -> list[int]:
        """The pieces of the text."""
        found: list[int] = []
        kept = self._kept
        for word in self._words(text):
            pieces = kept.get(word)
            if pieces is None:
                pieces = self._keep(word)
            found += pieces
        return found

    def _words(self, text: str) -> list[str]:
        cleaned = text.translate(self._cleaned)
        if self._strip_accents and not cleaned.isascii():
            cleaned = unicodedata.normalize("NFD", cleaned)
        return [word for word in cleaned.translate(self._spread).split(" ") if word]

    def _keep(self, word: str) -> list[int]:
        if len(self._kept) >= self._most_kept:
            self._kept.clear()
        self._kept[word] = pieces = self._pieces(word)
        return pieces

    def _pieces(self, word: str) -> list[int]:
        """The longest piece that the word begins with, and so on; unknown as a whole if there is none."""
        if len(word) > self._longest:
            return self._unknown
        found: list[int] = []
        start = 0
        while start < len(word):
            prefix = self._prefix if start else ""
            for end in range(len(word), start, -1):
                piece = self._vocabulary.get(prefix + word[start:end])
                if piece is not None:
                    found.append(piece)
                    start = end
                    break
            else:
                return self._unknown
        return found


class _Cleaned(dict[int, str]):
    """What `str.translate` makes of a character before accents are stripped; filled as characters are met."""

    def __init__(self, normalizer: Normalizer) -> None:
        super().__init__()
        self._normalizer = normalizer

    def __missing__(self, point: int) -> str:
        character = chr(point)
        if self._normalizer.clean:
            character = _clean(character)
        if self._normalizer.ideographs and any(first <= point <= last for first, last in _IDEOGRAPHS):
            character = f" {character} "
        self[point] = character
        return character


class _Spread(dict[int, str]):
    """What `str.translate` makes of a character afterwards: lower case, with punctuation apart."""

    def __init__(self, normalizer: Normalizer) -> None:
        super().__init__()
        self._normalizer = normalizer

    def __missing__(self, point: int) -> str:
        character = chr(point)
        if self._normalizer.strip_accents and unicodedata.category(character) == "Mn":
            character = ""
        elif self._normalizer.lowercase:
            character = character.lower()  # one at a time: at the end of a word a sigma stays as others are
        self[point] = character = "".join(_apart(each) for each in character)
        return character


def _clean(character: str) -> str:
    if character in "\t\n\r":
        return " "
    if character == _REPLACEMENT or unicodedata.category(character) in _CONTROL:
        return ""
    return " " if character in _SPACES else character


def _apart(character: str) -> str:
    if character in _SPACES:
        return " "
    is_sign = character.isascii() and character.isprintable() and not character.isalnum()
    return f" {character} " if is_sign or unicodedata.category(character)[0] == "P" else character


def wordpiece_from(model: dict[str, Any], normalizer: Normalizer) -> WordPiece:
    """The WordPiece that a tokenizer.json describes; KeyError, TypeError or ValueError if it does not."""
    return WordPiece(
        dict(model["vocab"]),
        unknown=str(model["unk_token"]),
        prefix=str(model.get("continuing_subword_prefix") or ""),
        longest=int(model.get("max_input_chars_per_word") or 100),
        normalizer=normalizer,
    )
