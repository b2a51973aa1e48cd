"""How hits are ordered: a list of small steps, each of which can be read, tested and changed alone.

1. `score_words` values each candidate by the words found in it and in its neighbours: rare words above common ones,
   what people said above what tools printed, short messages above long ones.
2. `STAGES` look at the text of the best few hundred: scored messages in, scored messages out.  Meaning-based search
   takes its place at the end of this list.
3. `by_session` joins the messages of a session, so that one chatty session takes one place, not all of them.

Every number that decides anything is named here, and `docs/benchmarks.md` says what it was measured on.
"""

import heapq
from collections.abc import Callable, Iterable, Sequence
from dataclasses import dataclass, field, replace

from noctuary.recall.candidates import Candidates, Index, Word
from noctuary.recall.query import Query
from noctuary.stemming import stem
from noctuary.store import keys
from noctuary.text import fold

# What people said weighs most; what tools printed is searchable, but must not drown it.
VOICE_WEIGHTS = {
    keys.USER: 1.5,
    keys.ASSISTANT: 1.1,
    keys.THINKING: 0.9,
    keys.SUMMARY: 0.8,
    keys.CALL: 0.7,
    keys.OUTPUT: 0.5,
    keys.INJECTED: 0.2,
    keys.TITLE: 1.0,
}
SATURATION = 0.9  # BM25's k1: how soon more of the same adds nothing
LENGTH_EFFECT = 0.5  # BM25's b: how much long messages must share their words' worth
NEIGHBOURS = ((-1, 0.7), (-2, 0.5), (1, 0.7), (2, 0.4))  # distance, and how far a neighbour's words count
SHORT_MESSAGE = 80  # characters: a message this long owes half of its meaning to its neighbours
BEST_BY_WORDS = 500
BEST_BY_CONTEXT = 100
BEST_BY_TEXT = 200
ADJACENT_BONUS = 0.5
LITERAL_BONUS = 1.0
OTHER_CASE = 0.6  # of that, if only the case differs
RECENCY_BONUS = 0.03
SUPPORT = (0.1, 0.1)  # of the session's second and third best message
TITLE_BONUS = 0.25
WEAKEST_SHARE = 0.12  # a best hit with less than this of the query's worth is no answer


@dataclass(slots=True)
class Scored:
    """A message on its way up or down; `why` sums to the score."""

    key: int
    why: dict[str, float]
    worth: float = 0.0  # of the query's words, how much was found
    text: str = ""
    ts_ms: int = 0

    @property
    def score(self) -> float:
        """What all reasons add up to."""
        return sum(self.why.values())


@dataclass(slots=True)
class Ranking:
    """What the stages know beside the messages themselves."""

    query: Query
    found: Candidates
    factor: Callable[[int], float]
    now_ms: int


Stage = Callable[[list[Scored], Ranking], list[Scored]]


def voice_and_length(average_length: float) -> list[float]:
    """What one occurrence counts, by the low byte of a key (voice and length class)."""
    table: list[float] = []
    for low in range(1 << keys.PLACE_SHIFT):
        voice, length = low >> keys.LENGTH_BITS, keys.LENGTHS[low & (1 << keys.LENGTH_BITS) - 1]
        share = 1 - LENGTH_EFFECT + LENGTH_EFFECT * length / max(average_length, 1.0)
        table.append(VOICE_WEIGHTS[voice] / share)
    return table


def saturated(occurrence: float) -> float:
    """BM25's saturation."""
    return occurrence * (SATURATION + 1) / (occurrence + SATURATION)


def score_words(found: Candidates, index: Index) -> list[Scored]:
    """The best candidates by the words in them and around them."""
    counts = voice_and_length(found.average_length)
    plain = [saturated(count) for count in counts]
    worths = _mask_worths(found)
    own = {
        position: worths[mask] * plain[found.keys[position] & 255]
        for position, mask in found.masks.items()
        if position & keys.MOST_MESSAGES
    }
    best = heapq.nlargest(BEST_BY_WORDS, own, key=own.__getitem__)
    _add_neighbours(best[:BEST_BY_CONTEXT], found, index)
    positions = set(best) | {p for near in best[:BEST_BY_CONTEXT] for p in _around(near) if p in found.keys}
    scored = [_with_context(position, found, counts, plain, worths) for position in positions]
    return heapq.nlargest(BEST_BY_TEXT, scored, key=lambda s: (s.score, s.key))


