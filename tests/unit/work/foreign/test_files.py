"""Whatever is in a file: it is read, set aside or refused, and what is read can be stored."""

import json
from pathlib import Path
from tempfile import TemporaryDirectory
from typing import Any

import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

from noctuary.errors import BadInput
from noctuary.testing import FakeClock
from noctuary.work.desk import Desk
from noctuary.work.exchange import export_journal
from noctuary.work.foreign.files import Format, format_of, import_lines, import_path
from noctuary.work.tasks import open_task
from tests.unit.work.machines import machine

ANYTHING = st.recursive(
    st.none()
    | st.booleans()
    | st.integers(-3, 9)
    | st.text(max_size=8)
    | st.sampled_from(["t-1", "t-2", "mod:x", "\ud800"]),
    lambda inner: st.lists(inner, max_size=3) | st.dictionaries(st.text(max_size=5), inner, max_size=3),
    max_leaves=5,
)
NAMES = st.sampled_from(["t-1", "t-2", "t-3", " ", "mod:x"])
EVENT_IDS = st.integers(0, 9).map(lambda number: f"01JZ{number:022d}") | st.sampled_from(["odd", "01jz" + "0" * 22])
OPTION = st.fixed_dictionaries(
    {"option": st.text(max_size=4)}, optional={"chosen": st.booleans(), "rationale": ANYTHING}
)
META = st.fixed_dictionaries(
    {},
    optional={
        "title": st.text(max_size=5) | ANYTHING,
        "parent_id": NAMES | ANYTHING,
        "goal": ANYTHING,
        "outcome": ANYTHING,
        "outcome_tag": st.sampled_from(["done", "abandoned", "?"]) | ANYTHING,
        "external_add": ANYTHING,
        "artifacts": ANYTHING,
        "bookkeeping": ANYTHING,
        "session_id": ANYTHING,
        "alternatives": st.lists(
            st.fixed_dictionaries(
                {"option": st.text(max_size=4)}, optional={"chosen": st.booleans(), "rationale": ANYTHING}
            ),
            max_size=3,
        )
        | ANYTHING,
    },
)
TYPES = st.sampled_from(["open", "close", "reopen", "rename", "amend", "decision", "supersede", "correction", "module"])
TASK_JOURNAL = st.fixed_dictionaries(
    {"event_id": EVENT_IDS, "type": TYPES, "task_id": NAMES},
    optional={
        **dict.fromkeys(("author", "source", "status", "confidence", "evidence_strength", "refs", "extra"), ANYTHING),
        "text": st.text(max_size=9) | ANYTHING,
        "timestamp": st.sampled_from(["2025-07-01T10:00:00Z", "9999-12-31T23:59:59Z", "?"]) | ANYTHING,
        "corrects": EVENT_IDS | ANYTHING,
        "supersedes": EVENT_IDS | NAMES | ANYTHING,
        "meta": META | ANYTHING,
    },
)
DEPENDENCY = st.fixed_dictionaries(
    {"depends_on_id": NAMES | ANYTHING},
    optional={
        "type": st.sampled_from(["blocks", "parent-child", "related", "supersedes"]) | ANYTHING,
        "created_at": ANYTHING,
    },
)
STATUSES = st.sampled_from(["open", "closed", "hooked"])
BEADS = st.fixed_dictionaries(
    {
        "id": NAMES,
        "title": st.text(max_size=5) | ANYTHING,
        "status": st.sampled_from(["open", "closed", "hooked"]) | ANYTHING,
    },
    optional={
        **dict.fromkeys(
            ("priority", "assignee", "labels", "close_reason", "external_ref", "comments", "extra"), ANYTHING
        ),
        "issue_type": st.sampled_from(["epic", "task"]) | ANYTHING,
        "description": st.text(max_size=5) | ANYTHING,
        "created_at": st.sampled_from(["2025-07-01T10:00:00Z", "0001-01-01T00:00:00Z"]) | ANYTHING,
        "closed_at": ANYTHING,
        "dependencies": st.lists(DEPENDENCY, max_size=3) | ANYTHING,
    },
)


@settings(max_examples=60, deadline=None, suppress_health_check=[HealthCheck.too_slow])
@given(records=st.lists(TASK_JOURNAL, max_size=6) | st.lists(BEADS, max_size=6))
def test_whatever_a_file_says_it_is_read_or_set_aside(records: list[dict[str, Any]]) -> None:
    """No value of any field makes an import fail; the same again adds nothing; a rebuild gives the same."""
    lines = [json.dumps(record) for record in records]
    with TemporaryDirectory() as folder, machine(Path(folder), FakeClock()) as desk:
        try:
            report = import_lines(desk, lines)
        except BadInput:
            assert format_of(lines) is None
            return
        again = import_lines(desk, lines)
        before = desk.store.nodes.where(desk.owner)
        desk.ledger.rebuild()

        assert (again.added, again.known) == (0, report.added)
        assert {bad.number for bad in report.bad} <= set(range(1, len(lines) + 1))
        assert desk.store.nodes.where(desk.owner) == before


def test_a_format_is_told_from_its_lines() -> None:
    """Bad lines at the beginning do not hide whose file it is."""
    ours = '{"event_id":"01J","schema_version":1,"type":"finding"}'
    tj = '{"event_id":"01J","schema_version":"1.0","task_id":"tj-1","type":"open"}'
    beads = '{"id":"bd-1","title":"x","status":"open"}'

    assert [format_of(["junk", "", line]) for line in (ours, tj, beads)] == list(Format)
    assert format_of(['{"id": 1}', "[]"]) is None


def test_our_own_export_is_imported_from_a_file(desk: Desk, tmp_path: Path) -> None:
    """The same command reads what the same tool wrote."""
    open_task(desk, "One")
    file = tmp_path / "export.jsonl"
    file.write_text("".join(export_journal(desk.ledger)))

    with machine(tmp_path / "there", FakeClock()) as there:
        assert import_path(there, file).added == 1
        assert list(export_journal(there.ledger)) == list(export_journal(desk.ledger))


def test_beads_are_found_in_a_repository(desk: Desk, tmp_path: Path) -> None:
    """The folder of a repository is enough; its file is in .beads."""
    (tmp_path / ".beads").mkdir()
    (tmp_path / ".beads" / "issues.jsonl").write_text('{"id":"bd-1","title":"x","status":"open"}\n')

    import_path(desk, tmp_path)

    assert desk.node("bd-1").title == "x"


@pytest.mark.parametrize("name", ["nowhere", "empty"])
def test_what_is_not_there_is_refused(desk: Desk, tmp_path: Path, name: str) -> None:
    """A wrong path is an error, not an empty import."""
    (tmp_path / "empty").mkdir()

    with pytest.raises(BadInput):
        import_path(desk, tmp_path / name)
