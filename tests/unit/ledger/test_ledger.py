"""The ledger: journal first, then the tables; killed in between, nothing is lost and nothing is doubled."""

import json
import os
from pathlib import Path

import pytest

from noctuary.authored import Event, EventType, MessageRef, Refs
from noctuary.errors import BadChange, BadEvent, BadInput, JournalDamaged, JournalTooNew
from noctuary.journal.lines import line_digest
from noctuary.ledger.ledger import LONGEST_TEXT, Ledger
from noctuary.store import Store, open_store
from noctuary.testing import FakeClock
from tests.databases import store_in
from tests.unit.ledger.writing import (
    PROJECT,
    TASK,
    everything,
    found,
    opening,
    overwrite,
    saying,
    setting,
    texts,
    written,
)


def lines(ledger: Ledger, project: str = PROJECT) -> list[bytes]:
    return [line.content for line in ledger.journal(project).read()]


def put(ledger: Ledger, *contents: bytes, project: str = PROJECT) -> None:
    """Write lines to a journal behind the ledger's back."""
    overwrite(ledger, written(ledger, project) + b"".join(content + b"\n" for content in contents), project)


def other(ledger: Ledger, store: Store) -> Ledger:
    """The same journals, with tables of their own."""
    return Ledger(store, ledger.home, ledger.owner, ledger.clock, ledger.journals)


@pytest.fixture
def second(tmp_path: Path, ledger: Ledger) -> Ledger:
    """Another database on the same journals, as after a crash that lost what was not committed."""
    return other(ledger, open_store(tmp_path / "second.db"))


def test_event_is_filled_in(ledger: Ledger, clock: FakeClock) -> None:
    """What is recorded has an id, an owner and a time, and is in the journal and in the tables."""
    written = ledger.record(opening())

    assert (written.owner, written.ts_ms, written.recorded_ms) == ("ana", clock.now_ms(), clock.now_ms())
    assert json.loads(lines(ledger)[0])["event_id"] == written.id
    entry = ledger.entry(written.id)
    assert entry
    assert entry.event == written
    assert ledger.store.nodes.find("ana", TASK)


def test_no_event_is_of_tomorrow(ledger: Ledger, clock: FakeClock) -> None:
    """A time that has not come yet becomes now."""
    assert ledger.record(saying("x", ts_ms=1 << 45)).ts_ms == clock.now_ms()


def test_lines_are_chained(ledger: Ledger) -> None:
    """Each line has the digest of the one before, across calls and processes."""
    ledger.record(opening())
    with ledger.writing(PROJECT) as write:
        write(saying("one"))
        write(saying("two"))

    written = lines(ledger)
    assert [json.loads(line)["prev"] for line in written] == ["", *map(line_digest, written[:-1])]


def test_writing_is_all_or_nothing(ledger: Ledger) -> None:
    """If what is written within one writing fails in the end, none of it was ever written."""
    ledger.record(opening())
    before = everything(ledger, ("one",)), lines(ledger)

    with pytest.raises(RuntimeError):
        write_and_fail(ledger)

    assert (everything(ledger, ("one",)), lines(ledger)) == before


def write_and_fail(ledger: Ledger) -> None:
    with ledger.writing(PROJECT) as write:
        write(saying("one"))
        assert texts(ledger)[0] == "one", "what was written is read meanwhile"
        raise RuntimeError


def test_writing_within_writing(ledger: Ledger) -> None:
    """A verb made of verbs is one writing, also to two projects at once."""
    with ledger.writing(PROJECT) as write:
        write(opening())
        ledger.record(saying("within"))
        ledger.record(opening("t-other", project="other"))

    assert len(lines(ledger)) == 2
    assert len(lines(ledger, "other")) == 1
    assert texts(ledger) == ["within", f"Open {TASK}"]


def test_crash_between_journal_and_commit(ledger: Ledger, second: Ledger) -> None:
    """A line that the tables never heard of is folded by whoever looks next, once."""
    ledger.record(opening())
    ledger.record(saying("kept"))

    assert second.catch_up() == []
    assert second.catch_up() == []
    assert everything(second, ("kept",)) == everything(ledger, ("kept",))


