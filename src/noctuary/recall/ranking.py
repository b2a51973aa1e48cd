"""How hits are ordered: a list of small steps, each of which can be read, tested and changed alone.

1. `score_words` values each candidate by the words found in it and in its neighbours: rare words above common ones,
   what people said above what tools printed, short messages above long ones.
2. `STAGES` look at the text of the best few hundred: scored messages in, scored messages out.  Meaning-based search
   takes its place at the end of this list.
3. `by_session` joins the messages of a session, so that one chatty session takes one place, not all of them.

Every number that decides anything is named here, and `docs/benchmarks.md` says what it was measured on.
"""

import heapq
import math
from collections import Counter
from collections.abc import Callable, Iterable, Sequence
from dataclasses import dataclass, field
from functools import lru_cache

from noctuary.recall.candidates import Candidates, Index, Word
from noctuary.recall.query import Query
from noctuary.stemming import stem
from noctuary.store import keys
from noctuary.text import fold, tokens

# What people said weighs most; what tools printed is searchable, but must not drown it.
VOICE_WEIGHTS = {
    keys.USER: 1.6,
    keys.ASSISTANT: 1.2,
    keys.THINKING: 1.0,
    keys.SUMMARY: 0.8,
    keys.CALL: 0.45,
    keys.OUTPUT: 0.33,
    keys.INJECTED: 0.2,
    keys.TITLE: 1.0,
}
SATURATION = 0.8  # BM25's k1: how soon more of the same adds nothing
LENGTH_EFFECT = 0.5  # BM25's b: how much long messages must share their words' worth
NEIGHBOURS = (
    (-1, 0.65),
    (1, 0.65),
    (-2, 0.5),
    (2, 0.5),
    (-3, 0.1),
    (3, 0.1),
)  # distance, and how far a neighbour's words count
LEAST_RELIANCE = 0.1  # a longer message speaks for itself
SHORT_MESSAGE = 80  # characters: a message this long owes half of its meaning to its neighbours
LONGEST_BESIDE = 250  # characters: a longer message that shares no word with the query is not about it
BEST_BY_WORDS = 50
MORE_BY_WORDS = 700  # the shorter messages are, the more their neighbours decide, so the more are looked at
SURELY_WEAKER = 0.6  # voice and length can make up for no more than this
MORE_BY_CONTEXT = 200
BEST_BY_TEXT = 40
BEST_SESSIONS = 25
SAME_FORM_BONUS = 0.15
MOST_REPEATED = 3.0
ADJACENT_BONUS = 0.5
LITERAL_BONUS = 0.8
LITERAL_VOICE = 0.3  # how far voice and length matter for it: a name is defined in code as often as in talk
REPEATED_LITERAL = 0.7
OTHER_CASE = 0.6  # of that, if only the case differs
RECENCY_BONUS = 0.03
TALK = {keys.USER, keys.ASSISTANT, keys.SUMMARY}
APART = 3  # messages: two hits of one window show the same thing twice
SUPPORT = (0.15, 0.05)  # of the session's second and third best message
TITLE_BONUS = 0.25
WEAKEST_SHARE = 0.12  # a best hit with less than this of the query's worth is no answer


@dataclass(slots=True)
class Scored:
    """A message on its way up or down; `why` sums to the score."""

    key: int
    why: dict[str, float]
    worth: float = 0.0  # of the query's words, how much was found
    text: str = ""
    lowered: str = ""
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


@lru_cache(maxsize=64)
def voice_and_length(average_length: int) -> tuple[list[float], list[float]]:
    """What one occurrence counts, plain and saturated, by the low byte of a key (voice and length class)."""
    table: list[float] = []
    for low in range(1 << keys.PLACE_SHIFT):
        voice, length = low >> keys.LENGTH_BITS, keys.LENGTHS[low & (1 << keys.LENGTH_BITS) - 1]
        share = 1 - LENGTH_EFFECT + LENGTH_EFFECT * length / max(average_length, 1)
        table.append(VOICE_WEIGHTS[voice] / share)
    return table, [saturated(count) for count in table]


def saturated(occurrence: float) -> float:
    """BM25's saturation."""
    return occurrence * (SATURATION + 1) / (occurrence + SATURATION)


def score_words(found: Candidates, index: Index, query: Query) -> list[Scored]:
    """The best candidates by the words in them and around them."""
    context = _Context(found)
    worths, plain, promising = found.worths, context.plain, _promising(found)
    own = [(worths[mask] * plain[key & 255], key) for key, mask in found.masks.items() if mask in promising]
    own.sort(reverse=True)
    shortness = SHORT_MESSAGE / (SHORT_MESSAGE + found.average_length)
    best = [key for _, key in own[: BEST_BY_WORDS + round(MORE_BY_WORDS * shortness)] if keys.place_of(key)]
    leaders = _leaders(own)
    beside = _beside(best[: round(MORE_BY_CONTEXT * shortness)], found, index, query)
    whole = [(context.whole(key), key) for key in {*best, *leaders, *beside}]
    kept = [context.scored(score, key) for score, key in heapq.nlargest(BEST_BY_TEXT, whole)]
    missing = leaders - {s.key for s in kept}
    kept += [context.scored(score, key) for score, key in whole if key in missing]
    return kept + _known_by_title(found, index, {keys.session_of(key) for _, key in whole})


