"""Journals of Task-Journal are read without loss, and their known mistakes do not come along."""

import json
from hashlib import sha256
from pathlib import Path
from typing import Any

import pytest

from noctuary.authored import Author, EventSource, EventStatus, EventType, Strength, Trust
from noctuary.errors import BadInput
from noctuary.graph import EdgeType, NodeStatus, NodeType
from noctuary.ids import is_ulid
from noctuary.journal.lines import moment, stamp
from noctuary.ledger.changes import is_id
from noctuary.work.desk import Desk
from noctuary.work.exchange import export_journal
from noctuary.work.foreign.files import import_lines, import_path
from noctuary.work.foreign.task_journal import NAME, read_task_journal
from tests.unit.work.conftest import PROJECT

LATEST = moment("2030-01-01T00:00:00Z")
TASK = "tj-9k2x4z7abc"


def event(number: int, kind: str, text: str = "", **fields: Any) -> dict[str, Any]:
    return {
        "event_id": f"01JZ{number:022d}",
        "schema_version": "1.0",
        "task_id": TASK,
        "type": kind,
        "timestamp": f"2025-07-01T10:{number:02d}:00.000Z",
        "author": "agent",
        "source": "chat",
        "text": text,
        "refs": {},
        "status": "confirmed",
        "meta": {},
    } | fields


OPEN = event(1, "open", "the refresh fails", meta={"title": "Fix refresh", "session_id": "s-1"})
ALTERNATIVES = [
    {"option": "Rotate", "chosen": True, "rationale": "safe"},
    {"option": "Keep", "chosen": False, "rationale": "leaks"},
]
EVERYTHING = [
    OPEN,
    event(2, "open", "a part", task_id="tj-part", author="user", source="cli",
          meta={"title": "Part", "parent_id": TASK}),
    event(3, "hypothesis", "the clock is wrong", confidence=0.4),
    event(4, "finding", "📎 pr: PR #51 — https://x/pull/51",
          meta={"artifacts": {"links": [{"kind": "pr", "url": "https://x/pull/51", "label": "PR #51"}]}}),
    event(5, "evidence", "the test fails", evidence_strength="strong",
          refs={"commits": ["75f65e2"], "files": ["a.py"]}),
    event(6, "decision", "Rotate tokens", meta={"alternatives": ALTERNATIVES, "session_id": "s-2"}),
    event(7, "rejection", "No sessions", author="classifier", source="hook", confidence=0.9),
    event(8, "constraint", "No Redis", author="hook", source="hook"),
    event(9, "correction", "the clock is right", corrects="01JZ" + f"{3:022d}"),
    event(10, "redirect", "do the other first", refs={"events": ["01JZ" + f"{5:022d}"]}),
    event(11, "rename", "Fix token refresh", meta={"was": "Fix refresh"}),
    event(12, "amend", "goal", meta={"goal": "Nobody logs in twice"}),
    event(13, "amend", "external", meta={"external_add": "gh-7"}),
    event(14, "amend", "external", meta={"external_add": "loom:3"}),
    event(15, "supersede", "not any more", supersedes="01JZ" + f"{6:022d}"),
    event(16, "finding", "Tokens are JWT", author="agent", source="dream", status="suggested",
          meta={"dream_run_id": "01J8", "session_id": "s-3", "backfilled": True}),
    event(17, "module", "", task_id="mod:auth",
          meta={"name": "Auth", "state": "stable", "hints": {"paths": ["src/auth"]}}),
    event(18, "close", "merged", meta={"reason": "merged", "outcome": "Refresh works", "outcome_tag": "done",
          "artifacts": {"commit_hashes": ["75f65e2"], "branch_names": ["main"], "pr_urls": ["https://x/pull/51"]}}),
    event(19, "reopen", "it fails again"),
    event(20, "close", "gave up", meta={"outcome": "No way", "outcome_tag": "abandoned"}),
]  # fmt: skip


def as_lines(records: list[dict[str, Any]]) -> list[str]:
    return [json.dumps(record, ensure_ascii=False) + "\n" for record in records]


