"""Texts as a reader takes them: nothing unseen between the letters, plain forms, no letter that only looks like one.

Whoever hides an order from a filter writes it with signs that nobody sees, with letters of other alphabets that look
the same, or with letters of another width.  A model reads the order all the same, so it is looked for in this form.
Tags, which nobody sees, spell letters that a model reads: they count as these.
Words that are of another alphabet from beginning to end stay as they are.
"""

import re
import unicodedata
from collections.abc import Mapping

_UNSEEN = ("Cf", "Cc", "Mn", "Me")  # categories of what stands between letters and is not seen
# One of these is in all that is changed: controls, what is not seen, marks on letters, other alphabets, other widths.
_SUSPECT = re.compile(
    "[\x00-\x08\x0b-\x1f\x7f-\x9f\xad\u0300-\u052f\u061c\u1ab0-\u1aff\u1dc0-\u1dff\u180b-\u180f\u200b-\u200f"
    "\u2028-\u202e\u2060-\u206f\u20d0-\u20ff\u24b6-\u24e9\ufe00-\ufe0f\ufeff\uff01-\uffef\U0001d400-\U0001d7ff"
    # Latin letters in other forms: long, small, of formulas, of numbers, two in one.
    "\u017f\u02b0-\u02b8\u02e1-\u02e3\u1d2c-\u1d65\u2071\u207f\u2090-\u209c\u2102\u210a-\u2113\u2115\u2119-\u211d"
    "\u2124\u2128\u212a-\u212d\u212f-\u2134\u2145-\u2149\u2160-\u217f\ufb00-\ufb06"
    "\U0001f130-\U0001f189\U000e0000-\U000e01ef]"
)
_PLAIN = bytes([*b"\n\t", *range(0x20, 0x7F)])  # of which nothing is ever changed
# Signs that are not plain, and the one before them; what stands behind them never changes how they are read.
_ODD = re.compile(r"[\n\t\x20-\x7e]?[^\n\t\x20-\x7e]+")
_MANY = 50  # signs that are looked for one by one
_ANSI = re.compile(r"\x1b(?:\[[0-9;?]*[ -/]*[@-~]|\]\d+;|[@-Z\\-_])")  # words in the title of a window stay
_FIRST_TAG, _LAST_TAG, _TAGS = "\U000e0020", "\U000e007e", 0xE0000
_OTHER = re.compile(r"[\u0370-\u052f]")
_LETTER = re.compile(r"[A-Za-z]")
_WORD = re.compile(r"\w+")
# Letters of Greek and Cyrillic that most fonts draw as Latin ones.
_LATIN = str.maketrans(
    "АВЕЅІЈКМНОРСТУХԌԚԜаеѕіјкмнорстухԛԝԁһӏѵΑΒΕΖΗΙΚΜΝΟΡΤΥΧαικνορτυχϲ",
    "ABESIJKMHOPCTYXGQWaesijkmhopctyxqwdhlvABEZHIKMNOPTYXaikvoptuxc",
)


def as_read(text: str) -> str:
    """The text as whoever reads it takes it; the very same object if there is nothing to change."""
    odd = _odd_signs(text)
    if not odd or not _SUSPECT.search(odd):  # as of most
        return text
    if "\x1b" in text:
        text = _ANSI.sub("", text)
        odd = _odd_signs(text)
    shown = {sign: _seen(sign) for sign in set(odd)}
    plain = _with_plain_signs(text, shown)
    if not any(map(_OTHER.search, shown.values())):
        return plain
    return "\n".join([line if line.isascii() else _mended(line) for line in plain.split("\n")])


def _mended(line: str) -> str:
    """A line without letters that only look like Latin ones: those that stand in a word with Latin ones."""
    pieces: list[str] = []
    done = at = 0  # what is in the pieces, and what was looked at
    for found in _OTHER.finditer(line):
        start, rest = found.start(), _WORD.match(line, found.start())
        if start < at or rest is None:
            continue  # in the word before, or no letter
        at = rest.end()
        while start > done and (line[start - 1].isalnum() or line[start - 1] == "_"):
            start -= 1
        if _LETTER.search(line, start, at):
            pieces += (line[done:start], line[start:at].translate(_LATIN))
            done = at
    return "".join([*pieces, line[done:]])


def _odd_signs(text: str) -> str:
    """All signs that may have to be changed, one after the other: a fifth of the time of a pattern."""
    return text.encode("utf-8", "surrogatepass").translate(None, _PLAIN).decode("utf-8", "surrogatepass")


def _with_plain_signs(text: str, shown: Mapping[str, str]) -> str:
    changed = [(sign, plain) for sign, plain in shown.items() if plain != sign]
    if len(changed) > _MANY or any(map(_may_be_joined, shown)):
        return _ODD.sub(lambda found: _seen(found[0]), text)
    for sign, plain in changed:  # each is found by one search, which is quicker than to look at every sign
        text = text.replace(sign, plain)
    return text


def _may_be_joined(sign: str) -> bool:
    """Whether a sign, or what it stands for in its plain form, may make one with the letter before it."""
    plain = unicodedata.normalize("NFKC", sign)
    return any("\u1100" <= each <= "\u11ff" or unicodedata.category(each)[0] == "M" for each in (sign, *plain))


def _seen(signs: str) -> str:
    """Some odd signs, with the letter before them that they may be marks on, in their plain form."""
    return "".join(map(_shown, unicodedata.normalize("NFKC", signs)))


def _shown(sign: str) -> str:
    """A sign as it is seen: all that is blank as a space, lines as lines, and what is not seen as nothing."""
    if sign in "\n\t" or " " <= sign <= "~":
        return sign
    if _FIRST_TAG <= sign <= _LAST_TAG:
        return chr(ord(sign) - _TAGS)
    return " " if sign.isspace() else "" if unicodedata.category(sign) in _UNSEEN else sign
