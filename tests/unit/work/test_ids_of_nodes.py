"""Ids of nodes: short, never twice, and the same on no two machines that do not see each other."""

from datetime import timedelta
from pathlib import Path

import pytest

from noctuary.graph import EdgeType, NodeType
from noctuary.ids import short_id
from noctuary.ledger.ledger import entry_from
from noctuary.testing import FakeClock
from noctuary.work.claims import claim
from noctuary.work.desk import PREFIXES, Desk
from noctuary.work.linking import link
from noctuary.work.tasks import amend_node
from tests.unit.work.conftest import OWNER, PROJECT
from tests.unit.work.graphs import add, edges_of, goal
from tests.unit.work.machines import machine

pytestmark = pytest.mark.slow


def test_c31_ids_do_not_collide(desk: Desk) -> None:
    """Fifty bits of chance: among a hundred thousand there are no two alike, and each says what it is."""
    ids = {short_id("t") for _ in range(100_000)}

    assert len(ids) == 100_000
    assert all(desk.new_id(kind).startswith(f"{prefix}-") for kind, prefix in PREFIXES.items())


def test_c31_an_id_that_is_taken_is_not_given_again(desk: Desk) -> None:
    """A new id is looked up before it is given; names of all types are of their own."""
    assert len({*PREFIXES.values()}) == len(NodeType)
    known = {add(desk, kind=kind).id for kind in NodeType}

    assert not known & {desk.new_id(kind) for kind in NodeType}


def test_c30_metadata_has_nothing_to_do_with_ids(desk: Desk) -> None:
    """There is no counter that a change of metadata could erase: children keep coming, all different."""
    whole = goal(desk)
    ids = set()
    for number in range(5):
        ids.add(add(desk, parent=whole).id)
        amend_node(desk, whole.id, metadata={"next_child_seq": None, "number": str(number)})

    assert len(ids) == 5


def test_c30_two_machines_add_children_offline_and_never_collide(tmp_path: Path, clock: FakeClock) -> None:
    """Each adds to the same goal; merged, all children are there, and an edge that both made is one."""
    with machine(tmp_path / "laptop", clock) as laptop, machine(tmp_path / "desktop", clock) as desktop:
        whole = goal(laptop)
        first, second = add(laptop, parent=whole), add(laptop, parent=whole)
        merge(laptop, desktop)
        for desk in (laptop, desktop):
            for _ in range(20):
                add(desk, parent=whole)
            link(desk, "leads_to", first.id, second.id)

        merge(laptop, desktop)
        merge(desktop, laptop)

        for desk in (laptop, desktop):
            assert len(desk.store.nodes.subtree(OWNER, whole.id)) == 43
            assert edges_of(desk, EdgeType.LEADS_TO) == {(first.id, second.id)}
        ids = [{edge.id for edge in desk.store.nodes.edges_of(OWNER, [first.id])} for desk in (laptop, desktop)]
        assert ids[0] == ids[1]


def test_c35_two_machines_claim_offline_and_agree_after_the_merge(tmp_path: Path, clock: FakeClock) -> None:
    """No clock of one machine holds the other's; merged in whichever order, both see the same holder."""
    with machine(tmp_path / "laptop", clock) as laptop, machine(tmp_path / "desktop", clock) as desktop:
        task = add(laptop)
        merge(laptop, desktop)
        claim(laptop, task.id, "ada")
        clock.advance(timedelta(seconds=1))
        claim(desktop, task.id, "bo")

        merge(laptop, desktop)
        merge(desktop, laptop)

        assert laptop.node(task.id).assigned_to == desktop.node(task.id).assigned_to == "bo"


def merge(source: Desk, target: Desk) -> None:
    """Give the one machine's events to the other."""
    rows = source.store.events.all(OWNER, PROJECT)
    target.ledger.add_lines(PROJECT, [entry_from(row).event for row in rows])
