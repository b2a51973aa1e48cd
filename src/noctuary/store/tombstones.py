"""What was forgotten and must stay forgotten.

A tombstone names a session or a project, or holds a hash of a text or of one transcript entry; the
forgotten words themselves are nowhere.
"""

import hashlib
from dataclasses import dataclass, field
from enum import StrEnum

from noctuary.store.database import Database
from noctuary.text import fold, tokens


class Buried(StrEnum):
    """What a tombstone stands for."""

    SESSION = "session"
    PROJECT = "project"
    MESSAGE = "message"  # one entry of a transcript, by its uid or its content
    TEXT = "text"  # any message with these words in a row


@dataclass(frozen=True, slots=True)
class Graveyard:
    """All tombstones of an owner, ready to be asked while importing."""

    sessions: frozenset[str] = frozenset()
    projects: frozenset[str] = frozenset()
    messages: frozenset[str] = frozenset()
    texts: dict[int, set[str]] = field(default_factory=dict)  # number of words → hashes

    def holds_text(self, owner: str, content: str) -> bool:
        """Whether the content has a forgotten text in it."""
        if not self.texts:
            return False
        words = _words(content)
        return any(
            text_hash(owner, words[i : i + length]) in hashes
            for length, hashes in self.texts.items()
            for i in range(len(words) - length + 1)
        )

    def holds_message(self, owner: str, session_id: str, uid: str | None, content: str) -> bool:
        """Whether this very entry was forgotten."""
        if not self.messages:
            return False
        return any(key in self.messages for key in message_keys(owner, session_id, uid, content))


class Tombstones:
    """The tombstones of all owners."""

    def __init__(self, database: Database) -> None:
        self.database = database

    def bury(self, owner: str, kind: Buried, key: str, made_ms: int) -> None:
        """Leave a tombstone; belongs in the transaction that removes what it stands for."""
        self.database.fetch("add_tombstone", owner=owner, kind=kind, key=key, made_ms=made_ms)

    def bury_text(self, owner: str, text: str, made_ms: int) -> None:
        """Leave a tombstone for a text, as the hash of its words and their number."""
        words = _words(text)
        if words:
            self.bury(owner, Buried.TEXT, f"{len(words)}:{text_hash(owner, words)}", made_ms)

    def all(self, owner: str) -> Graveyard:
        """Everything the owner has forgotten."""
        by_kind: dict[str, list[str]] = {kind: [] for kind in Buried}
        for kind, key in self.database.fetch("tombstones", owner=owner):
            by_kind.setdefault(kind, []).append(key)
        texts: dict[int, set[str]] = {}
        for key in by_kind[Buried.TEXT]:
            length, _, hashed = key.partition(":")
            texts.setdefault(int(length), set()).add(hashed)
        return Graveyard(
            sessions=frozenset(by_kind[Buried.SESSION]),
            projects=frozenset(by_kind[Buried.PROJECT]),
            messages=frozenset(by_kind[Buried.MESSAGE]),
            texts=texts,
        )


def message_keys(owner: str, session_id: str, uid: str | None, content: str) -> list[str]:
    """What one entry is recognised by: its uid anywhere, and its content (short ones only in their session)."""
    keys = [_hash(owner, "content", session_id, content)]
    if len(content) >= 40:  # "yes" is said in every session; a paragraph only where it was copied
        keys.append(_hash(owner, "content", content))
    if uid:
        keys.append(_hash(owner, "uid", uid))
    return keys


def text_hash(owner: str, words: list[str]) -> str:
    """A hash of words in a row that cannot be read back."""
    return _hash(owner, "text", *words)


def _words(text: str) -> list[str]:
    return [fold(text[token.start : token.end]) for token in tokens(text)]


def _hash(*parts: str) -> str:
    joined = "\0".join(parts).encode("utf-8", "surrogatepass")
    return hashlib.blake2b(joined, digest_size=16).hexdigest()
