"""A file of a goal comes into the work: what is new is added, what has changed is merged, what is wrong is refused."""

import re
from collections.abc import Callable
from datetime import timedelta

import pytest

from noctuary.authored import EventType
from noctuary.errors import BadChange, BadInput, NoctuaryError
from noctuary.graph import NodeStatus, Priority
from noctuary.testing import FakeClock
from noctuary.work.claims import LONGEST_LEASE_MS
from noctuary.work.desk import Desk
from noctuary.work.interchange.exporting import export_goal
from noctuary.work.interchange.importing import Difference, import_goal, plan_import
from noctuary.work.interchange.merging import Strategy
from noctuary.work.tasks import amend_node, close_node, open_goal, open_task, rename_node
from tests.unit.work.conftest import MakeDesk
from tests.unit.work.machines import amend, make_goal


def small_goal(desk: Desk) -> tuple[str, str]:
    goal = open_goal(desk, "Ship")
    return goal.id, open_task(desk, "Build", parent=goal.id).id


def test_b9_an_edited_file_is_taken_and_what_changed_here_is_kept(here: Desk) -> None:
    """Edited by hand since the export: taken.  Changed here since: kept.  Nothing is a conflict."""
    goal, task = small_goal(here)
    file = export_goal(here, goal).replace('title = "Build"', 'title = "Build all"')
    amend_node(here, task, priority="high")

    plan = import_goal(here, file)

    assert (here.node(task).title, here.node(task).priority) == ("Build all", Priority.HIGH)
    assert plan.is_edited
    assert plan.changed == [Difference(task, "title", "Build", "Build all")]
    assert plan.kept == [Difference(task, "priority", "high", None)]
    assert not plan.conflicts


def test_b9_changed_on_both_sides_is_a_conflict_of_that_field(here: Desk) -> None:
    """A conflict names node, field and both values; the memory stays as it is, and the rest is merged."""
    goal, task = small_goal(here)
    file = export_goal(here, goal).replace('title = "Build"', 'description = "new"\ntitle = "In the file"')
    rename_node(here, task, "Renamed here")

    plan = import_goal(here, file)

    assert plan.conflicts == [Difference(task, "title", "Renamed here", "In the file")]
    assert here.node(task).title == "Renamed here"
    assert here.node(task).description == "new"
    assert import_goal(here, file).conflicts == plan.conflicts


def test_c25_theirs_takes_every_field_and_can_clear_one(here: Desk, there: Desk, clock: FakeClock) -> None:
    """Priority, assignee, labels, who made it, reasons, times and metadata: afterwards the file is what is here."""
    goal = make_goal(here, clock)
    import_goal(there, export_goal(here, goal.id))
    clock.advance(timedelta(days=1))
    for node in there.store.nodes.subtree(there.owner, goal.id):
        amend(there, node.id, title="x", description="x", priority="low", assigned_to="x", created_by="x", goal="x",
              labels=["x"], external=["x"], outcome="x", outcome_tag="x", blocked_reason="x", created_ms=1,
              started_ms=2, completed_ms=3, lease_ms=4, metadata={"size": "x", "more": "x"})  # fmt: skip
    file = export_goal(here, goal.id)

    import_goal(there, file, Strategy.THEIRS)

    assert export_goal(there, goal.id) == file
    assert not plan_import(there, file).changes_anything


def test_b9_ours_keeps_what_is_here_and_adds_what_is_new(here: Desk) -> None:
    """The memory wins wherever both have something; and has then decided, so the file says nothing new any more."""
    goal, task = small_goal(here)
    file = export_goal(here, goal).replace('title = "Build"', 'title = "In the file"')
    file += '\n[nodes.t-new]\nnode_type = "task"\ntitle = "New"\nstatus = "pending"\n'
    rename_node(here, task, "Renamed here")

    plan = import_goal(here, file, Strategy.OURS)

    assert here.node(task).title == "Renamed here"
    assert plan.added_nodes == ["t-new"]
    assert not plan_import(here, file).conflicts


