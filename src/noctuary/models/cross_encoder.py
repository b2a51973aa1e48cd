"""Cross-encoders in ONNX files: they read a question and a text together and say how well one answers the other.

That is slower than comparing vectors, which are made of each alone and beforehand, and it tells more.  So it is for the
few best of what was found.  A folder is what sentence-transformers exports, such as that of ms-marco-MiniLM-L-6-v2:
`tokenizer.json` and `model.onnx` (or `onnx/model.onnx`), which gives one number a pair, or two of which the last is
for yes.
"""

from collections.abc import Sequence
from pathlib import Path
from typing import TYPE_CHECKING

from noctuary.errors import ModelDamaged, ModelMissing
from noctuary.lazily import lazy_module
from noctuary.models.folders import Files, Kind, read_folder
from noctuary.models.onnx import Batch, Transformer
from noctuary.models.recipe import read_recipe

if TYPE_CHECKING:
    import numpy as np
    from numpy.typing import NDArray
else:
    np = lazy_module("numpy")

_OUTPUTS = ("logits", "scores")


class CrossEncoder:
    """The cross-encoder in a folder; a ModelError says what to do if there is none that can be used."""

    def __init__(self, folder: Path, *, threads: int = 0) -> None:
        files = files_in(folder)
        tokens = read_recipe(files.config).tokens
        self._model = Transformer(files, tokens=tokens, purpose="cross-encoder", outputs=_OUTPUTS, threads=threads)

    def judge(self, question: str, texts: Sequence[str]) -> list[float]:
        """How well each text answers the question, from 0 to 1.

        Where both are more than the model reads the text is cut; a question only if it takes more than half.
        """
        if not texts:
            return []
        asked = self._model.readable([question])[0]
        pairs = [(asked, text) for text in self._model.readable(texts)]
        with self._model.said_of_it():
            logits = np.zeros(len(pairs), dtype=np.float64)
            for batch in self._model.run(pairs):
                logits[batch.numbers] = self._logits(batch)
        if not np.isfinite(logits).all():
            raise ModelDamaged(f"{self._model.label} gave numbers that are not finite. Choose another model.")
        return [float(value) for value in (1 + np.tanh(logits / 2)) / 2]  # the sigmoid, without overflow

    def _logits(self, batch: Batch) -> "NDArray[np.float64]":
        """One number for each pair of a batch; of two their difference, whose sigmoid is the softmax of the last."""
        found, count = np.asarray(batch.found, dtype=np.float64), len(batch.numbers)
        if found.shape == (count, 2):
            return np.asarray(found[:, 1] - found[:, 0])
        if found.shape not in ((count,), (count, 1)):
            raise self._model.strange(f"gives an array of shape {found.shape}")
        return found.reshape(count)


def files_in(folder: Path) -> Files:
    """The files of the cross-encoder in the folder; ModelMissing if there is none."""
    try:
        found = read_folder(folder)
    except ModelMissing as error:
        raise _missing(folder) from error
    if found.kind is not Kind.ONNX:
        raise _missing(folder)
    return found.files


def _missing(folder: Path) -> ModelMissing:
    return ModelMissing(
        f"There is no cross-encoder in {folder}. It is a folder with tokenizer.json and model.onnx;"
        " correct NOCTUARY_RERANKER, or `reranker` in config.toml."
    )
