"""Circles: refused when they would be closed, with their names."""

import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

from noctuary.authored import Event, EventType
from noctuary.errors import BadChange
from noctuary.graph import EdgeType, Node, NodeType
from noctuary.work.desk import Desk
from noctuary.work.rules import check_change
from tests.unit.work.graphs import add, edges_of, goal, state


def edge(kind: str, start: Node, end: Node) -> dict[str, str]:
    return {"type": kind, "from": start.id, "to": end.id}


def join(desk: Desk, *edges: dict[str, str], unlink: tuple[dict[str, str], ...] = ()) -> Event:
    with desk.writing() as write:
        return write(EventType.LINK, change={"edges": list(edges), "unlink": list(unlink)})


def test_c29_a_circle_is_refused_with_its_names(desk: Desk) -> None:
    """a → b → c, and c may not wait for a; the journal stays as it was."""
    a, b, c = add(desk), add(desk), add(desk)
    join(desk, edge("depends_on", a, b))
    join(desk, edge("depends_on", b, c))
    before = state(desk)

    with pytest.raises(BadChange, match=f"circle of depends_on: {c.id} → {a.id} → {b.id} → {c.id}"):
        join(desk, edge("depends_on", c, a))
    assert state(desk) == before


@pytest.mark.parametrize("kind", ["contains", "depends_on", "supersedes"])
def test_c29_two_nodes_are_a_circle_too(desk: Desk, kind: str) -> None:
    """There and back is refused, for each type that has an order."""
    a, b = add(desk), add(desk)
    join(desk, edge(kind, a, b))

    with pytest.raises(BadChange, match=f"circle of {kind}: {b.id} → {a.id} → {b.id}"):
        join(desk, edge(kind, b, a))


@pytest.mark.parametrize("kind", ["contains", "depends_on", "supersedes"])
def test_c29_edges_of_one_change_may_not_close_a_circle_among_themselves(desk: Desk, kind: str) -> None:
    """Each edge alone would do; all together do not."""
    a, b, c = add(desk), add(desk), add(desk)

    with pytest.raises(BadChange, match=f"circle of {kind}: {a.id} → {b.id} → {c.id} → {a.id}"):
        join(desk, edge(kind, a, b), edge(kind, b, c), edge(kind, c, a))
    join(desk, edge(kind, a, b), edge(kind, b, c))


def test_c29_new_nodes_may_not_close_a_circle_either(desk: Desk) -> None:
    """A change that makes nodes and joins them in a circle is refused."""
    nodes = [{"id": name, "type": "task", "title": name, "status": "pending"} for name in ("t-1", "t-2")]
    edges = [{"type": "depends_on", "from": "t-1", "to": "t-2"}, {"type": "depends_on", "from": "t-2", "to": "t-1"}]

    with pytest.raises(BadChange, match="t-1 → t-2 → t-1"), desk.writing() as write:
        write(EventType.OPEN, "both", change={"nodes": nodes, "edges": edges})


def test_an_edge_can_be_turned_round_in_one_change(desk: Desk) -> None:
    """What is taken off in the same change closes nothing."""
    a, b = add(desk), add(desk)
    join(desk, edge("depends_on", a, b))

    join(desk, edge("depends_on", b, a), unlink=(edge("depends_on", a, b),))
    assert edges_of(desk, EdgeType.DEPENDS_ON) == {(b.id, a.id)}


def test_leads_to_may_come_back(desk: Desk) -> None:
    """A decision leads to an outcome, to a new look, and perhaps to the same decision; that waits for nothing."""
    a, b = add(desk, kind=NodeType.DECISION), add(desk, kind=NodeType.OUTCOME)

    join(desk, edge("leads_to", a, b), edge("leads_to", b, a))

    assert edges_of(desk, EdgeType.LEADS_TO) == {(a.id, b.id), (b.id, a.id)}


def test_a_task_cannot_wait_for_what_it_is_part_of(desk: Desk) -> None:
    """The whole is done when its parts are: neither could ever be."""
    whole = goal(desk)
    task = add(desk, parent=whole)
    part = add(desk, parent=task)

    for above in (task, whole):
        with pytest.raises(BadChange, match="None of these could ever be ready and done") as refused:
            join(desk, edge("depends_on", part, above))
        assert f"{part.id} depends_on {above.id}" in str(refused.value)
        assert f"{task.id} contains {part.id}" in str(refused.value)


