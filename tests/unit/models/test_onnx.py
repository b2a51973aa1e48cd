"""Transformers in ONNX files."""

import subprocess
import sys
from pathlib import Path
from typing import Any

import pytest

from noctuary.errors import ModelDamaged, ModelMissing
from noctuary.models.folders import Files
from noctuary.models.onnx import BATCH_TEXTS, BATCH_TOKENS, FEW, OnnxEmbedder, _batches
from tests.unit.models.building import (
    np,
    onnx_folder,
    onnx_table,
    static_folder,
    wordpiece_json,
    wordpiece_vocabulary,
    write_json,
)
from tests.unit.models.protobuf import INT32

TOKENS = wordpiece_vocabulary()


def rows(*tokens: str) -> Any:
    """The vectors of the tokens, with those that begin and end a text."""
    return onnx_table()[[TOKENS[token] for token in ("[CLS]", *tokens, "[SEP]")]]


def unit(row: Any) -> Any:
    return row / np.linalg.norm(row)


def test_the_mean_of_the_tokens_is_the_vector(tmp_path: Path) -> None:
    """Without settings a text is the mean of its tokens, those that pad it aside."""
    embedder = OnnxEmbedder(onnx_folder(tmp_path))

    found = embedder.passages(["redis", "redis server cache memory"])

    assert np.allclose(found[0], unit(rows("redis").mean(axis=0)), atol=1e-5)
    assert np.allclose(found[1], unit(rows("redis", "server", "cache", "memory").mean(axis=0)), atol=1e-5)


def test_the_first_token_is_the_vector_if_the_settings_say_so(tmp_path: Path) -> None:
    """Models that are trained for it are pooled by their first token."""
    write_json(tmp_path / "1_Pooling" / "config.json", {"pooling_mode_cls_token": True})

    found = OnnxEmbedder(onnx_folder(tmp_path)).passages(["redis cache"])

    assert np.allclose(found[0], unit(rows()[0]), atol=1e-5)


def test_what_the_model_averages_itself_is_taken_as_it_is(tmp_path: Path) -> None:
    """An output with one row a text is the vector."""
    embedder = OnnxEmbedder(onnx_folder(tmp_path, output="sentence_embedding", averaged=True))

    assert np.allclose(embedder.passages(["redis"])[0], unit(rows("redis").mean(axis=0)), atol=1e-5)


@pytest.mark.parametrize(
    "model",
    [
        {"inputs": ("input_ids",)},
        {"inputs": ("input_ids", "attention_mask")},
        {"inputs": ("input_ids", "attention_mask", "position_ids")},
        {"output": "token_embeddings"},
        {"output": "whatever"},
        {"integers": INT32},
        {"undeclared": True},
        {"table": onnx_table().astype(np.float16)},
    ],
    ids=",".join,
)
def test_models_are_taken_as_they_were_exported(tmp_path: Path, model: dict[str, Any]) -> None:
    """A model is given the inputs that it asks for, and read by whatever name its output has."""
    embedder = OnnxEmbedder(onnx_folder(tmp_path, **model))

    assert np.allclose(embedder.passages(["redis"])[0], unit(rows("redis").mean(axis=0)), atol=1e-2)


def test_prompts_go_before_questions_and_passages(tmp_path: Path) -> None:
    """A model that was trained with prompts is asked with them."""
    write_json(tmp_path / "config_sentence_transformers.json", {"prompts": {"query": "redis ", "document": "cache "}})
    plain = OnnxEmbedder(onnx_folder(tmp_path / "plain"))

    prompted = OnnxEmbedder(onnx_folder(tmp_path))

    assert np.allclose(prompted.question("server"), plain.question("redis server"), atol=1e-5)
    assert np.allclose(prompted.passages(["server"]), plain.passages(["cache server"]), atol=1e-5)


