"""Nodes, events and rejections found by words, with any text as a query."""

from datetime import timedelta

import pytest
from hypothesis import HealthCheck, example, given, settings
from hypothesis import strategies as st

from noctuary.authored import EventType
from noctuary.graph import NodeType
from noctuary.recall.query import parse
from noctuary.records import Term
from noctuary.testing import FakeClock
from noctuary.work.corrections import correct, retract
from noctuary.work.decisions import NewOption, choose_option, log_decision, reject_option
from noctuary.work.desk import Desk
from noctuary.work.finding import Rejected, find_events, find_nodes, rejected
from noctuary.work.notes import note
from tests.unit.work.conftest import MakeDesk
from tests.unit.work.graphs import add, goal


def nodes(desk: Desk, text: str, *types: NodeType, everywhere: bool = False) -> list[str]:
    query = parse(text, desk.clock.now_ms())
    found = find_nodes(desk, query.terms, query.required, query.excluded, types=types or None, everywhere=everywhere)
    return [each.node.title for each in found]


def events(desk: Desk, text: str, *types: EventType) -> list[str]:
    query = parse(text, desk.clock.now_ms())
    found = find_events(desk, query.terms, query.required, query.excluded, types=types or None)
    return [each.entry.event.text for each in found]


def no(desk: Desk, text: str, since_ms: int = 0) -> list[Rejected]:
    query = parse(text, desk.clock.now_ms())
    return rejected(desk, query.terms, since_ms, required=query.required, excluded=query.excluded)


@pytest.mark.parametrize(
    "text",
    ["refresh-token", "user's", "C++", '"', "'", "AND", "OR NOT", "*", "a*", "", "   ", "(", "NEAR(a b)", "title:x",
     "-", "--", "-x", "^a", "\0", "\ud800", "支付", "x" * 10_000, "🦉", "; drop table nodes", "{a b}", 'a" OR "b'],
)  # fmt: skip
def test_c32_any_text_is_a_valid_query(desk: Desk, text: str) -> None:
    """Nothing typed reaches the index as it stands, so nothing can be an error."""
    title = add(desk, "Rotate the refresh-token of a user's C++ client").title

    assert nodes(desk, text) in ([], [title])
    assert len(events(desk, text)) <= 1
    assert no(desk, text) == []


@settings(max_examples=60, deadline=None, suppress_health_check=[HealthCheck.function_scoped_fixture])
@given(st.text(max_size=60))
@example('"')
def test_c32_whatever_is_typed_is_answered(desk: Desk, text: str) -> None:
    """The same for what hypothesis thinks of."""
    nodes(desk, text)
    events(desk, text)
    no(desk, text)


@settings(max_examples=40, deadline=None, suppress_health_check=[HealthCheck.function_scoped_fixture])
@given(st.lists(st.text(st.characters(exclude_categories=["Cs"], exclude_characters="\0"), max_size=8), min_size=1))
def test_c32_whatever_a_term_has_in_it_is_quoted(desk: Desk, words: list[str]) -> None:
    """Even terms that no parser would make."""
    for prefix in (True, False):
        term = Term(tuple(words), prefix=prefix)
        find_nodes(desk, [term, term], [term], [term])


def test_c32_words_with_punctuation_are_found(desk: Desk) -> None:
    """What raised errors elsewhere finds its node."""
    add(desk, "Rotate the refresh-token")
    add(desk, "Escape the user's name in C++")

    assert nodes(desk, "refresh-token") == ["Rotate the refresh-token"]
    assert nodes(desk, "user's") == ["Escape the user's name in C++"]
    assert nodes(desk, "C++ escape") == ["Escape the user's name in C++"]


def test_c32_what_has_all_words_comes_before_what_has_some(desk: Desk) -> None:
    """Ranked, and told apart."""
    add(desk, "Cache of sessions")
    add(desk, "Sessions, sessions, sessions")
    add(desk, "Move sessions to another cache")
    add(desk, "Unrelated")

    found = find_nodes(desk, parse("sessions cache", 0).terms)

    assert {each.node.title for each in found if each.has_all} == {
        "Cache of sessions",
        "Move sessions to another cache",
    }
    assert [each.node.title for each in found if not each.has_all] == ["Sessions, sessions, sessions"]
    assert [each.has_all for each in found] == [True, True, False]


