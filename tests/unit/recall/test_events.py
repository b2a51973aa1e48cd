"""Times that are told from an event."""

import pytest
from hypothesis import given
from hypothesis import strategies as st

from noctuary.recall.events import EVENT_WEIGHT, MOST_TOLD, Offset, offsets_in, spans_from, told_by_events
from noctuary.recall.query import parse
from noctuary.recall.scoring import Scored
from noctuary.recall.when import LOOSE, VAGUE
from noctuary.recall.when_words import DAY, WEEK

NOON = 1_773_489_600_000  # 14 March 2026


def told(*moments: tuple[int, float]) -> list[Scored]:
    """Messages of these times with these scores."""
    return [Scored(key=number, why={"words": score}, ts_ms=ts_ms) for number, (ts_ms, score) in enumerate(moments, 1)]


@pytest.mark.parametrize(
    ("question", "shift", "event"),
    [
        ("what did we decide two days before the release?", -2 * DAY, "the release"),
        ("which bug appeared a week after the database migration", WEEK, "the database migration"),
        ("what did Anna say three days after she joined the team?", 3 * DAY, "she joined the team"),
        ("was haben wir zwei Tage nach dem Umzug gesagt", 2 * DAY, "dem Umzug gesagt"),
        ("10 days prior to the audit, what broke?", -10 * DAY, "the audit"),
    ],
)
def test_how_far_from_what(question: str, shift: int, event: str) -> None:
    """How long, in which direction, and from what, up to the end of the clause."""
    (offset,) = offsets_in(question)

    assert (offset.shift_ms, offset.event) == (shift, event)
    assert offset.text in question
    assert offset.text.endswith(event)


@pytest.mark.parametrize(
    "question",
    ["why did we drop redis?", "before the release", "two days ago", "two days before", "two days before, we left", ""],
)
def test_no_offset(question: str) -> None:
    """Without an amount or without an event there is nothing to tell a time from."""
    assert offsets_in(question) == []


def test_the_time_is_so_far_from_when_it_was_told() -> None:
    """What speaks of the event best tells when it was; a day either way is as good."""
    (span,) = spans_from(Offset(-2 * DAY, DAY, "the release", "two days before the release"), told((NOON, 5.0)))

    assert (span.start_ms, span.end_ms, span.certainty) == (NOON - 3 * DAY, NOON - DAY, LOOSE)


def test_several_may_tell() -> None:
    """Others that speak of it nearly as well are less sure, and the weak tell nothing."""
    spans = spans_from(Offset(DAY, DAY, "x", "x"), told((NOON, 5.0), (NOON - WEEK, 4.5), (NOON - 2 * WEEK, 1.0)))

    assert [(span.start_ms, span.certainty) for span in spans] == [(NOON, LOOSE), (NOON - WEEK, VAGUE)]


@pytest.mark.parametrize("telling", [[], told((0, 5.0))])
def test_nobody_tells(telling: list[Scored]) -> None:
    """An event nobody speaks of, or only at no known time, gives no time."""
    query = parse("two days before the release", NOON)

    assert told_by_events(query, lambda _: telling, NOON) == query


def test_the_words_of_the_event_count_less() -> None:
    """What was said two days before the release need not speak of the release."""
    query = told_by_events(parse("orchard two days before the release", NOON), lambda _: told((NOON, 5.0)), NOON)

    assert {term.words: term.weight for term in query.terms} == {
        ("orchard",): 1.0,
        ("release",): EVENT_WEIGHT,
    } | {term.words: term.weight for term in parse("two days", NOON).terms}


@given(st.text(max_size=80) | st.text(alphabet="two days before after the a 3 weeks ,?", max_size=60))
def test_any_text(text: str) -> None:
    """Nothing that can be asked is an error."""
    telling = told((NOON, 5.0), (NOON - DAY, 4.9), (NOON - WEEK, 4.8), (DAY, 4.7))
    query = parse(text, NOON)
    spans = told_by_events(query, lambda _: telling, NOON).times[len(query.times) :]

    assert len(spans) <= MOST_TOLD * len(offsets_in(query.wording))
    assert all(span.start_ms < span.end_ms for span in spans)
