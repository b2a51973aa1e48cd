"""Make a small sample of transcripts large: its records again and again under new ids, with texts of real lengths."""

import json
import re
import shutil
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import Any
from zlib import crc32

import apsw

# With 19 ends of lines and 21 quotation marks, tabs and backslashes in a thousand characters, as real messages have.
PROSE = (
    "The session store moved from Redis to SQLite because one file is easier to keep than a server.\n"
    'Run `pytest -x "tests/unit"` before you push; "test_total" failed twice today:\n'
    'def total(items):\n\treturn sum(item["price"] * item["count"] for item in items)\n'
    'assert total([]) == 0, "an empty cart costs nothing"\n'
    'In "settings.py" the timeout is 30 seconds,\nand nobody remembers why.  Ask Ana.\n'
) * 20
ABROAD = PROSE.replace(".  Ask", " – ask")
ABROAD_IN = 5  # one text of so many has characters beyond ASCII
# Characters of what is said, as in 1,756 messages of real coding sessions: 1,100 on average, and half below 122.
LENGTHS = (36, 50, 66, 90, 122, 200, 573, 1_200, 2_506, 6_000)
_TALK = ("messages", "requests", "bubbles")  # lists that hold what was said even if there is only one thing in them
_ID = re.compile(r"(?:^|_|-)(?:u?u?id|nr|key)$|(?:Id|ID|Uuid|UUID)$")
_CONTENT = ("text", "content", "output", "stdout", "thinking", "command")  # what is said, however short it is here
_UUID = re.compile("[0-9a-f]{8}(?:-[0-9a-f]{4}){3}-[0-9a-f]{12}")
_HEX = re.compile("[0-9a-f-]{16,}")
FILES_OF_A_SESSION = 4
STEPS = 1_000
ROUNDS_A_SESSION = 12  # about a hundred messages, as in real sessions
MESSAGES_A_TAB = 100
_BEGINS = "# aider chat started at "
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
    singles = [path for path in files if path.suffix == ".json" and _is_single(_loaded(path.read_bytes()))]
    if len(singles) >= FILES_OF_A_SESSION:
        _repeat_files(home, singles, size)
        return
    many = [path for path in files if _is_lines(path) or path.suffix in (".json", ".md") or _is_database(path)]
    share = size // max(1, len(many))
    for path in many:
        if _is_lines(path):
            _enlarge_lines(path, share)
        elif path.suffix == ".json":
            _enlarge_document(path, share)
        elif path.suffix == ".md":
            _enlarge_markdown(path, share)
        else:
            _enlarge_database(path, share)


def _is_lines(path: Path) -> bool:
    return path.suffix == ".jsonl" or (path.suffix == ".txt" and path.read_bytes().startswith(b"{"))


def _is_database(path: Path) -> bool:
    with path.open("rb") as file:
        return file.read(15) == b"SQLite format 3"


def _is_single(document: Any) -> bool:
    """Whether a file holds one record, and no list of them."""
    return type(document) is dict and "mapping" not in document and not _longest_list(document)


def _repeat_files(home: Path, singles: list[Path], size: int) -> None:
    """A format with one file a record: the files again under new ids, as other sessions."""
    texts = {path.relative_to(home): path.read_text(encoding="utf-8") for path in singles}
    ids = {each for text in texts.values() for each in _ids(_loaded(text), is_any=True) if len(each) > 3}
    sessions = {part for path in texts for part in path.parts if _HEX.fullmatch(part)}
    sessions |= {each for text in texts.values() for each in _sessions(_loaded(text))}
    once = sum(len(json.dumps(_grown(_loaded(text), set(), 0))) for text in texts.values())
    for number in range(_rounds(once, size)):
        rename = _renaming(_pattern(ids | sessions), number, sessions)
        for path, text in texts.items():
            copy = home / (rename(str(path)) if number else path)
            copy.parent.mkdir(parents=True, exist_ok=True)
            value = _grown(_loaded(rename(text) if number else text), set(), number)
            copy.write_text(json.dumps(value, ensure_ascii=False), encoding="utf-8")


def _enlarge_lines(path: Path, size: int) -> None:
    records = [record for line in path.read_bytes().splitlines() if (record := _loaded(line)) is not None]
    if len(records) == 1 and _longest_list(records[0]):
        path.write_text(json.dumps(_longer(records[0], size, set()), ensure_ascii=False) + "\n", encoding="utf-8")
        return
    ids = _ids(records) - set(path.parts)
    rounds = _rounds(len(json.dumps(_grown(records, ids, 0))), size)
    added = _added(records)
    with path.open("w", encoding="utf-8") as file:
        for number in range(rounds):
            for record in _grown(records, ids, number):
                if number and _is_change(record):
                    if record["kind"] == 0:  # the whole document, which would end what was before
                        continue
                    record["k"] = _moved(record["k"], added * number)
                if type(record) is dict and "step_index" in record:  # the id of a record of Antigravity
                    record["step_index"] += number * STEPS
                file.write(json.dumps(record, ensure_ascii=False) + "\n")


