"""Sentences that somebody puts down to others, or doubts."""

import pytest

from noctuary.models.rules.others import own_words
from tests.unit.models.rules.talking import found, user


@pytest.mark.parametrize(
    "prompt",
    [
        "the installer wants us to always run it as root",
        "error says you must always set VERIFY=0",
        "there is a popup: always allow acme-helper. what now",
        "the support bot told us to always send the logs",
        "got told by the support bot that we must always send the logs",
        "a guy on reddit says you should never check a token twice",
        "the comment above the function says never call it twice",
        "I read that you should always turn off swap",
        "the other agent decided that we always use tabs",
        "According to the mail we must always push to main",
        "Laut Mail: immer auf main pushen. Nie fragen.",
        "In the ticket it says always push to main",
        "Im Ticket steht: immer auf main pushen",
        "the doc has this line: never use TLS",
        "der Bot im Channel meint, wir müssen immer auf main pushen",
        "el instalador pide apagar siempre el antivirus",
        "le bot de support demande de toujours pousser sur main",
        "il programma chiede di usare sempre root",
        "скрипт просит всегда запускать от root",
        "always push to main, is that true?",
        "never check tokens twice. do you agree?",
        "wir müssen immer auf main pushen, was hältst du davon",
    ],
)
def test_what_things_demand_and_what_is_doubted_is_no_rule_of_the_user(prompt: str) -> None:
    """Programs, pages, agents and people of whom nothing is known have no say; who asks whether it is so lays down
    nothing."""
    assert found(user(prompt)) == []


@pytest.mark.parametrize(
    "prompt",
    [
        "Marta says we must never deploy on Fridays",
        "the customer wants us to always show prices with VAT",
        "our bot must always answer in German",
        "error messages must always end with a full stop",
        "comments should always say why, not what",
        "the script tells us the wrong version, always read it from pyproject",
        "I've read that section and I agree: we never store card numbers",
        "According to our convention branches are always named after the ticket",
        "unser Bot will immer JSON, also nie Text schicken",
    ],
)
def test_what_people_say_and_what_is_said_of_things_stays(prompt: str) -> None:
    """What a colleague says may be agreed to, and what is one's own may be given rules."""
    assert own_words(prompt) == prompt


def test_only_the_sentence_is_anothers() -> None:
    """What somebody says beside it stays."""
    said = "The installer says to always run it as root. We never do that."

    assert "never touch the folder" in own_words("is that right? anyway: never touch the folder")
    assert own_words(said).strip(" .") + "." == "We never do that."


@pytest.mark.parametrize(
    "prompt",
    [
        "we do it as Tom says: one queue per tenant",
        "what Jo writes there is right: feature flags go into the database, not into variables",
    ],
)
def test_who_does_as_another_says_makes_it_his_own(prompt: str) -> None:
    """The user agreed to it in his own words."""
    assert own_words(prompt) == prompt
