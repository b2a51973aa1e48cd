"""Names in which capitals matter: `SessA` and `sessa` are two sessions, Redis and redis are one database."""

import re

from noctuary.dream.concepts import SPELLED_FREELY

_NAMED = re.compile(r"[^\W_][\w-]*")
_BEFORE_IDS = re.compile(r"\b(?:session|id|user|key|token|run|branch|commit)s?\s+[`'\"]?([^\W_][\w-]*)", re.IGNORECASE)


def cased_names(text: str) -> dict[str, str]:
    """The names of a text as they are written, by their small letters: ids, and whatever has a capital inside."""
    names = {
        word.lower(): word for word in _BEFORE_IDS.findall(text) if any(map(str.isupper, word[1:])) or len(word) > 3
    }
    for word in _NAMED.findall(text):
        if any(map(str.isupper, word)) or word.lower() in names:
            names.setdefault(word.lower(), word)
    return {small: name for small, name in names.items() if _matters(small, name)}


def _matters(small: str, name: str) -> bool:
    is_plain = name.islower() or name.isupper() or name.istitle()
    return not is_plain and small not in SPELLED_FREELY
