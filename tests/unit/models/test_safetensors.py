"""Our own reader of safetensors files."""

import json
from contextlib import suppress
from pathlib import Path
from typing import Any

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from noctuary.errors import ModelDamaged
from noctuary.models.safetensors import LONGEST_HEADER, read_array, read_header
from tests.unit.models.building import np, write_safetensors

DTYPES = ("<f2", "<f4", "<f8", "<i4", "<i8")
shapes = st.lists(st.integers(0, 4), min_size=0, max_size=3).map(tuple)
arrays = st.dictionaries(
    st.text(st.characters(categories=["L"]), min_size=1), st.tuples(shapes, st.sampled_from(DTYPES))
)


def write(path: Path, header: object, body: bytes = b"", *, length: int | None = None) -> Path:
    written = json.dumps(header).encode()
    path.write_bytes((len(written) if length is None else length).to_bytes(8, "little") + written + body)
    return path


@given(wanted=arrays)
@settings(deadline=None, max_examples=50)
def test_what_was_written_is_read(tmp_path_factory: pytest.TempPathFactory, wanted: dict[str, Any]) -> None:
    """Arrays of every shape and kind come back as they were."""
    made = {
        name: np.arange(np.prod(shape, dtype=int)).reshape(shape).astype(dtype)
        for name, (shape, dtype) in wanted.items()
    }
    path = write_safetensors(tmp_path_factory.mktemp("tensors") / "any.safetensors", **made)

    tensors = read_header(path)

    assert tensors.keys() == made.keys()
    for name, array in made.items():
        assert np.array_equal(read_array(path, tensors[name]), array)


@given(content=st.binary(max_size=200))
@settings(deadline=None, max_examples=50)
def test_any_bytes_are_read_or_refused(tmp_path_factory: pytest.TempPathFactory, content: bytes) -> None:
    """A file of anything at all raises nothing but our error."""
    path = tmp_path_factory.mktemp("tensors") / "any.safetensors"
    path.write_bytes(len(content).to_bytes(8, "little") + content)

    with suppress(ModelDamaged):
        assert isinstance(read_header(path), dict)


@pytest.mark.parametrize(
    "entry",
    [
        {"dtype": "F32", "shape": [2, 2], "data_offsets": [0, 17]},
        {"dtype": "F32", "shape": [2, 2], "data_offsets": [0, 12]},
        {"dtype": "F32", "shape": [4, 4], "data_offsets": [0, 64]},
        {"dtype": "F32", "shape": [2, 2], "data_offsets": [16, 0]},
        {"dtype": "F32", "shape": [-2, -2], "data_offsets": [0, 16]},
        {"dtype": "F32", "shape": [2.0, 2], "data_offsets": [0, 16]},
        {"dtype": "F32", "shape": "22", "data_offsets": [0, 16]},
        {"dtype": "F32", "shape": [2, 2], "data_offsets": [0]},
        {"dtype": 7, "shape": [2, 2], "data_offsets": [0, 16]},
        {"dtype": "F32", "shape": [1 << 40, 1 << 40], "data_offsets": [0, 16]},
        {"shape": [2, 2], "data_offsets": [0, 16]},
        [1, 2],
        None,
    ],
)
def test_arrays_outside_the_file_are_refused(tmp_path: Path, entry: object) -> None:
    """Nothing that the header says is believed before it was compared with the file."""
    path = write(tmp_path / "bad.safetensors", {"table": entry}, bytes(16))

    with pytest.raises(ModelDamaged, match="Install the model again"):
        read_header(path)


@pytest.mark.parametrize("length", [LONGEST_HEADER + 1, (1 << 64) - 1, 1000])
def test_a_header_longer_than_the_file_is_refused(tmp_path: Path, length: int) -> None:
    """No length makes us ask for memory that we do not need."""
    with pytest.raises(ModelDamaged):
        read_header(write(tmp_path / "bad.safetensors", {}, length=length))


def test_bfloat16_is_widened(tmp_path: Path) -> None:
    """Half of the bytes of a float32 are read as what they mean."""
    wanted = np.array([[1.0, -2.5, 0.0, 96.0]], dtype=np.float32)
    halves = (wanted.view(np.uint32) >> 16).astype(np.uint16).tobytes()
    entry = {"dtype": "BF16", "shape": [1, 4], "data_offsets": [0, 8]}
    path = write(tmp_path / "bf16.safetensors", {"table": entry}, halves)

    assert np.array_equal(read_array(path, read_header(path)["table"]), wanted)


def test_other_kinds_of_numbers_are_refused_when_they_are_read(tmp_path: Path) -> None:
    """A file may hold more than we understand."""
    entry = {"dtype": "F8_E4M3", "shape": [2, 2], "data_offsets": [0, 4]}
    path = write(tmp_path / "f8.safetensors", {"table": entry}, bytes(4))

    with pytest.raises(ModelDamaged, match="F8_E4M3"):
        read_array(path, read_header(path)["table"])
