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