def _mask_worths(found: Candidates) -> dict[int, float]:
    masks = set(found.masks.values()) | {0}
    return {mask: sum(word.worth for i, word in enumerate(found.words) if mask >> i & 1) for mask in masks}


def _around(position: int) -> Iterable[int]:
    place = position & keys.MOST_MESSAGES
    return (position + distance for distance, _ in NEIGHBOURS if place + distance > 0)


def _add_neighbours(best: Sequence[int], found: Candidates, index: Index) -> None:
    """An answer often stands beside the question and shares no word with it: let it take part."""
    absent = {p for position in best for p in _around(position) if p not in found.keys}
    for key in index.keys_at(absent):
        found.keys[key >> keys.PLACE_SHIFT] = key
        found.masks[key >> keys.PLACE_SHIFT] = 0


def _with_context(
    position: int,
    found: Candidates,
    counts: Sequence[float],
    plain: Sequence[float],
    worths: dict[int, float],
) -> Scored:
    key, mask = found.keys[position], found.masks[position]
    own = worths[mask] * plain[key & 255]
    length = keys.LENGTHS[key & (1 << keys.LENGTH_BITS) - 1]
    reliance = SHORT_MESSAGE / (SHORT_MESSAGE + length)
    place = position & keys.MOST_MESSAGES
    near = [
        (found.masks[position + distance], reach * reliance * counts[found.keys[position + distance] & 255])
        for distance, reach in NEIGHBOURS
        if place + distance > 0 and found.masks.get(position + distance)
    ]
    if not near:
        return Scored(key=key, why={"words": own}, worth=worths[mask])
    whole = 0.0
    for i, word in enumerate(found.words):
        occurrence = sum(count for bits, count in near if bits >> i & 1)
        if mask >> i & 1:
            occurrence += counts[key & 255]
        if occurrence:
            whole += word.worth * saturated(occurrence)
    return Scored(key=key, why={"words": own, "neighbours": whole - own}, worth=worths[mask])


def read_texts(scored: list[Scored], index: Index, query: Query) -> list[Scored]:
    """The scored messages with their text and time; those outside the query's times are left out."""
    texts = index.texts([s.key for s in scored])
    read = [replace(s, ts_ms=texts[s.key][0], text=texts[s.key][1]) for s in scored if s.key in texts]
    after, before = query.after_ms, query.before_ms
    return [s for s in read if (after is None or s.ts_ms >= after) and (before is None or s.ts_ms < before)]


def count_common_words(scored: list[Scored], ranking: Ranking) -> list[Scored]:
    """Words too common to be read from the index count when they stand in the text."""
    beginnings = [(_beginning(word), word.worth) for word in ranking.found.common]
    for s in scored if beginnings else ():
        lowered = s.text.lower()
        worth = sum(worth for beginning, worth in beginnings if has_word(lowered, beginning))
        if worth:
            s.why["common words"] = worth * ranking.factor(s.key)
            s.worth += worth
    return scored


def prefer_adjacent(scored: list[Scored], ranking: Ranking) -> list[Scored]:
    """Two words of the query that stand side by side in the text as well mean the same thing there."""
    worth_of = {word.term.words: word.worth for word in (*ranking.found.words, *ranking.found.common)}
    couples = [
        (f"{a.words[0]} {b.words[0]}".lower(), max(worth_of.get(a.words, 0.0), worth_of.get(b.words, 0.0)))
        for a, b in zip(ranking.query.terms, ranking.query.terms[1:], strict=False)
        if len(a.words) == len(b.words) == 1 and f"{a.words[0]} {b.words[0]}" in ranking.query.text
    ]
    for s in scored if couples else ():
        lowered = s.text.lower()
        worth = sum(worth for couple, worth in couples if couple in lowered)
        if worth:
            s.why["side by side"] = ADJACENT_BONUS * worth * ranking.factor(s.key)
    return scored


