"""Events by their words, a few of each."""

from pathlib import Path

from noctuary.authored import Event, EventType
from noctuary.ledger.ledger import Ledger
from noctuary.store.event_words import EventWords
from noctuary.testing import FakeClock
from tests.databases import store_in


def test_of_each_expression_some_events_are_given(tmp_path: Path, database: str) -> None:
    """At most so many, however many there are; of other projects none, once they are read."""
    store = store_in(tmp_path)
    ledger = Ledger(store, tmp_path, "ana", FakeClock())
    for project in ("shop", "blog"):
        with ledger.writing(project) as write:
            for number in range(5):
                write(Event(EventType.FINDING, f"Worker {number} slept", project=project))
    words = EventWords(store.database)

    workers, third, nothing = words.matching(['"worker"', '"worker" "3"', '"queue"'], 4)
    rows = words.by_number("ana", "shop", third)

    assert (len(workers), len(third), nothing) == (4, 2, [])
    assert len(rows) == 1
    assert words.by_number("ana", "shop", third, [EventType.DECISION]) == []
    assert words.matching(['"worker"'], 4, hidden=True) == [[]]
    store.close()
