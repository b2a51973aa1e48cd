"""Vectors in the database: which models there are, and what they make of each session's messages.

A vector is kept as one byte a dimension and a factor.  All vectors of a session are one row, so that filtering by
owner or project, adding to a session and forgetting it are each a matter of whole rows.  Nothing here computes with
them; `recall/scan.py` does, or a server with pgvector, which has each vector as a row beside these.
"""

import json
from array import array
from collections.abc import Iterable, Iterator, Sequence
from enum import StrEnum
from functools import cached_property
from typing import NamedTuple

from noctuary.store import keys
from noctuary.store.database import Database, Row

LOW_BITS = keys.SESSION_SHIFT
LOW_MASK = (1 << LOW_BITS) - 1
_PLACE_MASK = (1 << keys.PLACE_SHIFT) - 1
_LENGTH_MASK = (1 << keys.LENGTH_BITS) - 1
_NEVER_READ = {keys.INJECTED, keys.TITLE}  # voices that no model is given
_LOW, _SCALE = "I", "f"  # array type codes: four bytes each on every machine Python runs on
_LOW_BYTES = _SCALE_BYTES = 4
NOTHING = -0.0  # the factor of a vector of zeros; other zeros, which a disk or a hand may leave, are none of ours


class State(StrEnum):
    """What a model is to the memory."""

    SERVING = "serving"  # searched with
    WANTED = "wanted"  # chosen, and served as soon as every message has its vector


class Damage(StrEnum):
    """What can be wrong with the vectors of a session."""

    NO_SESSION = "has vectors of a session that is gone"
    REACH = "has vectors that do not say how far they reach"
    LENGTHS = "has vectors of another length"
    FACTORS = "has vectors with factors that cannot be"
    ZEROS = "has vectors of nothing but zeros"  # the only one that embedding does not look for, since it takes long
    STRANGE = "has vectors of messages that are gone"  # or not in their order
    LACKING = "lacks vectors of messages that it has read"


class KnownEmbedder(NamedTuple):
    """A model whose vectors are kept, or shall be."""

    no: int
    name: str
    source: str
    dimension: int
    state: State
    changes: int = 0

    @property
    def place(self) -> str:
        """The source as it may be shown: without what an address has after its question mark, which may be a key."""
        address, mark, model = self.source.partition("#")
        is_address = address.startswith(("http://", "https://"))
        return f"{address.partition('?')[0]}?…{mark}{model}" if is_address and "?" in address else self.source


class SessionVectors(NamedTuple):
    """The vectors of one session's messages: message, factor and codes at the same place."""

    lows: bytes = b""
    scales: bytes = b""
    codes: bytes = b""

    def followed_by(self, other: "SessionVectors") -> "SessionVectors":
        """These, then the other's."""
        return SessionVectors(self.lows + other.lows, self.scales + other.scales, self.codes + other.codes)

    def adds_up(self, dimension: int) -> bool:
        """Whether there is a message, a factor and codes for each vector; what is damaged must not be trusted."""
        count = len(self.lows) // _LOW_BYTES
        sizes = (len(self.lows), len(self.scales), len(self.codes))
        return sizes == (count * _LOW_BYTES, count * _SCALE_BYTES, count * dimension)

    def is_blank(self, dimension: int) -> bool:
        """Whether one of them has no direction, though its factor says that it has one; they must add up."""
        starts = range(0, len(self.codes), dimension)
        has_direction = (any(self.codes[start : start + dimension]) for start in starts)
        return any(scale > 0 and not has for scale, has in zip(array(_SCALE, self.scales), has_direction, strict=True))


class Unfinished(NamedTuple):
    """A session with messages that have no vectors yet: those after one id, up to another."""

    session: int
    upto: int
    last_id: int

    def first(self, most: int) -> "Unfinished":
        """Of its messages the first so many."""
        return self._replace(last_id=min(self.upto + most, self.last_id))


class Coverage(NamedTuple):
    """How many messages a model has seen, of how many."""

    done: int
    total: int

    @property
    def is_full(self) -> bool:
        """Whether it has seen all of them."""
        return self.done >= self.total


