"""Secrets that only the place where they stand gives away: behind a command, in a call, below what prints them."""

import re

from noctuary.redact.tokens import Family, Span, family_of
from noctuary.secret_places import CALLS, PLACES
from noctuary.token_forms import IN_PLAIN_LETTERS

# A secret has letters and digits.  Few texts that people write have a word with both, and this sees it at the speed of
# memchr: every digit is a 0, every letter an a, and what may stand between them within a word a dash.
_BETWEEN_WORDS = " \t\r\n\"'`"
_SORTS = bytes(
    ord("a" if b > 127 or chr(b).isalpha() else "0" if chr(b).isdigit() else " " if chr(b) in _BETWEEN_WORDS else "-")
    for b in range(256)
)
_MIXED = re.compile(rb"0(?:-{0,2}a|(?<=a0)|(?<=a-0)|(?<=a--0))")
_PLACES: list[Family] = [*map(family_of, (*PLACES, *IN_PLAIN_LETTERS))]
_CALLS: list[Family] = [*map(family_of, CALLS)]


def in_places(text: str) -> list[Span]:
    """What stands where secrets stand."""
    has_calls = "(" in text and ("'" in text or '"' in text)
    if not (has_calls or " " in text or "\n" in text) or not _MIXED.search(_sorts(text)):
        return []
    families = [*_PLACES, *_CALLS] if has_calls else _PLACES
    return [span for trigger, gate, find in families if trigger in text and gate(text) for span in find(text)]


def _sorts(text: str) -> bytes:
    return text.encode("utf-8", "replace").translate(_SORTS)
