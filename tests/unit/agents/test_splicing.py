"""A value comes in and goes out again, and nothing else changes."""

import re
from typing import Any

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from noctuary.agents import jsonc, splicing
from noctuary.errors import BadSettings
from tests.unit.agents.documents import Document, documents

VALUE = {"hooks": [{"type": "command", "command": "é // no comment"}]}


def said(text: str) -> Any:
    """What a text says."""
    root = jsonc.read(text)
    return root.data if root else None


def comments(text: str) -> list[str]:
    """The comments of a text, roughly: of the two kinds that the documents of these tests have."""
    return re.findall(r"// to the end \]|/\* c, \] \*/", text)


@settings(deadline=None)
@given(documents(is_object=True), st.sampled_from(["new", "other"]))
def test_member_is_put_in_and_undone(document: Document, key: str) -> None:
    """The object has one member more and all others as before; undone, every character is as it was."""
    spliced = splicing.put_member(document.text, (), key, VALUE)

    assert said(spliced.text) == {**document.value, key: VALUE}
    assert splicing.undone(spliced.text, spliced.edits) == document.text
    assert comments(spliced.text) == comments(document.text)


@settings(deadline=None)
@given(documents(is_object=True))
def test_item_is_put_in_and_undone(document: Document) -> None:
    """The array has one item more, or is made; what is in the way is refused."""
    hooks = document.value.get("hooks", {})
    stop = hooks.get("Stop", []) if isinstance(hooks, dict) else None
    if not isinstance(stop, list):
        with pytest.raises(BadSettings):
            splicing.append_item(document.text, ("hooks", "Stop"), VALUE)
        return
    spliced = splicing.append_item(document.text, ("hooks", "Stop"), VALUE)

    assert said(spliced.text) == {**document.value, "hooks": {**hooks, "Stop": [*stop, VALUE]}}
    assert splicing.undone(spliced.text, spliced.edits) == document.text


@settings(deadline=None)
@given(documents(), st.data())
def test_anything_can_be_taken_out(document: Document, data: st.DataObject) -> None:
    """Any item of any array or object can be cut out: all others stay, all comments stay."""
    waiting, places = [jsonc.read(document.text)], []
    while waiting:
        node = waiting.pop()
        assert node is not None
        waiting += node.items
        places += [(node, index) for index in range(len(node.items))]
    if not places:
        return
    node, index = data.draw(st.sampled_from(places))
    shorter = splicing.without(document.text, node, index)
    outside = document.text[: node.starts_of(index)] + document.text[node.items[index].end :]

    assert comments(shorter) == comments(outside)
    again = next(each for each in _all_below(jsonc.read(shorter)) if each.start == node.start)
    assert [item.data for item in again.items] == [item.data for at, item in enumerate(node.items) if at != index]


def _all_below(node: jsonc.Node | None) -> list[jsonc.Node]:
    return [node, *(each for item in node.items for each in _all_below(item))] if node else []


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        ("{}", '{\n  "k": 1\n}'),
        ("{ }\n", '{\n  "k": 1\n}\n'),
        ("", '{\n  "k": 1\n}\n'),
        ("// words", '// words\n{\n  "k": 1\n}\n'),
        ('{\n\t"a": 1\n}\n', '{\n\t"a": 1,\n\t"k": 1\n}\n'),
        ('{\r\n    "a": 1\r\n}', '{\r\n    "a": 1,\r\n    "k": 1\r\n}'),
        ('{\n  "a": 1,\n}', '{\n  "a": 1,\n  "k": 1,\n}'),
        ('{"a":1}', '{"a":1,"k":1}'),
        ('{"a": 1}', '{"a": 1, "k": 1}'),
        ('{\n  "a": 1 // one\n}', '{\n  "a": 1, // one\n  "k": 1\n}'),
        ('{"a": 1, // one\n}', '{"a": 1, // one\n  "k": 1,\n}'),
        ("{\n  // none\n}", '{\n  // none\n  "k": 1\n}'),
    ],
)
def test_style_of_the_text_is_kept(text: str, expected: str) -> None:
    """Indentation, line ends, commas at ends and flat lines are as whoever wrote the file has them."""
    assert splicing.put_member(text, (), "k", 1).text == expected


@pytest.mark.parametrize(
    ("text", "index", "expected"),
    [
        ("[1, 2, 3]", 0, "[2, 3]"),
        ("[1, 2, 3]", 1, "[1, 3]"),
        ("[1, 2, 3]", 2, "[1, 2]"),
        ("[\n  1,\n  2\n]", 0, "[\n  2\n]"),
        ("[\n  1,\n  2\n]", 1, "[\n  1\n]"),
        ("[\n  1,\n  2,\n]", 1, "[\n  1,\n]"),
        ("[\n  1\n]", 0, "[]"),
        ("[1, // one\n  2]", 1, "[1 // one\n  ]"),
        ("[// two\n  2]", 0, "[// two\n  ]"),
    ],
)
def test_what_goes_takes_its_comma_along(text: str, index: int, expected: str) -> None:
    """What stays looks as if nothing had been there."""
    root = jsonc.read(text)
    assert root is not None

    assert splicing.without(text, root, index) == expected


def test_what_is_made_is_told() -> None:
    """Objects and arrays that were not there are named, so that they can go again."""
    spliced = splicing.put_member('{"a": 1}', (), "hooks", {"Stop": [1]})

    assert spliced.made == (("hooks",), ("hooks", "Stop"))
    assert splicing.append_item(spliced.text, ("hooks", "Stop"), 2).made == ()
    assert splicing.append_item(spliced.text, ("hooks", "Start"), 2).made == (("hooks", "Start"),)


@pytest.mark.parametrize("text", ["[]", "1", '{"hooks": 1}', '{"hooks": {"Stop": {}}}', '{"hooks": null}'])
def test_what_is_in_the_way_is_refused(text: str) -> None:
    """Settings that mean something else than we think are left alone."""
    with pytest.raises(BadSettings, match="is not"):
        splicing.append_item(text, ("hooks", "Stop"), 1)
