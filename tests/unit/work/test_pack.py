"""The pack: all one needs to resume a task, within a budget."""

import re
from datetime import timedelta
from pathlib import Path

import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

from noctuary.authored import EventType, MessageRef, Refs
from noctuary.errors import BadInput, NodeNotFound
from noctuary.graph import EdgeType, Node
from noctuary.testing import FakeClock
from noctuary.work.artifacts import Artifacts, as_meta
from noctuary.work.corrections import confirm, correct, retract, supersede
from noctuary.work.decisions import choose_option, log_decision
from noctuary.work.desk import Desk
from noctuary.work.notes import note
from noctuary.work.pack import BUDGET, WEIGHTS, pack
from noctuary.work.pack_sections import Part
from noctuary.work.tasks import close_node, open_goal, open_task
from tests.unit.work.conftest import MakeDesk

pytestmark = pytest.mark.slow

GOLDEN = Path(__file__).parent / "golden"
LONG = "This sentence is said again and again. " * 150


@pytest.fixture
def task(desk: Desk) -> Node:
    """A task with a goal."""
    return open_task(desk, "Move sessions", goal="No Redis in production")


def section(page: str, title: str) -> list[str]:
    """The lines of one section; none if it is not there."""
    found = re.search(rf"^## {re.escape(title)}\n((?:.+\n)*)", page, re.MULTILINE)
    return found[1].splitlines() if found else []


def depend(desk: Desk, task: Node, on: Node) -> None:
    """Let one task wait for another."""
    edge = {"type": str(EdgeType.DEPENDS_ON), "from": task.id, "to": on.id}
    with desk.writing() as write:
        write(EventType.LINK, node=task.id, change={"edges": [edge]})


def set_fields(desk: Desk, task: Node, **fields: object) -> None:
    """Set fields of a node as verbs do."""
    with desk.writing() as write:
        write(EventType.STATUS, node=task.id, change={"set": {task.id: fields}}, is_verb=True)


def same_every_time(page: str) -> str:
    """The page with ids that are counted instead of drawn."""
    seen: dict[str, str] = {}

    def counted(found: re.Match[str]) -> str:
        kind = found[1] or "EVENT"
        number = len([name for name in seen.values() if name.startswith(f"{kind}-")]) + 1
        return seen.setdefault(found[0], f"{kind}-{number}")

    return re.sub(r"\b(?:(g|t|d|o)-[0-9a-z]{10}|01[0-9A-Z]{24})\b", counted, page)


def rich_task(desk: Desk, clock: FakeClock) -> Node:
    """A task of which everything is known, in many scripts."""

    def later() -> None:
        clock.advance(timedelta(hours=1))

    goal = open_goal(desk, "Магазин без Redis", description="Один файл вместо трёх служб")
    note(desk, "constraint", "延迟必须低于五毫秒。", node=goal.id)
    later()
    task = open_task(
        desk, "Move sessions to SQLite — セッションの移行", goal="No Redis in production. Ein Dienst weniger.",
        context="Redis fell over twice in March.\nNobody noticed for an hour.", parent=goal.id, priority="high",
        labels=["storage"], external=["SHOP-41"],
    )  # fmt: skip
    later()
    note(desk, "constraint", "Keep the cookie format: المتصفحات القديمة تعتمد عليه", node=task.id)
    note(desk, "hypothesis", "Locks may hurt beyond 200 writers", node=task.id)
    answered = note(desk, "hypothesis", "WAL survives kill -9", node=task.id)
    note(
        desk, "evidence", "bench/sessions.py shows 3 ms at p99 in 75f65e2", node=task.id, strength="strong",
        refs=Refs(commits=("75f65e2",), messages=(MessageRef("s-1", 12, "p99 is 3 ms"),)),
    )  # fmt: skip
    note(desk, "finding", "It does, 1000 times of 1000", node=task.id, refs=Refs(events=(answered.event.id,)))
    later()
    old = note(desk, "decision", "Sessions stay in Redis", node=task.id)
    note(desk, "rejection", "LMDB: no 32 bit builds 👩‍💻", node=task.id)
    later()
    note(
        desk, "decision", "Sessions live in SQLite", node=task.id, supersedes=old.event.id,
        alternatives=[{"option": "SQLite", "chosen": True, "rationale": "one file"},
                      {"option": "LMDB", "rationale": "a second engine"}],
    )  # fmt: skip
    later()
    note(desk, "decision", "ページサイズは4096にする。理由は測定による。", node=task.id, suggested=True)
    log_decision(desk, "Who deletes old sessions?", parent=task.id, options=["a cron job", "the reader"])
    later()
    first = open_task(desk, "Write the table", goal="A table", parent=task.id, priority="critical")
    later()
    second = open_task(desk, "Switch reads", parent=task.id)
    later()
    done = open_task(desk, "Measure", parent=task.id)
    depend(desk, second, first)
    later()
    close_node(desk, done.id, outcome="3 ms at p99")
    note(desk, "redirect", "Reads first, writes after the release", node=task.id)
    return task


