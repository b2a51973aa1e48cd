"""What was noted leads to what was said: which messages take part for it, how far, and which never."""

from collections.abc import Iterator, Sequence
from pathlib import Path
from typing import Any

import pytest

from noctuary.authored import Event, EventStatus, EventType, MessageRef, Refs
from noctuary.ledger.ledger import Ledger
from noctuary.recall.candidates import Candidates, Word
from noctuary.recall.cited import (
    MOST_ADDED,
    MOST_CITED,
    MOST_EVENTS,
    MOST_SPEAKING,
    MOST_WORDS,
    SUPERSEDED,
    Noted,
    give_due,
    noted_by,
)
from noctuary.recall.database import DatabaseRecall
from noctuary.recall.scoring import Scored
from noctuary.records import Found, Message, Role, Session, Term
from noctuary.store import keys, open_store
from noctuary.store.citations import Citation
from noctuary.testing import FakeClock
from tests.contract.building import OWNER, ask, tell

PROJECT = "/code/shop"
SAID = "let us go with the second one then"
QUESTION = "quicksilver ledger"


class Journal:
    """A memory with a journal."""

    def __init__(self, folder: Path) -> None:
        self.store = open_store(folder / "noctuary.db")
        self.folder = folder
        self.recall = DatabaseRecall(self.store, FakeClock())

    def note(self, text: str, *cited: tuple[str, int], owner: str = OWNER, **fields: Any) -> Event:
        """Record an event that rests on these messages."""
        refs = Refs(messages=[MessageRef(session, message) for session, message in cited])
        event = Event(EventType.DECISION, text, project=PROJECT, refs=refs)._replace(**fields)
        return Ledger(self.store, self.folder, owner, FakeClock()).record(event)

    def found(self, text: str = QUESTION, **narrowed: object) -> Found:
        """What a search finds, a message each."""
        return self.recall.search_messages(OWNER, ask(text, **narrowed), 1_000)

    def texts(self, text: str = QUESTION, **narrowed: object) -> list[str]:
        return [hit.anchor.content for hit in self.found(text, **narrowed).hits]


@pytest.fixture
def journal(tmp_path: Path) -> Iterator[Journal]:
    """A session in which something was decided in words that nobody would ask with, and one that has a word."""
    made = Journal(tmp_path)
    made.recall.ensure_session(OWNER, Session(id="choice", project=PROJECT, agent="codex"))
    tell(made.recall, "choice", "hello", Message(role=Role.ASSISTANT, content=SAID), "thanks")
    tell(made.recall, "other", "the ledger is closed", "nothing else")
    yield made
    made.store.close()


def test_events_of_others_take_no_place(journal: Journal) -> None:
    """However many others of the same file noted something with the same words, before and after."""
    for owner in ("ben", OWNER, "zoe"):
        for _ in range(1 if owner == OWNER else MOST_SPEAKING):
            journal.note("We chose quicksilver for storage", ("choice", 2), owner=owner)

    assert SAID in journal.texts()


def test_an_event_leads_to_the_message_it_rests_on(journal: Journal) -> None:
    """A question in the words of an event finds what was said, though that has none of them; `why` says so."""
    assert SAID not in journal.texts()

    journal.note("We chose quicksilver for storage", ("choice", 2))

    assert SAID in journal.texts()
    (hit,) = (hit for hit in journal.found().hits if hit.anchor.content == SAID)
    assert [reason.name for reason in hit.why if reason.name == "journal"]


def test_words_that_only_events_have_are_found(journal: Journal) -> None:
    """A question of which no message has a single word is answered by what was noted."""
    journal.note("We chose quicksilver for storage", ("choice", 2))

    assert journal.texts("quicksilver storage") == [SAID]


def test_an_event_in_other_words_leads_too(journal: Journal) -> None:
    """Who asks for the login of the db finds what was noted of the sign-in and the database."""
    journal.note("Logon data is in the database", ("choice", 2))

    assert journal.texts("login db") == [SAID]


