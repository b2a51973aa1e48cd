"""How hits are ordered: a list of small steps, each of which can be read, tested and changed alone.

`scoring.score_words` has chosen the best few dozen by their words.  `STAGES` look at their text: scored messages in,
scored messages out.  `grouping` then makes sessions
of messages.

Every number that decides anything here is named; `docs/benchmarks.md` says what they were measured on.
"""

import math
from collections.abc import Callable, Sequence
from typing import TYPE_CHECKING, NamedTuple

from noctuary.lazily import lazy_module
from noctuary.recall.about import said_by_asked
from noctuary.recall.candidates import Candidates, Index
from noctuary.recall.exactness import AS_TYPED, MEANING, keep_below_exact
from noctuary.recall.joining import with_alike, with_timely
from noctuary.recall.query import Query
from noctuary.recall.scoring import TALK, Scored, score_words, voice_and_length
from noctuary.recall.wording import beginning_of, has_word
from noctuary.recall.words import DECISION_WORDS, REASON_WORDS, WHY_WORDS
from noctuary.store import keys
from noctuary.text import fold, fold_text, tokens

if TYPE_CHECKING:
    from noctuary.recall import cited, when
    from noctuary.recall.cited import Noted, Notes
    from noctuary.recall.scan import Likeness
else:
    cited = lazy_module("noctuary.recall.cited")
    when = lazy_module("noctuary.recall.when")

SAME_FORM_BONUS = 0.15
MOST_REPEATED = 3.0
ADJACENT_BONUS = 0.5
LITERAL_BONUS = 0.8
LITERAL_VOICE = 0.3  # how far voice and length matter for it: a name is defined in code as often as in talk
REPEATED_LITERAL = 0.7
OTHER_CASE = 0.6  # of that, if only the case differs
REASON_BONUS = 0.1
DECISION_BONUS = 0.25
RECENCY_BONUS = 0.03
LEAST_MEANING = 0.2  # of the best score: what being most alike counts if words say it all …
MOST_MEANING = 1.5  # … and how much more if they say nothing
SMALLEST_SPREAD = 1e-6
TIME_BONUS = 1.0
SPEAKER_BONUS = 0.2


class Ranking(NamedTuple):
    """What the stages know beside the messages themselves."""

    query: Query
    found: Candidates
    factor: Callable[[int], float]
    now_ms: int
    likeness: "Likeness | None" = None
    noted: "Noted | None" = None


Stage = Callable[[list[Scored], Ranking], list[Scored]]


def read_texts(scored: list[Scored], index: Index, query: Query) -> list[Scored]:
    """The scored messages with their text and time; those outside the query's times are left out."""
    texts = index.texts([s.key for s in scored])
    after, before = query.after_ms, query.before_ms
    read = []
    for s in scored:
        s.ts_ms, s.text = texts.get(s.key, (0, ""))
        s.lowered = fold_text(s.text)
        if s.key in texts and (after is None or s.ts_ms >= after) and (before is None or s.ts_ms < before):
            read.append(s)
    return read


def count_common_words(scored: list[Scored], ranking: Ranking) -> list[Scored]:
    """Words too common to be read from the index count when they stand in the text."""
    beginnings = [(beginning_of(word.term), word.worth) for word in ranking.found.common]
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
        (fold_text(f"{a.words[0]} {b.words[0]}"), max(worth_of.get(a.words, 0.0), worth_of.get(b.words, 0.0)))
        for a, b in zip(ranking.query.terms, ranking.query.terms[1:], strict=False)
        if len(a.words) == len(b.words) == 1 and f"{a.words[0]} {b.words[0]}" in ranking.query.wording
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
        (literal, fold_text(literal), worth_of.get(tuple(fold(literal[t.start : t.end]) for t in tokens(literal)), 1.0))
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
            s.why[AS_TYPED] = LITERAL_BONUS * present * ranking.factor(s.key) ** LITERAL_VOICE
    return scored


def prefer_reasons(scored: list[Scored], ranking: Ranking) -> list[Scored]:
    """Who asks why is looking for the message that says because, or better still what was decided."""
    if not WHY_WORDS.intersection(ranking.query.wording.lower().replace("?", " ").split()):
        return scored
    for s in scored:
        if keys.voice_in(s.key) in TALK:
            gives = REASON_BONUS * any(word in s.lowered for word in REASON_WORDS)
            gives += DECISION_BONUS * any(word in s.lowered for word in DECISION_WORDS)
            if gives:
                s.why["gives a reason"] = gives * s.score
    return scored


