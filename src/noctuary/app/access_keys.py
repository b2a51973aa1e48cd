"""The verbs of keys: make, list, rotate and revoke them, tell whose one is, and keep what was done with them.

A key is `nk_ID_SECRET`: ten letters that name it, and 256 bits of chance.  It is shown once; what is kept is the
SHA-256 of the secret.  A slow hash such as scrypt would make a password hard to guess, but nobody guesses 256 bits, and
every request would pay for it.
"""

import base64
import hashlib
import hmac
import os
import re
import secrets
import stat
from collections.abc import Iterable, Sequence
from contextlib import suppress
from enum import StrEnum
from pathlib import Path
from typing import NamedTuple

from noctuary.access import Caller, Scope
from noctuary.app.memory import Memory
from noctuary.errors import BadInput, BadSettings, NotFound
from noctuary.files import replace_private, translated
from noctuary.ids import ulid_after
from noctuary.settings import Settings
from noctuary.store.access import AccessKeys, ApiKey, Audit, AuditLog

PREFIX = "nk"
TOKEN_FILE = "server.token"  # noqa: S105 - its name
LONGEST_NAME = 100
LONGEST_PROJECT = 4_000
AUDIT_DAYS = 90
MOST_AUDITS = 100_000  # of one owner
DAY_MS = 86_400_000
_ID_BYTES, _SECRET_BYTES = 10, 32
_KEY = re.compile(r"nk_([a-z2-7]{10})_([a-z2-7]{52})", re.ASCII)
_NAMED = re.compile(r"(?:nk_)?([a-z2-7]{10})(?:_[a-z2-7]{52})?", re.ASCII)  # also a whole key, found where it was left
_NOBODY = bytes(32)  # the digest of no secret that anybody knows
_LEAST_TOKEN = 16


class Refused(StrEnum):
    """Why a key is not good; whoever does not know the secret learns nothing but the first."""

    UNKNOWN = "unknown"
    REVOKED = "revoked"
    EXPIRED = "expired"


class MadeKey(NamedTuple):
    """A new key: what is known of it, and what it is, this once."""

    key: ApiKey
    text: str


def make_key(
    memory: Memory,
    name: str,
    scopes: Iterable[Scope],
    *,
    project: str | None = None,
    lives_ms: int | None = None,
) -> MadeKey:
    """Make a key of the memory's owner; BadInput if it could not be told from others, or be used for nothing."""
    now = memory.clock.now_ms()
    if not name.strip() or len(name) > LONGEST_NAME:
        raise BadInput(f"A key needs a name of at most {LONGEST_NAME} characters, such as the machine it is for.")
    if not (wanted := frozenset(scopes)):
        raise BadInput(f"A key must be for something: {', '.join(Scope)}.")
    if lives_ms is not None and lives_ms <= 0:
        raise BadInput("The key would be over before it begins; say how long it is good.")
    if project is not None and not 0 < len(project) <= LONGEST_PROJECT:
        raise BadInput("A key for one project needs the name of it.")
    expires_ms = None if lives_ms is None else now + lives_ms
    key = ApiKey(memory.owner, _letters(_ID_BYTES)[:10], name.strip(), project, wanted, now, expires_ms)
    return _kept(memory, key)


def keys_of(memory: Memory) -> list[ApiKey]:
    """All keys of the memory's owner, the oldest first; also those that are no longer good."""
    return AccessKeys(memory.store.database).of(memory.owner)


def rotate_key(memory: Memory, named: str, *, grace_ms: int) -> MadeKey:
    """Make a key that follows another, which stays good for a while; the new one is for the same, and as long."""
    old = _own_key(memory, named)
    now = memory.clock.now_ms()
    lives_ms = None if old.expires_ms is None else old.expires_ms - old.made_ms
    expires_ms = None if lives_ms is None else now + lives_ms
    new = ApiKey(old.owner, _letters(_ID_BYTES)[:10], old.name, old.project, old.scopes, now, expires_ms)
    with memory.store.database.transaction():
        made = _kept(memory, new)
        if AccessKeys(memory.store.database).replace(old, new.id, now_ms=now, until_ms=now + max(0, grace_ms)):
            return made
        raise BadInput(f"Key {old.id} is {_ended(old, now)}, so none can follow it; make one with `noctuary key make`.")


def revoke_key(memory: Memory, named: str) -> ApiKey:
    """End a key now, for good; one that was revoked before stays so."""
    key = _own_key(memory, named)
    AccessKeys(memory.store.database).revoke(key.owner, key.id, memory.clock.now_ms())
    return _own_key(memory, key.id)


def state_of(key: ApiKey, now_ms: int) -> str:
    """The word for how a key stands."""
    if key.revoked_ms is not None:
        return Refused.REVOKED
    if key.is_expired(now_ms):
        return "rotated" if key.replaced_by else Refused.EXPIRED
    return "ends soon" if key.replaced_by else "good"


