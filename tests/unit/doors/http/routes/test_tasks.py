"""Tasks over HTTP: opened, claimed, ended, and what can be begun."""

import pytest

from noctuary.records import Session
from tests.unit.doors.http.serving import BLOG, OF_SHOP, SHOP, Served

pytestmark = pytest.mark.slow


def test_a_task_goes_from_its_beginning_to_its_end(served: Served) -> None:
    """Opened, claimed, closed, opened again."""
    task = served.task("Write it down", goal="So that it is not lost", priority="high")

    claimed = served.post(f"/tasks/{task}/claim", {"agent": "ana-1"})
    taken = served.ask("POST", f"/tasks/{task}/claim", {"agent": "bob-1"})
    closed = served.post(f"/tasks/{task}/close", {"outcome": "It is written.", "session": "ana-1"})
    opened = served.post(f"/tasks/{task}/reopen", {"reason": "A page is missing."})

    assert (claimed["status"], claimed["assigned_to"]) == ("claimed", "ana-1")
    assert taken.status_code == 409
    assert (closed["node"]["status"], closed["node"]["outcome"]) == ("completed", "It is written.")
    assert opened["status"] == "ready"


def test_a_claim_is_given_back(served: Served) -> None:
    """By who holds it, and by nobody else."""
    task = served.task("Write it down")
    served.post(f"/tasks/{task}/claim", {"agent": "ana-1"})

    assert served.ask("POST", f"/tasks/{task}/release", {"agent": "bob-1"}).status_code == 409
    assert served.post(f"/tasks/{task}/release", {"agent": "ana-1"})["status"] == "ready"


def test_tasks_are_listed_in_parts_by_status(served: Served) -> None:
    """The oldest first, of one project or of all."""
    tasks = [served.task(f"Task {number}") for number in range(5)]
    served.task("Elsewhere", project=BLOG)
    served.post(f"/tasks/{tasks[0]}/close", {})

    first = served.get(f"/tasks?project={SHOP}&limit=3")
    rest = served.get(f"/tasks?project={SHOP}&limit=3&cursor={first['next']}")

    assert {each["id"] for each in (*first["items"], *rest["items"])} == set(tasks)
    assert [each["id"] for each in served.get("/tasks?status=closed")["items"]] == [tasks[0]]
    assert len(served.get("/tasks")["items"]) == 6


def test_what_can_be_begun_comes_in_its_order(served: Served) -> None:
    """What waits for another does not; the most important is next."""
    first, second = served.task("First"), served.task("Second", priority="critical")
    served.post("/graph/edges", {"type": "depends_on", "from_id": second, "to_id": first})
    urgent = served.task("Urgent", priority="high")

    assert [each["id"] for each in served.get("/work/ready")["tasks"]] == [urgent, first]
    assert served.get("/work/next")["task"]["id"] == urgent
    assert served.get(f"/work/next?project={BLOG}")["task"] is None


def test_fields_are_set_and_cleared(served: Served) -> None:
    """What is not named stays as it is; null clears."""
    task = served.task("Write it down", goal="So that it is not lost", labels=["docs"])

    served.ask("PATCH", f"/tasks/{task}", {"goal": None, "priority": "low", "title": "Write"})

    node = served.get(f"/tasks/{task}")["node"]
    assert (node["title"], node["goal"], node["priority"], node["labels"]) == ("Write", None, "low", ["docs"])


def test_the_record_of_a_task_is_checked_and_packed(served: Served) -> None:
    """What it lacks, and all that one needs to go on."""
    task = served.task("Write it down")
    served.post("/events", {"kind": "finding", "text": "Paper is short.", "node": task})

    assert served.get(f"/tasks/{task}/check")["gaps"][0]["kind"] == "NoGoal"
    assert "Paper is short." in served.get(f"/tasks/{task}/pack")["text"]
    assert len(served.get(f"/tasks/{task}/pack?budget=500")["text"]) <= 500


def test_what_is_joined_with_another_project_tells_a_key_of_one_nothing_of_it(served: Served) -> None:
    """Edges and nodes of the other are left out; texts that could name it are refused, and so are errors."""
    ours, theirs = served.task("Ours"), served.task("The secret of the blog", project=BLOG)
    served.post("/graph/edges", {"type": "depends_on", "from_id": ours, "to_id": theirs})

    view = served.ask("GET", f"/tasks/{ours}", as_=OF_SHOP)
    texts = [
        view,
        served.ask("GET", "/work/ready", as_=OF_SHOP),
        served.ask("GET", "/graph/tree", as_=OF_SHOP),
        served.ask("GET", "/graph/export", as_=OF_SHOP),
        served.ask("GET", f"/tasks/{ours}/pack", as_=OF_SHOP),
        served.ask("GET", f"/tasks/{ours}/check", as_=OF_SHOP),
        served.ask("GET", f"/handoff?goal={ours}", as_=OF_SHOP),
        served.ask("POST", f"/tasks/{ours}/claim", {"agent": "x"}, as_=OF_SHOP),
        served.ask("POST", f"/tasks/{ours}/close", {}, as_=OF_SHOP),
    ]

    assert view.json()["edges"] == []
    assert [each.status_code for each in texts] == [200, 200, 200, 200, 403, 403, 403, 409, 200]
    for answer in texts:
        assert theirs not in answer.text
        assert "secret of the blog" not in answer.text


def test_an_agents_session_is_kept_with_what_it_writes(served: Served) -> None:
    """So that notes go to the task it works on."""
    with served.memory() as memory:
        memory.add_session(Session(id="agent-1"), ())
    task = served.task("Write it down", session="agent-1")

    entry = served.post(
        "/events", {"kind": "finding", "text": "Paper is short.", "project": SHOP, "session": "agent-1"}
    )

    assert entry["node"] == task


@pytest.mark.parametrize("project", ["商店", "Ωmega/лавка", "~ana/shop", ".dotfiles"])
def test_projects_have_names_of_any_script(served: Served, project: str) -> None:
    """What the command line takes as the name of a project is one here."""
    task = served.task("Ours", project=project)

    assert [each["id"] for each in served.get("/tasks", params={"project": project})["items"]] == [task]
