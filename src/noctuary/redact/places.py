"""Secrets that only the place where they stand gives away: behind a command, in a call, below what prints them."""

import re

from noctuary.redact.secret_places import CALLS as CALL_TABLES
from noctuary.redact.secret_places import PLACES as PLACE_TABLES
from noctuary.redact.secret_places import PRINTING
from noctuary.redact.secret_tongues import IN_PLAIN_LETTERS
from noctuary.redact.tokens import Family, Span, family_of
from noctuary.redact.values import is_set

_PRINTS = re.compile("|".join([*PRINTING, r"\A(?:\w+:[ ])?/\S{0,200}secrets/[\w-]{1,100}\s*\Z"]), re.ASCII)
_LONGEST_COMMAND = 2_000
_ALONE = re.compile(r"^[ \t]*(?:\d{1,6}[\t→])?([^\s\"'`]{6,4096}+)[ \t]*\r?$", re.MULTILINE)
# Both are looked for only in a text that has a word of letters and digits.
PLACES: list[Family] = [*map(family_of, (*PLACE_TABLES, *IN_PLAIN_LETTERS))]
CALLS: list[Family] = [*map(family_of, CALL_TABLES)]


def may_have_places(text: str) -> bool:
    """Whether something stands behind something else in a text."""
    return " " in text or "\n" in text


def may_have_calls(text: str) -> bool:
    """Whether something could be called in a text with a value in quotes."""
    return "(" in text and ("'" in text or '"' in text)


def prints_secret(command: str) -> bool:
    """Whether what a tool is called with makes it print a secret."""
    return _PRINTS.search(command[:_LONGEST_COMMAND]) is not None


def printed_secrets(text: str) -> list[Span]:
    """What such a command printed, if it stands alone on its line."""
    found = (match.span(1) for match in _ALONE.finditer(text))
    return [(start, end, "secret") for start, end in found if is_set(text[start:end])]
