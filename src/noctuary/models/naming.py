"""The name that vectors are stored under: what made them, with a digest of it."""

import mmap
import os
from collections.abc import Iterator
from pathlib import Path

from noctuary.digests import digest

DIGEST_BYTES = 6  # twelve letters in the name
_PIECES = 32
_PIECE_SIZE = 64 << 10
_LOCATION = b"\n\x08location\x12"  # before the name of a file, where an ONNX file says that a tensor lies apart
_NEVER_WEIGHTS = {".json", ".txt", ".md", ".py", ".pyc", ".onnx", ".safetensors", ".yaml", ".yml"}


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
    """The files where an ONNX file says that more of its weights lie, whatever they are called; raises OSError."""
    if weights.suffix != ".onnx" or not weights.stat().st_size or not _is_room_for_more(weights.parent):
        return []
    with weights.open("rb") as file, mmap.mmap(file.fileno(), 0, access=mmap.ACCESS_READ) as content:
        named = {os.fsdecode(name) for name in _locations(content)}
    return sorted(path for path in (weights.parent / name for name in named) if path.is_file())


def _is_room_for_more(folder: Path) -> bool:
    """Whether anything lies there that may be weights: to look through a whole file takes a tenth of loading it."""
    names = (path for path in folder.iterdir() if not path.name.startswith((".", "__pycache__")))
    return any(path.suffix not in _NEVER_WEIGHTS for path in names)


def _locations(content: mmap.mmap) -> Iterator[bytes]:
    """What stands after each `_LOCATION`: as protobuf has it, a length of one byte or two, and so many bytes."""
    at = content.find(_LOCATION)
    while at >= 0:
        start = at + len(_LOCATION)
        low, high = content[start : start + 2].ljust(2, b"\0")
        is_long = low >= 128
        start += 2 if is_long else 1
        yield content[start : start + (low - 128 + high * 128 if is_long else low)]
        at = content.find(_LOCATION, start)


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
