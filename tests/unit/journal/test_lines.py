"""Events as lines: the same event comes back, and whatever is no event is refused with a reason."""

import json
from typing import Any

import pytest
from hypothesis import example, given
from hypothesis import strategies as st

from noctuary.authored import Author, Event, EventSource, EventStatus, EventType, MessageRef, Refs, Strength, Trust
from noctuary.errors import BadEvent, JournalTooNew
from noctuary.journal.lines import (
    decode,
    encode,
    encode_with_record,
    line_digest,
    moment,
    parse_line,
    said_in_line,
    stamp,
    trust_in_line,
)

ULID = "01J00000000000000000000000"
TEXTS = st.text(st.characters(codec="utf-8"), max_size=80)
NAMES = st.none() | TEXTS.filter(bool)
LAST_MS = 253_402_300_799_999
MOMENTS = st.integers(0, LAST_MS)
PLAIN = st.recursive(
    st.none() | st.booleans() | st.integers() | st.floats(allow_nan=False, allow_infinity=False) | TEXTS,
    lambda inner: st.lists(inner, max_size=3) | st.dictionaries(TEXTS, inner, max_size=3),
    max_leaves=8,
)
MESSAGES = st.builds(
    MessageRef, TEXTS.filter(bool), st.integers(1, 1 << 40), TEXTS, st.none() | st.integers(1, 1 << 40)
)
LISTS = st.lists(TEXTS, max_size=3).map(tuple)
EVENTS = st.builds(
    Event,
    type=st.sampled_from(EventType),
    text=TEXTS,
    id=st.just(ULID),
    owner=TEXTS,
    project=TEXTS,
    node=NAMES,
    ts_ms=MOMENTS,
    recorded_ms=MOMENTS,
    author=st.sampled_from(Author),
    source=st.sampled_from(EventSource),
    session=NAMES,
    confidence=st.none() | st.floats(0.0, 1.0, exclude_min=True),
    strength=st.none() | st.sampled_from(Strength),
    refs=st.builds(Refs, st.lists(MESSAGES, max_size=2).map(tuple), LISTS, LISTS, LISTS),
    corrects=NAMES,
    supersedes=NAMES,
    status=st.sampled_from(EventStatus),
    trust=st.sampled_from(Trust),
    meta=st.dictionaries(TEXTS, PLAIN, max_size=3),
    change=st.dictionaries(TEXTS, PLAIN, max_size=3),
)
DEEP = "[" * 100_000 + "]" * 100_000


def line(**fields: Any) -> str:
    """A line that is an event, with these fields; `...` leaves one out."""
    whole = {
        "event_id": ULID,
        "schema_version": 1,
        "type": "finding",
        "timestamp": "2026-03-02T09:00:00.000Z",
        **fields,
    }
    return json.dumps({key: value for key, value in whole.items() if value is not ...})


@given(event=EVENTS)
def test_record_that_was_encoded_is_the_one_that_is_read(event: Event) -> None:
    """Whoever has just written an event need not parse its line: the record is the same, to the kind of each value."""
    written, record = encode_with_record(event, "0" * 32)

    assert repr(record) == repr(parse_line(written))
    assert written == encode(event, "0" * 32)


@given(event=EVENTS)
def test_event_comes_back(event: Event) -> None:
    """Whatever an event says is there again when its line is read, and the line is one line."""
    written = encode(event, "0" * 32)

    assert written.count(b"\n") == 1
    assert decode(parse_line(written)) == event
    assert encode(decode(parse_line(written)), "0" * 32) == written


@given(moment_ms=MOMENTS)
@example(moment_ms=0)
@example(moment_ms=LAST_MS)
def test_times_come_back(moment_ms: int) -> None:
    """A time is read as it was written, to the millisecond."""
    assert moment(stamp(moment_ms)) == moment_ms


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        ("1970-01-01T00:00:01.000Z", 1_000),
        ("1970-01-01T00:00:01Z", 1_000),
        ("1970-01-01T01:00:01+01:00", 1_000),
        ("1970-01-01T00:00:01", 1_000),
        ("1970-01-01T00:00:01.123456Z", 1_123),
        ("1960-01-01T00:00:00.000Z", 0),
    ],
)
def test_times_of_others(text: str, expected: int) -> None:
    """Times are read as other programs write them; none is before 1970."""
    assert moment(text) == expected


@pytest.mark.parametrize(
    "text", ["", "now", "2026-13-01T00:00:00.000Z", "2026-03-02T25:00:00.000Z", "2026-03-02T09:00:00.-01Z"]
)
def test_what_is_no_time(text: str) -> None:
    """A time that there is not is refused."""
    with pytest.raises(BadEvent, match="no time"):
        moment(text)