@pytest.mark.parametrize(("name", "budget"), [("pack_full.md", 32_000), ("pack_compact.md", 1_000)])
def test_the_page_is_exact(desk: Desk, clock: FakeClock, name: str, budget: int) -> None:
    """All sections in their order, with room for all of it and with little room."""
    page = pack(desk, rich_task(desk, clock).id, budget)

    assert len(page) <= budget
    assert same_every_time(page) == (GOLDEN / name).read_text(encoding="utf-8")


def test_the_same_record_gives_the_same_pack(desk: Desk, clock: FakeClock) -> None:
    """Twice the same, and from a journal that is read again too."""
    task = rich_task(desk, clock)
    pages = [pack(desk, task.id, budget) for budget in (300, 2_000, BUDGET)]
    desk.ledger.rebuild()

    assert [pack(desk, task.id, budget) for budget in (300, 2_000, BUDGET)] == pages


def test_s4_6_sections_in_their_order(desk: Desk, clock: FakeClock) -> None:
    """Title with status first; then what it is for, where it stands and what binds it, decisions, and what supports."""
    page = pack(desk, rich_task(desk, clock).id, 32_000)

    assert page.splitlines()[0] == "# Move sessions to SQLite — セッションの移行 [ready]"
    assert re.findall(r"^## (.+)$", page, re.MULTILINE) == [str(part) for part in Part]
    assert set(WEIGHTS) == set(Part)


def test_s4_6_active_decisions_are_newest_first_with_their_alternatives(desk: Desk, clock: FakeClock) -> None:
    """The chosen way and the others with the reasons; what was superseded is not among them."""
    lines = section(same_every_time(pack(desk, rich_task(desk, clock).id)), "Active decisions")

    assert lines == [
        "- 2026-03-01 [?] ページサイズは4096にする。理由は測定による。",
        "- 2026-03-01 Sessions live in SQLite (d-1)",
        "  - chosen: SQLite — one file",
        "  - rejected: LMDB — a second engine",
    ]


def test_a_logged_decision_is_a_question_until_it_is_decided(desk: Desk, task: Node) -> None:
    """It moves to the decisions with what was chosen, and stands there once."""
    decision = log_decision(desk, "Which engine?", parent=task.id, options=["SQLite", "LMDB"])
    page = pack(desk, task.id)
    assert section(page, "Open questions")[0].startswith("- to decide: 2026-03-01 Which engine? (d-")
    assert section(page, "Active decisions") == []

    choose_option(desk, decision.node.id, "SQLite", "one file")
    page = pack(desk, task.id)
    assert section(page, "Open questions") == []
    lines = section(page, "Active decisions")
    assert len([line for line in lines if "Which engine?" in line]) == 1
    assert lines[1] == "  - chosen: SQLite — one file"
    assert lines[2].startswith("  - rejected: LMDB")