def test_every_line_becomes_an_event_with_its_id_time_and_words(desk: Desk) -> None:
    """All types, also the later ones: amend and module."""
    report = import_lines(desk, as_lines(EVERYTHING))

    assert (report.added, list(report.bad), list(report.notes)) == (20, [], [])
    for record in EVERYTHING:
        entry = desk.entry(record["event_id"])
        assert (entry.event.text, stamp(entry.event.ts_ms)) == (record["text"], record["timestamp"])
        assert (entry.event.author, entry.event.status) == (record["author"], record["status"])
        assert (entry.event.source, entry.event.trust) == (record["source"], Trust.IMPORT)
        assert entry.event.meta[NAME].get("meta", {}) == record["meta"]
        assert entry.event.meta[NAME].get("type", entry.event.type) == record["type"]


def test_the_task_is_as_its_events_say(desk: Desk) -> None:
    """Title, goal, names elsewhere, outcome, parent, times: opened, renamed, amended, closed."""
    import_lines(desk, as_lines(EVERYTHING))
    task, part = desk.node(TASK), desk.node("tj-part")

    assert (task.title, task.description) == ("Fix token refresh", "the refresh fails")
    assert (task.goal, list(task.external)) == ("Nobody logs in twice", ["gh-7", "loom:3"])
    assert (task.status, task.outcome, task.outcome_tag) == (NodeStatus.CANCELLED, "No way", "abandoned")
    assert stamp(task.completed_ms or 0) == "2025-07-01T10:20:00.000Z"
    assert stamp(task.created_ms) == "2025-07-01T10:01:00.000Z"
    assert (part.parent, part.created_by) == (TASK, "user")


def test_fields_of_an_event_are_kept(desk: Desk) -> None:
    """Strength, confidence, sessions, refs, what it corrects, who and through which door."""
    import_lines(desk, as_lines(EVERYTHING))
    evidence, rejection = (desk.entry(EVERYTHING[place]["event_id"]).event for place in (4, 6))
    dreamt, close = (desk.entry(EVERYTHING[place]["event_id"]) for place in (15, 17))

    assert (evidence.strength, evidence.refs.commits, evidence.refs.files) == (Strength.STRONG, ("75f65e2",), ("a.py",))
    assert (rejection.confidence, rejection.author, rejection.source) == (0.9, Author.CLASSIFIER, EventSource.HOOK)
    assert (dreamt.status, dreamt.event.session) == (EventStatus.SUGGESTED, "s-3")
    assert close.event.meta["artifacts"]["branch_names"] == ["main"]


def test_a_decision_with_alternatives_becomes_nodes(desk: Desk) -> None:
    """A decision node below the task, an option each, chosen and rejected edges with the reasons; later superseded."""
    import_lines(desk, as_lines(EVERYTHING[:6]))
    (decision,) = desk.store.nodes.where(desk.owner, types=[NodeType.DECISION])
    edges = desk.store.nodes.edges_of(desk.owner, [decision.id])

    assert (decision.title, decision.status, decision.parent) == ("Rotate tokens", NodeStatus.DECIDED, TASK)
    assert {(edge.type, edge.label) for edge in edges if edge.label} == {
        (EdgeType.CHOSEN, "safe"),
        (EdgeType.REJECTED, "leaks"),
    }
    import_lines(desk, as_lines(EVERYTHING))
    assert desk.node(decision.id).status is NodeStatus.SUPERSEDED


def test_importing_twice_adds_nothing(desk: Desk) -> None:
    """Every id belongs to its line, those of nodes and edges too."""
    import_lines(desk, as_lines(EVERYTHING))
    before = list(export_journal(desk.ledger))

    report = import_lines(desk, as_lines(EVERYTHING))

    assert (report.added, report.known, list(report.notes)) == (0, 20, [])
    assert list(export_journal(desk.ledger)) == before


