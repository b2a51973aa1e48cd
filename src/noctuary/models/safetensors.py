"""Read safetensors files: a length, that many bytes of JSON that say what lies where, then the numbers.

Nothing in such a file is believed before it was checked against the size of the file, so a truncated or a made-up one
is refused and never read beyond its end.
"""

import json
import math
from pathlib import Path
from typing import TYPE_CHECKING, Any, NamedTuple

from noctuary.errors import ModelDamaged
from noctuary.lazily import lazy_module

if TYPE_CHECKING:
    import numpy as np
    from numpy.typing import NDArray
else:
    np = lazy_module("numpy")

LONGEST_HEADER = 16 << 20
_LENGTH_BYTES = 8
_ITEM_SIZES = {"F64": 8, "F32": 4, "F16": 2, "BF16": 2, "I64": 8, "I32": 4, "I16": 2, "I8": 1, "U8": 1, "BOOL": 1}
_DTYPES = {
    "F64": "<f8",
    "F32": "<f4",
    "F16": "<f2",
    "BF16": "<u2",
    "I64": "<i8",
    "I32": "<i4",
    "I16": "<i2",
    "I8": "i1",
}


class Tensor(NamedTuple):
    """One array of the file: of what, how large and where."""

    dtype: str
    shape: tuple[int, ...]
    start: int  # in the file
    size: int  # in bytes


def read_header(path: Path) -> dict[str, Tensor]:
    """The arrays of the file by their names; ModelDamaged if they are not all in it, OSError if it cannot be read."""
    size = path.stat().st_size
    with path.open("rb") as file:
        length = int.from_bytes(file.read(_LENGTH_BYTES), "little")
        if size < _LENGTH_BYTES or length > min(LONGEST_HEADER, size - _LENGTH_BYTES):
            raise _damaged(path, "it is cut off or no safetensors file")
        written = file.read(length)
    try:
        entries = json.loads(written)
    except (ValueError, RecursionError) as error:
        raise _damaged(path, "its header is no JSON") from error
    if not isinstance(entries, dict):
        raise _damaged(path, "its header names no arrays")
    room = size - _LENGTH_BYTES - length
    return {
        name: _placed(path, entry, after=_LENGTH_BYTES + length, room=room)
        for name, entry in entries.items()
        if name != "__metadata__"
    }


def read_array(path: Path, tensor: Tensor) -> "NDArray[Any]":
    """The array as it lies in the file, mapped and not copied; BF16 becomes float32.  Raises OSError."""
    if tensor.dtype not in _DTYPES:
        raise _damaged(path, f"it holds numbers of kind {tensor.dtype}, which we cannot read")
    dtype = np.dtype(_DTYPES[tensor.dtype])
    if tensor.size == 0:
        return np.zeros(tensor.shape, dtype=dtype)
    mapped = np.memmap(path, dtype=dtype, mode="r", offset=tensor.start, shape=tensor.shape)
    if tensor.dtype == "BF16":  # the upper half of a float32
        return (mapped.astype(np.uint32) << 16).view(np.float32)
    return mapped


def _placed(path: Path, entry: Any, *, after: int, room: int) -> Tensor:
    try:
        dtype, shape, (begin, end) = entry["dtype"], tuple(entry["shape"]), entry["data_offsets"]
    except (TypeError, KeyError, ValueError) as error:
        raise _damaged(path, "its header is not understood") from error
    numbers = (*shape, begin, end)
    if not all(type(number) is int and number >= 0 for number in numbers) or not isinstance(dtype, str):
        raise _damaged(path, "its header is not understood")
    item_size = _ITEM_SIZES.get(dtype)
    if not begin <= end <= room or (item_size and end - begin != math.prod(shape) * item_size):
        raise _damaged(path, "an array does not lie within it")
    return Tensor(dtype, shape, after + begin, end - begin)


def _damaged(path: Path, why: str) -> ModelDamaged:
    return ModelDamaged(f"{path} cannot be used: {why}. Install the model again.")