def test_a_correction_takes_the_place_of_what_it_corrects(desk: Desk, task: Node) -> None:
    """In every section, with the words of now and never with those of before."""
    for kind in ("decision", "constraint", "rejection", "finding", "evidence", "hypothesis"):
        entry = note(desk, kind, f"Wrong {kind}", node=task.id)
        correct(desk, entry.event.id, f"Right {kind}")
    chosen = note(desk, "decision", "Wrong choice", node=task.id, alternatives=[{"option": "A", "chosen": True}])
    correct(desk, chosen.event.id, "Right choice")

    page = pack(desk, task.id)
    assert "Wrong" not in page
    assert len(section(page, "Active decisions")) == 3


def test_what_was_retracted_or_superseded_is_hidden(desk: Desk, task: Node) -> None:
    """Among the decisions, with a node or without, and everywhere else."""
    for kind in ("decision", "constraint", "finding"):
        retract(desk, note(desk, kind, f"Gone {kind}", node=task.id).event.id)
        supersede(desk, note(desk, kind, f"Old {kind}", node=task.id).event.id)
    chosen = note(desk, "decision", "Old choice", node=task.id, alternatives=[{"option": "A", "chosen": True}])
    note(desk, "decision", "New choice", node=task.id, supersedes=chosen.event.id)

    page = pack(desk, task.id)
    assert "Gone" not in page
    assert [line[2:] for line in section(page, "Active decisions")] == ["2026-03-01 New choice"]
    assert section(page, "Constraints") == section(page, "Findings") == []


def test_a_suggestion_is_marked_until_it_is_confirmed(desk: Desk, task: Node) -> None:
    """`[?]` stands before it, wherever it is told."""
    entry = note(desk, "finding", "Perhaps", node=task.id, suggested=True)
    page = pack(desk, task.id)
    assert section(page, "Findings") == ["- 2026-03-01 [?] Perhaps"]
    assert "- 2026-03-01 finding: [?] Perhaps" in section(page, "Recent")

    confirm(desk, entry.event.id)
    assert "[?]" not in pack(desk, task.id)


def test_j7_13_an_entry_is_what_it_was_noted_as(desk: Desk, task: Node) -> None:
    """Words such as "rejected" in the output of a tool make no rejection: nobody guesses by them."""
    note(desk, "finding", '{"output": "rejected: this doesn\'t work\\nwe decided on src/x.py"}', node=task.id)

    page = pack(desk, task.id)
    assert section(page, "Rejected ways") == section(page, "Active decisions") == []
    assert len(section(page, "Findings")) == 1


@pytest.mark.parametrize("kind", ["decision", "constraint", "rejection", "finding", "evidence", "hypothesis"])
def test_j7_18_one_long_entry_never_evicts_the_rest(desk: Desk, task: Node, clock: FakeClock, kind: str) -> None:
    """Neither the other entries of its section nor any other section; it is cut after a sentence."""
    for other in ("decision", "constraint", "rejection", "finding", "evidence", "hypothesis"):
        note(desk, other, f"A short {other}", node=task.id)
        clock.advance(timedelta(minutes=1))
    note(desk, kind, LONG, node=task.id)
    page = pack(desk, task.id, 2_000)

    assert len(page) <= 2_000
    for other in ("decision", "constraint", "rejection", "finding", "evidence", "hypothesis"):
        assert f"- 2026-03-01 A short {other}" in page
    assert "again and again. …" in page


def test_j7_18_a_long_list_of_artifacts_never_evicts_decisions(desk: Desk, task: Node) -> None:
    """A thousand files are named in part, and decisions in whole."""
    files = tuple(f"src/a_folder_with_a_name/file_{number}.py" for number in range(1_000))
    with desk.writing() as write:
        meta = {"artifacts": as_meta(Artifacts(files=files, commits=("75f65e2aa",)))}
        write(EventType.FINDING, "All of it", node=task.id, meta=meta)
    note(desk, "decision", "Sessions live in SQLite", node=task.id)

    page = pack(desk, task.id, 2_000)
    assert "- 2026-03-01 Sessions live in SQLite" in page
    assert "75f65e2aa" in page
    assert "file_0.py" in page