def test_j7_8_a_rebuild_gives_goal_outcome_and_external_again(desk: Desk) -> None:
    """All of it is in the journal."""
    import_lines(desk, as_lines(EVERYTHING))
    before = desk.store.nodes.where(desk.owner)

    desk.ledger.rebuild()

    assert desk.store.nodes.where(desk.owner) == before


def test_j7_2_old_times_do_not_move_a_task_back(desk: Desk) -> None:
    """A line that dream filled in later, about long ago, leaves the task as recent as it was."""
    late = event(21, "finding", "long ago", timestamp="2020-01-01T00:00:00Z", source="dream", status="suggested")

    import_lines(desk, as_lines([*EVERYTHING, late]))

    assert stamp(desk.node(TASK).last_ms) == "2025-07-01T10:20:00.000Z"


def test_j7_1_an_invented_time_is_not_believed(desk: Desk) -> None:
    """What is no time at all becomes the time of the id; what was there is kept."""
    odd = event(21, "finding", "when?", timestamp="yesterday-ish", source="dream", status="suggested")

    import_lines(desk, as_lines([OPEN, odd]))
    read = desk.entry(odd["event_id"]).event

    assert read.ts_ms == read.recorded_ms
    assert read.meta[NAME]["timestamp"] == "yesterday-ish"


def test_j7_3_what_is_only_suggested_changes_nothing(desk: Desk) -> None:
    """A dream that answered `close` or `rename` does not close or rename a task."""
    dreamt = [
        event(21, kind, "dreamt", status="suggested", meta=meta)
        for kind, meta in (("close", {"outcome": "x"}), ("rename", {}), ("decision", {"alternatives": ALTERNATIVES}))
    ]
    for place, record in enumerate(dreamt):
        record["event_id"] = f"01JZ{21 + place:022d}"

    import_lines(desk, as_lines([OPEN, *dreamt]))

    assert (desk.node(TASK).status, desk.node(TASK).title) == (NodeStatus.PENDING, "Fix refresh")
    assert len(desk.store.nodes.where(desk.owner)) == 1
    assert len(desk.entries(TASK)) == 4


def test_j7_7_a_suggested_decision_keeps_the_ids_of_its_nodes(desk: Desk) -> None:
    """It can be confirmed here, and has its nodes then."""
    record = event(21, "decision", "dreamt", status="suggested", meta={"alternatives": ALTERNATIVES})

    import_lines(desk, as_lines([OPEN, record]))

    assert desk.entry(record["event_id"]).event.meta["decision"].startswith("d-")


def test_j7_15_a_correction_hides_and_a_superseded_task_ends(desk: Desk) -> None:
    """A correction has an effect; a task id given to supersede is understood as what was meant."""
    other = event(21, "open", "old way", task_id="tj-old", meta={"title": "Old way"})
    supersede = event(22, "supersede", "we go the new way", supersedes="tj-old")

    import_lines(desk, as_lines([*EVERYTHING[:10], other, supersede]))

    assert desk.entry(EVERYTHING[2]["event_id"]).hidden_by == EVERYTHING[8]["event_id"]
    assert (desk.node("tj-old").status, desk.node("tj-old").outcome_tag) == (NodeStatus.CANCELLED, "superseded")


def test_j7_16_the_mark_of_a_compaction_is_no_decision_of_anyone(desk: Desk) -> None:
    """It is kept, and keeps only the books."""
    mark = event(
        21, "decision", "Conversation compacted at 2025-07-01T10:00:00Z; context was summarised", author="hook"
    )

    import_lines(desk, as_lines([OPEN, mark]))

    assert desk.entry(mark["event_id"]).event.meta["bookkeeping"] is True


def test_j7_3_a_task_that_was_never_opened_is_made(desk: Desk) -> None:
    """No orphan rows: the first that is said of it gives it a title; so does a parent that nobody speaks of."""
    orphan = event(3, "finding", "The cache is cold.\nAnd more.", task_id="tj-lost")
    child = event(4, "open", "c", task_id="tj-child", meta={"title": "Child", "parent_id": "tj-gone"})

    report = import_lines(desk, as_lines([orphan, child]))

    assert desk.node("tj-lost").title == "The cache is cold."
    assert desk.node("tj-child").parent == "tj-gone"
    assert desk.node("tj-gone").title == "tj-gone"
    assert ["tj-lost was never opened" in note.why for note in report.notes] == [True]