def test_c32_prefixes_phrases_and_exclusions(desk: Desk) -> None:
    """The grammar is that of recall."""
    add(desk, "Deploy the shop")
    add(desk, "Deployment of the shop is slow")
    add(desk, "Shop windows")

    assert set(nodes(desk, "deplo*")) == {"Deploy the shop", "Deployment of the shop is slow"}
    assert nodes(desk, '"shop is slow"') == ["Deployment of the shop is slow"]
    assert nodes(desk, "shop -deploy -deployment") == ["Shop windows"]


def test_nodes_are_found_by_all_that_they_say(desk: Desk) -> None:
    """Title, description, goal and outcome."""
    add(desk, "By description", description="a zebra")
    add(desk, "By goal", goal="two zebras")
    add(desk, "By outcome", outcome="no zebra")

    assert set(nodes(desk, "zebra")) == {"By description", "By goal", "By outcome"}


def test_c32_nodes_are_found_by_their_id(desk: Desk) -> None:
    """Or by its beginning, as it is shown everywhere."""
    task = add(desk, "Named")

    assert nodes(desk, task.id) == ["Named"]
    assert nodes(desk, task.id[:8].upper()) == ["Named"]


def test_types_and_projects_restrict(desk: Desk, make_desk: MakeDesk) -> None:
    """One's own project unless asked; never another owner's."""
    add(desk, "Owl task")
    goal(desk, "Owl goal")
    add(make_desk("/elsewhere"), "Owl elsewhere")
    add(make_desk(owner="eve"), "Owl of Eve")

    assert set(nodes(desk, "owl")) == {"Owl task", "Owl goal"}
    assert nodes(desk, "owl", NodeType.GOAL) == ["Owl goal"]
    assert set(nodes(desk, "owl", everywhere=True)) == {"Owl task", "Owl goal", "Owl elsewhere"}


def test_others_do_not_crowd_out_ones_own(desk: Desk, make_desk: MakeDesk) -> None:
    """A thousand better matches elsewhere do not hide the one here."""
    elsewhere = make_desk("/elsewhere")
    made = [{"id": f"t-{i}", "type": "task", "title": "Owl", "status": "pending"} for i in range(1_100)]
    with elsewhere.writing() as write:
        write(EventType.OPEN, "many", change={"nodes": made})
    add(desk, "An owl among many other words of this title")

    assert nodes(desk, "owl") == ["An owl among many other words of this title"]


def test_events_are_found_by_words_and_type(desk: Desk) -> None:
    """Those about a node, since a time, or all."""
    task = add(desk, "Cache")
    note(desk, "finding", "The cache is cold after deploys", node=task.id)
    note(desk, "decision", "Warm the cache before deploys", node=task.id)

    assert events(desk, "cold deploys", EventType.FINDING) == ["The cache is cold after deploys"]
    assert set(events(desk, "deploys")) == {"The cache is cold after deploys", "Warm the cache before deploys"}
    terms = parse("deploys", 0).terms
    assert find_events(desk, terms, node=add(desk, "Other").id) == []
    assert find_events(desk, terms, since_ms=desk.clock.now_ms() + 1) == []


def test_hidden_events_are_never_found(desk: Desk) -> None:
    """What was retracted is gone; what was corrected is found by its new words only."""
    task = add(desk, "Cache")
    wrong = note(desk, "finding", "The zebra cache is cold", node=task.id)
    typo = note(desk, "finding", "The ocelot cache is cold", node=task.id)
    retract(desk, wrong.event.id)
    correct(desk, typo.event.id, "The lynx cache is cold")

    assert events(desk, "zebra") == []
    assert events(desk, "ocelot") == []
    assert events(desk, "lynx") == ["The lynx cache is cold"]


