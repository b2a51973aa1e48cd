"""What every recall backend promises about filters: a hit is what was asked for, however it was found."""

import pytest

from noctuary.recall.contract import RecallStore
from tests.contract.building import DAY, NOW, best, find, named, say, search, tell


def test_times_reach_past_hundreds_of_others(recall: RecallStore) -> None:
    """What is outside the times does not crowd out what is inside, however much of it there is."""
    recall_times = [say(f"zebra crossing {i}") for i in range(500)]
    tell(recall, "s", *recall_times, start=NOW - 100 * DAY)
    tell(recall, "s", "the zebra of today", start=NOW)

    assert best(recall, "zebra", after_ms=NOW - DAY).anchor.content == "the zebra of today"
    assert find(recall, "zebra", after_ms=NOW + DAY) == []


@pytest.mark.parametrize("query", ["walrus role:assistant", "walrus -hello", 'walrus "goodbye"'])
def test_a_title_does_not_excuse_a_message(recall: RecallStore, query: str) -> None:
    """A session found by its title alone is no hit if the query asks something of the message itself."""
    named(recall, "s", "hello", title="All about the walrus")

    assert find(recall, "walrus") == ["s"]
    assert find(recall, query) == []


def test_a_session_found_by_its_title_shows_it_marked(recall: RecallStore) -> None:
    """The snippet shows the place that matched, here the title."""
    named(recall, "s", "hello", title="All about the walrus")

    assert best(recall, "walrus").snippet == "All about the >>>walrus<<<"


def test_signs_are_filtered_too(recall: RecallStore) -> None:
    """A query without words heeds what is left out and where to look, also behind many newer messages."""
    named(recall, "old", "an => arrow", "secretword => arrow", agent="codex")
    tell(recall, "new", *(f"{i} => {i}" for i in range(1_100)), start=NOW)

    assert [hit.anchor.content for hit in search(recall, "=> -secretword", agent="codex").hits] == ["an => arrow"]
    assert find(recall, "=>", agent="codex") == ["old"]


def test_a_miss_within_filters_says_so(recall: RecallStore) -> None:
    """Only a search of everything may call a miss a complete answer."""
    tell(recall, "s", "about redis")

    assert "filters" in search(recall, "redis", project="nope").note
    assert "complete answer" in search(recall, "memcached").note


def test_an_agent_is_known_by_how_its_name_begins(recall: RecallStore) -> None:
    """claude finds claude-code."""
    named(recall, "s", "about redis", agent="claude-code")

    assert find(recall, "redis", agent="claude") == ["s"]
    assert find(recall, "redis", agent="codex") == []
