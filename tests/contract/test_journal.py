"""What every journal promises, whether a file or rows of a table: the same lines at the same places."""

import json
from collections.abc import Callable, Iterator
from pathlib import Path

import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

from noctuary.authored import Event, EventType
from noctuary.errors import JournalDamaged
from noctuary.journal.contract import BEGINNING, UNFINISHED, Journal, Journals, Line, Place
from noctuary.journal.folder import FolderJournals
from noctuary.journal.lines import line_digest
from noctuary.journal.rewritings import Rewriting, generations, rewritten
from noctuary.ledger.ledger import Ledger, journals_of
from noctuary.ledger.restoring import restore
from noctuary.ledger.rewriting import rewrite
from noctuary.ledger.table_journal import TableJournals
from noctuary.ledger.verifying import Kind, verify
from noctuary.store import Store
from noctuary.testing import FakeClock
from tests import databases
from tests.databases import store_in
from tests.unit.ledger.writing import overwrite, written

OWNER, PROJECT = "ana", "/home/ana/code/shop"
HOMES: dict[str, Callable[[Store, Path], Journals]] = {
    "files": lambda _, home: FolderJournals(home, OWNER),
    "sqlite": lambda store, home: TableJournals(store, home, OWNER),
    "postgres": lambda store, home: TableJournals(store, home, OWNER),
}


@pytest.fixture(params=HOMES)
def ledger(request: pytest.FixtureRequest, tmp_path: Path) -> Iterator[Ledger]:
    """A ledger whose journals are files, or a table of either database."""
    if request.param == "postgres":
        with databases.on_postgres(request.getfixturevalue("first_database")):
            yield from _opened("postgres", tmp_path)
    else:
        yield from _opened(request.param, tmp_path)


def _opened(kind: str, home: Path) -> Iterator[Ledger]:
    store = store_in(home)
    yield Ledger(store, home, OWNER, FakeClock(), HOMES[kind](store, home))
    store.close()


@pytest.fixture
def journal(ledger: Ledger) -> Journal:
    return ledger.journal(PROJECT)


def write(ledger: Ledger, content: bytes, place: Place = BEGINNING) -> Place:
    """Append whole lines as the ledger does; the place behind them."""
    journal = ledger.journal(PROJECT)
    with ledger.store.database.transaction(), journal.locked(place):
        journal.append(content, place)
    *_, last = journal.read(place)
    return Place(last.end, last.number, line_digest(last.content), "", last.start)


def say(ledger: Ledger, *texts: str) -> list[str]:
    """Record findings; their ids."""
    return [ledger.record(Event(EventType.FINDING, text, project=PROJECT)).id for text in texts]


def said(ledger: Ledger) -> list[str]:
    rows = ledger.store.events.all(OWNER, PROJECT)
    return [row[-1].split('"text":"')[1].split('"')[0] for row in rows]


def found(ledger: Ledger) -> list[tuple[Kind, int | None]]:
    return [(finding.kind, finding.line) for finding in verify(ledger)]


def test_each_database_has_its_kind(tmp_path: Path, database: str) -> None:
    """Beside a file journals are files, on a server they are rows that every machine reads."""
    store = store_in(tmp_path)
    kind = type(journals_of(store, tmp_path, OWNER))
    store.close()

    assert kind is (FolderJournals if database == "sqlite" else TableJournals)


def test_nothing_written(ledger: Ledger, journal: Journal) -> None:
    """A journal that nobody wrote to is empty, in order, and in no list."""
    assert (journal.size(), list(journal.read()), journal.is_in_order(), journal.halves()) == (0, [], True, None)
    journal.check(BEGINNING)
    assert ledger.projects() == []


def test_lines_are_read_as_they_were_written(ledger: Ledger, journal: Journal) -> None:
    """With numbers and places as in a file; from any place on what is behind it."""
    end = write(ledger, b"one\n\ntwo \xff\r\n")

    lines = [Line(b"one", 1, 0, 4), Line(b"", 2, 4, 5), Line(b"two \xff\r", 3, 5, 12)]
    assert list(journal.read()) == lines
    assert journal.size() == end.offset == 12
    write(ledger, b"three\n", end)
    assert list(journal.read(end)) == [Line(b"three", 4, 12, 18)]
    assert ledger.projects() == [PROJECT]


def _as_line(raw: bytes) -> bytes:
    return raw.replace(b"\n", b"").lstrip(UNFINISHED)


