"""A model without weights: words hashed into a few numbers.

It is for tests and for trying out: texts that share words lie close together, but it knows no synonyms, so it finds
nothing that search by words does not find better.
"""

import re
from collections.abc import Sequence
from typing import TYPE_CHECKING

from noctuary.digests import digest
from noctuary.lazily import lazy_module
from noctuary.models.failures import said_of
from noctuary.models.vectors import no_rows, unit_rows

if TYPE_CHECKING:
    import numpy as np

    from noctuary.models.embedder import Vectors
else:
    np = lazy_module("numpy")

DIMENSION = 64
_SIGNS = 4  # places in the vector that each word moves
_WORD = re.compile(r"\w+")


class HashingEmbedder:
    """Each word moves a few numbers up or down, always the same; a text is the sum of its words."""

    def __init__(self, dimension: int = DIMENSION) -> None:
        self.dimension = dimension
        self.name = f"hashing-{dimension}@1"
        with said_of("The hashing model", ""):
            no_rows(dimension)  # so that a missing library is told here, not in the middle of an import

    def passages(self, texts: Sequence[str]) -> "Vectors":
        """One vector a text, as rows."""
        rows: Vectors = np.zeros((len(texts), self.dimension), dtype=np.float32)
        for row, text in zip(rows, texts, strict=True):
            for word in _WORD.findall(text.lower()):
                self._add(row, word)
        return unit_rows(rows, self.name)

    def question(self, text: str) -> "Vectors":
        """The vector of what somebody asks, as one row."""
        return self.passages([text])

    def _add(self, row: "Vectors", word: str) -> None:
        hashed = digest(word.encode("utf-8", "replace"), size=4 * _SIGNS)
        for start in range(0, len(hashed), 4):
            number = int.from_bytes(hashed[start : start + 4], "little")
            row[(number >> 1) % self.dimension] += 1 if number & 1 else -1