def test_writer_catches_up_first(ledger: Ledger, second: Ledger) -> None:
    """Whoever writes has read all that was written before."""
    ledger.record(opening())
    second.record(saying("by another database"))
    ledger.record(saying("and back"))

    assert texts(ledger) == ["and back", "by another database", f"Open {TASK}"]


@pytest.mark.of_files
def test_half_a_line_needs_no_turn_to_write(ledger: Ledger, store: Store, home: Path) -> None:
    """What a crash left at the end of a journal keeps nobody from looking while another writes."""
    ledger.record(opening())
    put(ledger, b"")
    os.truncate(ledger.journal(PROJECT).path, ledger.journal(PROJECT).size() - 1)
    with ledger.journal(PROJECT).path.open("ab") as file:
        file.write(b'{"half')
    reader = other(ledger, open_store(home / "noctuary.db", busy_seconds=0))

    with store.database.transaction():
        assert reader.catch_up() == []


def test_bad_lines_are_told_and_good_ones_kept(ledger: Ledger, second: Ledger) -> None:
    """Lines that are no events are reported with their numbers; all others count."""
    ledger.record(opening())
    good = lines(ledger)[0]
    put(ledger, b"nonsense", b"", b"{}", good.replace(TASK.encode(), b"t-2").replace(b"01", b"02", 1), b"\xff", good)
    bad_change = good.replace(b'"pending"', b'"sleeping"').replace(b'"event_id":"01', b'"event_id":"03')
    put(ledger, bad_change)

    bad = second.catch_up()

    assert sorted(line.number for line in bad) == [2, 4, 6, 7, 8]
    assert [line.why for line in bad if line.number == 7] == [
        f"event {json.loads(good)['event_id']} is there twice; it counts once"
    ]
    assert second.store.events.count("ana") == 2
    assert second.catch_up() == []
    ledger.catch_up()
    assert everything(ledger) == everything(second)


def test_bad_event_does_not_hide_a_good_one(ledger: Ledger, second: Ledger) -> None:
    """If an id is there twice and the first is no event, the second counts, whether read at once or one by one."""
    ledger.record(opening())
    good = lines(ledger)[0].replace(b'"event_id":"01', b'"event_id":"02').replace(TASK.encode(), b"t-2")
    for line in (good.replace(b'"pending"', b'"sleeping"'), good):
        put(ledger, line)
        ledger.catch_up()

    second.catch_up()

    assert ledger.store.nodes.find("ana", "t-2")
    assert everything(second) == everything(ledger)


def test_newer_schema_changes_nothing(ledger: Ledger, second: Ledger) -> None:
    """A journal that a newer Noctuary wrote to is neither read nor written; other projects go on."""
    ledger.record(opening())
    ledger.record(opening("t-other", project="other"))
    before = everything(ledger)
    newer = lines(ledger)[0].replace(b'"schema_version":1', b'"schema_version":2')
    put(ledger, lines(ledger)[0].replace(b'"event_id":"01', b'"event_id":"02'), newer)
    size = ledger.journal(PROJECT).size()

    for attempt in (ledger.catch_up, ledger.rebuild, lambda: ledger.record(saying("x"))):
        with pytest.raises(JournalTooNew):
            attempt()
    assert everything(ledger) == before
    assert ledger.journal(PROJECT).size() == size
    with pytest.raises(JournalTooNew):
        second.catch_up()
    assert second.store.nodes.find("ana", "t-other")
    assert not second.store.nodes.find("ana", TASK)


@pytest.mark.of_files
@pytest.mark.parametrize("size", [0, 40, -1])
def test_deleted_or_shortened_journal(ledger: Ledger, size: int) -> None:
    """If lines that are known are not there any more, it is said, with advice, and what is known stays."""
    ledger.record(opening())
    ledger.record(saying("kept"))
    path = ledger.journal(PROJECT).path
    os.truncate(path, size if size >= 0 else path.stat().st_size - 1)
    if not size:
        path.unlink()

    for attempt in (ledger.catch_up, lambda: ledger.record(saying("x"))):
        with pytest.raises(JournalDamaged, match="noctuary journal restore"):
            attempt()
    assert texts(ledger) == ["kept", f"Open {TASK}"]


