"""Small models for tests, made here: a vocabulary of a few words, with vectors drawn by a seed."""

import json
import string
from functools import cache
from pathlib import Path
from typing import Any

import pytest

from tests.unit.models.protobuf import tiny_model

np = pytest.importorskip("numpy")
tokenizers = pytest.importorskip("tokenizers")
pytest.importorskip("onnxruntime")

DIMENSION = 16
SPECIAL = ("[PAD]", "[UNK]", "[CLS]", "[SEP]")
WORDS = ("cache", "server", "memory", "redis", "banana", "yellow", "fruit", "drop", "##s", "##ing", "deploy", "中", "é")
CORPUS = (
    "we dropped the redis cache because the server ran out of memory again and again",
    "bananas are a yellow fruit, and the best fruit salad has bananas in it",
    "deploy the server, then deploy the cache; the memory of the server is the cache",
)


@cache
def wordpiece_vocabulary() -> dict[str, int]:
    """Special tokens, some words and pieces, every letter, digit and sign of ASCII."""
    signs = [character for character in string.printable if not character.isspace() and not character.isupper()]
    tokens = [*SPECIAL, *WORDS, *signs, *(f"##{letter}" for letter in string.ascii_lowercase + string.digits)]
    return {token: number for number, token in enumerate(dict.fromkeys(tokens))}


def wordpiece_json(**normalizer: Any) -> dict[str, Any]:
    """A tokenizer.json as BERT's is, with padding and truncation that nobody wants."""
    vocabulary = wordpiece_vocabulary()
    added = {"single_word": False, "lstrip": False, "rstrip": False, "normalized": False, "special": True}
    ends = {name: {"id": name, "ids": [vocabulary[name]], "tokens": [name]} for name in ("[CLS]", "[SEP]")}
    first, last = ({"SpecialToken": {"id": name, "type_id": 0}} for name in ("[CLS]", "[SEP]"))
    usual = {"clean_text": True, "handle_chinese_chars": True, "strip_accents": None, "lowercase": True}
    return {
        "version": "1.0",
        "truncation": {"max_length": 4, "strategy": "LongestFirst", "stride": 0, "direction": "Right"},
        "padding": {
            "strategy": {"Fixed": 128},
            "direction": "Right",
            "pad_to_multiple_of": None,
            "pad_id": 0,
            "pad_type_id": 0,
            "pad_token": "[PAD]",
        },
        "added_tokens": [{"id": vocabulary[name], "content": name, **added} for name in SPECIAL],
        "normalizer": {"type": "BertNormalizer", **usual, **normalizer},
        "pre_tokenizer": {"type": "BertPreTokenizer"},
        "post_processor": {
            "type": "TemplateProcessing",
            "single": [first, {"Sequence": {"id": "A", "type_id": 0}}, last],
            "pair": [first, {"Sequence": {"id": "A", "type_id": 0}}, last],
            "special_tokens": ends,
        },
        "decoder": None,
        "model": {
            "type": "WordPiece",
            "unk_token": "[UNK]",
            "continuing_subword_prefix": "##",
            "max_input_chars_per_word": 20,
            "vocab": vocabulary,
        },
    }


@cache
def bpe_json(*, split_words: bool = True, byte_fallback: bool = True) -> str:
    """A tokenizer.json as Llama's is, learned from the corpus; unless words are split, tokens go across spaces."""
    normalizers, pre = tokenizers.normalizers, tokenizers.pre_tokenizers
    made = tokenizers.Tokenizer(tokenizers.models.BPE(unk_token="<unk>", fuse_unk=True, byte_fallback=byte_fallback))
    made.normalizer = normalizers.Sequence([normalizers.Prepend("▁"), normalizers.Replace(" ", "▁")])
    if split_words:
        made.pre_tokenizer = pre.Metaspace(prepend_scheme="never")
    special = ["<unk>", "<s>", "</s>", *(f"<0x{byte:02X}>" for byte in range(256) if byte_fallback)]
    trainer = tokenizers.trainers.BpeTrainer(vocab_size=500, special_tokens=special, show_progress=False)
    made.train_from_iterator([*CORPUS, "▁▁▁▁    indented", "snake_case(x) == 'y'"], trainer)
    written = json.loads(made.to_str()) | {"pre_tokenizer": None}
    written["added_tokens"] = written["added_tokens"][:3]
    return json.dumps(written)


def vectors(count: int, *, seed: int = 7) -> Any:
    """Rows drawn by the seed."""
    return np.random.default_rng(seed).standard_normal((count, DIMENSION)).astype(np.float32)


def write_json(path: Path, content: object) -> Path:
    """Write the file, and its folders."""
    path.parent.mkdir(parents=True, exist_ok=True)
    path.write_text(content if isinstance(content, str) else json.dumps(content), encoding="utf-8")
    return path


def write_safetensors(path: Path, **arrays: Any) -> Path:
    """Write the arrays, as float16, float32, int32 or int64."""
    names = {"f2": "F16", "f4": "F32", "f8": "F64", "i4": "I32", "i8": "I64"}
    header: dict[str, Any] = {"__metadata__": {"format": "np"}}
    written = b""
    for name, array in arrays.items():
        end = len(written) + array.nbytes
        header[name] = {
            "dtype": names[array.dtype.str[1:]],
            "shape": list(array.shape),
            "data_offsets": [len(written), end],
        }
        written += array.tobytes()
    encoded = json.dumps(header).encode()
    path.parent.mkdir(parents=True, exist_ok=True)
    path.write_bytes(len(encoded).to_bytes(8, "little") + encoded + written)
    return path


def onnx_table() -> Any:
    """Vectors of the WordPiece vocabulary, next to nothing for special tokens."""
    table = vectors(len(wordpiece_vocabulary()))
    table[: len(SPECIAL)] *= 0.01
    return table


def onnx_folder(folder: Path, *, name: str = "model.onnx", **model: Any) -> Path:
    """A folder with a tiny transformer."""
    write_json(folder / "tokenizer.json", wordpiece_json())
    (folder / name).parent.mkdir(parents=True, exist_ok=True)
    (folder / name).write_bytes(tiny_model(model.pop("table", onnx_table()), **model))
    return folder


def static_folder(folder: Path) -> Path:
    """A folder as model2vec leaves it."""
    write_json(folder / "tokenizer.json", wordpiece_json())
    write_json(folder / "config.json", {"normalize": True})
    write_safetensors(folder / "model.safetensors", embeddings=vectors(len(wordpiece_vocabulary())))
    return folder


def bpe_folder(folder: Path) -> Path:
    """A folder as wordllama has it, in half precision."""
    written = write_json(folder / "some_tokenizer_config.json", bpe_json())
    count = len(json.loads(written.read_text())["model"]["vocab"])
    write_safetensors(folder / "some_256.safetensors", **{"embedding.weight": vectors(count).astype(np.float16)})
    return folder
