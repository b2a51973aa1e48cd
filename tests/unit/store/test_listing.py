"""Lists in parts, on each database."""

from collections.abc import Iterator
from pathlib import Path

import pytest

from noctuary.records import Session, Status
from noctuary.store import Store
from noctuary.store.dreams import StoredRun
from noctuary.store.listing import EventChoice, SessionChoice
from tests.databases import store_in

ALL = SessionChoice()


@pytest.fixture
def store(tmp_path: Path, database: str) -> Iterator[Store]:
    opened = store_in(tmp_path / "memory")
    yield opened
    opened.close()


def add(store: Store, name: str, last_ms: int | None, **more: str) -> None:
    """A session that was last active then."""
    store.sessions.ensure("ana", Session(id=name, started_ms=last_ms, last_ms=last_ms, **more))  # type: ignore[arg-type]


def listed(
    store: Store, wanted: SessionChoice = ALL, behind: tuple[int, str] | None = None, most: int = 9
) -> list[str]:
    """The ids of a part."""
    return [session.id for session in store.listing.sessions("ana", wanted, behind, most)]


def test_parts_of_sessions_join_without_gap_and_without_double(store: Store) -> None:
    """Also where many were active at the same time, or nobody knows when."""
    for name, last_ms in (("a", 5), ("b", 5), ("c", 5), ("d", 7), ("e", None), ("f", None)):
        add(store, name, last_ms)

    assert listed(store, most=2) == ["d", "c"]
    assert listed(store, behind=(5, "c"), most=2) == ["b", "a"]
    assert listed(store, behind=(5, "a"), most=9) == ["f", "e"]


def test_a_new_session_changes_no_part_that_comes(store: Store) -> None:
    """What is active later stands before the place where one is."""
    for name, last_ms in (("a", 1), ("b", 2), ("c", 3)):
        add(store, name, last_ms)
    rest = listed(store, behind=(3, "c"))

    add(store, "d", 4)

    assert listed(store, behind=(3, "c")) == rest == ["b", "a"]


def test_sessions_are_chosen_by_whole_names(store: Store) -> None:
    """The end of a project's name is another project."""
    add(store, "a", 1, project="/code/shop", agent="codex")
    add(store, "b", 2, project="shop")

    assert listed(store, SessionChoice(project="shop")) == ["b"]
    assert listed(store, SessionChoice(agent="codex")) == ["a"]
    assert listed(store, SessionChoice(status=Status.ENDED)) == []
    assert listed(store, SessionChoice(after_ms=2)) == ["b"]
    assert listed(store, SessionChoice(before_ms=2)) == ["a"]


def test_dreams_come_the_last_first_from_behind_one(store: Store) -> None:
    """Their ids are in the order of their beginnings."""
    for name in ("r1", "r2", "r3"):
        store.dreams.save_run("ana", StoredRun(name, "completed", "manual", 1, 2, "{}"))

    assert [run.id for run in store.listing.runs("ana", None, 2)] == ["r3", "r2"]
    assert [run.id for run in store.listing.runs("ana", "r2", 2)] == ["r1"]


def test_of_an_empty_journal_there_are_no_events(store: Store) -> None:
    """Every filter can be asked for on both databases."""
    wanted = EventChoice("/shop", "t-1", "finding", "suggested", is_hidden_too=True)

    assert store.listing.events("ana", wanted, "01ABC", 5) == []
