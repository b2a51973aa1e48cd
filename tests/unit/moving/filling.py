"""Memories with a little of everything in them, odd texts included, and all that is in a SQLite file, read by hand."""

from pathlib import Path
from typing import Any

import apsw
from hypothesis import strategies as st

from noctuary.authored import Event, EventType, MessageRef, Refs
from noctuary.journal.contract import UNFINISHED
from noctuary.ledger.ledger import Ledger
from noctuary.store import Store, keys
from noctuary.store.owned_rows import PLAIN, OwnedRows
from noctuary.testing import FakeClock

OWNER = "ana"
ODD = ("", "\0", "a\0b", "\ufdd1", "\ufdd10\0", "\\u0000", "%s %(x)s :x ?", "'; --", "支付", "e\u0301", "\U0001f989",
       "\u202e", "\ufffe", "\r\n\t", "{}", "null", "\x1b[31m")  # fmt: skip
TEXTS = st.sampled_from(ODD) | st.text(st.characters(exclude_categories=["Cs"]), max_size=12)
NUMBERS = st.integers(-(1 << 63), (1 << 63) - 1)
CHOICES = {
    ("team_members", "role"): ["reviewer", "member", "left"],
    ("share_reviews", "verdict"): ["accepted", "refused"],
}
NOT_MOVED = {"changes", "told_events"}  # made by the database when rows arrive: what others are told of
BY_NUMBER = {"events", "nodes"}
Filled = dict[str, list[tuple[Any, ...]]]


def columns(path: Path, table: str) -> dict[str, tuple[str, bool]]:
    """The type of each column of a table but the owner, and whether it must have a value."""
    connection = apsw.Connection(str(path))
    found = {
        row[1]: (row[2].lower(), bool(row[3]) or bool(row[5]))
        for row in connection.execute(f"pragma table_info({table})")
    }
    connection.close()
    found.pop("owner")
    return found


@st.composite
def rows_of(draw: st.DrawFn, path: Path, table: str) -> list[tuple[Any, ...]]:
    """Rows that a table could have; each has a text or a number of its own wherever there may be a key."""
    kinds = {"text": TEXTS, "integer": NUMBERS, "real": st.floats(allow_nan=False), "blob": st.binary(max_size=9)}
    found = columns(path, table)
    rows: list[tuple[Any, ...]] = []
    only_one = not any(kind == "text" for kind, _ in found.values())  # the owner is its key
    for number in range(draw(st.integers(0, 1 if only_one else 2))):
        row: list[Any] = []
        for name, (kind, is_needed) in found.items():
            value = draw(st.sampled_from(CHOICES[table, name]) if (table, name) in CHOICES else kinds[kind])
            if kind == "text" and is_needed and (table, name) not in CHOICES:
                value = f"{value}{number}"
            row.append(value if is_needed or draw(st.booleans()) else None)
        rows.append(tuple(row))
    return rows


@st.composite
def memories(draw: st.DrawFn, path: Path) -> Filled:
    """What a memory could hold, in the tables that are moved."""
    filled = {table: draw(rows_of(path, table)) for table in PLAIN}
    filled["sessions"] = draw(rows_of(path, "sessions"))
    message = st.tuples(st.sampled_from(["user", "assistant", "tool"]), st.sampled_from(["text", "thinking"]), NUMBERS,
                        st.sampled_from([None, "injected", "noise"]), st.none() | TEXTS, st.none() | TEXTS,
                        st.none() | NUMBERS, st.none() | NUMBERS, st.none() | TEXTS, TEXTS)  # fmt: skip
    filled["messages"] = draw(st.lists(message, max_size=4))
    filled["vectors"] = draw(st.lists(st.tuples(st.binary(max_size=8), st.binary(max_size=8)), max_size=2))
    filled["events"] = [(text,) for text in draw(st.lists(TEXTS, max_size=3))]
    # With a zero begins what was not written to its end, which is no line.
    line = st.binary(max_size=9).filter(lambda it: b"\n" not in it and not it.startswith(UNFINISHED))
    filled["lines"] = [(each,) for each in draw(st.lists(line, max_size=2))]
    return filled


def put(store: Store, home: Path, filled: Filled) -> None:
    """Store what a memory could hold, as it is."""
    rows = OwnedRows(store.database, OWNER)
    for table in PLAIN:
        rows.add_plain(table, filled[table])
    numbers = [rows.add_session(_without_number(row)) for row in filled["sessions"]]
    for no in numbers:
        rows.add_messages(no, [(keys.pack(0, place, 1, 3), *row) for place, row in enumerate(filled["messages"], 1)])
    for model, (lows, codes) in enumerate(filled["vectors"]):
        no = rows.add_embedder((f"model-{model}", "hashing", 4, "wanted", model))
        rows.add_vectors(no, [(session, model, lows, lows, codes) for session in numbers])
    write_journal(store, home, [row[0] for row in filled["events"]], [row[0] for row in filled["lines"]])


def write_journal(store: Store, home: Path, texts: list[str], lines: list[bytes] = []) -> None:  # noqa: B006
    """Events of two projects, and lines that are none."""
    ledger = Ledger(store, home, OWNER, FakeClock())
    for number, text in enumerate(texts):
        refs = Refs(messages=(MessageRef("s-1", 1, text),))
        ledger.record(Event(EventType.FINDING, text or "-", project=("", "/shop")[number % 2], refs=refs))
    if lines and texts:
        with ledger.journal("").path.open("ab") as file:
            file.writelines(line + b"\n" for line in lines)
        ledger.catch_up()


def _without_number(row: tuple[Any, ...]) -> tuple[Any, ...]:
    return row[1:]


def everything_in(path: Path) -> dict[str, list[str]]:
    """Every row of every table of a SQLite file, with names where the database gives numbers."""
    connection = apsw.Connection(str(path))
    names = dict(connection.execute("select no, id from sessions"))
    models = dict(connection.execute("select no, name from embedders"))
    events = dict(connection.execute("select no, id from events"))
    found: dict[str, list[str]] = {}
    for (table,) in list(
        connection.execute("select name from sqlite_schema where type = 'table' and sql like 'create table%'")
    ):
        if table in NOT_MOVED or "_index" in table or table.startswith("sqlite_"):
            continue
        cursor = connection.execute(f'select * from "{table}"')
        fields = [each[1] for each in connection.execute(f'pragma table_info("{table}")')]
        rows = [dict(zip(fields, row, strict=True)) for row in cursor]
        for row in rows:
            if table in BY_NUMBER or table == "sessions":
                del row["no"]
            if table == "messages":
                row["key"] = (names[row["key"] >> 32], row["key"] & 0xFFFFFFFF)
            if table == "embedders":
                del row["no"]
            if table == "vectors":
                row["embedder"], row["session"] = models[row["embedder"]], names[row["session"]]
            if table == "citations":
                row["event"] = events[row["event"]]
        found[table] = sorted(repr(row) for row in rows)
    connection.close()
    return found
