"""The names that vectors are stored under."""

from pathlib import Path

import pytest

from noctuary.models.naming import versioned

SIZE = 5 << 20


def name(path: Path, habits: str = "") -> str:
    return versioned("label", [path], habits=habits)


@pytest.mark.parametrize("place", [0, SIZE // 31 + 40_000, SIZE - 1])
def test_other_weights_have_another_name(tmp_path: Path, place: int) -> None:
    """A large file is known by pieces of it from its beginning to its end."""
    before, after = tmp_path / "before", tmp_path / "after"
    before.write_bytes(bytes(SIZE))
    after.write_bytes(bytes(place) + b"\1" + bytes(SIZE - place - 1))

    assert name(before) != name(after)


def test_a_longer_file_has_another_name(tmp_path: Path) -> None:
    """Size counts where all the bytes are alike."""
    shorter, longer = tmp_path / "shorter", tmp_path / "longer"
    shorter.write_bytes(bytes(SIZE))
    longer.write_bytes(bytes(SIZE + 1))

    assert name(shorter) != name(longer)


def test_the_same_files_used_otherwise_have_another_name(tmp_path: Path) -> None:
    """Vectors made in two ways are never compared."""
    path = tmp_path / "weights"
    path.write_bytes(b"weights")

    assert name(path, "mean") == name(path, "mean") != name(path, "cls")
    assert name(path).startswith("label@")


def test_a_name_is_the_same_in_every_version(tmp_path: Path) -> None:
    """Vectors that an earlier version stored are known by it, whatever other models lie beside."""
    path = tmp_path / "model.onnx"
    path.write_bytes(b"weights")
    (tmp_path / "other.onnx_data").write_bytes(b"of another model")

    assert name(path, "mean") == "label@a3bf175fa76c"


@pytest.mark.parametrize("apart", ["model.onnx_data", "model.onnx_data_1", "model.onnx.data", "other.onnx_data"])
def test_weights_that_are_kept_apart_count(tmp_path: Path, apart: str) -> None:
    """An ONNX file can be no more than a plan, with all that was learned in files beside it."""
    path = tmp_path / "model.onnx"
    path.write_bytes(b"the weights lie in " + apart.encode())
    (tmp_path / apart).write_bytes(b"what was learned")
    before = name(path)
    (tmp_path / apart).write_bytes(b"something else")

    assert name(path) != before
