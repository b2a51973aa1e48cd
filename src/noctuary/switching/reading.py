"""What readers of other tools' files share: databases as rows with names, and files that may be anything."""

import json
from collections.abc import Iterator
from contextlib import contextmanager
from hashlib import blake2b
from pathlib import Path
from typing import Any

from noctuary.errors import BadInput
from noctuary.transcripts.fields import time_ms
from noctuary.transcripts.foreign_sqlite import ForeignDatabase, is_sqlite, open_foreign
from noctuary.transcripts.jsonl import load_clean

LARGEST = 100 * 1024 * 1024  # bytes of a file that is read as a whole
_UNTOUCHED = "Nothing was changed."
Row = dict[str, Any]


def file_at(path: Path, *inside: str) -> Path:
    """The file that somebody names, or the first of these that is in the folder; BadInput if there is none."""
    if path.is_dir():
        found = next((path / name for name in inside if (path / name).is_file()), None)
        if found is None:
            raise BadInput(f"There is no {' and no '.join(inside)} in {path}. {_UNTOUCHED}")
        return found
    if not path.exists():
        raise BadInput(f"There is no file or folder {path}. {_UNTOUCHED} If it lies elsewhere, name it.")
    if not path.is_file():
        raise BadInput(f"{path} is neither a file nor a folder. {_UNTOUCHED}")
    return path


@contextmanager
def database_of(tool: str, path: Path, *tables: str) -> Iterator[ForeignDatabase]:
    """The database of a tool, to read; BadInput if it cannot be read, or is of another program."""
    if not is_sqlite(path):
        raise BadInput(f"{path} is no database of {tool}: it is no SQLite file, or may not be read. {_UNTOUCHED}")
    try:
        with open_foreign(path) as database:
            if missing := [table for table in tables if not _is_table(database, table)]:
                raise BadInput(f"{path} is no database of {tool}: it has no table {missing[0]}. {_UNTOUCHED}")
            yield database
    except OSError as error:
        raise BadInput(
            f"{path}: {error.strerror or error}. {_UNTOUCHED} If {tool} is running, stop it and try again."
        ) from error


def rows_of(database: ForeignDatabase, table: str) -> Iterator[Row]:
    """The rows of a table, each with the names of its columns; none if there is no such table."""
    if not _is_table(database, table):
        return
    columns = sorted(database.columns(table))
    chosen = ", ".join('"{}"'.format(name.replace('"', '""')) for name in columns)
    for row in database.rows(f'select {chosen} from "{table}" order by rowid'):  # noqa: S608 - the names are quoted
        yield dict(zip(columns, row, strict=True))


def _is_table(database: ForeignDatabase, name: str) -> bool:
    """Whether it is a table of its own: a view could be a question without end."""
    return bool(database.rows("select 1 from sqlite_master where type = 'table' and name = ?", name))


def text(row: Row, key: str) -> str:
    """The text in a column; empty if there is none."""
    value = row.get(key)
    return value.strip() if isinstance(value, str) else ""


def names_in(row: Row, key: str) -> list[str]:
    """The texts in a column that holds a JSON list; none if it holds something else."""
    found = value_in(text(row, key))
    return [one.strip() for one in found if isinstance(one, str) and one.strip()] if isinstance(found, list) else []


def value_in(line: str) -> Any:
    """The JSON value that a text is; None if it is none."""
    try:
        return load_clean(line) if line else None
    except (ValueError, RecursionError):
        return None


def when(row: Row, *keys: str) -> int:
    """The first time that one of the columns tells, in milliseconds; 0 if none does."""
    return next((ms for key in keys if (ms := time_ms(row.get(key)))), 0)


def read_text(path: Path) -> str:
    """The text of a file; BadInput if it cannot be read, or is too large."""
    try:
        if path.stat().st_size > LARGEST:
            raise BadInput(f"{path} is larger than {LARGEST // (1024 * 1024)} MB. {_UNTOUCHED}")
        return path.read_bytes().removeprefix(b"\xef\xbb\xbf").decode("utf-8", "replace")
    except OSError as error:
        raise BadInput(f"{path} cannot be read: {error.strerror or error}. {_UNTOUCHED}") from error


def plain_meta(row: Row, *but: str) -> Row:
    """What a row says besides these columns, as JSON can hold it; what is empty is left out."""
    kept = {key: value for key, value in row.items() if key not in but and value}
    return {key: value for key, value in kept.items() if isinstance(value, (str, int, float))}


def short(*parts: str) -> str:
    """A name for what these parts say, of few letters."""
    return blake2b("\0".join(parts).encode("utf-8", "surrogatepass"), digest_size=8).hexdigest()


def json_in(path: Path, tool: str) -> Any:
    """The JSON value in a file; BadInput if it is none."""
    content = read_text(path)
    try:
        return load_clean(content)
    except (ValueError, RecursionError):
        pass
    lines = [line for line in content.splitlines() if line.strip()]
    try:
        return [json.loads(line) for line in lines]
    except (ValueError, RecursionError):
        raise BadInput(f"{path} is no file of {tool}: it is neither SQLite nor JSON. {_UNTOUCHED}") from None