class Vectors:
    """The vectors of all sessions, by model."""

    def __init__(self, database: Database) -> None:
        self.database = database

    def embedders(self) -> list[KnownEmbedder]:
        """The models that are in use, the serving one first."""
        rows = self.database.fetch("embedders")
        return sorted((_known(row) for row in rows), key=lambda known: known.state is not State.SERVING)

    def serving(self) -> KnownEmbedder | None:
        """The model to search with."""
        return next((known for known in self.embedders() if known.state is State.SERVING), None)

    def to_fill(self) -> KnownEmbedder | None:
        """The model that new messages need vectors of: the one chosen last."""
        return next(reversed(self.embedders()), None)

    def is_chosen(self, known: KnownEmbedder) -> bool:
        """Whether the model is still in use; no number is given twice."""
        return bool(self.database.fetch("is_embedder", no=known.no))

    def choose(self, name: str, source: str, dimension: int) -> KnownEmbedder:
        """Make this the model to fill; the one that serves goes on serving until it is full."""
        with self.database.transaction():
            for known in self.embedders():
                is_another = known.name != name
                if (known.state is State.WANTED and is_another) or (known.dimension != dimension and not is_another):
                    self._remove(known.no)
            serving = self.serving()
            state = State.WANTED if serving and serving.name != name else State.SERVING
            self.database.fetch("choose_embedder", name=name, source=source, dimension=dimension, state=state)
        return next(known for known in self.embedders() if known.name == name)

    def serve(self, known: KnownEmbedder) -> None:
        """Search with this model from now on, and drop the vectors of every other; nothing if it was given up."""
        with self.database.transaction():
            if not self.is_chosen(known):
                return
            for other in self.embedders():
                if other.no != known.no:
                    self._remove(other.no)
            self.database.fetch("serve_embedder", no=known.no, state=State.SERVING)

    def remove_all(self) -> None:
        """Forget every model and its vectors."""
        with self.database.transaction():  # whatever is there, and whether or not it can be read
            self.database.fetch("remove_all_vectors")
            self.database.fetch("remove_all_embedders")

    def is_any(self, known: KnownEmbedder) -> bool:
        """Whether there is anything to compare a question with."""
        return bool(self.database.fetch("is_any_vector", embedder=known.no))

    def damages(self, known: KnownEmbedder) -> Iterator[tuple[int, Damage]]:
        """Sessions whose vectors are damaged, and how; reads every vector, and which messages there are."""
        for (session,) in self.database.fetch("sessions_with_vectors", embedder=known.no):
            if damage := self._damage(known, session):
                yield session, damage

    def drop_damaged(self, known: KnownEmbedder) -> None:
        """Remove the vectors of sessions where they are damaged, so that these are embedded again.

        This comes before every run, so where all is well it reads no codes, and no texts but the shortest.
        """
        for session in self._suspects(known):
            if not self._damage(known, session):  # to look needs no turn as a writer
                continue
            with self.database.transaction():
                if self._damage(known, session):  # still, since somebody else may have been faster
                    self.database.fetch("remove_vectors", embedder=known.no, session=session)
                    self.database.fetch("count_change", no=known.no)

    def _suspects(self, known: KnownEmbedder) -> list[int]:
        """Sessions whose vectors are not of the messages that the index has, which is quick to tell."""
        rows = self.database.fetch("vectors_beside_index", embedder=known.no, dimension=known.dimension)
        suspects: list[int] = []
        shortest: list[int] = []  # keys of messages without vectors that are empty, or one character
        for session, adds_up, lows, scales, indexed in rows:
            is_sound = adds_up and are_factors(scales)
            embedded = array(_LOW, lows).tolist() if is_sound else []
            readable = set(json.loads(indexed))
            without = readable.difference(embedded)
            if not is_sound or _is_strange(embedded, readable) or any(low & _LENGTH_MASK for low in without):
                suspects.append(session)
            else:
                shortest += (session << LOW_BITS | low for low in without)
        return [*suspects, *{keys.session_of(key) for key in self._with_text(shortest)}]

    def _damage(self, known: KnownEmbedder, session: int) -> Damage | None:
        """What is wrong with the vectors of a session, if anything is."""
        rows = self.database.fetch("vectors_of_session", embedder=known.no, session=session)
        if not rows:
            return None
        upto, *parts = rows[0]
        if not self.database.fetch("is_session", no=session):
            return Damage.NO_SESSION
        if upto < 0:
            return Damage.REACH
        vectors = SessionVectors(*parts)
        if not vectors.adds_up(known.dimension):
            return Damage.LENGTHS
        if not are_factors(vectors.scales):
            return Damage.FACTORS
        lows = array(_LOW, parts[0]).tolist()
        readable = {low for low in self._readable(session) if keys.place_of(low) <= upto}
        if _is_strange(lows, readable):
            return Damage.STRANGE
        without = (session << LOW_BITS | low for low in readable.difference(lows))
        if self._with_text(without):
            return Damage.LACKING
        return Damage.ZEROS if vectors.is_blank(known.dimension) else None

    def _with_text(self, wanted: Iterable[int]) -> list[int]:
        """Of these messages the keys of those that are not blank: a blank one has no vector."""
        asked = json.dumps(list(wanted))
        return [key for key, _, text in self.database.fetch("texts_by_key", keys=asked) if text.strip()]

    def unfinished(self, no: int, most: int) -> list[Unfinished]:
        """Sessions that lack vectors of this model, those last active first."""
        return [Unfinished(*row) for row in self.database.fetch("sessions_without_vectors", embedder=no, most=most)]

    def coverage(self, no: int) -> Coverage:
        """How much of the memory this model has seen."""
        return Coverage(*self.database.fetch("vector_coverage", embedder=no)[0])

    def texts(self, part: Unfinished) -> list[tuple[int, str]]:
        """Keys and texts of the messages of the part that may be found; hidden ones are none."""
        low, high = keys.pack(part.session, part.upto + 1), keys.pack(part.session, part.last_id) | _PLACE_MASK
        return [(key, text) for key, text in self.database.fetch("embeddable", low=low, high=high)]

    def prompt_before(self, session: int, place: int) -> str:
        """What a person said last before this place of the session; empty if nobody spoke."""
        low, high = keys.pack(session, 1), keys.pack(session, place) - 1
        rows = self.database.fetch("last_prompt", low=low, high=high)
        return rows[0][0] if rows else ""

    def add(self, known: KnownEmbedder, part: Unfinished, fresh: SessionVectors, *, seen: int) -> bool:
        """Store what was embedded of a part of a session; `seen` is the `mark_of` the texts it was made of.

        False, and nothing is stored, if somebody else did, or the model, the session or a message is not what it was.
        """
        with self.database.transaction():
            is_there = self.database.fetch("is_session", no=part.session) and self.is_chosen(known)
            rows = self.database.fetch("vectors_of_session", embedder=known.no, session=part.session)
            upto, stored = (rows[0][0], SessionVectors(*rows[0][1:])) if rows else (0, SessionVectors())
            if not is_there or upto != part.upto or mark_of(self.texts(part)) != seen:
                return False
            if not stored.adds_up(known.dimension):
                self._save(known.no, part.session, 0, SessionVectors())  # so that it is made again
                return False
            whole = self._of_stored_messages(part.session, stored.followed_by(fresh))
            self._save(known.no, part.session, part.last_id, whole)
        return True

    def drop(self, wanted: Iterable[int]) -> None:
        """Remove the vectors of the messages with these keys; belongs in the transaction that removes them.

        What was asked is in the vectors of what was answered, so with a prompt goes all that follows it: the session
        counts as unfinished from there on.
        """
        by_session: dict[int, set[int]] = {}
        for key in wanted:
            by_session.setdefault(keys.session_of(key), set()).add(key & LOW_MASK)
        embedders = self.embedders() if by_session else []
        for session, lows in by_session.items():
            for known in embedders:
                for row in self.database.fetch("vectors_of_session", embedder=known.no, session=session):
                    self._shrink(known, session, row, lows)

    def _shrink(self, known: KnownEmbedder, session: int, row: Row, unwanted: set[int]) -> None:
        vectors = SessionVectors(*row[1:])
        if row[0] < 0 or not vectors.adds_up(known.dimension):  # whose bytes are whose cannot be told
            self._save(known.no, session, 0, SessionVectors())
            return
        prompts = [keys.place_of(low) for low in unwanted if keys.voice_in(low) == keys.USER]
        upto = min([row[0], *(place - 1 for place in prompts)])
        kept = _without(vectors, unwanted, after=upto)
        if kept is not vectors or upto != row[0]:
            self._save(known.no, session, upto, kept)

    def drop_session(self, session: int) -> None:
        """Remove all vectors of a session; belongs in the transaction that removes it."""
        if self.embedders():
            self.database.fetch("remove_vectors_of_session", session=session)
            self.database.fetch("count_every_change")

    def rows(self, no: int, sessions: Sequence[int] | None) -> list[Row]:
        """Session number, lows, scales and codes of each session, or of these only."""
        if sessions is None:
            return self.database.fetch("all_vectors", embedder=no)
        return self.database.fetch("vectors_of_sessions", embedder=no, sessions=json.dumps(list(sessions)))

    @cached_property
    def are_compared(self) -> bool:
        """Whether the database compares vectors itself, so that nobody has to read them."""
        return self.database.dialect == "postgres" and bool(self.database.fetch("are_vectors_compared")[0][0])

    def compared(
        self, no: int, codes: Sequence[int], factor: float, sessions: Sequence[int] | None
    ) -> tuple[bytes, bytes]:
        """Keys of the vectors of all sessions, or of these, and how alike each is to the question with these codes."""
        picked = None if sessions is None else json.dumps(list(sessions))
        asked = "{" + ",".join(map(str, codes)) + "}"
        keys, alike = self.database.fetch(
            "compare_vectors", embedder=no, question=asked, factor=factor, sessions=picked
        )[0]
        return keys or b"", alike or b""

    def _save(self, no: int, session: int, upto: int, vectors: SessionVectors) -> None:
        lows, scales, codes = vectors
        self.database.fetch(
            "save_vectors", embedder=no, session=session, upto=upto, lows=lows, scales=scales, codes=codes
        )
        self.database.fetch("count_change", no=no)

    def _of_stored_messages(self, session: int, vectors: SessionVectors) -> SessionVectors:
        """Without those of messages that may not be found, whatever became of them."""
        return _without(vectors, set(array(_LOW, vectors.lows)) - self._readable(session), after=keys.MOST_MESSAGES)

    def _readable(self, session: int) -> set[int]:
        """The low halves of the keys of the session's messages that a model may be given."""
        low, high = keys.pack(session, 0), keys.pack(session, 0) | LOW_MASK
        found = self.database.fetch("embeddable_keys", low=low, high=high)
        return {key & LOW_MASK for (key,) in found if keys.voice_in(key) not in _NEVER_READ}

    def _remove(self, no: int) -> None:
        self.database.fetch("remove_vectors_of_embedder", embedder=no)
        self.database.fetch("remove_embedder", no=no)


