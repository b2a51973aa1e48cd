"""Copy one owner's memory into an empty one, within one transaction there.

Names stay, numbers are given anew; journals are copied line by line, and what follows from them is folded there.
"""

from collections.abc import Callable
from itertools import islice

from noctuary.clock import Clock
from noctuary.errors import StoreError
from noctuary.journal.contract import BEGINNING, Journal, Line, Place
from noctuary.journal.lines import line_digest
from noctuary.ledger.ledger import Ledger
from noctuary.moving.comparing import added
from noctuary.moving.places import Opened
from noctuary.store import Store, keys
from noctuary.store.messages import span
from noctuary.store.owned_rows import PLAIN, OwnedSession

ShowProgress = Callable[[int, int], None]  # sessions that are copied, of how many
_AT_ONCE = 1_000  # lines of a journal
_HIDDEN, _CONTENT = 4, -1  # in the row of a message
_FINDABLE = (None, "injected")


def copy_memory(source: Opened, target: Opened, clock: Clock, progress: ShowProgress | None = None) -> None:
    """Copy everything.  The caller holds a transaction of both, and has looked that the target has no memory."""
    target.rows.begin()
    for table in PLAIN:
        target.rows.add_plain(table, added(table, source, target))
    numbers = _copy_sessions(source, target, progress)
    _copy_vectors(source, target, numbers)
    for project in source.journals.projects():
        _copy_journal(source.journals.journal(project), target.journals.journal(project))
    ledger = Ledger(target.store, target.place.home, target.owner, clock, target.journals)
    for project, error in ledger.catch_up_all().items():
        raise StoreError(f"The journal of {project or 'no project'} cannot be read there: {error}")


def _copy_sessions(source: Opened, target: Opened, progress: ShowProgress | None) -> dict[int, int]:
    """Copy sessions with their messages, and index these; numbers there by numbers here."""
    numbers: dict[int, int] = {}
    rows, known = target.rows, source.rows
    sessions = sorted(known.sessions())  # in the order of numbers: what is newer here is newer there
    with target.store.messages.indexing_later():
        for done, session in enumerate(sessions):
            if progress:
                progress(done, len(sessions))
            numbers[session.no] = no = rows.add_session(session.row)
            messages = known.messages(session.no)
            rows.add_messages(no, messages)
            _note_for_index(target.store, no, session, messages)
    target.store.backlog.work_off()
    if progress:
        progress(len(sessions), len(sessions))
    return numbers


def _note_for_index(store: Store, no: int, session: OwnedSession, messages: list[tuple[object, ...]]) -> None:
    store.messages.index_title(no, None, session.title)
    characters = sum(len(str(row[_CONTENT])) for row in messages if row[_HIDDEN] in _FINDABLE)
    if messages:
        store.backlog.add(**span(no, 1, keys.MOST_MESSAGES), characters=characters)


def _copy_vectors(source: Opened, target: Opened, numbers: dict[int, int]) -> None:
    known = {row[0]: no for no, row in target.rows.embedders()}
    for no, row in source.rows.embedders():
        there = known[row[0]] if row[0] in known else target.rows.add_embedder(row)
        vectors = ((numbers[session], *more) for session, *more in source.rows.vectors(no))
        target.rows.add_vectors(there, vectors)


def _copy_journal(source: Journal, target: Journal) -> None:
    lines, place = source.read(), BEGINNING
    with target.locked(BEGINNING):
        while chunk := list(islice(lines, _AT_ONCE)):
            target.append(b"".join(line.content + b"\n" for line in chunk), place)
            place = _behind(chunk[-1])


def _behind(line: Line) -> Place:
    return Place(line.end, line.number, line_digest(line.content), "", line.start)