def test_b9_changes_travel_there_and_back(here: Desk, there: Desk) -> None:
    """What is changed on one machine arrives on the other, again and again, and only both at once is a conflict."""
    goal, task = small_goal(here)
    import_goal(there, export_goal(here, goal))
    rename_node(there, task, "Changed there")
    amend_node(here, goal, description="Changed here")

    assert not import_goal(here, export_goal(there, goal)).conflicts
    assert here.node(task).title == "Changed there"
    assert here.node(goal).description == "Changed here"
    assert not import_goal(there, export_goal(here, goal)).conflicts
    assert there.node(goal).description == "Changed here"

    rename_node(there, task, "Again there")
    assert not import_goal(here, export_goal(there, goal)).conflicts
    rename_node(here, task, "Now here")
    assert not import_goal(there, export_goal(here, goal)).conflicts
    assert there.node(task).title == "Now here"

    rename_node(here, task, "Both: here")
    rename_node(there, task, "Both: there")
    assert import_goal(here, export_goal(there, goal)).conflicts == [
        Difference(task, "title", "Both: here", "Both: there")
    ]


def test_b9_one_machine_that_only_exports_is_followed(here: Desk, there: Desk) -> None:
    """Files of where the work began arrive one after another, a value that comes back included."""
    goal, task = small_goal(here)
    for title in ("One", "Two", "One", "Three"):
        rename_node(here, task, title)
        plan = import_goal(there, export_goal(here, goal))
        assert not plan.conflicts
        assert there.node(task).title == title


def test_b9_a_look_at_an_export_makes_no_difference(here: Desk, there: Desk) -> None:
    """What was changed here since the other side got it is kept, however often it was exported meanwhile."""
    goal, task = small_goal(here)
    import_goal(there, export_goal(here, goal))
    rename_node(here, task, "Changed here")
    export_goal(here, goal)

    plan = import_goal(here, export_goal(there, goal))

    assert here.node(task).title == "Changed here"
    assert plan.kept
    assert not plan.changes_anything


def test_b9_a_third_machine_brings_the_change_of_the_second(here: Desk, there: Desk, yonder: Desk) -> None:
    """Files need not come from where the change was made."""
    goal, task = small_goal(here)
    import_goal(there, export_goal(here, goal))
    rename_node(there, task, "By the second")
    import_goal(yonder, export_goal(there, goal))
    new = open_task(yonder, "By the third", parent=goal)

    import_goal(here, export_goal(yonder, goal))

    assert here.node(task).title == "By the second"
    assert here.node(new.id).parent == goal
    rename_node(yonder, new.id, "Renamed by the third")
    import_goal(here, export_goal(yonder, goal))
    assert here.node(new.id).title == "Renamed by the third"


def test_round_trip_after_a_history_of_imports(here: Desk, there: Desk, yonder: Desk) -> None:
    """Whatever came before: what is exported, imported into nothing and exported again is identical."""
    goal, task = small_goal(here)
    import_goal(there, export_goal(here, goal))
    rename_node(there, task, "Changed there")
    amend_node(there, task, priority="high", metadata={"a": "b"})
    file = export_goal(there, goal)

    import_goal(yonder, file)

    assert export_goal(yonder, goal) == file


def test_c25_a_status_is_taken_even_where_no_transition_leads(here: Desk, there: Desk) -> None:
    """What happened elsewhere is a fact; a reason that belongs to the status stays with it."""
    goal, task = small_goal(here)
    import_goal(there, export_goal(here, goal))
    close_node(there, task, tag="abandoned")
    amend(there, task, status="blocked", blocked_reason="stuck")

    import_goal(here, export_goal(there, goal))

    assert (here.node(task).status, here.node(task).blocked_reason) == (NodeStatus.BLOCKED, "stuck")


def test_c26_a_status_typed_into_a_file_gets_its_time(here: Desk, clock: FakeClock) -> None:
    """Whoever writes completed into the file need not know when: it is when the file was imported."""
    goal, task = small_goal(here)
    clock.advance(timedelta(hours=1))

    import_goal(here, export_goal(here, goal).replace('status = "pending"', 'status = "completed"'))

    assert here.node(task).completed_ms == clock.now_ms()


def test_b9_a_dry_run_shows_the_difference_and_changes_nothing(here: Desk, there: Desk, clock: FakeClock) -> None:
    """The plan is the same as the import's."""
    goal = make_goal(here, clock)
    file = export_goal(here, goal.id)

    plan = plan_import(there, file)

    assert there.store.events.count(there.owner) == 0
    assert plan == import_goal(there, file)
    assert there.store.events.count(there.owner) == 1


