"""What a person typed, and what it means."""

import pytest
from hypothesis import given
from hypothesis import strategies as st

from noctuary.recall.query import LONGEST_QUERY, MOST_TERMS, parse
from noctuary.records import Role, Term
from noctuary.testing import FakeClock

NOW = FakeClock().now_ms()
DAY = 86_400_000


def words(text: str) -> list[tuple[str, ...]]:
    """The words of each term."""
    return [term.words for term in parse(text, NOW).terms]


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        ("why did we drop redis?", [("drop",), ("redis",)]),
        ("redis Redis REDIS", [("redis",)]),
        ("the", [("the",)]),
        ("to be or not to be", [("to",), ("be",), ("or",), ("not",)]),
        ("src/main.py", [("src", "main", "py"), ("src",), ("main",), ("py",)]),
        ("max_retries", [("max", "retries"), ("max",), ("retries",)]),
        ("maxRetries", [("maxRetries",), ("max",), ("Retries",)]),
        ("支付服务", [("支付", "付服", "服务"), ("支付",), ("付服",), ("服务",)]),
        ("支付", [("支付",)]),
        ("团", [("团",)]),
        ("redis缓存", [("redis",), ("缓存",)]),
        ("广西 桂林", [("广西",), ("桂林",)]),
        ("Ana's report", [("Ana",), ("report",)]),
    ],
)
def test_words(text: str, expected: list[tuple[str, ...]]) -> None:
    """Words that carry no topic are dropped unless there is nothing else; names count whole and by their parts."""
    assert words(text) == expected


def test_parts_weigh_less_than_the_whole() -> None:
    """A name as it was typed is worth more than a part of it, and a subject more than the asking."""
    whole, *parts = parse("src/main.py", NOW).terms
    asked = {term.words[0]: term.weight for term in parse("remember redis", NOW).terms}

    assert all(part.weight < whole.weight for part in parts)
    assert asked["remember"] < asked["redis"] == 1.0


def test_a_beginning() -> None:
    """An asterisk at the end makes a prefix; one character of an unspaced script is always one."""
    assert parse("deplo*", NOW).terms == (Term(words=("deplo",), prefix=True),)
    assert parse("团", NOW).terms == (Term(words=("团",), prefix=True),)
    assert not parse("de*plo", NOW).terms[0].prefix


def test_phrases_are_required() -> None:
    """What stands in quotes must occur, words of little meaning included."""
    query = parse('deploy "to be" "支付服务"', NOW)

    assert query.required == (Term(words=("to", "be")), Term(words=("支付", "付服", "服务")))
    assert [term.words for term in query.terms] == [("deploy",)]


def test_left_out_words() -> None:
    """A minus sign before a word or phrase leaves it out; alone it is something to find."""
    query = parse('apricot -jam -"ice cream" well-known', NOW)

    assert query.excluded == (Term(words=("jam",)), Term(words=("ice", "cream")))
    assert ("well", "known") in [term.words for term in query.terms]
    assert words("-rf") == [("rf",)]
    assert parse("-rf", NOW).excluded == ()


def test_filters() -> None:
    """Filters narrow and are not looked for."""
    query = parse('role:user role:tool agent:codex project:"my shop" session:1e75 after:7d before:2026-02-01 x', NOW)

    assert query.roles == (Role.USER, Role.TOOL)
    assert (query.agent, query.project, query.session) == ("codex", "my shop", "1e75")
    assert query.after_ms == NOW - 7 * DAY
    assert query.before_ms == 1_769_904_000_000
    assert [term.words for term in query.terms] == [("x",)]


@pytest.mark.parametrize("text", ["role:nobody", "after:soon", "before:", "https://example.com", "error:42"])
def test_what_is_no_filter_is_words(text: str) -> None:
    """A filter that makes no sense is taken as it was typed, not refused."""
    query = parse(text, NOW)

    assert not query.is_blank
    assert (query.roles, query.after_ms, query.before_ms) == ((), None, None)


@pytest.mark.parametrize(
    ("text", "literals"),
    [
        ("src/main.py", ("src/main.py",)),
        ("what is =>?", ("=>",)),
        ("#123", ("#123",)),
        ("50%", ("50%",)),
        ("redis?", ()),
        ("Redis", ()),
        ('"=>"', ("=>",)),
    ],
)
def test_literals(text: str, literals: tuple[str, ...]) -> None:
    """Pieces with signs in them are kept as typed; a word with a question mark is a word."""
    assert parse(text, NOW).literals == literals


@pytest.mark.parametrize("text", ["", "  ", "\n", "role:user", "project:shop"])
def test_blank(text: str) -> None:
    """A query without anything to look for is blank, filters or not."""
    assert parse(text, NOW).is_blank


@given(text=st.text(st.characters(exclude_categories=()), max_size=200) | st.text('a"-*: .()支é', max_size=40))
def test_any_text_is_a_query(text: str) -> None:
    """Parsing never fails, and what comes out has no sign in its words."""
    query = parse(text, NOW)

    assert query.text == text
    assert all(term.words and all(term.words) for term in (*query.terms, *query.required, *query.excluded))
    assert not any(sign in word for term in query.terms for word in term.words for sign in '"*:()- ')


@given(text=st.text(st.characters(exclude_categories=()), max_size=60))
def test_what_is_looked_for_can_be_given_to_a_database(text: str) -> None:
    """Lone surrogates stop at the query."""
    query = parse(text, NOW)
    parts = [
        *query.literals,
        *(word for term in (*query.terms, *query.required, *query.excluded) for word in term.words),
    ]

    assert all(part.encode() for part in parts)


def test_a_query_has_an_end() -> None:
    """However much is pasted, a bounded number of terms is looked for."""
    query = parse(" ".join(f"word{i}" for i in range(LONGEST_QUERY)), NOW)

    assert len(query.terms) <= MOST_TERMS
    assert len(query.literals) <= MOST_TERMS