def prefer_literal(scored: list[Scored], ranking: Ranking) -> list[Scored]:
    """Names, paths, errors and signs win as they were typed; in another case they count for less."""
    literals = [(literal, literal.lower()) for literal in ranking.query.literals]
    most = max((word.worth for word in ranking.found.words), default=1.0)
    for s in scored if literals else ():
        lowered = s.text.lower()
        present = sum(
            1.0 if literal in s.text else OTHER_CASE if folded in lowered else 0.0 for literal, folded in literals
        )
        if present:
            s.why["as typed"] = LITERAL_BONUS * most * present / len(literals) * ranking.factor(s.key)
    return scored


def prefer_recent(scored: list[Scored], ranking: Ranking) -> list[Scored]:
    """Of two equals the newer comes first; a bounded nudge, never more."""
    for s in scored:
        age_days = max(0, ranking.now_ms - s.ts_ms) / 86_400_000 if s.ts_ms > 0 else 3650.0
        s.why["recent"] = s.score * RECENCY_BONUS * 30 / (30 + age_days)
    return scored


STAGES: list[Stage] = [count_common_words, prefer_adjacent, prefer_literal, prefer_recent]


def rank(found: Candidates, index: Index, query: Query, now_ms: int) -> list[Scored]:
    """The best messages, the best first."""
    plain = [saturated(count) for count in voice_and_length(found.average_length)]
    ranking = Ranking(query=query, found=found, factor=lambda key: plain[key & 255], now_ms=now_ms)
    scored = read_texts(score_words(found, index), index, query)
    for stage in STAGES:
        scored = stage(scored, ranking)
    return sorted(scored, key=lambda s: (-s.score, -s.key))


def is_strong_enough(best: Scored, found: Candidates) -> bool:
    """Whether the best message is an answer at all, or only shares a word or two that say nothing."""
    return best.worth >= WEAKEST_SHARE * found.total_worth


@dataclass(slots=True)
class SessionScore:
    """A session's place in the order: its best message, and what else speaks for it."""

    number: int
    best: Scored
    why: dict[str, float] = field(default_factory=dict)

    @property
    def score(self) -> float:
        """What all reasons add up to."""
        return sum(self.why.values())


def by_session(ranked: Sequence[Scored], found: Candidates) -> list[SessionScore]:
    """One entry a session, best first: its best message, supported by its next two and by its title."""
    messages: dict[int, list[Scored]] = {}
    for scored in ranked:
        messages.setdefault(keys.session_of(scored.key), []).append(scored)
    worths = _mask_worths(found)
    sessions: list[SessionScore] = []
    for number, members in messages.items():
        session = SessionScore(number, members[0], dict(members[0].why))
        support = sum(share * s.score for share, s in zip(SUPPORT, members[1:], strict=False))
        if support:
            session.why["also in this session"] = support
        title = worths.get(found.masks.get(number << keys.PLACE_BITS, 0), 0.0)
        if title:
            session.why["title"] = TITLE_BONUS * title
        sessions.append(session)
    return sorted(sessions, key=lambda s: (-s.score, -s.best.key))


def _beginning(word: Word) -> str:
    """What the inflected forms of a word have in common, for finding it in a text."""
    folded = fold(word.term.words[-1])
    stemmed = stem(folded)
    same = 0
    while same < min(len(folded), len(stemmed)) and folded[same] == stemmed[same]:
        same += 1
    return folded[: max(same, 1)]


def has_word(lowered: str, beginning: str) -> bool:
    """Whether a word with this beginning stands in the text."""
    at = lowered.find(beginning)
    while at >= 0:
        if at == 0 or not lowered[at - 1].isalnum():
            return True
        at = lowered.find(beginning, at + 1)
    return False
