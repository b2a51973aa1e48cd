"""The reader of lines: nothing raises, nothing is lost unseen, nothing is held that is too long."""

from io import BytesIO

import pytest
from hypothesis import given
from hypothesis import strategies as st

from noctuary.transcripts.items import Place
from noctuary.transcripts.jsonl import Line, load_clean, parse_line, read_lines


def lines_of(content: bytes, *, longest: int = 1000) -> list[Line]:
    return list(read_lines(BytesIO(content), Place(), longest=longest))


def test_lines_know_their_number_and_bytes() -> None:
    """Numbers count physical lines from 1, blank ones included; ends are where the next begins."""
    lines = lines_of(b'{"a":1}\n\n{"b":2}\n')

    assert [(line.number, line.start, line.end) for line in lines] == [(1, 0, 8), (2, 8, 9), (3, 9, 17)]
    assert [line.record for line in lines] == [{"a": 1}, None, {"b": 2}]
    assert lines[1].problem is None


def test_byte_order_mark_is_stripped_from_the_first_line() -> None:
    """Some editors put one there."""
    assert lines_of(b'\xef\xbb\xbf{"a":1}\n')[0].record == {"a": 1}


@pytest.mark.parametrize(
    ("raw", "problem"),
    [
        (b'{"a":', "not valid JSON"),
        (b"\x00\x00\x00\x00", "not valid JSON"),
        (b"\xff\xfe\x80", "not valid JSON"),
        (b"[1, 2]", "not a JSON object"),
        (b'"text"', "not a JSON object"),
        (b"null", "not a JSON object"),
        (b'{"n": ' + b"9" * 5000 + b"}", "not valid JSON"),
        (b'{"a":' * 200_000, "nested too deeply"),
        (b"[" * 200_000, "nested too deeply"),
        (b"  \r", None),
    ],
)
def test_broken_line_is_a_problem_in_words(raw: bytes, problem: str | None) -> None:
    """Whatever the bytes are, the line is told of and reading goes on."""
    assert parse_line(raw) == (None, problem)


def test_windows_line_ends_are_fine() -> None:
    """A carriage return is white space."""
    assert lines_of(b'{"a":1}\r\n')[0].record == {"a": 1}


def test_invalid_utf8_inside_valid_json_costs_one_character() -> None:
    """A torn byte in a tool's output must not lose the whole line."""
    assert parse_line(b'{"a":"x\xffy"}') == ({"a": "x\ufffdy"}, None)


def test_long_line_is_skipped_and_the_next_one_read() -> None:
    """A line beyond the limit is not held; those around it are read."""
    lines = lines_of(b'{"a":1}\n{"b":"' + b"x" * 5_000_000 + b'"}\n{"c":3}\n', longest=1000)

    assert [line.record for line in lines] == [{"a": 1}, None, {"c": 3}]
    assert lines[1].problem == "longer than 1000 bytes"
    assert lines[2].number == 3
    assert lines[1].end == lines[2].start


def test_line_of_exactly_the_limit_is_read() -> None:
    """The newline counts."""
    assert lines_of(b'{"a":12}\n', longest=9)[0].record == {"a": 12}


def test_unfinished_last_line_is_marked_so() -> None:
    """Somebody may be writing it."""
    assert [line.complete for line in lines_of(b'{"a":1}\n{"b":2}')] == [True, False]
    assert [line.complete for line in lines_of(b'{"a":1}\n' + b"x" * 2000)] == [True, False]


@pytest.mark.parametrize(
    ("text", "value"),
    [
        (r'{"a":"\ud800"}', {"a": "\ufffd"}),
        (r'{"a":"\udc00\uD800"}', {"a": "\ufffd\ufffd"}),
        (r'{"a":["x\u0000y"]}', {"a": ["x\ufffdy"]}),
        (r'{"\ud800":1}', {"\ufffd": 1}),
        (r'{"a":"\ud83d\ude00"}', {"a": "😀"}),
        (r'{"a":"\\ud800"}', {"a": r"\ud800"}),
        (r'{"a":"\u001b[0m"}', {"a": "\x1b[0m"}),
    ],
)
def test_what_is_no_text_is_replaced(text: str, value: object) -> None:
    """Half characters and NUL would break databases; pairs and other escapes are left alone."""
    assert load_clean(text) == value


PIECES = [b'{"a":1}', b'{"b":"\xc3\xa9\\u0041"}', b"", b"x", b"\xff", b"[1]", b"{}\r"]


@given(
    st.lists(
        st.sampled_from([b'{"a":1}', b'{"b":"\xc3\xa9\\u0041"}', b"", b"x", b"\xff", b"[1]", b"{}\r"]), max_size=30
    ),
    st.booleans(),
    st.integers(1, 40),
)
def test_any_piece_size_gives_the_same_lines(lines: list[bytes], is_ended: bool, longest: int) -> None:
    """However the file falls into pieces, its lines touch each other, are counted from 1 and hold the same records."""
    content = b"\n".join(lines) + b"\n" * is_ended
    physical = content.split(b"\n")
    physical = physical[:-1] if physical[-1] == b"" else physical

    found = lines_of(content, longest=longest)

    assert [line.number for line in found] == list(range(1, len(physical) + 1))
    assert [content[line.start : line.end].rstrip(b"\n") for line in found] == physical
    for line, raw in zip(found, physical, strict=True):
        if line.problem is None or not line.problem.startswith("longer"):
            assert (line.record, line.problem) == parse_line(raw)
