"""How much was said when, by whom and about what, on either database."""

from collections.abc import Iterator
from pathlib import Path

import pytest

from noctuary.app import Memory
from noctuary.app.activity import DAY_MS, Activity, Amount
from noctuary.records import Hidden, Message, Role, Session
from noctuary.settings import Settings
from noctuary.testing import FakeClock
from tests.databases import url_of

SHOP, BLOG = "/home/ana/code/shop", "/home/ana/blog/code/shop"
DAY = 20_500  # since 1970
HOUR_MS = 3_600_000


@pytest.fixture
def memory(database: str, tmp_path: Path) -> Iterator[Memory]:
    """A memory on each kind of database."""
    settings = Settings(home=tmp_path, owner="ana", user_home=tmp_path, environ={}, database_url=url_of(tmp_path))
    assert (settings.database_url is None) == (database == "sqlite")
    with Memory.from_settings(settings, FakeClock()) as opened:
        yield opened


def said(day: int, hour: int = 9, hidden: Hidden | None = None) -> Message:
    """A message of that day."""
    return Message(Role.USER, "Hello", ts_ms=day * DAY_MS + hour * HOUR_MS, hidden=hidden)


def fill(memory: Memory) -> None:
    """A session of one day, one that goes on for three, one elsewhere, and one without a message."""
    memory.add_session(Session("one", agent="codex", project=SHOP), [said(DAY), said(DAY, 10), said(DAY, 11)])
    long = [said(DAY), said(DAY + 1), said(DAY + 1, 10, Hidden.INJECTED), said(DAY + 2), said(DAY + 2, 23)]
    memory.add_session(Session("long", agent="claude-code", project=SHOP), long)
    memory.add_session(Session("other", agent="cursor", project=BLOG), [said(DAY + 2)])
    memory.add_session(Session("empty", agent="gemini", project="/nowhere"), [])


def test_messages_are_counted_on_their_own_day(memory: Memory) -> None:
    """A session that goes on for days counts on each of them; what is hidden counts on none."""
    fill(memory)

    assert dict(Activity(memory).days(0)) == {DAY: 4, DAY + 1: 1, DAY + 2: 3}


def test_earlier_days_are_left_out(memory: Memory) -> None:
    """Only what was said since counts, also of a session that began before."""
    fill(memory)

    assert dict(Activity(memory).days((DAY + 2) * DAY_MS)) == {DAY + 2: 3}


def test_one_project_is_exactly_that(memory: Memory) -> None:
    """A project whose path ends in the same way is another one."""
    fill(memory)
    activity = Activity(memory, SHOP)

    assert dict(activity.days(0)) == {DAY: 4, DAY + 1: 1, DAY + 2: 2}
    assert activity.agents() == ["claude-code", "codex"]
    assert activity.projects() == [SHOP]
    assert activity.amount() == Amount(sessions=2, messages=7)
    assert Activity(memory, "shop").amount() == Amount(sessions=0, messages=0)


def test_everything_is_all_that_has_messages(memory: Memory) -> None:
    """Without a project all count; a session without a word does not."""
    fill(memory)
    activity = Activity(memory)

    assert activity.agents() == ["claude-code", "codex", "cursor"]
    assert set(activity.projects()) == {SHOP, BLOG}
    assert activity.projects(most=1) == [activity.projects()[0]]
    assert activity.amount() == Amount(sessions=3, messages=8)


def test_another_owner_is_not_counted(memory: Memory) -> None:
    """Everybody has days of their own."""
    fill(memory)
    with Memory.from_settings(memory.settings._replace(owner="somebody else"), memory.clock) as other:
        activity = Activity(other)

        assert dict(activity.days(0)) == {}
        assert activity.amount() == Amount(0, 0)
        assert activity.agents() == activity.projects() == []
