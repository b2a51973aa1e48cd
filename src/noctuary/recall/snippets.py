"""Show the place that matched: a piece of the original text with every match marked >>>like this<<<."""

import re
from collections.abc import Iterable, Iterator, Sequence
from functools import lru_cache
from typing import NamedTuple

from noctuary.recall.query import Query
from noctuary.records import Term
from noctuary.stemming import stem
from noctuary.text import Token, ascii_lowered, fold, terms_of_word, tokens

OPEN, CLOSE = ">>>", "<<<"
SNIPPET_CHARACTERS = 240
LEAD_CHARACTERS = 60
_LONGEST_SCAN = 200_000  # characters of one message that are looked through for the best place

Span = tuple[int, int]


def snippet(text: str, query: Query) -> str:
    """The part of the text with most of the query in it, matches marked; its beginning, if nothing matches."""
    spans = matches(text[:_LONGEST_SCAN], query)
    if not spans and len(text) > _LONGEST_SCAN:
        spans = _far_matches(text, query)
    start = _best_start(spans, len(text))
    end = min(len(text), start + SNIPPET_CHARACTERS)
    start, end = _at_spaces(text, start, end)
    marked = _mark(text, start, end, spans)
    return f"{'…' if start > 0 else ''}{marked}{'…' if end < len(text) else ''}"


def matches(text: str, query: Query) -> list[Span]:
    """Where the query matches, in order and without overlaps; adjacent characters are one match."""
    found = _literal_spans(text, query.literals, any_case=not (query.terms or query.required))
    wanted = _wanted((*query.terms, *query.required))
    for token in _likely_tokens(text, wanted):
        if any(term in wanted.terms for term in token.terms) or _begins(token, wanted.beginnings):
            found.append((token.start, token.end))
    return _merged(found)


def _far_matches(text: str, query: Query) -> list[Span]:
    """Matches near the first place far into a long text where a word of the query stands, or what it has instead."""
    words = [fold(word) for term in (*query.terms, *query.required) for word in term.words]
    beginnings = [word[: max(1, len(stem(word)) - 1)] for word in words] or query.literals
    anywhere = re.compile("|".join(map(re.escape, beginnings)), re.IGNORECASE)
    found = anywhere.search(text, _LONGEST_SCAN) if beginnings else None
    if found is None:
        return []
    start = max(0, found.start() - LEAD_CHARACTERS)
    near = matches(text[start : start + 10 * SNIPPET_CHARACTERS], query)
    return [(low + start, high + start) for low, high in near]


def _likely_tokens(text: str, wanted: "_Wanted") -> Iterable[Token]:
    """The words of the text that may match: all of them, or, in plain English, those that look like a term."""
    if wanted.pattern is None or not text.isascii():
        return tokens(text)
    return _words_with(wanted.pattern, text)


def _words_with(pattern: re.Pattern[str], text: str) -> Iterator[Token]:
    end = 0
    for match in pattern.finditer(text.lower()):  # plain English: lower case changes no place
        if match.start() >= end:
            start, end = match.span()
            while start > 0 and text[start - 1].isalnum():
                start -= 1
            while end < len(text) and text[end].isalnum():
                end += 1
            yield Token(terms_of_word(text[start:end]), start, end)


class _Wanted(NamedTuple):
    """What the words of a query look like in a text."""

    terms: frozenset[str]
    beginnings: tuple[str, ...]
    pattern: re.Pattern[str] | None  # None if there is more than plain English


@lru_cache(maxsize=64)
def _wanted(terms: tuple[Term, ...]) -> _Wanted:
    single = frozenset(stem(fold(word)) for term in terms for word in term.words)
    beginnings = tuple(stem(fold(term.words[-1])) for term in terms if term.prefix)
    if not single or not all(term.isascii() for term in single):
        return _Wanted(single, beginnings, None)
    # A stem and its word agree in all but the last letter, wherever in an identifier they stand.
    starts = sorted({re.escape(term[: max(1, len(term) - 1)]) for term in single})
    return _Wanted(single, beginnings, re.compile("|".join(starts)))


def _begins(token: Token, beginnings: tuple[str, ...]) -> bool:
    return bool(beginnings) and any(term.startswith(beginnings) for term in token.terms)


def _literal_spans(text: str, literals: Sequence[str], *, any_case: bool) -> list[Span]:
    """Where the literals stand as typed; if there is nothing else to look for, the case of a to z does not matter."""
    if any_case and literals:
        text, literals = ascii_lowered(text), [ascii_lowered(literal) for literal in literals]
    spans: list[Span] = []
    for literal in literals:
        at = text.find(literal)
        while at >= 0 and len(spans) < 1000:
            spans.append((at, at + len(literal)))
            at = text.find(literal, at + len(literal))
    return spans


def _merged(spans: list[Span]) -> list[Span]:
    merged: list[Span] = []
    for start, end in sorted(spans):
        if merged and start < merged[-1][1]:
            merged[-1] = (merged[-1][0], max(end, merged[-1][1]))
        else:
            merged.append((start, end))
    return merged


def _best_start(spans: list[Span], length: int) -> int:
    """Where to begin so that the piece holds as many matches as can be."""
    best, best_start, first = 0, 0, 0
    for i, (_, end) in enumerate(spans):
        while end - spans[first][0] > SNIPPET_CHARACTERS - LEAD_CHARACTERS and first < i:
            first += 1
        if i - first + 1 > best:
            best, best_start = i - first + 1, spans[first][0]
    return max(0, min(best_start - LEAD_CHARACTERS, length - SNIPPET_CHARACTERS))


def _at_spaces(text: str, start: int, end: int) -> Span:
    """The ends moved a little, so that words stay whole."""
    if start > 0:
        space = text.find(" ", start, start + 20)
        start = space + 1 if space >= 0 else start
    if end < len(text):
        space = text.rfind(" ", end - 20, end)
        end = space if space > start else end
    return start, end


def _mark(text: str, start: int, end: int, spans: list[Span]) -> str:
    pieces: list[str] = []
    at = start
    for span_start, span_end in spans:
        low, high = max(span_start, start), min(span_end, end)
        if low < high:
            pieces += [escape(text[at:low]), OPEN, escape(text[low:high]), CLOSE]
            at = high
    pieces.append(escape(text[at:end]))
    return "".join(pieces)


def escape(text: str) -> str:
    r"""Markers that stand in the text itself are written \>>> and \<<<, so that ours can be told from them."""
    return text.replace(OPEN, "\\" + OPEN).replace(CLOSE, "\\" + CLOSE)
