"""A second look at the best of what was found, by a model that reads question and text together.

It is optional: words, and meaning if there is a model for it, have found and ordered the messages before.  What fails
here costs a search nothing but the second look.
"""

import math
from bisect import bisect_left
from collections.abc import Callable, Sequence
from dataclasses import replace

from noctuary.clock import Clock
from noctuary.errors import ModelError
from noctuary.recall.exactness import AS_TYPED, STAYS_BELOW
from noctuary.recall.meaning import LONGEST_QUESTION, REST_MS
from noctuary.recall.query import Query
from noctuary.recall.scoring import Scored
from noctuary.recall.snippets import matches

BEST = 20  # messages that are looked at again
PASSAGE = 1_000  # characters of each
LEAD = 200  # of them before the first match
LONGEST_SCAN = 20_000  # characters of a message that are looked through for its best place
# Of the best score: what the best answer gains.  Not measured on real weights; with more than this, what else is in
# a session begins to lift it over another that has the very token, if the judge is wrong about both.
WEIGHT = 0.25
REASON = "reranked"

# How well each text answers the question, from 0 to 1; nothing at all if that cannot be said now.
Judge = Callable[[str, Sequence[str]], Sequence[float]]


def reranked(ranked: list[Scored], query: Query, judge: Judge) -> list[Scored]:
    """The messages with what the judge says of the best of them, the best first; raises what the judge raises.

    What has a name, a path or an error as it was typed is never overtaken, for this, by what has not.
    """
    question, seen = query.question[:LONGEST_QUESTION], ranked[:BEST]
    judged = judge(question, [passage(s.text, query) for s in seen]) if seen and question.strip() else ()
    if not judged:
        return ranked
    best = max(s.score for s in seen)
    exact = [s.score for s in ranked if AS_TYPED in s.why]
    again = [_with(s, WEIGHT * best * value, exact) for s, value in zip(seen, judged, strict=True)]
    return sorted([*again, *ranked[BEST:]], key=lambda s: (-s.score, -s.key))


def passage(text: str, query: Query) -> str:
    """The part of the text with most matches of the query in it; its beginning, if there is none."""
    if len(text) <= PASSAGE:
        return text
    starts = [start for start, _ in matches(text[:LONGEST_SCAN], query)]
    counts = [bisect_left(starts, start + PASSAGE - LEAD) - number for number, start in enumerate(starts)]
    first = starts[counts.index(max(counts))] if starts else 0
    start = max(0, min(first - LEAD, len(text) - PASSAGE))
    return text[start : start + PASSAGE]


def _with(scored: Scored, gain: float, exact: Sequence[float]) -> Scored:
    if AS_TYPED not in scored.why:
        above = [score - scored.score for score in exact if score >= scored.score]
        gain = min(gain, STAYS_BELOW * min(above, default=math.inf))
    return replace(scored, why={**scored.why, REASON: gain}) if gain > 0 else scored


class RestingJudge:
    """A judge that is opened when it is first asked, and after a failure says nothing for a while."""

    def __init__(self, open_judge: Callable[[], Judge], clock: Clock) -> None:
        self.open_judge = open_judge
        self.clock = clock
        self._opened: Judge | None = None
        self._failed_ms: int | None = None

    def judge(self, question: str, texts: Sequence[str]) -> Sequence[float]:
        """How well each text answers; a ModelError once, and then nothing until it is tried again."""
        if self._failed_ms is not None and 0 <= self.clock.now_ms() - self._failed_ms < REST_MS:
            return ()
        try:
            self._opened = self._opened or self.open_judge()
            return self._opened(question, texts)
        except ModelError:
            self._opened, self._failed_ms = None, self.clock.now_ms()
            raise
