"""How well a row of a full-text index matches, told from the row alone."""

from typing import Any

_USUAL_WORDS = 30  # of an event or a node
_K, _B = 1.2, 0.75  # as BM25 has them


def rank_by_itself(match: Any, *_: object) -> float:
    """FTS5's own rank without what all rows have in common, so that other people's words change nothing.

    `match` is APSW's view of a row that matches.  As with FTS5's, the best has the lowest.
    """
    length: float = 1 - _B + _B * match.column_size() / _USUAL_WORDS
    counts: list[int] = [sum(map(len, match.phrase_locations(each))) for each in range(match.phrase_count)]
    return -sum(count * (_K + 1) / (count + _K * length) for count in counts)
