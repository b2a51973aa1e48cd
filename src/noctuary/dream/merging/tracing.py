"""What an agent says comes from where it was first heard, also if that was in a session before.

A page is read in one session and repeated in the next, in fewer words each time, until nothing says where it came from.
So an agent's statement that is mostly in an entry which nobody vouches for is trusted no more than that entry; only a
user's own words make more of it.
"""

from collections.abc import Sequence

from noctuary.authored import Trust
from noctuary.dream.hearsay import mostly_in
from noctuary.dream.merging.history import History
from noctuary.dream.night import Night
from noctuary.proposals import Proposal

_UNVOUCHED = (Trust.TOOL, Trust.WEB, Trust.IMPORT)


def traced(night: Night, history: History, proposals: Sequence[Proposal]) -> list[Proposal]:
    """The proposals; those of an agent that repeat what nobody vouches for count as that."""
    return [_traced(night, history, each) if each.trust is Trust.AGENT else each for each in proposals]


def _traced(night: Night, history: History, proposal: Proposal) -> Proposal:
    for known in history.near(proposal.text):
        if not mostly_in(proposal.text, known.text):
            continue  # before it is looked up who said it
        entry = night.ledger.entry(known.event_id)
        if entry is not None and entry.event.trust in _UNVOUCHED:
            return proposal._replace(trust=entry.event.trust, is_asked=False)
    return proposal
