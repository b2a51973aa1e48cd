"""What a server keeps of requests in the database: answers by idempotency key, dreams asked for, what changed."""

import json
from collections.abc import Mapping
from enum import StrEnum
from typing import NamedTuple

from noctuary.store.database import Database

KEPT_CHANGES = 10_000  # of one owner


class StoredAnswer(NamedTuple):
    """What was answered to a request."""

    asked: str  # a digest of what was asked
    status: int
    headers: Mapping[str, str]
    body: str


class AskedState(StrEnum):
    """Where a dream stands that somebody asked a server for."""

    WAITING = "waiting"
    RUNNING = "running"
    DONE = "done"
    FAILED = "failed"


class AskedDream(NamedTuple):
    """A dream that somebody asked a server for."""

    id: str
    project: str | None  # of the only sessions to read; None is all
    asked_ms: int
    ended_ms: int | None = None
    state: AskedState = AskedState.WAITING
    run: str | None = None  # what it became
    outcome: str | None = None  # how that ended


class Mark(NamedTuple):
    """A place in the stream of changes: all up to it is known."""

    tx: int = 0
    no: int = 0


class Change(NamedTuple):
    """Something that changed."""

    mark: Mark
    project: str | None  # None: of none in particular
    kind: str  # event, session, run
    name: str  # its id
    detail: str  # the type of an event, the status of all else


class Requests:
    """What servers keep for all owners; every call names the owner."""

    def __init__(self, database: Database) -> None:
        self.database = database

    def answer(self, owner: str, key: str, since_ms: int) -> StoredAnswer | None:
        """What was answered under this key, if that was not before."""
        rows = self.database.fetch("find_request_answer", owner=owner, key=key, since_ms=since_ms)
        return StoredAnswer(rows[0][0], rows[0][1], json.loads(rows[0][2]), rows[0][3]) if rows else None

    def save_answer(self, owner: str, key: str, answer: StoredAnswer, at_ms: int) -> None:
        """Keep an answer for whoever asks the same again."""
        self.database.fetch(
            "save_request_answer",
            owner=owner,
            key=key,
            asked=answer.asked,
            made_ms=at_ms,
            status=answer.status,
            headers=json.dumps(dict(answer.headers)),
            body=answer.body,
        )

    def forget_before(self, owner: str, before_ms: int) -> None:
        """Forget the answers from before."""
        self.database.fetch("remove_request_answers", owner=owner, before_ms=before_ms)

    def save_asked(self, owner: str, asked: AskedDream) -> None:
        """Write down a dream that was asked for, new or changed."""
        self.database.fetch("save_dream_request", owner=owner, **asked._asdict())

    def asked(self, owner: str, name: str) -> AskedDream | None:
        """A dream that was asked for, or None."""
        rows = self.database.fetch("find_dream_request", owner=owner, id=name)
        if not rows:
            return None
        found = AskedDream(*rows[0])
        return found._replace(state=AskedState(found.state))

    def forget_asked_before(self, owner: str, before_ms: int) -> None:
        """Forget the dreams that were asked for before."""
        self.database.fetch("remove_dream_requests", owner=owner, before_ms=before_ms)

    def changes_after(self, owner: str, mark: Mark, most: int, project: str | None = None) -> list[Change]:
        """What changed since, the first first: of one project alone, if it is named."""
        rows = self.database.fetch("changes_after", owner=owner, tx=mark.tx, no=mark.no, project=project, most=most)
        return [Change(Mark(tx, no), *more) for tx, no, *more in rows]

    def last_mark(self, owner: str) -> Mark:
        """Where the stream ends now."""
        rows = self.database.fetch("last_change", owner=owner)
        return Mark(*rows[0]) if rows else Mark()

    def is_kept(self, owner: str, mark: Mark, most: int = KEPT_CHANGES) -> bool:
        """Whether all that came after this place is still there, if so many changes are kept."""
        if mark == Mark():  # of the beginning nothing is left that could be found; as many as are kept may not be all
            return not self.database.fetch("oldest_kept_change", owner=owner, kept=most - 1)
        return bool(self.database.fetch("find_change", owner=owner, tx=mark.tx, no=mark.no))

    def keep_changes(self, owner: str, most: int = KEPT_CHANGES) -> None:
        """Forget all but the last so many changes."""
        for tx, no in self.database.fetch("oldest_kept_change", owner=owner, kept=most):
            self.database.fetch("remove_changes", owner=owner, tx=tx, no=no)
