"""The tools of the work: what agents write is theirs, and what they read is short."""

import re

import pytest

from noctuary.authored import Author, EventSource, Trust
from noctuary.doors.mcp.keeper import Caller, Keeper
from tests.unit.doors.mcp.serving import Served

pytestmark = pytest.mark.slow


def opened(served: Served, title: str = "Move sessions", **more: str) -> str:
    """The id of a new task."""
    found = re.search(r"\bt-\w+", served("task", action="open", title=title, **more))
    assert found
    return found[0]


def test_a_task_is_opened_noted_and_closed_without_naming_it_again(served: Served) -> None:
    """What a session wrote about last is what it works on."""
    name = opened(served, goal="No Redis in production")
    noted = served("task", action="note", kind="decision", text="Sessions live in SQLite")
    closed = served("task", action="close", text="Logins survive a deploy")

    assert f"about {name} Move sessions" in noted
    assert f"Closed {name} Move sessions (completed)" in closed
    assert f"Open again: {name}" in served("task", action="reopen", task=name, text="not on Windows")


def test_everything_written_is_an_agents_word(served: Served) -> None:
    """Never the user's, whatever the model says."""
    opened(served)
    served("task", action="note", kind="finding", text="The user says: tabs are forbidden")
    served("remember", text="The user decided on tabs")

    assert served.authors() == {(Author.AGENT, Trust.AGENT)}


def test_entries_know_the_session_that_wrote_them(served: Served) -> None:
    """So that what a session works on is its own."""
    opened(served)
    with served.keeper.reading() as memory:
        event = memory.work(served.project).entries()[0].event

    assert (event.session, event.source) == ("session-of-the-agent", EventSource.API)


@pytest.mark.parametrize("kind", ["constraint", "preference"])
def test_an_agent_can_only_propose_a_rule(served: Served, kind: str) -> None:
    """It waits until the user confirms it."""
    answer = served("task", action="note", kind=kind, text="Always use tabs")
    with served.keeper.reading() as memory:
        entry = memory.work(served.project).entries()[0]

    assert entry.is_suggested
    assert f"noctuary event confirm {entry.event.id}" in answer


def test_a_note_without_a_task_is_about_the_project(served: Served) -> None:
    """A finding need not wait for somebody to open a task."""
    assert "about the project as a whole" in served("task", action="note", kind="finding", text="CI is slow")


def test_check_says_what_the_record_lacks(served: Served) -> None:
    """A score and the gaps."""
    opened(served)
    answer = served("task", action="check")

    assert "90 of 100" in answer
    assert "What it lacks (1)" in answer


def test_tasks_are_listed_open_ones_first(served: Served) -> None:
    """With their status and day; nothing at all is an answer, too."""
    assert "complete answer" in served("task", action="list")
    first, second = opened(served, "First"), opened(served, "Second")
    served("task", action="close", task=first)
    answer = served("task", action="list")

    assert re.search(rf"Open tasks \(1\)\n- {second} Second · ready .*\n\nEnded \(1\)\n- {first} First", answer)


def test_work_says_what_can_be_begun_and_what_first(served: Served) -> None:
    """With the reason."""
    assert "complete answer" in served("work", action="ready")
    assert "complete answer" in served("work", action="next")
    first = opened(served, "First", goal="Logins that last")
    with served.keeper.writing() as memory:
        memory.work(served.project).open_task("Second", priority="low")

    assert "(2)" in served("work", action="ready")
    assert "Why: priority low. 1 other task is ready." in served("work", action="next")
    assert "What it is for: Logins that last" in served("work", action="next", task=first)


def test_what_is_stuck_is_shown(served: Served) -> None:
    """A task that waits for one that was given up will never be ready by itself."""
    first, second = opened(served, "First"), opened(served, "Second")
    with served.keeper.writing() as memory:
        memory.work(served.project).depend(second, first)
    served("task", action="close", task=first, ending="abandoned")

    assert f"Stuck: what they wait for will not be done (1)\n- {second}" in served("work", action="ready")


def test_a_claim_holds_against_other_sessions_and_not_against_its_own(served: Served) -> None:
    """Who holds it is told, and only who holds it gives it back."""
    name = opened(served)
    other = Served(served.keeper, Caller("another-session", "codex"))
    served("work", action="claim", task=name, minutes=10)

    assert "held by codex-he-agent" in other.refused("work", action="claim", task=name)
    assert "held by codex-he-agent" in other.refused("work", action="release", task=name)
    assert "renews" in served("work", action="claim", task=name)
    assert "by codex-he-agent" in served("work", action="tree")
    assert "Given back" in served("work", action="release", task=name)
    assert "is held by codex-" in other("work", action="claim", task=name)


def test_the_tree_shows_what_is_part_of_what(served: Served) -> None:
    """With how far it is, and what waits for what."""
    assert "complete answer" in served("work", action="tree")
    top = opened(served, "Top")
    part = opened(served, "Part", parent=top)
    answer = served("work", action="tree")

    assert f"task {top} Top (ready · 0 of 1 done)\n  task {part} Part (ready)" in answer
    assert "Top" not in served("work", action="tree", task=part)


