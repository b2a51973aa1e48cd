"""Which model somebody means."""

from pathlib import Path

import pytest

from noctuary.errors import ModelError, ModelMissing
from noctuary.models.choosing import available, find_model, open_embedder
from noctuary.models.endpoint import EndpointEmbedder
from noctuary.models.hashing import HashingEmbedder
from noctuary.models.onnx import OnnxEmbedder
from noctuary.models.static import StaticEmbedder
from tests.unit.models.building import bpe_folder, onnx_folder, static_folder
from tests.unit.models.serving import Server, embeddings


def test_an_installed_model_is_opened_by_its_name(tmp_path: Path) -> None:
    """A name is a folder of the home's models."""
    onnx_folder(tmp_path / "models" / "tiny")

    assert isinstance(open_embedder("tiny", home=tmp_path, environ={}), OnnxEmbedder)


def test_a_folder_is_opened_by_its_path(tmp_path: Path) -> None:
    """Anywhere on the disk will do, of either kind."""
    static = open_embedder(str(static_folder(tmp_path / "a")), home=tmp_path, environ={})
    onnx = open_embedder(str(onnx_folder(tmp_path / "b")), home=tmp_path, environ={})

    assert isinstance(static, StaticEmbedder)
    assert isinstance(onnx, OnnxEmbedder)


def test_hashing_needs_nothing(tmp_path: Path) -> None:
    """To try things out no weights are needed."""
    assert isinstance(open_embedder("hashing", home=tmp_path, environ={}), HashingEmbedder)


@pytest.mark.parametrize(
    ("environ", "sent"),
    [
        ({}, None),
        ({"NOCTUARY_EMBED_KEY": "mine"}, "Bearer mine"),
        ({"OPENAI_API_KEY": "theirs"}, None),
        ({"OPENAI_API_KEY": "theirs", "NOCTUARY_EMBED_KEY": "mine"}, "Bearer mine"),
    ],
)
def test_an_endpoint_gets_the_key_that_is_for_it(tmp_path: Path, environ: dict[str, str], sent: str | None) -> None:
    """OpenAI's key goes to nobody else."""
    with Server(embeddings) as server:
        embedder = open_embedder(f"{server.url}/v1#some-model", home=tmp_path, environ=environ)
        embedder.question("redis")

    assert isinstance(embedder, EndpointEmbedder)
    assert server.asked[0].headers.get("authorization") == sent


@pytest.mark.parametrize(
    ("source", "advice"),
    [
        ("all-MiniLM-L6-v2", "noctuary model install all-MiniLM-L6-v2"),
        ("unheard-of", "noctuary model list"),
        ("", "noctuary model list"),
        ("./unheard-of", "There is no folder"),
        ("package:unheard_of", "not installed"),
        ("http://127.0.0.1:1/v1", "#model-name"),
        ("..", "no model in"),
    ],
)
def test_what_is_not_there_is_told(tmp_path: Path, source: str, advice: str) -> None:
    """Every wrong name comes with what to do."""
    with pytest.raises(ModelMissing, match=advice):
        open_embedder(source, home=tmp_path, environ={})


def test_a_name_does_not_lead_out_of_the_home(tmp_path: Path) -> None:
    """A name is a name, never a path by accident."""
    onnx_folder(tmp_path / "secret")

    with pytest.raises(ModelError):
        find_model("..", home=tmp_path / "home")


def test_what_is_installed_is_listed(tmp_path: Path) -> None:
    """Folders that can be used are listed by name; leftovers and damaged ones are not."""
    bpe_folder(tmp_path / "models" / "b")
    onnx_folder(tmp_path / "models" / "a")
    onnx_folder(tmp_path / "models" / ".half")
    (tmp_path / "models" / "empty").mkdir()
    (tmp_path / "models" / "file").write_text("")

    listed = [found.name for found in available(tmp_path) if found.path.is_relative_to(tmp_path)]

    assert listed == ["a", "b"]
    assert [found.name for found in available(tmp_path / "nowhere") if found.path.is_relative_to(tmp_path)] == []
