"""What stands in a text in base64, so that whoever decodes it is known to have read it.

An agent that decodes what a file or a program shows it tells what is written there in words that stand nowhere.
"""

import re
from base64 import b64decode
from binascii import Error
from collections.abc import Iterator
from itertools import islice

_SHORTEST = 24  # characters: fewer hold no sentence
_MOST = 1_000  # pieces of a text that are tried, a millisecond's work: hashes may stand before what is hidden
_PIECE = re.compile(rb"[A-Za-z0-9+/_-]{%d,}={0,2}" % _SHORTEST)
_OF_PIECES = frozenset(b"ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789+/_-")
_HASH = re.compile(
    rb"[0-9a-f]+"
)  # of nothing but these: no sentence is, for each third letter would have to be a late one
_TO_STANDARD = bytes.maketrans(b"-_", b"+/")
_LEAST_SPACES = 2
_RUN = b"w" * 20  # letters and digits, of which a sentence in base64 has so many in a row
_BYTES = bytes(ord("w") if byte < 128 and chr(byte).isalnum() else ord(" ") for byte in range(256))


def decoded(text: str) -> str:
    """All sentences that a text holds encoded, a line each; empty if there are none."""
    raw = text.encode("utf-8", "replace")
    return "\n".join(filter(_is_sentence, map(_read, islice(_pieces(raw), _MOST))))


def _pieces(raw: bytes) -> Iterator[bytes]:
    """What may be encoded: most texts have no run as long, and to see that is quick."""
    classes = raw.translate(_BYTES)
    at = classes.find(_RUN)
    while at >= 0:
        while at > 0 and raw[at - 1] in _OF_PIECES:
            at -= 1
        piece = _PIECE.match(raw, at)
        if piece and not _HASH.fullmatch(piece[0]):
            yield piece[0]
        at = classes.find(_RUN, piece.end() if piece else classes.find(b" ", at + len(_RUN)))


def _read(piece: bytes) -> str:
    """What a piece says; nothing if it is no text."""
    standard = piece.rstrip(b"=").translate(_TO_STANDARD)
    try:
        return b64decode(standard + b"=" * (-len(standard) % 4), validate=True).decode().replace("\n", " ").strip()
    except (Error, ValueError):
        return ""


def _is_sentence(said: str) -> bool:
    return said.count(" ") >= _LEAST_SPACES and said.isprintable()
