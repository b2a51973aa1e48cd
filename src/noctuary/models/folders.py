"""What is in a folder: the files of one model.

A model is its weights and a tokenizer, usually side by side, as sentence-transformers, model2vec or a download leave
them.  Of several ONNX files a quantized one is taken (`model_quantized.onnx`, `model_int8.onnx`): it is a quarter of
the size and usually faster on a processor, for slightly coarser vectors; whoever wants the whole one deletes the other.
Files made for one kind of processor are taken only if there is nothing else.
"""

from enum import StrEnum
from pathlib import Path
from typing import NamedTuple

from noctuary.errors import ModelDamaged, ModelMissing
from noctuary.models.naming import kept_apart
from noctuary.models.recipe import dimension_of, label_of, read_json
from noctuary.models.safetensors import read_header

_LIKED = ("model_quantized.onnx", "model_int8.onnx", "model.onnx")
_PLACES = ("", "onnx")
_EXPECTED = "A model is a folder with tokenizer.json and model.onnx, or with tokenizer.json and model.safetensors"


class Kind(StrEnum):
    """What it takes to run a model."""

    ONNX = "onnx"  # onnxruntime and tokenizers
    STATIC = "static"  # numpy


class Files(NamedTuple):
    """Where the parts of a model lie; not always in one folder."""

    weights: Path
    tokenizer: Path
    config: Path | None = None  # the folder with its settings
    label: str = ""  # what it is called; "" is as its settings or its folder say

    def checked(self) -> "Files":
        """The same with a label; ModelMissing if they are not there."""
        label = self.label or label_of(self.config or self.weights.parent)
        for path in (self.weights, self.tokenizer):
            if not path.is_file():
                raise ModelMissing(f"There is no file {path}. Install the model {label} again.")
        return self._replace(label=label)


class FoundModel(NamedTuple):
    """A model on this machine."""

    name: str  # what to ask for it by
    kind: Kind
    path: Path
    files: Files
    dimension: int | None  # None if only opening it would tell
    size: int  # in bytes


def read_folder(path: Path) -> FoundModel:
    """The model in the folder; ModelMissing if there is none, ModelDamaged if its settings cannot be read."""
    folder = path.expanduser()
    try:
        return _read(folder)
    except OSError as error:
        raise ModelDamaged(f"{folder} cannot be read: {error}. Check its permissions.") from error


def describe(name: str, kind: Kind, files: Files) -> FoundModel:
    """The model of these files, by this name; raises OSError."""
    dimension = dimension_of(files.config) if files.config else None
    if kind is Kind.STATIC:
        dimension = max(_widths(files.weights), default=None)
    parts = (files.weights, *kept_apart(files.weights), files.tokenizer)
    size = sum(part.stat().st_size for part in parts)
    return FoundModel(name, kind, files.weights.parent, files, dimension, size)


def _read(folder: Path) -> FoundModel:
    if not folder.is_dir():
        raise ModelMissing(f"There is no folder {folder}. `noctuary model list` shows the models there are.")
    tokenizer = _tokenizer(folder)
    onnx = _onnx(folder)
    weights = onnx or _safetensors(folder)
    if tokenizer is None or weights is None:
        raise ModelMissing(f"There is no model in {folder}. {_EXPECTED}; `noctuary model list` shows others.")
    files = Files(weights, tokenizer, folder, label_of(folder))
    return describe(folder.name, Kind.ONNX if onnx else Kind.STATIC, files)._replace(path=folder)


def _tokenizer(folder: Path) -> Path | None:
    usual = [folder / place / "tokenizer.json" for place in _PLACES]
    others = [path for path in sorted(folder.glob("*tokenizer*.json")) if "model" in read_json(path)]
    return next((path for path in usual if path.is_file()), others[0] if others else None)


def _onnx(folder: Path) -> Path | None:
    liked = [folder / place / name for name in _LIKED for place in _PLACES]
    found = [path for place in _PLACES for path in sorted((folder / place).glob("*.onnx"))]
    return next((path for path in liked if path.is_file()), found[0] if found else None)


def _safetensors(folder: Path) -> Path | None:
    """A file of static vectors, which has one table of rows; the weights of a transformer have dozens."""
    found = [folder / "model.safetensors", *sorted(folder.glob("*.safetensors"))]
    return next((path for path in found if path.is_file() and len(_widths(path)) == 1), None)


def _widths(path: Path) -> list[int]:
    """How many numbers a row has, of each table in the file."""
    return [tensor.shape[1] for tensor in read_header(path).values() if len(tensor.shape) == 2]