def prefer_alike(scored: list[Scored], ranking: Ranking) -> list[Scored]:
    """What means the same counts, the more the less words say; where words say it all, meaning adds next to nothing.

    So a question in other words than its answer still finds it.  And what has a name, a path or an error as it was
    typed is never overtaken, for its meaning, by what has not.
    """
    likeness = ranking.likeness
    if likeness is None or not scored:
        return scored
    weight = LEAST_MEANING + MOST_MEANING * _uncovered(scored, ranking)
    least = likeness.least
    full = max(likeness.best - least, SMALLEST_SPREAD)
    best = max(s.score for s in scored) or 1.0
    alike = likeness.of(s.key for s in scored)
    for s in scored:
        value = (alike.get(s.key, least) - least) / full
        if value > 0:
            s.why[MEANING] = weight * best * value
    return scored


def prefer_asked_time(scored: list[Scored], ranking: Ranking) -> list[Scored]:
    """What was said at the time the question speaks of comes first among equals, and nothing else is left out."""
    for s in scored if ranking.query.times else ():
        near = max(when.nearness(s.ts_ms, [span]) * span.certainty for span in ranking.query.times)
        if near:
            s.why["time"] = TIME_BONUS * near * s.score
    return scored


def prefer_speaker(scored: list[Scored], ranking: Ranking) -> list[Scored]:
    """Who is asked for by name, and speaks in the conversation, is the first to know."""
    for s in said_by_asked(ranking.query.wording, scored):
        s.why["said by"] = SPEAKER_BONUS * s.score
    return scored


def prefer_noted(scored: list[Scored], ranking: Ranking) -> list[Scored]:
    """What somebody found worth keeping comes before what stands around it, the more the less words say."""
    if ranking.noted is not None:
        is_understood = ranking.likeness is not None
        cited.give_due(scored, ranking.noted, _uncovered(scored, ranking), by_meaning=is_understood)
    return scored


def _uncovered(scored: Sequence[Scored], ranking: Ranking) -> float:
    """How much of what was asked no message has in words."""
    covered = max((s.worth for s in scored), default=0.0) / (ranking.found.total_worth or 1.0)
    return 1 - min(1.0, covered)


def prefer_recent(scored: list[Scored], ranking: Ranking) -> list[Scored]:
    """Of two equals the newer comes first; a bounded nudge, never more."""
    for s in scored:
        age_days = max(0, ranking.now_ms - s.ts_ms) / 86_400_000 if s.ts_ms > 0 else 3650.0
        s.why["recent"] = s.score * RECENCY_BONUS * 30 / (30 + age_days)
    return scored


STAGES: list[Stage] = [
    count_common_words,
    prefer_same_form,
    prefer_adjacent,
    prefer_literal,
    prefer_reasons,
    prefer_recent,
    prefer_alike,
    prefer_asked_time,
    prefer_speaker,
    prefer_noted,
]


def rank(
    found: Candidates,
    index: Index,
    query: Query,
    now_ms: int,
    *,
    likeness: "Likeness | None" = None,
    timely: Sequence[int] = (),
    notes: "Notes | None" = None,
    picked: Sequence[int] | None = None,
    stages: Sequence[Stage] = STAGES,
) -> list[Scored]:
    """The best messages, the best first; `timely` are the sessions of the time the question speaks of.

    `notes` are the events that lead to messages, to those of the `picked` sessions only (None: all).
    """
    _, plain = voice_and_length(round(found.average_length))
    ranking = Ranking(query, found, lambda key: plain[key & 255], now_ms, likeness)
    scored = score_words(found, index, query)
    if timely:
        scored = with_timely(scored, found, timely)
    if likeness is not None:
        scored = with_alike(scored, found, likeness, timely, query)
    if notes is not None and _uncovered(scored, ranking):
        noted, positions = cited.noted_by(notes, found, scored, picked)
        scored = cited.with_cited(scored, found, index, query, positions)
        ranking = ranking._replace(noted=noted)
    scored = read_texts(scored, index, query)
    for stage in stages:
        scored = stage(scored, ranking)
    keep_below_exact(scored)
    ranked = sorted(scored, key=lambda s: (-s.score, -s.key))
    while ranked and ranked[-1].score <= 0:  # nothing speaks for it
        ranked.pop()
    return ranked
