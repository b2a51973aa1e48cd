"""Transformers in ONNX files, run by onnxruntime on the processor.

Texts are tokenised in one go and run in small batches of nearly equal length, so that little is spent on padding; the
work beside the model's own is less than a hundredth.  A model that quantizes as it runs scales a batch as one, so there
the vector of a text may move a little with the texts beside it; others give the same whatever runs together.

A model is first loaded as it lies in its file, which takes a quarter of the time that optimising it takes; a question
at the command line needs no more.  It is optimised once there is more to do.  The vectors are the same.
"""

from collections.abc import Iterator, Sequence
from contextlib import AbstractContextManager
from pathlib import Path
from typing import TYPE_CHECKING, Any, NamedTuple

from noctuary.errors import ModelDamaged, ModelMissing
from noctuary.lazily import lazy_module
from noctuary.models.failures import said_of
from noctuary.models.folders import Files, Kind, read_folder
from noctuary.models.naming import versioned
from noctuary.models.recipe import Pooling, read_recipe
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


class Batch(NamedTuple):
    """What a model gave for some of the texts."""

    numbers: list[int]  # of these texts
    lengths: list[int]  # of each, in tokens
    found: "NDArray[Any]"  # one row a text, with what pads it


class Transformer:
    """The tokenizer and the weights of a model, ready to run; what comes out is for others to read.

    `purpose` is what it should be, to say so if it is not.  `threads` of onnxruntime work on a batch, 0 for one a core;
    idle ones sleep.
    """

    def __init__(self, given: Files, *, tokens: int, purpose: str, outputs: Sequence[str], threads: int = 0) -> None:
        files = given.checked()
        self.label = files.label
        self._weights = files.weights
        self._most = tokens * CHARACTERS_PER_TOKEN
        self._purpose = purpose
        self._threads = threads
        self._run_so_far = 0
        with said_of(f"The tokenizer {files.tokenizer}", _ADVICE):
            self._tokenizer = _open_tokenizer(files.tokenizer, tokens)
        with self.said_of_it():
            self._session = _open_session(files.weights, threads, _AS_IT_LIES)
        self._inputs = self._read_inputs()
        self._output, self.declared = self._read_output(outputs)

    def said_of_it(self) -> AbstractContextManager[None]:
        """Whatever fails inside becomes a `ModelError` about this model."""
        return said_of(f"The model {self._weights}", _ADVICE)

    def strange(self, what: str) -> ModelDamaged:
        """The error to raise if the model is not what it should be."""
        return ModelDamaged(f"{self._weights} is no {self._purpose}: it {what}. Choose another model.")

    def readable(self, texts: Sequence[str], prompt: str = "") -> list[str]:
        """The texts behind the prompt, without what is more than the model could read."""
        return readable(texts, most=self._most, prompt=prompt)

    def run(self, texts: Sequence[str] | Sequence[tuple[str, str]]) -> Iterator[Batch]:
        """What the model gives for texts or for pairs of texts, in no order; what is too long is cut, the longer first.

        To be used inside `said_of_it`.
        """
        self._prepare_for(len(texts))
        encoded = self._tokenizer.encode_batch(texts)
        for numbers in _batches([len(each) for each in encoded]):
            batch = [encoded[number] for number in numbers]
            found = self._session.run([self._output], self._given(batch))[0]
            yield Batch(numbers, [len(each) for each in batch], found)

    def _prepare_for(self, count: int) -> None:
        """Optimise the model, if so many texts more make it worth while."""
        is_optimised = self._run_so_far > FEW
        self._run_so_far += count
        if not is_optimised and self._run_so_far > FEW:
            self._session = _open_session(self._weights, self._threads, _OPTIMISED)

    def _given(self, batch: Sequence[Any]) -> dict[str, "NDArray[Any]"]:
        """What the model asks for, and nothing else."""
        ids = _padded([each.ids for each in batch])
        made = {"input_ids": ids, "attention_mask": _padded([[1] * len(each) for each in batch])}
        if "token_type_ids" in self._inputs:
            made["token_type_ids"] = _padded([each.type_ids for each in batch])
        if "position_ids" in self._inputs:
            made["position_ids"] = np.broadcast_to(np.arange(ids.shape[1]), ids.shape)
        return {name: made[name].astype(dtype, copy=False) for name, dtype in self._inputs.items()}

    def _read_inputs(self) -> dict[str, str]:
        inputs = {each.name: each.type for each in self._session.get_inputs()}
        strange = [name for name, kind in inputs.items() if name not in _INPUTS or kind not in _TYPES]
        if strange or "input_ids" not in inputs:
            raise self.strange(f"takes {', '.join(inputs) or 'nothing'}")
        return {name: _TYPES[kind] for name, kind in inputs.items()}

    def _read_output(self, liked: Sequence[str]) -> tuple[str, list[int | str]]:
        """The output of a liked name, or else the first; and its shape, as far as the model declares it."""
        outputs = {each.name: each for each in self._session.get_outputs()}
        name = next((name for name in liked if name in outputs), next(iter(outputs), ""))
        if not name or outputs[name].type not in ("tensor(float)", "tensor(float16)"):
            raise self.strange(f"gives {', '.join(outputs) or 'nothing'}")
        return name, outputs[name].shape