def test_the_word_itself_counts_more_than_another_for_it(journal: Journal) -> None:
    """Of two events the one in the words of the question leads first."""
    tell(journal.recall, "later", "so be it", "that one")
    journal.note("The database wants backups", ("later", 2))
    journal.note("The db wants backups", ("choice", 2))
    journal.note("The database wants backups at night", ("later", 1))

    assert journal.texts("db backups")[0] == SAID


def test_events_that_cite_nothing_change_nothing(journal: Journal) -> None:
    """A search in a memory whose events rest on no message finds exactly what it found."""
    before = journal.found()

    journal.note("We chose quicksilver for storage")

    assert journal.found() == before


def test_events_of_others_lead_nowhere(journal: Journal) -> None:
    """What another owner noted, even about a session of the same name, is none of mine."""
    before = journal.texts()

    journal.note("We chose quicksilver for storage", ("choice", 2), owner="ben")

    assert journal.texts() == before


def test_what_was_taken_back_leads_nowhere(journal: Journal) -> None:
    """A retracted event is as if it had never been."""
    before = journal.found()
    event = journal.note("We chose quicksilver for storage", ("choice", 2))

    Ledger(journal.store, journal.folder, OWNER, FakeClock()).record(
        Event(EventType.RETRACT, project=PROJECT, corrects=event.id)
    )

    assert journal.found() == before


def test_what_is_superseded_leads_on(journal: Journal) -> None:
    """What holds no longer was said all the same."""
    old = journal.note("We chose quicksilver for storage", ("choice", 2))
    journal.note("We chose cobalt for storage", supersedes=old.id)

    assert SAID in journal.texts()


def test_what_is_only_suggested_leads_too(journal: Journal) -> None:
    """A dream's events count before anybody has looked at them."""
    journal.note("We chose quicksilver for storage", ("choice", 2), status=EventStatus.SUGGESTED)

    assert SAID in journal.texts()


@pytest.mark.parametrize(
    "narrowed",
    [
        f"{QUESTION} role:user",
        f"{QUESTION} project:elsewhere",
        f"{QUESTION} agent:claude",
        f"{QUESTION} session:other",
        f"{QUESTION} before:2020-01-01",
        f'{QUESTION} "ledger"',
        f"{QUESTION} -second",
    ],
)
def test_filters_hold_for_what_was_noted(journal: Journal, narrowed: str) -> None:
    """A message that a filter leaves out is not found, whatever was noted about it."""
    journal.note("We chose quicksilver for storage", ("choice", 2))

    assert SAID not in journal.texts(narrowed)


def test_filters_that_fit_let_it_through(journal: Journal) -> None:
    """Each of the filters that it fits lets it through."""
    journal.note("We chose quicksilver for storage", ("choice", 2))

    assert SAID in journal.texts(f"{QUESTION} role:assistant agent:codex project:shop")


def test_what_was_forgotten_is_not_found(journal: Journal) -> None:
    """An event that rests on a message that is gone leads nowhere."""
    journal.note("We chose quicksilver for storage", ("choice", 2))

    journal.recall.delete_session(OWNER, "choice")

    assert SAID not in journal.texts()


def test_a_name_as_typed_is_never_overtaken(journal: Journal) -> None:
    """A message that has the very token comes before all that was merely noted."""
    exact = "see src/ledger/quick.py for that"
    tell(journal.recall, "exact", exact)
    for _ in range(3):
        journal.note("Where is src/ledger/quick.py opened, and by whom: quicksilver", ("choice", 2))

    assert journal.texts("where is src/ledger/quick.py opened by whom")[0] == exact


