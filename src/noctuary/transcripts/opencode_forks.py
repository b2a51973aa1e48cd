"""Sessions of OpenCode that were forked: they begin with copies of another session's messages.

Nothing says that they do, nor of which: a copy has a name of its own, and only its time is still that of the original.
So a session with a message that is older than itself is a fork, and of the sessions before it that have such messages
the one is its parent that has most of them, the latest first.
"""

from collections.abc import Callable, Sequence
from itertools import takewhile

from noctuary.transcripts.documents import Original
from noctuary.transcripts.fields import dict_of, text_of, time_ms
from noctuary.transcripts.foreign_sqlite import ForeignDatabase, text_in
from noctuary.transcripts.opencode_records import MessageRow, SessionRow

MOST_PARENTS, DEEPEST = 8, 8
_OLDER = "select distinct session.id, session.time_created as began from message "
_OLDER += "join session on session.id = message.session_id "
_OLDER += (
    f"where message.time_created = ? and session.time_created < ? order by began desc, 1 desc limit {MOST_PARENTS}"
)

Load = Callable[[str], tuple[SessionRow, list[MessageRow]] | None]
Fork = tuple[str, dict[str, Original]]  # the parent, and what is copied from it or from those before


def forked(database: ForeignDatabase, load: Load, session: SessionRow, messages: Sequence[MessageRow]) -> Fork | None:
    """What a session was forked from; None if it was not."""
    return _forked(database, load, session, messages, 0)


def _forked(
    database: ForeignDatabase, load: Load, session: SessionRow, messages: Sequence[MessageRow], depth: int
) -> Fork | None:
    began_ms, first_ms = time_ms(session.created), _time(messages[0]) if messages else 0
    if session.parent or not 0 < first_ms < began_ms or depth >= DEEPEST:
        return None
    best: tuple[SessionRow, list[MessageRow], int] | None = None
    for key, _ in database.rows(_OLDER, messages[0].created, session.created):
        found = load(text_in(key))
        count = _agreeing(messages, found[1]) if found else 0
        if found and count > (best[2] if best else 0):
            best = *found, count
    if best is None:
        return None
    parent, theirs, count = best
    before = _forked(database, load, parent, theirs, depth + 1)
    originals = before[1] if before else {}
    copied: dict[str, Original] = {}
    for own, their in zip(messages[:count], theirs[:count], strict=True):
        for (own_part, _), (their_part, _) in zip(own.parts, their.parts, strict=True):
            for end in ("", ":result"):
                key = f"{their.id}.{their_part}{end}"
                copied[f"{own.id}.{own_part}{end}"] = originals.get(key, (parent.id, key))
    return parent.id, copied


def _agreeing(messages: Sequence[MessageRow], others: Sequence[MessageRow]) -> int:
    """How many messages from the first on may be copies of the others."""
    pairs = zip(messages, others, strict=False)
    return len(list(takewhile(lambda pair: _outline(pair[0]) == _outline(pair[1]), pairs)))


def _outline(message: MessageRow) -> tuple[int, str, int]:
    return _time(message), text_of(message.info, "role"), len(message.parts)


def _time(message: MessageRow) -> int:
    return time_ms(dict_of(message.info, "time").get("created")) or time_ms(message.created)
