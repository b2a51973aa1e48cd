"""Journals of two machines become one, without loss and without doubles."""

import json
from collections.abc import Iterator
from contextlib import ExitStack
from datetime import timedelta
from pathlib import Path
from tempfile import TemporaryDirectory

import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

from noctuary.authored import EventType
from noctuary.errors import JournalTooNew
from noctuary.testing import FakeClock
from noctuary.work.desk import Desk
from noctuary.work.exchange import export_journal, import_journal
from noctuary.work.tasks import close_node, open_task, rename_node
from tests.unit.work.conftest import PROJECT, MakeDesk
from tests.unit.work.machines import machine


@pytest.fixture
def there(tmp_path: Path, clock: FakeClock) -> Iterator[Desk]:
    with machine(tmp_path / "there", clock, owner="ben") as opened:
        yield opened


def lines(desk: Desk) -> list[str]:
    return list(export_journal(desk.ledger))


def raw_lines(desk: Desk) -> list[bytes]:
    return [line.content + b"\n" for line in desk.ledger.journal(PROJECT).read()]


def test_an_export_is_sorted_and_says_nothing_of_the_machine(desk: Desk, make_desk: MakeDesk) -> None:
    """One line an event, by id; no digest of a line before, no owner; all projects, or one."""
    task = open_task(desk, "One")
    open_task(make_desk(project="/elsewhere"), "Two")
    close_node(desk, task.id, outcome="done")

    records = [json.loads(line) for line in lines(desk)]

    assert [record["event_id"] for record in records] == sorted(record["event_id"] for record in records)
    assert {record["project"] for record in records} == {PROJECT, "/elsewhere"}
    assert all(not {"prev", "owner"} & record.keys() for record in records)
    assert len(list(export_journal(desk.ledger, PROJECT))) == 2


def test_d27_an_import_adds_once_and_the_work_is_the_same(desk: Desk, there: Desk) -> None:
    """What comes from elsewhere is ours; the second time everything is known."""
    task = open_task(desk, "One", goal="why")
    close_node(desk, task.id, outcome="done")
    exported = lines(desk)

    first, second = import_journal(there.ledger, exported), import_journal(there.ledger, exported)

    assert (first.added, first.known, second.added, second.known) == (2, 0, 0, 2)
    assert there.node(task.id) == desk.node(task.id)
    assert lines(there) == exported
    assert not [*first.bad, *first.notes, *second.bad, *second.notes]


@settings(max_examples=15, deadline=None, suppress_health_check=[HealthCheck.too_slow])
@given(steps=st.lists(st.tuples(st.integers(0, 1), st.sampled_from(["open", "rename", "close", "sync"])), max_size=14))
def test_two_machines_become_the_same(steps: list[tuple[int, str]]) -> None:
    """Whatever each did and whenever they met: after both imported each other's lines they export the same bytes."""
    clock = FakeClock()
    with TemporaryDirectory() as folder, ExitStack() as stack:
        desks = [stack.enter_context(machine(Path(folder, name), clock, owner=name)) for name in ("ana", "ben")]
        tasks: list[str] = []
        for number, (who, what) in enumerate(steps):
            clock.advance(timedelta(seconds=number % 2))
            desk, other = desks[who], desks[1 - who]
            known = [name for name in tasks if desk.store.nodes.find(desk.owner, name)]
            if what == "sync":
                import_journal(desk.ledger, lines(other))
            elif what == "open" or not known:
                tasks.append(open_task(desk, f"Task {number}").id)
            elif what == "rename":
                rename_node(desk, known[number % len(known)], f"Renamed {number}")
            else:
                with desk.writing() as write:
                    write(EventType.FINDING, f"Found {number}\u2028", node=known[-1])
        one, two = (lines(desk) for desk in desks)
        import_journal(desks[0].ledger, two)
        import_journal(desks[1].ledger, reversed(one))

        assert lines(desks[0]) == lines(desks[1])
        assert {*lines(desks[0])} == {*one, *two}
        for name in tasks:
            assert desks[0].node(name) == desks[1].node(name)
        desks[0].ledger.rebuild()
        assert lines(desks[0]) == lines(desks[1])