def test_lines_may_come_in_any_order(desk: Desk) -> None:
    """The order is that of the ids; what opens a task opens it wherever it stands."""
    import_lines(desk, as_lines(EVERYTHING[::-1]))

    assert desk.node(TASK).title == "Fix token refresh"
    assert desk.node(TASK).status is NodeStatus.CANCELLED


def test_what_is_said_before_the_task_is_opened(desk: Desk) -> None:
    """An event older than the opening does not lose the title."""
    early = event(1, "finding", "seen early")
    opened = event(2, "open", "ctx", meta={"title": "Fix refresh"})

    report = import_lines(desk, as_lines([early, opened]))

    assert desk.node(TASK).title == "Fix refresh"
    assert not report.notes


def test_parents_in_a_circle_are_noted_and_cut(desk: Desk) -> None:
    """C-29: nothing hangs; the edge that closes the circle is left out."""
    records = [
        event(1, "open", "a", task_id="tj-a", meta={"title": "A", "parent_id": "tj-b"}),
        event(2, "open", "b", task_id="tj-b", meta={"title": "B", "parent_id": "tj-a"}),
        event(3, "open", "c", task_id="tj-c", meta={"title": "C", "parent_id": "tj-c"}),
    ]

    report = import_lines(desk, as_lines(records))

    assert (desk.node("tj-a").parent, desk.node("tj-b").parent, desk.node("tj-c").parent) == ("tj-b", None, None)
    assert len(report.notes) == 2


def test_malformed_lines_are_set_aside(desk: Desk) -> None:
    """Torn, nested, wrong, too long: each with its number; the good lines are kept."""
    lines: list[str | bytes] = [
        "\ufeff" + as_lines([OPEN])[0].replace("\n", "\r\n"), "", '{"event_id": "01J', "3", b'{"a":"\xff"}',
        *as_lines([
            event(2, "finding") | {"text": 3}, event(3, ""), event(4, "finding", meta=["x"]),
            event(5, "finding", "y" * 1_000_000),
        ]),
        '{"meta":' + "[" * 100_000, '{"event_id":"a","type":"finding","text":"\\ud800"}',
        *as_lines([event(6, "finding", "good"), event(7, "finding", "good", meta={"a": [[[[1]]]]})]),
    ]  # fmt: skip

    report = import_lines(desk, lines)

    assert report.added == 3
    assert [bad.number for bad in report.bad] == [3, 4, 5, 6, 7, 8, 9, 10, 11]


def test_what_is_not_known_is_kept(desk: Desk) -> None:
    """Types, authors, doors, keys and ids of a later version: read as the nearest, and kept as they were."""
    odd = event(2, "epiphany", "aha", author="oracle", source="dream2", status="pondered", evidence_strength="huge",
                confidence=7, event_id="not-a-ulid", new_key={"a": [1]},
                refs={"commits": "x", "urls": ["u"]})  # fmt: skip
    correction = event(3, "correction", "no", corrects="not-a-ulid", event_id="01JZZ" + "0" * 21)

    import_lines(desk, as_lines([OPEN, odd, correction]))
    entries = {entry.event.text: entry for entry in desk.entries(TASK, hidden=True)}
    kept = entries["aha"].event.meta[NAME]

    assert is_ulid(entries["aha"].event.id)
    assert entries["aha"].event.type is EventType.FINDING
    assert {key: kept[key] for key in odd if key in kept and key != "schema_version"} == {
        key: odd[key]
        for key in (
            "event_id",
            "type",
            "author",
            "source",
            "status",
            "evidence_strength",
            "confidence",
            "new_key",
            "refs",
        )
    }
    assert entries["aha"].status is EventStatus.SUGGESTED
    assert entries["aha"].hidden_by == correction["event_id"]