def test_b9_the_same_file_again_does_nothing(here: Desk, there: Desk, clock: FakeClock) -> None:
    """Unchanged is skipped: no event, no edge counted twice (C-25)."""
    file = export_goal(here, make_goal(here, clock).id)
    import_goal(there, file)

    plan = import_goal(there, file)

    assert (plan.added_nodes, plan.added_edges, plan.changed, plan.unchanged) == ([], [], [], 4)
    assert there.store.events.count(there.owner) == 1


def test_an_import_is_one_event_and_a_rebuild_gives_the_same(here: Desk, there: Desk, clock: FakeClock) -> None:
    """All that was done is in the journal."""
    goal = make_goal(here, clock)
    file = export_goal(here, goal.id)
    import_goal(there, file)
    (entry,) = there.entries(goal.id)

    there.ledger.rebuild()

    assert entry.event.type is EventType.AMEND
    assert entry.event.text == "Imported Ship the shop: 4 new nodes, 4 new edges."
    assert export_goal(there, goal.id) == file


def test_a_node_moved_elsewhere_is_moved_here(here: Desk, there: Desk) -> None:
    """What became part of something else there is no longer part of what it was here."""
    goal, task = small_goal(here)
    other = open_task(here, "Other", parent=goal)
    import_goal(there, export_goal(here, goal))
    with there.writing() as write:
        old, new = ({"type": "contains", "from": parent, "to": other.id} for parent in (goal, task))
        write(EventType.LINK, node=other.id, change={"unlink": [old], "edges": [new]})

    plan = import_goal(here, export_goal(there, goal))

    assert plan.moved == [Difference(other.id, "parent", goal, task)]
    assert here.node(other.id).parent == task
    assert export_goal(here, goal).count("contains") == 2


def test_b9_nothing_is_ever_removed(here: Desk) -> None:
    """What the file does not have stays."""
    goal, _ = small_goal(here)
    file = export_goal(here, goal)
    new = open_task(here, "Later", parent=goal)

    import_goal(here, file, Strategy.THEIRS)

    assert here.node(new.id).parent == goal


def test_c25_a_label_of_an_edge_is_merged(here: Desk) -> None:
    """Edges are changed like nodes, and keep the time they were made."""
    goal, task = small_goal(here)
    other = open_task(here, "Other", parent=goal)
    with here.writing() as write:
        edge = {"type": "depends_on", "from": task, "to": other.id, "label": "old", "created_ms": 1000}
        write(EventType.LINK, node=task, change={"edges": [edge]})

    import_goal(here, export_goal(here, goal).replace('label = "old"', 'label = "new"'))
    file = export_goal(here, goal).replace('edge_type = "contains"', 'edge_type = "contains"\nlabel = "first"', 1)
    assert not import_goal(here, file).conflicts
    assert 'label = "first"' in export_goal(here, goal)

    (kept,) = [edge for edge in here.store.nodes.edges_of(here.owner, [task]) if edge.type == "depends_on"]
    assert (kept.label, kept.created_ms) == ("new", 1000)


def test_secrets_in_a_file_are_redacted_and_do_not_differ_for_ever(here: Desk) -> None:
    """What is stored is without secrets, and the same file again is no change."""
    goal, _ = small_goal(here)
    secret = "ghp_" + "a1B2" * 9
    file = export_goal(here, goal).replace('title = "Build"', f'description = "token {secret}"\ntitle = "Build"')

    import_goal(here, file)

    assert secret not in export_goal(here, goal)
    assert not import_goal(here, file).changes_anything


def test_a_file_with_a_mark_and_windows_lines_is_read(here: Desk, there: Desk) -> None:
    """Editors put a mark at the beginning and carriage returns at the ends of lines; neither means anything."""
    goal, _ = small_goal(here)
    file = export_goal(here, goal)

    import_goal(there, "\ufeff" + file.replace("\n", "\r\n"))

    assert export_goal(there, goal) == file