def test_r16_bad_lines_are_set_aside_and_the_good_ones_kept(desk: Desk, there: Desk) -> None:
    """Torn, malformed, reordered and doubled lines, marks and Windows line ends: bad ones with number and reason."""
    for title in ("One", "Two", "Three"):
        open_task(desk, title)
    one, two, three = lines(desk)
    long = json.dumps(json.loads(one) | {"event_id": "01J00000000000000000000001", "text": "x" * 1_000_000})
    deep = '{"event_id":"01J00000000000000000000002","schema_version":1,"type":"finding","timestamp":"2026-01-01",'
    ahead = json.dumps(json.loads(one) | {"event_id": "7" + "Z" * 25})
    far = json.dumps(json.loads(one) | {"event_id": "02" + "Z" * 24})
    given_lines: list[str | bytes] = [
        "\ufeff" + three.replace("\n", "\r\n"), "", "no json", '{"torn": ', "[]", one, one, b"\xff\xfe{}\n",
        json.dumps({"event_id": "x"}), long, deep + '"meta":{"a":' + "[" * 300 + "]" * 300 + "}}",
        deep + '"meta":' + "[" * 100_000, ahead, far, two.replace('"title":"Two"', '"title":3'), two.encode(),
    ]  # fmt: skip

    report = import_journal(there.ledger, given_lines)

    assert report.added == 3
    assert [bad.number for bad in report.bad] == [3, 4, 5, 8, 9, 10, 11, 12, 13, 14, 15]
    assert "far ahead" in report.bad[-2].why
    assert report.bad[0].line == "no json"
    assert lines(there) == [one, two, three]


def test_a_newer_schema_is_refused_as_a_whole(desk: Desk, there: Desk) -> None:
    """Half an import of what is not understood would be worse than none."""
    open_task(desk, "One")
    newer = json.dumps(json.loads(lines(desk)[0]) | {"schema_version": 2})

    with pytest.raises(JournalTooNew):
        import_journal(there.ledger, [*lines(desk), newer])

    assert lines(there) == []


def test_another_machines_journal_is_read_as_it_is(desk: Desk, there: Desk) -> None:
    """The file itself can be given, digests and all; that they fit is checked."""
    for title in ("One", "Two", "Three"):
        open_task(desk, title)

    report = import_journal(there.ledger, raw_lines(desk))

    assert (report.added, list(report.notes)) == (3, [])
    assert lines(there) == lines(desk)


def test_a_line_that_was_edited_or_lost_is_noted_and_kept(desk: Desk, there: Desk) -> None:
    """Hash breaks are told with the number of the line; what it says is still read."""
    for title in ("One", "Two", "Three", "Four"):
        open_task(desk, title)
    one, two, three, four = raw_lines(desk)

    report = import_journal(there.ledger, [one, two.replace(b"Two", b"2wo"), three])
    missing = import_journal(there.ledger, [one, four])

    assert (report.added, [note.number for note in report.notes]) == (3, [3])
    assert (missing.added, [note.number for note in missing.notes]) == (1, [2])
    assert not report.bad


def test_an_event_that_says_something_else_here_is_noted(desk: Desk, there: Desk) -> None:
    """What is known is never changed; that the file has it otherwise is not hidden."""
    open_task(desk, "One")
    import_journal(there.ledger, lines(desk))

    report = import_journal(there.ledger, [line.replace("One", "Other") for line in lines(desk)])

    assert (report.added, report.known) == (0, 1)
    assert "other content" in report.notes[0].why
    assert lines(there) == lines(desk)


def test_all_can_be_given_to_one_project(desk: Desk, there: Desk, make_desk: MakeDesk) -> None:
    """The project is the event's, unless the caller says which."""
    open_task(desk, "One")
    open_task(make_desk(project="/elsewhere"), "Two")

    import_journal(there.ledger, lines(desk), "/mine")

    assert {node.project for node in there.store.nodes.where(there.owner)} == {"/mine"}


def test_corrections_and_late_events_mean_the_same_after_a_merge(desk: Desk, there: Desk, clock: FakeClock) -> None:
    """A correction made on one machine hides what it corrects on the other, though that was written to meanwhile."""
    task = open_task(desk, "One")
    with desk.writing() as write:
        wrong = write(EventType.FINDING, "it is the cache", node=task.id)
    import_journal(there.ledger, lines(desk))
    clock.advance(timedelta(minutes=1))
    with desk.writing() as write:
        write(EventType.CORRECTION, "it is the index", node=task.id, corrects=wrong.id)
    clock.advance(timedelta(minutes=1))
    open_task(there, "Two")

    import_journal(there.ledger, lines(desk))

    assert [entry.event.text for entry in there.entries(task.id, [EventType.FINDING])] == ["it is the index"]


def test_secrets_of_others_are_redacted(desk: Desk, there: Desk) -> None:
    """Nothing is written with a secret in it, wherever it comes from."""
    open_task(desk, "One")
    secret = "ghp_" + "a1B2" * 9

    import_journal(there.ledger, [line.replace('"text":"One"', f'"text":"token {secret}"') for line in lines(desk)])

    assert secret not in "".join(lines(there))