class OnnxEmbedder:
    """A sentence-transformers model in a folder, or in `Files` that lie apart."""

    def __init__(self, model: Path | Files, *, threads: int = 0) -> None:
        files = model if isinstance(model, Files) else _files_in(model)
        self._recipe = recipe = read_recipe(files.config)
        self._model = Transformer(
            files, tokens=recipe.tokens, purpose="model for sentences", outputs=_OUTPUTS, threads=threads
        )
        with self._model.said_of_it():
            habits = " ".join(map(str, recipe))
            self.name = versioned(self._model.label, [files.weights, files.tokenizer], habits=habits)
        last = self._model.declared[-1] if self._model.declared else None
        self.dimension = last if isinstance(last, int) and last > 0 else self._tried()

    def passages(self, texts: Sequence[str]) -> "Vectors":
        """One vector a text, as rows; texts longer than the model reads are cut."""
        return self._vectors(texts, self._recipe.before_passage)

    def question(self, text: str) -> "Vectors":
        """The vector of what somebody asks, as one row."""
        return self._vectors([text], self._recipe.before_question)

    def _vectors(self, texts: Sequence[str], prompt: str) -> "Vectors":
        if not texts:
            return no_rows(self.dimension)
        with self._model.said_of_it():
            rows: Vectors = np.zeros((len(texts), self.dimension), dtype=np.float32)
            for batch in self._model.run(self._model.readable(texts, prompt)):
                rows[batch.numbers] = self._pooled(batch)
        return unit_rows(rows, self.name)

    def _pooled(self, batch: Batch) -> "Vectors":
        """One vector for each text of a batch."""
        found, lengths = batch.found, batch.lengths
        if found.shape == (len(lengths), self.dimension):
            return np.asarray(found, dtype=np.float32)
        if found.shape != (len(lengths), max(*lengths, 1), self.dimension):
            raise self._model.strange(f"gives an array of shape {found.shape}")
        if self._recipe.pooling is Pooling.FIRST:
            return np.asarray(found[:, 0], dtype=np.float32)
        sums = np.stack(
            [row[:length].sum(axis=0, dtype=np.float32) for row, length in zip(found, lengths, strict=True)]
        )
        return np.asarray(sums / np.maximum(np.array(lengths)[:, None], 1), dtype=np.float32)

    def _tried(self) -> int:
        """How long the vectors are that come out, if the model does not say."""
        with self._model.said_of_it():
            shape = next(self._model.run([""])).found.shape
        if len(shape) not in (2, 3):
            raise self._model.strange(f"gives an array of shape {shape}")
        return int(shape[-1])


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


def _padded(rows: list[list[int]]) -> "NDArray[np.int64]":
    """The rows as one array, with 0 behind those that are shorter."""
    longest = max(len(row) for row in rows)
    padded = np.zeros((len(rows), max(longest, 1)), dtype=np.int64)  # a tokenizer without [CLS] can find nothing
    for number, row in enumerate(rows):
        padded[number, : len(row)] = row
    return padded


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
