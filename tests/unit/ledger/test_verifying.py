"""What is wrong with a journal is said with the line it stands in; nothing is changed by looking."""

import json
from collections.abc import Callable
from pathlib import Path

import pytest

from noctuary.ledger.ledger import Ledger
from noctuary.ledger.rewriting import rewrite
from noctuary.ledger.verifying import Finding, Kind, verify
from noctuary.store import Store
from tests.unit.ledger.writing import PROJECT, TASK, everything, linking, opening, overwrite, saying, setting, written

pytestmark = pytest.mark.slow

Lines = list[bytes]


@pytest.fixture
def full(ledger: Ledger) -> Ledger:
    """A ledger with four lines, all well."""
    ledger.record(opening())
    for word in ("one", "two", "three"):
        ledger.record(saying(word))
    return ledger


def rewritten(ledger: Ledger, change: Callable[[Lines], Lines]) -> list[tuple[Kind, int | None]]:
    """What is found after the journal was changed, and read again from its beginning."""
    overwrite(ledger, b"".join(change(written(ledger).splitlines(keepends=True))))
    ledger.rebuild()
    return found(ledger)


def found(ledger: Ledger) -> list[tuple[Kind, int | None]]:
    return [(finding.kind, finding.line) for finding in verify(ledger)]


def test_nothing_is_wrong(full: Ledger) -> None:
    """A journal that only we wrote to is in order, and so are the tables."""
    assert verify(full) == []


@pytest.mark.of_files
def test_looking_changes_nothing(full: Ledger) -> None:
    """Neither tables nor files are touched, not even half a line at the end."""
    path = full.journal(PROJECT).path
    path.write_bytes(path.read_bytes() + b"nonsense\n{half")
    before = everything(full), path.read_bytes()

    verify(full)

    assert (everything(full), path.read_bytes()) == before


def test_edited_line(full: Ledger) -> None:
    """A line that was edited is seen by the next one."""
    edited = rewritten(full, lambda lines: [lines[0], lines[1].replace(b"one", b"ONE"), *lines[2:]])

    assert edited == [(Kind.BROKEN, 3)]


@pytest.mark.of_files
@pytest.mark.parametrize("damaged", [0, 2])
def test_zero_in_the_place_of_what_a_line_begins_with(full: Ledger, damaged: int) -> None:
    """It begins what is being written only behind all that was read: before that one line is lost, and none behind it.

    Neither verifying nor rebuilding, and no rewriting, takes the lines behind it for half of something.
    """
    lines = written(full).splitlines(keepends=True)
    lines[damaged] = b"\0" + lines[damaged][1:]
    overwrite(full, b"".join(lines))
    anew = Ledger(full.store, full.home, full.owner, full.clock)  # as by a process that has not read it before

    assert (Kind.MALFORMED, damaged + 1) in found(anew)
    assert rewrite(anew, PROJECT, lambda line: line.replace(b"three", b"THREE"), "a test") is not None
    assert anew.rebuild() == len(lines)  # one less, and the one that tells of the rewriting
    anew.record(saying("four"))
    assert len(written(anew).splitlines()) == len(lines) + 2
    assert anew.journal(PROJECT).halves() is None


def test_moved_lines(full: Ledger) -> None:
    """Lines in another order are seen where they were put."""
    moved = rewritten(full, lambda lines: [lines[0], lines[2], lines[1], lines[3]])

    assert moved == [(Kind.BROKEN, 2), (Kind.BROKEN, 3), (Kind.BROKEN, 4)]


def test_removed_line(full: Ledger) -> None:
    """A line that is not there any more is missed by the one behind it."""
    assert rewritten(full, lambda lines: [lines[0], *lines[2:]]) == [(Kind.BROKEN, 2)]


def test_doubled_line(full: Ledger) -> None:
    """An event that is there twice is told with both lines."""
    assert rewritten(full, lambda lines: [*lines, lines[1]]) == [(Kind.BROKEN, 5), (Kind.DOUBLE, 5)]


@pytest.mark.parametrize("nonsense", [b"nonsense\n", b"{}\n", b"\xff\n", b"[" * 100_000 + b"\n"])
def test_malformed_line(full: Ledger, nonsense: bytes) -> None:
    """A line that is no event is told, and the one behind it that it was put there."""
    assert rewritten(full, lambda lines: [*lines[:2], nonsense, *lines[2:]]) == [(Kind.BROKEN, 4), (Kind.MALFORMED, 3)]


def test_bad_change(full: Ledger) -> None:
    """So is an event whose change cannot be folded, or whose time is none."""
    forged = rewritten(full, lambda lines: [lines[0].replace(b"pending", b"asleep"), *lines[1:]])
    assert forged == [(Kind.BROKEN, 2), (Kind.MALFORMED, 1)]

    timeless = rewritten(full, lambda lines: [*lines[:-1], lines[-1].replace(b'"timestamp":"2026', b'"timestamp":"?')])
    assert (Kind.MALFORMED, 4) in timeless


