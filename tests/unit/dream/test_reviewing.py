"""What dreams proposed is looked at: accepted, edited, rejected."""

import pytest

from noctuary.authored import Author, EventSource, EventStatus, EventType, Trust
from noctuary.dream.keeping import forget, pin
from noctuary.dream.life.completing import end_session
from noctuary.dream.night import Night
from noctuary.dream.pages.writing import page_path
from noctuary.dream.reviewing import Suggestion, accept, accept_all, queue, reject
from noctuary.dream.run import dream
from noctuary.dreams import Trigger
from noctuary.errors import BadChange, NotFound
from noctuary.store.memories import MemoryStatus, Remembered
from noctuary.work.desk import Writer
from noctuary.work.notes import note
from noctuary.work.remembering import remember
from tests.unit.dream.nights import OWNER, PROJECT, add_session
from tests.unit.dream.proposing import by_agent, read, said
from tests.unit.dream.reading_by_script import Verbatim

TABS = "Always indent the shop with tabs, never with spaces."
ROUNDING = "Prices are rounded half to even in `billing.py`."


@pytest.fixture
def dreamt(night: Night) -> Night:
    """A night in which a rule of the user and a finding of the agent were dreamt."""
    add_session(night, "s-1", TABS, ROUNDING)
    end_session(night, "s-1")
    dream(night, Verbatim(), trigger=Trigger.MANUAL)
    return night


def about(night: Night, word: str) -> Suggestion:
    return next(one for one in queue(night, PROJECT) if word in one.entry.event.text)


def memory_about(night: Night, word: str) -> Remembered:
    held = night.store.memories.where(OWNER, project=PROJECT, statuses=None)
    return next(memory for memory in held if word in memory.text)


def page(night: Night) -> str:
    return page_path(night.home, night.owner, PROJECT).read_text(encoding="utf-8")


def test_j7_7_a_proposal_can_be_accepted(dreamt: Night) -> None:
    """What is accepted is confirmed, its memory active and approved, and it waits no longer."""
    suggestion = about(dreamt, "rounded")

    accepted = accept(dreamt, suggestion.entry.event.id)

    assert accepted.status is EventStatus.CONFIRMED
    memory = memory_about(dreamt, "rounded")
    assert (memory.status, memory.facts["approved"]) == (MemoryStatus.ACTIVE, True)
    assert all("rounded" not in one.entry.event.text for one in queue(dreamt, PROJECT))


def test_j7_7_a_proposal_can_be_accepted_in_other_words(dreamt: Night) -> None:
    """The user's words stand in the journal, in the memory and in the page."""
    accept(dreamt, about(dreamt, "tabs").entry.event.id, "Indent with tabs.")

    assert memory_about(dreamt, "Indent with tabs").status is MemoryStatus.ACTIVE
    assert "Indent with tabs." in page(dreamt)
    assert TABS not in page(dreamt)


def test_c21_what_is_rejected_never_comes_back(dreamt: Night) -> None:
    """A rejected proposal leaves the page, and another session in which an agent says the same does not revive it."""
    reject(dreamt, about(dreamt, "rounded").entry.event.id)
    assert "rounded" not in page(dreamt)
    add_session(dreamt, "s-2", "Look at the bills again.", ROUNDING)
    end_session(dreamt, "s-2")

    report = dream(dreamt, Verbatim(), trigger=Trigger.MANUAL)

    assert [dropped.text for dropped in report.dropped] == [ROUNDING]
    assert memory_about(dreamt, "rounded").status is MemoryStatus.RETRACTED


def test_all_can_be_accepted_at_once(dreamt: Night) -> None:
    """Nothing waits afterwards, and everything accepted is confirmed."""
    waiting = len(queue(dreamt, None))

    accepted = accept_all(dreamt, None)

    assert len(accepted) == waiting > 1
    assert queue(dreamt, None) == []


def test_what_an_agent_proposed_is_reviewed_too(dreamt: Night) -> None:
    """A rule that an agent proposed waits in the same place, with who proposed it; accepted it is the user's word."""
    agent = Writer(author=Author.AGENT, source=EventSource.API, trust=Trust.AGENT)
    rule = remember(dreamt.desk(PROJECT, agent), "Never deploy on Fridays.", kind="constraint", suggested=True)

    waiting = {one.entry.event.id: one for one in queue(dreamt, None)}
    assert waiting[rule.event].entry.event.author is Author.AGENT
    assert waiting[rule.event].memory == rule

    accept(dreamt, rule.event)

    memory = memory_about(dreamt, "Fridays")
    assert (memory.status, memory.facts["approved"]) == (MemoryStatus.ACTIVE, True)
    assert rule.event not in [one.entry.event.id for one in queue(dreamt, None)]
    assert "Never deploy on Fridays." in page(dreamt)


