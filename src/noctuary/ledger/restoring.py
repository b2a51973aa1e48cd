"""A journal that was lost, cut or overwritten is written again from the tables, which hold every line of it.

What is left of the old one is never thrown away: it is put into a file, and can be imported if it has more.
"""

import json
from pathlib import Path
from typing import NamedTuple

from noctuary.errors import JournalDamaged
from noctuary.journal.contract import BEGINNING
from noctuary.journal.lines import decode, encode, line_digest, stamp
from noctuary.ledger.ledger import Ledger

ASIDE = ".damaged-"


class Restored(NamedTuple):
    """A journal that was written again."""

    project: str
    events: int
    aside: Path | None = None  # what was left of the old one


def restore(ledger: Ledger) -> list[Restored]:
    """Write every journal again that is not what was read from it; those that are stay as they are."""
    return [
        _restored(ledger, project)
        for project in ledger.store.journals.projects(ledger.owner)
        if _is_damaged(ledger, project)
    ]


def _is_damaged(ledger: Ledger, project: str) -> bool:
    try:
        ledger.journal(project).check(ledger.place(project))
    except JournalDamaged:
        return True
    return False


def _restored(ledger: Ledger, project: str) -> Restored:
    journal = ledger.journal(project)
    with ledger.store.database.transaction(), journal.locked(BEGINNING):
        lines, prev = [], ""
        for row in ledger.store.events.all(ledger.owner, project):
            lines.append(encode(decode(json.loads(row[-1])), prev))
            prev = line_digest(lines[-1])
        aside = journal.set_aside(f"{ASIDE}{stamp(ledger.clock.now_ms())[:19].replace(':', '-')}")
        journal.append(b"".join(lines), BEGINNING)
        ledger.store.journals.remove(ledger.owner, project)
        ledger.fold_new(project)
    return Restored(project, len(lines), aside)
