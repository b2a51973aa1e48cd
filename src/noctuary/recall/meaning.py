"""What a question means to the model that serves, compared with what is stored; nothing, if there is no model.

Words find most things; meaning helps with the rest.  So whatever fails here (a model that was moved, an endpoint that
is down) costs a search nothing but its meaning: it goes on by words, and says so once.
"""

from collections.abc import Callable, Sequence
from threading import Lock
from typing import TYPE_CHECKING, NamedTuple

from noctuary.clock import Clock
from noctuary.errors import ModelDamaged, ModelError
from noctuary.lazily import lazy_module
from noctuary.store import Store
from noctuary.store.vectors import KnownEmbedder, State

if TYPE_CHECKING:
    from noctuary.models.embedder import Embedder, Vectors
    from noctuary.recall import scan
    from noctuary.recall.scan import Likeness, Matrix
else:
    scan = lazy_module("noctuary.recall.scan")

OpenEmbedder = Callable[[str], "Embedder"]
LONGEST_QUESTION = 2_000  # characters: no model reads more, and a pasted log is no question
MOST_KEPT = 1 << 30  # bytes of vectors in memory; what is more is read anew for each search
MOST_PARTS = 16  # of the memory whose vectors are kept beside each other
REST_MS = 60_000  # after a failure, until the model is tried again
BY_WORDS = "Searched by words alone: "


class Understanding(NamedTuple):
    """How alike messages are to a question, or why that is not known."""

    likeness: "Likeness | None" = None
    warning: str = ""


Understand = Callable[[str, Sequence[int] | None], Understanding]


def nothing_understood(_question: str, _picked: Sequence[int] | None) -> Understanding:
    """What a backend without vectors knows of a question's meaning."""
    return Understanding()


class _Kept(NamedTuple):
    """Vectors in memory: all that some sessions (None: all of them) had at one change of a model's vectors."""

    version: KnownEmbedder
    sessions: frozenset[int] | None
    matrix: "Matrix"

    def has(self, version: KnownEmbedder, sessions: frozenset[int] | None) -> bool:
        is_part = self.sessions is None or (sessions is not None and sessions <= self.sessions)
        return is_part and self.version == version

    def is_before(self, version: KnownEmbedder) -> bool:
        """Whether it is what the same model's vectors were at another change; owners may have models of their own."""
        return self.version.no == version.no and self.version != version


class KeptVectors:
    """The vectors that the last searches compared, for the next ones: of other owners, of other projects, or of all.

    What is given is never more than what was asked for, whoever asked before.
    """

    def __init__(self, most: int = MOST_KEPT) -> None:
        self.most = most  # bytes of all together
        self._kept: list[_Kept] = []  # what was asked for last comes first
        self._reading: dict[int, Lock] = {}  # by the number of a model
        self._lock = Lock()

    def of(self, version: KnownEmbedder, picked: Sequence[int] | None, read: "Callable[[], Matrix]") -> "Matrix":
        """The vectors of the picked sessions (None: all), read if they are not here.

        Whoever wants those of the same model meanwhile waits: each who read them would need as much memory.
        """
        with self._lock:
            reading = self._reading.setdefault(version.no, Lock())
        with reading:
            matrix = self.find(version, picked)
            if matrix is None:
                matrix = read()
                self.keep(version, picked, matrix)
        return matrix

    def find(self, version: KnownEmbedder, picked: Sequence[int] | None) -> "Matrix | None":
        """The vectors of the picked sessions (None: all), if they are here and nothing has changed since."""
        wanted = None if picked is None else frozenset(picked)
        with self._lock:
            current = [kept for kept in self._kept if not kept.is_before(version)]
            found = next((kept for kept in current if kept.has(version, wanted)), None)
            self._kept = sorted(current, key=lambda kept: kept is not found)
        if found is None:
            return None
        return found.matrix if picked is None or found.sessions == wanted else found.matrix.among(picked)

    def keep(self, version: KnownEmbedder, picked: Sequence[int] | None, matrix: "Matrix") -> None:
        """Keep the vectors of the picked sessions; those that were not asked for the longest time go for them."""
        if matrix.size > self.most:
            return
        fresh = _Kept(version, None if picked is None else frozenset(picked), matrix)
        with self._lock:
            others = [kept for kept in self._kept if not fresh.has(kept.version, kept.sessions)]
            room, fitting = self.most, []
            for kept in (fresh, *others):
                if kept.matrix.size <= room:
                    room -= kept.matrix.size
                    fitting.append(kept)
            self._kept = fitting[:MOST_PARTS]


