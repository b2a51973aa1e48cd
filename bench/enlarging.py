"""Make a small sample of transcripts large: its records again and again under new ids, with texts of real lengths."""

import json
import re
import shutil
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import Any
from zlib import crc32

import apsw

PROSE = (
    "The session store moved from Redis to SQLite because one file is easier to keep than a server. "
    "Run the tests with `pytest -x tests/unit` before you push; test_cart.py::test_total failed twice today. "
    "In settings.py the timeout is 30 seconds, and nobody remembers why – ask Ana. "
    "def total(items): return sum(item.price * item.count for item in items)\n"
)
# Characters of what is said, as in 1,756 messages of real coding sessions: 1,100 on average, and half below 122.
LENGTHS = (36, 50, 66, 90, 122, 200, 573, 1_200, 2_506, 6_000)
_ID = re.compile(r"(?:^|_|-)(?:u?u?id|nr|key)$|(?:Id|ID|Uuid|UUID)$")
_NO_ID = re.compile("session|thread|project|model|agent", re.IGNORECASE)


def lay_out(sample: Path, home: Path) -> Path:
    """A copy of a home folder; a file that ends in `.sql` becomes the database that it makes."""
    shutil.copytree(sample, home)
    for path in sorted(home.rglob("*.sql")):
        connection = apsw.Connection(str(path.with_suffix("")))
        connection.execute(path.read_text(encoding="utf-8"))
        connection.close()
        path.unlink()
    return home


