"""Sessions that are written down together: each knows what others wrote, also what was asked for before the turn."""

from collections.abc import Iterator
from pathlib import Path

import pytest

from noctuary.authored import EventType
from noctuary.dream.asking_ahead import Ahead, Coming
from noctuary.dream.life.completing import end_session
from noctuary.dream.merging.history import Guarded, History, guard
from noctuary.dream.merging.tracing import Sources
from noctuary.dream.night import Night
from noctuary.dream.reading import MOST_TOGETHER
from noctuary.dream.run import dream
from noctuary.dreams import Trigger
from noctuary.proposals import Conversation, Proposal
from noctuary.records import Kind, Message, Role
from noctuary.store import open_server_store
from noctuary.store.memories import Remembered
from noctuary.testing import FakeClock
from tests.unit.dream.nights import OWNER, PROJECT, add_messages, add_session, night_on, stored
from tests.unit.dream.proposing import by_agent, said
from tests.unit.dream.reading_by_script import RULE, Verbatim

pytestmark = pytest.mark.slow
TABS = "Always indent the shop with tabs, never with spaces."
GERMAN = "Always answer the customers of the shop in German."


@pytest.fixture
def worker(tmp_path: Path, postgres_url: str) -> Iterator[Night]:
    """The night of a worker on a server."""
    store = open_server_store(postgres_url, OWNER)
    yield night_on(store, tmp_path, FakeClock())
    store.close()


def ended(night: Night, session: str, *told: str) -> None:
    """A session in which a user said this, which waits to be dreamt of."""
    add_session(night, session, *told)
    end_session(night, session)


def memories(night: Night) -> list[Remembered]:
    """All that is remembered, by its words."""
    return sorted(night.store.memories.where(OWNER, statuses=None), key=lambda memory: memory.text)


def rule(night: Night, session: str, text: str) -> Proposal:
    """That a user laid this down in the first message of a session."""
    (ref,) = said(RULE, text).messages
    return said(RULE, text, messages=(ref._replace(session=session),), ts_ms=night.now_ms())


def guarded_in_turn(night: Night, ahead: Ahead, proposal: Proposal) -> Guarded:
    """What becomes of a proposal in the turn."""
    with night.ledger.writing(PROJECT, is_gathered=True), ahead.known():
        history = History(night.store, night.owner, PROJECT, is_of_one_moment=True, words=ahead.words)
        return guard(history, [proposal])


def test_what_another_worker_wrote_before_the_turn_is_known_in_it(worker: Night) -> None:
    """It was not there when this one looked; still it is no second entry, and what is else is new stays so."""
    ended(worker, "s-1", TABS)
    tabs, german = rule(worker, "s-2", TABS), rule(worker, "s-2", GERMAN)
    ahead = Ahead(worker, [Coming("s-2", PROJECT, [tabs, german])])
    dream(worker, Verbatim(), trigger=Trigger.MANUAL)

    assert guarded_in_turn(worker, ahead, german).kept == [german]
    ((merged, known),) = guarded_in_turn(worker, ahead, tabs).merged
    assert (merged, known.text) == (tabs, TABS)


def test_a_memory_that_was_made_before_the_turn_keeps_its_name(worker: Night) -> None:
    """What the turn is told that there is not is asked within it."""
    ended(worker, "s-1", TABS)
    tabs = rule(worker, "s-1", TABS)
    ahead = Ahead(worker, [Coming("s-1", PROJECT, [tabs])])
    dream(worker, Verbatim(), trigger=Trigger.MANUAL)
    (made,) = memories(worker)

    with worker.ledger.writing(PROJECT), ahead.known():
        assert worker.ledger.is_memory(made.id)
        assert ahead.topics(PROJECT) == {made.facts["topic"]}


def test_sessions_that_are_written_together_know_of_each_other(night: Night) -> None:
    """What several say is said once and supported by all; what follows in the same turn is no second memory."""
    for number in range(MOST_TOGETHER + 2):
        ended(night, f"s-{number}", TABS, *([GERMAN] if number % 2 else []))

    dream(night, Verbatim(), trigger=Trigger.MANUAL)

    entries = [row[-1] for row in night.store.events.suggested(OWNER, PROJECT)]
    assert len(entries) == 2
    assert {memory.text: memory.facts["support"] for memory in memories(night)} == {TABS: 6, GERMAN: 3}


def test_two_parts_of_a_session_are_written_together_as_one_after_the_other(night: Night) -> None:
    """The second part sees what the first one gave."""
    ended(night, "s-1", TABS)
    add_messages(night, "s-1", TABS, "Done.", GERMAN)
    end_session(night, "s-1")

    report = dream(night, Verbatim(), trigger=Trigger.MANUAL)

    assert report.processed == 2
    supported = {memory.text: memory.facts["support"] for memory in memories(night)}
    assert (supported[TABS], supported[GERMAN]) == (1, 1)


def test_who_spoke_of_a_session_before_is_asked_anew(worker: Night) -> None:
    """What says the same as an entry of before may be taken for that, so nothing is foretold after it."""
    session = add_session(worker, "s-1", TABS)
    conversation = Conversation(stored(worker, session.id), [], known=[TABS])
    ahead = Ahead(worker, [Coming("s-1", PROJECT, [rule(worker, "s-1", GERMAN)])])
    with worker.ledger.writing(PROJECT, is_gathered=True) as write, ahead.known():
        ahead.noting(conversation, write)
        ended(worker, "s-2", TABS)

    dream(worker, Verbatim(), trigger=Trigger.MANUAL)
    found = History(worker.store, OWNER, PROJECT, is_of_one_moment=True, words=ahead.words).near(TABS)

    assert [known.text for known in found] == [TABS]


def test_where_an_agent_has_it_from_is_looked_up_before_the_turn(worker: Night) -> None:
    """No journal has a part in it, so nobody has to wait while it is found out."""
    printed = Message(Role.TOOL, GERMAN, Kind.TOOL_RESULT, tool_name="Read", call_id="c")
    add_session(worker, "s-1", "Read the page.", printed)
    add_session(worker, "s-2", TABS)
    number, session = worker.store.sessions.find(OWNER, "s-1") or (0, stored(worker, "s-1"))
    sources = Sources(worker, Conversation(stored(worker, "s-2"), []))
    told = [by_agent(EventType.FINDING, text) for text in (GERMAN, TABS)]

    Ahead(worker, [Coming("s-2", PROJECT, told, sources)])
    with worker.store.database.transaction():
        worker.store.messages.remove_all(OWNER, number, session)

    assert [sources.have(GERMAN), sources.have(TABS)] == [True, False]
