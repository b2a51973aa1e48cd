"""Values are read as `json` reads them, and each is found where it stands."""

import json
from contextlib import suppress

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from noctuary.agents import jsonc
from noctuary.agents.jsonc import Node
from noctuary.errors import BadSettings
from tests.unit.agents.documents import Document, documents


def nodes_below(node: Node) -> list[Node]:
    """A node and all below it."""
    return [node, *(each for item in node.items for each in nodes_below(item))]


@settings(deadline=None)
@given(documents())
def test_says_what_json_says(document: Document) -> None:
    """Whatever the layout, comments and commas at ends, the value is the same."""
    root = jsonc.read(document.text)

    assert root is not None
    assert root.data == document.value


@settings(deadline=None)
@given(documents())
def test_skimming_says_the_same(document: Document) -> None:
    """What the whole holds is found at the same places; only what others keep in it has none inside."""
    root, skimmed = jsonc.read(document.text), jsonc.skim(document.text)

    assert root is not None
    assert skimmed is not None
    assert skimmed.data == root.data
    assert [(each.start, each.end) for each in skimmed.items] == [(each.start, each.end) for each in root.items]
    assert skimmed._replace(items=()) == root._replace(items=())


@settings(deadline=None)
@given(documents())
def test_every_value_stands_where_it_is_said_to(document: Document) -> None:
    """What is cut out at a node's place is that value, and a name stands before each member."""
    root = jsonc.read(document.text)

    assert root is not None
    for node in nodes_below(root):
        again = jsonc.read(document.text[node.start : node.end])
        assert again is not None
        assert again.data == node.data
        for key, start in zip(node.keys, node.key_starts, strict=True):
            assert json.JSONDecoder().raw_decode(document.text, start)[0] == key


@settings(deadline=None)
@given(documents())
def test_commas_are_found(document: Document) -> None:
    """Between any two items there is one comma, and perhaps one after the last."""
    root = jsonc.read(document.text)

    assert root is not None
    for node in nodes_below(root):
        assert all(document.text[comma] == "," for comma in node.commas)
        assert len(node.commas) in (max(len(node.items) - 1, 0), len(node.items))


@settings(deadline=None)
@given(st.text(alphabet='{}[]",:/*\\\n 1truefalsn-e.', max_size=30))
def test_any_text_is_read_or_refused(text: str) -> None:
    """What `json` takes is taken with the same value; nothing else than a refusal comes of the rest."""
    expected: list[object] = []
    with suppress(ValueError):
        expected.append(json.loads(text))
    read: list[object] = []
    with suppress(BadSettings):
        root = jsonc.read(text)
        read += [root.data] if root else []

    assert read == expected or not expected


@pytest.mark.parametrize(
    ("text", "said"),
    [
        ("{", "line 1, column 2: a name in double quotes is missing"),
        ('{"a" 1}', "line 1, column 6: a colon is missing"),
        ('{\n  "a": 1\n  "b": 2\n}', "line 3, column 3: a comma is missing"),
        ("[1", "line 1, column 3: it ends too early"),
        ("[1] x", "line 1, column 5: something follows after the end"),
        ("/* open", "line 1, column 1: a comment has no end"),
        ("[,]", "line 1, column 2: a value is missing"),
        ("[NaN]", "line 1, column 2: a value is missing"),
        ("[-Infinity]", "line 1, column 2: a value is missing"),
        ("[" * 200 + "]" * 200, "line 1, column 101: it is nested too deeply"),
        ("[" * 100_000, "line 1, column 101: it is nested too deeply"),
        ("9" * 5000, "line 1, column 1:"),
        ("{'a': 1}", "line 1, column 2: a name in double quotes is missing"),
    ],
)
def test_what_is_wrong_is_said_with_its_place(text: str, said: str) -> None:
    """Whoever has to correct a file is told where."""
    with pytest.raises(BadSettings, match=said.replace("[", r"\[")):
        jsonc.read(text)


@pytest.mark.parametrize("text", ["", " \n\t", "\ufeff", "// only words", "/* a */ // b\n"])
def test_nothing_is_nothing(text: str) -> None:
    """A file without a value is not an error."""
    assert jsonc.read(text) is None


def test_the_last_of_two_counts() -> None:
    """As for `json`, of two members with one name the last is the one that is meant."""
    root = jsonc.read('{"a": 1, "a": 2}')

    assert root is not None
    assert root.index_of("a") == 1
    assert root.member("b") is None