def mark_of(texts: Sequence[tuple[int, str]]) -> int:
    """Tells texts from others within one process, without keeping them."""
    return hash(tuple(texts))


def _is_strange(lows: Sequence[int], readable: set[int]) -> bool:
    """Whether some are not those of a message, or not in the order of the messages."""
    return not readable.issuperset(lows) or lows != sorted(lows)


def are_factors(scales: bytes) -> bool:
    """Whether each is what a step of a vector of length 1 may be worth, or `NOTHING`."""
    return 0 not in array(_LOW, scales) and all(0 <= scale <= 1 for scale in array(_SCALE, scales))


def _known(row: Row) -> KnownEmbedder:
    """What a careless hand wrote for a state or a number is read as one that an embedding or a choice mends."""
    no, name, source, dimension, state, changes = row
    length = dimension if isinstance(dimension, int) else 0
    return KnownEmbedder(no, name, source, length, State.SERVING if state == State.SERVING else State.WANTED, changes)


def _without(vectors: SessionVectors, unwanted: set[int], *, after: int) -> SessionVectors:
    """The vectors but those unwanted and those of messages after this id; the same if that takes nothing away."""
    lows = array(_LOW, vectors.lows)
    kept = [i for i, low in enumerate(lows) if low not in unwanted and keys.place_of(low) <= after]
    if len(kept) == len(lows):
        return vectors
    dimension = len(vectors.codes) // len(lows)
    scales = array(_SCALE, vectors.scales)
    return SessionVectors(
        array(_LOW, [lows[i] for i in kept]).tobytes(),
        array(_SCALE, [scales[i] for i in kept]).tobytes(),
        b"".join(vectors.codes[i * dimension : (i + 1) * dimension] for i in kept),
    )
