"""Whether the best of what was found is an answer at all; if not, to say so is the better answer.

Two things speak for an answer: how much of what was asked the best message has in words, and how alike the most alike
message is.  In a large memory something always looks alike, so more is asked of it there.  A question that names one
of several speakers must also be answered by something about them (`about.py`).

The numbers were set so that of answerable questions almost none is refused; `docs/benchmarks.md` has the figures.
"""

import math
from collections.abc import Sequence
from typing import TYPE_CHECKING, NamedTuple

from noctuary.recall.about import others_fit_better
from noctuary.recall.candidates import Candidates
from noctuary.recall.exactness import AS_TYPED
from noctuary.recall.query import Query
from noctuary.recall.scoring import Scored
from noctuary.text import fold

if TYPE_CHECKING:
    from noctuary.recall.scan import Likeness

ENOUGH, NOT_ENOUGH = 0.5, 0.4
ENOUGH_WORDS = 0.75  # of what was asked: whatever has so much of it is worth showing
WEAKEST_WORDS = 0.12  # … and what has less is not, when words are all there is
WORDS_BY_SIZE = 0.1  # for each factor of ten that the memory is larger than a thousand messages
WORDS_COUNT = 0.25  # beside likeness
LIKENESS_BY_SIZE = 0.14  # again for each factor of ten
WEAKEST = 0.336  # of both together
SURE = 0.15  # above that by so much is as good as certain
OTHERS_FIT = 0.1  # better than what is about the one asked for
MOSTLY_SEEN = 0.5  # of the messages: a model that has seen fewer cannot tell what is missing


class Strength(NamedTuple):
    """How far the best hit is an answer: 0 is not at all, a half is as likely as not, 1 is certain."""

    value: float
    is_about_others: bool = False

    @property
    def is_enough(self) -> bool:
        """Whether to show what was found."""
        return self.value >= ENOUGH and not self.is_about_others


def strength(
    scored: Sequence[Scored], found: Candidates, query: Query, likeness: "Likeness | None", messages: int
) -> Strength:
    """The strength of what was found in a memory with so many messages."""
    covered = min(1.0, max(s.worth for s in scored) / (_asked_worth(found, query) or 1.0))
    size = max(0.0, math.log10(max(messages, 1)) - 3)
    is_demanded = bool(query.required) or any(AS_TYPED in s.why for s in scored[:1])
    if is_demanded or covered >= ENOUGH_WORDS:
        value = 1.0
    else:  # what words show, a model does not take away
        value = _squashed(covered - WORDS_BY_SIZE * size - WEAKEST_WORDS)
        if likeness is not None and len(likeness) >= MOSTLY_SEEN * messages:
            alike = WORDS_COUNT * covered + likeness.excess - LIKENESS_BY_SIZE * size - WEAKEST
            value = max(value, _squashed(alike))
    others = not is_demanded and others_fit_better(query.wording, scored, found, likeness) > OTHERS_FIT
    return Strength(round(min(value, NOT_ENOUGH) if others else value, 3), is_about_others=others)


def _asked_worth(found: Candidates, query: Query) -> float:
    """What a message with all that was asked would be worth; what says when it was need not stand in it."""
    of_times = {fold(word) for span in query.times for word in span.text.split()}
    return sum(word.worth for word in (*found.words, *found.common) if fold(word.term.words[0]) not in of_times)


def _squashed(margin: float) -> float:
    """From 0 to 1, a half where the margin is 0."""
    return 1 / (1 + math.exp(-4 * margin / SURE))