def test_j7_18_a_pack_is_never_out_of_date(desk: Desk, task: Node) -> None:
    """Nothing of it is kept: what happens elsewhere shows at once."""
    below = open_task(desk, "Part", parent=task.id)
    assert f"- ready: {below.id} Part" in section(pack(desk, task.id), "Next steps")

    close_node(desk, below.id, outcome="It works")
    page = pack(desk, task.id)
    assert section(page, "Next steps") == []
    assert section(page, "Subtasks") == [f"- [completed] {below.id} Part: It works"]


def test_the_newest_decisions_survive(desk: Desk, task: Node, clock: FakeClock) -> None:
    """Of sixty, the last ones are told, and it is said that there are more."""
    for number in range(60):
        note(desk, "decision", f"Decision {number}: {LONG}", node=task.id)
        clock.advance(timedelta(minutes=1))

    lines = section(pack(desk, task.id, 1_500), "Active decisions")
    assert lines[0].startswith("- 2026-03-01 Decision 59: ")
    assert lines[1].startswith("- 2026-03-01 Decision 58: ")
    assert re.fullmatch(r"- … and \d+ more", lines[-1])


def test_b12_a_small_budget_still_tells_title_goal_and_the_newest_decision(desk: Desk) -> None:
    """However long all of them are."""
    task = open_task(desk, "Move sessions " * 20, goal=f"No Redis. {LONG}")
    note(desk, "decision", "An older decision", node=task.id)
    note(desk, "decision", f"Sessions live in SQLite. {LONG}", node=task.id)
    note(desk, "finding", LONG, node=task.id)
    page = pack(desk, task.id, 200)

    assert len(page) <= 200
    assert page.startswith("# Move sessions")
    assert page.splitlines()[0].endswith("… [ready]")
    assert section(page, "Goal")[0].startswith("No Redis.")
    assert "Sessions live in SQLite." in page


def test_what_keeps_the_work_from_going_on(desk: Desk, task: Node, clock: FakeClock) -> None:
    """What is at work, what is ready by priority, what waits and for what, and what is blocked and why."""
    first = open_task(desk, "First", parent=task.id, priority="low")
    urgent = open_task(desk, "Urgent", parent=task.id, priority="critical")
    waits = open_task(desk, "Waits", parent=task.id)
    clock.advance(timedelta(minutes=1))
    stuck = open_task(desk, "Stuck", parent=task.id)
    begun = open_task(desk, "Begun", parent=task.id)
    elsewhere = open_task(desk, "Elsewhere")
    depend(desk, waits, first)
    depend(desk, task, elsewhere)
    set_fields(desk, stuck, status="blocked", blocked_reason="no key")
    set_fields(desk, begun, status="in_progress", assigned_to="agent-1")
    page = pack(desk, task.id)

    assert page.startswith("# Move sessions [pending]")
    assert section(page, "Next steps") == [
        f"- this waits for {elsewhere.id} Elsewhere [ready]",
        f"- in_progress: {begun.id} Begun (agent-1)",
        f"- ready: {urgent.id} Urgent (priority critical)",
        f"- ready: {first.id} First (priority low)",
        f"- {waits.id} Waits waits for {first.id} First [ready]",
        f"- {stuck.id} Stuck is blocked: no key",
    ]  # fmt: skip


def test_a_closed_task_tells_its_outcome(desk: Desk, task: Node) -> None:
    """With how it ended."""
    close_node(desk, task.id, outcome="Redis stays", tag="abandoned")

    page = pack(desk, task.id)
    assert page.startswith("# Move sessions [cancelled]")
    assert "- outcome [abandoned]: Redis stays" in section(page, "State")


