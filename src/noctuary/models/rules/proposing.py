"""A candidate that was chosen, as a proposal."""

from noctuary.authored import EventType, MessageRef, Strength, Trust
from noctuary.models.rules.candidates import LEAST_SCORE, Candidate
from noctuary.models.rules.naming import commits_in, files_in
from noctuary.models.rules.stating import HARDLY
from noctuary.proposals import Proposal

# How often what was found in such a place was what a careful reader found, too; see decision 17.
_CONFIDENCE = {
    "choice": 0.9,
    "reason": 0.8,
    "prompt": 0.75,
    "denied": 0.6,
    "check": 0.6,
    "summary": 0.6,
    "answer": 0.5,
    "report": 0.45,
    "work": 0.4,
    "document": 0.35,
    "pasted": 0.35,
}
_A_POINT = 0.03  # of score is worth as much confidence
_MOST = 0.95
_MENTIONED = 0.35  # is the confidence of what a user only told: an entry, unless it is said again
_STRENGTHS = {"check": Strength.STRONG, "answer": Strength.MEDIUM, "report": Strength.MEDIUM}


def proposal(session: str, found: Candidate) -> Proposal:
    """The proposal of a candidate from this session."""
    message = found.message
    quote = message.content[found.start : found.end]
    refs = [MessageRef(session, message.id, quote, message.source_line)]
    refs += [MessageRef(session, other.id, "", other.source_line) for other in found.support]
    surety = _CONFIDENCE[found.source] + _A_POINT * max(0.0, found.score - LEAST_SCORE)
    return Proposal(
        found.type,
        found.text,
        refs,
        ts_ms=message.ts_ms,
        trust=found.trust,
        confidence=_MENTIONED if _is_mentioned(found) else round(min(_MOST, surety), 2),
        strength=_STRENGTHS.get(found.source, Strength.WEAK) if found.type is EventType.EVIDENCE else None,
        is_asked=found.is_asked and found.trust is Trust.USER,
        topic=found.topic,
        files=files_in(quote),
        commits=commits_in(quote),
    )


def _is_mentioned(found: Candidate) -> bool:
    """Whether a user only told how something is, with no word that rules."""
    return found.trust is Trust.USER and found.type is EventType.FINDING and found.score <= LEAST_SCORE + HARDLY
