"""Pieces of changes."""

from noctuary.graph import Edge, EdgeType
from noctuary.work.changes import both, edge_record, ends_of


def test_an_edge_has_a_label_only_if_there_is_one() -> None:
    """An edge to take away is the same record without its label."""
    assert edge_record(EdgeType.INFORMS, "a", "b") == {"type": "informs", "from": "a", "to": "b"}
    assert edge_record(EdgeType.INFORMS, "a", "b", "why")["label"] == "why"
    assert ends_of(Edge("e", EdgeType.INFORMS, "a", "b", "why")) == edge_record("informs", "a", "b")


def test_two_changes_are_one() -> None:
    """Lists stand behind each other, fields of nodes together; neither of the two is changed."""
    one = {"nodes": [1], "set": {"a": {}}}
    other = {"nodes": [2], "set": {"b": {}}, "edges": [3]}
    assert both(one, other) == {"nodes": [1, 2], "set": {"a": {}, "b": {}}, "edges": [3]}
    assert one == {"nodes": [1], "set": {"a": {}}}
    assert both({}, other) == other
