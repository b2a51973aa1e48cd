"""Which section something stands in, and what is left out."""

from collections.abc import Mapping

import pytest

from noctuary.app import Memory
from noctuary.authored import Author, EventSource, EventType, Trust
from noctuary.brief.layout import laid_out, written
from noctuary.brief.material import gather
from noctuary.brief.page import Line, Section
from noctuary.brief.recallable import entries
from noctuary.work.desk import Writer
from tests.unit.brief.shop import SHOP, brief_of, note, section, talk

pytestmark = pytest.mark.slow

AGENT = Writer(author=Author.AGENT, source=EventSource.API, trust=Trust.AGENT)


def test_only_a_users_word_is_a_rule(memory: Memory) -> None:
    """A constraint that an agent came up with is a fact that somebody noted, until the user approves it."""
    memory.work(SHOP).remember("Never push to main.", kind="constraint")
    memory.work(SHOP, AGENT).remember("Never use tabs.", kind="constraint")
    brief = brief_of(memory)

    assert ["push" in line for line in section(brief, "Rules")] == [True]
    assert ["tabs" in line for line in section(brief, "Facts")] == [True]


def test_what_is_stale_is_left_out(memory: Memory) -> None:
    """A memory that names what is gone is not told, also if it is pinned."""
    kept = memory.work(SHOP).remember("Totals are in cart.py.")
    gone = memory.work(SHOP).remember("Taxes are in tax.py.", pinned=True)
    change = {"memories": [{"id": gone.id, "verified": "stale"}]}
    with memory.work(SHOP).desk.writing() as write:
        write(EventType.AMEND, change=change, meta={"bookkeeping": True})

    assert [line.id for line in brief_of(memory).lines] == [kept.id]


@pytest.mark.parametrize("status", ["superseded", "retracted", "archived"])
def test_what_holds_no_longer_is_not_told_in_other_words(memory: Memory, status: str) -> None:
    """A memory may rest on several entries: with it, all of them are told no more, nor recalled."""
    talk(memory, "s-1", "Sessions")
    other = note(memory, "decision", "Keep logins in Redis", session="s-1", trust=Trust.USER)
    with memory.work(SHOP).desk.writing() as write:
        known = {"id": "m-0123456789", "kind": "decision", "text": "Redis for logins.", "status": "active"}
        write(EventType.DECISION, "Redis for logins", change={"memories": [{**known, "events": [other.id]}]})
        write(EventType.RETIRE, change={"memories": [{"id": "m-0123456789", "status": status}]})

    assert "Redis" not in brief_of(memory).text
    assert entries(memory.ledger, SHOP) == []


def test_a_stale_proposal_is_not_told(memory: Memory) -> None:
    """Neither as a proposal, nor as the entry that it was made of."""
    talk(memory, "s-1", "Taxes")
    with memory.work(SHOP).desk.writing() as write:
        proposed = {"id": "m-0123456789", "kind": "fact", "text": "Taxes are in tax.py.", "status": "proposed"}
        write(EventType.FINDING, "Taxes are in tax.py.", change={"memories": [{**proposed, "verified": "stale"}]})

    assert "tax.py" not in brief_of(memory).text


def test_what_contradicts_is_an_open_question(memory: Memory) -> None:
    """Both stand there, each with the other's name, and neither as something that is known."""
    one, other = (memory.work(SHOP).remember(text) for text in ("Port 80 is used.", "Port 8080 is used."))
    change = {"memories": [{"id": one.id, "disputed": [other.id]}, {"id": other.id, "disputed": [one.id]}]}
    with memory.work(SHOP).desk.writing() as write:
        write(EventType.AMEND, change=change, meta={"bookkeeping": True})
    brief = brief_of(memory)

    assert section(brief, "Facts") == []
    assert sorted(section(brief, "Open")) == sorted(
        [
            f"- Port 80 is used. (2026-03-01) (against {other.id}) [{one.id}]",
            f"- Port 8080 is used. (2026-03-01) (against {one.id}) [{other.id}]",
        ]
    )