def test_alternatives_that_are_none_are_noted_and_kept(desk: Desk) -> None:
    """Two chosen, or something else altogether: the decision stands, without nodes."""
    two = event(
        2, "decision", "Both", meta={"alternatives": [{"option": "A", "chosen": True}, {"option": "B", "chosen": True}]}
    )
    odd = event(3, "decision", "Odd", meta={"alternatives": ["A", 3]})

    report = import_lines(desk, as_lines([OPEN, two, odd]))

    assert (report.added, len(report.notes)) == (3, 2)
    assert desk.entry(two["event_id"]).event.meta[NAME]["meta"] == two["meta"]


def test_a_newer_format_is_refused_as_a_whole(desk: Desk) -> None:
    """Half of what is not understood would be worse than nothing."""
    with pytest.raises(BadInput, match=r"version 2\.0"):
        import_lines(desk, as_lines([OPEN, event(2, "finding", schema_version="2.0")]))

    assert desk.store.events.count(desk.owner) == 0


def test_a_folder_of_journals_goes_to_its_projects(desk: Desk, tmp_path: Path) -> None:
    """A file is called by a digest of the project's folder; one that nobody knows gets a project of its own."""
    events = tmp_path / "task-journal" / "events"
    events.mkdir(parents=True)
    known = sha256(PROJECT.encode()).hexdigest()[:16]
    for name, task in (("0123456789abcdef", "tj-1"), (known, "tj-2")):
        (events / f"{name}.jsonl").write_text("".join(as_lines([event(int(task[-1]), "open", "x", task_id=task)])))
    (events / "broken.jsonl").write_text("nothing\n")

    report = import_path(desk, tmp_path / "task-journal")

    assert report.added == 2
    assert [bad.file for bad in report.bad] == ["broken.jsonl"]
    assert desk.node("tj-1").project == "task-journal/0123456789abcdef"
    assert desk.node("tj-2").project == PROJECT


def test_ids_never_lead_to_the_same_task_twice(desk: Desk) -> None:
    """The same journal under another project is known already, event by event."""
    import_lines(desk, as_lines(EVERYTHING))

    report = import_lines(desk, as_lines(EVERYTHING), "/elsewhere")

    assert (report.added, report.known) == (0, 20)


def test_nothing_is_read_from_nothing() -> None:
    """An empty journal is no error."""
    assert read_task_journal([], LATEST).events == []


def test_tasks_whose_ids_cannot_be_ids_here_are_called_otherwise(desk: Desk) -> None:
    """Such a task gets another id, always the same, under which all that is said of it stands; its own is kept."""
    odd = "my task\n## Done"
    records = [
        event(1, "open", "first", task_id=odd, meta={"title": "Odd"}),
        event(2, "open", "second", task_id="tj-2", meta={"title": "Child", "parent_id": odd}),
        event(3, "finding", "said", task_id=odd),
        event(4, "supersede", "", task_id="tj-2", supersedes=odd),
    ]

    assert import_lines(desk, as_lines(records)).bad == []
    assert import_lines(desk, as_lines(records)).added == 0

    (node,) = [each for each in desk.store.nodes.where(desk.owner) if each.title == "Odd"]
    assert is_id(node.id)
    assert (node.status, desk.node("tj-2").parent) == (NodeStatus.CANCELLED, node.id)
    said = desk.entries(node.id)
    assert {"first", "said"} <= {entry.event.text for entry in said}
    assert said[0].event.meta["task_journal"]["task_id"] == odd


def test_what_is_open_again_has_no_outcome(desk: Desk) -> None:
    """As when it is reopened here."""
    closed = event(2, "close", "done", meta={"outcome": "done!", "outcome_tag": "done"})
    lines = [json.dumps(each) for each in (OPEN, closed, event(3, "reopen", "it fails again"))]

    import_lines(desk, lines)

    task = desk.node(TASK)
    assert (task.status, task.outcome, task.outcome_tag) == (NodeStatus.PENDING, None, None)
