"""Fields of other people's records: any type, never an exception."""

import pytest
from hypothesis import given
from hypothesis import strategies as st

from noctuary.transcripts.fields import compact, dict_of, int_of, list_of, text_of, time_ms

MOMENT = 1_772_128_548_999


@pytest.mark.parametrize(
    "value",
    [
        "2026-02-26T17:55:48.999Z",
        "2026-02-26T17:55:48.999+00:00",
        "2026-02-26T18:55:48.999+01:00",
        "2026-02-26T17:55:48.999",
        "2026-02-26 17:55:48.999",
        MOMENT,
        float(MOMENT),
        str(MOMENT),
        MOMENT / 1000,
        str(MOMENT / 1000),
    ],
)
def test_every_spelling_of_a_time(value: object) -> None:
    """Numbers are seconds if small; a time without a zone is UTC."""
    assert time_ms(value) == MOMENT


@pytest.mark.parametrize(
    "value",
    [
        None,
        "",
        "yesterday",
        "2026-13-45T99:99:99Z",
        "0001-01-01T00:00:00+23:59",
        "9999-12-31T23:59:59Z",
        True,
        [],
        {},
        -5,
        float("nan"),
        float("inf"),
        10**400,
        "1e999",
        "nan",
    ],
)
def test_nonsense_is_no_time(value: object) -> None:
    """What cannot be a time of a conversation is 0."""
    assert time_ms(value) == 0


@given(st.one_of(st.text(), st.integers(), st.floats(), st.datetimes().map(str)))
def test_a_time_is_within_reach_whatever_was_written(value: object) -> None:
    """Times stay between 1970 and 2200, which both databases hold."""
    assert 0 <= time_ms(value) <= 7_258_118_400_000


def test_field_of_another_type_counts_as_absent() -> None:
    """Formats change without notice."""
    record = {"text": 1, "dict": [], "list": {}, "int": "5"}

    assert text_of(record, "text") == ""
    assert dict_of(record, "dict") == {}
    assert list_of(record, "list") == []
    assert int_of(record, "int", 7) == 7


def test_json_too_deep_to_write_is_left_out() -> None:
    """A tool's input may nest more deeply than Python writes."""
    deep: list[object] = []
    for _ in range(100_000):
        deep = [deep]

    assert compact(deep) == "…"
