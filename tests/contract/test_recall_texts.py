"""What every recall backend promises about difficult texts: secrets, broken characters, huge ones, odd times."""

from datetime import UTC, datetime

import pytest

from noctuary.recall.contract import RecallStore
from noctuary.records import Kind, Role
from noctuary.testing import FakeClock
from tests.contract.building import (
    NOW,
    OWNER,
    Backend,
    at,
    best,
    find,
    first_message,
    named,
    say,
    session_of,
    tell,
    window_ids,
)

GITHUB_TOKEN = "ghp" + "_" + "a1B2" * 9  # composed, so that no scanner takes it for a leak


def test_secrets_are_not_stored(recall: RecallStore) -> None:
    """Neither what was said nor what was called keeps a secret, and none is found."""
    tell(recall, "s", say(f"use {GITHUB_TOKEN} please", tool_calls=f'["{GITHUB_TOKEN}"]'))

    stored = first_message(recall, "s")
    assert "[redacted:github-token:" in stored.content
    assert stored.tool_calls is not None
    assert GITHUB_TOKEN not in stored.tool_calls
    assert find(recall, GITHUB_TOKEN) == []


def test_a_title_keeps_no_secret(recall: RecallStore) -> None:
    """Titles are often the first prompt, and are redacted like it."""
    named(recall, "s", "hello", title=f"use {GITHUB_TOKEN}")

    assert "[redacted:github-token:" in (session_of(recall, "s").title or "")


def test_private_blocks_are_not_stored(recall: RecallStore) -> None:
    """What stands between <private> tags never reaches the store."""
    tell(recall, "s", "before <private>apricot</private> after")

    assert first_message(recall, "s").content == "before [private] after"
    assert find(recall, "apricot") == []


def test_text_that_no_database_can_hold(recall: RecallStore) -> None:
    """NUL and lone surrogates become U+FFFD; the rest of the text is kept and found."""
    tell(recall, "s", say("a\0b \ud800 apricot \U0001f600", tool_name="x\0\udfff"))

    assert first_message(recall, "s").content == "a\ufffdb \ufffd apricot \U0001f600"
    assert find(recall, "apricot") == ["s"]


def test_a_title_that_no_database_can_hold(recall: RecallStore) -> None:
    """A title is cleaned like a message."""
    named(recall, "s", "hello", title="bad \ud800\0 title")

    assert session_of(recall, "s").title == "bad \ufffd\ufffd title"


def test_a_message_of_ten_megabytes(recall: RecallStore) -> None:
    """One huge message is stored whole and found by what stands at its end."""
    text = "lorem ipsum dolor sit amet " * 390_000 + "apricot"
    tell(recall, "huge", say(text, Role.TOOL, kind=Kind.TOOL_RESULT))
    tell(recall, "small", "cherry")

    hit = best(recall, "apricot")
    assert (hit.session.id, len(hit.anchor.content)) == ("huge", len(text))
    assert len(hit.snippet) < 500


def test_an_empty_message_is_a_message(recall: RecallStore) -> None:
    """Nothing said is stored too: ids must not shift."""
    assert tell(recall, "s", "", "apricot", " \n") == [1, 2, 3]

    assert window_ids(recall, "s", 2, 5) == [1, 2, 3]
    assert find(recall, "apricot") == ["s"]


@pytest.mark.parametrize("now", [datetime(1970, 1, 1, tzinfo=UTC), datetime(2100, 1, 1, tzinfo=UTC)])
def test_any_clock_will_do(backend: Backend, now: datetime) -> None:
    """Messages from the future, the distant past and no time at all are found under any clock."""
    recall = backend.open(FakeClock(now))
    for name, moment in [("past", 1), ("now", NOW), ("future", at(2101))]:
        tell(recall, name, say("apricot", ts_ms=moment))
    recall.append(OWNER, "undated", say("apricot"))

    assert set(find(recall, "apricot")) == {"past", "now", "future", "undated"}
    assert [session.id for session in recall.recent(OWNER)] == ["future", "now", "past", "undated"]