def test_rejections_are_found_by_topic(desk: Desk, clock: FakeClock) -> None:
    """Notes, options that were rejected and options that were not chosen, each once and with its reason."""
    task = add(desk, "Sessions")
    note(desk, "rejection", "Redis for sessions: goes down", node=task.id)
    clock.advance(timedelta(minutes=1))
    logged = log_decision(
        desk, "Where do sessions live?", parent=task.id, options=["SQLite", NewOption("Redis again"), "Files"]
    )
    reject_option(desk, logged.options[1].id, "went down twice")
    clock.advance(timedelta(minutes=1))
    choose_option(desk, logged.node.id, "SQLite", "no server")

    by_topic = [(each.text, each.reason) for each in no(desk, "redis")]
    assert by_topic == [
        ("Where do sessions live?: Redis again", "went down twice"),
        ("Redis for sessions: goes down", ""),
    ]
    files, redis, said = no(desk, "sessions")
    assert (files.text, files.reason) == ("Where do sessions live?: Files", "not chosen")
    assert redis.entry
    assert redis.entry.acts_as is EventType.REJECTION
    assert redis.decision
    assert redis.decision.id == logged.node.id
    assert said.option is None


def test_j7_12_rejections_come_by_how_well_they_match_then_newest_first(desk: Desk, clock: FakeClock) -> None:
    """Both words before one; among equals the newest."""
    task = add(desk)
    for text in ("Redis cluster, old", "Redis alone", "Redis cluster, new"):
        note(desk, "rejection", text, node=task.id)
        clock.advance(timedelta(minutes=1))

    assert [each.text for each in no(desk, "redis cluster")] == [
        "Redis cluster, new",
        "Redis cluster, old",
        "Redis alone",
    ]
    since = desk.clock.now_ms() - 90_000
    assert [each.text for each in no(desk, "redis", since)] == ["Redis cluster, new"]


def test_without_a_topic_the_newest_rejections_are_told(desk: Desk, clock: FakeClock) -> None:
    """All of them, the newest first."""
    task = add(desk)
    note(desk, "rejection", "First", node=task.id)
    clock.advance(timedelta(minutes=1))
    reject_option(desk, log_decision(desk, "Which?", options=["Second"]).options[0].id, "")

    assert [each.text for each in no(desk, "")] == ["Which?: Second", "First"]


def test_what_was_not_rejected_is_not_told(desk: Desk) -> None:
    """An option that is open or chosen, or a rejection that was retracted, is none."""
    logged = log_decision(desk, "Redis or not?", options=["Redis", "None"])
    said = note(desk, "rejection", "Redis is out", node=add(desk).id)
    assert [each.text for each in no(desk, "redis")] == ["Redis is out"]

    retract(desk, said.event.id)
    choose_option(desk, logged.node.id, "Redis", "we have it")

    assert [each.text for each in no(desk, "redis")] == ["Redis or not?: None"]


def test_a_rejection_that_was_taken_back_is_not_told(desk: Desk) -> None:
    """The option's own event was retracted, so nobody rejected it."""
    logged = log_decision(desk, "Which store?", options=["Redis"])
    reject_option(desk, logged.options[0].id, "a mistake")
    (entry,) = desk.entries(logged.node.id, [EventType.REJECTION])

    retract(desk, entry.event.id)

    assert no(desk, "redis") == []


@pytest.mark.parametrize("common", ["apricot", "quince"])
def test_how_common_words_are_with_others_changes_nothing(desk: Desk, make_desk: MakeDesk, common: str) -> None:
    """Neither what is found nor its order tells what others write into the same memory."""
    ben = make_desk(owner="ben")
    add(ben, "a task of somebody else")
    for fruit in ("apricot", "quince", "plum"):
        add(desk, f"Boil {fruit} jam")
        note(desk, EventType.FINDING, f"The {fruit} jam was too sweet")

    def seen() -> tuple[list[str], list[str]]:
        return nodes(desk, "apricot quince"), events(desk, "apricot quince")

    before = seen()
    assert list(map(len, before)) == [2, 4]  # the titles of tasks are events, too

    for number in range(30):
        add(ben, f"{common} {number}")
        note(ben, EventType.FINDING, f"{common} {number}")

    assert seen() == before
