"""The steps that order hits, each alone."""

from collections.abc import Iterable, Sequence

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from noctuary.recall.candidates import Candidates, Word
from noctuary.recall.grouping import by_session
from noctuary.recall.query import Query, parse
from noctuary.recall.ranking import (
    STAGES,
    Ranking,
    Stage,
    count_common_words,
    prefer_adjacent,
    prefer_alike,
    prefer_asked_time,
    prefer_literal,
    prefer_noted,
    prefer_reasons,
    prefer_recent,
    prefer_same_form,
    prefer_speaker,
    rank,
    read_texts,
)
from noctuary.recall.scan import Likeness
from noctuary.recall.scoring import Scored, saturated, voice_and_length
from noctuary.records import Term
from noctuary.store import keys
from noctuary.store.citations import Citation
from noctuary.store.lexicon import NEWEST, IndexSize, Within
from noctuary.text import fold_text

DAY = 86_400_000
NOW = 1_000 * DAY


class Texts:
    """Messages by key, as ranking reads them."""

    def __init__(self, texts: dict[int, str], times: dict[int, int] | None = None) -> None:
        self.stored = texts
        self.times = times or {}

    def size(self) -> IndexSize:
        return IndexSize(messages=len(self.stored), characters=100, sessions=9)

    def sessions_from(self, no: int) -> int:
        raise AssertionError(no)

    def matching(self, terms: Sequence[Term], within: Within, most: int, below: int = NEWEST) -> list[int]:
        raise AssertionError((terms, within, most, below))

    def matching_any(self, terms: Sequence[Term], any_of: Sequence[Term], within: Within, most: int) -> list[int]:
        raise AssertionError((terms, any_of, within, most))

    def containing(self, text: str, within: Within, most: int) -> list[int]:
        raise AssertionError((text, within, most))

    def keys_at(self, positions: Iterable[int]) -> list[int]:
        wanted = set(positions)
        return [key for key in self.stored if key >> keys.PLACE_SHIFT in wanted]

    def texts(self, wanted: Iterable[int]) -> dict[int, tuple[int, str]]:
        return {key: (self.times.get(key, NOW), self.stored[key]) for key in wanted if key in self.stored}


def key(session: int, place: int = 1, voice: int = keys.USER, characters: int = 100) -> int:
    """The key of a message."""
    return keys.pack(session, place, voice, keys.length_class(characters))


def words(**worths: float) -> list[Word]:
    """Words of a query and what they are worth."""
    return [Word(term=Term(words=(word,)), worth=value) for word, value in worths.items()]


def found(messages: dict[int, int], *known: Word, common: Sequence[Word] = ()) -> Candidates:
    """Candidates by key, each with its words as bits."""
    candidates = Candidates(words=list(known), common=list(common), average_length=100.0)
    for message, bits in messages.items():
        candidates.add([message], bits)
    return candidates


def ranking(query: str, *known: Word, common: Sequence[Word] = ()) -> Ranking:
    """What the stages know, with every message counting the same."""
    return Ranking(query=parse(query, NOW), found=found({}, *known, common=common), factor=lambda _: 1.0, now_ms=NOW)


def scored(text: str, ts_ms: int = NOW, score: float = 1.0) -> Scored:
    """A message on its way."""
    return Scored(key=key(1), why={"words": score}, worth=1.0, text=text, lowered=fold_text(text), ts_ms=ts_ms)


def order(candidates: Candidates, index: Texts, query: str = "x") -> list[int]:
    """Keys as they are ranked."""
    return [s.key for s in rank(candidates, index, parse(query, NOW), NOW)]


def test_people_weigh_more_than_tools() -> None:
    """The order of voices is: user, agent, thoughts, output, what was injected."""
    table, _ = voice_and_length(100)
    length = keys.length_class(100)
    weights = [
        table[voice << keys.LENGTH_BITS | length]
        for voice in (keys.USER, keys.ASSISTANT, keys.THINKING, keys.OUTPUT, keys.INJECTED)
    ]

    assert weights == sorted(weights, reverse=True)


