"""How alike two sentences are to an embedding model, if one is in use: it finds paraphrases that share few words."""

from collections.abc import Callable
from typing import TYPE_CHECKING

from noctuary.errors import ModelError

if TYPE_CHECKING:
    from noctuary.models.embedder import Embedder, Vectors


class Likeness:
    """The cosine of two sentences; each is embedded once.  A model that fails is not asked again: words go on."""

    def __init__(self, open_embedder: "Callable[[], Embedder]") -> None:
        self._open = open_embedder
        self._embedder: Embedder | None = None
        self._vectors: dict[str, Vectors] = {}
        self._is_failed = False

    def __call__(self, one: str, other: str) -> float | None:
        """From -1 to 1; None if the model cannot say."""
        if self._is_failed:
            return None
        try:
            return float((self._vector(one) * self._vector(other)).sum())
        except ModelError:
            self._is_failed = True
            return None

    def _vector(self, text: str) -> "Vectors":
        if text not in self._vectors:
            self._embedder = self._embedder or self._open()
            self._vectors[text] = self._embedder.passages([text])
        return self._vectors[text]