def enlarge(home: Path, size: int) -> None:
    """Make all files of a home together about so large."""
    files = [path for path in sorted(home.rglob("*")) if path.is_file()]
    share = size // max(1, sum(path.suffix in (".jsonl", ".json", ".md") or _is_database(path) for path in files))
    for path in files:
        if path.suffix == ".jsonl":
            _enlarge_lines(path, share)
        elif path.suffix == ".json":
            _enlarge_document(path, share)
        elif path.suffix == ".md":
            text = path.read_text(encoding="utf-8")
            path.write_text(text * max(1, share // max(1, len(text))), encoding="utf-8")
        elif _is_database(path):
            _enlarge_database(path, share)


def _is_database(path: Path) -> bool:
    with path.open("rb") as file:
        return file.read(15) == b"SQLite format 3"


def _enlarge_lines(path: Path, size: int) -> None:
    records = [record for line in path.read_bytes().splitlines() if (record := _loaded(line)) is not None]
    ids = _ids(records) - set(path.parts)
    rounds = _rounds(len(json.dumps(_grown(records, ids, 0))), size)
    with path.open("w", encoding="utf-8") as file:
        for number in range(rounds):
            for record in _grown(records, ids, number):
                file.write(json.dumps(record, ensure_ascii=False) + "\n")


def _enlarge_document(path: Path, size: int) -> None:
    document = _loaded(path.read_bytes())
    if type(document) is dict and type(document.get("mapping")) is dict:
        document["mapping"] = _longer_branch(document["mapping"], size)
        path.write_text(json.dumps(document, ensure_ascii=False), encoding="utf-8")
        return
    whole = _ids(document) - {path.stem}
    messages = document if type(document) is list else _longest_list(document)
    if not messages or len(messages) < 2:
        path.write_text(json.dumps(_grown(document, set(), 0), ensure_ascii=False), encoding="utf-8")
        return
    small = list(messages)
    rounds = _rounds(len(json.dumps(_grown(small, whole, 0))), size)
    messages[:] = [each for number in range(rounds) for each in _grown(small, whole, number)]
    path.write_text(json.dumps(document, ensure_ascii=False), encoding="utf-8")


def _longer_branch(nodes: dict[str, Any], size: int) -> dict[str, Any]:
    """A tree of messages with copies of it hung to its end."""
    longer: dict[str, Any] = {}
    [leaf] = [name for name in nodes if name not in {node["parent"] for node in nodes.values()}]
    end = None
    for number in range(_rounds(len(json.dumps(_grown(nodes, set(nodes), 0))), size)):
        for name, node in _grown(nodes, set(nodes), number).items():
            longer[name] = node if node["parent"] is not None else {**node, "parent": end}
        end = _renamed(leaf, set(nodes), number)
    return longer


def _enlarge_database(path: Path, size: int) -> None:
    """The rows again under new ids, also where these stand in other cells."""
    connection = apsw.Connection(str(path))
    tables = [name for (name,) in connection.execute("select name from sqlite_master where type = 'table'")]
    kept = {table: _rows(connection, table) for table in tables if not table.startswith("sqlite_")}
    cells = [
        (name, cell)
        for columns, rows in kept.values()
        for row in rows
        for name, cell in zip(columns, row, strict=True)
        if isinstance(cell, str)
    ]
    ids = {cell for name, cell in cells if _ID.search(name) and 3 < len(cell) < 100 and ":" not in cell}
    ids |= {each for _, cell in cells for each in _ids(_loaded(cell)) if len(each) > 3}
    known = re.compile("|".join(map(re.escape, sorted(ids, key=len, reverse=True))) or "(?!)")
    rounds = _rounds(sum(len(cell) for _, cell in cells), size)
    with connection:
        for number in range(1, rounds):
            rename = _renaming(known, number)
            for table, (columns, rows) in kept.items():
                for row in rows:
                    _insert(connection, table, columns, [_cell(cell, rename) for cell in row])
    connection.close()


def _rows(connection: apsw.Connection, table: str) -> tuple[list[str], list[tuple[Any, ...]]]:
    """The columns without numbers that the database gives itself, and the rows."""
    about = list(connection.execute(f"pragma table_info('{table}')"))
    columns = [row[1] for row in about if not (row[5] and str(row[2]).upper() == "INTEGER")]
    names = ", ".join(f'"{name}"' for name in columns)
    return columns, list(connection.execute(f'select {names} from "{table}"')) if columns else []


def _insert(connection: apsw.Connection, table: str, columns: list[str], row: list[Any]) -> None:
    names, places = ", ".join(f'"{name}"' for name in columns), ", ".join("?" * len(columns))
    connection.execute(f'insert or ignore into "{table}" ({names}) values ({places})', row)


def _renaming(known: re.Pattern[str], number: int) -> Callable[[str], str]:
    return lambda text: known.sub(lambda found: f"{found[0]}-{number}", text)


def _cell(cell: Any, rename: Callable[[str], str]) -> Any:
    if not isinstance(cell, str):
        return cell
    renamed = rename(cell)
    value = _loaded(renamed) if renamed[:1] in "{[" else None
    return renamed if value is None else json.dumps(_grown(value, set(), 0), ensure_ascii=False)


def _rounds(once: int, size: int) -> int:
    return max(1, size // max(1, once))


def _loaded(text: str | bytes) -> Any:
    try:
        return json.loads(text)
    except ValueError:
        return None


def _longest_list(value: Any) -> list[Any]:
    """The longest list of objects in a value: that of its messages."""
    found = [each for each in _lists(value) if sum(type(item) is dict for item in each) > 1]
    return max(found, key=lambda each: len(json.dumps(each)), default=[])


def _lists(value: Any) -> Iterator[list[Any]]:
    if type(value) is list:
        yield value
    for each in value.values() if type(value) is dict else value if type(value) is list else ():
        yield from _lists(each)


def _ids(value: Any, name: str = "") -> set[str]:
    """The values that name something and are named elsewhere."""
    if type(value) is dict:
        return {each for key, inner in value.items() for each in _ids(inner, key)}
    if type(value) is list:
        return {each for inner in value for each in _ids(inner, name)}
    is_id = type(value) is str and value and _ID.search(name) and not _NO_ID.search(name)
    return {value} if is_id else set()


def _grown(value: Any, ids: set[str], number: int, name: str = "") -> Any:
    """The value under new ids, with longer texts; words that arrive in pieces stay as short as they are."""
    if type(value) is dict:
        if str(value.get("sessionUpdate", "")).endswith("_chunk"):
            return value
        return {_renamed(key, ids, number): _grown(inner, ids, number, key) for key, inner in value.items()}
    if type(value) is list:
        return [_grown(inner, ids, number, name) for inner in value]
    if type(value) is not str:
        return value
    return _renamed(value, ids, number) if value in ids else _said(value, number)


def _renamed(name: str, ids: set[str], number: int) -> str:
    return f"{name}-{number}" if number and name in ids else name


def _said(text: str, number: int) -> str:
    """What is said, as long as such things are; names, paths, times and what is marked stay."""
    if " " not in text or len(text) < 8 or text[0] in "<{[/" or text[:4].isdecimal():
        return text
    length = LENGTHS[crc32(f"{number}{text}".encode()) % len(LENGTHS)]
    return text if len(text) >= length else f"{text}\n{(PROSE * 20)[: length - len(text)]}"
