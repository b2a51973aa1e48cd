"""The graph over HTTP: nodes, edges, the tree, all of it, and what is handed over."""

import tomllib

import pytest

from noctuary.doors.http.routes.graph import MOST_NODES
from tests.unit.doors.http.serving import BLOG, SHOP, Served

pytestmark = pytest.mark.slow


@pytest.fixture
def goal(served: Served) -> str:
    return str(served.post("/goals", {"title": "A shop that sells", "project": SHOP})["id"])


def test_a_goal_contains_its_tasks(served: Served, goal: str) -> None:
    """The tree has each node before its parts, and says how far it is."""
    task = served.task("Sell", parent=goal)
    served.post(f"/tasks/{task}/close", {})

    branches = served.get(f"/graph/tree?root={goal}")["branches"]

    assert [(each["node"]["id"], each["depth"]) for each in branches] == [(goal, 0), (task, 1)]
    assert (branches[0]["done"], branches[0]["total"]) == (1, 1)
    assert served.get(f"/goals?project={SHOP}")["items"][0]["id"] == goal


def test_nodes_are_joined_once_and_taken_apart(served: Served) -> None:
    """What would be a circle is a conflict."""
    first, second = served.task("First"), served.task("Second")
    edge = {"type": "depends_on", "from_id": second, "to_id": first}

    made, again = served.post("/graph/edges", edge), served.post("/graph/edges", edge)
    circle = served.ask("POST", "/graph/edges", {**edge, "from_id": first, "to_id": second})
    apart = served.ask("DELETE", f"/graph/edges/depends_on/{second}/{first}")

    assert (made["is_new"], again["is_new"]) == (True, False)
    assert circle.status_code == 409
    assert apart.status_code == 200
    assert served.get(f"/graph/nodes/{first}/edges")["edges"] == []
    assert served.ask("DELETE", f"/graph/edges/depends_on/{second}/{first}").status_code == 409


def test_nodes_of_one_type_come_in_parts(served: Served, goal: str) -> None:
    """The oldest first."""
    tasks = {served.task(f"Task {number}") for number in range(3)}

    first = served.get("/graph/nodes?type=task&limit=2")
    rest = served.get(f"/graph/nodes?type=task&limit=2&cursor={first['next']}")

    assert {each["id"] for each in (*first["items"], *rest["items"])} == tasks
    assert goal not in tasks


def test_what_is_too_much_at_once_comes_in_parts(served: Served) -> None:
    """As the refusal of the whole says; each part costs what is in it, however many nodes there are."""
    names = [f"t-{number:05}" for number in range(MOST_NODES + 1)]
    unsaid = (None, None, "[]", None, None, None, None, "[]", None)
    rows = [
        (number, "ana", SHOP, name, "task", name, "pending", "", None, 0, *unsaid, 7, None, None, 7, 0, "{}")
        for number, name in enumerate(names)
    ]
    with served.memory() as memory, memory.store.database.transaction():
        memory.store.database.run_many("save_node", rows)

    refused = served.ask("GET", "/graph/tree")
    first = served.get(f"/graph/nodes?project={SHOP}&limit=200")
    rest = served.get(f"/graph/nodes?limit=200&cursor={first['next']}")

    assert refused.status_code == 409
    assert "/graph/nodes in parts" in refused.json()["detail"]
    assert [each["id"] for each in (*first["items"], *rest["items"])] == names[:400]


def test_all_of_the_graph_is_exported(served: Served, goal: str) -> None:
    """Of a project or of all; a goal alone as the file that can be imported elsewhere."""
    task = served.task("Sell", parent=goal)
    served.task("Write", project=BLOG)

    shop = served.get(f"/graph/export?project={SHOP}")
    text = served.ask("GET", f"/graph/nodes/{goal}/export")

    assert {each["id"] for each in shop["nodes"]} == {goal, task}
    assert [(each["from_id"], each["to_id"]) for each in shop["edges"]] == [(goal, task)]
    assert len(served.get("/graph/export")["nodes"]) == 3
    assert text.headers["content-type"].startswith("application/toml")
    assert tomllib.loads(text.text)["meta"]["goal_id"] == goal


def test_a_session_of_work_hands_over(served: Served, goal: str) -> None:
    """Its notes are where the work stands, and are kept."""
    task = served.task("Sell", parent=goal)
    served.post(f"/tasks/{task}/close", {})

    ended = served.post("/handoff", {"goal": goal, "summary": "Sold the first one."})

    assert ended["summary"] == "Sold the first one."
    assert "Sell" in ended["notes"]
    assert "Sell" in served.get(f"/handoff?goal={goal}")["text"]
    assert served.ask("GET", "/handoff?goal=g-nothing").status_code == 404
