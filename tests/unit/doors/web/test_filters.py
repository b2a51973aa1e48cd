"""What narrows searches and lists, and what a key for one project may see."""

import pytest

from noctuary.app import Memory
from noctuary.doors.web.filters import Filters, address, may_see, session_for
from noctuary.errors import BadTime, SessionNotFound
from noctuary.records import Session
from tests.unit.doors.web.visiting import BLOG, SHOP, owner, talk

NOW_MS = 1_780_000_000_000


def test_filters_are_read_as_they_are_typed() -> None:
    """Spaces around them do not count, what is not there is empty, and nothing is endless."""
    filters = Filters.of({"agent": " codex ", "after": "7d", "q": "redis", "project": "x" * 9_000})

    assert filters == Filters(agent="codex", project="x" * 500, after="7d", before="")
    assert filters.is_any
    assert not Filters.of({"q": "redis"}).is_any


def test_filters_choose_sessions() -> None:
    """What is empty does not restrict; times are read as everywhere."""
    chosen = Filters(agent="codex", after="1d", before="2026-06-01").selection(owner(), NOW_MS)

    assert (chosen.agent, chosen.project, chosen.after_ms) == ("codex", None, NOW_MS - 86_400_000)
    assert chosen.before_ms == 1_780_272_000_000
    with pytest.raises(BadTime):
        Filters(after="soon").selection(owner(), NOW_MS)


def test_the_project_of_a_key_wins() -> None:
    """No filter shows more than the key is for."""
    assert Filters(project="blog").selection(owner(SHOP), NOW_MS).project == SHOP
    assert Filters(project="blog").selection(owner(), NOW_MS).project == "blog"


def test_a_key_for_a_project_sees_exactly_that() -> None:
    """Not one whose path ends alike, and none that belongs to no project."""
    assert may_see(owner(), Session("a", project=None))
    assert may_see(owner("shop"), Session("a", project="shop"))
    assert not may_see(owner("shop"), Session("a", project="/home/ana/code/shop"))
    assert not may_see(owner("shop"), Session("a", project=None))


def test_a_session_of_another_project_is_not_there(memory: Memory) -> None:
    """Whether it exists, or how it begins, cannot be told from the answer."""
    talk(memory, "shop-1", "Hi")
    talk(memory, "blog-1", "Hi", project=BLOG)
    talk(memory, "blog-2", "Hi", project=BLOG)
    said = set()
    for name in ("blog-1", "blog-", "nowhere"):
        with pytest.raises(SessionNotFound) as refused:
            session_for(memory, owner(SHOP), name)
        said.add(str(refused.value))

    assert len(said) == 1
    assert session_for(memory, owner(SHOP), "shop").id == "shop-1"
    assert session_for(memory, owner(), "blog-1").id == "blog-1"
    with pytest.raises(SessionNotFound, match="blog-1, blog-2"):
        session_for(memory, owner(), "blog-")


def test_addresses_have_what_is_given() -> None:
    """Empty values are left out, changed ones replaced, and all are escaped."""
    assert address("/search", {"q": "a b&c", "role": ""}, most="40") == "/search?q=a+b%26c&most=40"
    assert address("/sessions", {"agent": ""}) == "/sessions"
    assert address("/sessions", {"page": "2"}, page="") == "/sessions"
