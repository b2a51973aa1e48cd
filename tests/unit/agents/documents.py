"""JSON as nobody would write it: random values in random layouts, with comments and commas at ends."""

import json
from typing import Any, NamedTuple

from hypothesis import strategies as st

KEYS = st.sampled_from(["hooks", "Stop", "a", "b", "mcpServers", "café", 'q"u', "😀", ""])
SCALARS = st.one_of(
    st.none(),
    st.booleans(),
    st.integers(-1000, 1000),
    st.floats(allow_nan=False, allow_infinity=False, width=32),
    st.text(max_size=5),
    st.sampled_from(["// no comment", "/* nor this */", "a,]", "😀", "\\"]),
)
SPACE = st.sampled_from(["", "", " ", "\n", "\n  ", "\t", "\r\n    ", "/* c, ] */", " // to the end ]\n", "\r"])


class Document(NamedTuple):
    """A text, and what it says."""

    text: str
    value: Any


@st.composite
def documents(draw: st.DrawFn, *, is_object: bool = False) -> Document:
    """A whole document, perhaps with a byte order mark."""
    inner = draw(_objects(3) if is_object else _values(3))
    mark = draw(st.sampled_from(["", "\ufeff"]))
    return Document(mark + draw(SPACE) + inner.text + draw(SPACE), inner.value)


def _values(depth: int) -> st.SearchStrategy[Document]:
    scalars = st.builds(_scalar, SCALARS, st.booleans())
    return st.one_of(scalars, _arrays(depth - 1), _objects(depth - 1)) if depth else scalars


def _scalar(value: Any, is_ascii: bool) -> Document:
    return Document(json.dumps(value, ensure_ascii=is_ascii), value)


@st.composite
def _arrays(draw: st.DrawFn, depth: int) -> Document:
    items = draw(st.lists(_values(depth), max_size=3))
    written = [draw(SPACE) + item.text + draw(SPACE) for item in items]
    return Document(_closed("[", written, draw(SPACE), "]", draw(st.booleans())), [item.value for item in items])


@st.composite
def _objects(draw: st.DrawFn, depth: int) -> Document:
    members = draw(st.lists(st.tuples(KEYS, _values(depth)), max_size=3))
    written = [
        f"{draw(SPACE)}{json.dumps(key)}{draw(SPACE)}:{draw(SPACE)}{item.text}{draw(SPACE)}" for key, item in members
    ]
    text = _closed("{", written, draw(SPACE), "}", draw(st.booleans()))
    return Document(text, {key: item.value for key, item in members})


def _closed(start: str, items: list[str], space: str, end: str, has_comma: bool) -> str:
    comma = "," if items and has_comma else ""
    return start + ",".join(items) + comma + space + end
