"""Times that are told from an event."""

import pytest
from hypothesis import given
from hypothesis import strategies as st

from noctuary.recall.events import LONGEST_EVENT, MOST_OFFSETS, MOST_TOLD, Offset, offsets_in, spans_from
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
        ("two days before the outage what happened with the cache", -2 * DAY, "the outage"),
        ("two days after the outage (the big one)", 2 * DAY, "the outage"),
    ],
)
def test_how_far_from_what(question: str, shift: int, event: str) -> None:
    """How long, in which direction, and from what, up to the end of the clause or to what is asked."""
    (offset,) = offsets_in(question)

    assert (offset.shift_ms, offset.event) == (shift, event)
    assert f"{offset.text} {event}" in question


@pytest.mark.parametrize(
    "question",
    [
        "why did we drop redis?",
        "before the release",
        "two days ago",
        "two days before",
        "two days before, we left",
        "a reminder 24 hours before the meeting starts",
        "two days before " + "word " * (LONGEST_EVENT + 1),
        "",
    ],
)
def test_no_offset(question: str) -> None:
    """Without an amount, an event or a clear end of it there is nothing to tell a time from; hours are a duration."""
    assert [offset.event for offset in offsets_in(question)] == []


def test_what_is_known_already_is_not_looked_up() -> None:
    """Days before a date need no memory, and what is quoted is looked for as it stands."""
    assert parse("3 days before March 5 what happened with the cache", NOON).offsets == ()
    assert parse('"two days before the release"', NOON).offsets == ()
    assert len(parse("two days before the release", NOON).offsets) == 1


def test_a_question_looks_up_few_events() -> None:
    """Each costs a search."""
    assert len(offsets_in("a day before red, a week after blue, two days before green, a month after white")) == (
        MOST_OFFSETS
    )


def test_the_time_is_so_far_from_when_it_was_told() -> None:
    """What speaks of the event best tells when it was; a day either way is as good."""
    (span,) = spans_from(Offset(-2 * DAY, DAY, "the release", "two days before"), told((NOON, 5.0)))

    assert (span.start_ms, span.end_ms, span.certainty) == (NOON - 3 * DAY, NOON - DAY, LOOSE)
    assert span.text == "two days before"


def test_several_may_tell() -> None:
    """Others that speak of it nearly as well are less sure, the weak tell nothing, and there are only a few."""
    moments = [(NOON, 5.0), (NOON - WEEK, 4.5), (NOON - 2 * WEEK, 1.0)]
    spans = spans_from(Offset(DAY, DAY, "x", "x"), told(*moments))

    assert [(span.start_ms, span.certainty) for span in spans] == [(NOON, LOOSE), (NOON - WEEK, VAGUE)]
    many = told(*((NOON - number * WEEK, 5.0) for number in range(10)))
    assert len(spans_from(Offset(DAY, DAY, "x", "x"), many)) == MOST_TOLD


@pytest.mark.parametrize("telling", [[], told((0, 5.0))])
def test_nobody_tells(telling: list[Scored]) -> None:
    """An event nobody speaks of, or only at no known time, gives no time."""
    assert spans_from(Offset(-2 * DAY, DAY, "the release", "two days before"), telling) == []


@given(st.text(max_size=80) | st.text(alphabet="two days before after the a 3 weeks ,?", max_size=60))
def test_any_text(text: str) -> None:
    """Nothing that can be asked is an error, and what is found stands in the question."""
    telling = told((NOON, 5.0), (NOON - DAY, 4.9), (NOON - WEEK, 4.8), (DAY, 4.7))
    offsets = offsets_in(text)

    assert len(offsets) <= MOST_OFFSETS
    assert all(offset.event in text and offset.text in text for offset in offsets)
    assert all(span.start_ms < span.end_ms for offset in offsets for span in spans_from(offset, telling))
