"""Sessions of Goose that were forked: they begin with copies of another session's messages.

Nothing says so.  A copy keeps the time of its original, by which its message is called, too.  So a session with a
message that is older than itself is a fork, and of the sessions that have such messages the one is its parent that has
most of them, the latest first.
"""

from collections.abc import Sequence
from itertools import takewhile

from noctuary.transcripts.fields import time_ms
from noctuary.transcripts.foreign_sqlite import ForeignDatabase, text_in

MOST_PARENTS, DEEPEST = 8, 8
_OLDER = "select distinct sessions.id, sessions.created_at as began from messages "
_OLDER += "join sessions on sessions.id = messages.session_id "
_OLDER += "where messages.created_timestamp = ? and sessions.created_at <= ? and sessions.id <> ? "
_OLDER += f"order by began desc, 1 desc limit {MOST_PARENTS}"
_MESSAGES = "select created_timestamp, role, content_json from messages where session_id = ? order by id"

Rows = Sequence[tuple[object, ...]]


def origins(database: ForeignDatabase, session: str, created: object, depth: int = 0) -> list[str]:
    """Of each message that is a copy, from the first on, the session that it was said in; none if there are none.

    The last of them is the parent's own, unless that was forked just there.
    """
    rows = database.rows(_MESSAGES, session)
    if not rows or depth >= DEEPEST or not 0 < time_ms(rows[0][0]) < time_ms(created):
        return []
    parent, began, count = "", None, 0
    for key, at in database.rows(_OLDER, rows[0][0], created, session):
        agreeing = _agreeing(rows, database.rows(_MESSAGES, text_in(key)))
        if agreeing > count:
            parent, began, count = text_in(key), at, agreeing
    if not parent:
        return []
    before = origins(database, parent, began, depth + 1)
    return [*before[:count], *[parent] * (count - len(before))]


def _agreeing(rows: Rows, others: Rows) -> int:
    """How many messages from the first on are the same."""
    return len(list(takewhile(lambda pair: pair[0] == pair[1], zip(rows, others, strict=False))))
