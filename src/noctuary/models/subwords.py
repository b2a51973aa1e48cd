"""Read a tokenizer.json and cut texts as it says, without any library.

It is for static models, which need nothing but numpy; the tokenizers they come with are WordPiece as BERT has it, and
byte-pair encoding as Llama has it.  Others are refused.  The tokens that mark the beginning and end of a text are not
added; a text that spells such a token out has it.
"""

import re
from collections.abc import Callable, Mapping
from pathlib import Path
from typing import Any, NamedTuple

from noctuary.errors import ModelDamaged
from noctuary.models.bpe import Replacement, bpe_from
from noctuary.models.recipe import read_json
from noctuary.models.wordpiece import Normalizer, wordpiece_from

_BERT = "BertNormalizer"


class Subwords(NamedTuple):
    """A tokenizer, ready to use."""

    cut: Callable[[str], list[int]]  # what lies between special tokens
    special: dict[str, int]
    finder: re.Pattern[str] | None  # of special tokens
    unknown: int | None
    size: int  # ids are below it

    def ids(self, text: str) -> list[int]:
        """The tokens of the text."""
        if self.finder is None or not self.finder.search(text):
            return self.cut(text)
        found: list[int] = []
        for piece in self.finder.split(text):
            found += [self.special[piece]] if piece in self.special else self.cut(piece)
        return found


def read_subwords(path: Path) -> Subwords:
    """The tokenizer in the file; ModelDamaged if it is none, or none that we know."""
    written = read_json(path)
    try:
        return _read(written)
    except (KeyError, TypeError, ValueError, AttributeError) as error:
        raise ModelDamaged(f"The tokenizer {path} cannot be used: {error}. Choose another model.") from error


def _read(written: Mapping[str, Any]) -> Subwords:
    model = dict(written["model"])
    kind = model.get("type")
    if kind == "WordPiece":
        if (written.get("pre_tokenizer") or {}).get("type") != "BertPreTokenizer":
            raise ValueError("it does not split texts as BERT does")
        cut = wordpiece_from(model, _bert(written.get("normalizer"))).ids
    elif kind == "BPE":
        if written.get("pre_tokenizer"):
            raise ValueError("it splits texts before it merges")
        cut = bpe_from(model, _steps(written.get("normalizer"))).ids
    else:
        raise ValueError(f"it is {kind}, not WordPiece or BPE")
    special = {str(token["content"]): int(token["id"]) for token in written.get("added_tokens") or []}
    longest_first = sorted(filter(None, special), key=len, reverse=True)
    return Subwords(
        cut=cut,
        special=special,
        finder=re.compile("(" + "|".join(map(re.escape, longest_first)) + ")") if longest_first else None,
        unknown=model["vocab"].get(model.get("unk_token")),
        size=1 + max([*special.values(), *model["vocab"].values()], default=-1),
    )


def _bert(normalizer: Mapping[str, Any] | None) -> Normalizer:
    if not normalizer or normalizer.get("type") != _BERT:
        raise ValueError("it does not normalise texts as BERT does")
    lowercase = bool(normalizer.get("lowercase", True))
    accents = normalizer.get("strip_accents")
    return Normalizer(
        clean=bool(normalizer.get("clean_text", True)),
        ideographs=bool(normalizer.get("handle_chinese_chars", True)),
        strip_accents=lowercase if accents is None else bool(accents),
        lowercase=lowercase,
    )


def _steps(normalizer: Mapping[str, Any] | None) -> list[Replacement]:
    if not normalizer:
        return []
    kind = normalizer.get("type")
    if kind == "Sequence":
        return [step for each in normalizer["normalizers"] for step in _steps(each)]
    if kind == "Prepend":
        return [Replacement(None, str(normalizer["prepend"]))]
    if kind == "Replace" and "String" in normalizer["pattern"]:
        return [Replacement(str(normalizer["pattern"]["String"]), str(normalizer["content"]))]
    raise ValueError(f"it normalises texts by {kind}")
