"""What `meta` says is read whatever it is: events come from other machines and other programs, too."""

import json
from collections.abc import Callable, Iterable
from contextlib import suppress
from pathlib import Path
from tempfile import TemporaryDirectory
from typing import Any

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from noctuary.authored import EventType
from noctuary.errors import NoctuaryError
from noctuary.graph import NodeStatus
from noctuary.ids import ulid_after
from noctuary.testing import FakeClock
from noctuary.work import event_meta
from noctuary.work.adr import export_adrs
from noctuary.work.completeness import check
from noctuary.work.corrections import confirm, correct, retract, supersede
from noctuary.work.desk import Desk
from noctuary.work.exchange import import_journal
from noctuary.work.finding import rejected
from noctuary.work.handoff import handoff
from noctuary.work.interchange.exporting import export_goal
from noctuary.work.interchange.importing import plan_import
from noctuary.work.notes import note
from noctuary.work.pack import pack
from noctuary.work.tasks import open_goal, open_task, show_node
from tests.unit.work.conftest import PROJECT
from tests.unit.work.machines import machine

KEYS = ("alternatives", "artifacts", "interchange", "decision", "decided", "made", "supersedes", "by", "was")
WORDS = ("known", "waiting", "type", "from", "to", "fields", "created_at", "label", "option", "chosen", "rationale",
         "id", "links", "commits", "url", "depends_on", "t-x", "d-x", "o-x")  # fmt: skip
SCALARS = st.none() | st.booleans() | st.integers(-5, 5) | st.sampled_from(WORDS) | st.text(max_size=5)
NAMES = st.sampled_from(WORDS)
JSON = st.recursive(
    SCALARS, lambda inner: st.lists(inner, max_size=3) | st.dictionaries(NAMES, inner, max_size=3), max_leaves=8
)
OPTION = st.fixed_dictionaries({"option": SCALARS, "id": SCALARS}, optional={"chosen": SCALARS, "rationale": SCALARS})
EDGE = st.fixed_dictionaries({"type": SCALARS, "from": SCALARS, "to": SCALARS, "fields": JSON})
NEARLY = {
    "alternatives": st.lists(OPTION, max_size=3) | JSON,
    "interchange": st.fixed_dictionaries({}, optional={"known": JSON, "waiting": st.lists(EDGE, max_size=2) | JSON}),
}
METAS = st.fixed_dictionaries({}, optional={key: NEARLY.get(key, JSON) for key in KEYS})
TYPES = (EventType.AMEND, EventType.DECISION, EventType.FINDING, EventType.REJECTION, EventType.CLOSE,
         EventType.SUPERSEDE, EventType.OPEN, EventType.REMEMBER)  # fmt: skip


def told(desk: Desk, kind: EventType, node: str, meta: dict[str, Any], status: str) -> str:
    """The id of an event that came from elsewhere, with this `meta`."""
    last = max(json.loads(row[-1])["event_id"] for row in desk.store.events.all(desk.owner, None))
    record = {
        "event_id": ulid_after(last, desk.clock.now_ms()),
        "schema_version": 1,
        "project": PROJECT,
        "node": node,
        "type": str(kind),
        "timestamp": "2026-01-01T00:00:00.000Z",
        "text": "From elsewhere",
        "status": status,
        "meta": meta,
    }
    assert import_journal(desk.ledger, [json.dumps(record)]).added == 1
    return str(record["event_id"])


def verbs_about(desk: Desk, event: str, goal: str, task: str, folder: Path) -> Iterable[Callable[[], object]]:
    """All that reads or answers an event."""
    yield lambda: pack(desk, task)
    yield lambda: handoff(desk, goal)
    yield lambda: plan_import(desk, export_goal(desk, goal))
    yield lambda: export_adrs(desk, folder / "adr")
    yield lambda: check(desk, task)
    yield lambda: show_node(desk, task)
    yield lambda: rejected(desk, [])
    yield lambda: confirm(desk, event)
    yield lambda: correct(desk, event, "In other words")
    newest = desk.recent(most=1)[0].event.id
    yield lambda: confirm(desk, newest, "It is so")
    yield lambda: supersede(desk, newest, "Not any more")
    yield lambda: retract(desk, newest, "It never was")
    yield desk.ledger.rebuild