def test_a_file_written_by_hand_is_read(there: Desk) -> None:
    """Without hashes, ids of edges or times; in whatever case and spelling the types are."""
    file = """
    [meta]
    version = 1
    goal_id = "ra-a3f8"
    project = "/home/ana/code/shop"
    [nodes."ra-a3f8"]
    project_id = "ra-1111"
    node_type = "Goal"
    title = "By\\nhand"
    status = "active"
    created_at = 2026-02-01T10:00:00Z
    [nodes."ra-a3f8.1"]
    node_type = "task"
    title = "Part"
    status = "InProgress"
    [edges.x]
    edge_type = "contains"
    from_node = "ra-a3f8"
    to_node = "ra-a3f8.1"
    """

    import_goal(there, file)

    assert there.node("ra-a3f8").title == "By hand"
    assert there.node("ra-a3f8").created_ms == 1_769_940_000_000
    assert there.node("ra-a3f8.1").status is NodeStatus.IN_PROGRESS
    assert there.node("ra-a3f8.1").parent == "ra-a3f8"


HEAD = '[meta]\nversion = 1\ngoal_id = "g-1"\nproject = "/home/ana/code/shop"\n'
GOAL = '[nodes.g-1]\nnode_type = "goal"\ntitle = "G"\nstatus = "active"\n'


def node(name: str, **fields: str) -> str:
    lines = {"node_type": '"task"', "title": f'"{name}"', "status": '"pending"'} | fields
    return f"[nodes.{name}]\n" + "".join(f"{key} = {value}\n" for key, value in lines.items())


def edge(kind: str, start: str, end: str) -> str:
    return f'[edges.{kind}-{start}-{end}]\nedge_type = "{kind}"\nfrom_node = "{start}"\nto_node = "{end}"\n'


@pytest.mark.parametrize(
    ("file", "said"),
    [
        ("no toml at all", "no TOML"),
        ("a = " + "[" * 100_000, "no TOML: it is nested too deeply"),
        ("", "no file of a goal"),
        ("[package]\nname = 'shop'\n", "no file of a goal"),
        (HEAD.replace("1", "true", 1) + GOAL, "no file of a goal"),
        (HEAD.replace("1", "2", 1) + GOAL, "version 2"),
        (HEAD, "no node 'g-1'"),
        (HEAD + GOAL + "[surprise]\na = 1\n", "part 'surprise'"),
        ("nodes = 3\n" + HEAD, "nodes should be a table"),
        (HEAD + "[nodes]\ng-1 = 3\n", "nodes.g-1 should be a table"),
        (HEAD + GOAL + node("t-1", status='"done"'), "no status 'done'"),
        (HEAD + GOAL + node("t-1", status='"decided"'), "a task cannot be decided"),
        (HEAD + GOAL + node("t-1", node_type='"epic"'), "no type of node 'epic'"),
        (HEAD + GOAL + node("t-1", priority='"urgent"'), "no priority 'urgent'"),
        (HEAD + GOAL + node("t-1", title="3"), "nodes.t-1.title should be a text"),
        (HEAD + GOAL + node("t-1", title='" \\u200b "'), "title is needed"),
        (HEAD + GOAL + node("t-1", titel='"x"'), "'titel', which no node has"),
        (HEAD + GOAL + node("t-1", labels='"x"'), "labels should be a list"),
        (HEAD + GOAL + node("t-1", created_at='"soon"'), "created_at should be a time"),
        (HEAD + GOAL + node("t-1", metadata="{ a = 1 }"), "metadata.a should be a text"),
        (HEAD + GOAL + node("t-1", description='"' + "x" * 1_000_000 + '"'), "1,000,000 characters"),
        (HEAD + GOAL + node("t-1", title='"' + "x" * 1_000_000 + '"'), "characters"),
        (HEAD + GOAL + node('"a b"', title='"x"'), "no id of a node"),
        (HEAD + GOAL + edge("contains", "g-1", "t-9"), "t-9 is neither in it nor here"),
        (HEAD + GOAL + node("t-1") + edge("hugs", "g-1", "t-1"), "no type of edge 'hugs'"),
        (HEAD + GOAL + node("t-1") + edge("contains", "t-1", "g-1"), "cannot be joined by contains"),
        (HEAD + GOAL + node("t-1") + edge("depends_on", "t-1", "t-1"), "to itself"),
        (
            HEAD
            + GOAL
            + node("t-1")
            + node("t-2")
            + edge("depends_on", "t-1", "t-2")
            + edge("depends_on", "t-2", "t-1"),
            "circle of depends_on",
        ),
        (
            HEAD + GOAL + node("t-1") + node("t-2") + edge("contains", "g-1", "t-1") + edge("contains", "t-2", "t-1"),
            "part of 2 nodes",
        ),
        ((HEAD + GOAL).replace("/home/ana/code/shop", "/elsewhere"), "project /elsewhere"),
    ],
)
@pytest.mark.parametrize("read", [plan_import, import_goal])
def test_b9_what_is_wrong_is_refused_and_nothing_is_changed(
    there: Desk, file: str, said: str, read: Callable[..., object]
) -> None:
    """Missing ends, circles, foreign projects, statuses and types that there are not, sizes: one clear error."""
    with pytest.raises(NoctuaryError) as refused:
        read(there, file)

    assert said in str(refused.value)
    assert isinstance(refused.value, BadInput)
    assert len(str(refused.value)) < 600
    assert there.store.events.count(there.owner) == 0
    assert there.store.nodes.where(there.owner) == []