def _leaders(own: Sequence[tuple[float, int]]) -> set[int]:
    """The best message of each of the best sessions: they always take part, so that a chatty session hides none."""
    best: dict[int, int] = {}
    for _, key in own:  # the best come first
        if key >> keys.SESSION_SHIFT not in best and keys.place_of(key):
            best[key >> keys.SESSION_SHIFT] = key
            if len(best) == BEST_SESSIONS:
                break
    return set(best.values())


def _beside(best: Sequence[int], found: Candidates, index: Index, query: Query) -> list[int]:
    """An answer often stands beside the question and shares no word with it: let it take part."""
    if query.roles or query.required or query.excluded:
        return []  # what a query demands of a message it does not find in a neighbour
    absent = {p for key in best for p in _around(key >> keys.PLACE_SHIFT)} - found.positions.keys()
    return [key for key in index.keys_at(absent) if _is_short_talk(key)]


def _known_by_title(found: Candidates, index: Index, present: set[int]) -> list[Scored]:
    """The beginnings of sessions that only their title speaks for."""
    titles = {
        keys.session_of(key): found.worths[found.masks[key]]
        for key in found.titles
        if keys.session_of(key) not in present
    }
    best = heapq.nlargest(BEST_SESSIONS, titles, key=titles.__getitem__)
    firsts = index.keys_at(number << keys.PLACE_BITS | 1 for number in best) if best else []
    return [
        Scored(key=key, why={"title": TITLE_BONUS * worth}, worth=worth)
        for key in firsts
        for worth in (titles[keys.session_of(key)],)
    ]


def _promising(found: Candidates) -> set[int]:
    """The sets of words that can be among the best; most messages have one word that says little and cannot."""
    enough, weakest = BEST_BY_WORDS * 4, 0.0
    by_worth = sorted(Counter(found.masks.values()).items(), key=lambda entry: -found.worths[entry[0]])
    for mask, count in by_worth:
        weakest, enough = found.worths[mask], enough - count
        if enough < 0:
            break
    return {mask for mask, worth in found.worths.items() if worth >= weakest * SURELY_WEAKER}


def _is_short_talk(key: int) -> bool:
    return keys.voice_in(key) in TALK and keys.LENGTHS[key & 31] <= LONGEST_BESIDE


def _around(position: int) -> Iterable[int]:
    place = position & keys.MOST_MESSAGES
    return (position + distance for distance, _ in NEIGHBOURS if place + distance > 0)


class _Context:
    """Scores a message by its own words and, the shorter it is the more, by those of its neighbours."""

    def __init__(self, found: Candidates) -> None:
        self.found = found
        self.counts, self.plain = voice_and_length(round(found.average_length))

    def own(self, key: int, mask: int) -> float:
        """What the message's own words are worth."""
        return self.found.worths[mask] * self.plain[key & 255]

    def whole(self, key: int) -> float:
        """What its own words and those around it are worth."""
        mask = self.found.masks.get(key, 0)
        score = self.own(key, mask)
        # What a tool printed does not become speech because people spoke beside it.
        reliance = min(1.0, VOICE_WEIGHTS[keys.voice_in(key)])
        reliance *= SHORT_MESSAGE / (SHORT_MESSAGE + keys.LENGTHS[key & 31])
        near = self._near(key >> keys.PLACE_SHIFT) if reliance > LEAST_RELIANCE else ()
        if not near:
            return score
        for i, word in enumerate(self.found.words):
            around = sum(count for bits, count in near if bits >> i & 1)
            if around:
                count = self.counts[key & 255] if mask >> i & 1 else 0.0
                score += word.worth * (saturated(count + reliance * around) - saturated(count))
        return score

    def scored(self, score: float, key: int) -> Scored:
        """The message with its score and the reasons for it."""
        mask = self.found.masks.get(key, 0)
        own = self.own(key, mask)
        return Scored(key=key, why={"words": own, "neighbours": score - own}, worth=self.found.worths[mask])

    def _near(self, position: int) -> list[tuple[int, float]]:
        """The neighbours that have words of the query: which, and how much they count here."""
        place = position & keys.MOST_MESSAGES
        positions, near = self.found.positions, []
        for distance, reach in NEIGHBOURS:
            if position + distance in positions and place + distance > 0:
                neighbour = positions[position + distance]
                near.append((self.found.masks[neighbour], reach * self.counts[neighbour & 255]))
        return near


