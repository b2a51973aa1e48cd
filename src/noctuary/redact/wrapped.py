"""Keys and tokens that a line break cuts in two: what stands on the next lines belongs to them.

A token is known by how it begins.  If its line ends before it does, the next line is its rest, behind whatever
indents or quotes it; if it could end there, the next line is only if it is one word that looks like chance.
"""

import re
from collections.abc import Iterator, Sequence

from noctuary.redact.token_forms import BEGINNINGS
from noctuary.redact.tokens import Family, Span, starts_within_a_word
from noctuary.redact.values import NAME, NUMBER, is_mixed

_PIECE = r"[A-Za-z0-9_.+/~%-]"
_GLUE = r"[ \t]{0,40}(?:[>+|│][ \t]{0,8})?"
_BREAK = rf"(?:\\|=(?=\r?\n))?\r?\n{_GLUE}"
# Found by the line break, for which `re` looks fast: words before and behind it.
_CUT = re.compile(
    rf"\n(?:(?<=[\w+/.-]{{7}}[\w+/\\\r=-]\n)(?={_GLUE}(?:[A-Za-z_+/.-]{{0,40}}+\d|{_PIECE}{{12}}))"
    rf"|(?:(?<=[\w-]{{7}}\.\n)|(?<=[\w-]{{7}}\.\r\n))(?={_GLUE}[\w-]{{12}}))",
    re.ASCII,
)
_NEXT = re.compile(rf"({_PIECE}++={{0,2}})({_BREAK}(?={_PIECE}{{4}}))?", re.ASCII)
_BEGINNING = re.compile(BEGINNINGS)
_REST = re.compile(
    rf"""({_BREAK})({_PIECE}{{4,}}+(?:=[0-9A-F]{{8}}|={{0,2}}))(?=["'`]?[,;]?[ \t]*(?:\\?\r?\n|\Z))""", re.ASCII
)
_SHORTEST = 14  # of what is broken over lines
_LONGEST_NAME = 11
_LONGEST_WORD = 400
_MOST_LINES = 60


def wrapped(text: str, formed: Sequence[Family]) -> Iterator[Span]:
    """The tokens of these families that go on behind the end of a line."""
    done = 0
    for cut in _CUT.finditer(text):
        if cut.start() < done:
            continue
        start = _start_of_word(text, max(done, cut.start() - _LONGEST_WORD), cut.start())
        if _BEGINNING.match(text, start) and not starts_within_a_word(text, start):
            end, kind = _end(text, start, formed)
            if end > cut.end():
                done = end
                yield start, end, kind


def _start_of_word(text: str, first: int, end: int) -> int:
    """Where the last word before a place begins, behind whatever a value stands behind."""
    before = text[first:end].rstrip("\r")
    word = (before.rsplit(None, 1) or [""])[-1].rpartition("=")[2].lstrip("\"'`(")
    return first + len(before) - len(word)


def _end(text: str, start: int, formed: Sequence[Family]) -> tuple[int, str]:
    """Where the token that begins here ends, and its kind; 0 if there is none."""
    joined, at, end, kind = "", start, 0, ""
    for _ in range(_MOST_LINES):
        piece = _NEXT.match(text, at)
        if piece is None or (joined and text[piece.end(1) : piece.end(1) + 1] in ("=", ":", "(")):
            break
        longer = joined + piece[1]
        known = _known(longer, formed)
        if known is not None and known[0] > len(joined):
            end, kind = at + known[0] - len(joined), known[1]
        joined, at = longer, piece.end()
        if kind or piece[2] is None:
            break
    return end, kind


def _known(joined: str, formed: Sequence[Family]) -> tuple[int, str] | None:
    """How much of what was joined is a token that begins it, and of which kind."""
    spans = [span for trigger, gate, find in formed if trigger in joined and gate(joined) for span in find(joined)]
    return max(((end, kind) for start, end, kind in spans if start == 0), default=None)


def end_behind_lines(text: str, start: int, end: int) -> int:
    """Where a secret really ends that reaches to the end of its line: words of chance on the next ones belong to it."""
    if end - start < _SHORTEST:
        return end
    for _ in range(_MOST_LINES):
        rest = _REST.match(text, end)
        if rest is None:
            break
        before = text[start:end].rpartition("\n")
        if not rest[1].startswith("\\") and not _goes_on(rest[2], len(before[2].lstrip(" \t>+|")), bool(before[1])):
            break
        end = rest.end(2)
    return end


def _goes_on(word: str, width: int, is_broken: bool) -> bool:
    """Whether a word alone on its line goes on with a secret whose last line was so wide, and may be broken already."""
    if word.endswith("=="):  # as base64 ends
        return True
    has_sorts = word != word.lower() and word != word.upper()
    if len(word) == width and has_sorts:
        return True
    if NAME.fullmatch(word) or NUMBER.fullmatch(word):
        return is_broken and len(word) < width and (has_sorts or is_mixed(word))
    return is_mixed(word) and (has_sorts or is_broken or (len(word) > _LONGEST_NAME and "." not in word))