def test_what_an_agent_proposed_can_be_rejected(dreamt: Night) -> None:
    """Then it holds nowhere, and waits no longer."""
    own = note(dreamt.desk(PROJECT, Writer()), "finding", "The tests are slow.", suggested=True)

    reject(dreamt, own.event.id)

    assert own.event.id not in [one.entry.event.id for one in queue(dreamt, None)]


def test_what_somebody_else_accepted_already_is_said_so(dreamt: Night) -> None:
    """Two look through the queue at once: the second is told what became of it, and not that it never was there."""
    own = note(dreamt.desk(PROJECT, Writer()), "finding", "The tests are slow.", suggested=True)
    accept(dreamt, own.event.id)

    with pytest.raises(BadChange, match="confirmed already"):
        accept(dreamt, own.event.id)


def test_only_what_was_proposed_is_reviewed(dreamt: Night) -> None:
    """What an agent wrote down as it is, is no proposal: review refuses it, and does not list it."""
    own = note(dreamt.desk(PROJECT, Writer()), "finding", "The tests are slow.")

    assert own.event.id not in [one.entry.event.id for one in queue(dreamt, None)]
    with pytest.raises(NotFound):
        accept(dreamt, own.event.id)


def test_c21_a_forgotten_memory_is_gone_and_stays_gone(dreamt: Night) -> None:
    """Forgetting retracts what says it; the page loses the line, a later session does not bring it back."""
    forget(dreamt, PROJECT, memory_about(dreamt, "rounded").id)
    add_session(dreamt, "s-2", "Look at the bills again.", ROUNDING)
    end_session(dreamt, "s-2")
    dream(dreamt, Verbatim(), trigger=Trigger.MANUAL)

    held = dreamt.store.memories.where(OWNER, project=PROJECT)
    assert [memory for memory in held if "rounded" in memory.text] == []
    assert "rounded" not in page(dreamt)


def test_c10_a_pinned_memory_says_so_and_can_be_let_go(dreamt: Night) -> None:
    """Pinning marks the line; unpinning takes the mark away; a memory that is gone cannot be pinned."""
    memory = memory_about(dreamt, "tabs")

    assert pin(dreamt, PROJECT, memory.id).facts["pinned"] is True
    assert "(pinned)" in page(dreamt)
    assert pin(dreamt, PROJECT, memory.id, is_pinned=False).facts["pinned"] is False
    assert "(pinned)" not in page(dreamt)
    forget(dreamt, PROJECT, memory.id)
    with pytest.raises(BadChange):
        pin(dreamt, PROJECT, memory.id)


def test_what_is_disputed_is_not_decided_in_passing(night: Night) -> None:
    """Of two that contradict each other, accepting everything accepts neither: a person has to choose."""
    read(night, "s-1", by_agent(EventType.DECISION, "Use Postgres for the sessions of the shop."))
    read(night, "s-2", by_agent(EventType.DECISION, "Do not use Postgres for the sessions of the shop."))
    disputed = [one.entry.event.id for one in queue(night, PROJECT) if one.memory and one.memory.facts.get("disputed")]

    accept_all(night, None)

    assert len(disputed) == 2
    assert [one.entry.event.id for one in queue(night, PROJECT)] == disputed


def test_rejecting_a_better_wording_leaves_the_memory_in_its_former_words(night: Night) -> None:
    """Two sessions state it; that the second way of saying it is wrong does not make the first one wrong."""
    first = "Never deploy the shop on a Friday."
    better = "Never deploy the shop on a Friday, because nobody is there on Saturday to roll it back."
    read(night, "s-1", said(EventType.CONSTRAINT, first))
    read(night, "s-2", said(EventType.CONSTRAINT, better), day=1)
    assert memory_about(night, "Friday").text == better

    reject(night, about(night, "Saturday").entry.event.id)

    memory = memory_about(night, "Friday")
    assert (memory.text, memory.status) == (first, MemoryStatus.ACTIVE)


def test_what_was_superseded_waits_for_nobody(night: Night) -> None:
    """A proposal that another one took the place of is not in the queue, and does not keep all from being accepted."""
    read(night, "s-1", said(EventType.DECISION, "Use Postgres for the sessions of the shop."))
    read(night, "s-2", said(EventType.DECISION, "Do not use Postgres for the sessions of the shop."), day=1)
    accept(night, about(night, "Do not use").entry.event.id)

    assert [one.entry.event.text for one in queue(night, PROJECT)] == []
    assert accept_all(night, None) == []
