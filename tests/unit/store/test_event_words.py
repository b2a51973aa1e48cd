"""Events by their words, a few of each."""

from pathlib import Path

import pytest

from noctuary.authored import Event, EventType
from noctuary.ledger.ledger import Ledger
from noctuary.store.event_words import EventWords
from noctuary.testing import FakeClock
from tests.databases import store_in


def test_of_each_expression_some_events_are_given(tmp_path: Path, database: str) -> None:
    """At most so many, however many there are; of other projects none."""
    store = store_in(tmp_path)
    ledger = Ledger(store, tmp_path, "ana", FakeClock())
    for project in ("shop", "blog"):
        with ledger.writing(project) as write:
            for number in range(5):
                write(Event(EventType.FINDING, f"Worker {number} slept", project=project))
    words = EventWords(store.database)

    workers, third, nothing = words.matching("ana", "shop", ['"worker"', '"worker" "3"', '"queue"'], 4)
    rows = words.by_number("ana", "shop", third)

    assert (len(workers), len(third), nothing) == (4, 1, [])
    assert len(rows) == 1
    assert words.by_number("ana", "shop", third, [EventType.DECISION]) == []
    assert words.matching("ana", "shop", ['"worker"'], 4, hidden=True) == [[]]
    store.close()


@pytest.mark.parametrize("hidden", [False, True])
def test_what_others_say_hides_nothing(tmp_path: Path, database: str, hidden: bool) -> None:
    """However many others said the same before and after, in other projects or as other owners."""
    store = store_in(tmp_path)
    ana = Ledger(store, tmp_path, "ana", FakeClock())
    others = ana if database != "sqlite" else Ledger(store, tmp_path, "ben", FakeClock())

    def say(ledger: Ledger, project: str, times: int) -> None:
        with ledger.writing(project) as write:
            for _ in range(times):
                said = write(Event(EventType.FINDING, "The worker slept", project=project))
                if hidden:
                    write(Event(EventType.RETRACT, project=project, corrects=said.id))

    for ledger, project, times in ((others, "blog", 9), (ana, "shop", 2), (ana, "wiki", 9)):
        say(ledger, project, times)
    words = EventWords(store.database)

    (found,) = words.matching("ana", "shop", ['"worker"'], 4, hidden=hidden)

    assert len(found) == len(words.by_number("ana", "shop", found)) == 2
    store.close()