def _is_change(record: Any) -> bool:
    """Whether it is a line of the log of changes that VS Code keeps."""
    return type(record) is dict and type(record.get("kind")) is int and ("k" in record or "v" in record)


def _added(changes: list[Any]) -> int:
    """How many requests a log of changes adds to its document."""
    made = [change for change in changes if _is_change(change) and change.get("k", [])[:1] == ["requests"]]
    pushed: int = sum(len(change["v"]) for change in made if change["kind"] == 2 and len(change["k"]) == 1)
    return pushed - len([0 for change in made if change["kind"] == 3 and len(change["k"]) == 2])


def _moved(path: list[Any], by: int) -> list[Any]:
    return ["requests", path[1] + by, *path[2:]] if path[:1] == ["requests"] and len(path) > 1 else path


def _enlarge_document(path: Path, size: int) -> None:
    document = _longer(_loaded(path.read_bytes()), size, {path.stem})
    path.write_text(json.dumps(document, ensure_ascii=False), encoding="utf-8")


def _longer(document: Any, size: int, kept: set[str]) -> Any:
    """A document with more in the list of its messages."""
    if type(document) is dict and type(document.get("mapping")) is dict:
        return {**document, "mapping": _longer_branch(document["mapping"], size)}
    if type(document) is dict and type(document.get("tabs")) is list:
        return {**document, "tabs": _more_tabs(document["tabs"], size)}
    whole = _ids(document) - kept
    messages = document if type(document) is list else _longest_list(document)
    if not messages:
        return _grown(document, set(), 0)
    small = list(messages)
    rounds = _rounds(len(json.dumps(_grown(small, whole, 0))), size)
    messages[:] = [each for number in range(rounds) for each in _grown(small, whole, number)]
    return document


