"""What a model passes: understood where it can be, refused with the right form where not."""

import pytest

from noctuary.doors.mcp.arguments import Arguments
from noctuary.errors import BadInput


def arguments(**given: object) -> Arguments:
    """The arguments of a tool that knows them all, and one more."""
    return Arguments("search", given, [*given, "limit"])


@pytest.mark.parametrize(("given", "meant"), [(5, 5), ("5", 5), (" 7 ", 7), (5.0, 5), (0, 1), (-3, 1), (500, 20)])
def test_numbers_are_understood_and_brought_within_their_bounds(given: object, meant: int) -> None:
    """Models write numbers as texts, and too great ones; both have an obvious meaning."""
    assert arguments(limit=given).number("limit", 3, 1, 20) == meant


@pytest.mark.parametrize("given", ["many", True, 2.5, [3], {"n": 3}, "1e3", "٣"])
def test_what_is_no_number_is_refused_with_its_form(given: object) -> None:
    """The answer names the argument, its form, and what came instead."""
    with pytest.raises(BadInput, match=r"limit of search is a whole number from 1 to 20, not "):
        arguments(limit=given).number("limit", 3, 1, 20)


def test_what_is_missing_empty_or_null_is_the_default() -> None:
    """Some models send every argument they know, empty."""
    given = arguments(query="", role=None)

    assert given.text("query") == ""
    assert given.one_of("role", ["user"], "any") == "any"
    assert given.number("limit", 3, 1, 20) == 3
    assert not given.has("query")


def test_an_argument_that_there_is_not_is_named_with_those_there_are() -> None:
    """A misspelt filter must not be silently no filter."""
    with pytest.raises(BadInput, match="search has no argument 'q'; it has query, limit"):
        Arguments("search", {"q": "redis"}, ["query", "limit"])


def test_a_choice_names_what_can_be_chosen() -> None:
    """Case does not matter; anything else is answered with the list."""
    assert arguments(sort=" Newest ").one_of("sort", ["newest", "oldest"]) == "newest"
    with pytest.raises(BadInput, match=r"sort of search is one of newest, oldest, not 'best'\."):
        arguments(sort="best").one_of("sort", ["newest", "oldest"])
    with pytest.raises(BadInput, match=r"sort of search is one of newest, oldest\."):
        arguments().one_of("sort", ["newest", "oldest"])


def test_a_single_text_is_a_list_of_one() -> None:
    """So says a model that has one id."""
    assert arguments(ids="a").names("ids") == ["a"]
    assert arguments(ids=["a", " ", "b"]).names("ids") == ["a", "b"]
    with pytest.raises(BadInput, match="a list of texts"):
        arguments(ids=[1]).names("ids")


def test_texts_lose_what_no_database_can_hold() -> None:
    """Lone surrogates and NUL characters come from broken encoders."""
    assert arguments(query="a\0b\ud800").text("query") == "a\ufffdb\ufffd"
    assert arguments(session=12).text("session") == "12"


@pytest.mark.parametrize("given", [["a"], {"a": 1}, True, pytest.param(10**5_000, id="huge")])
def test_what_is_no_text_is_refused(given: object) -> None:
    """Even a number that Python itself refuses to write down."""
    with pytest.raises(BadInput, match="query of search is a text, not "):
        arguments(query=given).text("query")


def test_what_is_needed_says_what_it_is() -> None:
    """The sentence helps a model to fill it."""
    with pytest.raises(BadInput, match=r"search needs topic: a few words\."):
        arguments(topic="  ").needed("topic", "a few words")
