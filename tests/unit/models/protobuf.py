"""A tiny transformer as an ONNX file, written by hand: it looks the vectors of tokens up, and may average them."""

from collections.abc import Sequence
from typing import Any

FLOAT, INT32, INT64, BOOL, FLOAT16 = 1, 6, 7, 9, 10
OPSET, IR_VERSION = 13, 8
Shape = Sequence[int | str]


def tiny_model(
    table: Any,
    *,
    inputs: Sequence[str] = ("input_ids", "attention_mask", "token_type_ids"),
    output: str = "last_hidden_state",
    averaged: bool = False,
    axis: int = 1,
    undeclared: bool = False,
    integers: int = INT64,
    apart: str = "",
) -> bytes:
    """A model that gives the rows of the table for its tokens; averaged, one row a text.

    Undeclared, nobody can tell before it runs how long these rows are.  If it lies apart, the table
    is in a file of this name.
    """
    kind = FLOAT16 if table.dtype.itemsize == 2 else FLOAT
    width: int | str = "hidden" if undeclared else table.shape[1]
    looked_up = "tokens" if averaged or undeclared else output
    nodes = [_node("Gather", ["table", "input_ids"], [looked_up])]
    if averaged:
        axes = _attribute_ints("axes", [axis])
        nodes.append(_node("ReduceMean", [looked_up], [output], axes, _attribute_int("keepdims", 0)))
    elif undeclared:
        nodes.append(_node("Compress", [looked_up, "all"], [output], _attribute_int("axis", 2)))
    shape: Shape = ("batch", width) if averaged else ("batch", "sequence", width)
    held = _tensor("table", table.shape, kind, table.tobytes())
    graph = b"".join(
        [
            *(_bytes(1, node) for node in nodes),
            _bytes(2, b"tiny"),
            _bytes(5, _tensor_apart("table", table.shape, kind, apart) if apart else held),
            _bytes(5, _tensor("all", table.shape[1:], BOOL, b"\1" * table.shape[1])),
            *(_bytes(11, _value(name, integers, ("batch", "sequence"))) for name in inputs),
            _bytes(12, _value(output, kind, shape)),
        ]
    )
    return _number(1, IR_VERSION) + _bytes(7, graph) + _bytes(8, _bytes(1, b"") + _number(2, OPSET))


def _node(op: str, inputs: list[str], outputs: list[str], *attributes: bytes) -> bytes:
    return b"".join(
        [
            *(_bytes(1, name.encode()) for name in inputs),
            *(_bytes(2, name.encode()) for name in outputs),
            _bytes(4, op.encode()),
            *(_bytes(5, attribute) for attribute in attributes),
        ]
    )


def _attribute_int(name: str, value: int) -> bytes:
    return _bytes(1, name.encode()) + _number(3, value) + _number(20, 2)


def _attribute_ints(name: str, values: list[int]) -> bytes:
    return _bytes(1, name.encode()) + b"".join(_number(8, value) for value in values) + _number(20, 7)


def _tensor(name: str, shape: Sequence[int], kind: int, content: bytes) -> bytes:
    return _tensor_head(name, shape, kind) + _bytes(9, content)


def _tensor_head(name: str, shape: Sequence[int], kind: int) -> bytes:
    return b"".join(_number(1, size) for size in shape) + _number(2, kind) + _bytes(8, name.encode())


def _tensor_apart(name: str, shape: Sequence[int], kind: int, file: str) -> bytes:
    place = _bytes(1, b"location") + _bytes(2, file.encode())
    return _tensor_head(name, shape, kind) + _bytes(13, place) + _number(14, 1)


def _value(name: str, kind: int, shape: Shape) -> bytes:
    sizes = [_number(1, size) if isinstance(size, int) else _bytes(2, size.encode()) for size in shape]
    dims = b"".join(_bytes(1, size) for size in sizes)
    return _bytes(1, name.encode()) + _bytes(2, _bytes(1, _number(1, kind) + _bytes(2, dims)))


def _bytes(field: int, content: bytes) -> bytes:
    return _varint(field << 3 | 2) + _varint(len(content)) + content


def _number(field: int, value: int) -> bytes:
    return _varint(field << 3) + _varint(value)


def _varint(value: int) -> bytes:
    written = bytearray()
    while value > 0x7F:
        written.append(value & 0x7F | 0x80)
        value >>= 7
    return bytes([*written, value])
