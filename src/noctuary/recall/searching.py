"""One search, whatever the backend: gather, rank, group, and dress the hits with snippets and surroundings."""

from collections.abc import Sequence
from typing import Protocol

from noctuary.recall.candidates import Candidates, Index, Word, gather
from noctuary.recall.contract import MOST_HITS
from noctuary.recall.grouping import Grouping, SessionScore, by_session
from noctuary.recall.query import Query
from noctuary.recall.ranking import is_strong_enough, rank
from noctuary.recall.snippets import OPEN, matches, snippet
from noctuary.records import Found, Hit, Message, Reason, Role, Session, Term
from noctuary.store import keys
from noctuary.store.lexicon import EVERY_VOICE, Within

MOST_LITERAL = 1_000
MOST_EXCLUDED = 100_000
WINDOW = 5
BOOKEND = 3
_VOICES_OF_ROLE = {
    Role.USER: (keys.USER,),
    Role.ASSISTANT: (keys.ASSISTANT, keys.THINKING, keys.CALL),
    Role.TOOL: (keys.OUTPUT,),
    Role.SYSTEM: (keys.SUMMARY, keys.INJECTED),
}
NOTHING_FOUND = "Nothing found. This is a complete answer: no stored conversation has these words."
NOTHING_WITHIN = "Nothing found within these filters. Elsewhere there may be something: search again without them."
NOTHING_STRONG = "Nothing strong enough: only common words of the query occur. Try a name, an error or a file."
NOTHING_ASKED = "The query is empty, so nothing was looked for."


class Shelf(Protocol):
    """Where a search takes the messages and sessions of its hits from."""

    def sessions(self, numbers: Sequence[int]) -> dict[int, Session]:
        """Sessions by their internal numbers."""
        ...

    def around(self, number: int, place: int, window: int) -> tuple[list[Message], int, int]:
        """Visible messages around a place, and how many there are before and after them."""
        ...

    def first_talk(self, number: int, before: int, most: int) -> list[Message]:
        """What people and agents said first in the session, before this id."""
        ...

    def last_talk(self, number: int, after: int, most: int) -> list[Message]:
        """What people and agents said last in the session, after this id."""
        ...


def search(
    index: Index,
    shelf: Shelf,
    query: Query,
    *,
    limit: int,
    grouped: Grouping = by_session,
    picked: Sequence[int] | None,
    now_ms: int,
) -> Found:
    """The best hits for the query, grouped by session or not at all."""
    if query.is_blank or limit < 1:
        return Found(query=query.text, note=NOTHING_ASKED if query.is_blank else "")
    found = _candidates(index, query, picked)
    ranked = rank(found, index, query, now_ms)
    if not ranked:
        return Found(query=query.text, note=NOTHING_FOUND if query.is_unfiltered else NOTHING_WITHIN)
    if not is_strong_enough(max(ranked, key=lambda s: s.worth), found):
        return Found(query=query.text, note=NOTHING_STRONG)
    best = grouped(ranked, found)[: min(limit, MOST_HITS)]
    sessions = shelf.sessions([entry.number for entry in best])
    hits = [_hit(shelf, sessions[entry.number], entry, query) for entry in best if entry.number in sessions]
    return Found(query=query.text, hits=hits)


def _candidates(index: Index, query: Query, picked: Sequence[int] | None) -> Candidates:
    voices = [voice for role in query.roles for voice in _VOICES_OF_ROLE[role]]
    within = Within(
        required=query.required,
        excluded=query.excluded,
        picked=picked,
        voices=(*voices, keys.TITLE) if voices else EVERY_VOICE,
        after_ms=query.after_ms,
        before_ms=query.before_ms,
    )
    if query.terms or query.required:
        return gather(index, query.terms, within)
    return _literal_candidates(index, query, within)


def _literal_candidates(index: Index, query: Query, within: Within) -> Candidates:
    """For a query without a single word in it, such as `=>`: read through the texts, the newest first."""
    found = Candidates()
    unwanted = {key for term in within.excluded for key in index.matching([term], Within(), MOST_EXCLUDED)}
    for literal in query.literals:
        matching = [key for key in index.containing(literal, within, MOST_LITERAL) if key not in unwanted]
        found.add(matching, 1 << len(found.words))
        found.words.append(Word(term=Term(words=(literal,)), worth=1.0))
    return found


def _hit(shelf: Shelf, session: Session, entry: SessionScore, query: Query) -> Hit:
    place = keys.place_of(entry.best.key)
    window, before, after = shelf.around(entry.number, place, WINDOW)
    anchor = next(message for message in window if message.id == place)
    start = shelf.first_talk(entry.number, window[0].id, BOOKEND) if before else []
    end = shelf.last_talk(entry.number, window[-1].id, BOOKEND) if after else []
    return Hit(
        session=session,
        anchor=anchor,
        snippet=_snippet(anchor, window, session, query),
        score=round(entry.score, 4),
        why=[Reason(name=name, value=round(value, 4)) for name, value in entry.why.items() if value],
        bookend_start=start,
        window=window,
        bookend_end=end,
        before=before,
        after=after,
    )


def _snippet(anchor: Message, window: Sequence[Message], session: Session, query: Query) -> str:
    """The place that matched; of an answer without a word of the query the nearest that has one, or the title."""
    shown = snippet(anchor.content, query)
    if OPEN in shown:
        return shown
    nearest = sorted((m for m in window if m.id != anchor.id), key=lambda m: abs(m.id - anchor.id))
    matching = [text for text in (*(m.content for m in nearest), session.title or "") if matches(text, query)]
    return snippet(matching[0], query) if matching else shown
