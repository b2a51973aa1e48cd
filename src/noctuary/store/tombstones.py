"""What was forgotten and must stay forgotten.

A tombstone names a session or a project, or holds a hash of a text or of one transcript entry; the
forgotten words themselves are nowhere.  An entry is known by what identifies it in its transcript, so that a fork
that copied it does not bring it back, and by its content, so that a rewritten transcript does not.
"""

import hashlib
from collections.abc import Iterable
from dataclasses import dataclass, field
from enum import StrEnum

from noctuary.store.database import Database, Question
from noctuary.store.messages import uid_hash
from noctuary.text import fold, is_unspaced, tokens

LONG = 40  # characters: "yes" is said in every session, a paragraph only where it was copied


class Buried(StrEnum):
    """What a tombstone stands for."""

    SESSION = "session"
    PROJECT = "project"
    MESSAGE = "message"  # one entry of a transcript, by its uid or its content
    TEXT = "text"  # any message with these words in a row
    SAID = "said"  # what a dream took from what was forgotten, in these words: it is not to be proposed again


@dataclass(frozen=True, slots=True)
class Graveyard:
    """All tombstones of an owner, ready to be asked while importing."""

    sessions: frozenset[str] = frozenset()
    projects: frozenset[str] = frozenset()
    contents: frozenset[str] = frozenset()
    entries: frozenset[str] = frozenset()  # each as `entry_mark` spells it
    uids: frozenset[str] = frozenset()  # of the same entries, whatever session they were in
    texts: dict[int, set[str]] = field(default_factory=dict)  # number of words → hashes

    @property
    def holds_words(self) -> bool:
        """Whether a message could be forgotten because of what it says."""
        return bool(self.texts or self.contents)

    def holds_text(self, owner: str, content: str) -> bool:
        """Whether the content has a forgotten text in it."""
        if not self.texts:
            return False
        words = words_in(content)
        return any(
            text_hash(owner, words[i : i + length]) in hashes
            for length, hashes in self.texts.items()
            for i in range(len(words) - length + 1)
        )

    def holds_content(self, owner: str, session_id: str, content: str) -> bool:
        """Whether a message with this content was forgotten."""
        if not self.contents:
            return False
        return any(mark in self.contents for mark in content_marks(owner, session_id, content))

    def holds_entry(self, uid: str | None, sessions: Iterable[str] | None) -> bool:
        """Whether this entry was forgotten in one of the sessions, or with None in any at all."""
        if not uid or not self.entries:
            return False
        if sessions is None:
            return _uid_mark(uid_hash(uid)) in self.uids
        return any(entry_mark(session_id, uid_hash(uid)) in self.entries for session_id in sessions)


class Tombstones:
    """The tombstones of all owners."""

    def __init__(self, database: Database) -> None:
        self.database = database

    def bury(self, owner: str, kind: Buried, key: str, made_ms: int) -> None:
        """Leave a tombstone; belongs in the transaction that removes what it stands for."""
        self.database.fetch("add_tombstone", owner=owner, kind=kind, key=key, made_ms=made_ms)

    def bury_text(self, owner: str, text: str, made_ms: int) -> None:
        """Leave a tombstone for a text, as the hash of its words and their number."""
        words = words_in(text)
        if words:
            self.bury(owner, Buried.TEXT, f"{len(words)}:{text_hash(owner, words)}", made_ms)

    def bury_said(self, owner: str, text: str, made_ms: int) -> None:
        """Leave a tombstone for a sentence, as the hash of its words."""
        self.bury(owner, Buried.SAID, text_hash(owner, words_in(text)), made_ms)

    def has_said(self, owner: str) -> bool:
        """Whether any sentence was forgotten."""
        query, values = question_of_said(owner)
        return bool(self.database.fetch(query, **values))

    def said_until(self, owner: str, text: str) -> int | None:
        """When a sentence was forgotten, in these words; None if it never was."""
        key = text_hash(owner, words_in(text))
        rows = self.database.fetch("find_tombstone", owner=owner, kind=Buried.SAID, key=key)
        return int(rows[0][0]) if rows else None

    def all(self, owner: str) -> Graveyard:
        """Everything the owner has forgotten."""
        by_kind: dict[str, list[str]] = {kind: [] for kind in Buried}
        for kind, key in self.database.fetch("tombstones", owner=owner):
            by_kind.setdefault(kind, []).append(key)
        texts: dict[int, set[str]] = {}
        for key in by_kind[Buried.TEXT]:
            length, _, hashed = key.partition(":")
            texts.setdefault(int(length), set()).add(hashed)
        messages = by_kind[Buried.MESSAGE]
        return Graveyard(
            sessions=frozenset(by_kind[Buried.SESSION]),
            projects=frozenset(by_kind[Buried.PROJECT]),
            contents=frozenset(mark for mark in messages if "@" not in mark),
            entries=frozenset(mark for mark in messages if "@" in mark),
            uids=frozenset(mark.partition("@")[0] for mark in messages if "@" in mark),
            texts=texts,
        )


def question_of_said(owner: str) -> Question:
    """What `has_said` asks."""
    return "has_tombstone", {"owner": owner, "kind": Buried.SAID}


def content_marks(owner: str, session_id: str, content: str) -> list[str]:
    """What a forgotten content is recognised by: in its session, and if it is long, anywhere."""
    marks = [_hash(owner, "content", session_id, content)]
    if len(content) >= LONG:
        marks.append(_hash(owner, "content", content))
    return marks


def entry_mark(session_id: str, uid: int) -> str:
    """What a forgotten entry of a session is recognised by."""
    return f"{_uid_mark(uid)}@{session_id}"


def text_hash(owner: str, words: list[str]) -> str:
    """A hash of words in a row that cannot be read back."""
    return _hash(owner, "text", *words)


def words_in(text: str) -> list[str]:
    """The words of a text as tombstones compare them; of scripts without spaces, each character for itself."""
    words = (text[token.start : token.end] for token in tokens(text))
    return [word[0] if is_unspaced(word) else fold(word) for word in words]


def _uid_mark(uid: int) -> str:
    return f"{uid:016x}"


def _hash(*parts: str) -> str:
    joined = "\0".join(parts).encode("utf-8", "surrogatepass")
    return hashlib.blake2b(joined, digest_size=16).hexdigest()
