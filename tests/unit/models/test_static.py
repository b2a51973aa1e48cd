"""Static models: one vector a token."""

from pathlib import Path
from typing import Any

import pytest

from noctuary.errors import ModelDamaged, ModelMissing
from noctuary.models.static import MANY, StaticEmbedder
from tests.unit.models.building import (
    bpe_folder,
    np,
    onnx_folder,
    static_folder,
    vectors,
    wordpiece_vocabulary,
    write_safetensors,
)

TOKENS = wordpiece_vocabulary()
TABLE = vectors(len(TOKENS))


def unit(row: Any) -> Any:
    return row / np.linalg.norm(row)


def rows(*tokens: str) -> Any:
    return TABLE[[TOKENS[token] for token in tokens]]


def rewritten(folder: Path, **arrays: Any) -> Path:
    write_safetensors(static_folder(folder) / "model.safetensors", **arrays)
    return folder


def test_a_text_is_the_mean_of_its_tokens(tmp_path: Path) -> None:
    """No token is added at the beginning or the end."""
    found = StaticEmbedder(static_folder(tmp_path)).passages(["Redis, servers"])

    assert np.allclose(found[0], unit(rows("redis", ",", "server", "##s").mean(axis=0)), atol=1e-5)


def test_unknown_words_do_not_count(tmp_path: Path) -> None:
    """A word that the model never saw says nothing, and a text of such words is of length 0."""
    known, mixed, unknown = StaticEmbedder(static_folder(tmp_path)).passages(["redis", "redis 力", "力 力"])

    assert np.allclose(known, mixed)
    assert not unknown.any()


def test_tokens_may_have_weights(tmp_path: Path) -> None:
    """A model2vec model with weights makes the tokens count by them."""
    weights = np.ones(len(TOKENS))
    weights[TOKENS["redis"]] = 3
    folder = rewritten(tmp_path, embeddings=TABLE, weights=weights)

    found = StaticEmbedder(folder).passages(["redis server"])

    assert np.allclose(found[0], unit((3 * rows("redis") + rows("server"))[0]), atol=1e-5)


def test_tokens_may_share_rows(tmp_path: Path) -> None:
    """A model2vec model with a mapping has fewer rows than tokens."""
    mapping = np.zeros(len(TOKENS), dtype=np.int64)
    mapping[TOKENS["redis"]] = 1
    folder = rewritten(tmp_path, embeddings=TABLE[:2], mapping=mapping)

    redis, other = StaticEmbedder(folder).passages(["redis", "server"])

    assert np.allclose(redis, unit(TABLE[1]), atol=1e-5)
    assert np.allclose(other, unit(TABLE[0]), atol=1e-5)


def test_many_texts_have_the_vectors_of_few(tmp_path: Path) -> None:
    """What makes many texts faster does not change their vectors, nor the name they are stored under."""
    embedder = StaticEmbedder(bpe_folder(tmp_path))
    few = embedder.passages(["server cache"])

    many = embedder.passages(["server cache"] * MANY)

    assert np.allclose(many, few, atol=1e-6)


@pytest.mark.parametrize(
    "arrays",
    [
        {"embeddings": TABLE[:-1]},
        {"embeddings": TABLE, "weights": np.ones(3)},
        {"embeddings": TABLE, "mapping": np.full(len(TOKENS), len(TOKENS))},
        {"embeddings": TABLE, "mapping": np.full(len(TOKENS), -1)},
        {"embeddings": TABLE, "mapping": np.zeros(0, dtype=np.int64)},
        {"embeddings": TABLE[:, :0]},
    ],
    ids=["a row too few", "few weights", "mapped too high", "mapped too low", "nothing mapped", "no width"],
)
def test_a_table_of_another_tokenizer_is_refused(tmp_path: Path, arrays: dict[str, Any]) -> None:
    """Every token has a vector, or the model is not opened."""
    with pytest.raises(ModelDamaged, match="does not belong"):
        StaticEmbedder(rewritten(tmp_path, **arrays))


def test_numbers_that_are_none_are_refused(tmp_path: Path) -> None:
    """No NaN gets into the memory."""
    table = TABLE.copy()
    table[TOKENS["banana"], 3] = np.inf

    with pytest.raises(ModelDamaged, match="finite"):
        StaticEmbedder(rewritten(tmp_path, embeddings=table)).passages(["redis", "banana"])


def test_a_transformer_is_no_static_model(tmp_path: Path) -> None:
    """Who mixes them up is told."""
    with pytest.raises(ModelMissing, match="no static model"):
        StaticEmbedder(onnx_folder(tmp_path))
