"""What people state without a word that rules."""

import pytest

from noctuary.authored import EventType
from noctuary.models.rules.stating import by_build, lays_down_below, respelt


@pytest.mark.parametrize(
    ("text", "kind"),
    [
        ("no deploys on Fridays after lunch", EventType.CONSTRAINT),
        ("btw commits need a Signed-off-by line here", EventType.CONSTRAINT),
        ("error messages start with a lower case letter", EventType.CONSTRAINT),
        ("we stay on Python 3.11 because of the customer", EventType.DECISION),
        ("the discount applies before tax and not after", EventType.DECISION),
        ("we tried Celery last year and threw it out", EventType.REJECTION),
        ("nah, GraphQL is too much for us", EventType.REJECTION),
        ("ok but make the TTL 10 minutes", EventType.CORRECTION),
        ("I'm on Windows with a slow disk", EventType.FINDING),
        ("tests that need the network go into tests/online", EventType.CONSTRAINT),
        ("for money we use Decimal", EventType.DECISION),
        ("I rejected the plugin approach because it doubles the build time", EventType.REJECTION),
        ("nobody else pushes to the release branch", EventType.CONSTRAINT),
        ("wrap every table so that it works on phones", EventType.CONSTRAINT),
        ("treat warnings as errors", EventType.PREFERENCE),
        ("the vendor throttles us at 10 calls a second", EventType.FINDING),
        ("you may refactor but the public signatures stay as they are", EventType.CONSTRAINT),
        ("our budget is 200 dollars a month", EventType.FINDING),
        ("do not restart it because sessions live in the web process", EventType.CONSTRAINT),
    ],
)
def test_what_holds_is_known_by_how_it_is_built(text: str, kind: EventType) -> None:
    """Rules without "must", choices without "decided", facts without "remember"."""
    assert kind in by_build(text)


@pytest.mark.parametrize(
    "text",
    [
        "no data is shown on the page",
        "tests are failing on main again",
        "why do commits need a sign-off?",
        "fix the login page and add a test",
        "it is not working on my side",
        "I read that.",
        "the admin password is in two parts",
        "the settings file is a mess",
        "nothing shows up on the page",
        "Logins are lost on every deploy because the sessions live in a dict",
    ],
)
def test_errands_questions_and_complaints_are_not_kept(text: str) -> None:
    """They are over when their session is; and what tells of a secret is nobody's fact."""
    assert by_build(text) == {}


def test_what_stands_above_a_list_says_that_it_holds() -> None:
    """Conventions and constraints, but not steps."""
    assert lays_down_below("some conventions for this repo:")
    assert not lays_down_below("please do the following:")


@pytest.mark.parametrize(
    ("text", "right"),
    [
        (" pls alwasy squash ", " pls always squash "),
        (" nevre push ", " never push "),
        (" use x insted of y ", " use x instead of y "),
        (" a newer nerve ", " a newer nerve "),
        (" did you ever ", " did you ever "),
    ],
)
def test_one_slip_of_the_finger_is_read(text: str, right: str) -> None:
    """A letter too many, missing or displaced; other words stay what they are."""
    assert respelt(text) == right


@pytest.mark.parametrize(
    "said",
    [
        "rename the button, it's sign in everywhere in the app",
        "the column is a number, we sell in three currencies",
        "put it behind a flag, new features ship dark until Tom has looked at them",
    ],
)
def test_what_stands_behind_a_comma_is_a_sentence(said: str) -> None:
    """People say in one breath what is to be done and what holds."""
    assert by_build(said)


def test_who_asks_without_a_mark_tells_nothing() -> None:
    """ "…, why" asks."""
    assert by_build("the export is red on the old runner, why") == {}
    assert by_build("the export is made on the old runner") != {}