@pytest.mark.of_files
def test_rebuild_goes_on_with_what_is_left(ledger: Ledger) -> None:
    """After a rebuild the tables are what is left of the journal, and it can be written to again."""
    ledger.record(opening())
    ledger.record(saying("lost"))
    os.truncate(ledger.journal(PROJECT).path, ledger.journal(PROJECT).size() - 5)

    assert ledger.rebuild() == 1
    ledger.record(saying("new"))

    assert texts(ledger) == ["new", f"Open {TASK}"]
    assert found(ledger, "lost") == []


def test_edited_line_is_not_written_behind(ledger: Ledger) -> None:
    """Nothing is written behind a last line that is not the one that was folded."""
    ledger.record(opening())
    overwrite(ledger, written(ledger).replace(b"Open", b"Shut"))

    with pytest.raises(JournalDamaged, match="line 1 has changed"):
        ledger.record(saying("x"))


def test_owners_and_projects_are_apart(ledger: Ledger, home: Path, clock: FakeClock) -> None:
    """Nobody sees another owner's, and a rebuild of one leaves the other alone, search included."""
    other_owner = Ledger(store_in(home, "ben"), home, "ben", clock)
    other_owner.record(opening(project=PROJECT))
    other_owner.record(saying("of ben"))
    ledger.record(opening())
    ledger.record(opening("t-2", project="A.B"))
    ledger.record(saying("in the other", node="t-2", project="A.B"))
    before = everything(other_owner, ("ben",))

    ledger.rebuild()

    assert everything(other_owner, ("ben",)) == before
    assert texts(ledger) == [f"Open {TASK}"]
    assert found(ledger, "ben") == []
    assert ledger.projects() == sorted(["A.B", PROJECT], key=lambda name: ledger.journal(name).path)


def test_events_of_another_project_are_refused(ledger: Ledger) -> None:
    """What belongs to another project is written to that one's journal, so that each can be read alone."""
    ledger.record(opening())
    said = ledger.record(saying("here"))

    for event in (
        setting(project="other", title="taken"),
        saying("about it", project="other"),
        Event(EventType.CORRECTION, "taken", project="other", corrects=said.id),
        opening(project="other"),
    ):
        with pytest.raises(BadChange, match="another project"):
            ledger.record(event)
    assert lines(ledger, "other") == []


def test_late_events_of_another_project_are_refused(ledger: Ledger) -> None:
    """An event that belongs before others takes nothing from another project either, now or after a rebuild."""
    ledger.record(opening())
    ledger.record(saying("local", project="a", node=None))
    before = everything(ledger), lines(ledger, "a")
    taking = opening(title="stolen", project="a")._replace(id="01A" + "0" * 23, ts_ms=1, recorded_ms=1)

    with pytest.raises(BadChange, match="another project"):
        ledger.add_lines("a", [taking])

    assert (everything(ledger), lines(ledger, "a")) == before
    ledger.rebuild()
    assert everything(ledger) == before[0]


def test_late_events_are_added_beside_old_trespasses(ledger: Ledger) -> None:
    """What somebody wrote into the file about another project's node keeps no later import out."""
    ledger.record(opening())
    ledger.record(saying("local", project="a", node=None))
    forged = {**json.loads(lines(ledger)[0]), "event_id": "01B" + "0" * 23}
    put(ledger, json.dumps(forged).encode(), project="a")

    late = saying("late", project="a", node=None)._replace(id="01A" + "0" * 23, ts_ms=1, recorded_ms=1)
    assert ledger.add_lines("a", [late]) == 1


def test_edges_may_lead_to_another_project(ledger: Ledger) -> None:
    """A task may depend on one of another project."""
    ledger.record(opening())
    ledger.record(opening("t-2", project="other"))
    edge = {"type": "depends_on", "from": "t-2", "to": TASK}
    ledger.record(Event(EventType.LINK, project="other", change={"edges": [edge]}))

    assert [node.id for node in ledger.store.nodes.free("ana", None, ledger.clock.now_ms()).ready] == [TASK]