def test_foreign_lines(full: Ledger) -> None:
    """A line of another owner or another project is told."""
    others = rewritten(full, lambda lines: [*lines[:-1], lines[-1].replace(b'"owner":"ana"', b'"owner":"ben"')])
    assert others == [(Kind.FOREIGN, 4)]

    shop, farm = json.dumps(PROJECT).encode(), json.dumps("farm").encode()
    assert rewritten(full, lambda lines: [*lines[:-1], lines[-1].replace(shop, farm)])[0] == (Kind.FOREIGN, 4)


def test_lines_about_what_is_of_another_project(full: Ledger) -> None:
    """A line that somebody wrote into a journal, and that makes a node another project has, is told."""
    full.record(opening("t-z", project="z"))
    forged = {**json.loads(written(full, "z")), "event_id": "01B" + "0" * 23, "project": "zz"}
    overwrite(full, json.dumps({**forged, "prev": ""}).encode() + b"\n", "zz")
    full.catch_up()

    assert [(found.project, found.kind) for found in verify(full)] == [("zz", Kind.FOREIGN)]


def test_newer_schema(full: Ledger) -> None:
    """A line of a newer Noctuary is told, and nothing more is tried."""
    newer = written(full).splitlines(keepends=True)[-1].replace(b'"schema_version":1', b'"schema_version":9')
    overwrite(full, written(full) + newer)

    assert found(full) == [(Kind.TOO_NEW, 5), (Kind.BEHIND, 5)]


@pytest.mark.of_files
def test_torn_lines(full: Ledger) -> None:
    """Half a line is told while it is there, and what was set aside after that."""
    path = full.journal(PROJECT).path
    path.write_bytes(path.read_bytes() + b'{"half')
    assert found(full) == [(Kind.TORN, 5)]

    full.record(saying("four"))
    assert found(full) == [(Kind.TORN, None)]


@pytest.mark.of_files
@pytest.mark.parametrize("size", [0, 30])
def test_damaged(full: Ledger, size: int) -> None:
    """A journal that is gone or was shortened is told, with advice."""
    path = full.journal(PROJECT).path
    path.write_bytes(path.read_bytes()[:size])
    if not size:
        path.unlink()

    findings = verify(full)

    assert findings[0].kind is Kind.DAMAGED
    assert "noctuary journal restore" in findings[0].detail


def test_tables_that_are_behind(full: Ledger) -> None:
    """Lines that the tables do not know yet are counted."""
    overwrite(full, written(full) + written(full).splitlines(keepends=True)[-1].replace(b'":"01', b'":"02', 1))

    assert (Kind.BEHIND, 5) in found(full)


def test_tables_that_are_not_what_the_journal_says(full: Ledger, store: Store) -> None:
    """A table that somebody wrote to is told, and that a rebuild helps."""
    row = store.database.fetch("edge_row", owner="ana", type="contains", from_id=TASK, to_id="t-2")
    assert row == []
    store.database.run_many("save_edge", [("ana", "informs", TASK, TASK, "e-1", PROJECT, None, 0)])

    assert [(finding.kind, finding.detail.split()[0]) for finding in verify(full)] == [(Kind.UNEQUAL, "edges")]
    full.rebuild()
    assert verify(full) == []


def test_circles(full: Ledger) -> None:
    """What contains itself or waits for itself after a merge is told with all its members."""
    full.record(opening("t-2"))
    for start, end in ((TASK, "t-2"), ("t-2", TASK)):
        full.record(linking("depends_on", start, end))
    full.record(linking("contains", TASK, TASK))

    findings = verify(full)

    assert [(finding.kind, finding.project) for finding in findings] == [(Kind.CIRCLE, PROJECT)] * 2
    assert f"{TASK} → {TASK}" in findings[0].detail
    assert f"{TASK} → t-2 → {TASK}" in findings[1].detail


def test_edges_to_nowhere(full: Ledger) -> None:
    """An edge to a node that there is not is told."""
    full.record(linking("informs", TASK, "t-nowhere"))

    assert [(finding.kind, "t-nowhere" in finding.detail) for finding in verify(full)] == [(Kind.LOOSE, True)]


@pytest.mark.of_files
def test_one_project_only(full: Ledger) -> None:
    """Asked about one project, only that is looked at."""
    full.record(opening("t-9", project="farm"))
    path = full.journal("farm").path
    path.write_bytes(path.read_bytes() + b"{half")

    assert verify(full, PROJECT) == []
    assert [finding.project for finding in verify(full)] == ["farm"]
    assert isinstance(verify(full, "farm")[0], Finding)


def test_merged_journal_is_in_order(full: Ledger, tmp_path: Path) -> None:
    """Events of another machine stand behind ours in the chain, whatever their ids: nothing is wrong with that."""
    early = full.record(setting(title="x"))._replace(id="00" + "0" * 24)
    full.add_lines(PROJECT, [early])

    assert verify(full) == []
