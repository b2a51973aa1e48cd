"""The fields of a message that was written as a protocol buffer, by their numbers: names are nowhere in it."""

from collections.abc import Iterator

_VARINT, _EIGHT_BYTES, _BYTES, _FOUR_BYTES = 0, 1, 2, 5
_LONGEST = 10  # bytes of a number


def fields_in(raw: bytes) -> Iterator[tuple[int, bytes]]:
    """The fields that hold bytes, in their order; numbers are passed over, and all that comes after what is broken."""
    at = 0
    while at < len(raw):
        key, at = _number(raw, at)
        kind = key & 7
        if kind == _VARINT:
            _, at = _number(raw, at)
        elif kind == _BYTES:
            size, at = _number(raw, at)
            if at + size > len(raw):
                return
            yield key >> 3, raw[at : at + size]
            at += size
        elif kind in (_EIGHT_BYTES, _FOUR_BYTES):
            at += 8 if kind == _EIGHT_BYTES else 4
        else:
            return


def _number(raw: bytes, at: int) -> tuple[int, int]:
    """A number and where it ends; beyond the end of all if it is broken."""
    number = 0
    for place, byte in enumerate(raw[at : at + _LONGEST]):
        number |= (byte & 0x7F) << (7 * place)
        if byte < 0x80:
            return number, at + place + 1
    return 0, len(raw) + 1
