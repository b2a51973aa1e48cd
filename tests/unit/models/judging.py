"""A tiny cross-encoder for tests, made here: a pair is worth as much as the best word of its text."""

from collections.abc import Mapping, Sequence
from pathlib import Path
from typing import Any

from tests.unit.models.building import np, wordpiece_json, wordpiece_vocabulary, write_json
from tests.unit.models.protobuf import (
    FLOAT,
    INT64,
    IR_VERSION,
    OPSET,
    Shape,
    _attribute_int,
    _attribute_ints,
    _bytes,
    _node,
    _number,
    _tensor,
    _value,
)

NOTHING = -5.0  # what a word is worth that is not told
UNREAD = -10.0  # and how much less one that should not count
WORTH = {"redis": 3.0, "cache": 1.0, "banana": -2.0}
OF_TEXT, OF_QUESTION = (UNREAD, 0.0), (0.0, UNREAD)


def judging_folder(folder: Path, *, name: str = "model.onnx", pooled: bool = True, **model: Any) -> Path:
    """A folder as sentence-transformers exports a cross-encoder, with a tokenizer for pairs."""
    written = wordpiece_json()
    template = written["post_processor"]
    last = {"SpecialToken": {"id": "[SEP]", "type_id": 1}}
    template["pair"] = [*template["single"], {"Sequence": {"id": "B", "type_id": 1}}, last]
    write_json(folder / "tokenizer.json", written)
    write_json(folder / "tokenizer_config.json", {"model_max_length": 512})
    (folder / name).parent.mkdir(parents=True, exist_ok=True)
    (folder / name).write_bytes(judging_model(pooled=pooled, **model))
    return folder


def judging_model(
    *, worth: Mapping[str, float] = WORTH, counts: Sequence[float] = OF_TEXT, logits: int = 1, pooled: bool = True
) -> bytes:
    """A model that gives one logit a pair, or two of which the first is 0; with `logits=0` as an array of one axis.

    Not pooled, it gives one number a token, as an embedding model gives vectors.
    """
    vocabulary = wordpiece_vocabulary()
    tokens = np.full((len(vocabulary), 1), NOTHING, dtype=np.float32)
    for word, value in worth.items():
        tokens[vocabulary[word]] = value
    kinds = np.array(counts, dtype=np.float32)[:, None]
    if logits == 2:
        tokens, kinds = (np.hstack([np.zeros_like(each), each]) for each in (tokens, kinds))
    added = "all" if pooled else "logits"
    axes = _attribute_ints("axes", [1] if logits else [1, 2])
    nodes = [
        _node("Gather", ["tokens", "input_ids"], ["words"]),
        _node("Gather", ["kinds", "token_type_ids"], ["places"]),
        _node("Add", ["words", "places"], [added]),
    ]
    if pooled:
        nodes.append(_node("ReduceMax", [added], ["logits"], axes, _attribute_int("keepdims", 0)))
    shape: Shape = ("batch", max(logits, 1)) if pooled else ("batch", "sequence", 1)
    graph = b"".join(
        [
            *(_bytes(1, node) for node in nodes),
            _bytes(2, b"judge"),
            _bytes(5, _tensor("tokens", tokens.shape, FLOAT, tokens.tobytes())),
            _bytes(5, _tensor("kinds", kinds.shape, FLOAT, kinds.tobytes())),
            *(_bytes(11, _value(name, INT64, ("batch", "sequence"))) for name in ("input_ids", "token_type_ids")),
            _bytes(12, _value("logits", FLOAT, shape if logits else ("batch",))),
        ]
    )
    return _number(1, IR_VERSION) + _bytes(7, graph) + _bytes(8, _bytes(1, b"") + _number(2, OPSET))
