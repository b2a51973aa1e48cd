"""What is in a folder."""

from pathlib import Path

import pytest

from noctuary.errors import ModelDamaged, ModelMissing
from noctuary.models.folders import Kind, read_folder
from tests.unit.models.building import (
    DIMENSION,
    bpe_folder,
    np,
    onnx_folder,
    static_folder,
    vectors,
    write_json,
    write_safetensors,
)


def test_a_transformer_is_found(tmp_path: Path) -> None:
    """A folder of sentence-transformers says what it is, how large and how wide."""
    write_json(tmp_path / "tiny" / "config.json", {"hidden_size": DIMENSION, "_name_or_path": "/tmp/x/Tiny-v2/"})

    found = read_folder(onnx_folder(tmp_path / "tiny"))

    assert (found.name, found.kind, found.path, found.dimension) == ("tiny", Kind.ONNX, tmp_path / "tiny", DIMENSION)
    assert found.files.label == "Tiny-v2"
    assert found.size == sum(path.stat().st_size for path in found.files[:2])


def test_weights_that_lie_apart_have_a_size(tmp_path: Path) -> None:
    """A model is as large as all of its files."""
    without = read_folder(onnx_folder(tmp_path, apart="model.onnx.data")).size
    (tmp_path / "model.onnx.data").write_bytes(bytes(1000))

    assert read_folder(tmp_path).size == without + 1000


@pytest.mark.parametrize("make", [static_folder, bpe_folder])
def test_a_static_model_is_found(tmp_path: Path, make: object) -> None:
    """Tables of model2vec and of wordllama are known by their shape, under any name."""
    found = read_folder((static_folder if make is static_folder else bpe_folder)(tmp_path / "static"))

    assert (found.kind, found.dimension) == (Kind.STATIC, DIMENSION)


@pytest.mark.parametrize(
    ("names", "taken"),
    [
        (["model.onnx", "onnx/model.onnx"], "model.onnx"),
        (["onnx/model.onnx"], "onnx/model.onnx"),
        (["onnx/model.onnx", "onnx/model_quantized.onnx"], "onnx/model_quantized.onnx"),
        (["model.onnx", "onnx/model_int8.onnx"], "onnx/model_int8.onnx"),
        (["onnx/model.onnx", "onnx/model_qint8_arm64.onnx", "onnx/model_O4.onnx"], "onnx/model.onnx"),
        (["export.onnx"], "export.onnx"),
    ],
)
def test_one_onnx_file_is_taken(tmp_path: Path, names: list[str], taken: str) -> None:
    """Of several files a quantized one is taken, but none that was made for one kind of processor."""
    for name in names:
        onnx_folder(tmp_path, name=name)

    assert read_folder(tmp_path).files.weights == tmp_path / taken


def test_a_tokenizer_may_lie_beside_the_onnx_file(tmp_path: Path) -> None:
    """Some repositories keep it in their folder `onnx`."""
    onnx_folder(tmp_path, name="onnx/model.onnx")
    (tmp_path / "tokenizer.json").rename(tmp_path / "onnx" / "tokenizer.json")

    assert read_folder(tmp_path).files.tokenizer == tmp_path / "onnx" / "tokenizer.json"


def test_settings_of_a_tokenizer_are_no_tokenizer(tmp_path: Path) -> None:
    """tokenizer_config.json has no vocabulary."""
    onnx_folder(tmp_path)
    (tmp_path / "tokenizer.json").unlink()
    write_json(tmp_path / "tokenizer_config.json", {"model_max_length": 512})

    with pytest.raises(ModelMissing):
        read_folder(tmp_path)


def test_weights_of_a_transformer_are_no_static_model(tmp_path: Path) -> None:
    """Without its ONNX file a transformer is of no use."""
    static_folder(tmp_path)
    write_safetensors(tmp_path / "model.safetensors", a=vectors(3), b=vectors(4))

    with pytest.raises(ModelMissing, match="no model"):
        read_folder(tmp_path)


@pytest.mark.parametrize("kind", ["nothing", "a file", "an empty folder"])
def test_what_is_no_model_is_missing(tmp_path: Path, kind: str) -> None:
    """Who names the wrong folder is told where to look."""
    path = tmp_path / "place"
    if kind == "a file":
        path.write_text("hello")
    elif kind == "an empty folder":
        path.mkdir()

    with pytest.raises(ModelMissing, match="noctuary model list"):
        read_folder(path)


def test_a_cut_off_table_is_damaged(tmp_path: Path) -> None:
    """A download that was broken off is noticed."""
    path = static_folder(tmp_path) / "model.safetensors"
    path.write_bytes(path.read_bytes()[:-1])

    with pytest.raises(ModelDamaged, match=r"model\.safetensors"):
        read_folder(tmp_path)


def test_damaged_weights_beside_an_onnx_file_do_not_matter(tmp_path: Path) -> None:
    """Only what is used is read."""
    onnx_folder(tmp_path)
    (tmp_path / "model.safetensors").write_bytes(np.zeros(3).tobytes())

    assert read_folder(tmp_path).kind is Kind.ONNX