def _more_tabs(tabs: list[Any], size: int) -> list[Any]:
    """The first tab again and again, each time under new ids and with as many messages as a real session has."""
    tab, *others = tabs
    small, more = tab["bubbles"], []
    once = max(1, MESSAGES_A_TAB // len(small))
    length = len(json.dumps([_grown(small, _ids(small), number) for number in range(once)]))
    for number in range(_rounds(length, size)):
        rounds = range(number * once, (number + 1) * once)
        bubbles = [bubble for each in rounds for bubble in _grown(small, _ids(small), each)]
        more.append({**_grown(tab, _ids(tab), number), "bubbles": bubbles})
    return [*more, *others]


def _enlarge_markdown(path: Path, size: int) -> None:
    """The file again and again, with longer paragraphs; lines that mark something, and code, stay.

    A session begins only now and then: the two real histories of Aider that we have hold 38 and 94 messages each.
    """
    whole = path.read_text(encoding="utf-8").split("\n")
    inner = [line for line in whole if not line.startswith(_BEGINS)]
    rounds = _rounds(sum(len(_paragraph(whole, at, 0)) for at in range(len(whole))), size)
    with path.open("w", encoding="utf-8") as file:
        for number in range(rounds):
            lines = inner if number % ROUNDS_A_SESSION else whole
            file.writelines(f"{_paragraph(lines, at, number)}\n" for at in range(len(lines)))


def _paragraph(lines: list[str], at: int, number: int) -> str:
    line, before = lines[at], lines[at - 1] if at else "-"
    return _said(line, number).rstrip() if line[:1].isalpha() and not before and line[-2:] != "  " else line


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
    ids = {cell for name, cell in cells if _ID.search(name) and name != "key" and 1 < len(cell) < 100}
    ids |= {each for _, cell in cells for each in _ids(_loaded(cell), is_any=True) if len(each) > 1}
    known = _pattern(ids)
    named = [
        (table, name, cell)
        for table, (columns, rows) in kept.items()
        for row in rows
        for name, cell in zip(columns, row, strict=True)
    ]
    sessions = {cell for table, name, cell in named if _is_session(table, name) and isinstance(cell, str)}
    rounds = _rounds(sum(len(_cell(cell, str, 1)) for _, _, cell in named if isinstance(cell, str | bytes)), size)
    with connection:
        for table, (columns, rows) in kept.items():
            if "session_id" in columns:  # as their own programs have it; the samples are too small to need one
                connection.execute(f'create index "enlarged {table}" on "{table}" (session_id)')
            _lengthen_values(connection, table, columns, rows, known, size)
            for number in range(1, rounds):
                rename = _renaming(known, number, sessions)
                for row in rows:
                    _insert(connection, table, columns, [_cell(cell, rename, number) for cell in row])
    connection.close()


def _lengthen_values(
    connection: apsw.Connection,
    table: str,
    columns: list[str],
    rows: list[tuple[Any, ...]],
    known: re.Pattern[str],
    size: int,
) -> None:
    """Where a value has a fixed name, all its sessions are in it."""
    if columns != ["key", "value"]:
        return
    for key, value in rows:
        document = _loaded(value) if isinstance(value, str) else None
        if not known.search(key) and type(document) is dict:
            messages = next(iter(document.values())) if _is_map(document) else document
            longer = _longer(messages, size, set())
            whole = {**document, next(iter(document)): longer} if _is_map(document) else longer
            connection.execute(f'update "{table}" set value = ? where key = ?', (json.dumps(whole), key))


def _is_map(document: dict[str, Any]) -> bool:
    """Whether it has sessions by their ids."""
    return bool(document) and all(_HEX.fullmatch(name) and type(each) is dict for name, each in document.items())


def _rows(connection: apsw.Connection, table: str) -> tuple[list[str], list[tuple[Any, ...]]]:
    """The columns without numbers that the database gives itself, and the rows."""
    about = list(connection.execute(f"pragma table_info('{table}')"))
    columns = [row[1] for row in about if not (row[5] and str(row[2]).upper() == "INTEGER")]
    names = ", ".join(f'"{name}"' for name in columns)
    return columns, list(connection.execute(f'select {names} from "{table}"')) if columns else []


def _insert(connection: apsw.Connection, table: str, columns: list[str], row: list[Any]) -> None:
    names, places = ", ".join(f'"{name}"' for name in columns), ", ".join("?" * len(columns))
    connection.execute(f'insert or ignore into "{table}" ({names}) values ({places})', row)


def _pattern(ids: set[str]) -> re.Pattern[str]:
    """Any of the ids, if it is no part of a word."""
    names = "|".join(map(re.escape, sorted(ids, key=len, reverse=True)))
    return re.compile(rf"(?<![A-Za-z0-9])(?:{names or '(?!)'})(?![A-Za-z0-9])")


def _renaming(known: re.Pattern[str], number: int, sessions: set[str]) -> Callable[[str], str]:
    """Other ids each time; those of sessions only now and then, so that these have as many messages as real ones."""

    def renamed(found: re.Match[str]) -> str:
        count = number // ROUNDS_A_SESSION if found[0] in sessions else number
        return _numbered(found[0], count) if count else found[0]

    return lambda text: known.sub(renamed, text)


def _is_session(table: str, name: str) -> bool:
    """Whether a column has ids of sessions."""
    return bool(_ID.search(name)) and ("session" in name or (name == "id" and table.startswith("session")))


def _sessions(value: Any, name: str = "") -> set[str]:
    if type(value) is dict:
        return {each for key, inner in value.items() for each in _sessions(inner, key)}
    return {value} if type(value) is str and name.lower().startswith("session") and _ID.search(name) else set()


def _cell(cell: Any, rename: Callable[[str], str], number: int) -> Any:
    if isinstance(cell, bytes):
        try:
            return str(_cell(cell.decode(), rename, number)).encode()
        except UnicodeDecodeError:
            return cell
    if not isinstance(cell, str):
        return cell
    renamed = rename(cell)
    value = _loaded(renamed) if renamed[:1] in ("{", "[") else None
    return _said(renamed, number) if value is None else json.dumps(_grown(value, set(), number), ensure_ascii=False)


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
    talk = value.get("v", value) if type(value) is dict else {}
    talk = talk["tabs"][0] if type(talk) is dict and type(talk.get("tabs")) is list else talk
    named = [talk[name] for name in _TALK if type(talk) is dict and type(talk.get(name)) is list and talk[name]]
    return max(named or found, key=lambda each: len(json.dumps(each)), default=[])


def _lists(value: Any) -> Iterator[list[Any]]:
    if type(value) is list:
        yield value
    for each in value.values() if type(value) is dict else value if type(value) is list else ():
        yield from _lists(each)


def _ids(value: Any, name: str = "", *, is_any: bool = False) -> set[str]:
    """The values that name something and are named elsewhere; those of sessions only if any will do."""
    if type(value) is dict:
        return {each for key, inner in value.items() for each in _ids(inner, key, is_any=is_any)}
    if type(value) is list:
        return {each for inner in value for each in _ids(inner, name, is_any=is_any)}
    is_id = type(value) is str and value and _ID.search(name) and (is_any or not _NO_ID.search(name))
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
    return _renamed(value, ids, number) if value in ids else _said(value, number, is_content=name in _CONTENT)


def _renamed(name: str, ids: set[str], number: int) -> str:
    return _numbered(name, number) if number and name in ids else name


def _numbered(name: str, number: int) -> str:
    """Another id; that of a UUID is one, too."""
    return f"{name[:9]}{number % 65536:04x}{name[13:]}" if _UUID.fullmatch(name) else f"{name}-{number}"


def _said(text: str, number: int, *, is_content: bool = False) -> str:
    """What is said, as long as such things are; names, paths and times stay, and what is marked stays marked."""
    is_short = " " not in text or len(text) < 8
    if not text or (is_short and not is_content) or text[0] == "/" or text[:4].isdecimal():
        return text
    if text[0] in "{[" and (value := _loaded(text)) is not None:
        return json.dumps(_grown(value, set(), number), ensure_ascii=False)
    chance = crc32(f"{number}{text}".encode())
    length = LENGTHS[chance % len(LENGTHS)] - len(text)
    if length <= 0:
        return text
    more = (PROSE if chance // 16 % ABROAD_IN else ABROAD)[:length]
    end = text.rfind("</") if text[0] == "<" else len(text)
    return f"{text[:end]}\n{more}{text[end:]}" if end > 0 else text