def test_a_task_cannot_wait_for_its_own_part(desk: Desk) -> None:
    """A whole that waits for a part would not be ready while its parts are worked at."""
    whole = goal(desk)
    task = add(desk, parent=whole)
    part = add(desk, parent=task)

    for above in (task, whole):
        with pytest.raises(BadChange, match=f"{above.id} cannot depend on {part.id}, which is part of it"):
            join(desk, edge("depends_on", above, part))


def test_what_waits_for_a_task_cannot_be_made_part_of_it(desk: Desk) -> None:
    """The same circle, closed from the other side: by a parent."""
    whole, waiter = add(desk), add(desk)
    join(desk, edge("depends_on", waiter, whole))

    with pytest.raises(BadChange, match=f"{whole.id} contains {waiter.id}, {waiter.id} depends_on {whole.id}"):
        join(desk, edge("contains", whole, waiter))


def test_what_a_whole_waits_for_cannot_be_made_part_of_it(desk: Desk) -> None:
    """Nor part of one of its parts, nor as part of something else that is."""
    top = goal(desk)
    whole, middle, other = add(desk, parent=top), add(desk), add(desk)
    inner = add(desk, parent=middle)
    join(desk, edge("depends_on", top, inner))

    with pytest.raises(BadChange, match=f"{top.id} cannot depend on {inner.id}"):
        join(desk, edge("contains", whole, middle))
    join(desk, edge("contains", whole, other))


def test_a_circle_of_parts_and_dependencies_is_refused_however_long(desk: Desk) -> None:
    """A contains B, B waits for C: C cannot wait for A."""
    a, c = add(desk), add(desk)
    b = add(desk, parent=a)
    join(desk, edge("depends_on", b, c))

    with pytest.raises(BadChange, match="each waits for the next"):
        join(desk, edge("depends_on", c, a))


def test_siblings_may_wait_for_each_other_and_for_other_branches(desk: Desk) -> None:
    """Only circles are refused."""
    whole, elsewhere = goal(desk), goal(desk)
    a, b = add(desk, parent=whole), add(desk, parent=whole)
    c = add(desk, parent=elsewhere)

    join(desk, edge("depends_on", b, a), edge("depends_on", a, c), edge("depends_on", b, c))

    assert edges_of(desk, EdgeType.DEPENDS_ON) == {(b.id, a.id), (a.id, c.id), (b.id, c.id)}


def test_a_deep_tree_is_no_trouble(desk: Desk) -> None:
    """A thousand levels deep, a circle is still found and named."""
    nodes = [{"id": f"t-{i}", "type": "task", "title": str(i), "status": "pending"} for i in range(1_000)]
    edges = [{"type": "depends_on", "from": f"t-{i}", "to": f"t-{i + 1}"} for i in range(999)]
    with desk.writing() as write:
        write(EventType.OPEN, "deep", change={"nodes": nodes, "edges": edges})

    closing = {"edges": [{"type": "depends_on", "from": "t-999", "to": "t-0"}]}
    with pytest.raises(BadChange, match="t-999 → t-0 → t-1 → t-2 "):
        check_change(desk.store.nodes, desk.owner, closing)


def has_circle(pairs: set[tuple[int, int]]) -> bool:
    """Found the slow way: take away what nothing leaves, until nothing changes."""
    while True:
        starts = {start for start, _ in pairs}
        kept = {(start, end) for start, end in pairs if end in starts}
        if kept == pairs:
            return bool(pairs)
        pairs = kept


@settings(max_examples=25, deadline=None, suppress_health_check=[HealthCheck.function_scoped_fixture])
@given(
    st.lists(st.tuples(st.sampled_from(["contains", "depends_on"]), st.integers(0, 5), st.integers(0, 5)), max_size=14)
)
def test_no_order_of_edges_ever_closes_a_circle(desk: Desk, wanted: list[tuple[str, int, int]]) -> None:
    """Whatever is asked for, what is let in has no circle; what is refused as one, would have closed one."""
    nodes = [add(desk) for _ in range(6)]
    let_in: set[tuple[int, int]] = set()
    for kind, start, end in wanted:
        try:
            join(desk, edge(kind, nodes[start], nodes[end]))
        except BadChange as refused:
            if "circle" in str(refused) or "each waits" in str(refused):
                assert has_circle(let_in | {(start, end)})
        else:
            let_in.add((start, end))
        assert not has_circle(let_in)
