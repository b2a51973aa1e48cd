"""What was noted leads to what was said: the messages that events rest on.

Somebody, or a dream, found them worth keeping, so they answer questions more often than what stands around them.  A
question in other words than its answer finds the session sooner than the message; there, what was noted counts by how
good the session is.  Where words say it all, notes add next to nothing, and without events nothing here is asked.
"""

from collections.abc import Iterable, Sequence
from typing import NamedTuple, Protocol

from noctuary.recall.candidates import Candidates, Index
from noctuary.recall.exactness import JOURNAL
from noctuary.recall.query import Query
from noctuary.recall.scoring import Context, Scored
from noctuary.records import Term
from noctuary.relatives import relatives
from noctuary.store import keys
from noctuary.store.citations import Citation

MOST_WORDS = 8  # of the query, the rarest, that events are searched for
MOST_SPEAKING = 50  # events of each word, the newest
MOST_EVENTS = 30  # of them all, those that say most
MOST_CITED = 400  # messages of the sessions that were found
MOST_ADDED = 25  # messages that take part because they were noted
SUPERSEDED = 0.5  # what an event that holds no longer counts
BY_SESSION = 1.0  # of the session's best score, where there is meaning to tell the session by
BY_SCORE = 0.3  # of the message's own score, if words are all there is …
BY_BEST = 0.2  # … and of the best score
BY_TEXT = 1.0  # of the best score: an event that says all that was asked
IN_OTHER_WORDS = 0.8  # of what a word is worth: an event that has another word for the same

_WHAT_WAS_SAID = tuple(range(keys.INJECTED))  # by people, agents and tools, not by programs around them


class Notes(Protocol):
    """What a search asks of the journal."""

    def is_any(self) -> bool:
        """Whether there is an event that rests on a message."""
        ...

    def speaking_of(self, terms: Sequence[Term], most: int) -> list[int]:
        """Numbers of events that have one of the terms, the newest first."""
        ...

    def by(self, events: Sequence[int]) -> list[Citation]:
        """What these events rest on."""
        ...

    def within(self, sessions: Sequence[int], most: int) -> list[Citation]:
        """The messages of these sessions that events rest on."""
        ...


class Noted(NamedTuple):
    """Positions that events rest on."""

    counts: dict[int, float]  # how far each counts, up to 1
    said: dict[int, float]  # how much of what was asked their events say, up to 1
    asked: float = 1.0  # what all of that is worth


def noted_by(
    notes: Notes, found: Candidates, scored: Iterable[Scored], picked: Sequence[int] | None
) -> tuple[Noted, list[int]]:
    """What events rest on, in the sessions that were found or because they say what was asked; the latter first."""
    worths = _speaking(notes, found)
    best = sorted(worths, key=lambda event: (-worths[event], -event))[:MOST_EVENTS]
    allowed = None if picked is None else set(picked)
    said = [
        citation
        for citation in (notes.by(best) if best else ())
        if allowed is None or citation.position >> keys.PLACE_BITS in allowed
    ]
    said.sort(key=lambda citation: -worths[citation.event])
    sessions = dict.fromkeys(keys.session_of(s.key) for s in scored)
    cited = [*said, *notes.within(list(sessions), MOST_CITED)]
    noted = Noted({}, {}, found.total_worth or 1.0)
    for event, position, holds in cited:
        weight = 1.0 if holds else SUPERSEDED
        noted.counts[position] = max(noted.counts.get(position, 0.0), weight)
        noted.said[position] = max(noted.said.get(position, 0.0), weight * worths.get(event, 0.0) / noted.asked)
    return noted, [citation.position for citation in cited]


def with_cited(
    scored: list[Scored], found: Candidates, index: Index, query: Query, positions: Sequence[int]
) -> list[Scored]:
    """The scored messages and those that were noted, in the order of their positions, as far as the query allows."""
    if query.required or query.excluded:
        return scored  # what must occur is known only of messages that words have found
    present = {s.key >> keys.PLACE_SHIFT for s in scored}
    absent = [position for position in dict.fromkeys(positions) if position not in present][:MOST_ADDED]
    context = Context(found)
    return scored + [
        context.scored(context.whole(key), key)
        for key in index.keys_at(absent)
        if keys.voice_in(key) in (query.voices or _WHAT_WAS_SAID)
    ]


def give_due(scored: list[Scored], noted: Noted, uncovered: float, *, by_meaning: bool) -> None:
    """Give each message that was noted its due; `uncovered` is how much of the question words leave open."""
    best = max((s.score for s in scored), default=0.0)
    of_session: dict[int, float] = {}
    for s in scored:
        number = keys.session_of(s.key)
        of_session[number] = max(of_session.get(number, 0.0), s.score)
    for s in scored:
        position = s.key >> keys.PLACE_SHIFT
        if position not in noted.counts:
            continue
        if by_meaning:
            due = BY_SESSION * of_session[keys.session_of(s.key)]
        else:
            due = BY_SCORE * s.score + BY_BEST * best
        said = noted.said.get(position, 0.0)
        due = noted.counts[position] * due + BY_TEXT * best * said or said
        s.worth = max(s.worth, said * noted.asked)  # what was noted about it has these words
        if due * uncovered > 0:
            s.why[JOURNAL] = due * uncovered


def _speaking(notes: Notes, found: Candidates) -> dict[int, float]:
    """Events with words of the query, or with others for the same, and what those are worth."""
    worths: dict[int, float] = {}
    for word in sorted(found.words, key=lambda word: -word.worth)[:MOST_WORDS]:
        own = dict.fromkeys(notes.speaking_of([word.term], MOST_SPEAKING), word.worth)
        others = dict.fromkeys(_in_other_words(notes, word.term), IN_OTHER_WORDS * word.worth)
        for event, worth in (others | own).items():
            worths[event] = worths.get(event, 0.0) + worth
    return worths


def _in_other_words(notes: Notes, term: Term) -> list[int]:
    """Events that have another word for what a term says; events are few, so more of them are worth a look."""
    others = [Term(words=(other,)) for other in relatives(term.words[0])] if len(term.words) == 1 else []
    return notes.speaking_of(others, MOST_SPEAKING) if others else []