@pytest.mark.parametrize(
    "change",
    [
        {"unknown": []}, {"nodes": {}}, {"nodes": [1]}, {"nodes": [{"id": "x"}]},
        {"nodes": [{"id": "", "type": "task", "title": "x", "status": "pending"}]},
        {"nodes": [{"id": "x", "type": "task", "title": "", "status": "pending"}]},
        {"nodes": [{"id": "x", "type": "task", "title": "x", "status": "chosen"}]},
        {"nodes": [{"id": "x", "type": "task", "title": "x", "status": "pending", "created_ms": None}]},
        {"nodes": [{"id": "x", "type": [], "title": "x", "status": "pending"}]},
        {"set": []}, {"set": {TASK: []}}, {"set": {TASK: {"colour": "red"}}}, {"set": {TASK: {"status": "asleep"}}},
        {"set": {TASK: {"title": None}}}, {"set": {TASK: {"lease_ms": 1 << 63}}}, {"set": {TASK: {"lease_ms": -1}}},
        {"set": {TASK: {"lease_ms": True}}}, {"set": {TASK: {"priority": "urgent"}}}, {"set": {TASK: {"labels": "x"}}},
        {"set": {TASK: {"labels": [1]}}}, {"set": {TASK: {"metadata": {"x": 1}}}}, {"set": {TASK: {"metadata": []}}},
        {"edges": [{"type": "likes", "from": TASK, "to": TASK}]}, {"edges": [{"type": "contains", "from": TASK}]},
        {"edges": [{"type": "contains", "from": TASK, "to": TASK, "label": 1}]},
        {"edges": [{"type": "contains", "from": TASK, "to": TASK, "created_ms": "now"}]},
        {"unlink": [{"type": {}, "from": TASK, "to": TASK}]},
        {"sessions": [{}]}, {"sessions": [{"id": "s", "goal": None}]}, {"sessions": [{"id": "s", "agents": "x"}]},
        {"sessions": [{"id": "s", "notes": []}]}, {"memories": [{}]}, {"memories": [{"id": "m", "kind": "dream"}]},
        {"memories": [{"id": "m", "text": None}]}, {"memories": [{"id": "m", "status": []}]},
        {"memories": [{"id": "m", "superseded_by": {}}]},
        {"nodes": [{"id": "x\n## Done", "type": "task", "title": "x", "status": "pending"}]},
        {"nodes": [{"id": "x y", "type": "task", "title": "x", "status": "pending"}]},
        {"nodes": [{"id": "-x", "type": "task", "title": "x", "status": "pending"}]},
        {"nodes": [{"id": "x" * 101, "type": "task", "title": "x", "status": "pending"}]},
        {"nodes": [{"id": "x", "type": "task", "title": "x\n## Done", "status": "pending"}]},
        {"set": {TASK: {"title": "\x1b[31m"}}}, {"set": {"a b": {}}}, {"sessions": [{"id": "s s"}]},
        {"edges": [{"type": "contains", "from": TASK, "to": "a/b"}]}, {"memories": [{"id": "m m", "text": "x"}]},
        {"memories": [{"id": "m", "text": "x", "deep": json.loads("[" * 400 + "]" * 400)}]},
    ],
)  # fmt: skip
def test_changes_that_cannot_be(ledger: Ledger, second: Ledger, change: dict[str, object]) -> None:
    """A change that has not the shape of one is refused when it is written, and passed over when it is read."""
    ledger.record(opening())
    before = everything(ledger), lines(ledger)

    with pytest.raises(BadEvent):
        ledger.record(Event(EventType.AMEND, project=PROJECT, change=change))

    assert (everything(ledger), lines(ledger)) == before
    forged = {**json.loads(lines(ledger)[0]), "change": change, "event_id": "02" + "0" * 24}
    put(ledger, json.dumps(forged).encode())
    assert [line.number for line in ledger.catch_up()] == [2]
    assert everything(ledger) == before[0]


def test_text_that_is_too_long(ledger: Ledger) -> None:
    """A text of a megabyte is no entry; it is refused before anything is written."""
    with pytest.raises(BadInput, match="1,000,000 characters"):
        ledger.record(saying("x" * 1_000_000))
    ledger.record(saying("x" * LONGEST_TEXT, node=None))

    assert len(lines(ledger)) == 1


