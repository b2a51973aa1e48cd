"""A model that is asked only while it may be: what was allowed when it was opened need not be allowed later."""

from collections.abc import Callable, Sequence
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from noctuary.models.embedder import Embedder, Vectors


class GuardedEmbedder:
    """Another embedder, which gets nothing before `allow` was called; that raises a ModelError if it must not."""

    def __init__(self, embedder: "Embedder", allow: Callable[[], None]) -> None:
        self._embedder = embedder
        self._allow = allow
        self.name = embedder.name

    @property
    def dimension(self) -> int:
        """How many numbers a vector has."""
        return self._embedder.dimension

    def passages(self, texts: Sequence[str]) -> "Vectors":
        """One vector a text, if they may be sent."""
        self._allow()
        return self._embedder.passages(texts)

    def question(self, text: str) -> "Vectors":
        """The vector of what somebody asks, if it may be sent."""
        self._allow()
        return self._embedder.question(text)
