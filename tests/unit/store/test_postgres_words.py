"""Words for PostgreSQL are the words of everywhere, and nothing that somebody writes is more than words."""

import re

import pytest
from hypothesis import given
from hypothesis import strategies as st

from noctuary.records import Term
from noctuary.store.lexicon import match_expression
from noctuary.store.postgres_words import NOTHING, as_tsqueries, as_tsquery, as_tsvector, words
from noctuary.text import searchable
from tests.databases import server_of_tests

STRANGE = (
    "it's a 'quoted' \\ word : & | !",
    "x" * 5_000,
    "支付服务 ok",
    "a:1 b:2",
    "ﬁ Straße ı",
    "9" * 3_000,
    "e\u0301",
)
TEXTS = st.text(alphabet=st.characters(codec="utf-8", exclude_characters="\0"), max_size=60)


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        ("Deployed the caches", ["deploi", "the", "cach"]),
        ("src/main.py", ["src", "main", "py"]),
        ("Ünïcödé", ["unicod"]),
        ("snake_case", ["snake", "case"]),
        ("支付服务", ["支付", "付服", "服务", "务"]),
        ("", []),
    ],
)
def test_words_are_folded_and_stemmed(text: str, expected: list[str]) -> None:
    """As everywhere: without case, accents and endings, names taken apart, unspaced scripts in pairs."""
    assert words(searchable(text)) == expected


def test_a_vector_has_each_word_with_its_places() -> None:
    """By the places phrases are found."""
    assert as_tsvector("redis is fast redis") == "redi:1,4 is:2 fast:3"


def test_words_behind_the_last_place_are_still_there() -> None:
    """A tsvector knows no place above 16,383, but a word is found wherever it stands."""
    vector = as_tsvector("a " * 20_000 + "needle")

    assert " needl " in vector
    assert vector.startswith("a:1,2,")


def test_words_without_a_place_are_noted_in_couples() -> None:
    """Behind the last place, and of a word whose every place is not known: so phrases are found there, too."""
    assert as_tsvector("a " * 256 + "needle").endswith(" needl:257 a_a a_needl")
    assert as_tsvector(" ".join(f"w{n}" for n in range(16_385))).endswith(" w16384 w16382_w16383 w16383_w16384")
    assert "_" not in as_tsvector("a " * 255 + "needle")


@pytest.mark.parametrize(
    ("expression", "query"),
    [
        ('"redis" "queue"', "'redi' & 'queue'"),
        ('("redis" OR "kafka") "queue"', "('redi' | 'kafka') & 'queue'"),
        (match_expression([Term(("redis",))]), "'redi'"),
        (match_expression([Term(("src", "main"))]), "('src' <-> 'main' | 'src_main')"),
        ('"a b c"*', "('a' <-> 'b' <-> 'c':* | 'a_b' & 'b_c':*)"),
        (match_expression([Term(("red",), prefix=True)]), "'red':*"),
        (match_expression([Term(("a",)), Term(("b",))], [Term(("c",)), Term(("d",))]), "'a' & 'b' & ('c' | 'd')"),
        (match_expression([Term(("a",))], excluded=[Term(("b",))]), "('a') & !('b')"),
        ("", NOTHING),
    ],
)
def test_an_expression_of_the_store_becomes_a_query(expression: str, query: str) -> None:
    """All, some, none, in a row, and beginnings."""
    assert as_tsquery(expression) == query


def test_a_list_of_expressions_becomes_an_array() -> None:
    """Each is quoted, whatever is in it."""
    assert as_tsqueries('["\\"redis\\"", "\\"a b\\""]') == "{\"'redi'\",\"('a' <-> 'b' | 'a_b')\"}"


@given(st.lists(TEXTS, min_size=1, max_size=4))
def test_nothing_but_words_gets_into_a_query(texts: list[str]) -> None:
    """Operators and quotes of somebody's text are no operators and quotes of the query."""
    query = as_tsquery(match_expression([Term((text,)) for text in texts]))

    assert re.fullmatch(r"[()]*'[^'&|!:\\]+'((:\*)?[()]*( & | <-> | \| )[()]*'[^'&|!:\\]+'(:\*)?[()]*)*[()]*", query)


@pytest.mark.slow
def test_the_server_takes_every_vector_and_finds_its_words() -> None:
    """Whatever is said is found by each of its words, also if it is long or strange."""
    server = server_of_tests()
    for text in STRANGE:
        prepared = searchable(text)
        for word in words(prepared):
            vector, query = as_tsvector(prepared), as_tsquery(f'"{word}"')
            assert server.run(f"select $${vector}$$::tsvector @@ $${query}$$::tsquery") == [(True,)], word
