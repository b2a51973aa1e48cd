"""Transformers in ONNX files, run by onnxruntime on the processor.

Texts are tokenised in one go and run in small batches of nearly equal length, so that little is spent on padding; the
work beside the model's own is less than a hundredth.  A model that quantizes as it runs scales a batch as one, so there
the vector of a text may move a little with the texts beside it; others give the same whatever runs together.

A model is first loaded as it lies in its file, which takes a quarter of the time that optimising it takes; a question
at the command line needs no more.  It is optimised once there is more to do.  The vectors are the same.
"""

from collections.abc import Iterator, Sequence
from pathlib import Path
from typing import TYPE_CHECKING, Any

from noctuary.errors import ModelDamaged, ModelMissing
from noctuary.lazily import lazy_module
from noctuary.models.failures import said_of
from noctuary.models.folders import Files, Kind, read_folder
from noctuary.models.naming import versioned
from noctuary.models.recipe import Pooling, label_of, read_recipe
from noctuary.models.texts import readable
from noctuary.models.vectors import no_rows, unit_rows

if TYPE_CHECKING:
    import numpy as np
    from numpy.typing import NDArray

    from noctuary.models.embedder import Vectors
else:
    np = lazy_module("numpy")

onnxruntime = lazy_module("onnxruntime")  # their types are not for others to check
tokenizers = lazy_module("tokenizers")

BATCH_TOKENS = 512  # with what pads them; measured: 2,048 in 32 texts is a fifth slower
BATCH_TEXTS = 16
CHARACTERS_PER_TOKEN = 32  # more of a text is not even tokenised: words are shorter
FEW = 8  # texts that take less time than it takes to optimise a model
_AS_IT_LIES = "ORT_DISABLE_ALL"
_OPTIMISED = "ORT_ENABLE_ALL"
_ONLY_FATAL = 4  # of onnxruntime's severities: it writes to stderr
_ADVICE = "Install the model again, or choose another."
_OUTPUTS = ("sentence_embedding", "last_hidden_state", "token_embeddings")
_INPUTS = ("input_ids", "attention_mask", "token_type_ids", "position_ids")
_TYPES = {"tensor(int64)": "int64", "tensor(int32)": "int32"}


