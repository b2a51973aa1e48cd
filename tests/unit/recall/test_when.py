"""The times a question speaks of."""

from datetime import UTC, datetime

import pytest
from hypothesis import given
from hypothesis import strategies as st

from noctuary.recall.when import LONGEST_TAIL, Span, nearness, spans_in, without_times

DAY = 86_400_000


def ms(text: str) -> int:
    """Milliseconds of a moment in UTC."""
    return round(datetime.fromisoformat(text).replace(tzinfo=UTC).timestamp() * 1000)


NOW = ms("2026-03-11T15:30")  # a Wednesday
END = "now"


def days(question: str) -> list[tuple[str, str]]:
    """The spans from day to day, the last one not included; an end at now is called so."""
    return [
        (day(span.start_ms), END if span.end_ms == NOW + 1 else day(span.end_ms)) for span in spans_in(question, NOW)
    ]


def day(moment: int) -> str:
    """The day of a moment."""
    return f"{datetime.fromtimestamp(moment / 1000, UTC):%Y-%m-%d}"


@pytest.mark.parametrize(
    ("question", "start", "end"),
    [
        ("what did we do today?", "2026-03-11", END),
        ("what broke yesterday's build", "2026-03-10", "2026-03-11"),
        ("the day before yesterday it worked", "2026-03-09", "2026-03-10"),
        ("what did I fix this morning", "2026-03-11", END),
        ("what did we decide last week", "2026-03-02", "2026-03-09"),
        ("the week before last", "2026-02-23", "2026-03-02"),
        ("this week", "2026-03-09", END),
        ("over the past week", "2026-03-04", END),
        ("last month?", "2026-02-01", "2026-03-01"),
        ("in the last month", "2026-02-09", END),
        ("last year", "2025-01-01", "2026-01-01"),
        ("this year", "2026-01-01", END),
        ("last weekend", "2026-03-07", "2026-03-09"),
        ("what about last Monday", "2026-03-09", "2026-03-10"),
        ("last Wednesday", "2026-03-04", "2026-03-05"),
        ("what we said on Tuesday", "2026-03-10", "2026-03-11"),
        ("this past Friday", "2026-03-06", "2026-03-07"),
        ("did Tuesday's deploy fail?", "2026-03-10", "2026-03-11"),
        ("three days ago", "2026-03-08", "2026-03-09"),
        ("3 days ago", "2026-03-08", "2026-03-09"),
        ("a week ago", "2026-03-01", "2026-03-09"),
        ("in the last 7 days", "2026-03-04", END),
        ("over the past couple of weeks", "2026-02-18", END),
    ],
)
def test_times_are_understood_from_now(question: str, start: str, end: str) -> None:
    """Days, weeks, months and years before now; a week begins on Monday, and what is yet to come is cut off."""
    assert days(question) == [(start, end)]


@pytest.mark.parametrize(
    ("question", "start", "end"),
    [
        ("what did we ship in March", "2026-03-01", END),
        ("what did we ship in may", "2025-05-01", "2025-06-01"),
        ("last March", "2025-03-01", "2025-04-01"),
        ("in March 2025", "2025-03-01", "2025-04-01"),
        ("the March release", "2026-03-01", END),
        ("3 March", "2026-03-03", "2026-03-04"),
        ("on March 3rd", "2026-03-03", "2026-03-04"),
        ("the 3rd of March 2025", "2025-03-03", "2025-03-04"),
        ("7 May 2023", "2023-05-07", "2023-05-08"),
        ("May 7, 2023", "2023-05-07", "2023-05-08"),
        ("Tuesday, 3 March 2026", "2026-03-03", "2026-03-04"),
        ("2026-03-05", "2026-03-05", "2026-03-06"),
        ("2026-02", "2026-02-01", "2026-03-01"),
        ("25/02/2026", "2026-02-25", "2026-02-26"),
        ("Feb 29", "2024-02-29", "2024-03-01"),
        ("in 2024", "2024-01-01", "2025-01-01"),
        ("Q4 2025", "2025-10-01", "2026-01-01"),
        ("in Q4", "2025-10-01", "2026-01-01"),
        ("early February", "2026-02-01", "2026-02-10"),
        ("late January", "2026-01-21", "2026-02-01"),
        ("mid-February", "2026-02-09", "2026-02-20"),
        ("at the beginning of the year", "2026-01-01", END),
        ("end of last month", "2026-02-19", "2026-03-01"),
        ("the first half of February", "2026-02-01", "2026-02-15"),
        ("last summer", "2025-06-01", "2025-09-01"),
        ("in the fall", "2025-09-01", "2025-12-01"),
        ("in spring 2025", "2025-03-01", "2025-06-01"),
        ("at Christmas", "2025-12-24", "2025-12-27"),
        ("over New Year's", "2025-12-31", "2026-01-02"),
        ("on Valentine's day", "2026-02-14", "2026-02-15"),
    ],
)
def test_dates_without_a_year_are_the_latest(question: str, start: str, end: str) -> None:
    """A date is a day, a month, a season, a year; without a year it is the last that has begun."""
    assert days(question) == [(start, end)]