def test_short_messages_weigh_more_than_long_ones() -> None:
    """A word among few says more than a word among many."""
    table, _ = voice_and_length(100)

    assert list(table[:32]) == sorted(table[:32], reverse=True)
    assert all(weight > 0 for weight in table)


def test_more_of_the_same_adds_less_and_less() -> None:
    """Saturation grows with every occurrence and has an upper bound."""
    steps = [saturated(n) for n in (0, 1, 2, 4, 1000, 10**9)]

    assert steps == sorted(steps)
    assert steps[2] - steps[1] < steps[1] - steps[0]
    assert steps[-1] < 2 * saturated(1) + 1


def test_more_and_rarer_words_win() -> None:
    """Worth adds up over the words found."""
    both, rare, common = key(1), key(2), key(3)
    index = Texts(dict.fromkeys((both, rare, common), "text"))

    assert order(found({both: 3, rare: 1, common: 2}, *words(rare=5.0, common=1.0)), index) == [both, rare, common]


def test_an_answer_beside_the_question_takes_part() -> None:
    """A message with none of the words is ranked for its neighbour's, behind it."""
    question, answer, far = key(1, 1), key(1, 2, keys.ASSISTANT), key(1, 9)
    index = Texts(dict.fromkeys((question, answer, far), "text"))

    assert order(found({question: 1}, *words(apricot=3.0)), index) == [question, answer]


def test_times_leave_messages_out() -> None:
    """After includes its moment, before does not."""
    early, late = key(1, 1), key(1, 9)
    index = Texts({early: "a", late: "b"}, {early: 10, late: 20})
    both = [Scored(key=early, why={}), Scored(key=late, why={})]

    def left(after: int | None, before: int | None) -> list[int]:
        query = Query(text="", after_ms=after, before_ms=before)
        return [s.key for s in read_texts(both, index, query)]

    assert left(20, None) == [late]
    assert left(None, 20) == [early]
    assert left(10, 21) == [early, late]


@pytest.mark.parametrize(
    ("text", "counts"), [("the servers are up", True), ("Server", True), ("observer", False), ("", False)]
)
def test_common_words_count_when_they_stand_in_the_text(text: str, counts: bool) -> None:
    """They were too many to be read from the index; the text tells, in any of their forms."""
    (result,) = count_common_words([scored(text)], ranking("server", common=words(server=0.5)))

    assert ("common words" in result.why) == counts
    assert result.worth == (1.5 if counts else 1.0)


def test_words_side_by_side_count_more() -> None:
    """Two words that follow each other in the query and in the text belong together."""
    known = words(connection=2.0, refused=2.0)
    beside, apart = prefer_adjacent(
        [scored("Connection refused"), scored("refused the connection")], ranking("connection refused", *known)
    )

    assert beside.score > apart.score


def test_what_was_typed_counts_more() -> None:
    """A name as it was typed beats the same in another case, and that beats its words apart."""
    exact, other_case, apart = prefer_literal(
        [scored("src/Main.py"), scored("SRC/MAIN.PY"), scored("main src py")], ranking("src/Main.py", *words(main=2.0))
    )

    assert exact.score > other_case.score > apart.score == 1.0


def test_the_same_form_counts_more() -> None:
    """Words share a stem and are not the same: locale is not local."""
    typed, relative = prefer_same_form(
        [scored("the locale decides"), scored("only local changes")], ranking("locale", *words(locale=2.0))
    )

    assert typed.score > relative.score == 1.0


def test_who_asks_why_is_told_the_decision() -> None:
    """For a why, a decision comes before a mere reason, and that before neither; other questions do not care."""
    texts = ["Decision: no Redis, because of the backup", "lost because of Redis", "Redis runs"]
    decision, reason, neither = prefer_reasons([scored(text) for text in texts], ranking("why no redis?"))
    indifferent = prefer_reasons([scored(text) for text in texts], ranking("redis port"))

    assert decision.score > reason.score > neither.score == 1.0
    assert {s.score for s in indifferent} == {1.0}