def test_texts_are_cut_to_what_the_model_reads(tmp_path: Path) -> None:
    """So many tokens as the settings say are read, and not so many as the tokenizer's file says."""
    write_json(tmp_path / "sentence_bert_config.json", {"max_seq_length": 9})
    embedder = OnnxEmbedder(onnx_folder(tmp_path))

    longer, cut = embedder.passages(["redis " * 7 + "banana", "redis " * 7])

    assert np.allclose(longer, cut, atol=1e-6)


def test_what_changes_vectors_changes_the_name(tmp_path: Path) -> None:
    """Other weights, or the same ones used otherwise, have another name; a folder that was moved has not."""
    first = OnnxEmbedder(onnx_folder(tmp_path / "first" / "tiny"))
    moved = OnnxEmbedder(onnx_folder(tmp_path / "second" / "tiny"))
    other = OnnxEmbedder(onnx_folder(tmp_path / "third" / "tiny", table=onnx_table() + 1))
    write_json(tmp_path / "fourth" / "tiny" / "1_Pooling" / "config.json", {"pooling_mode_cls_token": True})
    pooled = OnnxEmbedder(onnx_folder(tmp_path / "fourth" / "tiny"))

    assert first.name == moved.name
    assert len({first.name, other.name, pooled.name}) == 3


def test_weights_that_lie_apart_change_the_name(tmp_path: Path) -> None:
    """Two models whose ONNX files are alike are two models if what these point to differs."""
    first, second = (onnx_folder(tmp_path / each / "tiny", apart="model.onnx_data") for each in ("first", "second"))
    (first / "model.onnx_data").write_bytes(onnx_table().tobytes())
    (second / "model.onnx_data").write_bytes(onnx_table()[::-1].tobytes())

    one, other = OnnxEmbedder(first), OnnxEmbedder(second)

    assert (first / "model.onnx").read_bytes() == (second / "model.onnx").read_bytes()
    assert not np.allclose(one.question("redis"), other.question("redis"))
    assert one.name != other.name


def test_many_texts_have_the_vectors_of_few(tmp_path: Path) -> None:
    """What makes many texts faster does not change their vectors, now or later."""
    embedder = OnnxEmbedder(onnx_folder(tmp_path))
    few = embedder.passages(["redis server"])

    many = embedder.passages(["redis server"] * (FEW + 1))

    assert np.allclose(many, few, atol=1e-5)
    assert np.allclose(embedder.passages(["redis server"]), few, atol=1e-5)


def test_batches_are_small_and_hold_every_text_once() -> None:
    """No batch has more texts, or with what pads it more tokens, than it should."""
    lengths = [1, 300, 7, 512, 90, 90, 90, 2, 5, 6] * 9

    batches = list(_batches(lengths))

    assert sorted(number for batch in batches for number in batch) == list(range(len(lengths)))
    assert all(len(batch) <= BATCH_TEXTS for batch in batches)
    assert all(max(lengths[number] for number in batch) * len(batch) <= BATCH_TOKENS for batch in batches)


def test_parts_may_lie_apart(tmp_path: Path) -> None:
    """Weights and tokenizer can come from two places."""
    weights = onnx_folder(tmp_path / "weights") / "model.onnx"
    tokenizer = write_json(tmp_path / "elsewhere" / "tok.json", wordpiece_json())

    embedder = OnnxEmbedder(Files(weights, tokenizer, None, "apart"))

    assert embedder.name.startswith("apart@")


def damage(folder: Path, what: str) -> None:
    model, tokenizer = folder / "model.onnx", folder / "tokenizer.json"
    if what == "cut off":
        model.write_bytes(model.read_bytes()[:-100])
    elif what == "garbage":
        model.write_bytes(b"\xff" * 1000)
    elif what == "empty":
        model.write_bytes(b"")
    elif what == "garbage tokenizer":
        tokenizer.write_bytes(b"{not json")
    elif what == "empty tokenizer":
        tokenizer.write_text("{}")
    elif what == "strange pooling":
        write_json(folder / "1_Pooling" / "config.json", {"pooling_mode_max_tokens": True})
    else:
        (folder / "config.json").write_text("[1, 2]")


