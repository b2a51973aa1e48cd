"""What every embedding model promises; `tests/contract/test_embedder.py` holds each of them to it."""

from collections.abc import Sequence
from typing import TYPE_CHECKING, Protocol

if TYPE_CHECKING:
    import numpy as np
    from numpy.typing import NDArray

    Vectors = NDArray[np.float32]


class Embedder(Protocol):
    """Turns texts into vectors that lie close together if the texts mean the same.

    Every method raises only `ModelError`s.  Vectors have length 1 (or 0, for a text that the model makes nothing of),
    are finite, and come in the order of the texts.  Any text will do: empty, of any length, in any language.
    """

    name: str  # of the weights, with a digest of them: vectors under two names are never compared

    @property
    def dimension(self) -> int:
        """How many numbers a vector has; an endpoint that was not asked before is asked."""
        ...

    def passages(self, texts: Sequence[str]) -> "Vectors":
        """One vector a text, as rows: `(len(texts), dimension)`; texts longer than the model reads are cut."""
        ...

    def question(self, text: str) -> "Vectors":
        """The vector of what somebody asks, as one row: `(1, dimension)`.

        Some models take questions otherwise than passages.
        """
        ...