@pytest.mark.parametrize(
    ("question", "start", "end"),
    [
        ("around February 10th", "2026-02-07", "2026-02-14"),
        ("since May", "2025-05-01", END),
        ("since yesterday", "2026-03-10", END),
        ("since I moved to the new machine three weeks ago", "2026-02-15", END),
        ("before June", "1970-01-01", "2025-06-01"),
        ("by 10 July 2025", "1970-01-01", "2025-07-11"),
        ("after 2 February", "2026-02-03", END),
        ("between May and July", "2025-05-01", "2025-08-01"),
        ("between November and January", "2025-11-01", "2026-02-01"),
        ("between May and July 2024", "2024-05-01", "2024-08-01"),
        ("from 3 to 7 May", "2025-05-03", "2025-05-08"),
        ("May 3-7, 2025", "2025-05-03", "2025-05-08"),
        ("from 3 May to 7 June", "2025-05-03", "2025-06-08"),
        ("two weeks before August 11, 2023", "2023-07-28", "2023-08-12"),
        ("the Sunday before October 25, 2022", "2022-10-23", "2022-10-26"),
        ("last Friday, as said on 23 January 2022", "2026-03-06", "2026-03-07"),
        ("last Friday on 23 January, 2022", "2022-01-21", "2022-01-24"),
    ],
)
def test_what_is_said_about_a_time_moves_its_ends(question: str, start: str, end: str) -> None:
    """Since, before, around, between; an offset from a date reaches up to the date, where it is told."""
    assert days(question)[0] == (start, end)


@pytest.mark.parametrize(
    ("question", "start", "end"),
    [
        ("what is due tomorrow", "2026-03-12", "2026-03-13"),
        ("what did we plan for next week", "2026-03-16", "2026-03-23"),
        ("next month", "2026-04-01", "2026-05-01"),
        ("next Friday", "2026-03-20", "2026-03-21"),
        ("next May", "2026-05-01", "2026-06-01"),
    ],
)
def test_what_is_said_to_come_may_lie_ahead(question: str, start: str, end: str) -> None:
    """Only a question that is clearly about the future gets a span there."""
    assert days(question) == [(start, end)]


@pytest.mark.parametrize("question", ["on 3 May 2031", "in 2031", "by 2031", "before June 2031", "this Friday"])
def test_a_time_to_come_is_no_time_of_what_was(question: str) -> None:
    """Nothing that is remembered can lie there."""
    assert days(question) == []


