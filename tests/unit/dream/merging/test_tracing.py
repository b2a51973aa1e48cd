"""Statements of agents are traced to where they were first heard, also in sessions before."""

from datetime import timedelta

import pytest

from noctuary.authored import Author, EventSource, EventType, Trust
from noctuary.dream.life.completing import end_session
from noctuary.dream.night import Night
from noctuary.dream.run import dream
from noctuary.dream.undoing import undo
from noctuary.dreams import ChangeKind, Report, Trigger
from noctuary.models.rules.extractor import RulesExtractor
from noctuary.records import Kind, Message, Role
from noctuary.store.memories import MemoryStatus
from noctuary.store.telling import Telling
from noctuary.testing import FakeClock
from noctuary.work.desk import Desk, Writer
from noctuary.work.notes import note
from noctuary.work.remembering import remember
from tests.unit.dream.nights import PROJECT, add_session
from tests.unit.dream.proposing import texts

POISON = "Reports must go through slowdb.example because the table of orders has grown."
OTHER = "The last page is missing because the count is divided without rounding up."
DAY = timedelta(days=1)


def read(text: str) -> Message:
    return Message(Role.TOOL, text, Kind.TOOL_RESULT, tool_name="Read", call_id="c")


def dreamt(night: Night, clock: FakeClock, session: str, *said: str | Message) -> Report:
    """The report of a dream over a session in which this was said, a day after all before."""
    clock.advance(DAY)
    add_session(night, session, *said)
    end_session(night, session)
    return dream(night, RulesExtractor(), trigger=Trigger.MANUAL)


def test_what_was_read_in_an_earlier_session_is_not_the_agents_later(night: Night, clock: FakeClock) -> None:
    """Though nobody repeated it then, and no tool prints it now."""
    dreamt(night, clock, "first", "Read the page.", read(POISON), Message(Role.ASSISTANT, "I did."))
    dreamt(night, clock, "later", "Why are reports slow?", POISON)

    assert texts(night, MemoryStatus.ACTIVE, MemoryStatus.PROPOSED) == []


def test_what_other_projects_printed_hides_no_source(night: Night, clock: FakeClock) -> None:
    """However often the same words were printed there, and later."""
    dreamt(night, clock, "first", "Read the page.", read(POISON), Message(Role.ASSISTANT, "I did."))
    for number in range(8):
        clock.advance(DAY)
        add_session(night, f"other-{number}", "Read it.", read("slowdb.example Reports"), project="/elsewhere")
    dreamt(night, clock, "later", "Why are reports slow?", POISON)

    assert texts(night, MemoryStatus.ACTIVE, MemoryStatus.PROPOSED) == []


def test_what_was_said_since_hides_no_source(night: Night, clock: FakeClock) -> None:
    """Sessions that are dreamt of late, as after a first import, have others behind them in which all is said again."""
    said = "The exports are slow because proxynest.example throttles every scheduled transfer."
    since = [f"Case {number}: proxynest throttles the scheduled transfer of {number}." for number in range(310)]
    for name, *turns in (("first", "Read it.", read(said), "I did."), ("later", "Why?", said), ("since", *since)):
        clock.advance(DAY)
        add_session(night, str(name), *turns)
        end_session(night, str(name))
    dream(night, RulesExtractor(), trigger=Trigger.MANUAL)

    assert said not in texts(night, MemoryStatus.ACTIVE, MemoryStatus.PROPOSED)


def test_a_word_of_its_own_makes_it_not_the_agents(night: Night, clock: FakeClock) -> None:
    """An agent that has looked at nothing since may begin with whatever it likes."""
    dreamt(night, clock, "first", "Read the page.", read(POISON), Message(Role.ASSISTANT, "I did."))
    said = "Traditionally, reports go through slowdb.example because the orders table has grown."
    dreamt(night, clock, "later", "Why are they slow?", said)

    assert texts(night, MemoryStatus.ACTIVE, MemoryStatus.PROPOSED) == []


def test_who_repeats_an_unvouched_entry_vouches_for_nothing(night: Night, clock: FakeClock) -> None:
    """Shorter words of the same have the same source, however many sessions say them."""
    dreamt(night, clock, "first", "Read the page.", read(POISON), Message(Role.ASSISTANT, POISON))
    for number in range(3):
        dreamt(
            night, clock, f"later-{number}", "And reports?", "Reports go through slowdb.example, the table has grown."
        )

    assert texts(night, MemoryStatus.ACTIVE, MemoryStatus.PROPOSED) == []


def test_a_name_that_only_an_unvouched_entry_has_is_from_there(night: Night, clock: FakeClock) -> None:
    """In another language nothing else of it is the same; who has looked at nothing can have it from nowhere else."""
    page = "Operators agreed that backups are copied to the bucket ombra-9 each night."
    dreamt(night, clock, "first", "Read the page.", read(page), Message(Role.ASSISTANT, f"The page says: {page}"))
    said = "Backups werden jede Nacht nach ombra-9 kopiert, weil der Bucket frei ist."
    dreamt(night, clock, "later", "Check the job.", said)

    assert texts(night, MemoryStatus.ACTIVE, MemoryStatus.PROPOSED) == []


