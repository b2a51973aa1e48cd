"""What a server keeps of requests, and what the database tells of changes, on each database."""

from collections.abc import Iterator
from pathlib import Path

import pytest

from noctuary.recall.storing import safe
from noctuary.records import Message, Role, Session, Status
from noctuary.store import Store, open_server_store
from noctuary.store.dreams import StoredRun
from noctuary.store.requests import AskedDream, AskedState, Change, Mark, Requests, StoredAnswer
from tests.databases import change_behind, changes_once, store_in

ANSWER = StoredAnswer("digest", 201, {"Location": "/there"}, '{"a": "ü"}')
BEGINNING = Mark()


@pytest.fixture
def store(tmp_path: Path, database: str) -> Iterator[Store]:
    opened = store_in(tmp_path / "memory")
    yield opened
    opened.close()


@pytest.fixture
def requests(store: Store) -> Requests:
    return store.requests


def wait_for(requests: Requests, count: int) -> list[Change]:
    """So many changes, when they can be told."""
    return changes_once(requests, "ana", lambda found: len(found) >= count)


def told(requests: Requests, mark: Mark = BEGINNING, project: str | None = None) -> list[tuple[str, str, str]]:
    """What changed since, without where it stands."""
    return [(each.kind, each.name, each.detail) for each in requests.changes_after("ana", mark, 100, project)]


def add_session(store: Store, name: str, project: str | None = None) -> int:
    """A session with one message; its number."""
    no = store.sessions.ensure("ana", Session(id=name, project=project, started_ms=1))
    store.messages.add("ana", no, [safe(Message(Role.USER, "hello", ts_ms=1))])
    return no


def test_an_answer_is_found_under_its_key_until_it_is_old(requests: Requests) -> None:
    """What was answered comes back whole; from before the time that is asked for, it does not."""
    requests.save_answer("ana", "key", ANSWER, at_ms=1_000)

    assert requests.answer("ana", "key", since_ms=1_000) == ANSWER
    assert requests.answer("ana", "key", since_ms=1_001) is None
    assert requests.answer("ana", "other", since_ms=0) is None


def test_old_answers_are_forgotten(requests: Requests) -> None:
    """Only those from before are."""
    requests.save_answer("ana", "old", ANSWER, at_ms=1_000)
    requests.save_answer("ana", "new", ANSWER, at_ms=2_000)

    requests.forget_before("ana", 2_000)

    assert requests.answer("ana", "old", since_ms=0) is None
    assert requests.answer("ana", "new", since_ms=0) == ANSWER


def test_what_is_forgotten_does_not_stay_in_answers(store: Store) -> None:
    """With the first thing that must stay forgotten, all answers go."""
    store.requests.save_answer("ana", "key", ANSWER, at_ms=1_000)

    store.database.fetch("add_tombstone", owner="ana", kind="session", key="s", made_ms=1)

    assert store.requests.answer("ana", "key", since_ms=0) is None


def test_a_dream_that_was_asked_for_changes_its_state(requests: Requests) -> None:
    """It is found under its id, as it was saved last."""
    asked = AskedDream("d1", "/shop", 1_000)
    requests.save_asked("ana", asked)
    ended = asked._replace(state=AskedState.DONE, ended_ms=2_000, run="r", outcome="completed")

    requests.save_asked("ana", ended)

    assert requests.asked("ana", "d1") == ended
    assert requests.asked("ana", "d2") is None
    requests.forget_asked_before("ana", 1_001)
    assert requests.asked("ana", "d1") is None


def test_sessions_are_told_when_they_begin_and_when_their_status_changes(store: Store) -> None:
    """A message more is no change of status, and neither is the same status again."""
    no = add_session(store, "s1", "/shop")
    store.sessions.set_status(no, Status.SUSPENDED, None)
    store.sessions.set_status(no, Status.SUSPENDED, None)
    store.sessions.set_status(no, Status.ENDED, 5)
    wait_for(store.requests, 3)

    assert told(store.requests) == [
        ("session", "s1", "active"),
        ("session", "s1", "suspended"),
        ("session", "s1", "ended"),
    ]


