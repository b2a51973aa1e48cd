"""The name that vectors are stored under: what made them, with a digest of it."""

import mmap
import os
from pathlib import Path

from noctuary.digests import digest

DIGEST_BYTES = 6  # twelve letters in the name
_PIECES = 32
_PIECE_SIZE = 64 << 10
_APART = ("*.onnx_data*", "*.onnx.data*")  # what exporters call the files of weights that are too large for one


def versioned(label: str, files: list[Path], *, habits: str) -> str:
    """The label, @, and twelve letters that change with the files and with how they are used; raises OSError.

    Weights that an ONNX file keeps apart count as its own.
    The digest is of each file's size and of 32 pieces of it, spread evenly from its beginning to its end: 2 MiB.
    Digesting whole weights would take longer than loading them, on every search, and models that differ at all
    differ everywhere: each training step moves every layer.  That no byte was changed is for the download to check.
    """
    apart = [path for file in files for path in kept_apart(file)]
    return named(label, b"".join([habits.encode("utf-8", "replace"), *map(_sampled, [*files, *apart])]))


def kept_apart(weights: Path) -> list[Path]:
    """The files beside an ONNX file where it says that more of its weights lie; raises OSError."""
    beside = sorted(path for name in _APART for path in weights.parent.glob(name)) if weights.suffix == ".onnx" else []
    if not beside or not weights.stat().st_size:
        return []
    with weights.open("rb") as file, mmap.mmap(file.fileno(), 0, access=mmap.ACCESS_READ) as content:
        return [path for path in beside if content.find(os.fsencode(path.name)) >= 0]


def named(label: str, content: bytes) -> str:
    """The label, as far as it can be shown, with a digest of the content."""
    shown = "".join(character for character in label if character.isprintable())
    return f"{shown}@{digest(content, size=DIGEST_BYTES).hex()}"


def _sampled(path: Path) -> bytes:
    size = path.stat().st_size
    with path.open("rb") as file:
        if size <= _PIECES * _PIECE_SIZE:
            return b"%d:" % size + file.read()
        pieces = [b"%d:" % size]
        for number in range(_PIECES):
            file.seek(number * (size - _PIECE_SIZE) // (_PIECES - 1))
            pieces.append(file.read(_PIECE_SIZE))
    return b"".join(pieces)
