"""What stands inside of words, in signs and in scripts without spaces is found letter by letter, on every backend."""

from uuid import uuid4

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from noctuary.recall.contract import RecallStore
from noctuary.records import Hidden, Role
from noctuary.text import ascii_lowered
from tests.contract.building import OWNER, ask, best, find, say, tell

ALPHABET = "ab%_\\'支付éÉ"  # with all that a pattern of a database may take for something else
FILLER = "天地玄黄宇宙洪荒日月盈昃辰宿列张" * 1_100
LOG = "\n".join(f"word{number} of the line" for number in range(4_500))


@pytest.mark.parametrize(
    ("content", "query"),
    [
        ("a lampshade in the hall", "*shade*"),
        ("set maxRetries to 5", "*etries*"),
        ("set maxRetries to 5", "*ETRIES*"),
        ("look at src/shop/tax.py first", "*hop/ta*"),
        ("coverage is 100% now", "*00%*"),
        ("call some_name_here", "*me_na*"),
        ("C:\\temp\\new", "*emp\\ne*"),
        ("it's done", "*t's*"),
        ("我们的支付服务挂了", "*付服务*"),
        ("端数処理を直す", "*数処理*"),
        ("결제서비스가 멈췄다", "*제서비*"),
        ("развёртывание", "*вёрты*"),
        ("ein Straßenname", "*traße*"),
    ],
)
def test_found_inside_of_words(recall: RecallStore, content: str, query: str) -> None:
    """Between stars it is found wherever it stands, whatever the case of a to z, and marked there."""
    tell(recall, "other", "nothing of the kind, 1000 or someXname or emp/ne or 付支服务")
    tell(recall, "s", content)

    assert find(recall, query) == ["s"]
    wanted = ascii_lowered(query.strip("*"))
    shown = best(recall, query).snippet
    assert ascii_lowered(shown[shown.index(">>>") + 3 : shown.index("<<<")]) == wanted


def test_without_stars_words_are_looked_for(recall: RecallStore) -> None:
    """The middle of a word is none, and so is too little between stars; a word that was stressed is a word."""
    tell(recall, "s", "a lampshade in the hall")
    tell(recall, "t", "the shade of a tree")

    assert find(recall, "ampshad") == []
    assert find(recall, "*am*") == []
    assert find(recall, "which *shade* is it") == ["t"]
    assert set(find(recall, "*shade*")) == {"s", "t"}


def test_filters_hold_inside_of_words(recall: RecallStore) -> None:
    """Roles, sessions and what is left out, as for every query."""
    tell(recall, "s", "a lampshade", say("another lampshade", Role.ASSISTANT))
    tell(recall, "t", "lampshade draft")

    assert set(find(recall, "*ampsh*")) == {"s", "t"}
    assert find(recall, "*ampsh* role:assistant") == ["s"]
    assert find(recall, "*ampsh* session:t") == ["t"]
    assert find(recall, "*ampsh* -draft") == ["s"]
    assert find(recall, "*ampsh*", owner="ben") == []


def test_what_is_hidden_is_not_found_inside_of_words(recall: RecallStore) -> None:
    """What was taken back is not found in any way."""
    tell(recall, "s", say("a lampshade", hidden=Hidden.REWOUND), "something else")

    assert find(recall, "*ampsh*") == []


@given(
    texts=st.lists(st.text(ALPHABET, max_size=12), min_size=1, max_size=4),
    part=st.text(ALPHABET, min_size=3, max_size=4),
)
@settings(max_examples=40)
def test_the_same_on_every_backend(each_kind: list[RecallStore], texts: list[str], part: str) -> None:
    """What is found is what contains it, letter by letter but for the case of a to z, and nothing else."""
    owner = uuid4().hex  # each example for itself
    texts = [*texts, f"before{part}after"]
    expected = {f"s{i}" for i, text in enumerate(texts) if ascii_lowered(part) in ascii_lowered(text)}
    for recall in each_kind:
        for i, text in enumerate(texts):
            recall.append(owner, f"s{i}", say(text, ts_ms=1_772_000_000_000))
        assert {hit.session.id for hit in recall.search(owner, ask(f"*{part}*"), 50).hits} == expected


@pytest.mark.parametrize(
    ("content", "query"),
    [
        (f"{FILLER}支付服务已经停止", '"支付服务"'),
        (f"{FILLER}支付服务已经停止", "支付服务"),
        (f"{LOG} connections refused", '"connection refused"'),
        (f"{LOG} src/shop/tax.py", '"shop/tax.py"'),
        (f"{LOG} connections refused", '"line connection"'),
        (f"{'so it is, ' * 300} src/shop/tax.py is it", '"py is it"'),
    ],
)
def test_phrases_at_the_end_of_long_messages(recall: RecallStore, content: str, query: str) -> None:
    """Words in a row are found however far into a message they stand, and however often they stood before."""
    tell(recall, "s", content)
    tell(recall, "t", "服务 支付. refused connection, py it is, shop and tax; connect line")

    assert find(recall, query)[:1] == ["s"]
    assert query.startswith("支") or find(recall, query) == ["s"]
    assert find(recall, '"refused word1"') == find(recall, '"务支付服"') == []


def test_a_phrase_of_another_owner_is_not_found_inside(recall: RecallStore) -> None:
    """Nobody finds inside of others' words, though one index has them all."""
    tell(recall, "s", "the lampshade of ana")
    tell(recall, "s", "the lampshade of ben", owner="ben")

    found = recall.search_messages(OWNER, ask("*ampsh*"), 10).hits
    assert [hit.anchor.content for hit in found] == ["the lampshade of ana"]
