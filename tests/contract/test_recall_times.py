"""What every recall backend promises about a question that speaks of a time: it prefers, and leaves nothing out."""

import pytest

from noctuary.recall.contract import RecallStore
from noctuary.recall.query import parse
from noctuary.records import Session
from tests.contract.building import DAY, NOW, OWNER, ask, at, best, find, say, search, tell

# The clock says Sunday, 1 March 2026, noon.
YESTERDAY, LAST_WEEK, JANUARY = at(2026, 2, 28), at(2026, 2, 18), at(2026, 1, 20)
NOVEMBER, YEARS_AGO = at(2025, 11, 10), at(2023, 6, 1)
ALL = {"yesterday": YESTERDAY, "week": LAST_WEEK, "january": JANUARY, "november": NOVEMBER, "years": YEARS_AGO}


def tell_all(recall: RecallStore) -> None:
    """The same words at different times, and much about something else."""
    for name, moment in ALL.items():
        tell(recall, name, "the apricot is ripe", start=moment)
    tell_more(recall)


def tell_more(recall: RecallStore, count: int = 100) -> None:
    """What is about something else."""
    tell(recall, "more", *["the server works"] * count, start=YEARS_AGO)


@pytest.mark.parametrize(
    ("question", "first"),
    [
        ("what did I say about the apricot yesterday?", "yesterday"),
        ("is the apricot of last week ripe", "week"),
        ("in January, was the apricot ripe?", "january"),
        ("was the apricot ripe in November", "november"),
        ("apricot in 2023", "years"),
        ("apricot in June 2023", "years"),
        ("apricot 2026-02-18", "week"),
        ("apricot three years ago", "years"),
        ("apricot letzte Woche", "week"),
        ("上周 apricot", "week"),
    ],
)
def test_what_was_said_then_is_first_among_equals(recall: RecallStore, question: str, first: str) -> None:
    """Of equal messages the one of the time asked for comes first, and all others after it."""
    tell_all(recall)

    assert find(recall, question)[0] == first
    assert {*find(recall, question)} == {*ALL}
    assert "time" in {reason.name for reason in best(recall, question).why}


@pytest.mark.parametrize(("month", "year"), [(2, 2025), (5, 2026), (12, 2026)])
def test_a_month_is_understood_from_the_clock(recall: RecallStore, month: int, year: int) -> None:
    """The same words mean another time when they are asked at another: March is the last one that has begun."""
    tell_more(recall)
    for each in (2024, 2025, 2026):
        tell(recall, str(each), "the apricot is ripe", start=at(each, 3, 10))

    found = recall.search(OWNER, parse("was the apricot ripe in March", at(2026, month, 1)))
    assert found.hits[0].session.id == str(year)
    assert {hit.session.id for hit in found.hits} == {"2024", "2025", "2026"}


def test_a_question_without_a_time_prefers_the_newer(recall: RecallStore) -> None:
    """Nothing but what is said about a time changes the order."""
    tell_all(recall)

    assert find(recall, "apricot ripe") == [*ALL]
    assert not any(reason.name == "time" for hit in search(recall, "apricot ripe").hits for reason in hit.why)


def test_a_time_at_which_nothing_was_said(recall: RecallStore) -> None:
    """The answer is what was said at other times, not nothing."""
    tell_all(recall)

    assert {*find(recall, "was the apricot ripe in August 2024?")} == {*ALL}


def test_the_words_of_a_time_do_not_weaken_an_answer(recall: RecallStore) -> None:
    """What was understood as a time is not missed as a word, also in a memory of few messages about one thing."""
    for name, moment in ALL.items():
        tell(recall, name, "the apricot is ripe", start=moment)

    assert len(find(recall, "apricot")) == len(ALL)
    assert {*find(recall, "which apricot was it in November?")} == {*ALL}


def test_words_count_more_than_a_time(recall: RecallStore) -> None:
    """What was said then about something else does not come before an answer."""
    tell(recall, "answer", "the apricot orchard needs a ladder", start=JANUARY)
    tell(recall, "other", "the ladder is broken", start=LAST_WEEK)
    for i in range(20):
        tell(recall, f"filler{i}", "the ladder of the house", start=NOVEMBER)

    assert find(recall, "apricot orchard ladder last week")[0] == "answer"


def test_what_was_said_then_takes_part_however_much_was_said_since(recall: RecallStore) -> None:
    """A word of hundreds of newer messages is found in the one of the time asked for."""
    tell_more(recall, 600)
    tell(recall, "then", "the apricot is ripe", start=JANUARY)
    for number in range(20):
        tell(recall, f"since{number}", *["the apricot is ripe"] * 20, start=YESTERDAY)

    assert find(recall, "which apricot is ripe")[0] != "then"
    assert find(recall, "which apricot was ripe in January?")[0] == "then"