def test_recency_is_a_bounded_nudge() -> None:
    """The newer of two equals wins; no age makes up for better words; the future and no time are no error."""
    new, old, better, future, undated = prefer_recent(
        [scored("", NOW), scored("", NOW - 400 * DAY), scored("", 1, 1.2), scored("", NOW * 2), scored("", 0)],
        ranking("x"),
    )

    assert new.score > old.score > undated.score * 0.99
    assert better.score > new.score
    assert future.score == new.score


@pytest.mark.parametrize(
    ("question", "first"),
    [
        ("apricot yesterday", "yesterday"),
        ("the apricot of last month", "a month ago"),
        ("apricot two years ago", "long ago"),
    ],
)
def test_the_time_asked_for_counts(question: str, first: str) -> None:
    """Of messages with the same words the one of that time is first, and none is left out."""
    ages = {"yesterday": 1, "a month ago": 30, "long ago": 730}
    messages = [scored(text, NOW - age * DAY) for text, age in ages.items()]

    result = prefer_asked_time(messages, ranking(question))
    assert {s.text for s in result} == {*ages}
    assert max(result, key=lambda s: s.score).text == first


def test_a_question_without_a_time_has_no_favourite_time() -> None:
    """Only what the question says counts."""
    result = prefer_asked_time([scored("", NOW - age * DAY) for age in range(100)], ranking("apricot"))

    assert {s.score for s in result} == {1.0}


def test_the_nearer_to_the_time_asked_for_the_better() -> None:
    """People misremember: what was said a little earlier or later counts less, not nothing."""
    within, near, far = prefer_asked_time(
        [scored("", NOW - age * DAY) for age in (6, 12, 60)], ranking("apricot last week")
    )

    assert within.score > near.score > far.score == 1.0


def test_who_is_asked_for_is_the_first_to_know() -> None:
    """Of messages with the same words those of the one named by the question come first."""
    messages = [scored(f"{name}: apricot") for name in ("Ana", "Ben") * 3]

    by_ana, by_ben, *_ = prefer_speaker(messages, ranking("Ana apricot"))
    assert by_ana.score > by_ben.score == 1.0
    assert by_ana.why["said by"] == pytest.approx(by_ana.score - 1)


def test_without_a_model_meaning_says_nothing() -> None:
    """A search by words alone is as if the stage were not there."""
    (result,) = prefer_alike([scored("apricot")], ranking("apricot"))

    assert result.why == {"words": 1.0}


QUESTION = "why did Ana plant an apricot orchard src/main.py yesterday"
REASON_OF: dict[Stage, str] = {
    count_common_words: "common words",
    prefer_same_form: "same form",
    prefer_adjacent: "side by side",
    prefer_literal: "as typed",
    prefer_reasons: "gives a reason",
    prefer_recent: "recent",
    prefer_alike: "meaning",
    prefer_asked_time: "time",
    prefer_speaker: "said by",
    prefer_noted: "journal",
}
each_stage = pytest.mark.parametrize("stage", STAGES, ids=lambda stage: stage.__name__)


class NoteOn:
    """A journal with one event, which rests on one message."""

    def __init__(self, noted: int) -> None:
        self.citation = Citation(1, noted >> keys.PLACE_SHIFT, holds=True)

    def is_any(self) -> bool:
        return True

    def speaking_of(self, _terms: Sequence[Term], most: int) -> list[int]:
        return [][:most]

    def by(self, events: Sequence[int]) -> list[Citation]:
        return [self.citation for event in events if event == self.citation.event]

    def within(self, sessions: Sequence[int], most: int) -> list[Citation]:
        is_there = self.citation.position >> keys.PLACE_BITS in sessions
        return [self.citation][:most] if is_there else []


