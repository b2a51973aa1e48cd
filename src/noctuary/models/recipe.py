"""How a transformer wants to be used: what sentence-transformers writes beside the weights.

    sentence_bert_config.json          how many tokens it reads; failing this, tokenizer_config.json
    1_Pooling/config.json              how the vectors of the tokens become one: their mean, or the first of them
    config_sentence_transformers.json  what to say before a question and before a passage
    config.json                        the model's name, and how many tokens it can tell apart by their place

Each may be missing; the usual thing is then done.
"""

import json
from collections.abc import Mapping
from enum import StrEnum
from pathlib import Path
from typing import Any, NamedTuple

from noctuary.errors import ModelDamaged

USUAL_TOKENS = 256
MOST_TOKENS = 512  # longer texts cost more than they bring: attention takes the square of their length
FEWEST_TOKENS = 8


class Pooling(StrEnum):
    """How the vectors of a text's tokens become one."""

    MEAN = "mean"
    FIRST = "cls"


class Recipe(NamedTuple):
    """How texts are given to a model, and how its answer is read."""

    pooling: Pooling = Pooling.MEAN
    tokens: int = USUAL_TOKENS
    before_question: str = ""
    before_passage: str = ""


def read_recipe(folder: Path | None) -> Recipe:
    """How the model with its settings in this folder is used; ModelDamaged if we cannot use it so."""
    if folder is None:
        return Recipe()
    prompts = read_json(folder / "config_sentence_transformers.json").get("prompts")
    said = prompts if isinstance(prompts, Mapping) else {}
    return Recipe(
        pooling=_pooling(folder),
        tokens=_tokens(folder),
        before_question=_text(said.get("query")),
        before_passage=_text(said.get("passage") or said.get("document")),
    )


def write_recipe(folder: Path, recipe: Recipe, *, name: str, dimension: int) -> None:
    """Write it as `read_recipe` reads it; raises OSError."""
    prompts = {"query": recipe.before_question, "passage": recipe.before_passage}
    written: dict[str, dict[str, object]] = {
        "config.json": {"_name_or_path": name, "hidden_size": dimension},
        "sentence_bert_config.json": {"max_seq_length": recipe.tokens},
        "config_sentence_transformers.json": {"prompts": prompts},
        "1_Pooling/config.json": {"pooling_mode": recipe.pooling.value},
    }
    for file, settings in written.items():
        path = folder / file
        path.parent.mkdir(parents=True, exist_ok=True)
        path.write_text(json.dumps(settings, indent=2) + "\n", encoding="utf-8")


def label_of(folder: Path) -> str:
    """What the model calls itself, or else the name of its folder."""
    named = _text(read_json(folder / "config.json").get("_name_or_path")).replace("\\", "/").rstrip("/")
    return named.rpartition("/")[2] or folder.resolve().name or "model"


def dimension_of(folder: Path) -> int | None:
    """How long the model says its vectors are."""
    return _number(read_json(folder / "config.json").get("hidden_size"))


def read_json(path: Path) -> Mapping[str, Any]:
    """What the file says, nothing if there is none; ModelDamaged if it is not JSON."""
    try:
        read = json.loads(path.read_text(encoding="utf-8"))
    except (FileNotFoundError, NotADirectoryError):
        return {}
    except (OSError, ValueError, RecursionError) as error:
        raise ModelDamaged(f"{path} cannot be read: {error}. Install the model again.") from error
    if not isinstance(read, dict):
        raise ModelDamaged(f"{path} holds no settings. Install the model again.")
    return read


def _pooling(folder: Path) -> Pooling:
    said = read_json(folder / "1_Pooling" / "config.json")
    modes = {key.removeprefix("pooling_mode_") for key, on in said.items() if key.startswith("pooling_mode_") and on}
    modes |= {said["pooling_mode"]} if isinstance(said.get("pooling_mode"), str) else set()
    modes = {mode.removesuffix("_tokens").removesuffix("_token") for mode in modes} or {Pooling.MEAN}
    if len(modes) != 1 or not modes <= set(Pooling):
        raise ModelDamaged(f"The model in {folder} pools by {' and '.join(sorted(modes))}. Choose one by mean or cls.")
    return Pooling(modes.pop())


def _tokens(folder: Path) -> int:
    told = (
        _number(read_json(folder / "sentence_bert_config.json").get("max_seq_length"))
        or _number(read_json(folder / "tokenizer_config.json").get("model_max_length"))
        or USUAL_TOKENS
    )
    places = _number(read_json(folder / "config.json").get("max_position_embeddings")) or MOST_TOKENS
    return max(FEWEST_TOKENS, min(told, places, MOST_TOKENS))


def _number(given: object) -> int | None:
    return int(given) if isinstance(given, int | float) and 0 < given < float("inf") else None


def _text(given: object) -> str:
    return given if isinstance(given, str) else ""
