"""What a question means to the model that serves, compared with what is stored; nothing, if there is no model.

Words find most things; meaning helps with the rest.  So whatever fails here (a model that was moved, an endpoint that
is down) costs a search nothing but its meaning: it goes on by words, and says so once.
"""

from collections.abc import Callable, Sequence
from typing import TYPE_CHECKING, NamedTuple

from noctuary.clock import Clock
from noctuary.errors import ModelDamaged, ModelError
from noctuary.lazily import lazy_module
from noctuary.store import Store
from noctuary.store.vectors import KnownEmbedder

if TYPE_CHECKING:
    from noctuary.models.embedder import Embedder, Vectors
    from noctuary.recall import scan
    from noctuary.recall.scan import Likeness, Matrix
else:
    scan = lazy_module("noctuary.recall.scan")

OpenEmbedder = Callable[[str], "Embedder"]
LONGEST_QUESTION = 2_000  # characters: no model reads more, and a pasted log is no question
MOST_KEPT = 1 << 30  # bytes: more vectors than this are read anew for each search
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


class Meanings:
    """Compares questions with all that is stored, as the model that serves understands it."""

    def __init__(self, store: Store, open_embedder: OpenEmbedder, clock: Clock) -> None:
        self.vectors = store.vectors
        self.open_embedder = open_embedder
        self.clock = clock
        self._embedder: Embedder | None = None
        self._matrix: tuple[KnownEmbedder, Matrix] | None = None  # of which model and at which change
        self._failed_ms: int | None = None

    def understand(self, question: str, picked: Sequence[int] | None) -> Understanding:
        """How alike the messages of the picked sessions (None: all) are to the question."""
        known = self.vectors.serving()
        if known is None or not question.strip() or self._is_resting() or not self.vectors.is_any(known):
            return Understanding()
        try:
            vector = self._vector(known, question[:LONGEST_QUESTION])
        except ModelError as error:
            self._failed_ms = self.clock.now_ms()
            return Understanding(warning=f"{BY_WORDS}{error}")
        return Understanding(self._of(known, picked).compare(vector))

    def _is_resting(self) -> bool:
        return self._failed_ms is not None and 0 <= self.clock.now_ms() - self._failed_ms < REST_MS

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

    def _of(self, known: KnownEmbedder, picked: Sequence[int] | None) -> "Matrix":
        version = known._replace(source="")  # all of it: numbers are given again when a model is dropped
        if self._matrix and self._matrix[0] == version:
            whole = self._matrix[1]
            return whole if picked is None else whole.among(picked)
        rows = self.vectors.rows(known.no, picked)
        is_still = self.vectors.is_chosen(known)  # or these may be another model's, which took its number meanwhile
        matrix = scan.Matrix.of_rows(rows if is_still else [], known.dimension)
        if picked is None and matrix.size <= MOST_KEPT:
            self._matrix = (version, matrix)
        return matrix


def _changed(known: KnownEmbedder, now: str) -> ModelDamaged:
    return ModelDamaged(
        f"the model at {known.place} is no longer {known.name} but {now}, and their vectors cannot be compared. "
        f"Run `noctuary model use {known.place}` and `noctuary embed`."
    )