def caller_of(memory: Memory, text: str) -> Caller | Refused:
    """Whose key this is, whoever's memory it is asked of; takes as long for an id that nobody has."""
    parts = _KEY.fullmatch(text)
    if parts is None:
        return Refused.UNKNOWN
    found = AccessKeys(memory.store.database).find(parts[1])
    if not hmac.compare_digest(digest_of(parts[2]), found[1] if found else _NOBODY) or found is None:
        return Refused.UNKNOWN
    key = found[0]
    if key.revoked_ms is not None:
        return Refused.REVOKED
    if key.is_expired(memory.clock.now_ms()):
        return Refused.EXPIRED
    return Caller(key.owner, key.scopes, key.project, key.id)


def keep_audits(memory: Memory, audits: Sequence[Audit]) -> None:
    """Keep what was asked in the name of the memory's owner, and when each key was last used."""
    keys, log = AccessKeys(memory.store.database), AuditLog(memory.store.database)
    used = {audit.key_id: audit.at_ms for audit in audits if audit.key_id}  # the last one of each stays
    with memory.store.database.transaction():
        log.add(audits)
        for key_id, at_ms in used.items():
            keys.note_use(memory.owner, key_id, at_ms)


def new_audit_id(last: str, now_ms: int) -> str:
    """An id for an entry, greater than the last one."""
    return ulid_after(last, now_ms)


def forget_audits(memory: Memory) -> None:
    """Drop what is too old, or too much."""
    before = memory.clock.now_ms() - AUDIT_DAYS * DAY_MS
    AuditLog(memory.store.database).forget(memory.owner, before_ms=before, most=MOST_AUDITS)


def audits_of(memory: Memory, *, key: str | None = None, most: int = 50) -> list[Audit]:
    """What was last asked in the name of the memory's owner, or by one key; the newest first."""
    key_id = None if key is None else _own_key(memory, key).id
    return AuditLog(memory.store.database).newest(memory.owner, key_id=key_id, most=most)


def refusals_of(memory: Memory, *, most: int = 50) -> list[Audit]:
    """What was last asked by those who were not let in, or needed no key; the newest first."""
    if memory.settings.database_url is None or not memory.owner:
        return AuditLog(memory.store.database).newest("", most=most)
    with Memory.from_settings(memory.settings._replace(owner=""), memory.clock) as nobody:
        return AuditLog(nobody.store.database).newest("", most=most)


def server_token(settings: Settings) -> str:
    """The token of a server on this machine: NOCTUARY_TOKEN, or one in a file that nobody else can read.

    It is made once and stays the same, so that a page that is open goes on after the server was started again.
    """
    if given := settings.environ.get("NOCTUARY_TOKEN"):
        return _good_token(given, "NOCTUARY_TOKEN")
    path = settings.home / TOKEN_FILE
    with translated(path):
        with suppress(FileNotFoundError):
            return _read_token(path)
        replace_private(path, f"{_letters(_SECRET_BYTES)}\n".encode())
        return _read_token(path)


def digest_of(secret: str) -> bytes:
    """What is kept of a secret."""
    return hashlib.sha256(secret.encode()).digest()


def _read_token(path: Path) -> str:
    if os.name == "posix" and path.stat().st_mode & (stat.S_IRWXG | stat.S_IRWXO):
        raise BadSettings(f"Others can read the token in {path}; delete the file, and a new one is made.")
    return _good_token(path.read_text(encoding="utf-8", errors="replace").strip(), str(path))


def _good_token(token: str, place: str) -> str:
    if len(token) < _LEAST_TOKEN or re.fullmatch(r"[A-Za-z0-9._~-]+", token) is None:
        raise BadSettings(f"{place} must be one word of at least {_LEAST_TOKEN} letters and digits.")
    return token


def _kept(memory: Memory, key: ApiKey) -> MadeKey:
    secret = _letters(_SECRET_BYTES)
    AccessKeys(memory.store.database).add(key, digest_of(secret))
    return MadeKey(key, f"{PREFIX}_{key.id}_{secret}")


def _own_key(memory: Memory, named: str) -> ApiKey:
    parts = _NAMED.fullmatch(named)
    found = AccessKeys(memory.store.database).find(parts[1]) if parts else None
    if found is None or found[0].owner != memory.owner:
        raise NotFound("You have no key with this id; `noctuary key list` lists them.")
    return found[0]


def _ended(key: ApiKey, now_ms: int) -> str:
    return f"followed by {key.replaced_by} already" if key.replaced_by else state_of(key, now_ms)


def _letters(size: int) -> str:
    """Chance, as small letters and digits that one click selects."""
    return base64.b32encode(secrets.token_bytes(size)).decode().rstrip("=").lower()