@settings(max_examples=20, suppress_health_check=[HealthCheck.function_scoped_fixture])
@given(parts=st.lists(st.lists(st.binary(max_size=20).map(_as_line), min_size=1), max_size=4))
def test_any_lines(ledger: Ledger, parts: list[list[bytes]]) -> None:
    """Any bytes that begin with no zero, in any portions, are the file that they would be."""
    journal, place = ledger.journal(PROJECT), BEGINNING
    with ledger.store.database.transaction(), journal.locked(BEGINNING):
        journal.set_aside(".aside")
    for part in parts:
        place = write(ledger, b"".join(line + b"\n" for line in part), place)

    whole = b"".join(line + b"\n" for part in parts for line in part)
    assert written(ledger, PROJECT) == whole
    assert journal.size() == place.offset == len(whole)
    assert [line.start for line in journal.read()] == _starts(whole)
    journal.check(place)


@pytest.mark.parametrize("content", [b"\0\n", b"\0one\ntwo\n", b"one\n\0two\n", b"one\n\0\n"])
def test_line_that_begins_with_a_zero(ledger: Ledger, journal: Journal, content: bytes) -> None:
    """It is refused and nothing is written: in a file it would mark what is unfinished, and hide what follows."""
    end = write(ledger, b"before \0\n")

    with pytest.raises(JournalDamaged):
        write(ledger, content, end)

    assert written(ledger, PROJECT) == b"before \0\n"


def _starts(whole: bytes) -> list[int]:
    starts = [0] + [at + 1 for at, byte in enumerate(whole) if byte == 10]
    return starts[:-1]


def test_many_lines_are_read_in_portions(ledger: Ledger, journal: Journal) -> None:
    """A long journal is read to its end, whatever is held in memory of it."""
    write(ledger, b"".join(b"line %d\n" % number for number in range(2_500)))

    assert [line.content for line in journal.read()] == [b"line %d" % number for number in range(2_500)]
    assert [line.number for line in journal.read()] == list(range(1, 2_501))


def test_order_of_ids(ledger: Ledger, journal: Journal) -> None:
    """Whether lines are in the order of their ids is seen without reading them as events."""
    first, second = b'{"event_id":"01A"}\n', b'{"event_id":"01B"}\n'

    end = write(ledger, second + first)

    assert not journal.is_in_order()
    write(ledger, second, end)
    assert journal.is_in_order(end)


@pytest.mark.parametrize(
    ("content", "why"),
    [(b"", "is gone"), (b"one\n", "is shorter"), (b"one\ntwO\n", "line 2 has changed"), (b"one1\ntwo\n", "line 2 has")],
)
def test_a_journal_that_is_not_what_was_read(ledger: Ledger, journal: Journal, content: bytes, why: str) -> None:
    """It is neither read on nor written to, and it is said what to do."""
    place = write(ledger, b"one\ntwo\n")
    overwrite(ledger, content, PROJECT)

    with pytest.raises(JournalDamaged, match=f"{why}.*noctuary journal restore"):
        journal.check(place)
    with pytest.raises(JournalDamaged), ledger.store.database.transaction(), journal.locked(place):
        pytest.fail("it was locked")


def test_what_failed_left_no_line(ledger: Ledger, journal: Journal) -> None:
    """If what was to be written with it cannot be saved, a line is not there either."""
    say(ledger, "kept")
    before = written(ledger, PROJECT)

    with pytest.raises(RuntimeError):
        _fail_while_writing(ledger)

    assert (written(ledger, PROJECT), said(ledger)) == (before, ["kept"])
    say(ledger, "and on")
    assert said(ledger) == ["kept", "and on"]
    assert verify(ledger) == []


def _fail_while_writing(ledger: Ledger) -> None:
    with ledger.writing(PROJECT) as record:
        record(Event(EventType.FINDING, "lost", project=PROJECT))
        raise RuntimeError


@pytest.mark.parametrize(
    ("change", "expected"),
    [
        (lambda lines: [lines[0], lines[1].replace(b"two", b"TWO"), *lines[2:]], [(Kind.BROKEN, 3)]),
        (lambda lines: [lines[0], lines[1].replace(b"two", b"other"), *lines[2:]], [(Kind.BROKEN, 3)]),
        (lambda lines: [lines[0], *lines[2:]], [(Kind.BROKEN, 2)]),
        (lambda lines: [*lines, lines[1]], [(Kind.BROKEN, 5), (Kind.DOUBLE, 5)]),
        (lambda lines: [lines[1], lines[0], *lines[2:]], [(Kind.BROKEN, 1), (Kind.BROKEN, 2), (Kind.BROKEN, 3)]),
    ],
    ids=["edited", "longer", "missing", "doubled", "moved"],
)
def test_what_is_wrong_is_found(
    ledger: Ledger, change: Callable[[list[bytes]], list[bytes]], expected: list[tuple[Kind, int]]
) -> None:
    """A line that was changed, removed, added or moved is seen by the digests, after a rebuild, too."""
    say(ledger, "one", "two", "three", "four")
    overwrite(ledger, b"".join(change(written(ledger, PROJECT).splitlines(keepends=True))), PROJECT)

    assert set(expected) <= set(found(ledger))
    ledger.rebuild()
    assert found(ledger) == expected


