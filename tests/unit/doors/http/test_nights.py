"""Dreams behind the answers: one of an owner at a time, few at once, and none that fails stops anything."""

import threading
import time
from collections.abc import Iterator
from contextlib import contextmanager
from datetime import timedelta
from pathlib import Path
from threading import Event, Thread

import pytest

from noctuary.app import requests
from noctuary.app.house import House
from noctuary.app.requests import AskedDream, AskedState
from noctuary.doors.http.nights import MOST_WAITING, Nights, Wish
from noctuary.records import Message, Role, Session
from noctuary.settings import Settings
from noctuary.testing import FakeClock


@pytest.fixture
def house(tmp_path: Path) -> House:
    return House(Settings(home=tmp_path, owner="ana", user_home=tmp_path, environ={}), FakeClock())


def ended_session(house: House, name: str, owner: str = "ana") -> None:
    """A session that is over, with something in it."""
    with house.memory(owner) as memory:
        memory.add_session(Session(id=name, project="/shop"), [Message(Role.USER, "We use ruff from now on.", ts_ms=1)])
        memory.dreams.end_session(name)


def asked(house: House, name: str, owner: str = "ana") -> AskedDream:
    """A dream that was asked for."""
    found = AskedDream(name, None, 1)
    with house.memory(owner) as memory:
        requests.save_asked(memory, found)
    return found


def state(house: House, name: str, owner: str = "ana") -> AskedDream:
    """How it stands."""
    with house.memory(owner) as memory:
        found = requests.asked_dream(memory, name)
    assert found is not None
    return found


@contextmanager
def held_up(house: House) -> Iterator[None]:
    """Nobody can write to Ana's memory meanwhile."""
    is_held, may_go_on = Event(), Event()

    def hold() -> None:
        with house.memory("ana") as memory, memory.store.database.transaction():
            is_held.set()
            may_go_on.wait(60)

    holder = Thread(target=hold)
    holder.start()
    assert is_held.wait(60)
    try:
        yield
    finally:
        may_go_on.set()
        holder.join(60)


def test_a_dream_that_was_asked_for_is_had_and_says_how_it_ended(house: House) -> None:
    """Whoever asked finds the run that it became."""
    ended_session(house, "s1")
    nights = Nights(house)

    assert nights.wish(Wish("ana", asked(house, "d1"), backend="rules"))
    assert nights.wait_until_idle(60)

    found = state(house, "d1")
    assert (found.state, found.outcome) == (AskedState.DONE, "completed")
    with house.memory("ana") as memory:
        assert memory.dreams.show(found.run).processed == 1
    nights.close(60)


def test_a_dream_that_fails_says_so_and_the_next_is_had(house: House) -> None:
    """A session that there is not is no reason for others to wait."""
    ended_session(house, "s1")
    nights = Nights(house)

    nights.wish(Wish("ana", asked(house, "bad"), sessions=("nowhere",), backend="rules"))
    nights.wish(Wish("ana", asked(house, "good"), backend="rules"))
    assert nights.wait_until_idle(60)

    assert state(house, "bad").state is AskedState.FAILED
    assert state(house, "good").state is AskedState.DONE
    nights.close(60)


def test_what_is_due_is_looked_at_once_however_many_sessions_end(house: House) -> None:
    """One that waits already will see it; and what is due is dreamt."""
    for number in range(12):
        ended_session(house, f"s{number}")
    nights = Nights(house)

    assert all(nights.wish(Wish("ana")) for _ in range(1_000))
    assert nights.wait_until_idle(60)

    with house.memory("ana") as memory:
        assert memory.dreams.overview().waiting == 0
    nights.close(60)


def test_too_many_dreams_of_an_owner_are_refused_and_others_are_not(house: House) -> None:
    """While one is held up, so many may wait; another owner has room of their own."""
    nights, first = Nights(house), AskedDream("first", None, 1)

    with held_up(house):
        accepted = [nights.wish(Wish("ana", first._replace(id=str(number)))) for number in range(MOST_WAITING + 2)]

        assert accepted[:MOST_WAITING] == [True] * MOST_WAITING
        assert accepted[-1] is False
        assert nights.wish(Wish("bob", first))
    nights.close(60)


def test_where_no_thread_can_be_begun_nobody_fails_and_the_next_dream_is_had(house: House) -> None:
    """Whoever wished is told that it is not had; it was only looked at whether one is due, or they ask again."""
    ended_session(house, "s1")
    nights = Nights(house)

    usual = threading.stack_size(1 << 47)  # more than any machine has
    try:
        assert not nights.wish(Wish("ana"))
    finally:
        threading.stack_size(usual)

    assert nights.wish(Wish("ana", asked(house, "d1"), backend="rules"))
    assert nights.wait_until_idle(60)
    assert state(house, "d1").state is AskedState.DONE
    nights.close(60)


def test_nobody_is_told_of_the_dreams_of_others(house: House) -> None:
    """That one is at work is said to its owner alone."""
    nights = Nights(house)

    with held_up(house):
        nights.wish(Wish("ana", AskedDream("first", None, 1)))
        deadline = time.monotonic() + 60
        while not nights.at_work and time.monotonic() < deadline:
            time.sleep(0.01)

        assert (nights.is_at_work("ana"), nights.is_at_work("bob")) == (True, False)
    nights.close(60)


def test_a_server_that_ends_begins_no_dream(house: House) -> None:
    """Whoever asks then is told so."""
    nights = Nights(house)
    nights.close(1)

    assert not nights.wish(Wish("ana", AskedDream("d", None, 1)))
    assert not nights.has_room("ana")


def test_a_dream_that_has_not_begun_when_the_server_ends_has_failed(house: House) -> None:
    """Whoever asked for it would wait for ever: no other server knows of it."""
    nights, first, second = Nights(house), asked(house, "first"), asked(house, "second")
    ending = Thread(target=nights.close, args=(60,))

    with held_up(house):
        nights.wish(Wish("ana", first))
        nights.wish(Wish("ana", second))
        ending.start()
        while nights.has_room("ana"):  # until it has heard that it ends
            time.sleep(0.001)
    ending.join(60)

    assert state(house, "second").state is AskedState.FAILED
    assert state(house, "second").ended_ms


def test_a_dream_whose_server_was_killed_has_failed_a_day_later(house: House) -> None:
    """Until then it may still be at work."""
    with house.memory("ana") as memory:
        requests.save_asked(memory, AskedDream("d", None, memory.clock.now_ms(), state=AskedState.RUNNING))
    assert state(house, "d").state is AskedState.RUNNING

    clock = house.clock
    assert isinstance(clock, FakeClock)
    clock.advance(timedelta(hours=25))

    assert state(house, "d").state is AskedState.FAILED
