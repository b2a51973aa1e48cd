"""Columns for a picture of a graph."""

from itertools import pairwise

from hypothesis import given
from hypothesis import strategies as st

from noctuary.doors.web.graph_layers import Net, islands, ranks_of, without_circles

NAMES = [f"n{number}" for number in range(12)]
PAIRS = st.lists(st.tuples(st.sampled_from(NAMES), st.sampled_from(NAMES)).filter(lambda pair: pair[0] != pair[1]))


@given(pairs=PAIRS)
def test_no_circle_is_left_and_no_way_is_made_up(pairs: list[tuple[str, str]]) -> None:
    """Ways that are kept lead from each column to a later one; a graph without circles keeps all of them."""
    kept = without_circles(NAMES, dict.fromkeys(pairs))
    ranks = ranks_of(NAMES, kept)

    assert {(start, end) for start, ends in kept.items() for end in ends} <= {*pairs}
    assert all(ranks[start] < ranks[end] for start, ends in kept.items() for end in ends)
    forward = [pair for pair in pairs if pair[0] < pair[1]]
    whole = without_circles(NAMES, dict.fromkeys(forward))
    assert {(start, end) for start, ends in whole.items() for end in ends} == {*forward}


@given(pairs=PAIRS)
def test_every_node_is_on_one_island(pairs: list[tuple[str, str]]) -> None:
    """What is joined is on the same island, and islands have no bridges."""
    found = islands(NAMES, pairs)
    island_of = {name: number for number, island in enumerate(found) for name in island}

    assert sorted(name for island in found for name in island) == sorted(NAMES)
    assert all(island_of[one] == island_of[other] for one, other in pairs)
    assert [len(island) for island in found] == sorted((len(island) for island in found), reverse=True)
    for island in found:  # each but the first is joined with one that is not itself
        joined = {name for pair in pairs for name in pair if island_of[pair[0]] == island_of[island[0]]}
        assert len(island) == 1 or joined == {*island}


@given(pairs=PAIRS)
def test_nodes_of_a_column_keep_their_distance(pairs: list[tuple[str, str]]) -> None:
    """However they are moved, there is room between any two."""
    kept = without_circles(NAMES, dict.fromkeys(pairs))
    net = Net(ranks_of(NAMES, kept), kept, node_room=50, way_room=10)
    net.order()
    heights = net.heights()

    for column in net.columns:
        for upper, lower in pairwise(column):
            room = sum(50 if name in NAMES else 10 for name in (upper, lower)) / 2
            assert heights[lower] - heights[upper] >= room - 0.001


def test_parts_stand_beside_each_other_where_they_cross_nothing() -> None:
    """Children of two parents are sorted by their parents, so that no line crosses another."""
    ahead = {"a": ["a1", "a2"], "b": ["b1", "b2"], "b1": [], "a1": [], "b2": [], "a2": []}
    net = Net(ranks_of([*ahead], ahead), ahead, node_room=50, way_room=10)
    net.order()

    assert net.columns[0] == ["a", "b"]
    assert [{*net.columns[1][:2]}, {*net.columns[1][2:]}] == [{"a1", "a2"}, {"b1", "b2"}]


def test_a_long_way_has_a_place_in_every_column() -> None:
    """A way over two columns passes one of them between its nodes."""
    ahead = {"a": ["b", "c"], "b": ["c"], "c": []}
    net = Net(ranks_of([*ahead], ahead), ahead, node_room=50, way_room=10)

    assert len(net.through["a", "c"]) == 1
    assert net.ranks[net.through["a", "c"][0]] == net.ranks["b"] == 1
