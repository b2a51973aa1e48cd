"""Ids: ULIDs for events, and short ids for what people name.

A ULID is 48 bits of milliseconds and 80 of chance in 26 letters that sort like the time.  A short id is a letter or
two that say what it is, a dash, and 50 bits of chance: two machines that add to the same memory while they do not
see each other will not choose the same (with 10,000 ids on each side the odds are one to ten million).
"""

import re
import secrets

from noctuary.digests import digest

ALPHABET = "0123456789ABCDEFGHJKMNPQRSTVWXYZ"  # Crockford's: no I, L, O, U
_PAIRS = [first + second for first in ALPHABET for second in ALPHABET]
_AS_PYTHON = bytes.maketrans(  # as `int` reads numbers to the base of 32; bytes, for those are changed at once
    ALPHABET.encode(), b"0123456789ABCDEFGHIJKLMNOPQRSTUV"
)
ULID_LENGTH = 26
SHORT_LENGTH = 10
_CHANCE = 80
_LATEST_MS = 253_402_300_799_999  # the last millisecond of the year 9999: there is always a greater id
_ULID = re.compile(r"[0-7][0-9A-HJKMNP-TV-Z]{25}")


def ulid_after(last: str, now_ms: int) -> str:
    """A new ULID, greater than the last one even if the clock was set back or has not moved."""
    moment = min(max(now_ms, 0), _LATEST_MS)
    if last and moment <= (number := _number(last)) >> _CHANCE:
        return _letters(number + 1 + secrets.randbits(32), ULID_LENGTH)
    return _letters(moment << _CHANCE | secrets.randbits(_CHANCE), ULID_LENGTH)


def is_ulid(text: str) -> bool:
    """Whether the text is a ULID of a time before the year 10000."""
    return _ULID.fullmatch(text) is not None and text < _TOO_LATE


def moment_of(ulid: str) -> int:
    """When the ULID was made, in milliseconds since 1970."""
    return _number(ulid) >> _CHANCE


def short_id(prefix: str) -> str:
    """A new id, such as t-9k2x4z7abc."""
    return f"{prefix}-{_letters(secrets.randbits(5 * SHORT_LENGTH), SHORT_LENGTH).lower()}"


def derived_id(prefix: str, *parts: str) -> str:
    """The id that belongs to these parts, the same on every machine."""
    number = int.from_bytes(digest("\0".join(parts).encode("utf-8", "surrogatepass"), size=8), "big")
    return f"{prefix}-{_letters(number >> (64 - 5 * SHORT_LENGTH), SHORT_LENGTH).lower()}"


def _number(ulid: str) -> int:
    return int(ulid.encode().translate(_AS_PYTHON), 32)


def _letters(number: int, length: int) -> str:
    """The number in so many letters; two at a time, for there is always an even number of them."""
    return "".join([_PAIRS[number >> shift & 1023] for shift in range(5 * length - 10, -1, -10)])


_TOO_LATE = _letters((_LATEST_MS + 1) << _CHANCE, ULID_LENGTH)
