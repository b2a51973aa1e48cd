"""Whatever a goal is, its file says it, and is read as what was written."""

from contextlib import suppress
from datetime import timedelta
from pathlib import Path
from tempfile import TemporaryDirectory
from typing import Any

from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

from noctuary.authored import EventType
from noctuary.errors import BadInput
from noctuary.graph import TRANSITIONS, NodeType, Priority
from noctuary.testing import FakeClock
from noctuary.work.claims import LONGEST_LEASE_MS
from noctuary.work.interchange.exporting import export_goal, goal_file
from noctuary.work.interchange.goal_file import read_goal_file, write_goal_file
from noctuary.work.interchange.importing import import_goal
from noctuary.work.wording import title_of
from tests.unit.work.machines import machine

WORDS = st.text(alphabet=st.characters(exclude_categories=["Cs"], exclude_characters="\0"), max_size=30)
TIMES = st.integers(min_value=1, max_value=4_000_000_000_000)
LEASES = st.integers(1, FakeClock().now_ms() + LONGEST_LEASE_MS)  # no longer than a claim may last


@st.composite
def made_nodes(draw: st.DrawFn) -> list[dict[str, Any]]:
    """Some nodes below each other, with any fields."""
    nodes: list[dict[str, Any]] = [{"id": "g-0", "type": "goal", "title": "Goal", "status": "active"}]
    for number in range(1, draw(st.integers(1, 6))):
        kind = draw(st.sampled_from([NodeType.TASK, NodeType.TASK, NodeType.DECISION]))
        node = {
            "id": f"n-{number}",
            "type": str(kind),
            "title": title_of(f"Node {draw(WORDS)}"),
            "status": str(draw(st.sampled_from(sorted(TRANSITIONS[kind])))),
        }
        optional = {
            **dict.fromkeys(("description", "assigned_to", "created_by", "goal", "outcome", "blocked_reason"), WORDS),
            **dict.fromkeys(("created_ms", "started_ms", "completed_ms"), TIMES),
            "lease_ms": LEASES,
            **dict.fromkeys(("labels", "external"), st.lists(WORDS, max_size=3)),
            "priority": st.sampled_from(sorted(Priority)).map(str),
            "metadata": st.dictionaries(WORDS, WORDS, max_size=3),
        }
        chosen = draw(st.fixed_dictionaries({}, optional=optional))
        nodes.append({**chosen, **node})
    return nodes


@settings(max_examples=40, deadline=None, suppress_health_check=[HealthCheck.too_slow])
@given(nodes=made_nodes(), data=st.data())
def test_c24_every_graph_travels_without_loss(nodes: list[dict[str, Any]], data: st.DataObject) -> None:
    """Any fields and any edges: exported, imported into nothing and exported again it is the same, byte for byte."""
    ids = [node["id"] for node in nodes]
    parents = [ids[data.draw(st.integers(0, place))] for place in range(len(ids) - 1)]
    edges = [{"type": "contains", "from": parent, "to": ids[place + 1]} for place, parent in enumerate(parents)]
    label = data.draw(WORDS)
    edges += [{"type": "discovered_from", "from": end, "to": ids[0], "label": label} for end in ids[1:3]]
    clock = FakeClock()
    with (
        TemporaryDirectory() as folder,
        machine(Path(folder, "a"), clock) as one,
        machine(Path(folder, "b"), clock) as two,
    ):
        with one.writing() as write:
            write(EventType.OPEN, node="g-0", change={"nodes": nodes, "edges": edges})
        file = export_goal(one, "g-0")
        clock.advance(timedelta(days=1))

        import_goal(two, file)

        assert export_goal(two, "g-0") == file
        assert read_goal_file(file) == goal_file(one, "g-0")
        assert write_goal_file(read_goal_file(file)) == file


@given(st.text(max_size=200) | st.text(alphabet='[]="\n.nodesmeta1-', max_size=200))
def test_no_text_makes_it_fail_in_another_way(text: str) -> None:
    """It is a file of a goal, or it is refused as bad input."""
    with suppress(BadInput):
        read = read_goal_file(text)
        assert read_goal_file(write_goal_file(read)) == read