class Meanings:
    """Compares questions with all that is stored, as the model that serves understands it."""

    def __init__(self, store: Store, open_embedder: OpenEmbedder, clock: Clock) -> None:
        self.vectors = store.vectors
        self.open_embedder = open_embedder
        self.clock = clock
        self._embedder: Embedder | None = None
        self.kept = KeptVectors()
        self._failed_ms: int | None = None
        self._asked: KnownEmbedder | None = None  # by the last question, and how its vectors were then

    def understand(self, question: str, picked: Sequence[int] | None) -> Understanding:
        """How alike the messages of the picked sessions (None: all) are to the question."""
        if not question.strip() or self._is_resting():
            return Understanding()
        try:
            known = self._serving()
            if known is None or not self.vectors.is_any(known):
                return Understanding()
            vector = self._vector(known, question[:LONGEST_QUESTION])
        except ModelError as error:
            self._failed_ms = self.clock.now_ms()
            return Understanding(warning=f"{BY_WORDS}{error}")
        return Understanding(self._likeness(known, picked, vector))

    def _is_resting(self) -> bool:
        return self._failed_ms is not None and 0 <= self.clock.now_ms() - self._failed_ms < REST_MS

    def _serving(self) -> KnownEmbedder | None:
        used = self.vectors.embedders()
        if used and used[0].state is not State.SERVING:  # nobody but a careless hand could make it so
            raise ModelDamaged("it is not noted which of the models in use serves. `noctuary embed` makes one serve.")
        return used[0] if used else None

    def _vector(self, known: KnownEmbedder, question: str) -> "Vectors":
        was_open = self._embedder is not None
        vector = self._open(known).question(question)
        if vector.shape[-1] != known.dimension and was_open:
            self._embedder = None  # what is open is from before the model was chosen again
            vector = self._open(known).question(question)
        if vector.shape[-1] != known.dimension:
            raise _changed(known, f"one of {vector.shape[-1]} dimensions, not {known.dimension}")
        return vector

    def _open(self, known: KnownEmbedder) -> "Embedder":
        # Not its dimension: to tell it, an endpoint must be asked, and the question is asked anyway.
        if self._embedder is None or self._embedder.name != known.name:
            embedder = self.open_embedder(known.source)
            if embedder.name != known.name:
                raise _changed(known, embedder.name)
            self._embedder = embedder
        return self._embedder

    def _likeness(self, known: KnownEmbedder, picked: Sequence[int] | None, vector: "Vectors") -> "Likeness":
        is_as_before, self._asked = self._asked == known, known
        if is_as_before or not self.vectors.are_compared:
            return self._of(known, picked).compare(vector)
        # While vectors come and go the server is faster than to read them all; of those that stay, a process is.
        codes, factor = scan.asked_elsewhere(vector)
        return scan.told_elsewhere(*self.vectors.compared(known.no, codes, factor, picked))

    def _of(self, known: KnownEmbedder, picked: Sequence[int] | None) -> "Matrix":
        version = known._replace(source="")  # where it lies makes no difference, all else does
        return self.kept.of(
            version, picked, lambda: scan.Matrix.of_rows(self.vectors.rows(known.no, picked), known.dimension)
        )


def _changed(known: KnownEmbedder, now: str) -> ModelDamaged:
    return ModelDamaged(
        f"the model at {known.place} is no longer {known.name} but {now}, and their vectors cannot be compared. "
        f"Run `noctuary model use {known.place}` and `noctuary embed`."
    )
