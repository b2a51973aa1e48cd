"""How a transformer wants to be used."""

from pathlib import Path

import pytest

from noctuary.errors import ModelDamaged
from noctuary.models.recipe import MOST_TOKENS, USUAL_TOKENS, Pooling, Recipe, label_of, read_recipe, write_recipe
from tests.unit.models.building import write_json


def test_without_settings_the_usual_is_done(tmp_path: Path) -> None:
    """Mean of the tokens, no prompts, as many tokens as most read."""
    assert read_recipe(tmp_path) == read_recipe(None) == Recipe()


@pytest.mark.parametrize(
    ("settings", "pooling"),
    [
        ({"pooling_mode_cls_token": True, "pooling_mode_mean_tokens": False}, Pooling.FIRST),
        ({"pooling_mode_cls_token": False, "pooling_mode_mean_tokens": True}, Pooling.MEAN),
        ({"pooling_mode": "cls"}, Pooling.FIRST),
        ({"pooling_mode": "mean", "embedding_dimension": 384}, Pooling.MEAN),
        ({"word_embedding_dimension": 384}, Pooling.MEAN),
    ],
)
def test_pooling_is_read_old_and_new(tmp_path: Path, settings: dict[str, object], pooling: Pooling) -> None:
    """Both ways in which sentence-transformers ever wrote it are understood."""
    write_json(tmp_path / "1_Pooling" / "config.json", settings)

    assert read_recipe(tmp_path).pooling is pooling


@pytest.mark.parametrize(
    ("files", "tokens"),
    [
        ({}, USUAL_TOKENS),
        ({"sentence_bert_config.json": {"max_seq_length": 128}}, 128),
        ({"tokenizer_config.json": {"model_max_length": 384}}, 384),
        ({"tokenizer_config.json": {"model_max_length": 1e30}}, MOST_TOKENS),
        ({"sentence_bert_config.json": {"max_seq_length": 8192}}, MOST_TOKENS),
        ({"sentence_bert_config.json": {"max_seq_length": 400}, "config.json": {"max_position_embeddings": 300}}, 300),
        ({"sentence_bert_config.json": {"max_seq_length": None}}, USUAL_TOKENS),
        ({"sentence_bert_config.json": {"max_seq_length": -5}}, USUAL_TOKENS),
    ],
)
def test_tokens_are_bounded(tmp_path: Path, files: dict[str, object], tokens: int) -> None:
    """As many tokens are read as the model can take and as make sense."""
    for name, settings in files.items():
        write_json(tmp_path / name, settings)

    assert read_recipe(tmp_path).tokens == tokens


@pytest.mark.parametrize("recipe", [Recipe(), Recipe(Pooling.FIRST, 128, "query: ", "passage: ")])
def test_what_is_written_is_read(tmp_path: Path, recipe: Recipe) -> None:
    """A download leaves the settings that the catalog has."""
    write_recipe(tmp_path, recipe, name="tiny", dimension=4)

    assert read_recipe(tmp_path) == recipe
    assert label_of(tmp_path) == "tiny"


def test_several_ways_of_pooling_are_refused(tmp_path: Path) -> None:
    """What we cannot do is not done half."""
    modes = {"pooling_mode_cls_token": True, "pooling_mode_mean_tokens": True}
    write_json(tmp_path / "1_Pooling" / "config.json", modes)

    with pytest.raises(ModelDamaged, match="cls and mean"):
        read_recipe(tmp_path)
