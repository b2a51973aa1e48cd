"""Scrub a whole memory: journals, rows, files, copies of the database.

Every step is done or not, and the next scrub finds what is left to do: one that was killed is simply run again.
"""

from collections.abc import Iterable
from contextlib import suppress
from pathlib import Path

from noctuary.clock import Clock
from noctuary.errors import JournalDamaged, StoreBusy, StoreError
from noctuary.ledger.ledger import Ledger
from noctuary.ledger.rewriting import rewrite
from noctuary.scrubbing.backups import scrub_backups
from noctuary.scrubbing.files import scrub_files
from noctuary.scrubbing.rows import scrub_rows
from noctuary.scrubbing.tally import Tally
from noctuary.scrubbing.texts import clean_line
from noctuary.store import Store
from noctuary.store.lexicon import MERGES

REASON = "scrub"


def scrub_memory(store: Store, home: Path, owners: Iterable[str], clock: Clock, *, is_dry: bool) -> Tally:
    """Count the secrets in all that owners have, and take them out unless it is only a look."""
    tally = Tally()
    renamed = scrub_files(home, tally, is_dry=is_dry)
    for owner in owners:
        _scrub_journals(Ledger(store, home, owner, clock), tally, is_dry=is_dry)
        scrub_rows(store, owner, tally, renamed, is_dry=is_dry)
    scrub_backups(home, tally, is_dry=is_dry)
    if not is_dry:
        _tidy(store, tally)
    return tally


def _scrub_journals(ledger: Ledger, tally: Tally, *, is_dry: bool) -> None:
    for project in sorted({*ledger.projects(), *ledger.store.journals.projects(ledger.owner)}):
        try:
            journal = ledger.journal(project)
            with suppress(JournalDamaged):  # which is said by whoever writes; here it learns how much of it are lines
                journal.check(ledger.place(project))
            lines = [line.content for line in journal.read()]
            dirty = [line for line in lines if clean_line(line) != line]
            for line in dirty:
                tally.count_changed("journal", line.decode("utf-8", "replace"))
            if dirty and not is_dry:
                rewrite(ledger, project, clean_line, REASON)
        except StoreError as error:
            tally.warnings.append(str(error))


def _tidy(store: Store, tally: Tally) -> None:
    """Nothing of what was replaced stays in indexes, unused pages or the log; also if nothing was replaced now.

    A scrub that was killed before this may have replaced it.
    """
    with store.database.transaction():
        for query in MERGES:
            store.database.fetch(query)
    for query in ("write_anew", "tidy_log"):
        try:
            store.database.fetch(query)
        except StoreBusy:
            tally.warnings.append(
                "Another process is using the memory, so the database could not be written anew. What was taken out "
                "may still be in unused parts of its file: end that process, and scrub again."
            )
            return