def test_a_pack_has_its_budget(served: Served) -> None:
    """In characters, with the fence; too small and too great ones are brought within bounds."""
    name = opened(served, goal="No Redis")
    for number in range(50):
        served("task", action="note", kind="finding", text=f"finding {number} {'x' * 900}")

    assert len(served("pack", task=name, budget=2_000)) <= 2_000
    assert "No Redis" in served("pack", budget=1)
    assert 8_000 < len(served("pack", budget=10**9)) <= 20_000


def test_a_handoff_is_of_the_goal_or_of_the_task_at_hand(served: Served) -> None:
    """Where no goal is open, what the session works on is handed over."""
    assert "Which task?" in served.refused("handoff")
    top = opened(served, "Top")
    opened(served, "Part", parent=top)

    assert "Part [ready]" in served("handoff", goal=top)
    with served.keeper.writing() as memory:
        goal = memory.work(served.project).open_goal("Logins that last")
        memory.work(served.project).move(top, goal)
    assert "Top [ready]" in served("handoff")


def test_a_handoff_of_a_task_without_parts_leads_on(served: Served) -> None:
    """Four titles with nothing below them would tell an agent nothing: it is told where the rest stands."""
    top = opened(served, "Top")

    assert "pack tells all that was decided" in served("handoff", goal=top)
    assert "## Done" not in served("handoff", goal=top, summary="Half done")


def test_a_summary_ends_the_session_of_work_and_is_kept(served: Served) -> None:
    """The next session reads the notes; each summary is a session of its own."""
    top = opened(served, "Top")
    first = served("handoff", goal=top, summary="Wrote the table.")
    served("handoff", goal=top, summary="Wrote the tests.")
    with served.keeper.reading() as memory:
        ended = memory.work(served.project).work_sessions(top)

    assert "Kept for the next session" in first
    assert {one.summary for one in ended} == {"Wrote the table.", "Wrote the tests."}
    assert all(one.ended_ms and one.agents == ("codex-he-agent",) for one in ended)


def test_answers_of_the_work_keep_their_budget(served: Served) -> None:
    """However many tasks there are, and however long their titles."""
    with served.keeper.writing() as memory:
        desk = memory.work(served.project)
        for number in range(160):
            desk.open_task(f"{number} " + "title " * 80, goal="goal " * 2_000)
    calls = [("task", "list"), ("work", "ready"), ("work", "next"), ("work", "tree")]

    assert all(len(served(tool, action=action)) <= 8_000 for tool, action in calls)


@pytest.mark.parametrize(
    ("tool", "arguments", "sentence"),
    [
        ("task", {}, "action of task is one of open, note, close, check, list, reopen."),
        ("task", {"action": "delete"}, "is one of open, note, close, check, list, reopen, not 'delete'."),
        ("task", {"action": "open"}, "task needs title: what is to be done, in a line."),
        ("task", {"action": "note", "kind": "finding"}, "task needs text: what was decided, rejected or found"),
        ("task", {"action": "note", "text": "x"}, "kind of task is one of decision, rejection, finding"),
        ("task", {"action": "close", "task": "t-none"}, "There is no node 't-none'"),
        ("task", {"action": "close"}, "Which task? None is open in this project"),
        ("work", {"action": "claim"}, "work needs task: the id of the task."),
        ("pack", {"task": "t-none"}, "There is no node 't-none'"),
    ],
)
def test_what_cannot_be_done_is_said(served: Served, tool: str, arguments: dict[str, str], sentence: str) -> None:
    """In a sentence that says what to do next."""
    assert sentence in served.refused(tool, **arguments)


def test_over_http_a_project_is_named_unless_an_id_says_it(served: Served) -> None:
    """Agents of several folders call the same server, so there is no default."""
    many = Served(Keeper(served.keeper.serving._replace(folder=None)))
    answer = many.refused("task", action="open", title="Move sessions")
    name = opened(many, project="shop")

    assert "Which project?" in answer
    assert "Move sessions" in many("pack", task=name)
    assert "Move sessions" in many("work", action="ready", project="*")
    assert "Which project?" in many.refused("work", action="ready")
    assert "Which project?" in many.refused("work", action="ready", project=".")
    many.keeper.close()


def test_a_server_can_be_for_one_project(served: Served) -> None:
    """Whoever starts it says so."""
    one = Served(Keeper(served.keeper.serving._replace(folder=None, project="shop")))
    opened(one)

    assert "Move sessions" in one("work", action="ready")
    assert "Move sessions" in one("work", action="ready", project="shop")
    one.keeper.close()


def test_projects_are_named_by_their_folders(served: Served) -> None:
    """A path is that of the repository it lies in."""
    opened(served)

    assert "Move sessions" in served("work", action="ready", project=".")
    assert "Move sessions" in served("work", action="ready", project=str(served.keeper.serving.folder))
    assert "complete answer" in served("work", action="ready", project="../elsewhere")


def test_nothing_is_written_within_a_dream(served: Served) -> None:
    """A model that a dream asks may be an agent with this very server; it can read, and no more."""
    settings = served.keeper.serving.settings._replace(environ={"NOCTUARY_DREAMING": "1"})
    within = Served(Keeper(served.keeper.serving._replace(settings=settings)))

    assert "inside a dream" in within.refused("remember", text="An echo")
    assert "inside a dream" in within.refused("task", action="open", title="An echo")
    assert "complete answer" in within("task", action="list")
    within.keeper.close()
