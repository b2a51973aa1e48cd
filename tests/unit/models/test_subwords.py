"""Our own tokenizers, held to those of the `tokenizers` library."""

import json
import tempfile
from functools import cache
from pathlib import Path
from typing import Any

import pytest
from hypothesis import example, given, settings
from hypothesis import strategies as st

from noctuary.errors import ModelDamaged
from noctuary.models.subwords import Subwords, read_subwords
from noctuary.models.wordpiece import Normalizer, WordPiece
from tests.unit.models.building import bpe_json, tokenizers, wordpiece_json, wordpiece_vocabulary, write_json

# Characters that were the same in 2015, among them every kind that is treated in its own way.
LETTERS = st.characters(max_codepoint=0x2FF) | st.sampled_from(
    "éßİıΣςσΆйЁ中文力かガ한글ａ　 \u2003\u2028\u200b\u0301\u0323\ufffd\0\x1c\x85▁–…“”’€😀😀\U00020000"
)
WORDS = ["cache", "Servers", "dropping", "bananas", " ", "  ", "▁", "[CLS]", "[SEP", "<s>", "</s>", "<unk>", "<0x0A>"]
texts = st.lists(LETTERS | st.sampled_from(WORDS), max_size=30).map("".join)
NORMALIZERS: tuple[dict[str, Any], ...] = (
    {},
    {"lowercase": False},
    {"strip_accents": False},
    {"strip_accents": True, "lowercase": False},
    {"handle_chinese_chars": False},
    {"clean_text": False},
)


@cache
def both(written: str) -> tuple[Subwords, Any]:
    """Our tokenizer and the library's, of the same file."""
    with tempfile.TemporaryDirectory() as folder:
        path = Path(folder) / "tokenizer.json"
        path.write_text(written, encoding="utf-8")
        theirs = tokenizers.Tokenizer.from_str(written)
        theirs.no_padding()
        theirs.no_truncation()
        return read_subwords(path), theirs


def assert_same(written: str, text: str) -> None:
    ours, theirs = both(written)

    assert ours.ids(text) == theirs.encode(text, add_special_tokens=False).ids


@given(text=texts, normalizer=st.sampled_from(NORMALIZERS))
@example(text="ΟΔΥΣΣΕΥΣ Ὀδυσσεύς", normalizer={})
@example(text="x" * 21 + " " + "x" * 20, normalizer={})
@example(text="İstanbul’da\u00a0中文力[SEP]deploying", normalizer={"strip_accents": False})
@settings(deadline=None, max_examples=300)
def test_wordpiece_is_that_of_the_library(text: str, normalizer: dict[str, Any]) -> None:
    """Any text is cut into the same pieces as by the library, however the normalizer is set."""
    assert_same(json.dumps(wordpiece_json(**normalizer)), text)


@given(text=texts, split_words=st.booleans(), byte_fallback=st.booleans())
@example(text="    indented\n\n  server cache", split_words=True, byte_fallback=True)
@example(text="中中a中", split_words=True, byte_fallback=False)
@settings(deadline=None, max_examples=300)
def test_bpe_is_that_of_the_library(text: str, split_words: bool, byte_fallback: bool) -> None:
    """Any text is merged into the same tokens as by the library, also if tokens go across spaces."""
    assert_same(bpe_json(split_words=split_words, byte_fallback=byte_fallback), text)


@given(text=texts)
@settings(deadline=None, max_examples=50)
def test_merges_may_be_written_as_words_or_as_pairs(text: str) -> None:
    """Old files have "a b", newer ones have ["a", "b"]."""
    written = json.loads(bpe_json())
    pairs = [merge if isinstance(merge, list) else merge.split(" ") for merge in written["model"]["merges"]]
    written["model"]["merges"] = [" ".join(pair) for pair in pairs]
    words = json.dumps(written)
    written["model"]["merges"] = pairs

    assert both(words)[0].ids(text) == both(json.dumps(written))[0].ids(text)


def test_long_words_are_merged_in_time() -> None:
    """A text without a single space does not take the square of its length."""
    ours, theirs = both(bpe_json())
    text = "serverbanana" * 4_000

    assert ours.ids(text) == theirs.encode(text, add_special_tokens=False).ids


def test_what_is_kept_does_not_grow_for_ever() -> None:
    """Words that were met are cut the same after they were forgotten."""
    vocabulary = wordpiece_vocabulary()
    rules: dict[str, Any] = {"unknown": "[UNK]", "prefix": "##", "longest": 20, "normalizer": Normalizer()}
    forgetful = WordPiece(vocabulary, **rules, most_kept=2)
    remembering = WordPiece(vocabulary, **rules)
    text = "server cache redis server banana cache dropping server"

    assert forgetful.ids(text) == remembering.ids(text)
    assert len(forgetful._kept) <= 2


def test_sizes_and_unknown_tokens_are_told(tmp_path: Path) -> None:
    """Whoever looks vectors up knows how many there must be."""
    ours = read_subwords(write_json(tmp_path / "tokenizer.json", wordpiece_json()))

    assert (ours.size, ours.unknown) == (len(wordpiece_vocabulary()), wordpiece_vocabulary()["[UNK]"])


def changed(written: dict[str, Any], **changes: Any) -> dict[str, Any]:
    return {**written, **changes, "model": {**written["model"], **changes.get("model", {})}}


@pytest.mark.parametrize(
    "written",
    [
        {},
        {"model": None},
        {"model": {"type": "Unigram", "vocab": [["a", -1.0]]}},
        changed(wordpiece_json(), normalizer={"type": "NFKC"}),
        changed(wordpiece_json(), normalizer=None),
        changed(wordpiece_json(), pre_tokenizer=None),
        changed(wordpiece_json(), model={"unk_token": "[NONE]"}),
        changed(wordpiece_json(), model={"vocab": ["a", "b"]}),
        changed(wordpiece_json(), added_tokens=[7]),
        changed(json.loads(bpe_json()), pre_tokenizer={"type": "ByteLevel"}),
        changed(json.loads(bpe_json()), normalizer={"type": "Replace", "pattern": {"Regex": "a"}, "content": "b"}),
        changed(json.loads(bpe_json()), model={"end_of_word_suffix": "</w>"}),
        changed(json.loads(bpe_json()), model={"merges": [7]}),
    ],
    ids=lambda written: str(written)[-30:],
)
def test_tokenizers_of_other_kinds_are_refused(tmp_path: Path, written: dict[str, Any]) -> None:
    """What we would cut otherwise than the model was trained with is not cut at all."""
    path = write_json(tmp_path / "tokenizer.json", written)

    with pytest.raises(ModelDamaged, match=r"tokenizer\.json"):
        read_subwords(path)