def read_texts(scored: list[Scored], index: Index, query: Query) -> list[Scored]:
    """The scored messages with their text and time; those outside the query's times are left out."""
    texts = index.texts([s.key for s in scored])
    after, before = query.after_ms, query.before_ms
    read = []
    for s in scored:
        s.ts_ms, s.text = texts.get(s.key, (0, ""))
        s.lowered = s.text.lower()
        if s.key in texts and (after is None or s.ts_ms >= after) and (before is None or s.ts_ms < before):
            read.append(s)
    return read


def count_common_words(scored: list[Scored], ranking: Ranking) -> list[Scored]:
    """Words too common to be read from the index count when they stand in the text."""
    beginnings = [(_beginning(word), word.worth) for word in ranking.found.common]
    for s in scored if beginnings else ():
        worth = sum(worth for beginning, worth in beginnings if has_word(s.lowered, beginning))
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
        worth = sum(worth for couple, worth in couples if couple in s.lowered)
        if worth:
            s.why["side by side"] = ADJACENT_BONUS * worth * ranking.factor(s.key)
    return scored


def prefer_same_form(scored: list[Scored], ranking: Ranking) -> list[Scored]:
    """A word as it was typed counts more than its relatives (locale is not local), and more if it is repeated."""
    words = [(fold(word.term.words[0]), word.worth) for word in ranking.found.words if len(word.term.words) == 1]
    for s in scored:
        same = 0.0
        for folded, worth in words:
            times = s.lowered.count(folded)
            if times:
                same += worth * min(MOST_REPEATED, math.log2(1 + times))
        if same:
            s.why["same form"] = SAME_FORM_BONUS * same * ranking.factor(s.key)
    return scored


def prefer_literal(scored: list[Scored], ranking: Ranking) -> list[Scored]:
    """Names, paths, errors and signs win as they were typed, the more often the better, whoever wrote them."""
    worth_of = {
        tuple(fold(word) for word in word.term.words): word.worth
        for word in (*ranking.found.words, *ranking.found.common)
    }
    literals = [
        (literal, literal.lower(), worth_of.get(tuple(fold(literal[t.start : t.end]) for t in tokens(literal)), 1.0))
        for literal in ranking.query.literals
    ]
    for s in scored if literals else ():
        present = 0.0
        for literal, folded, worth in literals:
            times = s.text.count(literal)
            if times:
                present += worth * (1 + REPEATED_LITERAL * min(3.0, math.log2(times)))
            elif folded in s.lowered:
                present += worth * OTHER_CASE
        if present:
            s.why["as typed"] = LITERAL_BONUS * present * ranking.factor(s.key) ** LITERAL_VOICE
    return scored


def prefer_recent(scored: list[Scored], ranking: Ranking) -> list[Scored]:
    """Of two equals the newer comes first; a bounded nudge, never more."""
    for s in scored:
        age_days = max(0, ranking.now_ms - s.ts_ms) / 86_400_000 if s.ts_ms > 0 else 3650.0
        s.why["recent"] = s.score * RECENCY_BONUS * 30 / (30 + age_days)
    return scored


STAGES: list[Stage] = [count_common_words, prefer_same_form, prefer_adjacent, prefer_literal, prefer_recent]


def rank(found: Candidates, index: Index, query: Query, now_ms: int) -> list[Scored]:
    """The best messages, the best first."""
    _, plain = voice_and_length(round(found.average_length))
    ranking = Ranking(query=query, found=found, factor=lambda key: plain[key & 255], now_ms=now_ms)
    scored = read_texts(score_words(found, index, query), index, query)
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


def one_by_one(ranked: Sequence[Scored], _found: Candidates) -> list[SessionScore]:
    """Every message for itself, but what tools and thoughts repeat around a better hit comes after all others."""
    first: list[Scored] = []
    later: list[Scored] = []
    taken: set[int] = set()
    for s in ranked:
        position = s.key >> keys.PLACE_SHIFT
        is_talk = keys.voice_in(s.key) in TALK
        if is_talk or "as typed" in s.why or taken.isdisjoint(range(position - APART, position + APART + 1)):
            first.append(s)
            taken.add(position)
        else:
            later.append(s)
    return [SessionScore(keys.session_of(s.key), s, dict(s.why)) for s in (*first, *later)]


def by_session(ranked: Sequence[Scored], found: Candidates) -> list[SessionScore]:
    """One entry a session, best first: its best message, supported by its next two and by its title."""
    messages: dict[int, list[Scored]] = {}
    for scored in ranked:
        messages.setdefault(keys.session_of(scored.key), []).append(scored)
    sessions: list[SessionScore] = []
    for number, members in messages.items():
        session = SessionScore(number, members[0], dict(members[0].why))
        support = sum(share * s.score for share, s in zip(SUPPORT, members[1:], strict=False))
        if support:
            session.why["also in this session"] = support
        title = found.positions.get(number << keys.PLACE_BITS)
        if title is not None and "title" not in session.why:
            session.why["title"] = TITLE_BONUS * found.worths[found.masks[title]]
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