def test_where_the_work_stands(memory: Memory) -> None:
    """The goal with what the last session handed over, what somebody is at, what is blocked, and what is ready."""
    work = memory.work(SHOP)
    goal = work.open_goal("Right totals")
    done, held, blocked, ready = (
        work.open_task(title, parent=goal) for title in ("Cents", "Rounding", "Taxes", "Coupons")
    )
    waiting = work.open_task("Refunds", parent=goal)
    work.depend(waiting, ready)
    work.start_session(goal)
    work.claim(done, "ana")
    work.close(done, outcome="Prices are integers")
    work.claim(held, "codex")
    work.set_status(blocked, "blocked", reason="the law is not out yet")
    ended = work.end_session(summary="Cents are done, rounding is next")
    lines = section(brief_of(memory), "Work")

    assert lines == [
        f"- Goal: Right totals (1 done, 4 left) [{goal.id}]",
        f"- Handed over: Cents are done, rounding is next (2026-03-01) [{ended.id}]",
        f"- Done: Cents: Prices are integers (2026-03-01) [{done.id}]",
        f"- In progress: Rounding: held by codex [{held.id}]",
        f"- Blocked: Taxes: the law is not out yet [{blocked.id}]",
        f"- Ready: Coupons [{ready.id}]",
    ]


def test_what_is_to_be_decided_is_a_question(memory: Memory) -> None:
    """A decision that is made is none any more."""
    work = memory.work(SHOP)
    work.log_decision("How to round?", options=["up", "down"])
    made = work.log_decision("Which database?", options=["SQLite", "Redis"])
    work.choose_option(made.node, made.options[0], "no server")
    lines = section(brief_of(memory), "Open")

    assert len(lines) == 1
    assert lines[0].startswith("- To be decided: How to round? [d-")


def test_a_rejected_way_is_called_one(memory: Memory) -> None:
    """A line that only names what was rejected says that it was."""
    memory.work(SHOP).note("rejection", "Redis for sessions. Reason: one more server to run")
    lines = section(brief_of(memory), "From")

    assert lines[0].startswith("- User rejected: Redis for sessions. Reason: one more server to run")


def test_a_decision_is_told_with_its_reasons(memory: Memory) -> None:
    """What was chosen and what was not, and why."""
    options: list[Mapping[str, object]] = [
        {"option": "SQLite", "chosen": True, "rationale": "no server"},
        {"option": "Redis", "rationale": "one more thing to run"},
    ]
    memory.work(SHOP).note("decision", "Where sessions live", alternatives=options)
    lines = section(brief_of(memory), "From")

    assert "Where sessions live: SQLite (no server); not Redis (one more thing to run)" in lines[0]


def test_no_section_takes_all_room(memory: Memory) -> None:
    """However much there is of one kind, others have their share."""
    for number in range(100):
        memory.work(SHOP).remember(f"Fact {number}: {'many words ' * 12}")
        memory.work(SHOP).remember(f"Rule {number}: {'more words ' * 12}", kind="constraint")
    memory.work(SHOP).open_task("Totals")
    talk(memory, "s-1", "Rounding")
    note(memory, "finding", "Floats lose cents", session="s-1")
    brief = brief_of(memory)

    assert 7_500 < len(brief.text) <= 8_000
    assert len(section(brief, "Rules")) > 10
    assert len(section(brief, "Facts")) > 10
    assert "Totals" in section(brief, "Work")[0]
    assert "Floats lose cents" in section(brief, "From")[1]


def test_lines_are_shorter_where_not_all_have_room(memory: Memory) -> None:
    """So that more of them have."""
    memory.work(SHOP).remember("One long fact: " + "and many words " * 30)
    alone = section(brief_of(memory), "Facts")[0]
    for number in range(100):
        memory.work(SHOP).remember(f"Fact {number}: {'many words ' * 30}")

    assert 200 < len(alone) <= 220
    assert max(len(line) for line in section(brief_of(memory), "Facts")) <= 160


def test_laid_out_is_written_within_its_room(memory: Memory) -> None:
    """Headings and empty lines count, too."""
    for number in range(30):
        memory.work(SHOP).remember(f"Fact {number}: {'many words ' * (number % 7)}")
        note(memory, "decision", f"Decision {number} {'of words ' * (number % 5)}", session=f"s-{number % 3}")
    material = gather(memory.ledger, SHOP)

    for most in range(0, 4_000, 37):
        assert len(written(laid_out(material, most))) <= most


def test_sections_are_written_one_under_the_other() -> None:
    """With a heading each, and an empty line between them."""
    sections = [Section("Rules", [Line("- A [m-1]", "m-1")]), Section("Work", [Line("- B [t-1]", "t-1")])]

    assert written(sections) == "## Rules\n- A [m-1]\n\n## Work\n- B [t-1]"
