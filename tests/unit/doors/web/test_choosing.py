"""What pages of memories, dreams and work are narrowed by."""

import pytest

from noctuary.doors.http.problems import Problem
from noctuary.doors.web.choosing import EVERYWHERE, Part, may_see, need_whole_memory, part_of, project_of
from tests.unit.doors.web.visiting import BLOG, SHOP, owner


def test_a_key_for_a_project_shows_that_project_whatever_is_asked() -> None:
    """An address can narrow what a key is for, never widen it."""
    assert project_of(owner(SHOP), {"project": BLOG}) == project_of(owner(SHOP), {}) == SHOP
    assert project_of(owner(SHOP), {"project": EVERYWHERE}) == SHOP
    assert project_of(owner(), {"project": BLOG}) == BLOG
    assert project_of(owner(), {"project": EVERYWHERE}) == ""
    assert project_of(owner(), {}) is None
    assert [may_see(owner(SHOP), name) for name in (SHOP, BLOG, "")] == [True, False, False]
    assert may_see(owner(), BLOG)


def test_what_concerns_all_projects_needs_a_key_for_all() -> None:
    """Whoever has a key for one is told why."""
    need_whole_memory(owner(), "health")
    with pytest.raises(Problem, match="key is for one project"):
        need_whole_memory(owner(SHOP), "health")


@pytest.mark.parametrize(("asked", "page"), [("3", 3), ("", 1), ("0", 1), ("-4", 1), ("x", 1), ("٣", 1), ("9" * 30, 1)])
def test_any_page_can_be_asked_for(asked: str, page: int) -> None:
    """What is no number is the first page."""
    part = part_of({"page": asked}, 20)

    assert part == Part(page, 20)
    assert part.skip == (page - 1) * 20