def test_a_circle_with_what_is_here_is_refused(here: Desk) -> None:
    """C-29: the circle may be half in the file and half here."""
    goal, task = small_goal(here)
    other = open_task(here, "Other", parent=goal)
    file = export_goal(here, goal) + edge("depends_on", other.id, task)
    with here.writing() as write:
        back = {"type": "depends_on", "from": task, "to": other.id}
        write(EventType.LINK, node=task, change={"edges": [back]})
    before = export_goal(here, goal)

    with pytest.raises(BadChange, match="circle"):
        import_goal(here, file)

    assert export_goal(here, goal) == before


def test_a_foreign_project_is_taken_if_the_caller_says_so(here: Desk, make_desk: MakeDesk) -> None:
    """A file may be given to another project, and all of it then belongs there."""
    goal, task = small_goal(here)
    desk = make_desk(project="/home/ana/code/other")

    import_goal(desk, export_goal(here, goal), into=desk.project)

    assert desk.node(task).project == desk.project
    assert 'project = "/home/ana/code/other"' in export_goal(desk, goal)


def test_a_node_of_another_type_is_refused(here: Desk, there: Desk) -> None:
    """An id stands for one thing."""
    goal, task = small_goal(here)
    with there.writing() as write:
        clash = {"id": task, "type": "decision", "title": "D", "status": "active"}
        write(EventType.OPEN, node=task, change={"nodes": [clash]})

    with pytest.raises(BadInput, match="is a decision here and a task in the file"):
        import_goal(there, export_goal(here, goal))


def test_a_node_of_another_project_is_refused(desk: Desk, make_desk: MakeDesk) -> None:
    """What is here already stays in its project."""
    goal, _ = small_goal(desk)
    other = make_desk(project="/home/ana/code/other")

    with pytest.raises(BadInput, match="of another project"):
        import_goal(other, export_goal(desk, goal), into=other.project)


def test_b9_ours_settles_a_conflict_for_the_next_time(here: Desk) -> None:
    """Once somebody has said --ours, the same file is no conflict any more."""
    goal = open_goal(here, "Ship")
    file = export_goal(here, goal.id).replace('"Ship"', '"Ship it"')
    rename_node(here, goal.id, "Ship all")
    assert plan_import(here, file).conflicts

    import_goal(here, file, Strategy.OURS)

    assert plan_import(here, file).conflicts == []
    assert here.node(goal.id).title == "Ship all"


def test_a_lease_in_a_file_lasts_no_longer_than_a_claim_may(here: Desk, there: Desk, clock: FakeClock) -> None:
    """Whether the task is new or known; importing the file again, later, does not make it longer."""
    goal, task = small_goal(here)
    amend(here, task, status="claimed", assigned_to="ben", lease_ms=clock.now_ms() + 60_000)
    until = 'lease_until = "9999-01-01T00:00:00.000Z"'
    file = re.sub(r"lease_until = .*", until, export_goal(here, goal), count=1)
    longest_ms = clock.now_ms() + LONGEST_LEASE_MS

    for desk in (here, there):
        import_goal(desk, file)
    clock.advance(timedelta(hours=1))
    for desk in (here, there):
        import_goal(desk, file)

    assert [desk.node(task).lease_ms for desk in (here, there)] == [longest_ms, longest_ms]