@pytest.mark.parametrize(
    "bad",
    [
        "", "{", "null", "[]", "1", '"text"', "{}", line() + "x", line()[:-1], DEEP, '{"a":' + DEEP + "}",
        line(schema_version=...), line(schema_version=0), line(schema_version="1"), line(schema_version=True),
        line(schema_version=1.0), line(event_id=...), line(event_id=None), line(event_id="x"), line(event_id=7),
        line(event_id="7" + "Z" * 25), line(event_id=[]), line(type=...), line(type="nonsense"), line(type=["open"]),
        line(timestamp=...), line(timestamp=5), line(recorded_at="never"), line(author="nobody"), line(author={}),
        line(source="door"), line(status="maybe"), line(trust="blind"), line(evidence_strength="utter"),
        line(node=5), line(node={}), line(session=[]), line(text=5), line(corrects=[]), line(supersedes={}),
        line(owner=1), line(project=[]), line(confidence="high"), line(confidence=2), line(confidence=-1),
        line(confidence=True), line(meta=[]), line(meta="x"), line(change=[]), line(refs=[]), line(refs="x"),
        line(refs={"messages": {}}), line(refs={"messages": [1]}), line(refs={"messages": [{"session": "s"}]}),
        line(refs={"messages": [{"session": "s", "id": 1 << 70}]}), line(refs={"messages": [{"session": 1, "id": 1}]}),
        line(refs={"files": "x"}), line(refs={"files": [1]}), line(refs={"commits": [None]}),
        line(text="half \ud800 a character"), line(meta={"deep": ["\udfff"]}),
        line(meta=1).replace('"meta": 1', '"meta": {"x": NaN}'),
        line(meta=1).replace('"meta": 1', '"meta": {"x": 1e999}'),
        line(meta=1).replace('"meta": 1', '"meta": {"x": ' + "9" * 5_000 + "}"),
    ],
)  # fmt: skip
def test_what_is_no_event(bad: str) -> None:
    """A line that is not an event, in whatever way, is refused with a reason and nothing else happens."""
    with pytest.raises(BadEvent, match=r"^(its?|'never') "):
        parse_line(bad)


def test_bytes_that_are_no_text() -> None:
    """What is not UTF-8 is not guessed at."""
    with pytest.raises(BadEvent, match="UTF-8"):
        parse_line(line(text="é").encode().replace(b"\\u00e9", b"\xe9"))


@pytest.mark.parametrize("version", [2, 10, 10**400])
def test_newer_schema(version: int) -> None:
    """What a newer Noctuary wrote is left to it, with the advice to upgrade."""
    with pytest.raises(JournalTooNew, match="pip install -U noctuary"):
        parse_line(line(schema_version=version))


def test_null_is_nothing() -> None:
    """Other programs write null for what they leave out."""
    read = decode(parse_line(line(node=None, refs=None, author=None, text=None, meta=None, confidence=None)))

    assert read == decode(parse_line(line()))
    assert read.author is Author.USER
    assert trust_in_line(line(trust=None)) is trust_in_line(line()) is Trust.USER


def test_unknown_fields_are_passed_over() -> None:
    """A field that is not known does no harm."""
    assert decode(parse_line(line(colour="red", size=[1]))) == decode(parse_line(line()))


@pytest.mark.parametrize("value", [float("nan"), float("inf"), object(), {1, 2}, "\ud800"])
def test_what_cannot_be_written(value: object) -> None:
    """An event that could not be read again is not written."""
    with pytest.raises(BadEvent, match="cannot be written down"):
        encode(Event(EventType.FINDING, id=ULID, meta={"x": value}), "")


def test_end_of_line_is_no_part_of_it() -> None:
    """Whatever a line ends with, its digest is the same."""
    assert line_digest(b"abc") == line_digest(b"abc\n") == line_digest(b"abc\r\n") != line_digest(b"abd")


@given(EVENTS)
@example(Event(EventType.FINDING, '{"text": ",\\"text\\":\\"no"}', id=ULID, session=',"text":"', node="{"))
def test_what_a_line_says_is_what_its_record_says(event: Event) -> None:
    """The id and the text are read without the rest, whatever stands before and behind them."""
    line = encode(event, "")[:-1].decode()
    said = parse_line(line)["event_id"], parse_line(line).get("text", "")
    in_other_order = json.dumps(dict(reversed(json.loads(line).items())))
    assert said_in_line(line) == said_in_line(in_other_order) == said
    assert trust_in_line(line) == event.trust
