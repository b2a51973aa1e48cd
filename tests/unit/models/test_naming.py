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
    (tmp_path / "weights").write_bytes(b"a file whose name occurs, but not as a place")

    assert name(path, "mean") == "label@a3bf175fa76c"


def plan(*apart: str) -> bytes:
    """A part of an ONNX file that says of a tensor each in which file it lies, as protobuf has it."""
    lengths = [len(name) for name in apart]
    sizes = [bytes([size]) if size < 128 else bytes([size % 128 + 128, size // 128]) for size in lengths]
    return b"".join(b"\n\x08location\x12" + size + name.encode() for size, name in zip(sizes, apart, strict=True))


@pytest.mark.parametrize(
    "apart",
    [
        "model.onnx_data",
        "model.onnx.data",
        "weights.bin",
        "model.data",
        "table",
        "onnx::MatMul_7",
        "parts/1",
        "x" * 200,
    ],
)
def test_weights_that_are_kept_apart_count(tmp_path: Path, apart: str) -> None:
    """An ONNX file can be no more than a plan, with all that was learned in files beside it."""
    path = tmp_path / "model.onnx"
    path.write_bytes(b"a plan " + plan("gone", apart, "") + b" and no more")
    (tmp_path / apart).parent.mkdir(exist_ok=True)
    (tmp_path / apart).write_bytes(b"what was learned")
    before = name(path)
    (tmp_path / apart).write_bytes(b"something else")

    assert name(path) != before


def test_every_file_of_many_counts(tmp_path: Path) -> None:
    """Some exporters write a file for each tensor; also a file that ends in the middle of such a name is read."""
    path = tmp_path / "model.onnx"
    path.write_bytes(plan("a.bin", "b.bin", "c.bin") + plan("d.bin")[:14])
    names = set()
    for apart in ("a.bin", "b.bin", "c.bin"):
        (tmp_path / apart).write_bytes(b"what was learned")
        names.add(name(path))

    assert len(names) == 3
