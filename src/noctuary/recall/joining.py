"""Messages that words alone would not have put among the best: those alike in meaning, and those of the time asked for.

They take part in the ranking like all others; nothing here gives them a score beyond what their words are worth.
"""

from collections.abc import Iterable, Sequence
from typing import TYPE_CHECKING

from noctuary.recall.candidates import Candidates, Index
from noctuary.recall.query import Query
from noctuary.recall.scoring import Context, Scored
from noctuary.store import keys
from noctuary.store.lexicon import Within

if TYPE_CHECKING:
    from noctuary.recall.scan import Likeness

ALIKE = 60  # messages most alike in meaning
ALIKE_IN_TIME = 30
IN_TIME = 40  # messages of the time asked for, by their words
ROWS_IN_TIME = 350  # of each word
MOST_SESSIONS_IN_TIME = 1_500  # a time with more is no help in finding


def gather_in_time(found: Candidates, index: Index, within: Within) -> None:
    """Add to the candidates what the sessions of the time asked for have of the words."""
    for i, word in enumerate(found.words):
        found.add(index.matching([word.term], within, ROWS_IN_TIME), 1 << i)
    found.forget_derived()


def with_timely(scored: list[Scored], found: Candidates, sessions: Sequence[int]) -> list[Scored]:
    """The scored messages, and the best of the sessions that were going on at the time asked for."""
    wanted, context = set(sessions), Context(found)
    timely = [(context.whole(key), key) for key in found.masks if keys.session_of(key) in wanted and keys.place_of(key)]
    return _with(scored, found, [key for _, key in sorted(timely, reverse=True)[:IN_TIME]])


def with_alike(
    scored: list[Scored], found: Candidates, likeness: "Likeness", sessions: Sequence[int], query: Query
) -> list[Scored]:
    """The scored messages and those most alike in meaning, of all and of the sessions of the time asked for."""
    if query.required or query.excluded:
        return scored  # what must occur is known only of messages that words have found
    alike = likeness.nearest(ALIKE, voices=query.voices)
    if sessions:
        alike += likeness.nearest(ALIKE_IN_TIME, sessions, query.voices)
    return _with(scored, found, alike)


def _with(scored: list[Scored], found: Candidates, wanted: Iterable[int]) -> list[Scored]:
    context, present = Context(found), {s.key for s in scored}
    return scored + [context.scored(context.whole(key), key) for key in dict.fromkeys(wanted) if key not in present]