def test_j7_24_secrets_are_not_written_wherever_they_stand(ledger: Ledger, home: Path) -> None:
    """What looks like a key reaches neither journal nor tables, in whichever field or key, and from elsewhere too."""
    key = "ghp_" + "a1B2c3D4e5F6g7H8i9J0k1L2m3N4o5P6q7R8"
    everywhere = {key: key, "list": [key, {key: [key]}]}
    refs = Refs((MessageRef(key, 1, key),), (key,), (f"/x/{key}",), (key,))
    change = {
        "set": {TASK: {"description": key, "labels": [key], "metadata": {key: key}}},
        "memories": [{"id": "m-1", "text": key, key: key}],
        "sessions": [{"id": "s-1", "goal": key, "agents": [key], "notes": key, "summary": key}],
    }
    given = {"refs": refs, "meta": everywhere, "change": change}
    free = [name for name, value in Event(EventType.FINDING)._asdict().items() if value in ("", None)]
    assert {"text", "node", "session", "corrects", "supersedes"} < set(free), "or this test looks at too few"
    own = {"id", "owner", "project", "confidence", "strength"}  # filled in by the ledger, or no texts
    event = Event(EventType.FINDING, **given, **dict.fromkeys(set(free) - own, key), project=PROJECT)  # type: ignore[arg-type]
    ledger.record(opening(title=key))
    ledger.record(event)
    ledger.add_lines(PROJECT, [event._replace(id="02" + "0" * 24)])

    assert len(lines(ledger)) == 3
    assert [file for file in home.rglob("*") if file.is_file() and key.encode() in file.read_bytes()] == []


def test_a_project_is_not_named_by_a_secret(ledger: Ledger) -> None:
    """A name with a password in it is refused: without the password, it would be that of another project."""
    for name in ("https://ana:hunter2secret@example.org/shop", "/p/ghp_a1B2c3D4e5F6g7H8i9J0k1L2m3N4o5P6q7R8"):
        with pytest.raises(BadInput, match="secret in the name"):
            ledger.record(saying("x", project=name, node=None))
        with pytest.raises(BadInput, match="secret in the name"):
            ledger.add_lines(name, [])
    assert ledger.projects() == []


def test_lines_from_elsewhere_are_added_once(ledger: Ledger, tmp_path: Path, clock: FakeClock) -> None:
    """Events of another machine keep their ids; those that are known already are passed over."""
    elsewhere = Ledger(open_store(tmp_path / "elsewhere.db"), tmp_path / "elsewhere", "eva", clock)
    made = [elsewhere.record(opening("t-9")), elsewhere.record(saying("from elsewhere", node="t-9"))]

    assert ledger.add_lines(PROJECT, made) == 2
    assert ledger.add_lines(PROJECT, made) == 0
    assert texts(ledger, "t-9") == ["from elsewhere", "Open t-9"]
    assert {entry.event.owner for event in made if (entry := ledger.entry(event.id))} == {"ana"}


def test_one_bad_event_from_elsewhere_keeps_all_out(ledger: Ledger) -> None:
    """Events are added all or none."""
    good = ledger.record(opening())._replace(id="02" + "0" * 24)

    with pytest.raises(BadEvent):
        ledger.add_lines(PROJECT, [good, good._replace(id="no ulid")])

    assert len(lines(ledger)) == 1


def test_long_names_of_projects(ledger: Ledger) -> None:
    """A project whose name is too long for a file is known by what its lines say."""
    project = "/home/ana/" + "very-long/" * 40
    ledger.record(opening(project=project))

    assert ledger.projects() == [project]
    assert ledger.rebuild() == 1


@pytest.mark.of_files
def test_foreign_files_are_no_journals(ledger: Ledger) -> None:
    """A file that we would have named otherwise is not read."""
    ledger.record(opening())
    path = ledger.journal(PROJECT).path
    path.with_name("Copy.jsonl").write_bytes(path.read_bytes())

    assert ledger.projects() == [PROJECT]