def test_the_message_of_that_time_within_a_long_session(recall: RecallStore) -> None:
    """A session that went on for months shows what was said then."""
    tell_more(recall)
    tell(recall, "s", *(say("the apricot is ripe", ts_ms=moment) for moment in sorted(ALL.values())))

    assert best(recall, "apricot in November").anchor.ts_ms == NOVEMBER
    assert best(recall, "apricot last week").anchor.ts_ms == LAST_WEEK


@pytest.mark.parametrize(
    ("question", "left"),
    [
        ("apricot last week after:2026-02-25", {"yesterday"}),
        ("apricot yesterday before:2026-01-01", {"november", "years"}),
        ("apricot in November after:2026-01-01 before:2026-02-01", {"january"}),
        ("apricot in August after:2025-11-10 before:2025-11-11", {"november"}),
    ],
)
def test_explicit_times_win(recall: RecallStore, question: str, left: set[str]) -> None:
    """What is typed as a filter holds for every hit, whatever time the question speaks of."""
    tell_all(recall)

    assert {*find(recall, question)} == left


def test_a_time_does_not_get_round_other_filters(recall: RecallStore) -> None:
    """What was said then in another project, by another agent or in a session left out, stays out."""
    tell_more(recall)
    for name, agent, project in (("a", "codex", "/x/shop"), ("b", "gemini", "/x/home")):
        recall.ensure_session(OWNER, Session(id=name, agent=agent, project=project))
        tell(recall, name, "the apricot is ripe", start=LAST_WEEK)
    recall.append("bob", "his", say("the apricot is ripe", ts_ms=LAST_WEEK))

    assert find(recall, "apricot last week project:shop") == ["a"]
    assert find(recall, "apricot last week agent:gemini") == ["b"]
    assert find(recall, "apricot last week", exclude_sessions=["b"]) == ["a"]
    assert {*find(recall, "apricot last week")} == {"a", "b"}


def test_a_quoted_time_is_a_phrase(recall: RecallStore) -> None:
    """Who quotes looks for these words, not for that time."""
    tell(recall, "quoted", "what we said last week about the apricot", start=NOVEMBER)
    tell(recall, "then", "the apricot is ripe", start=LAST_WEEK)

    assert find(recall, 'apricot "last week"') == ["quoted"]


def test_messages_one_by_one(recall: RecallStore) -> None:
    """A search for messages prefers the same time."""
    tell_all(recall)

    hits = recall.search_messages(OWNER, ask("apricot in January"), 10).hits
    assert hits[0].anchor.ts_ms == JANUARY
    assert len(hits) == len(ALL)


def test_times_of_no_calendar_break_nothing(recall: RecallStore) -> None:
    """A time before all times, one that never comes, and messages without a time, are searched like any."""
    tell_all(recall)
    recall.append(OWNER, "undated", say("the apricot is ripe"))
    recall.append(OWNER, "future", say("the apricot is ripe", ts_ms=NOW + 1_000 * DAY))

    for question in (
        "apricot 9999 years ago",
        "apricot next week",
        "apricot on 31 February 2026",
        "apricot 0001-01-01",
    ):
        assert {*find(recall, question)} == {*ALL, "undated", "future"}


def tell_of_release(recall: RecallStore) -> None:
    """Talk of many days about the orchard plan, and of one day about a release."""
    first = NOW - 400 * DAY
    for number in range(60):
        tell(recall, f"other{number}", f"another matter of day {number} altogether", start=first + 5 * number * DAY)
    for number in range(6):
        tell(recall, f"talk{number}", "we looked at the orchard plan again", start=first + 60 * number * DAY)
    tell(recall, "release", "the release of version nine went out today", start=first + 100 * DAY)
    tell(recall, "asked", "we looked at the orchard plan again", start=first + 98 * DAY)


def test_a_time_told_from_an_event(recall: RecallStore) -> None:
    """Two days before the release is known from what was said about the release, and preferred like any time."""
    tell_of_release(recall)

    assert find(recall, "orchard plan two days before the release of version nine")[0] == "asked"
    assert find(recall, "orchard plan two days before the unheard-of coronation")[0] != "asked"
    assert find(recall, '"orchard plan" two days before the release of version nine')[0] == "asked"
    assert find(recall, "orchard plan two days before the release of version nine before:2000-01-01") == []
    assert len(find(recall, "orchard plan two days before the release of version nine")) >= 5


def test_an_event_makes_no_answer(recall: RecallStore) -> None:
    """That the event is known does not make an answer of what shares nothing else with the question."""
    tell_of_release(recall)

    assert find(recall, "zorblax quuxify gralph xyzzy frobnicate two days before the release") == []
