"""Words as PostgreSQL indexes them: the same words as everywhere, as `tsvector` and `tsquery`.

PostgreSQL has a parser of its own, which takes `src/main.py` for a path and knows no CJK.  Ours makes the words here,
so that a query means the same in both databases; the server only stores and joins them.  What the store asks is written
in the language of FTS5, of which it uses little: quoted phrases, a star for beginnings, AND, OR, NOT, parentheses.
"""

import json
import re
from functools import lru_cache
from itertools import pairwise

from noctuary.stemming import stem
from noctuary.text import fold_text

_WORD = re.compile(r"[^\W_]+")
_MOST_POSITIONS = 16_383  # the last that a tsvector knows
_MOST_PLACES = 255  # of one word that it knows
_HALF = 250  # characters of each word of a couple
_LONGEST_WORD = 500  # characters; no lexeme may have more than 2,046 bytes
_MOST_BYTES = 1_000_000  # of a tsvector there may be 1,048,575
_PART = re.compile(r'"((?:[^"]|"")*)"(\*?)|(AND|OR|NOT)\b|([()])')
_OPERATORS = {"AND": " & ", "OR": " | ", "NOT": " & !"}
NOTHING = "'\u2400'"  # what no text has: the query of an expression without words


def words(text: str) -> list[str]:
    """The words of a text that is prepared for an index, stemmed, in order."""
    return [_stemmed(word) for word in _WORD.findall(fold_text(text))]


@lru_cache(maxsize=50_000)
def _stemmed(word: str) -> str:
    return stem(word[:_LONGEST_WORD]) or word


def as_tsvector(text: str) -> str:
    """A prepared text as the literal of a tsvector.

    It does not know the places of all words of a long text.  Those that it loses are noted as couples, each word with
    the one that follows, so that phrases are found there, too.
    """
    found = words(text)
    places: dict[str, list[str]] = {}
    couples: dict[str, None] = {}
    is_lost_before = False
    for place, word in enumerate(found, 1):
        at = places.setdefault(word, [])
        is_lost = place > _MOST_POSITIONS or len(at) >= _MOST_PLACES
        if not is_lost:
            at.append(str(place))
        if (is_lost or is_lost_before) and place > 1:
            couples[_couple(found[place - 2], word)] = None
        is_lost_before = is_lost
    room, parts = _MOST_BYTES, []
    for word in (*places, *couples):
        at = places.get(word, [])
        room -= len(word.encode()) + 2 * len(at) + 8
        if room < 0:
            break
        parts.append(f"{word}:{','.join(at)}" if at else word)
    return " ".join(parts)


def _couple(word: str, follower: str) -> str:
    """Two words in a row as one that no text has: none has a low line in it."""
    return f"{word[:_HALF]}_{follower[:_HALF]}"


def as_tsquery(expression: str) -> str:
    """An expression of FTS5 as the literal of a tsquery."""
    parts: list[str] = []
    is_between = False  # two phrases with nothing between them are both wanted
    for phrase, star, operator, parenthesis in _PART.findall(expression):
        if is_between and not operator and parenthesis != ")":
            parts.append(_OPERATORS["AND"])
        if operator:
            parts.append(_OPERATORS[operator])
        elif parenthesis:
            parts.append(parenthesis)
        else:
            parts.append(_phrase(phrase.replace('""', '"'), is_beginning=bool(star)))
        is_between = not operator and parenthesis != "("
    return "".join(parts) or NOTHING


@lru_cache(maxsize=1_000)
def phrases(expression: str) -> tuple[list[str], ...]:
    """The words of each phrase of an expression that has nothing else in it: all of them are wanted."""
    return tuple(words(phrase.replace('""', '"')) for phrase, *_ in _PART.findall(expression))


def as_tsqueries(expressions: str) -> str:
    """A JSON list of expressions as the literal of an array of tsqueries."""
    queries = (as_tsquery(each).replace("\\", "\\\\").replace('"', '\\"') for each in json.loads(expressions))
    return "{" + ",".join(f'"{query}"' for query in queries) + "}"


def _phrase(phrase: str, *, is_beginning: bool) -> str:
    """A phrase, by the places of its words or, where these are lost, by its couples."""
    found = words(phrase)
    if not found:
        return NOTHING
    star = ":*" if is_beginning else ""
    if len(found) == 1:
        return f"'{found[0]}'{star}"
    in_a_row = " <-> ".join(f"'{word}'" for word in found)
    in_couples = " & ".join(f"'{_couple(*couple)}'" for couple in pairwise(found))
    return f"({in_a_row}{star} | {in_couples}{star})"
