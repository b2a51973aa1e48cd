"""One search, whatever the backend: gather, rank, group, and dress the hits with snippets and surroundings."""

from collections.abc import Callable, Sequence
from typing import TYPE_CHECKING, NamedTuple, Protocol

from noctuary.errors import ModelError
from noctuary.lazily import lazy_module
from noctuary.recall.candidates import Candidates, Index, Word, gather
from noctuary.recall.contract import MOST_HITS
from noctuary.recall.grouping import Grouping, SessionScore, by_session
from noctuary.recall.joining import MOST_SESSIONS_IN_TIME, gather_in_time
from noctuary.recall.meaning import Understand, Understanding, nothing_understood
from noctuary.recall.query import Query, parse
from noctuary.recall.ranking import rank
from noctuary.recall.snippets import OPEN, matches, snippet
from noctuary.recall.strength import strength
from noctuary.records import Found, Hit, Message, Reason, Session, Term
from noctuary.store import keys
from noctuary.store.lexicon import EVERY_VOICE, Within
from noctuary.store.sessions import Selection

if TYPE_CHECKING:
    from noctuary.recall import events, reranking
    from noctuary.recall.cited import Notes
    from noctuary.recall.reranking import Judge
    from noctuary.recall.scoring import Scored
else:
    events = lazy_module("noctuary.recall.events")
    reranking = lazy_module("noctuary.recall.reranking")

MOST_LITERAL = 1_000
MOST_EXCLUDED = 100_000
WINDOW = 5
BOOKEND = 3
NOTHING_FOUND = "Nothing found. This is a complete answer: no stored conversation has these words."
NOTHING_WITHIN = "Nothing found within these filters. Elsewhere there may be something: search again without them."
NOTHING_STRONG = "Nothing strong enough: too little of the question occurs. Try a name, an error or a file."
NOTHING_ABOUT = "Nothing found about the one you name; what comes closest is about somebody else. Try without the name."
NOTHING_ASKED = "The query is empty, so nothing was looked for."
NOT_RERANKED = "Not looked at a second time: "


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


class Sources(NamedTuple):
    """Where a search looks, and what it knows beside the words."""

    words: Index
    shelf: Shelf
    pick: Callable[[Selection], Sequence[int] | None]  # numbers of the sessions that fit; None is all
    understand: Understand = nothing_understood
    judge: "Judge | None" = None  # who looks at the best a second time
    notes: "Notes | None" = None  # events that lead to messages


