"""The steps that order hits, each alone."""

from collections.abc import Iterable, Sequence

import pytest

from noctuary.recall.candidates import Candidates, Word
from noctuary.recall.grouping import by_session
from noctuary.recall.query import Query, parse
from noctuary.recall.ranking import (
    STAGES,
    Ranking,
    count_common_words,
    has_word,
    is_strong_enough,
    prefer_adjacent,
    prefer_literal,
    prefer_reasons,
    prefer_recent,
    prefer_same_form,
    rank,
    read_texts,
)
from noctuary.recall.scoring import Scored, saturated, voice_and_length
from noctuary.records import Term
from noctuary.store import keys
from noctuary.store.lexicon import NEWEST, IndexSize, Within

DAY = 86_400_000
NOW = 1_000 * DAY


class Texts:
    """Messages by key, as ranking reads them."""

    def __init__(self, texts: dict[int, str], times: dict[int, int] | None = None) -> None:
        self.stored = texts
        self.times = times or {}

    def size(self) -> IndexSize:
        return IndexSize(messages=len(self.stored), characters=100, newest_session=9)

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
    return Scored(key=key(1), why={"words": score}, worth=1.0, text=text, lowered=text.lower(), ts_ms=ts_ms)


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


def test_reasons_add_up_to_the_score() -> None:
    """Every stage gives a reason for what it adds."""
    index = Texts({key(1): "apricot orchard src/main.py"})
    known = words(apricot=2.0, orchard=1.0)

    (result,) = rank(found({key(1): 3}, *known), index, parse("apricot orchard src/main.py", NOW), NOW)
    assert result.score == pytest.approx(sum(result.why.values()))
    assert set(result.why) >= {"words", "side by side", "as typed", "recent"}


def test_stages_neither_lose_nor_invent_messages() -> None:
    """Each takes scored messages and gives back the same ones."""
    messages = [scored("apricot orchard"), scored("")]

    for stage in STAGES:
        assert [s.key for s in stage(messages, ranking("apricot orchard"))] == [s.key for s in messages]
    assert STAGES[0]([], ranking("x")) == []


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


def test_strong_enough() -> None:
    """The best hit must have a fair share of what the query is worth."""
    candidates = found({}, *words(apricot=5.0, orchard=5.0, the=0.1))

    assert is_strong_enough(Scored(key=1, why={}, worth=5.0), candidates)
    assert not is_strong_enough(Scored(key=1, why={}, worth=0.1), candidates)


@pytest.mark.parametrize(
    ("text", "beginning", "expected"),
    [("the server", "serv", True), ("observer", "serv", False), ("a-server", "serv", True), ("", "serv", False)],
)
def test_has_word(text: str, beginning: str, expected: bool) -> None:
    """A word counts from its beginning, not from its middle."""
    assert has_word(text, beginning) is expected
