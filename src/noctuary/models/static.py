"""Static models: one vector a token, looked up and averaged; numpy is all they need.

They know synonyms but not word order, and are hundreds of times as fast as a transformer.  The formats are those of
model2vec (`embeddings`, with optional `weights` of the tokens and a `mapping` from tokens to rows) and of wordllama
(`embedding.weight`).  The table is mapped, not read: opening one costs little, and a search touches a few pages of it.
"""

from collections.abc import Sequence
from pathlib import Path
from typing import TYPE_CHECKING, Any

from noctuary.errors import ModelDamaged, ModelMissing
from noctuary.lazily import lazy_module
from noctuary.models.failures import said_of
from noctuary.models.folders import Files, Kind, read_folder
from noctuary.models.naming import versioned
from noctuary.models.safetensors import Tensor, read_array, read_header
from noctuary.models.subwords import read_subwords
from noctuary.models.texts import readable
from noctuary.models.vectors import unit_rows

if TYPE_CHECKING:
    import numpy as np
    from numpy.typing import NDArray

    from noctuary.models.embedder import Vectors
else:
    np = lazy_module("numpy")

MOST_CHARACTERS = 16_384  # the mean of more would mean nothing
MANY = 64  # texts for which it pays to widen the whole table: half precision is slow to add
_ADVICE = "Install the model again, or choose another."
_WEIGHTS = "weights"
_MAPPING = "mapping"
_HABITS = "mean of tokens, 1"  # changes when we would make other vectors of the same files


class StaticEmbedder:
    """The model in a folder, or in `Files` that lie apart."""

    def __init__(self, model: Path | Files) -> None:
        files = (model if isinstance(model, Files) else _files_in(model)).checked()
        self._path = files.weights
        self._subwords = read_subwords(files.tokenizer)
        with said_of(f"The model {files.weights}", _ADVICE):
            tensors = read_header(files.weights)
            self._table = self._read_table(tensors)
            self._weights = self._read_side(tensors.get(_WEIGHTS), np.float32)
            self._mapping = self._read_side(tensors.get(_MAPPING), np.int64)
            self.dimension = int(self._table.shape[1])
            self._check_sizes()
            self.name = versioned(files.label, [files.weights, files.tokenizer], habits=_HABITS)

    def passages(self, texts: Sequence[str]) -> "Vectors":
        """One vector a text, as rows; texts longer than the model reads are cut."""
        rows: Vectors = np.zeros((len(texts), self.dimension), dtype=np.float32)
        with said_of(f"The model {self._path}", _ADVICE):
            if len(texts) >= MANY:
                self._table = self._table.astype(np.float32, copy=False)
            for row, text in zip(rows, readable(texts, most=MOST_CHARACTERS), strict=True):
                row[:] = self._mean(self._subwords.ids(text))
        return unit_rows(rows, self.name)

    def question(self, text: str) -> "Vectors":
        """The vector of what somebody asks, as one row."""
        return self.passages([text])

    def _mean(self, ids: list[int]) -> "Vectors":
        unknown = self._subwords.unknown
        tokens = np.array([token for token in ids if token != unknown] if unknown in ids else ids, dtype=np.int64)
        if not len(tokens):
            return np.zeros(self.dimension, dtype=np.float32)
        found = self._table[tokens if self._mapping is None else self._mapping[tokens]].astype(np.float32)
        if self._weights is not None:
            found *= self._weights[tokens, None]
        return np.asarray(found.mean(axis=0))

    def _read_table(self, tensors: dict[str, Tensor]) -> "NDArray[Any]":
        tables = [tensor for tensor in tensors.values() if len(tensor.shape) == 2]
        if len(tables) != 1:
            raise ModelDamaged(f"{self._path} is no static model: it has {len(tables)} tables. Choose another model.")
        return np.asarray(read_array(self._path, tables[0]))

    def _read_side(self, tensor: Tensor | None, dtype: Any) -> "NDArray[Any] | None":
        """An array with a number for each token, read whole."""
        return None if tensor is None else read_array(self._path, tensor).astype(dtype).ravel()

    def _check_sizes(self) -> None:
        """Every token of the tokenizer has its vector."""
        rows, tokens = len(self._table), self._subwords.size
        named = rows if self._mapping is None else len(self._mapping)
        places = self._mapping if self._mapping is not None and named else np.zeros(1, dtype=np.int64)
        weighed = named if self._weights is None else len(self._weights)
        if not self.dimension or tokens > min(named, weighed) or places.min() < 0 or places.max() >= rows:
            raise ModelDamaged(f"{self._path} does not belong to its tokenizer. {_ADVICE}")


def _files_in(folder: Path) -> Files:
    found = read_folder(folder)
    if found.kind is not Kind.STATIC:
        raise ModelMissing(f"There is no static model in {folder}. `noctuary model list` shows the models there are.")
    return found.files