@pytest.mark.parametrize(
    "what",
    ["cut off", "garbage", "empty", "garbage tokenizer", "empty tokenizer", "strange pooling", "strange settings"],
)
def test_a_damaged_model_is_refused(tmp_path: Path, what: str) -> None:
    """Whatever the libraries say of a damaged file, we say which file and what to do."""
    damage(onnx_folder(tmp_path), what)

    with pytest.raises(ModelDamaged, match="(?s)" + str(tmp_path)) as caught:
        OnnxEmbedder(tmp_path)

    assert "hoose" in str(caught.value) or "nstall" in str(caught.value)


@pytest.mark.parametrize(
    "model",
    [
        {"inputs": ("input_ids", "pixel_values")},
        {"output": "sentence_embedding", "averaged": True, "axis": 0},
    ],
    ids=["strange input", "strange output"],
)
def test_a_model_for_something_else_is_refused(tmp_path: Path, model: dict[str, Any]) -> None:
    """A model that takes or gives something else than sentences is not guessed at."""
    with pytest.raises(ModelDamaged):
        OnnxEmbedder(onnx_folder(tmp_path, **model)).passages(["redis"])


def test_numbers_that_are_none_are_refused(tmp_path: Path) -> None:
    """No NaN gets into the memory."""
    table = onnx_table()
    table[TOKENS["banana"]] = np.nan
    embedder = OnnxEmbedder(onnx_folder(tmp_path, table=table))

    assert embedder.passages(["redis"]).shape[0] == 1
    with pytest.raises(ModelDamaged, match="finite"):
        embedder.passages(["redis", "banana"])


def test_a_token_beyond_the_table_is_an_error_of_the_model(tmp_path: Path) -> None:
    """A tokenizer of another model is noticed when it is used."""
    embedder = OnnxEmbedder(onnx_folder(tmp_path, table=onnx_table()[:6]))

    with pytest.raises(ModelDamaged, match=r"model\.onnx"):
        embedder.passages(["deploying"])


def test_missing_files_are_named(tmp_path: Path) -> None:
    """Who deleted a file is told which."""
    folder = onnx_folder(tmp_path)

    with pytest.raises(ModelMissing, match=r"nothing\.json"):
        OnnxEmbedder(Files(folder / "model.onnx", folder / "nothing.json"))


def test_a_folder_of_another_kind_is_refused(tmp_path: Path) -> None:
    """An empty folder is no model."""
    with pytest.raises(ModelMissing, match=r"tokenizer\.json and model\.onnx"):
        OnnxEmbedder(tmp_path)


WITHOUT_LIBRARIES = """
import sys
from pathlib import Path
for name in ("numpy", "onnxruntime", "tokenizers"):
    sys.modules[name] = None
from noctuary.errors import ModelMissing
from noctuary.models import catalog, choosing, download, endpoint, folders, hashing, onnx, packages, static
for source in (sys.argv[1], sys.argv[2], "hashing", "http://127.0.0.1:1#model"):
    try:
        choosing.open_embedder(source, home=Path("nowhere"), environ={})
    except ModelMissing as error:
        assert "pip install 'noctuary[semantic]'" in str(error), error
    else:
        raise AssertionError(source)
"""


def test_without_the_libraries_one_is_told_how_to_get_them(tmp_path: Path) -> None:
    """Every module can be imported without them, and every model says what to install."""
    folders = [str(onnx_folder(tmp_path / "onnx")), str(static_folder(tmp_path / "static"))]

    subprocess.run([sys.executable, "-c", WITHOUT_LIBRARIES, *folders], check=True)


def test_nothing_is_printed(tmp_path: Path) -> None:
    """A library that warns does not warn the user's terminal."""
    code = "import sys, pathlib, noctuary.models.onnx as m; m.OnnxEmbedder(pathlib.Path(sys.argv[1])).question('redis')"

    ran = subprocess.run([sys.executable, "-c", code, str(onnx_folder(tmp_path))], check=True, capture_output=True)

    assert (ran.stdout, ran.stderr) == (b"", b"")
