"""Topics of memories: short, stable and few."""

import pytest

from noctuary.authored import EventType, MessageRef
from noctuary.dream.merging.topics import GENERAL, MOST_TOPICS, topic_of
from noctuary.proposals import Proposal


def about(text: str, topic: str = "", files: tuple[str, ...] = ()) -> Proposal:
    """A proposal."""
    return Proposal(EventType.FINDING, text, [MessageRef("s", 1)], topic=topic, files=files)


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        ("The fixtures of pytest are slow", "tests"),
        ("Sessions live in SQLite", "database"),
        ("Images are built with docker compose", "docker"),
        ("Log in with OAuth, not with passwords", "auth"),
        ("Squash commits before the merge", "git"),
        ("Something else entirely", GENERAL),
    ],
)
def test_an_area_of_engineering_is_found_by_its_words(text: str, expected: str) -> None:
    """Without being told."""
    assert topic_of(about(text), ()) == expected


def test_its_own_topic_counts_most() -> None:
    """In small letters, without what does not belong into the name of a file."""
    assert topic_of(about("The fixtures are slow", "Invoices / PDF"), ()) == "invoices-pdf"
    assert topic_of(about("Whatever", "Testing"), ()) == "tests"


def test_else_the_package_of_its_file() -> None:
    """What lies in a folder is about the same."""
    assert topic_of(about("The total is rounded", files=("src/invoices/total.py",)), ()) == "invoices"
    assert topic_of(about("It is odd", files=("tests/invoices/odd.py",)), ()) == "tests"
    assert topic_of(about("It is odd", files=("odd.py",)), ()) == GENERAL


def test_there_are_never_many() -> None:
    """A project with many words for its parts ends up with few topics: known ones, areas, and the general one."""
    known: set[str] = set()
    for number in range(500):
        known.add(topic_of(about("It is odd", f"part{number}"), known))

    assert len(known) <= MOST_TOPICS
    assert topic_of(about("It is odd", "part1"), known) == "part1"
    assert topic_of(about("It is odd", "part499"), known) == GENERAL


def test_the_same_words_have_the_same_topic() -> None:
    """Whatever else is known."""
    assert topic_of(about("Sessions live in SQLite"), ()) == topic_of(
        about("Sessions live in SQLite"), {"x", "database"}
    )