def garden(stages: Sequence[Stage] = STAGES) -> list[Scored]:
    """Messages of two people, to which every stage has something to say."""
    text = "apricot orchard, because src/main.py plants it"
    texts = {key(session, 1): f"{name}: {text}" for session, name in enumerate(("Ana", "Ben") * 3, start=1)}
    index = Texts(texts, {each: NOW - DAY * keys.session_of(each) for each in texts})
    known = words(apricot=2.0, orchard=1.0, nowhere=1.0)
    candidates = found(dict.fromkeys(texts, 3), *known, common=words(plant=0.5))
    likeness = Likeness(np.array(sorted(texts), np.int64), np.linspace(0.1, 0.9, len(texts)))
    query, notes = parse(QUESTION, NOW), NoteOn(key(1, 1))
    return rank(candidates, index, query, NOW, likeness=likeness, timely=[1], notes=notes, stages=stages)


@each_stage
def test_each_stage_can_be_removed(stage: Stage) -> None:
    """A search without any one of the stages finds the same messages, and all other reasons are still given."""
    without = garden([each for each in STAGES if each is not stage])

    assert {s.key for s in without} == {s.key for s in garden()}
    given = {name for s in without for name in s.why}
    assert given == {name for s in garden() for name in s.why} - {REASON_OF[stage]}


@each_stage
def test_each_stage_can_stand_alone(stage: Stage) -> None:
    """No stage needs another before it."""
    alone = garden([stage])

    assert {s.key for s in alone} == {s.key for s in garden()}
    assert {name for s in alone for name in s.why} - {name for s in garden([]) for name in s.why} == {REASON_OF[stage]}


def test_without_stages_words_decide() -> None:
    """The list may be empty: messages are ordered by their words and those around them."""
    plain = garden([])

    assert {name for s in plain for name in s.why} == {"words", "neighbours"}
    assert [s.score for s in plain] == sorted((s.score for s in plain), reverse=True)


@given(st.permutations(STAGES), st.integers(0, len(STAGES)))
def test_reasons_add_up_to_the_score(stages: list[Stage], count: int) -> None:
    """Every stage gives one reason of its own for what it adds, in any order of stages, and takes nothing away."""
    chosen = stages[:count]
    result = garden(chosen)

    assert result == sorted(result, key=lambda s: (-s.score, -s.key))
    for s in result:
        assert s.score == pytest.approx(sum(s.why.values()))
        assert set(s.why) <= {"words", "neighbours", *(REASON_OF[stage] for stage in chosen)}
        assert all(s.why[REASON_OF[stage]] > 0 for stage in chosen if REASON_OF[stage] in s.why)


def test_every_stage_has_something_to_say() -> None:
    """The garden that these tests search has a reason of every kind."""
    assert {name for s in garden() for name in s.why} == {"words", "neighbours", *REASON_OF.values()}


@each_stage
def test_stages_neither_lose_nor_invent_messages(stage: Stage) -> None:
    """Each takes scored messages and gives back the same ones; of none, none."""
    messages = [scored("apricot orchard"), scored("")]

    assert [s.key for s in stage(messages, ranking("apricot orchard"))] == [s.key for s in messages]
    assert stage([], ranking(QUESTION)) == []


def test_a_session_takes_one_place_and_is_supported_by_its_others() -> None:
    """Of two sessions with an equally good message the one with more of them comes first, once."""
    ranked = [Scored(key=key(s, p), why={"words": v}) for s, p, v in [(1, 1, 2.0), (2, 1, 2.0), (2, 2, 1.0)]]

    sessions = by_session(ranked, found({}))
    assert [s.number for s in sessions] == [2, 1]
    assert sessions[0].best.key == key(2, 1)
    assert sessions[0].score < 2 * sessions[1].score


def test_a_title_speaks_for_its_session() -> None:
    """The words of the query in a title add to the score of the session."""
    title = key(1, 0, keys.TITLE)
    ranked = [Scored(key=key(number), why={"words": 1.0}) for number in (1, 2)]

    sessions = by_session(ranked, found({title: 1}, *words(apricot=2.0)))
    assert [s.number for s in sessions] == [1, 2]
    assert "title" in sessions[0].why