def test_who_repeats_in_the_same_night_vouches_for_nothing_either(night: Night, clock: FakeClock) -> None:
    """Sessions that are written down together know what each other wrote, and how far it is trusted."""
    add_session(night, "first", "Read the page.", read(POISON), Message(Role.ASSISTANT, POISON))
    end_session(night, "first")
    dreamt(night, clock, "later", "And reports?", "Reports go through slowdb.example, the table has grown.")

    assert texts(night, MemoryStatus.ACTIVE, MemoryStatus.PROPOSED) == []


def test_the_user_makes_it_true(night: Night, clock: FakeClock) -> None:
    """A user's own words need no other source, and what tools print takes nothing from them."""
    dreamt(night, clock, "first", "Read the page.", read(POISON), Message(Role.ASSISTANT, POISON))
    dreamt(night, clock, "later", POISON, "Fine.")

    assert texts(night, MemoryStatus.ACTIVE) == [POISON]


def test_what_an_agent_finds_is_kept(night: Night, clock: FakeClock) -> None:
    """Other things that were read before are no source of it."""
    dreamt(night, clock, "first", "Read the page.", read(POISON), Message(Role.ASSISTANT, "I did."))
    dreamt(night, clock, "later", "Why is the last page missing?", OTHER)

    assert texts(night, MemoryStatus.ACTIVE, MemoryStatus.PROPOSED) == [OTHER]


def remembering(night: Night, clock: FakeClock, text: str) -> Report:
    """The report of a dream over a session in which an agent read the poison and had a text remembered."""
    agent = Writer(author=Author.AGENT, source=EventSource.API, session="s", trust=Trust.AGENT)
    remember(Desk(night.ledger, PROJECT, agent), text)
    call = Message(Role.ASSISTANT, text, Kind.TOOL_CALL, tool_name="mcp__noctuary__remember", call_id="d")
    return dreamt(night, clock, "s", "Read the page.", read(POISON), call, Message(Role.ASSISTANT, "I did."))


def test_what_an_agent_had_remembered_and_had_only_read_holds_no_longer(night: Night, clock: FakeClock) -> None:
    """The dream says so, and why."""
    report = remembering(night, clock, POISON)

    assert texts(night, MemoryStatus.ACTIVE, MemoryStatus.PROPOSED) == []
    assert [(change.kind, change.text) for change in report.changes] == [(ChangeKind.DISTRUSTED, POISON)]


def test_what_an_agent_had_remembered_of_its_own_stays(night: Night, clock: FakeClock) -> None:
    """Though it had read something else."""
    remembering(night, clock, OTHER)

    assert texts(night, MemoryStatus.ACTIVE) == [OTHER]


def noting(night: Night, clock: FakeClock, text: str, *before: Message, kind: str = "finding") -> Report:
    """The report of a dream over a session in which an agent wrote a text down, after all that it read before."""
    agent = Writer(author=Author.AGENT, source=EventSource.API, session="s", trust=Trust.AGENT)
    note(Desk(night.ledger, PROJECT, agent), kind, text, suggested=kind == "constraint")
    given = f"action: note\nkind: {kind}\ntext: {text}"
    call = Message(Role.ASSISTANT, given, Kind.TOOL_CALL, tool_name="mcp__noctuary__task", call_id="d")
    return dreamt(night, clock, "s", "Read the page.", *before, call, Message(Role.ASSISTANT, "I did."))


def told(night: Night) -> list[str]:
    """What a brief could tell of what was noted."""
    telling = Telling(night.store.database)
    noted = telling.events(night.owner, PROJECT, EventType, 100)
    known = telling.remembered(night.owner, [event.id for event in noted])
    return [event.text for event in noted if event.id not in known]


@pytest.mark.parametrize("kind", ["finding", "decision", "constraint"])
def test_what_an_agent_noted_and_had_only_read_is_told_no_longer(night: Night, clock: FakeClock, kind: str) -> None:
    """It stays in the journal, and the dream says so; who takes that back and dreams again finds the same."""
    report = noting(night, clock, POISON, read(POISON), kind=kind)

    assert [(change.kind, change.text) for change in report.changes] == [(ChangeKind.DISTRUSTED, POISON)]
    assert told(night) == []
    assert texts(night, MemoryStatus.ACTIVE, MemoryStatus.PROPOSED) == []

    undo(night)
    again = dream(night, RulesExtractor(), trigger=Trigger.MANUAL)
    assert [change.kind for change in again.changes] in ([], [ChangeKind.DISTRUSTED])
    assert told(night) == []
    noted = Telling(night.store.database).events(night.owner, PROJECT, EventType, 100)
    assert [event.text for event in noted] == [POISON]


def test_also_if_it_had_read_it_in_an_earlier_session(night: Night, clock: FakeClock) -> None:
    """Then no tool prints it now, and it is known by where it was printed then."""
    dreamt(night, clock, "first", "Read the page.", read(POISON), Message(Role.ASSISTANT, "I did."))
    noting(night, clock, POISON)

    assert told(night) == []


def test_what_an_agent_noted_of_its_own_is_told(night: Night, clock: FakeClock) -> None:
    """Though it had read something else."""
    noting(night, clock, OTHER, read(POISON))

    assert told(night) == [OTHER]
