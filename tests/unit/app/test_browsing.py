"""Memories and dreams a screenful at a time."""

from collections.abc import Iterator
from pathlib import Path

import pytest

from noctuary.app import Memory
from noctuary.app.browsing import HOLDING, PAST, Browsing
from noctuary.errors import NotFound
from noctuary.proposals import Spent
from noctuary.records import Message, Role, Session
from noctuary.settings import Settings
from noctuary.store.memories import MemoryChoice, MemoryKind
from noctuary.testing import FakeClock
from tests import databases

SHOP, BLOG = "/code/shop", "/code/blog"
RULE = "Always round prices half to even, never down."


@pytest.fixture
def memory(tmp_path: Path, database: str) -> Iterator[Memory]:
    """A memory in which it is noon of the first of March 2026, on either database."""
    home = tmp_path / "home"
    settings = Settings(home, "ana", tmp_path, {}, database_url=databases.url_of(home))
    with Memory.from_settings(settings, FakeClock()) as opened:
        yield opened


def dream_of(memory: Memory, session: str, *said: str, project: str = SHOP) -> None:
    """Have a session, end it and dream of it."""
    now_ms = memory.clock.now_ms()
    messages = [Message(role=Role.USER, content=words, ts_ms=now_ms) for words in said]
    memory.add_session(Session(id=session, project=project, last_ms=now_ms), messages)
    memory.dreams.run(sessions=[session], backend="rules")


def test_memories_come_in_parts_and_are_counted(memory: Memory) -> None:
    """Two of five, then the next two, then one; behind the last there is none, and none is named twice."""
    for number in range(5):
        memory.work(SHOP).remember(f"Fact number {number}")
    browsing = Browsing(memory)

    parts = [browsing.memories(MemoryChoice(SHOP), 2, skip) for skip in (0, 2, 4, 6)]

    assert [len(part.memories) for part in parts] == [2, 2, 1, 0]
    assert [part.total for part in parts] == [5, 5, 5, 0]
    assert len({one.id for part in parts for one in part.memories}) == 5


def test_memories_are_chosen_by_what_they_are(memory: Memory) -> None:
    """By project, kind, topic, words in any case taken literally, pin, and whether they hold."""
    work = memory.work(SHOP)
    coins = work.remember("Prices are 100% cents", kind="constraint", topic="money", pinned=True)
    tabs = work.remember("Indent with tabs", kind="preference")
    gone = work.remember("Tests need Redis", topic="money")
    work.retire(gone.id)
    memory.work(BLOG).remember("Posts are Markdown")
    browsing = Browsing(memory)

    def found(**wanted: object) -> set[str]:
        choice = MemoryChoice(**{"statuses": HOLDING, **wanted})  # type: ignore[arg-type]
        return {one.id for one in browsing.memories(choice, 10).memories}

    assert found(project=SHOP) == {coins.id, tabs.id}
    assert found(kind=MemoryKind.PREFERENCE) == {tabs.id}
    assert found(topic="money") == found(words="PRICES") == found(words="0%") == found(is_pinned=True) == {coins.id}
    assert found(words="p%s") == set()
    assert found(project=SHOP, statuses=PAST) == {gone.id}


def test_shares_say_what_there_is_to_choose_from(memory: Memory) -> None:
    """Of all projects or of one: by kind, topic and project what holds, and how many hold no longer."""
    work = memory.work(SHOP)
    work.remember("Prices are cents", kind="constraint", topic="money")
    work.retire(work.remember("Tests need Redis").id)
    memory.work(BLOG).remember("Posts are Markdown")

    everything, shop = Browsing(memory).shares(), Browsing(memory).shares(SHOP)

    assert (everything.held, everything.past, dict(everything.projects)) == (2, 1, {BLOG: 1, SHOP: 1})
    assert (shop.held, shop.past, dict(shop.topics)) == (1, 1, {"money": 1})
    assert {kind: count for kind, count in shop.kinds.items() if count} == {"constraint": 1}


def test_a_memory_is_told_with_what_it_was_before(memory: Memory) -> None:
    """What took its place, whose place it took, and how it was said before."""
    first = memory.work(SHOP).remember("Prices are cents")
    memory.work(SHOP).correct(first.event, "Prices are whole cents")
    second = memory.dreams.reword(first.id, "Prices are integers of cents")
    browsing = Browsing(memory)

    old, new = browsing.told(first.id), browsing.told(second.id)

    assert [entry.event.text for entry in old.wordings] == ["Prices are cents"]
    assert old.later is not None
    assert (old.later.id, [one.id for one in new.earlier]) == (second.id, [first.id])
    with pytest.raises(NotFound):
        browsing.told("m-nothing")


def test_runs_come_in_parts(memory: Memory) -> None:
    """The newest first, each page from where the one before ended; a change is cited by a message that was read."""
    for number in range(3):
        dream_of(memory, f"s-{number}", f"{RULE} Rule {number}.")
    browsing = Browsing(memory)

    newest = browsing.runs(None, 2)
    rest = browsing.runs(newest[-1].run, 2)

    assert len({report.run for report in [*newest, *rest]}) == len(newest) + len(rest) == 3
    assert newest[0].run > newest[1].run > rest[0].run
    oldest = rest[0]
    cited = browsing.cited(oldest.run, [change for change in oldest.changes if change.memory])
    assert cited
    assert [one.message.session for one in cited if one.message] == ["s-0"] * len(cited)


def test_suggestions_come_in_parts(memory: Memory) -> None:
    """The oldest first, after the one seen last, of a project or of all; what others suggest is not counted."""
    dream_of(memory, "s-1", RULE, "Never deploy on Fridays.", "Always run the linter before a commit.")
    dream_of(memory, "s-2", "Always write posts in Markdown.", project=BLOG)
    memory.work(SHOP).remember("An agent's own idea", suggested=True)
    browsing = Browsing(memory)

    everything = browsing.suggestions(None, "", 100)
    first = browsing.suggestions(None, "", 2)
    rest = browsing.suggestions(None, first[-1].entry.event.id, 100)

    assert [*first, *rest] == everything
    assert len(everything) == browsing.suggested(None) == browsing.suggested(SHOP) + browsing.suggested(BLOG) >= 3
    assert {one.entry.event.project for one in browsing.suggestions(BLOG, "", 9)} == {BLOG}


def test_spending_is_told_by_day(memory: Memory) -> None:
    """Of the last days alone, the first first."""
    for day in ("2026-03-01", "2026-02-28", "2026-02-27"):
        memory.store.dreams.spend(memory.owner, day, Spent(1, 20, 3, 0.5))

    spending = Browsing(memory).spending(2)

    assert [*spending.items()] == [(day, Spent(1, 20, 3, 0.5)) for day in ("2026-02-28", "2026-03-01")]
