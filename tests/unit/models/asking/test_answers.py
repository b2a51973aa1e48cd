"""Finding the JSON in an answer."""

import json
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from noctuary.errors import ModelError
from noctuary.models.asking.answers import MOST_CHARACTERS, Garbled, items_of

ONE = '{"events": [{"text": "a"}]}'
TWO = '{"events": [{"text": "b"}, {"text": "c"}]}'
json_values = st.none() | st.integers() | st.text() | st.lists(st.text(), max_size=3)
objects = st.dictionaries(st.text(), json_values | st.just(json.loads(TWO)), max_size=3)
talk = st.text(st.characters(exclude_characters='{}[]`"'), max_size=40)


@pytest.mark.parametrize(
    "answer",
    [
        ONE,
        f"  {ONE}\n",
        f"```json\n{ONE}\n```",
        f"```\n{ONE}\n```",
        f"Here it is: {ONE} Anything else?",
        f"<think>I think {{of}} [1] things and {TWO}</think>\n{ONE}",
        '{"thoughts": "none", "events": [{"text": "a"}]}',
        '[{"text": "a"}]',
        '```json\n[{"text": "a"}]\n```',
        f"[1] and [2] are notes. {ONE}",
        f"{ONE}\nSee [1].",
        '{ "events" :[ {"text":"a"} ] }',
    ],
)
def test_json_is_found(answer: str) -> None:
    """Fenced or not, with talk around it or not, as a bare list too; the last one counts."""
    assert items_of(answer, "events") == [{"text": "a"}]


@pytest.mark.parametrize(
    ("answer", "why"),
    [
        ("", "is empty"),
        (" \n", "is empty"),
        ("I am sorry.", "no JSON object"),
        ('{"events": "none"}', "no JSON object"),
        ('{"memories": []}', "no JSON object"),
        ('{"events": [{"text": "a"}', "no JSON object"),
        ("[1, 2]", "no JSON object"),
        ("null", "no JSON object"),
        ("{" * 5_000, "no JSON object"),
        ("[" * 100_000, "no JSON object"),
        ('{"events":' * 20_000, "no JSON object"),
        ("x" * (MOST_CHARACTERS + 1), "400,001 characters"),
    ],
)
def test_what_is_none_is_told(answer: str, why: str) -> None:
    """The model is told what was wrong; it is a ModelError for everybody else."""
    with pytest.raises(Garbled, match=why) as caught:
        items_of(answer, "events")

    assert isinstance(caught.value, ModelError)


def test_what_is_no_object_is_an_empty_one() -> None:
    """So that the place in the list is kept, and the check says what is missing."""
    assert items_of('{"events": [1, "a", null, {"b": 2}]}', "events") == [{}, {}, {}, {"b": 2}]


def test_no_events_are_an_answer() -> None:
    """A session may have nothing worth keeping."""
    assert items_of('{"events": []}', "events") == []


@given(st.lists(objects, max_size=3), talk, talk, st.booleans())
def test_whatever_was_said_is_read(items: list[dict[str, Any]], before: str, after: str, fenced: bool) -> None:
    """Any objects come back as they were, whatever talk is around them."""
    answer = json.dumps({"events": items})

    found = items_of(f"{before}\n```json\n{answer}\n```{after}" if fenced else f"{before}{answer}{after}", "events")

    assert found == items


@given(st.text(st.sampled_from('{}[]":, events`json\n1a'), max_size=200))
def test_any_answer_is_read_or_garbled(answer: str) -> None:
    """Nothing else is raised, whatever a model writes."""
    try:
        found = items_of(answer, "events")
    except Garbled:
        return
    assert all(isinstance(item, dict) for item in found)
