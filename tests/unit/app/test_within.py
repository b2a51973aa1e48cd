"""What may be seen of a memory: by whole names, of one project or of all."""

from collections.abc import Iterator
from pathlib import Path

import pytest

from noctuary.app import Memory
from noctuary.app.within import Within
from noctuary.errors import NotFound
from noctuary.graph import EdgeType
from noctuary.records import Session
from noctuary.settings import Settings
from noctuary.testing import FakeClock

SHOP, BLOG = "/code/shop", "/code/blog"


@pytest.fixture
def memory(tmp_path: Path) -> Iterator[Memory]:
    settings = Settings(home=tmp_path / "memory", owner="ana", user_home=tmp_path, environ={})
    with Memory.from_settings(settings, FakeClock()) as opened:
        opened.takes_whole_names = True
        yield opened


@pytest.fixture
def shop(memory: Memory) -> Within:
    return Within(memory, SHOP)


def test_what_is_of_another_project_is_not_there(memory: Memory, shop: Within) -> None:
    """Neither sessions nor nodes, events or memories; who sees all sees them."""
    memory.add_session(Session(id="s1", project=BLOG), ())
    work = memory.work(BLOG)
    task, entry, kept = work.open_task("Write"), work.note("finding", "Slow."), work.remember("It is slow.")

    for within, is_seen in ((shop, False), (Within(memory, None), True)):
        for find, name in (
            (within.session, "s1"),
            (within.node, task.id),
            (within.entry, entry.event.id),
            (within.remembered, kept.id),
        ):
            if is_seen:
                find(name)
            else:
                with pytest.raises(NotFound, match="with this id"):
                    find(name)


def test_the_beginning_of_a_name_is_none(memory: Memory) -> None:
    """Not even if only one thing begins so."""
    task = memory.work(SHOP).open_task("Sell")

    with pytest.raises(NotFound):
        Within(memory, None).node(task.id[:-1])


def test_the_end_of_a_projects_name_is_another_project(memory: Memory) -> None:
    """A key for `shop` gets nothing of `/code/shop`."""
    memory.work(SHOP).open_task("Sell")

    assert Within(memory, "shop").work().tasks() == []


def test_what_was_written_by_another_process_is_seen(memory: Memory, shop: Within, tmp_path: Path) -> None:
    """Names are looked up in journals as they are now."""
    with Memory.from_settings(memory.settings, FakeClock()) as other:
        task = other.work(SHOP).open_task("Sell")

    assert shop.node(task.id).title == "Sell"


def test_edges_are_seen_if_both_ends_are(memory: Memory, shop: Within) -> None:
    """And the words of what joins something with another project are blank."""
    ours, near, theirs = memory.work(SHOP).open_task("Ours"), memory.work(SHOP).open_task("Near"), None
    theirs = memory.work(BLOG).open_task("Secret")
    memory.work(SHOP).depend(ours, near)
    assert not shop.is_joined_elsewhere(ours.id)
    memory.work(SHOP).depend(ours, theirs)

    assert [(edge.type, edge.to_id) for edge in shop.edges([ours.id])] == [(EdgeType.DEPENDS_ON, near.id)]
    assert len(Within(memory, None).edges([ours.id])) == 2
    assert shop.is_joined_elsewhere(ours.id)
    entries = memory.work(SHOP).entries(node=ours)
    assert [shop.shown(entry).event.text for entry in entries if "Secret" in entry.event.text] == [""]
    assert all(shop.shown(entry) == entry for entry in entries if "Secret" not in entry.event.text)
