"""What an agent says comes from where it was first heard, also if that was in a session before.

A page is read in one session and repeated in the next, in fewer words each time, until nothing says where it came from.
So an agent's statement that is mostly in an entry which nobody vouches for is trusted no more than that entry; only a
user's own words make more of it.
"""

from collections.abc import Sequence

from noctuary.authored import Trust
from noctuary.dream.hearsay import Sentences
from noctuary.dream.merging.history import History, dated
from noctuary.dream.night import Night
from noctuary.proposals import Proposal

_UNVOUCHED = (Trust.TOOL, Trust.WEB, Trust.IMPORT)


def traced(night: Night, history: History, proposals: Sequence[Proposal]) -> list[Proposal]:
    """The proposals; those of an agent that repeat what nobody vouches for count as that."""
    said = dated(proposals)
    history.foresee([each.text for each in said if each.trust is Trust.AGENT])
    pairs = zip(proposals, said, strict=True)
    return [_traced(night, history, each, same.text) if each.trust is Trust.AGENT else each for each, same in pairs]


def _traced(night: Night, history: History, proposal: Proposal, text: str) -> Proposal:
    near = history.near(text)
    sentences = Sentences(text) if near else None
    for known in near:
        if sentences is None or not sentences.are_mostly_in(known.text):
            continue  # before it is looked up who said it
        entry = night.ledger.entry(known.event_id)
        if entry is not None and entry.event.trust in _UNVOUCHED:
            return proposal._replace(trust=entry.event.trust, is_asked=False)
    return proposal