class Listening:
    """A journal in which every word has more events than are wanted, and which counts what it is asked for."""

    def __init__(self, holds: bool = True) -> None:
        self.holds = holds
        self.asked: list[int] = []

    def is_any(self) -> bool:
        return True

    def speaking_of(self, terms: Sequence[Term], most: int) -> list[int]:
        self.asked.append(most)
        return [1_000 * len(terms[0].words[0]) + i for i in range(most)]

    def by(self, events: Sequence[int]) -> list[Citation]:
        self.asked.append(len(events))
        return [Citation(event, 5 << keys.PLACE_BITS | event, self.holds) for event in events]

    def within(self, _sessions: Sequence[int], most: int) -> list[Citation]:
        self.asked.append(most)
        return [Citation(1, 5 << keys.PLACE_BITS | i, self.holds) for i in range(1, most + 1)]


def candidates(words: int) -> Candidates:
    return Candidates(words=[Word(Term(words=("a" * i,)), worth=1.0) for i in range(1, words + 1)])


def test_what_is_looked_at_is_bounded() -> None:
    """However long the question and however full the journal, a bounded number of events is asked for."""
    notes = Listening()

    noted, _ = noted_by(notes, candidates(20), [], None)

    assert notes.asked == [MOST_SPEAKING] * MOST_WORDS + [MOST_EVENTS, MOST_CITED]
    assert len(noted.counts) <= MOST_EVENTS + MOST_CITED


def test_relatives_are_asked_for_once_a_word() -> None:
    """However many words there are for the same, they take one more look."""
    notes = Listening()

    noted_by(notes, Candidates(words=[Word(Term(words=("database",)), worth=1.0)]), [], None)

    assert notes.asked == [MOST_SPEAKING] * 2 + [MOST_EVENTS, MOST_CITED]


def test_other_sessions_than_picked_are_left_out() -> None:
    """An event that says what was asked leads to no session that was not picked."""
    noted, positions = noted_by(Listening(), candidates(1), [], picked=[5])
    _, others = noted_by(Listening(), candidates(1), [], picked=[6])

    assert len(positions) - len(others) == MOST_EVENTS
    assert len(noted.counts) > MOST_CITED


def test_what_is_superseded_counts_less() -> None:
    """An event that holds no longer counts a part of one that does."""
    holding, _ = noted_by(Listening(), candidates(2), [], None)
    superseded, _ = noted_by(Listening(holds=False), candidates(2), [], None)

    assert set(holding.counts.values()) == {1.0}
    assert superseded.counts == dict.fromkeys(holding.counts, SUPERSEDED)
    assert superseded.said == {position: SUPERSEDED * said for position, said in holding.said.items()}


def scored(session: int, place: int, score: float) -> Scored:
    return Scored(key=keys.pack(session, place), why={"words": score}, worth=score)


@pytest.mark.parametrize("by_meaning", [True, False])
def test_where_words_say_it_all_notes_add_nothing(by_meaning: bool) -> None:
    """The less words leave open, the less notes count."""
    message = scored(1, 1, 2.0)
    noted = Noted({message.key >> keys.PLACE_SHIFT: 1.0}, {})

    give_due([message], noted, 0.0, by_meaning=by_meaning)
    assert message.score == 2.0

    give_due([message], noted, 0.5, by_meaning=by_meaning)
    assert message.score > 2.0


def test_with_meaning_a_note_counts_by_its_session() -> None:
    """Of two messages that were noted, the one in the better session comes first, and not by its own words."""
    best, noted, elsewhere = scored(1, 1, 8.0), scored(1, 9, 0.5), scored(2, 1, 3.0)
    counts = {s.key >> keys.PLACE_SHIFT: 1.0 for s in (noted, elsewhere)}

    give_due([best, noted, elsewhere], Noted(counts, {}), 1.0, by_meaning=True)

    assert noted.score > elsewhere.score
    assert best.why == {"words": 8.0}


def test_few_are_added(journal: Journal) -> None:
    """Of many messages that were noted only so many take part that words have not found."""
    tell(journal.recall, "long", *(f"remark {i}" for i in range(MOST_ADDED * 2)))
    for i in range(MOST_ADDED * 2):
        journal.note("We chose quicksilver for storage", ("long", i + 1))

    added = [text for text in journal.texts() if text.startswith("remark")]

    assert 0 < len(added) <= MOST_ADDED