def test_dreams_are_told_when_they_begin_and_end(store: Store) -> None:
    """They are of no project, so whoever asks for one hears nothing of them."""
    run = StoredRun("r1", "running", "manual", 1, None, None)
    store.dreams.save_run("ana", run)
    store.dreams.save_run("ana", run._replace(status="completed", finished_ms=2))
    wait_for(store.requests, 2)

    assert told(store.requests) == [("run", "r1", "running"), ("run", "r1", "completed")]
    assert told(store.requests, project="/shop") == []


def test_one_goes_on_from_any_place(store: Store) -> None:
    """After each change comes exactly what came after it."""
    for name in ("a", "b", "c"):
        add_session(store, name)
    changes = wait_for(store.requests, 3)

    for place, change in enumerate(changes):
        assert store.requests.changes_after("ana", change.mark, 100) == changes[place + 1 :]
    assert store.requests.last_mark("ana") == changes[-1].mark


def test_changes_of_other_projects_and_owners_are_not_told(store: Store, tmp_path: Path) -> None:
    """Whoever asks for a project hears of that alone, and nobody hears of another owner."""
    add_session(store, "s1", "/shop")
    add_session(store, "s2", "/blog")
    other = store_in(tmp_path / "memory", "bob")
    other.sessions.ensure("bob", Session(id="s3", project="/shop"))
    add_session(store, "s4", "/blog")
    wait_for(store.requests, 3)  # and so what came before

    assert told(store.requests, project="/shop") == [("session", "s1", "active")]
    assert [each.name for each in other.requests.changes_after("bob", BEGINNING, 100)] == ["s3"]
    other.close()


def test_only_the_last_changes_are_kept_and_who_was_away_too_long_is_known(store: Store) -> None:
    """From a place that is gone one cannot go on; a new change never gets the number of one that was removed."""
    for name in ("a", "b", "c"):
        add_session(store, name)
    first, _, last = wait_for(store.requests, 3)

    store.requests.keep_changes("ana", 1)

    assert told(store.requests) == [("session", "c", "active")]
    assert not store.requests.is_kept("ana", first.mark)
    assert store.requests.is_kept("ana", last.mark)
    assert not store.requests.is_kept("ana", BEGINNING, most=1)
    store.requests.keep_changes("ana", 0)
    add_session(store, "d")
    wait_for(store.requests, 1)
    assert store.requests.last_mark("ana") > last.mark


def test_from_the_beginning_one_goes_on_as_long_as_nothing_can_be_gone(store: Store) -> None:
    """As many as are kept may be all there ever were, or what is left of more."""
    assert store.requests.is_kept("ana", BEGINNING, most=3)
    for name in ("a", "b"):
        add_session(store, name)
    wait_for(store.requests, 2)

    assert store.requests.is_kept("ana", BEGINNING, most=3)
    assert not store.requests.is_kept("ana", BEGINNING, most=2)


def test_what_is_not_committed_is_not_told(store: Store) -> None:
    """A change of a transaction that is undone was never there."""

    def fail() -> None:
        with store.database.transaction():
            add_session(store, "s1")
            raise ZeroDivisionError

    with pytest.raises(ZeroDivisionError):
        fail()

    assert told(store.requests) == []


def test_a_change_that_is_committed_late_is_not_passed_over(postgres_url: str) -> None:
    """Who began first may end last: until then nobody is told what began later, or the first would be lost."""
    first, second, reader = (open_server_store(postgres_url, "ana") for _ in range(3))
    with first.database.transaction():
        first.sessions.ensure("ana", Session(id="late"))
        second.sessions.ensure("ana", Session(id="early"))
        assert told(reader.requests) == []

    assert {change.name for change in wait_for(reader.requests, 2)} == {"late", "early"}
    for opened in (first, second, reader):
        opened.close()


def test_who_listened_before_a_dump_was_read_into_another_server_is_known(postgres_url: str) -> None:
    """Transactions have lower numbers there: behind a place of before nothing would be told for years."""
    store = open_server_store(postgres_url, "ana")
    store.sessions.ensure("ana", Session(id="before"))
    (change,) = wait_for(store.requests, 1)
    dumped = change.mark._replace(tx=change.mark.tx + 10**12)

    change_behind(postgres_url, "update changes set tx = ?", dumped.tx)

    assert not store.requests.is_kept("ana", dumped)
    assert store.requests.last_mark("ana") == BEGINNING
    store.close()