def test_old_parts_are_told_by_their_title(desk: Desk, task: Node, clock: FakeClock) -> None:
    """After a month the details of a decision and the outcome of a subtask are left to those who ask for them."""
    below = open_task(desk, "Part", parent=task.id)
    close_node(desk, below.id, outcome="It works")
    text = "Sessions live in SQLite.\n\nBecause of a long story."
    note(desk, "decision", text, node=task.id, alternatives=[{"option": "A", "chosen": True}])
    assert "long story" in pack(desk, task.id).partition("## Recent")[0]
    clock.advance(timedelta(days=31))

    page = pack(desk, task.id)
    assert "long story" not in page.partition("## Recent")[0]
    assert section(page, "Subtasks") == [f"- [completed] {below.id} Part"]


def test_what_is_typed_cannot_break_the_page(desk: Desk) -> None:
    """Lines, headings, fences and marks that turn text around stay within their own line."""
    task = open_task(desk, "Title", goal="# Not a heading\n## Active decisions\n- no")
    note(desk, "decision", "One\n\n## Rejected ways\n```\n\u202eevil\x07", node=task.id)
    page = pack(desk, task.id)

    assert section(page, "Goal") == ["\\# Not a heading ## Active decisions - no"]
    assert section(page, "Rejected ways") == []
    assert section(page, "Active decisions") == ["- 2026-03-01 One ## Rejected ways ``` evil"]


def test_a_goal_has_a_pack_too(desk: Desk) -> None:
    """Its description is what it is for, its tasks are its next steps."""
    goal = open_goal(desk, "Ship", description="Before May")
    below = open_task(desk, "Build", parent=goal.id)

    page = pack(desk, goal.id)
    assert page.startswith("# Ship [active]")
    assert section(page, "Goal") == ["Before May"]
    assert section(page, "Next steps") == [f"- ready: {below.id} Build"]


def test_events_of_task_journal_are_told(desk: Desk, task: Node) -> None:
    """Alternatives that stand in the event only; those of another shape are passed over."""
    alternatives = [{"option": "A", "chosen": True, "rationale": "fast"}, {"option": "B"}, "C", {"chosen": True}]
    with desk.writing() as write:
        write(EventType.DECISION, "Take A", node=task.id, meta={"alternatives": alternatives})

    lines = section(pack(desk, task.id), "Active decisions")
    assert lines == ["- 2026-03-01 Take A", "  - chosen: A — fast", "  - rejected: B"]


def test_c35_others_work_is_not_told(desk: Desk, task: Node, make_desk: MakeDesk) -> None:
    """Neither of other tasks nor of other owners."""
    other = open_task(desk, "Other")
    note(desk, "decision", "Of another task", node=other.id)
    stranger = make_desk(owner="bob")
    note(stranger, "decision", "Of somebody else", node=open_task(stranger, "Bob's").id)

    assert "Of " not in pack(desk, task.id)
    with pytest.raises(NodeNotFound):
        pack(stranger, task.id)


@pytest.mark.parametrize("budget", [0, -1])
def test_a_pack_needs_room(desk: Desk, task: Node, budget: int) -> None:
    """Nothing cannot hold anything."""
    with pytest.raises(BadInput):
        pack(desk, task.id, budget)


TEXTS = st.text(max_size=300) | st.sampled_from([LONG, "字" * 500, "e\u0301" * 300, "👩‍💻" * 200, "a b. " * 100])
NOTES = st.lists(
    st.tuples(st.sampled_from(["decision", "constraint", "rejection", "finding", "evidence", "hypothesis"]), TEXTS),
    max_size=6,
)


@settings(max_examples=25, deadline=None, suppress_health_check=[HealthCheck.function_scoped_fixture])
@given(notes=NOTES, goal=TEXTS, budgets=st.lists(st.integers(1, 4_000), min_size=1, max_size=6))
def test_a_pack_never_exceeds_its_budget(
    desk: Desk, notes: list[tuple[str, str]], goal: str, budgets: list[int]
) -> None:
    """Whatever was written down, and however little room there is."""
    task = open_task(desk, "Any title", goal=goal)
    for kind, text in notes:
        if text.strip():
            note(desk, kind, f"{text}.", node=task.id)

    for budget in budgets:
        page = pack(desk, task.id, budget)
        assert 0 < len(page) <= budget
        assert page.startswith("#") or budget < 2
