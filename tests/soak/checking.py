"""Whether a memory is whole: the file, the journals, what follows from them, and all that was acknowledged."""

import json
import shutil
from collections import Counter
from collections.abc import Iterator
from pathlib import Path

import apsw

from noctuary.store import keys
from tests.soak import acknowledged
from tests.soak.acknowledged import MARK, Thing
from tests.soak.ground import Ground, wrong_with

# What a rebuild does not make again as it was: a list of what happened, in which it is something that did; and lines of
# pages that are kept so that they need not be made again, with word of which event they were made after.
_PASSING = {"changes", "sqlite_sequence", "memory_lines"}
_PASSING_ROWS = {"memory_pages": "digest not like 'seen:%'"}
_NUMBERED = ("events", "nodes")  # their first column is a number
_INDEXES = {"message_index": "", "event_index": "events", "hidden_event_index": "events", "node_index": "nodes"}
_MOST_TOLD, _LONGEST = 6, 200

Rows = dict[str, Counter[tuple[object, ...]]]


def check_living(ground: Ground) -> Iterator[str]:
    """What is wrong while everybody works: what a user is told, and a copy of one moment."""
    noted = acknowledged.read(ground.noted)
    yield from _file_faults(ground.database)
    for command in (("journal", "verify"), ("doctor",)):
        if wrong := wrong_with(ground.run(*command)):
            yield wrong
    yield from _copy_faults(ground, noted)


def check_resting(ground: Ground) -> Iterator[str]:
    """What is wrong when nobody works any more: the same, and that nothing is left to be done."""
    yield from check_living(ground)
    verified = json.loads(ground.run("journal", "verify", "--json").stdout)
    yield from (f"journal: {finding}" for finding in verified["findings"])
    checks = json.loads(ground.run("doctor", "--json").stdout)["checks"]
    yield from (f"doctor: {check}" for check in checks if check["finding"] == "problem")
    yield from acknowledged.faults(acknowledged.read(ground.noted), things_in(ground.memory))


def _file_faults(database: Path) -> Iterator[str]:
    connection = apsw.Connection(str(database))
    try:
        said = [str(row[0]) for row in connection.execute("pragma integrity_check")]
    finally:
        connection.close()
    yield from (f"integrity_check: {line}" for line in said if line != "ok")


def _copy_faults(ground: Ground, noted: list[Thing]) -> Iterator[str]:
    """Of a snapshot that is restored: what it lacks, and how it differs from what is folded from its journals."""
    snapshot, copy = ground.root / "snapshot", ground.root / "copy"
    try:
        commands = (
            ("snapshot", str(snapshot)),
            ("restore", str(snapshot), "--into", str(copy)),
        )
        for command in commands:
            if wrong := wrong_with(ground.run(*command)):
                yield wrong
                return
        yield from acknowledged.faults(noted, things_in(copy))
        before = rows_in(copy / ground.database.name)
        if wrong := wrong_with(ground.run("rebuild", "--home", str(copy))):
            yield wrong
        yield from differences(before, rows_in(copy / ground.database.name))
    finally:
        shutil.rmtree(snapshot, ignore_errors=True)
        shutil.rmtree(copy, ignore_errors=True)


def things_in(home: Path) -> list[Thing]:
    """All messages and nodes that anybody of the soak made, and every event: of the journals and of the tables.

    An event that is in a journal and in no table, or the other way round, has another kind, so it is missed.
    """
    connection = apsw.Connection(str(home / "noctuary.db"))
    try:
        sessions = dict(connection.execute("select no, id from sessions"))
        messages = [
            acknowledged.message(str(sessions[keys.session_of(key)]), keys.place_of(key), content)
            for key, content in connection.execute("select key, content from messages where instr(content, ?)", (MARK,))
        ]
        nodes = [acknowledged.node(*row) for row in connection.execute("select id, title from nodes")]
        tabled = {str(row[0]) for row in connection.execute("select id from events")}
    finally:
        connection.close()
    return [*messages, *(each for each in nodes if MARK in each.text), *_events(home, tabled)]


def _events(home: Path, tabled: set[str]) -> Iterator[Thing]:
    """What people and agents wrote; what a dream read may say the same as another, which is its own affair."""
    seen: Counter[str] = Counter()
    for path in sorted((home / "journal").rglob("*.jsonl")):
        for line in path.read_bytes().splitlines():
            record = json.loads(line)
            seen[record["event_id"]] += 1
            kind = "event" if record["event_id"] in tabled else "event of the journal alone"
            if record["author"] != "dream" and MARK in record["text"]:
                yield Thing(kind, record["event_id"], record["text"])
    yield from (Thing("event of the table alone", name, MARK) for name in sorted(tabled - seen.keys()))
    yield from (Thing("line", name, name) for name, count in seen.items() for _ in range(count) if count > 1)


def rows_in(database: Path) -> Rows:
    """The rows of every table, and the words of every index with where they stand.

    A rebuild numbers events and nodes anew, so they are called by their ids here.
    """
    connection = apsw.Connection(str(database))
    try:
        ids = {table: dict(connection.execute(f"select no, id from {table}")) for table in _NUMBERED}
        rows = {table: Counter(_rows_of(connection, table, ids)) for table in _tables(connection)}
        for index, numbered in _INDEXES.items():
            connection.execute(f"create virtual table temp.words_of_{index} using fts5vocab(main, {index}, 'instance')")
            names = ids.get(numbered, {})
            words = connection.execute(f'select term, doc, "offset" from words_of_{index}')
            rows[index] = Counter((term, names.get(doc, doc), place) for term, doc, place in words)
        return rows
    finally:
        connection.close()


def _tables(connection: apsw.Connection) -> list[str]:
    found = [str(row[0]) for row in connection.execute("select name from sqlite_schema where type = 'table'")]
    return [name for name in found if name not in _PASSING and not name.startswith(tuple(_INDEXES))]


def _rows_of(connection: apsw.Connection, table: str, ids: dict[str, dict[int, str]]) -> Iterator[tuple[object, ...]]:
    columns = [str(row[1]) for row in connection.execute(f'pragma table_info("{table}")')]
    of_event = columns.index("event") if table == "citations" else None
    for row in connection.execute(f'select * from "{table}" where {_PASSING_ROWS.get(table, "true")}'):
        if table in _NUMBERED:
            yield row[1:]
        elif of_event is not None:
            yield (*row[:of_event], ids["events"].get(row[of_event]), *row[of_event + 1 :])
        else:
            yield row


def differences(before: Rows, after: Rows) -> Iterator[str]:
    """Tables that are not what the journals and messages say, with some of the rows."""
    for table in sorted(before.keys() | after.keys()):
        lost, new = before[table] - after[table], after[table] - before[table]
        if lost or new:
            some = [
                f"{sign} {row}"[:_LONGEST]
                for sign, part in (("-", lost), ("+", new))
                for row in list(part)[:_MOST_TOLD]
            ]
            yield f"{table}: {lost.total()} rows are no more after a rebuild, {new.total()} are new: {'; '.join(some)}"