@pytest.mark.parametrize("ledger", ["sqlite", "postgres"], indirect=True)
def test_a_row_that_somebody_removed(ledger: Ledger) -> None:
    """A hole in a table is seen; what is left can be gone on with."""
    say(ledger, "one", "two", "three")
    lines = ledger.store.journal_lines
    rows = lines.page(OWNER, PROJECT, 0, 10)
    lines.remove(OWNER, PROJECT)
    lines.add(OWNER, PROJECT, [rows[0], rows[2]])

    assert (Kind.BROKEN, 3) in found(ledger)
    assert ledger.rebuild() == 2
    say(ledger, "four")
    assert said(ledger) == ["one", "three", "four"]


def test_restored(ledger: Ledger) -> None:
    """A journal that was lost is written again from the tables, byte for byte."""
    say(ledger, "one", "two")
    before = written(ledger, PROJECT)
    overwrite(ledger, b"", PROJECT)

    (restored,) = restore(ledger)

    assert (restored.events, restored.aside, written(ledger, PROJECT)) == (2, None, before)
    say(ledger, "three")
    assert verify(ledger) == []


def test_what_is_set_aside_is_in_a_file(ledger: Ledger, journal: Journal) -> None:
    """What is left is never thrown away, however often that happens; then the journal is empty."""
    asides = []
    for content in (b"one\n", b"two\n"):
        with ledger.store.database.transaction(), journal.locked(BEGINNING):
            journal.append(content, BEGINNING)
            asides.append(journal.set_aside(".damaged"))

    assert [aside.read_bytes() for aside in asides if aside] == [b"one\n", b"two\n"]
    assert {aside.stat().st_mode & 0o777 for aside in asides if aside} == {0o600}
    assert (journal.size(), ledger.projects()) == (0, [])


def test_rebuilt(ledger: Ledger) -> None:
    """Folded again from its beginning, the tables are what they were."""
    say(ledger, "one", "two")
    dumped = ledger.store.journals.dump(OWNER, PROJECT)
    place = ledger.place(PROJECT)

    assert ledger.rebuild() == 2

    assert ledger.store.journals.dump(OWNER, PROJECT) == dumped
    assert ledger.place(PROJECT) == place


def test_a_journal_of_one_kind_is_gone_on_with_in_another(ledger: Ledger, tmp_path: Path) -> None:
    """Places mean the same: lines that are carried over are read on from where the tables are."""
    say(ledger, "one", "two")
    elsewhere = FolderJournals(tmp_path / "elsewhere", OWNER)
    with elsewhere.journal(PROJECT).locked(BEGINNING):
        elsewhere.journal(PROJECT).append(written(ledger, PROJECT), BEGINNING)
    carried = Ledger(ledger.store, tmp_path / "elsewhere", OWNER, FakeClock(), elsewhere)

    assert carried.catch_up() == []
    say(carried, "three")
    assert said(carried) == ["one", "two", "three"]
    assert verify(carried) == []


def without(word: str) -> Callable[[bytes], bytes]:
    """A change that takes a word out of lines."""
    return lambda line: line.replace(word.encode(), b"[gone]")


def told(ledger: Ledger, *texts: str) -> None:
    for text in texts:
        ledger.record(Event(EventType.FINDING, text, project=PROJECT))


def test_rewritten_lines_are_gone_and_all_others_stay(ledger: Ledger) -> None:
    """What was taken out is in no line and no row; every other line says what it said, and the journal is sound."""
    told(ledger, "the first", "has hunter2secret in it", "the last")

    rewrote = rewrite(ledger, PROJECT, without("hunter2secret"), "a test")

    lines = [line.content for line in ledger.journal(PROJECT).read()]
    assert rewrote is not None
    assert rewrote.lines == 1
    assert len(lines) == 4
    assert not any(b"hunter2" in line for line in lines)
    assert b"the first" in lines[0]
    assert b"has [gone] in it" in lines[1]
    assert b"the last" in lines[2]
    assert verify(ledger) == []
    assert [row[-1] for row in ledger.store.events.all(OWNER, PROJECT)] == [line.decode() for line in lines]


