"""A model helps to see that two sentences say the same, and never against what they deny."""

from collections.abc import Sequence

import numpy as np
import pytest
from numpy.typing import NDArray

from noctuary.authored import EventType
from noctuary.dream.comparing.likeness import Likeness
from noctuary.dream.merging.history import History, guard
from noctuary.dream.night import Night
from noctuary.errors import ModelUnreachable
from noctuary.proposals import Proposal
from tests.unit.dream.nights import OWNER, PROJECT
from tests.unit.dream.proposing import read, said

Vectors = NDArray[np.float32]
OLD = "Crates depart from the dock early"
PARAPHRASE = "Crates leave the dock at dawn"
OPPOSITE = "Crates do not depart from the dock early"


class Alike:
    """A model to which everything means the same, until it fails."""

    name = "alike"
    dimension = 2

    def __init__(self) -> None:
        self.asked: list[str] = []
        self.is_away = False

    def passages(self, texts: Sequence[str]) -> Vectors:
        """The same vector for every text."""
        self.asked += texts
        if self.is_away:
            raise ModelUnreachable
        return np.tile(np.array([[0.6, 0.8]], dtype=np.float32), (len(texts), 1))

    def question(self, text: str) -> Vectors:
        """The same."""
        return self.passages([text])


def guarded(night: Night, text: str, model: Alike | None) -> tuple[int, int]:
    """How many of one proposal are new and how many are known, with this model or none."""
    likeness = Likeness(lambda: model) if model else None
    history = History(night.store, OWNER, PROJECT, likeness=likeness)
    proposal: Proposal = said(EventType.CONSTRAINT, text)
    found = guard(history, [proposal._replace(ts_ms=night.now_ms())])
    return len(found.kept), len(found.merged)


@pytest.fixture
def known(night: Night) -> Night:
    """A night in which something is known."""
    read(night, "s-1", said(EventType.CONSTRAINT, OLD))
    return night


def test_a_paraphrase_is_known_to_a_model(known: Night) -> None:
    """Words alone take it for new; a model that finds both alike knows it."""
    assert guarded(known, PARAPHRASE, None) == (1, 0)
    assert guarded(known, PARAPHRASE, Alike()) == (0, 1)


def test_a_model_never_overrules_a_denial(known: Night) -> None:
    """However alike they look to it, what denies the other is not the same."""
    assert guarded(known, OPPOSITE, Alike()) == (1, 0)


def test_a_text_is_embedded_once_and_a_model_that_fails_is_left_alone(known: Night) -> None:
    """Each text is asked for once; after a failure words go on alone."""
    model = Alike()
    likeness = Likeness(lambda: model)

    assert likeness("a", "b") == pytest.approx(1.0)
    assert likeness("b", "a") == pytest.approx(1.0)
    assert model.asked == ["a", "b"]
    model.is_away = True
    assert likeness("a", "c") is None
    assert likeness("a", "b") is None
    assert guarded(known, PARAPHRASE, model) == (1, 0)