class OnnxEmbedder:
    """A sentence-transformers model in a folder, or in `Files` that lie apart.

    `threads` of onnxruntime work on a batch, 0 for one a core; idle ones sleep.
    """

    def __init__(self, model: Path | Files, *, threads: int = 0) -> None:
        files = model if isinstance(model, Files) else _files_in(model)
        self._files = files
        self._threads = threads
        self._run_so_far = 0
        self._recipe = read_recipe(files.config)
        label = files.label or label_of(files.config or files.weights.parent)
        for path in (files.weights, files.tokenizer):
            if not path.is_file():
                raise ModelMissing(f"There is no file {path}. Install the model {label} again.")
        with said_of(f"The tokenizer {files.tokenizer}", _ADVICE):
            self._tokenizer = _open_tokenizer(files.tokenizer, self._recipe.tokens)
        with said_of(f"The model {files.weights}", _ADVICE):
            self._session = _open_session(files.weights, threads, _AS_IT_LIES)
            self.name = versioned(label, [files.weights, files.tokenizer], habits=" ".join(map(str, self._recipe)))
        self._inputs = self._read_inputs()
        self._output, self.dimension = self._read_output()

    def passages(self, texts: Sequence[str]) -> "Vectors":
        """One vector a text, as rows; texts longer than the model reads are cut."""
        return self._vectors(texts, self._recipe.before_passage)

    def question(self, text: str) -> "Vectors":
        """The vector of what somebody asks, as one row."""
        return self._vectors([text], self._recipe.before_question)

    def _vectors(self, texts: Sequence[str], prompt: str) -> "Vectors":
        if not texts:
            return no_rows(self.dimension)
        return unit_rows(self._run(texts, prompt, self.dimension), self.name)

    def _run(self, texts: Sequence[str], prompt: str, dimension: int) -> "Vectors":
        most = self._recipe.tokens * CHARACTERS_PER_TOKEN
        with said_of(f"The model {self._files.weights}", _ADVICE):
            self._prepare_for(len(texts))
            encoded = self._tokenizer.encode_batch(readable(texts, most=most, prompt=prompt))
            rows: Vectors = np.zeros((len(texts), dimension), dtype=np.float32)
            for batch in _batches([len(each) for each in encoded]):
                rows[batch] = self._pooled([encoded[number].ids for number in batch], dimension)
            return rows

    def _prepare_for(self, count: int) -> None:
        """Optimise the model, if so many texts more make it worth while."""
        is_optimised = self._run_so_far > FEW
        self._run_so_far += count
        if not is_optimised and self._run_so_far > FEW:
            self._session = _open_session(self._files.weights, self._threads, _OPTIMISED)

    def _pooled(self, tokens: list[list[int]], dimension: int) -> "Vectors":
        """One vector for each text of a batch."""
        ids, mask = _padded(tokens)
        found = self._session.run([self._output], self._given(ids, mask))[0]
        if found.shape == (len(tokens), dimension):
            return np.asarray(found, dtype=np.float32)
        if found.shape != (*ids.shape, dimension):
            raise self._strange(f"gives an array of shape {found.shape}")
        if self._recipe.pooling is Pooling.FIRST:
            return np.asarray(found[:, 0], dtype=np.float32)
        sums = np.stack(
            [row[: len(each)].sum(axis=0, dtype=np.float32) for row, each in zip(found, tokens, strict=True)]
        )
        return np.asarray(sums / np.maximum(mask.sum(axis=1, keepdims=True), 1), dtype=np.float32)

    def _given(self, ids: "NDArray[np.int64]", mask: "NDArray[np.int64]") -> dict[str, "NDArray[Any]"]:
        """What the model asks for, and nothing else."""
        made = {"input_ids": ids, "attention_mask": mask}
        if "token_type_ids" in self._inputs:
            made["token_type_ids"] = np.zeros_like(ids)
        if "position_ids" in self._inputs:
            made["position_ids"] = np.broadcast_to(np.arange(ids.shape[1]), ids.shape)
        return {name: made[name].astype(dtype, copy=False) for name, dtype in self._inputs.items()}

    def _read_inputs(self) -> dict[str, str]:
        inputs = {each.name: each.type for each in self._session.get_inputs()}
        strange = [name for name, kind in inputs.items() if name not in _INPUTS or kind not in _TYPES]
        if strange or "input_ids" not in inputs:
            raise self._strange(f"takes {', '.join(inputs) or 'nothing'}")
        return {name: _TYPES[kind] for name, kind in inputs.items()}

    def _read_output(self) -> tuple[str, int]:
        outputs = {each.name: each for each in self._session.get_outputs()}
        name = next((name for name in _OUTPUTS if name in outputs), next(iter(outputs), ""))
        if not name or outputs[name].type not in ("tensor(float)", "tensor(float16)"):
            raise self._strange(f"gives {', '.join(outputs) or 'nothing'}")
        last = outputs[name].shape[-1] if outputs[name].shape else None
        return name, last if isinstance(last, int) and last > 0 else self._tried(name)

    def _tried(self, output: str) -> int:
        """How long the vectors are that come out, if the model does not say."""
        ids, mask = _padded([[0]])
        with said_of(f"The model {self._files.weights}", _ADVICE):
            shape = self._session.run([output], self._given(ids, mask))[0].shape
        if len(shape) not in (2, 3):
            raise self._strange(f"gives an array of shape {shape}")
        return int(shape[-1])

    def _strange(self, what: str) -> ModelDamaged:
        return ModelDamaged(f"{self._files.weights} is no model for sentences: it {what}. Choose another model.")


def _files_in(folder: Path) -> Files:
    found = read_folder(folder)
    if found.kind is not Kind.ONNX:
        raise ModelMissing(f"There is no model.onnx in {folder}. `noctuary model list` shows the models there are.")
    return found.files


def _open_tokenizer(path: Path, tokens: int) -> Any:
    tokenizer = tokenizers.Tokenizer.from_file(str(path))
    tokenizer.no_padding()  # padded to the longest of a batch, not as the file says
    tokenizer.enable_truncation(max_length=tokens)
    return tokenizer


def _open_session(path: Path, threads: int, level: str) -> Any:
    options = onnxruntime.SessionOptions()
    options.graph_optimization_level = getattr(onnxruntime.GraphOptimizationLevel, level)
    options.log_severity_level = _ONLY_FATAL
    options.intra_op_num_threads = threads
    options.inter_op_num_threads = 1
    options.add_session_config_entry("session.intra_op.allow_spinning", "0")
    return onnxruntime.InferenceSession(str(path), options, providers=["CPUExecutionProvider"])


def _padded(tokens: list[list[int]]) -> tuple["NDArray[np.int64]", "NDArray[np.int64]"]:
    """The tokens as one array, and where in it they are."""
    longest = max(len(each) for each in tokens)
    ids = np.zeros((len(tokens), max(longest, 1)), dtype=np.int64)  # a tokenizer without [CLS] can find nothing
    mask = np.zeros_like(ids)
    for row, each in enumerate(tokens):
        ids[row, : len(each)] = each
        mask[row, : len(each)] = 1
    return ids, mask


def _batches(lengths: list[int]) -> Iterator[list[int]]:
    """The numbers of the texts, the longest first, as many at a time as fit."""
    batch: list[int] = []
    for number in sorted(range(len(lengths)), key=lambda number: -lengths[number]):
        longest = lengths[batch[0]] if batch else 0
        if batch and (len(batch) == BATCH_TEXTS or longest * (len(batch) + 1) > BATCH_TOKENS):
            yield batch
            batch = []
        batch.append(number)
    if batch:
        yield batch
