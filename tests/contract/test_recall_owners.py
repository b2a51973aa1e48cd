"""Nobody sees what is another owner's, whatever the owners are called."""

from itertools import permutations

import pytest

from noctuary.recall.contract import RecallStore
from tests.contract.building import find, search, tell

OWNERS = [
    "a.b",
    "a_b",
    "A.B",
    "a b",
    "a/b",
    "a%2eb",
    "ana",
    "Ana",
    "ANA",
    "..",
    "../x",
    "x",
    ".",
    "",
    " ",
    "%",
    "con",
    "alice@x.com",
    "alice_x_com",
    "所有者",
    "é",
    "e\u0301",
    "支" * 100,
    "支" * 101,
    "n" * 300,
    "n" * 301,
    "a\0b",
]


def test_owners_do_not_see_each_other(recall: RecallStore) -> None:
    """However alike two names are, each finds, lists, reads and removes only what is its own."""
    for number, owner in enumerate(OWNERS):
        tell(recall, "s", f"the apricot of owner number{number}", owner=owner)
        tell(recall, f"own{number}", f"apricot {owner}", owner=owner)

    for number, owner in enumerate(OWNERS):
        assert set(find(recall, "apricot", owner=owner, limit=100)) == {"s", f"own{number}"}
        assert {session.id for session in recall.recent(owner, 100)} == {"s", f"own{number}"}
        shown = recall.scroll(owner, "s", 1)
        assert shown is not None
        assert [m.content for m in shown.messages] == [f"the apricot of owner number{number}"]
        assert shown.session.owner == owner


def test_deleting_takes_nothing_from_others(recall: RecallStore) -> None:
    """A session of the same name stays with every other owner."""
    for owner in OWNERS:
        tell(recall, "s", "apricot", owner=owner)

    assert recall.delete_session("a.b", "s") is True
    assert [owner for owner in OWNERS if not find(recall, "apricot", owner=owner)] == ["a.b"]


@pytest.mark.parametrize("query", ["apricot", "支付服务", "=>", '"secret apricot"', "apri*", "支"])
def test_a_stranger_finds_nothing(recall: RecallStore, query: str) -> None:
    """An owner nobody knows has an empty memory, by every route of a search."""
    tell(recall, "s", "secret apricot => 支付服务", owner="ana")
    tell(recall, "t", "something of my own", owner="bob")

    for stranger in ("bob", "nobody"):
        assert not search(recall, query, owner=stranger).hits
        assert recall.scroll(stranger, "s", 1) is None
        assert recall.delete_session(stranger, "s") is False
    assert find(recall, query, owner="ana") == ["s"]


def test_what_others_store_does_not_change_the_order(recall: RecallStore) -> None:
    """How rare a word is depends on one's own memory, not on that of others."""
    tell(recall, "apricots", "apricot apricot here", owner="ana")
    tell(recall, "cherries", "cherry here", owner="ana")
    for i in range(6):
        tell(recall, f"filler{i}", "filler", owner="ana")
    alone = [hit.score for hit in search(recall, "apricot cherry", owner="ana").hits]

    for i in range(40):
        tell(recall, f"s{i}", "apricot everywhere", owner="bob")

    assert [hit.score for hit in search(recall, "apricot cherry", owner="ana").hits] == alone


def test_who_came_first_does_not_change_what_words_are_worth(recall: RecallStore) -> None:
    """A word that stands in very many messages is as common for who came last as for who came first."""
    for owner in ("ana", "ben"):
        for i in range(60):
            said = ["we deploy on mondays"] * 8 if i % 6 else ["we deploy the apricot", "filler"]
            tell(recall, f"s{i}", *said, owner=owner)

    first, last = (search(recall, "deploy apricot mondays", owner=owner).hits for owner in ("ana", "ben"))

    assert [(hit.session.id, hit.score, hit.why) for hit in first] == [
        (hit.session.id, hit.score, hit.why) for hit in last
    ]


SESSIONS = ["a", "A", "a.jsonl", "a.meta.json", "..", "../a", "", "/etc/passwd", "x" * 300, "x" * 301, "会话", "a\nb"]


def test_any_session_id_is_its_own(recall: RecallStore) -> None:
    """Ids that look like files, paths or each other name different sessions."""
    for number, session_id in enumerate(SESSIONS):
        tell(recall, session_id, f"number{number} apricot")

    assert set(find(recall, "apricot", limit=100)) == set(SESSIONS)
    for number, session_id in enumerate(SESSIONS):
        shown = recall.scroll("ana", session_id, 1)
        assert shown is not None
        assert [m.content for m in shown.messages] == [f"number{number} apricot"]


def test_names_are_really_different() -> None:
    """The list above means what it says."""
    assert all(one != other for one, other in permutations(OWNERS, 2))
