"""Take out of the lines of a journal what must not be in them any more, provably and nothing else.

The journal is replaced first and the tables are folded anew then: killed in between, the next one to look sees that
the journal was rewritten, by the record at its end, and folds it.
"""

from collections.abc import Callable
from typing import NamedTuple

from noctuary.authored import Author, Event, EventSource, EventType
from noctuary.ids import ulid_after
from noctuary.journal.lines import encode, line_digest
from noctuary.journal.rewritings import REWRITING, Rewriting, rewritten
from noctuary.ledger.ledger import Ledger

Change = Callable[[bytes], bytes]  # a line, without its end, and what it is to be


class Rewrote(NamedTuple):
    """A journal that was rewritten."""

    project: str
    lines: int  # that were changed


def rewrite(ledger: Ledger, project: str, change: Change, reason: str) -> Rewrote | None:
    """Change lines of a project's journal, and fold it anew; None, and nothing done, if none changes."""
    ledger.catch_up(project)
    with ledger.store.database.transaction():
        journal, place = ledger.journal(project), ledger.place(project)
        with journal.locked(place):
            contents = [line.content for line in journal.read()]
            lines, told = rewritten(contents, [change(content) for content in contents])
            if not told:
                return None
            size = journal.size()
            while True:
                record = Rewriting(len(lines) + 1, reason, line_digest(contents[-1]), told)
                whole = b"".join(line + b"\n" for line in lines) + _line(ledger, project, record, lines)
                if len(whole) != size:  # or nobody would see by its length that it is another
                    break
                reason += "."
            journal.replace(whole)
            ledger.store.journals.remove(ledger.owner, project)
            ledger.fold_new(project)
    return Rewrote(project, len(told))


def _line(ledger: Ledger, project: str, record: Rewriting, lines: list[bytes]) -> bytes:
    now_ms = ledger.clock.now_ms()
    event = Event(
        EventType.STATUS,
        id=ulid_after(ledger.place(project).last_id, now_ms),
        owner=ledger.owner,
        project=project,
        ts_ms=now_ms,
        recorded_ms=now_ms,
        author=Author.USER,
        source=EventSource.API,
        meta={"bookkeeping": True, REWRITING: record.as_meta()},
    )
    return encode(event, line_digest(lines[-1]))