def search(
    sources: Sources,
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
    within = _within(query, picked)
    query = _told_by_events(sources.words, query, within, now_ms) if query.offsets else query
    found = _candidates(sources.words, query, within)
    meaning = Understanding() if query.is_exact else sources.understand(query.question, picked)
    timely = _timely_sessions(sources, query, picked)
    if timely and found.words:
        gather_in_time(found, sources.words, within._replace(picked=timely))
    ranked = rank(
        found,
        sources.words,
        query,
        now_ms,
        likeness=meaning.likeness,
        timely=timely,
        notes=_notes(sources, query),
        picked=picked,
    )
    if not ranked:
        note = NOTHING_FOUND if query.is_unfiltered else NOTHING_WITHIN
        return Found(query=query.text, note=_joined(note, meaning.warning))
    sure = strength(ranked, found, query, meaning.likeness, _messages(found, picked, meaning))
    if not sure.is_enough:
        note = NOTHING_ABOUT if sure.is_about_others else NOTHING_STRONG
        return Found(query=query.text, note=_joined(note, meaning.warning), strength=sure.value)
    ranked, warning = _second_look(ranked, query, sources.judge)
    best = grouped(ranked, found)[: min(limit, MOST_HITS)]
    sessions = sources.shelf.sessions([entry.number for entry in best])
    dressed = [_hit(sources.shelf, sessions[entry.number], entry, query) for entry in best if entry.number in sessions]
    hits = [hit for hit in dressed if hit]
    return Found(query=query.text, hits=hits, note=_joined(meaning.warning, warning), strength=sure.value)


def _notes(sources: Sources, query: Query) -> "Notes | None":
    """Events to be led by, if there are any; whoever types a name looks for that name."""
    return sources.notes if sources.notes is not None and not query.is_exact and sources.notes.is_any() else None


def _messages(found: Candidates, picked: Sequence[int] | None, meaning: Understanding) -> int:
    """How many messages were looked at; of picked sessions those that the model has read, which is close enough."""
    if picked is not None and meaning.likeness is not None:
        return len(meaning.likeness)
    return found.messages


def _second_look(ranked: "list[Scored]", query: Query, judge: "Judge | None") -> "tuple[list[Scored], str]":
    """The order after a second look, if there is who takes it, or why it could not be taken."""
    if judge is None:
        return ranked, ""
    try:
        return reranking.reranked(ranked, query, judge), ""
    except ModelError as error:
        return ranked, f"{NOT_RERANKED}{error}"


def _joined(*notes: str) -> str:
    return " ".join(note for note in notes if note)


def _within(query: Query, picked: Sequence[int] | None) -> Within:
    return Within(
        required=query.required,
        excluded=query.excluded,
        picked=picked,
        voices=(*query.voices, keys.TITLE) if query.voices else EVERY_VOICE,
        after_ms=query.after_ms,
        before_ms=query.before_ms,
    )


def _candidates(index: Index, query: Query, within: Within) -> Candidates:
    if query.terms or query.required:
        return gather(index, query.terms, within)
    return _literal_candidates(index, query, within)


def _told_by_events(index: Index, query: Query, within: Within, now_ms: int) -> Query:
    """The query with the times that it tells from events, as what was said about those tells them."""
    if query.after_ms is not None or query.before_ms is not None:
        return query
    anyone = Within(picked=within.picked)  # whoever speaks of the event, and whatever else they say
    for offset in query.offsets:
        event = parse(offset.event, now_ms)._replace(times=(), offsets=())
        if spans := events.spans_from(offset, _telling(index, event, anyone, now_ms)):
            of_time = {term.words for term in (*event.terms, *parse(offset.text, now_ms).terms)}
            terms = [
                t._replace(weight=events.EVENT_WEIGHT * t.weight) if t.words in of_time else t for t in query.terms
            ]
            query = query._replace(times=(*query.times, *spans), terms=tuple(terms))
    return query


def _telling(index: Index, event: Query, within: Within, now_ms: int) -> "list[Scored]":
    """The messages that speak of the event, the best first; none if they hardly do."""
    found = _candidates(index, event, within) if event.terms else Candidates()
    ranked = rank(found, index, event, now_ms) if found.masks else []
    return ranked if ranked and strength(ranked, found, event, None, found.messages).value >= events.SURELY_SAID else []


def _timely_sessions(sources: Sources, query: Query, picked: Sequence[int] | None) -> list[int]:
    """Sessions that were going on at the times the question speaks of; none if that says nothing."""
    if not query.times or query.after_ms is not None or query.before_ms is not None:
        return []
    selections = [query.selection._replace(after_ms=span.start_ms, before_ms=span.end_ms) for span in query.times]
    timely = dict.fromkeys(number for selection in selections for number in sources.pick(selection) or ())
    if picked is not None:
        timely = dict.fromkeys(timely.keys() & set(picked))
    return list(timely) if len(timely) <= MOST_SESSIONS_IN_TIME else []


def _literal_candidates(index: Index, query: Query, within: Within) -> Candidates:
    """For what is no word, such as `=>` or what stands inside of words: look through the texts, the newest first."""
    found = Candidates()
    unwanted = {key for term in within.excluded for key in index.matching([term], Within(), MOST_EXCLUDED)}
    for literal in query.literals:
        matching = [key for key in index.containing(literal, within, MOST_LITERAL) if key not in unwanted]
        found.add(matching, 1 << len(found.words))
        found.words.append(Word(term=Term(words=(literal,)), worth=1.0))
    return found


def _hit(shelf: Shelf, session: Session, entry: SessionScore, query: Query) -> Hit | None:
    """The hit with its surroundings; None if its message was forgotten while we were looking."""
    place = keys.place_of(entry.best.key)
    window, before, after = shelf.around(entry.number, place, WINDOW)
    anchor = next((message for message in window if message.id == place), None)
    if anchor is None:
        return None
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
