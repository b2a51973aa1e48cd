"""Every line can be asked why."""

import pytest

from noctuary.app import Memory
from noctuary.brief.explaining import WhyTold, why_told
from noctuary.errors import NotFound
from tests.unit.brief.shop import SHOP, brief_of, note, talk


@pytest.fixture
def filled(memory: Memory) -> Memory:
    """Something of every kind."""
    work = memory.work(SHOP)
    work.remember("Never call datetime.now() without a zone.", kind="constraint")
    goal = work.open_goal("Right totals")
    work.open_task("Coupons", parent=goal)
    work.start_session(goal)
    work.end_session(summary="Cents are done")
    work.log_decision("How to round?", options=["up", "down"])
    talk(memory, "019c9b17-3a1b-7f72-99f4-fbc8348da5a8", "Rounding")
    note(memory, "finding", "Floats lose cents", session="019c9b17-3a1b-7f72-99f4-fbc8348da5a8")
    return memory


def asked(memory: Memory, line: str) -> WhyTold:
    return why_told(memory.dreams.night, brief_of(memory), line)


def test_every_line_can_be_asked_why(filled: Memory) -> None:
    """By its id, as a whole, and by its words: each time the same, and one thing is the answer."""
    lines = brief_of(filled).lines

    assert len(lines) == 7
    for line in lines:
        by_id = asked(filled, line.id)
        found = [by_id.memory, by_id.entry, by_id.node, by_id.work_session, by_id.session]
        assert sum(one is not None for one in found) == 1
        assert asked(filled, f"[{line.id}]") == asked(filled, line.text) == asked(filled, f"  {line.text} ") == by_id


def test_an_entry_is_given_with_what_it_rests_on(filled: Memory) -> None:
    """The words of the line lead to the entry, and that to the message."""
    entry = asked(filled, "floats LOSE cents").entry

    assert entry is not None
    assert entry.event.refs.messages[0].session == "019c9b17-3a1b-7f72-99f4-fbc8348da5a8"


def test_a_node_is_given_with_what_was_said_about_it(filled: Memory) -> None:
    """The newest first."""
    task = filled.work(SHOP).tasks()[0]
    filled.work(SHOP).note("finding", "Coupons expire", node=task)
    about = asked(filled, task.id)

    assert about.node == task
    assert about.entries[0].event.text == "Coupons expire"


def test_a_memory_that_has_no_room_can_be_asked_for(filled: Memory) -> None:
    """Words of a memory that the brief does not show lead to it, too; so do whole ids of events."""
    memory = filled.work(SHOP).remember("Answer in English.", everywhere=True)
    event = note(filled, "finding", "Something else", project="/home/ana/code/other")

    assert asked(filled, "Answer in English").id == memory.id
    assert asked(filled, event.id).entry is not None


@pytest.mark.parametrize("line", ["m-0000000000", "e-00000000", "t-zzzzzzzzzz", "nobody ever said that", "", " "])
def test_what_nobody_said_is_not_found(filled: Memory, line: str) -> None:
    """An error that says what to do, never an answer to another question."""
    with pytest.raises(NotFound, match="noctuary"):
        asked(filled, line)