@settings(max_examples=60, deadline=None)
@given(st.sampled_from(TYPES), METAS, st.sampled_from(["confirmed", "suggested"]))
def test_whatever_meta_is_every_verb_does_its_work_or_says_why_not(
    kind: EventType, meta: dict[str, Any], status: str
) -> None:
    """A refusal is one of ours; reading never is one."""
    with TemporaryDirectory() as name, machine(Path(name), FakeClock()) as desk:
        goal = open_goal(desk, "Ship it")
        task = open_task(desk, "Do it", parent=goal.id)
        event = told(desk, kind, goal.id if kind is EventType.AMEND else task.id, meta, status)
        for verb in verbs_about(desk, event, goal.id, task.id, Path(name)):
            with suppress(NoctuaryError):
                verb()
        pack(desk, task.id)
        assert "Ship it" in export_goal(desk, goal.id)


@pytest.mark.parametrize("odd", [5, None, "x", [1], {"a": 1}, [["x"]]])
def test_alternatives_of_another_shape_keep_nobody_from_correcting(desk: Desk, odd: object) -> None:
    """They are none."""
    task = open_task(desk, "Do it")
    event = told(desk, EventType.FINDING, task.id, {"alternatives": odd}, "confirmed")

    better = correct(desk, event, "In other words")

    assert better.event.text == "In other words"
    assert retract(desk, better.event.id).status == "retracted"


@pytest.mark.parametrize("meta", [{"decision": "d-1"}, {"decision": 5}, {"supersedes": 5}, {"supersedes": ["x"]}])
def test_a_suggestion_told_in_part_can_be_confirmed(desk: Desk, meta: dict[str, Any]) -> None:
    """What is not told whole makes no nodes and ends nothing."""
    task = open_task(desk, "Do it")
    event = told(desk, EventType.DECISION, task.id, meta, "suggested")

    assert not confirm(desk, event).is_suggested
    assert desk.store.nodes.find(desk.owner, "d-1") is None


def test_a_suggestion_that_only_supersedes_is_carried_out_without_its_node(desk: Desk) -> None:
    """What it supersedes ends, though the decision has no options that could be nodes."""
    task = open_task(desk, "Do it")
    options = [{"option": "A", "chosen": True}]
    old = note(desk, "decision", "A it is", node=task.id, alternatives=options).event
    event = told(desk, EventType.DECISION, task.id, {"decision": "d-new", "supersedes": old.id}, "suggested")

    confirm(desk, event)

    assert desk.entry(old.id).superseded_by
    assert desk.node(old.meta["decision"]).status is NodeStatus.SUPERSEDED


@pytest.mark.parametrize(
    "odd",
    [
        {"known": [1]},
        {"known": {"a": 5}},
        {"known": {"a": {"b": 5}}},
        {"waiting": [{"type": "x"}]},
        {"waiting": [{"type": "odd", "from": "t-a", "to": "t-b", "fields": {}}]},
        {"waiting": [{"type": "depends_on", "from": "no id", "to": "t-b", "fields": {}}]},
    ],
)
def test_a_goal_is_exported_whatever_an_import_is_said_to_have_left(desk: Desk, odd: object) -> None:
    """As if nothing were said."""
    goal = open_goal(desk, "Ship it")
    before = export_goal(desk, goal.id)
    told(desk, EventType.AMEND, goal.id, {"interchange": odd}, "confirmed")

    assert export_goal(desk, goal.id) == before


def test_of_an_edge_that_waits_only_what_a_file_can_say_is_kept(desk: Desk) -> None:
    """So the file can be read again."""
    goal = open_goal(desk, "Ship it")
    edge = {"type": "depends_on", "from": goal.id, "to": "t-b", "fields": {"created_at": "zzz", "label": 7}}
    told(desk, EventType.AMEND, goal.id, {"interchange": {"waiting": [edge]}}, "confirmed")

    text = export_goal(desk, goal.id)

    assert 'to_node = "t-b"' in text
    assert plan_import(desk, text).waiting == [("depends_on", goal.id, "t-b")]


def test_options_are_read_as_far_as_they_are_told() -> None:
    """One without words is none; one without an id has no node."""
    meta = {"decision": "d-1", "alternatives": [{"option": " A ", "chosen": 1}, {"option": " "}, 5, {"id": "o-1"}]}

    assert event_meta.alternatives(meta) == [event_meta.ToldOption("A", chosen=False, rationale="", id="")]
    assert event_meta.planned_decision(meta) is None
