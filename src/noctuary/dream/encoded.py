"""What stands in a text encoded, so that whoever decodes it is known to have read it.

An agent that decodes what a file or a program shows it tells what is written there in words that stand nowhere: in
base64, in numbers of bytes or signs, with the escapes of addresses and of pages, or in selectors that nobody sees.
"""

import re
from base64 import b64decode
from binascii import Error
from codecs import decode
from collections.abc import Iterator
from html import unescape
from itertools import islice
from urllib.parse import unquote_plus

_SHORTEST = 24  # characters: fewer hold no sentence
_MOST = 1_000  # pieces of a text that are tried, a millisecond's work: hashes may stand before what is hidden
_PIECE = re.compile(rb"[A-Za-z0-9+/_-]{%d,}={0,2}" % _SHORTEST)
_OF_PIECES = frozenset(b"ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789+/_-")
_HASH = re.compile(rb"[0-9a-f]+")  # of nothing but these no sentence in base64 is: each third letter is a late one
_BLANK = b"20"
_TO_STANDARD = bytes.maketrans(b"-_", b"+/")
_LEAST_SPACES = 2
_ROTATED = (" gur ", " naq ", " lbh ", " lbhe ", "nyjnlf", "arire ", " gb ", " zhfg ", "orsber ")
_BACKWARDS = (" eht ", " dna ", " uoy ", " ruoy ", "syawla", " reven", " ot ", " tsum ", " erofeb")
_LEAST_TURNED = 2  # of these words in a text, for one stands in names and numbers
_BLANKS = (" 20 ", ":20:", "\\x20", "0x20", "\\u0020")
_OF_NUMBERS = re.compile(r"(?:(?:\\x|0x|\\u00)?[2-7][0-9a-fA-F](?:, ?|[ :])?){12,}+")
_BESIDE_NUMBERS = re.compile(r"\\x|0x|\\u00|[, :]")
_ENTITIES = re.compile(r"(?:&#x?[0-9a-fA-F]{2,4};[ \w]?){6,}")
_SELECTORS = re.compile("[\ufe00-\ufe0f\U000e0100-\U000e01ef]{8,}")
_FIRST_SELECTOR, _LATER_SELECTOR = 0xFE00, 0xE0100 - 16
_RUN = b"w" * 20  # letters and digits, of which a sentence in base64 has so many in a row
_BYTES = bytes(ord("w") if byte < 128 and chr(byte).isalnum() else ord(" ") for byte in range(256))


def with_decoded(text: str) -> str:
    """A text with what it holds encoded, which whoever decodes it has read."""
    said = decoded(text)
    return f"{text}\n\n\n{said}" if said else text


def decoded(text: str) -> str:
    """All sentences that a text holds encoded, a line each; empty if there are none."""
    raw = text.encode("utf-8", "replace")
    said = [*map(_read, islice(_pieces(raw), _MOST)), *islice(_escaped(text), _MOST), *islice(_turned(text), _MOST)]
    return "\n".join(filter(_is_sentence, said))


def _turned(text: str) -> Iterator[str]:
    """What is written in letters that stand for others or backwards: short words that every sentence has say so."""
    small = text.lower()
    if sum(word in small for word in _ROTATED) >= _LEAST_TURNED:
        yield from (decode(line, "rot13") for line in text.split("\n"))
    if sum(word in small for word in _BACKWARDS) >= _LEAST_TURNED:
        yield from (line[::-1] for line in text.split("\n"))


def _escaped(text: str) -> Iterator[str]:
    """What is written by numbers and escapes; each has a sign by which most texts are known to have none."""
    if "%20" in text:
        yield from (unquote_plus(word) for word in text.split() if "%20" in word)
    if "&#" in text:
        yield from (unescape(found[0]).strip() for found in _ENTITIES.finditer(text))
    if any(blank in text for blank in _BLANKS):
        yield from (_of_numbers(found[0]) for found in _OF_NUMBERS.finditer(text))
    if not text.isascii():
        yield from (_of_selectors(found[0]) for found in _SELECTORS.finditer(text))


def _of_numbers(piece: str) -> str:
    digits = _BESIDE_NUMBERS.sub("", piece)
    return bytes.fromhex(digits).decode("ascii", "replace")


def _of_selectors(piece: str) -> str:
    """Selectors of variants, each of which stands for a byte."""
    codes = [ord(sign) for sign in piece]
    numbers = [code - (_FIRST_SELECTOR if code <= 0xFE0F else _LATER_SELECTOR) for code in codes]
    return bytes(numbers).decode("utf-8", "replace").replace("\n", " ").strip()


def _pieces(raw: bytes) -> Iterator[bytes]:
    """What may be encoded: most texts have no run as long, and to see that is quick."""
    classes = raw.translate(_BYTES)
    at = classes.find(_RUN)
    while at >= 0:
        while at > 0 and raw[at - 1] in _OF_PIECES:
            at -= 1
        piece = _PIECE.match(raw, at)
        if piece and (not _HASH.fullmatch(piece[0]) or _BLANK in piece[0]):
            yield piece[0]
        at = classes.find(_RUN, piece.end() if piece else classes.find(b" ", at + len(_RUN)))


def _read(piece: bytes) -> str:
    """What a piece says; nothing if it is no text."""
    if _HASH.fullmatch(piece):
        return _of_numbers(piece[: len(piece) // 2 * 2].decode())
    standard = piece.rstrip(b"=").translate(_TO_STANDARD)
    try:
        return b64decode(standard + b"=" * (-len(standard) % 4), validate=True).decode().replace("\n", " ").strip()
    except (Error, ValueError):
        return ""


def _is_sentence(said: str) -> bool:
    return said.count(" ") >= _LEAST_SPACES and said.isprintable()
