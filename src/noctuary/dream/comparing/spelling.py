"""How words are spelled: which are forms of one, and in which names capitals matter.

`SessA` and `sessa` are two sessions, Redis and redis are one database.
"""

import re
from collections.abc import Iterable

from noctuary.concepts import SPELLED_FREELY

_NAMED = re.compile(r"[^\W_][\w-]*")
_BEFORE_IDS = re.compile(r"\b(?:session|id|user|key|token|run|branch|commit)s?\s+[`'\"]?([^\W_][\w-]*)", re.IGNORECASE)


def cased_names(text: str) -> dict[str, str]:
    """The names of a text as they are written, by their small letters: ids, and whatever has a capital inside."""
    names = {
        word.lower(): word for word in _BEFORE_IDS.findall(text) if any(map(str.isupper, word[1:])) or len(word) > 3
    }
    for word in _NAMED.findall(text):
        if (not word.islower() and any(map(str.isupper, word))) or word.lower() in names:
            names.setdefault(word.lower(), word)
    return {small: name for small, name in names.items() if _matters(small, name)}


def _matters(small: str, name: str) -> bool:
    is_plain = name.islower() or name.isupper() or name.istitle()
    return not is_plain and small not in SPELLED_FREELY


def by_beginning(concepts: Iterable[str]) -> dict[str, list[str]]:
    """Concepts that may be spelled like others, by what those begin with."""
    found: dict[str, list[str]] = {}
    for concept in concepts:
        if len(concept) > 3 or concept[0] == "#":
            found.setdefault(beginning(concept), []).append(concept)
    return found


def beginning(concept: str) -> str:
    """What two concepts share that are spelled alike; nothing if it is too short to be like another."""
    return "#" if concept[0] == "#" else concept[:4] if len(concept) >= 4 else ""


def are_alike(one: str, other: str) -> bool:
    """Whether two words are forms of one: equal for the most part, from the beginning; 3.12 is 3.12.1 as well."""
    short, long = (one, other) if len(one) <= len(other) else (other, one)
    if short[0] == "#" or long[0] == "#":
        return short[0] == long[0] and "." in short and long.startswith(short + ".")
    if len(short) < 4 or short[:4] != long[:4]:
        return False
    shared = next((at for at, (a, b) in enumerate(zip(short, long, strict=False)) if a != b), len(short))
    if len(short) == 4 and len(long) > 5:  # a port is no portal, a form no format
        return False
    return shared >= len(short) - 1 and shared >= 0.62 * len(long) and (shared == len(short) or shared >= 5)
