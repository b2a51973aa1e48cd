"""Keys of the API and what was done with them: digests, times and names, never a key and never what was said."""

from collections.abc import Iterable
from typing import NamedTuple

from noctuary.access import Scope
from noctuary.store.database import Database, Row

MINUTE_MS = 60_000


class ApiKey(NamedTuple):
    """What is known of a key; not what it is."""

    owner: str
    id: str
    name: str
    project: str | None  # the only one that it is for; None is all of the owner's
    scopes: frozenset[Scope]
    made_ms: int
    expires_ms: int | None = None
    revoked_ms: int | None = None
    used_ms: int | None = None  # to the minute
    replaced_by: str | None = None  # the id of the key that it was rotated to

    def is_expired(self, now_ms: int) -> bool:
        """Whether its time is over; in the millisecond of its end it is."""
        return self.expires_ms is not None and self.expires_ms <= now_ms


class Audit(NamedTuple):
    """One request: whose, by which key, to what, and how it ended."""

    owner: str  # "" is nobody who was known
    id: str  # sorts like the time
    at_ms: int
    key_id: str
    verb: str
    path: str  # with names in the place of values
    status: int


class AccessKeys:
    """Keys by owner and id; to be found by the id alone, whoever's store it is."""

    def __init__(self, database: Database) -> None:
        self.database = database

    def add(self, key: ApiKey, digest: bytes) -> None:
        """Keep a new key by its digest."""
        self.database.fetch(
            "add_api_key",
            owner=key.owner,
            id=key.id,
            name=key.name,
            digest=digest,
            project=key.project,
            scopes=" ".join(sorted(key.scopes)),
            made_ms=key.made_ms,
            expires_ms=key.expires_ms,
        )

    def find(self, key_id: str) -> tuple[ApiKey, bytes] | None:
        """The key with this id, of whichever owner, and its digest."""
        rows = self.database.fetch("find_api_key", id=key_id)
        return (_as_key(rows[0][:-1]), bytes(rows[0][-1])) if rows else None

    def of(self, owner: str) -> list[ApiKey]:
        """All keys of the owner, the oldest first; also those that are no longer good."""
        return [_as_key(row) for row in self.database.fetch("api_keys", owner=owner)]

    def revoke(self, owner: str, key_id: str, at_ms: int) -> bool:
        """End the key now; False if it was revoked before, or is not the owner's."""
        return bool(self.database.fetch("revoke_api_key", owner=owner, id=key_id, at_ms=at_ms))

    def replace(self, old: ApiKey, replaced_by: str, *, now_ms: int, until_ms: int) -> bool:
        """Let another key follow this one, which ends then; False if one follows it already or it is not good."""
        return bool(
            self.database.fetch(
                "replace_api_key",
                owner=old.owner,
                id=old.id,
                replaced_by=replaced_by,
                now_ms=now_ms,
                until_ms=until_ms,
            )
        )

    def note_use(self, owner: str, key_id: str, at_ms: int) -> None:
        """Remember when the key was used, unless that was remembered within the minute."""
        self.database.fetch("note_use_of_api_key", owner=owner, id=key_id, at_ms=at_ms, before_ms=at_ms - MINUTE_MS + 1)


class AuditLog:
    """What was asked of the server, by owner."""

    def __init__(self, database: Database) -> None:
        self.database = database

    def add(self, audits: Iterable[Audit]) -> None:
        """Add entries, all of one owner."""
        self.database.run_many("add_to_audit_log", audits)

    def newest(self, owner: str, *, key_id: str | None = None, most: int) -> list[Audit]:
        """The owner's last entries, or those of one key; the newest first."""
        return [Audit(*row) for row in self.database.fetch("audit_log", owner=owner, key_id=key_id, most=most)]

    def forget(self, owner: str, *, before_ms: int, most: int) -> None:
        """Drop what is older than that, and the oldest beyond so many."""
        self.database.fetch("forget_old_audits", owner=owner, before_ms=before_ms)
        self.database.fetch("forget_surplus_audits", owner=owner, most=most)


def _as_key(row: Row) -> ApiKey:
    owner, key_id, name, project, scopes, *times = row
    return ApiKey(owner, key_id, name, project, frozenset(map(Scope, scopes.split())), *times)
