"""Turns of threads that write to one file."""

import gc
import signal
from collections.abc import Callable
from functools import partial
from pathlib import Path
from threading import Barrier, Thread, get_ident
from time import sleep

import pytest

from noctuary.errors import StoreBusy
from noctuary.store.sqlite import SqliteDatabase
from noctuary.store.turns import Turns, turns_at

PATIENCE = 60.0


def started(work: Callable[[], object]) -> Thread:
    """A thread that is at work."""
    thread = Thread(target=work)
    thread.start()
    return thread


def wait_for(turns: Turns, waiting: int) -> None:
    """Until so many wait."""
    while len(turns) != waiting:
        sleep(0.001)


def test_first_come_first_served() -> None:
    """Turns come in the order in which they were asked for."""
    turns, served = Turns(), list[int]()

    def ask(number: int) -> None:
        assert turns.take(PATIENCE)
        served.append(number)
        turns.give()

    assert turns.take(0)
    threads = []
    for number in range(20):
        threads.append(started(partial(ask, number)))
        wait_for(turns, number + 1)
    turns.give()
    for thread in threads:
        thread.join()

    assert served == [*range(20)]
    assert turns.take(0)


def test_only_one_has_a_turn() -> None:
    """However many ask at once and again, no two are at it together."""
    turns, together, at_it = Turns(), list[int](), list[int]()
    begin = Barrier(8)

    def work() -> None:
        begin.wait()
        for _ in range(200):
            assert turns.take(PATIENCE)
            at_it.append(1)
            together.append(len(at_it))
            at_it.pop()
            turns.give()

    threads = [started(work) for _ in range(8)]
    for thread in threads:
        thread.join()

    assert together == [1] * 1600
    assert not len(turns)


def test_who_gives_up_is_not_called() -> None:
    """A turn that did not come in time goes to the next, and is free again after them."""
    turns = Turns()
    assert turns.take(0)
    assert not turns.take(0)
    assert not turns.take(0.001)
    assert not len(turns)
    turns.give()
    assert turns.take(0)


def test_who_is_interrupted_has_no_turn() -> None:
    """Ctrl-C while waiting leaves the queue; others are served as if nobody had been there."""
    turns = Turns()
    assert turns.take(0)
    me = get_ident()

    def interrupt() -> None:
        wait_for(turns, 1)
        signal.pthread_kill(me, signal.SIGINT)

    interrupting = started(interrupt)
    with pytest.raises(KeyboardInterrupt):
        turns.take(PATIENCE)
    interrupting.join()
    assert not len(turns)
    turns.give()
    assert turns.take(0)


def test_one_file_has_one_queue(tmp_path: Path) -> None:
    """Whatever way leads to a file; a file that nobody has open any more has none."""
    (tmp_path / "link").symlink_to(tmp_path)
    turns = turns_at(tmp_path / "noctuary.db")
    assert turns_at(tmp_path / "link" / "noctuary.db") is turns
    assert turns_at(tmp_path / "other.db") is not turns
    assert turns.take(0)
    del turns
    gc.collect()
    assert turns_at(tmp_path / "noctuary.db").take(0)


def test_writers_of_one_process_take_turns(tmp_path: Path) -> None:
    """Each connection of a process writes when it is its turn, in the order in which they began."""
    path = tmp_path / "noctuary.db"
    databases = [SqliteDatabase(path, busy_seconds=PATIENCE) for _ in range(6)]
    turns, wrote = turns_at(path), list[int]()

    def write(number: int) -> None:
        with databases[number].transaction(), databases[number].transaction():
            wrote.append(number)

    with databases[0].transaction():
        threads = []
        for number in range(1, 6):
            threads.append(started(partial(write, number)))
            wait_for(turns, number)
        write(0)
    for thread in threads:
        thread.join()
    for database in databases:
        database.close()

    assert wrote == [*range(6)]


def test_a_reader_does_not_wait_for_the_turn_of_a_writer(tmp_path: Path) -> None:
    """While a thread waits until it may write, others read through the same connection."""
    path = tmp_path / "noctuary.db"
    busy, database = SqliteDatabase(path), SqliteDatabase(path, busy_seconds=PATIENCE)

    def write() -> None:
        with database.transaction():
            pass

    with busy.transaction():
        writer = started(write)
        wait_for(turns_at(path), 1)
        assert database.fetch("totals", owner="ana") == []
    writer.join()
    for each in (busy, database):
        each.close()


def test_a_writer_whose_turn_does_not_come_is_told_so(tmp_path: Path) -> None:
    """The memory is busy, as when another process writes; and the next transaction finds it free."""
    path = tmp_path / "noctuary.db"
    first, second = SqliteDatabase(path), SqliteDatabase(path, busy_seconds=0.01)
    with first.transaction(), pytest.raises(StoreBusy), second.transaction():
        raise AssertionError("two wrote at once")
    with second.transaction():
        pass
    for each in (first, second):
        each.close()
