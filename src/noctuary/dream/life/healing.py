"""The state of dreams is made whole: what cannot be read is kept as a copy, and made again from the journals.

State that cannot be read is never taken for none: then every session would be read again.  Whoever meets it is told,
and somebody has to ask for this.
"""

import json
import os
from collections.abc import Callable, Iterator, Mapping, Sequence
from datetime import UTC, datetime
from itertools import count
from pathlib import Path
from typing import Any, NamedTuple

from noctuary.dream.life.dreamt import lost
from noctuary.dream.life.schedule import last_success_ms
from noctuary.dream.life.state_file import run_of, spending_of
from noctuary.dream.life.states import epoch_of
from noctuary.dream.night import Night
from noctuary.dreams import DreamRecord, DreamStatus
from noctuary.files import make_private_folder, open_private, sync_folder, translated, write_all
from noctuary.store.database import Row
from noctuary.store.dreams import DreamState, StoredRun, record_in, state_of

_READERS: Mapping[str, Callable[[Row], object]] = {
    "sessions": record_in,
    "runs": run_of,
    "spending": spending_of,
    "state": state_of,
}
_HEAL = "`noctuary dream heal` keeps a copy of what there is and makes it again from the journal."


class Healed(NamedTuple):
    """What was made whole."""

    quarantined: Path | None  # the copy of what could not be read
    records: int  # completions that were made again
    removed: int = 0  # rows that could not be read


class _Damaged(NamedTuple):
    table: str
    row: Row
    why: str


def heal(night: Night) -> Healed:
    """Set aside what cannot be read, and make again what is missing; nothing, if nothing is wrong."""
    night.ledger.catch_up_all()
    dreams, owner = night.store.dreams, night.owner
    with night.store.database.transaction():
        damaged = list(_damaged(night))
        path = _set_aside(night, damaged) if damaged else None
        rows: dict[str, list[Row]] = {}
        for table, row, _ in damaged:
            rows.setdefault(table, []).append(row)
        dreams.remove_rows(owner, rows)
        for run in filter(None, map(_without_report, rows.get("runs", ()))):
            dreams.save_run(owner, run)
        if "state" in rows:
            dreams.save_state(owner, DreamState(last_success_ms=last_success_ms(night)))
        made = _missing(night)
        dreams.save(owner, made)
        for session in {record.session for record in made}:
            dreams.cover(owner, session, max(one.last_id for one in dreams.of_session(owner, session)))
    return Healed(path, len(made), len(damaged))


def check_state(night: Night) -> list[str]:
    """What is wrong with the state of dreams, each with what to do; nothing is changed."""
    damaged = [f"{_name(each)} cannot be read ({each.why}); {_HEAL}" for each in _damaged(night)]
    if damaged:
        return damaged
    known = night.store.dreams
    return [
        f"Session {record.session}: {_what_is_missing(record)}; {_HEAL}"
        for record in _missing(night)
        if known.span(night.owner, record.session)
    ]


def _damaged(night: Night) -> Iterator[_Damaged]:
    for table, rows in night.store.dreams.dump(night.owner).items():
        for row in rows:
            try:
                _READERS[table](row)
            except (ValueError, TypeError) as error:
                yield _Damaged(table, row, str(error))


def _missing(night: Night) -> list[DreamRecord]:
    """What the journals and the sessions know of and the tables do not; the tables can be read."""
    records = night.store.dreams.where(night.owner)
    return lost(night, {epoch_of(record): record for record in records})


def _set_aside(night: Night, damaged: Sequence[_Damaged]) -> Path:
    """Copy rows into a file of their own, and return when it is on the disk."""
    content = {
        "version": 1,
        "owner": night.owner,
        "rows": [{"table": table, "why": why, "row": list(map(_plain, row))} for table, row, why in damaged],
    }
    folder = night.home / "state"
    with translated(folder):
        make_private_folder(folder)
        path, file = _new_file(folder, f"{datetime.fromtimestamp(night.now_ms() / 1000, UTC):%Y%m%dT%H%M%SZ}")
        try:
            write_all(file, (json.dumps(content, indent=1) + "\n").encode())
        finally:
            os.close(file)
        sync_folder(folder)
    return path


def _new_file(folder: Path, time: str) -> tuple[Path, int]:
    for number in count():
        path = folder / f"dream-state.corrupt-{time}{f'-{number}' if number else ''}.json"
        try:
            return path, open_private(path, os.O_WRONLY | os.O_CREAT | os.O_EXCL)
        except FileExistsError:
            continue
    raise AssertionError


def _plain(value: Any) -> Any:
    return {"bytes": value.hex()} if isinstance(value, bytes) else value


def _without_report(row: Row) -> StoredRun | None:
    """The run, if nothing but its report cannot be read."""
    try:
        return run_of((*row[:5], None))
    except ValueError:
        return None


def _name(damaged: _Damaged) -> str:
    names = {"sessions": "The dream state of session", "runs": "The dream", "spending": "What dreams cost on"}
    return f"{names[damaged.table]} {damaged.row[0]}" if damaged.table in names else "The state of dreams as a whole"


def _what_is_missing(record: DreamRecord) -> str:
    if record.status is DreamStatus.COMPLETED:
        return f"the journal says that messages {record.first_id} to {record.last_id} were dreamt of, the tables do not"
    return f"messages {record.first_id} to {record.last_id} were completed, but do not wait to be dreamt of"
