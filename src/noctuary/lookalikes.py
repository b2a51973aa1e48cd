"""Texts as a reader takes them: nothing unseen between the letters, plain forms, no letter that only looks like one.

Whoever hides an order from a filter writes it with signs that nobody sees, with letters of other alphabets that look
the same, or with letters of another width.  A model reads the order all the same, so it is looked for in this form.
Words that are of another alphabet from beginning to end stay as they are.
"""

import re
import unicodedata

_UNSEEN = ("Cf", "Cc", "Mn", "Me")  # categories of what stands between letters and is not seen
# One of these is in all that is changed: controls, what is not seen, marks on letters, other alphabets, other widths.
_SUSPECT = re.compile(
    "[\x00-\x08\x0b-\x1f\x7f-\x9f\xad\u0300-\u052f\u061c\u1ab0-\u1aff\u1dc0-\u1dff\u180b-\u180f\u200b-\u200f"
    "\u2028-\u202e\u2060-\u206f\u20d0-\u20ff\u24b6-\u24e9\ufe00-\ufe0f\ufeff\uff01-\uffef\U0001d400-\U0001d7ff"
    "\U0001f130-\U0001f189\U000e0000-\U000e01ef]"
)
_PLAIN = bytes([*b"\n\t", *range(0x20, 0x7F)])  # of which nothing is ever changed
_ANSI = re.compile(r"\x1b(?:\[[0-9;?]*[ -/]*[@-~]|\]\d+;|[@-Z\\-_])")  # words in the title of a window stay
_OTHER = re.compile(r"[\u0370-\u052f]")
_MIXED = re.compile(r"\b(?=\w*[A-Za-z])(?=\w*[\u0370-\u052f])\w+")
# Letters of Greek and Cyrillic that most fonts draw as Latin ones.
_LATIN = str.maketrans(
    "АВЕЅІЈКМНОРСТУХԌԚԜаеѕіјкмнорстухԛԝԁһӏѵΑΒΕΖΗΙΚΜΝΟΡΤΥΧαικνορτυχϲ",
    "ABESIJKMHOPCTYXGQWaesijkmhopctyxqwdhlvABEZHIKMNOPTYXaikvoptuxc",
)


def as_read(text: str) -> str:
    """The text as whoever reads it takes it; the very same object if there is nothing to change."""
    rest = text.encode("utf-8", "surrogatepass").translate(None, _PLAIN)  # a fifth of the time of a pattern
    if not rest or not _SUSPECT.search(rest.decode("utf-8", "surrogatepass")):  # as of most
        return text
    plain = unicodedata.normalize("NFKC", _ANSI.sub("", text) if "\x1b" in text else text)
    odd = {sign: _shown(sign) for sign in set(plain) if not (sign.isascii() and sign.isprintable())}
    changed = {ord(sign): shown for sign, shown in odd.items() if shown != sign}
    plain = plain.translate(changed) if changed else plain
    return _MIXED.sub(_in_latin, plain) if _OTHER.search(plain) else plain


def _in_latin(word: re.Match[str]) -> str:
    return word[0].translate(_LATIN)


def _shown(sign: str) -> str:
    """A sign as it is seen: all that is blank as a space, lines as lines, and what is not seen as nothing."""
    if sign in "\n\t":
        return sign
    return " " if sign.isspace() else "" if unicodedata.category(sign) in _UNSEEN else sign
