"""Whether a new wording says what the old one said."""

import pytest
from hypothesis import given
from hypothesis import strategies as st

from noctuary.models.asking.wording_checks import complaint_about, complaint_about_one
from noctuary.models.writer import Worded

SOURCE = Worded(
    "m1",
    "We decided that the timeout of the payments client in src/pay/client.py is raised from 30 s to 60 s, never lower.",
    ["raise it from 30 s to 60 s because Stripe is slow on Mondays"],
)


@pytest.mark.parametrize(
    ("old", "new"),
    [
        ("We should always use pnpm, not npm, here.", "Use pnpm, not npm."),
        ("The user wants it so that tests are run before each commit.", "Run tests before each commit."),
        ("It was found that the retry limit of 1,000 is too low.", "The retry limit of 1000 is too low."),
        ("there are three workers in prod", "There are 3 workers in prod."),
        ("Don't ever push to main.", "Never push to main."),
        ("The cache lives in `src/cache.py` (see [s1:12]).", "The cache is in `src/cache.py` [s1:12]."),
        ("we use gpt-5-mini for summaries", "Summaries use gpt-5-mini."),
        ("Timeout was raised from 30s to 60s.", "Timeout raised: 30s → 60s."),
        ("postgres was chosen over mysql for the store", "Postgres was chosen over mysql for the store."),
        ("Änderungen nicht ohne Tests.", "Nie Änderungen ohne Tests."),
    ],
)
def test_a_clearer_wording_is_taken(old: str, new: str) -> None:
    """Shorter, tidier, numbers in digits: nothing is added and nothing is lost."""
    assert complaint_about_one(Worded("m", old), new) == ""


@pytest.mark.parametrize(
    ("new", "why"),
    [
        ("", "is empty"),
        ("Timeout of the payments client in src/pay/client.py: from 30 s to 90 s, never lower.", "the number 90"),
        (
            "Timeout of the payments client in src/pay/client.py: from 60 s to 30 s, never lower.",
            "order of its numbers",
        ),
        ("Timeout of the payments client in src/pay/client.py is raised from 30 s to 60 s.", "lost its negation"),
        ("Timeout of the payments client in src/pay/config.py: 30 s to 60 s, never lower.", "src/pay/config.py"),
        ("Timeout of the payments client: 30 s to 60 s, never lower, says Alice.", "the name Alice"),
        ("Redis timeout of the payments client: 30 s to 60 s, never lower.", "the name Redis"),
        ("Timeout of `PayClient` in src/pay/client.py: 30 s to 60 s, never lower.", "`PayClient`"),
        ("Timeout of PayClient in src/pay/client.py: 30 s to 60 s, never lower.", "PayClient"),
        ("Timeout of pay_client in src/pay/client.py: 30 s to 60 s, never lower.", "pay_client"),
        ("Timeout of the payments client: 30 s to 60 s, never lower; run with --slow.", "--slow"),
        ('The timeout is raised from 30 s to 60 s, never lower, "for good".', '"for good"'),
        ("Never lower; retries happen elsewhere whenever networks misbehave badly.", "says something else"),
        ("Never lower the timeout of the payments client. " * 9, "too long"),
        ("There are twelve payments clients, never lower.", "the number 12"),
    ],
)
def test_what_was_not_said_is_refused(new: str, why: str) -> None:
    """A number, a path, a name, an identifier, a flag or a literal of the model's own, or a lost "never"."""
    assert why in complaint_about_one(SOURCE, new)


def test_quotes_may_be_used() -> None:
    """What a memory rests on may be said in it."""
    new = "Timeout of the payments client is raised from 30 s to 60 s, never lower, because Stripe is slow on Mondays."

    assert complaint_about_one(SOURCE, new) == ""


def test_a_rule_does_not_become_its_opposite() -> None:
    """A "not" of the model's own is as bad as one that is lost."""
    assert "became a negation" in complaint_about_one(
        Worded("m", "Use tabs in Makefiles."), "Do not use tabs in Makefiles."
    )


@pytest.mark.parametrize(
    "citation", ["[s1:12]", "#42", "01ARZ3NDEKTSV4RRFFQ69G5FAV", "3f2a9bc", "[redacted:github:0a1b2c3d]"]
)
def test_citations_stay(citation: str) -> None:
    """What a memory refers to is not left out for being ugly."""
    old = Worded("m", f"The cache moved to SQLite {citation} last week.")

    assert complaint_about_one(old, f"The cache moved to SQLite {citation}.") == ""
    assert f"lost {citation}" in complaint_about_one(old, "The cache moved to SQLite.")


ENTRIES = [Worded(f"m{number}", f"Rule number {number} of the shop holds.") for number in range(1, 9)]
TEXTS = {entry.id: entry.text for entry in ENTRIES}


def test_some_may_be_missing_and_most_may_not() -> None:
    """Up to a quarter keeps its old wording; with more of them gone, something went wrong."""
    without_two = {name: text for name, text in TEXTS.items() if name not in ("m1", "m2")}
    without_three = {name: text for name, text in without_two.items() if name != "m3"}

    assert complaint_about(ENTRIES, TEXTS) == ""
    assert complaint_about(ENTRIES, without_two) == ""
    assert complaint_about(ENTRIES, without_three) == "3 of 8 memories are missing"
    assert complaint_about([], {}) == ""


def test_no_memory_is_made_up() -> None:
    """An id that was not given refers to nothing."""
    assert complaint_about(ENTRIES, {**TEXTS, "m99": "New."}) == "there is no memory 'm99'"


def test_one_that_is_wrong_is_enough() -> None:
    """The complaint names it."""
    assert complaint_about(ENTRIES, {**TEXTS, "m4": "Rule number 5 of the shop holds."}).startswith("memory 'm4' adds")


@given(st.text(min_size=1).filter(str.strip))
def test_what_stays_as_it_is_is_taken(text: str) -> None:
    """No wording is refused for what it said before."""
    assert complaint_about_one(Worded("m", text), text) == ""


@given(st.text(), st.text())
def test_any_wording_can_be_judged(old: str, new: str) -> None:
    """Whatever a model writes, there is a word about it, or none."""
    assert isinstance(complaint_about_one(Worded("m", old), new), str)
