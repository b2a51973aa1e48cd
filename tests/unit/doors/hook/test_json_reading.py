"""JSON without the module `json` is the same as with it."""

import json
import math
from itertools import pairwise
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from noctuary.doors.hook.json_reading import object_from, object_in, written

numbers = st.integers(-(10**30), 10**30) | st.floats(allow_nan=False)
scalars = st.none() | st.booleans() | numbers | st.text(st.characters(codec="utf-8"))
values = st.recursive(
    scalars, lambda inner: st.lists(inner, max_size=4) | st.dictionaries(st.text(), inner, max_size=4), max_leaves=20
)
objects = st.dictionaries(st.text(), values, max_size=5)


@given(given=objects, is_ascii=st.booleans(), indent=st.none() | st.integers(0, 3))
def test_an_object_is_read_as_json_reads_it(given: dict[str, Any], is_ascii: bool, indent: int | None) -> None:
    """However it is spaced and escaped, lone surrogates included."""
    text = json.dumps(given, ensure_ascii=is_ascii, indent=indent)

    assert object_in(text.encode("utf-8", "replace" if is_ascii else "surrogatepass")) == json.loads(
        text if is_ascii else text.encode("utf-8", "surrogatepass").decode("utf-8", "replace")
    )


@given(content=st.binary(max_size=60) | st.text('{}[]":,\\u0d8e1+-. tnfalseruNaI', max_size=60).map(str.encode))
def test_what_json_refuses_is_refused(content: bytes) -> None:
    """Whatever bytes come, there is an object or None, and an object only if JSON finds it at the beginning."""
    text = content.decode("utf-8", "replace").lstrip("\ufeff \t\r\n")
    try:
        expected = json.JSONDecoder(strict=False).raw_decode(text)[0]
    except ValueError:
        expected = None

    assert repr(object_in(content)) == repr(expected if isinstance(expected, dict) else None)


@given(given=objects, end=st.integers(1, 30))
def test_what_is_cut_off_is_no_object(given: dict[str, Any], end: int) -> None:
    """Hooks parse what they have so far, so an object that goes on must not be taken for one."""
    content = json.dumps(given).encode()

    assert object_in(content[: max(0, len(content) - end)]) is None


@pytest.mark.parametrize("content", [b"[" * 200_000, b'{"a":' * 200_000, b'{"a": ' + b"1" * 100_000 + b"}"])
def test_what_is_too_deep_or_too_long_is_no_object(content: bytes) -> None:
    """Such input is made to break readers; it does not break this one."""
    assert object_in(content) is None


def test_what_hosts_send_beside_the_object_is_ignored() -> None:
    """A mark of the byte order before it, and whatever follows it."""
    assert object_in(b'\xef\xbb\xbf \n{"a": 1, "a": 2}\n{"b": 3} and more') == {"a": 2}


def test_what_is_no_number_is_let_through() -> None:
    """NaN and Infinity are written by some programs, and hooks do not look at them."""
    found = object_in(b'{"a": NaN, "b": -Infinity}')

    assert found is not None
    assert math.isnan(found["a"])  # type: ignore[arg-type]
    assert found["b"] == -math.inf


@given(given=st.dictionaries(st.text(), st.text() | st.integers() | st.booleans()))
def test_what_is_written_can_be_read(given: dict[str, Any]) -> None:
    """By any program, and it is ASCII."""
    text = written({"inner": given})

    assert text.isascii()
    assert json.loads(text) == {"inner": given}


def pieces_of(content: bytes, cuts: list[int]) -> list[bytes]:
    """The content as it comes when it is written in several goes."""
    edges = [0, *sorted(cut % len(content) for cut in cuts), len(content)]
    return [content[start:end] for start, end in pairwise(edges) if start < end]


@given(
    given=objects, name=st.sampled_from(["Prompt", "Tool", "Stop"]), cuts=st.lists(st.integers(0, 10_000), max_size=6)
)
def test_an_object_in_pieces_is_the_same_and_its_mark_is_seen_when_it_is_there(
    given: dict[str, Any], name: str, cuts: list[int]
) -> None:
    """Wherever it was cut; the mark is told once, before anybody waits for what follows it."""
    content = json.dumps({**given, "event": name, "rest": "x" * 40}).encode()
    marks = (b'"Prompt"', b'"Tool"')
    waiting, seen = pieces_of(content, cuts), list[bytes]()
    so_far = [b"".join(waiting[: count + 1]) for count in range(len(waiting))]
    left = iter([*waiting, b""])
    come: list[bytes] = []

    def read() -> bytes:
        come.append(next(left))
        return come[-1]

    assert object_from(read, marks, lambda: seen.append(b"".join(come))) == json.loads(content)
    assert seen == [part for part in so_far if any(mark in part for mark in marks)][:1]


@pytest.mark.parametrize("size", [8_000_000, 8_000_001])
def test_what_is_longer_than_eight_megabytes_is_read_to_its_end_and_is_none(size: int) -> None:
    """Who writes it is not told that nobody reads."""
    content = b'{"a": "' + b"x" * (size - 17) + b'", "b": 1}'
    waiting = [content[start : start + 65_536] for start in range(0, size, 65_536)]
    seen: list[int] = []
    found = object_from(lambda: waiting.pop(0) if waiting else b"", (b'"b"',), lambda: seen.append(len(waiting)))

    assert (waiting, seen) == ([], [0])
    assert bool(found) is (size == 8_000_000)