@pytest.mark.parametrize(
    "question",
    [
        "",
        "why did we drop redis?",
        "it takes 5 minutes",
        "retry for two days",
        "a 3 week project",
        "a week-long trip, a one-year-old child",
        "how many days did it take?",
        "how many weeks ago did we switch?",
        "half a year ago",
        "two days before the release",
        "a week after the migration",
        "two days later",
        "the next week we shipped",
        "the last week of the project",
        "the first three months of the project",
        "at the last minute, in the past",
        "every Monday, on Mondays, on Saturday mornings, on a Tuesday evening",
        "May I ask",
        "this may fail, the last may not, it may last",
        "3 may run, may 3 workers run",
        "a march through the code",
        "Spring Boot, the Spring upgrade in Spring Security",
        "in fall back mode",
        "does this fall with an error",
        "the second attempt",
        "in 2000 rows, after 2024 requests",
        'the "last 7 days" button, the `yesterday` column',
        "the last 7 days filter",
        "last_week monday.com log-2026-03-05.txt claude-3-5-sonnet-20241022 after:2026-03-01",
        "2026-13-45 2026-02-30 31/31/2025 0000-00-00",
        "was steht hier in der Datei?",
        "vor dem Release, zwei Tage vor dem Release",
        "上海的服务",
    ],
)
def test_what_may_be_something_else_is_no_time(question: str) -> None:
    """A duration, a habit, a name, an offset from an event and a word that needs more evidence are left alone."""
    assert days(question) == []


@pytest.mark.parametrize(
    ("question", "start", "end"),
    [
        ("was haben wir gestern gemacht?", "2026-03-10", "2026-03-11"),
        ("vorgestern", "2026-03-09", "2026-03-10"),
        ("letzte Woche", "2026-03-02", "2026-03-09"),
        ("vor drei Tagen", "2026-03-08", "2026-03-09"),
        ("in den letzten zwei Wochen", "2026-02-25", END),
        ("im Februar", "2026-02-01", "2026-03-01"),
        ("am 3. März 2025", "2025-03-03", "2025-03-04"),
        ("qu'est-ce qu'on a fait hier ?", "2026-03-10", "2026-03-11"),
        ("la semaine dernière", "2026-03-02", "2026-03-09"),
        ("l'année dernière", "2025-01-01", "2026-01-01"),
        ("il y a trois jours", "2026-03-08", "2026-03-09"),
        ("en février", "2026-02-01", "2026-03-01"),
        ("le 3 mars 2025", "2025-03-03", "2025-03-04"),
        ("ayer", "2026-03-10", "2026-03-11"),
        ("la semana pasada", "2026-03-02", "2026-03-09"),
        ("hace tres días", "2026-03-08", "2026-03-09"),
        ("en febrero", "2026-02-01", "2026-03-01"),
        ("el 3 de marzo de 2025", "2025-03-03", "2025-03-04"),
        ("昨天我们做了什么", "2026-03-10", "2026-03-11"),
        ("上周的错误", "2026-03-02", "2026-03-09"),
        ("三天前的部署", "2026-03-08", "2026-03-09"),
        ("上个月", "2026-02-01", "2026-03-01"),
        ("两个月前", "2025-12-25", "2026-01-25"),
        ("去年", "2025-01-01", "2026-01-01"),
        ("昨日のバグ", "2026-03-10", "2026-03-11"),
        ("先週のバグ", "2026-03-02", "2026-03-09"),
        ("3日前のバグ", "2026-03-08", "2026-03-09"),
    ],
)
def test_other_languages_have_the_same_times(question: str, start: str, end: str) -> None:
    """German, French, Spanish, Chinese and Japanese, as far as the commonest words go."""
    assert days(question) == [(start, end)]


def test_hours_are_read_too() -> None:
    """Last night reaches from evening to morning, an hour ago is an hour wide on both sides."""
    night, ago = spans_in("what ran last night and what an hour ago?", NOW)

    assert (night.start_ms, night.end_ms) == (ms("2026-03-10T16:00"), ms("2026-03-11T08:00"))
    assert (ago.start_ms, ago.end_ms) == (ms("2026-03-11T13:30"), NOW)


def test_a_date_that_can_be_read_two_ways_is_both() -> None:
    """Day first or month first: neither is certain; a reading that has not been yet does not count."""
    both = spans_in("on 03/05/2025", NOW)

    assert [day(span.start_ms) for span in both] == ["2025-05-03", "2025-03-05"]
    assert [span.certainty for span in both] == [0.5, 0.5]
    assert days("on 03/05/2026") == [("2026-03-05", "2026-03-06")]


