"""Whether what two sentences differ in is one value in one place."""

import pytest

from noctuary.dream.comparing.sentence import concept_of
from noctuary.dream.comparing.slots import is_other_value, place_of, scoped


def differ(new: str, mine: str, old: str, theirs: str) -> bool:
    """Whether it is another value; what differs is given as words, numbers as they are."""
    return is_other_value(new, [_concept(mine)], old, [_concept(theirs)])


def _concept(word: str) -> str:
    return word if word.startswith("#") else concept_of(word)


@pytest.mark.parametrize(
    ("new", "mine", "old", "theirs"),
    [
        ("The timeout is 30 s", "#30s", "The timeout is 60 s", "#60s"),
        ("Use Redis for sessions", "redis", "Use Postgres for sessions", "postgres"),
        ("Redis is used for sessions", "redis", "Postgres is used for sessions", "postgres"),
        ("Sessions are stored in Redis", "redis", "Sessions are stored in Postgres", "postgres"),
        ("We deploy to AWS", "aws", "We deploy to GCP", "gcp"),
        ("The package manager is npm", "npm", "The package manager is pnpm", "pnpm"),
        ("The job runs hourly", "hourly", "The job runs daily", "daily"),
        ("The slug is the key", "slug", "The title is the key", "title"),
    ],
)
def test_what_can_be_only_one_is_another_value(new: str, mine: str, old: str, theirs: str) -> None:
    """A number of one thing, what is used for one thing, where something is, what it is called."""
    assert differ(new, mine, old, theirs)
    assert differ(old, theirs, new, mine)


@pytest.mark.parametrize(
    ("new", "mine", "old", "theirs"),
    [
        ("Never edit the dist folder", "dist", "Never edit the vendor folder", "vendor"),
        ("Never use npm for scripts", "npm", "Never use yarn for scripts", "yarn"),
        ("Run the linter before a commit", "linter", "Run the tests before a commit", "tests"),
        ("We must support Python 3.11", "#3.11", "We must support Python 3.12", "#3.12"),
        ("Issue 12 blocks the release", "#12", "Issue 13 blocks the release", "#13"),
        ("The nightly job sends mails", "nightly", "The weekly job sends mails", "weekly"),
        ("Deploy to staging", "staging", "Deploy to production", "production"),
        ("The login form is slow", "login", "The search form is slow", "search"),
    ],
)
def test_what_may_be_several_is_not(new: str, mine: str, old: str, theirs: str) -> None:
    """What is forbidden, done, supported or spoken of may be so beside others."""
    assert not differ(new, mine, old, theirs)
    assert not differ(old, theirs, new, mine)


def test_what_stands_apart_is_in_two_places() -> None:
    """A value and a scope are not one value."""
    sentence = "Use 2 spaces in YAML"

    assert (place := place_of(sentence, ["#2", concept_of("yaml")])) is not None
    assert place.rest
    assert place_of(sentence, ["nothing"]) is None


def test_a_scope_is_where_or_when_something_holds() -> None:
    """Behind a preposition, or in a condition."""
    assert concept_of("staging") in scoped("Log bodies in staging")
    assert concept_of("build") in scoped("If the build is red, never deploy")
    assert concept_of("deploy") not in scoped("If the build is red, never deploy")
