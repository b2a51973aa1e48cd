"""Vectors as all models give them: of length 1, finite, float32."""

from typing import TYPE_CHECKING

from noctuary.errors import ModelDamaged
from noctuary.lazily import lazy_module

if TYPE_CHECKING:
    import numpy as np

    from noctuary.models.embedder import Vectors
else:
    np = lazy_module("numpy")


def unit_rows(rows: "Vectors", model: str) -> "Vectors":
    """The rows with length 1, those of length 0 as they are; ModelDamaged if a number in them is not finite."""
    found = np.asarray(rows, dtype=np.float32)
    largest = np.abs(found).max(axis=1, keepdims=True, initial=0.0)
    if not np.isfinite(largest).all():
        raise ModelDamaged(f"{model} gave numbers that are not finite. Install it again, or choose another model.")
    scaled = found / np.where(largest > 0, largest, 1)  # so that the squares of huge or tiny numbers stay numbers
    lengths = np.sqrt(np.einsum("ij,ij->i", scaled, scaled))[:, None]
    return np.asarray(scaled / np.where(lengths > 0, lengths, 1), dtype=np.float32)


def no_rows(dimension: int) -> "Vectors":
    """The vectors of no texts."""
    return np.zeros((0, dimension), dtype=np.float32)