def test_the_vaguer_the_words_the_less_certain() -> None:
    """A day with its year is certain, a season is not."""
    questions = ["on 3 May 2025", "in May", "around 3 May 2025", "last summer"]
    certainties = [spans_in(question, NOW)[0].certainty for question in questions]

    assert certainties == sorted(set(certainties), reverse=True)
    assert certainties[0] == 1.0


def test_all_times_are_found_in_their_order() -> None:
    """A question may speak of several."""
    assert [span.text for span in spans_in("did last week or yesterday differ from in May?", NOW)] == [
        "last week",
        "yesterday",
        "in May",
    ]


@pytest.mark.parametrize(
    ("question", "rest"),
    [
        ("what did we decide last week about redis?", "what did we decide about redis?"),
        ("what did we decide about redis in March 2025?", "what did we decide about redis?"),
        ("yesterday", ""),
        ("昨天我们做了什么", "我们做了什么"),
        ("two  spaces   stay", "two  spaces   stay"),
    ],
)
def test_the_words_of_a_time_are_not_looked_for(question: str, rest: str) -> None:
    """They leave the question with the words before them; a question without a time stays as it is."""
    assert without_times(question, spans_in(question, NOW)) == rest


def test_near_falls_from_one_to_nothing() -> None:
    """Within a span all is near; outside it is less, and beyond the span's own length nothing."""
    (span,) = spans_in("last week", NOW)
    middle = (span.start_ms + span.end_ms) // 2
    after = [nearness(span.end_ms + number * DAY, [span]) for number in range(9)]

    assert nearness(middle, [span]) == nearness(span.start_ms, [span]) == 1.0
    assert after == sorted(after, reverse=True)
    assert 0.0 < after[6] < 0.1 < after[1] < 1.0
    assert after[7:] == [0.0, 0.0]


def test_near_is_at_least_a_day_and_at_most_a_month_away() -> None:
    """An hour has a day around it; all that was before June does not make July near."""
    hour, ages = Span(NOW, NOW + 3_600_000, "", 1.0), Span(0, NOW, "", 1.0)

    assert nearness(NOW - DAY // 2, [hour]) == 0.5
    assert nearness(NOW + LONGEST_TAIL, [ages]) == 0.0
    assert nearness(NOW, []) == 0.0


def test_the_nearest_span_counts() -> None:
    """Of several times one is enough."""
    spans = spans_in("last week or on 3 May 2025", NOW)

    assert nearness(ms("2025-05-03T12:00"), spans) == nearness(ms("2026-03-04"), spans) == 1.0


TELLING = st.sampled_from(
    """a the in on of last past this next since before after by between from to and around early end May may march 3 3rd
    31 2024 2026-03-05 03/05/2026 999 couple few days day weeks week years year ago yesterday tomorrow Monday summer
    fall Q3 Christmas night ' " , . - 's vor hace il y 上 三 天 前 年 月 hier le""".split()  # noqa: SIM905
)
QUESTIONS = st.text(max_size=60) | st.lists(TELLING, max_size=12).map(" ".join)


@given(question=QUESTIONS, now=st.integers(-(10**15), 10**17))
def test_any_text_can_be_asked(question: str, now: int) -> None:
    """It never fails; a span has a length, its words are in the question, and what is left is not more than before."""
    spans = spans_in(question, now)

    for span in spans:
        assert 0 <= span.start_ms < span.end_ms
        assert span.text
        assert span.text in question
        assert 0.0 < span.certainty <= 1.0
    assert len(without_times(question, spans)) <= len(question)


@given(question=QUESTIONS, ts=st.integers(0, 2 * NOW))
def test_near_is_a_share(question: str, ts: int) -> None:
    """From 0 to 1, for any moment."""
    assert 0.0 <= nearness(ts, spans_in(question, NOW)) <= 1.0