def test_rewriting_nothing_changes_nothing(ledger: Ledger) -> None:
    """Where no line changes, there is no record of it either."""
    told(ledger, "the first")
    before = [*ledger.journal(PROJECT).read()]

    assert rewrite(ledger, PROJECT, without("hunter2secret"), "a test") is None
    assert [*ledger.journal(PROJECT).read()] == before


def test_a_journal_is_proven_back_to_its_first_state(ledger: Ledger) -> None:
    """However often lines are rewritten, and the same line as well, the digests of before can be computed."""
    told(ledger, "one and two", "two", "three")
    first = [line_digest(line.content) for line in ledger.journal(PROJECT).read()]
    rewrite(ledger, PROJECT, without("one"), "a test")
    told(ledger, "four")
    second = [line_digest(line.content) for line in ledger.journal(PROJECT).read()]
    rewrite(ledger, PROJECT, without("two"), "a test")
    told(ledger, "five")

    known = generations([line.content for line in ledger.journal(PROJECT).read()])

    assert [list(then) for then in known.before] == [first, second]
    assert known.unproven() == []
    assert verify(ledger) == []


@pytest.mark.parametrize("line", [0, 2])
def test_a_change_beside_a_rewriting_is_found(ledger: Ledger, line: int) -> None:
    """A line that somebody edits and chains anew is told from those that were rewritten, for the proof fails."""
    told(ledger, "the first", "has hunter2secret in it", "the last")
    rewrite(ledger, PROJECT, without("hunter2secret"), "a test")
    contents = [each.content for each in ledger.journal(PROJECT).read()]
    changed = [*contents]
    changed[line] = changed[line].replace(b"the ", b"THE ")
    forged, _ = rewritten(contents, changed)

    known = generations(forged)

    assert known.unproven()


def test_tables_of_before_a_rewriting_are_folded_anew(ledger: Ledger) -> None:
    """Killed before the tables were saved, or on another machine that shares the file, the next look folds it."""
    told(ledger, "the first", "has hunter2secret in it", "the last")
    place = ledger.store.journals.place(OWNER, PROJECT)
    rewrite(ledger, PROJECT, without("hunter2secret"), "a test")
    ledger.store.journals.save_place(OWNER, PROJECT, place)

    assert ledger.catch_up(PROJECT) == []
    assert verify(ledger) == []
    told(ledger, "and on it goes")
    assert verify(ledger) == []


def test_a_journal_that_is_another_is_still_damaged(ledger: Ledger) -> None:
    """A record of a rewriting excuses only what it proves."""
    told(ledger, "the first", "has hunter2secret in it", "the last")
    place = ledger.store.journals.place(OWNER, PROJECT)
    rewrite(ledger, PROJECT, without("hunter2secret"), "a test")
    ledger.store.journals.save_place(OWNER, PROJECT, (place[0], place[1], "0" * 32, *place[3:]))

    with pytest.raises(JournalDamaged):
        ledger.catch_up(PROJECT)


@settings(max_examples=25, suppress_health_check=[HealthCheck.function_scoped_fixture])
@given(
    words=st.lists(st.sampled_from("abcdef"), min_size=1, max_size=8),
    gone=st.lists(st.sampled_from("abcdef"), max_size=3),
)
def test_any_rewritings_are_proven(words: list[str], gone: list[str]) -> None:
    """Lines rewritten in any order, any number of times, always give back the digests of each time before."""
    lines: list[bytes] = []
    for word in words:
        prev = line_digest(lines[-1]) if lines else ""
        lines.append(f'{{"event_id":"x","prev":"{prev}","text":"word-{word}"}}'.encode())
    seen: list[list[str]] = []
    for word in gone:
        changed = [line.replace(f"word-{word}".encode(), b"gone") for line in lines]
        fresh, rewrote = rewritten(lines, changed)
        if rewrote:
            seen.append([line_digest(line) for line in lines])
            record = Rewriting(len(fresh) + 1, "a test", line_digest(lines[-1]), rewrote).as_meta()
            said = json.dumps({"prev": line_digest(fresh[-1]), "meta": {"rewriting": record}}, separators=(",", ":"))
            lines = [*fresh, said.encode()]

    known = generations(lines)

    assert [list(then) for then in known.before] == seen
    assert known.unproven() == []
