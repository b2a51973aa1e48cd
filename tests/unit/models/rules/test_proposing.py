"""A candidate as a proposal."""

import pytest

from noctuary.authored import EventType, Strength, Trust
from noctuary.models.rules.candidates import LEAST_SCORE, Candidate
from noctuary.models.rules.proposing import proposal
from tests.unit.models.rules.talking import agent

SAID = agent("We commit 3ac02a4 with `shop.py` today", id=7, ts_ms=9, source_line=70)
FOUND = Candidate(EventType.EVIDENCE, LEAST_SCORE, SAID, 0, 37, "It holds.", "answer", support=[agent("x", id=5)])


def test_a_proposal_cites_what_it_rests_on() -> None:
    """The message it was found in first, with the quote; the time is that message's."""
    made = proposal("s", FOUND)

    assert [(ref.session, ref.id, ref.line) for ref in made.messages] == [("s", 7, 70), ("s", 5, None)]
    assert made.messages[0].quote == SAID.content[:37]
    assert made.ts_ms == 9
    assert made.files == ["shop.py"]
    assert made.commits == ["3ac02a4"]


def test_confidence_grows_with_what_speaks_for_it() -> None:
    """People are believed before reports, reports before documents, and nothing is certain."""
    sure = [
        proposal("s", FOUND._replace(source=source)).confidence for source in ("prompt", "answer", "work", "document")
    ]

    assert sure == sorted(sure, reverse=True)
    assert proposal("s", FOUND._replace(score=5.0)).confidence > proposal("s", FOUND).confidence
    assert proposal("s", FOUND._replace(score=99.0)).confidence < 1.0


@pytest.mark.parametrize(
    ("source", "strength"), [("check", Strength.STRONG), ("answer", Strength.MEDIUM), ("work", Strength.WEAK)]
)
def test_evidence_is_as_strong_as_its_source(source: str, strength: Strength) -> None:
    """A program proves more than who reports of it; all else has no strength."""
    assert proposal("s", FOUND._replace(source=source)).strength is strength
    assert proposal("s", FOUND._replace(source=source, type=EventType.FINDING)).strength is None


def test_only_the_user_asks_to_remember() -> None:
    """What an agent quotes of it is no request."""
    assert not proposal("s", FOUND._replace(is_asked=True)).is_asked
    assert proposal("s", FOUND._replace(is_asked=True, trust=Trust.USER)).is_asked
