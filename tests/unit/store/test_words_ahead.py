"""Events by their words, looked up before the turn: in it they are what they would be if they were asked for then."""

from collections.abc import Iterator
from pathlib import Path

import pytest

from noctuary.authored import Author, Event, EventSource, EventStatus, EventType
from noctuary.ledger.ledger import Ledger
from noctuary.store import open_server_store
from noctuary.store.event_words import EventWords
from noctuary.store.words_ahead import WordsAhead
from noctuary.testing import FakeClock

pytestmark = pytest.mark.slow
ASKED = ['"worker"', '"worker" "slept"', '"max_retries"', '"queue"', '"日志"']
MOST = 4


@pytest.fixture
def ledger(tmp_path: Path, postgres_url: str) -> Iterator[Ledger]:
    """Ana's ledger on a server, in which a dream has found something."""
    store = open_server_store(postgres_url, "ana")
    opened = Ledger(store, tmp_path, "ana", FakeClock())
    opened.record(found("Worker one slept"))
    yield opened
    store.close()


def found(text: str, project: str = "shop") -> Event:
    """What a dream proposes."""
    return Event(
        EventType.FINDING,
        text,
        project=project,
        author=Author.DREAM,
        source=EventSource.DREAM,
        status=EventStatus.SUGGESTED,
    )


def found_by(words: EventWords, project: str = "shop") -> list[list[int]]:
    """The numbers of events that are found by each of the expressions."""
    return words.matching("ana", project, ASKED, MOST)


def said_of_all(words: EventWords, project: str = "shop") -> list[list[str]]:
    """What events say that are found by each of the expressions, by their rows."""
    numbers = found_by(words, project)
    return [[row[-1] for row in words.by_number("ana", project, each)] for each in numbers]


def looked_up(ledger: Ledger) -> WordsAhead:
    """All of it asked for, before the turn."""
    words = WordsAhead(ledger.store.database, "ana")
    said_of_all(words)
    return words


def test_what_others_wrote_since_is_found(ledger: Ledger) -> None:
    """Words, several at once, parts of names, other scripts; no more of each than was asked for."""
    words = looked_up(ledger)
    for text in ("Two workers slept", "MAX_RETRIES of the worker is max retries", "The queue", "日志在这里", "Worker"):
        ledger.record(found(text))
    ledger.record(found("A worker of the blog slept", "blog"))

    words.catch_up()

    assert found_by(words) == found_by(EventWords(ledger.store.database))
    assert said_of_all(words) == said_of_all(EventWords(ledger.store.database))
    assert [len(each) for each in found_by(words)] == [4, 2, 1, 1, 1]


def test_what_is_written_in_the_turn_is_found_by_what_is_written_after_it(ledger: Ledger) -> None:
    """As if it were in the tables already, under the number that it has there."""
    words = looked_up(ledger)
    with ledger.writing("shop", is_gathered=True) as write:
        words.catch_up()
        words.note(write(found("Two workers slept")))
        words.note(write(found("The queue")))
        before = found_by(words)

    assert before == found_by(EventWords(ledger.store.database))


def test_nothing_that_was_asked_is_asked_again(ledger: Ledger) -> None:
    """Not even if it was not found: the answers are there without the server."""
    words = looked_up(ledger)
    assert not words.has_hidden()
    words.catch_up()
    expected = said_of_all(EventWords(ledger.store.database))
    ledger.store.close()

    assert said_of_all(words) == expected
    assert not words.has_hidden()


@pytest.mark.parametrize("how", ["retracted", "corrected by a dream", "folded anew"])
def test_what_was_changed_since_is_asked_for_anew(ledger: Ledger, how: str) -> None:
    """Rows that were read before the turn say nothing of what somebody did to them since."""
    words = looked_up(ledger)
    (first,) = words.matching("ana", "shop", ['"worker"'], MOST)[0]
    name = ledger.store.database.fetch("newest_event_row", owner="ana")[0][1]
    match how:
        case "retracted":
            ledger.record(Event(EventType.RETRACT, project="shop", corrects=name))
        case "corrected by a dream":
            ledger.record(found("Worker one died")._replace(type=EventType.CORRECTION, corrects=name))
        case "folded anew":
            ledger.rebuild()

    words.catch_up()

    assert said_of_all(words) == said_of_all(EventWords(ledger.store.database))
    assert words.has_hidden() == EventWords(ledger.store.database).has_hidden()
    assert first


def test_the_first_event_of_all_is_found(tmp_path: Path, postgres_url: str) -> None:
    """Where there was nothing when it was asked."""
    store = open_server_store(postgres_url, "ben")
    ledger = Ledger(store, tmp_path, "ben", FakeClock())
    words = WordsAhead(store.database, "ben")
    asked = ("ben", "shop", ['"queue"'], MOST)
    assert words.matching(*asked) == [[]]
    ledger.record(found("The queue"))

    words.catch_up()

    assert words.matching(*asked) == EventWords(store.database).matching(*asked) == [[1]]
    assert words.following == 2
    store.close()
