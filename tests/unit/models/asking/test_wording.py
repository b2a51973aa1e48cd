"""Wording memories anew by a language model."""

import pytest

from noctuary.errors import BudgetSpent, ModelUnreachable
from noctuary.models.asking.asker import Retries
from noctuary.models.asking.wording import MOST_AT_ONCE, ModelWriter
from noctuary.models.chat.meter import Limits, Meter
from noctuary.models.chat.model import Passing
from noctuary.models.writer import Refused, Reworded, Worded
from noctuary.redact import redact
from noctuary.testing_models import TOKENS, FakeModel, Said

OLD = [
    Worded("m1", "We said that one should always use pnpm, not npm.", ["use pnpm, not npm"]),
    Worded("m2", "The tests must be run before each commit is made."),
]
NEW = {"m1": "Always use pnpm, not npm.", "m2": "Tests must be run before each commit."}
SECRET = "ghp_" + "a1B2c3D4e5F6a7B8c9D0e1F2a3B4c5D6e7F8"


def writer(*script: Said, meter: Meter | None = None) -> tuple[ModelWriter, FakeModel]:
    chat = FakeModel(script)
    return ModelWriter(chat, meter or Meter(), redact=redact, retries=Retries(sleep=lambda _: None)), chat


def memories(texts: dict[str, str]) -> Said:
    return {"memories": [{"id": name, "text": text} for name, text in texts.items()]}


def test_better_wordings_are_taken() -> None:
    """By id, and with what they cost."""
    writing, chat = writer(memories(NEW))

    found = writing.reword(OLD)

    assert isinstance(found, Reworded)
    assert found.texts == NEW
    assert found.spent[:3] == (1, TOKENS, TOKENS)
    assert '"use pnpm, not npm"' in chat.asked[0].prompt
    assert writing.name == "fake:model"


@pytest.mark.parametrize(
    ("answer", "why"),
    [
        (memories({**NEW, "m1": "Always use npm."}), "memory 'm1' lost its negation"),
        (memories({**NEW, "m1": "Always use pnpm 9, not npm."}), "memory 'm1' adds the number 9"),
        (memories({"m1": NEW["m1"]}), "1 of 2 memories are missing"),
        (memories({**NEW, "m3": "A third one."}), "there is no memory 'm3'"),
        ({"memories": [{"id": "m1", "text": "a"}, {"id": "m1", "text": "b"}]}, "given twice"),
        ({"memories": [{"id": 1, "text": "a"}]}, "without its id"),
        ({"memories": [{"id": "m1"}]}, "without its id or text"),
    ],
)
def test_one_bad_wording_refuses_all(answer: Said, why: str) -> None:
    """What adds, drops or turns something round is not taken, and neither is what came with it."""
    found = writer(answer)[0].reword(OLD)

    assert isinstance(found, Refused)
    assert why in found.why
    assert found.spent.calls == 1


def test_nothing_to_word_asks_nothing() -> None:
    """And costs nothing."""
    writing, chat = writer()

    assert writing.reword([]) == Reworded({})
    assert chat.asked == []


def test_many_are_asked_for_in_parts() -> None:
    """A model words better what it can oversee."""
    entries = [Worded(f"m{number}", "Use tabs.") for number in range(MOST_AT_ONCE + 1)]
    parts = [entries[:MOST_AT_ONCE], entries[MOST_AT_ONCE:]]
    writing, chat = writer(*[memories({entry.id: entry.text for entry in part}) for part in parts])

    found = writing.reword(entries)

    assert isinstance(found, Reworded)
    assert len(found.texts) == MOST_AT_ONCE + 1
    assert len(chat.asked) == 2


def test_no_secret_is_sent_or_taken() -> None:
    """Not even if a memory has one already."""
    entry = Worded("m1", f"The token is {SECRET}.")
    writing, chat = writer(memories({"m1": f"Token: {SECRET}."}))

    found = writing.reword([entry])

    assert SECRET not in chat.asked[0].prompt
    assert found == Refused("memory 'm1' has a secret in it", found.spent)


@pytest.mark.parametrize("fault", [Passing("Busy."), "", "I cannot."])
def test_a_model_that_fails_is_asked_again_and_then_told(fault: Said) -> None:
    """As for reading sessions."""
    writing, chat = writer(*[fault] * 4)

    with pytest.raises(ModelUnreachable, match="4 times in vain"):
        writing.reword(OLD)

    assert len(chat.asked) == 4


def test_a_budget_is_kept() -> None:
    """Wording is worth less than reading; without budget it does not happen."""
    writing, chat = writer(memories(NEW), meter=Meter(Limits(run_tokens=100)))

    with pytest.raises(BudgetSpent):
        writing.reword(OLD)

    assert chat.asked == []
