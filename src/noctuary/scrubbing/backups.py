"""Copies of the database that were made before a change of its schema: cleaned as they are, whatever their schema.

Their full-text indexes are emptied, since they cannot be made without the words; `noctuary rebuild` makes them again
if such a copy is ever put back.
"""

from collections.abc import Iterator
from pathlib import Path

from noctuary.scrubbing.tally import Tally
from noctuary.scrubbing.texts import clean, clean_line, clean_record
from noctuary.store.raw import RawCopy

ENDING = ".backup"
_SAID = ("messages", "sessions")  # tables of what others wrote; the rest is ours


def scrub_backups(home: Path, tally: Tally, *, is_dry: bool) -> None:
    """Count the secrets in copies of the database, and take them out."""
    for path in sorted(home.glob(f"*.db*{ENDING}")):
        with RawCopy(path, is_dry=is_dry) as copy:
            changed = sum(_scrub_table(copy, table, tally, is_dry=is_dry) for table in copy.tables())
            if changed and not is_dry:
                copy.empty_indexes()


def _scrub_table(copy: RawCopy, table: str, tally: Tally, *, is_dry: bool) -> int:
    changed = 0
    for rowid, values in [*copy.rows(table)]:
        cleaned = {name: _cleaned(table, value) for name, value in values.items()}
        if cleaned == values:
            continue
        changed += 1
        tally.count_changed("copies of the database", *_texts(values))
        if not is_dry:
            copy.update(table, rowid, {name: value for name, value in cleaned.items() if value != values[name]})
    return changed


def _cleaned(table: str, value: object) -> object:
    if isinstance(value, str):
        return clean(value) if table in _SAID else clean_record(value)
    return clean_line(value) if isinstance(value, bytes) and value[:1] == b"{" else value


def _texts(values: dict[str, object]) -> Iterator[str]:
    for value in values.values():
        if isinstance(value, str):
            yield value
        elif isinstance(value, bytes) and value[:1] == b"{":
            yield value.decode("utf-8", "replace")
