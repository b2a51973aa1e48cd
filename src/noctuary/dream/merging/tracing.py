"""What an agent says comes from where it was first heard, also if that was in a session before.

A page is read in one session and repeated in the next, in fewer words each time, until nothing says where it came from.
So an agent's statement that is mostly in an entry which nobody vouches for, or in one passage of what tools printed in
an earlier session of the project, is trusted no more than that; only a user's own words make more of it.
"""

from collections.abc import Iterator, Sequence

from noctuary.authored import EventType, Trust
from noctuary.dream.hearsay import Claims
from noctuary.dream.merging.history import History, dated
from noctuary.dream.night import Night
from noctuary.proposals import Proposal
from noctuary.records import Session, Term
from noctuary.store import keys
from noctuary.store.lexicon import Within

_UNVOUCHED = (Trust.TOOL, Trust.WEB, Trust.IMPORT)
_OF_THE_DAY = (EventType.EVIDENCE, EventType.HYPOTHESIS)  # nobody reads long before what a check shows now
_MOST_SOURCES = 6  # that are read for a sentence, the newest first


def traced(night: Night, history: History, session: Session, proposals: Sequence[Proposal]) -> list[Proposal]:
    """The proposals; those of an agent that repeat what nobody vouches for count as that."""
    said = dated(proposals)
    history.foresee([each.text for each in said if each.trust is Trust.AGENT])
    pairs = zip(proposals, said, strict=True)
    return [
        _traced(night, history, session, each, same.text) if each.trust is Trust.AGENT else each for each, same in pairs
    ]


def _traced(night: Night, history: History, session: Session, proposal: Proposal, text: str) -> Proposal:
    claims = Claims(text)
    trust = _trust_of_entry(night, history, claims, text)
    if trust is None and proposal.type not in _OF_THE_DAY and _has_source(night, session, claims):
        trust = Trust.TOOL
    return proposal if trust is None else proposal._replace(trust=trust, is_asked=False)


def _trust_of_entry(night: Night, history: History, claims: Claims, text: str) -> Trust | None:
    """How far the entry is trusted that an agent repeats, if nobody vouches for it."""
    for known in history.near(text):
        if not claims.are_mostly_in(known.text):
            continue  # before it is looked up who said it
        entry = night.ledger.entry(known.event_id)
        if entry is not None and entry.event.trust in _UNVOUCHED:
            return entry.event.trust
    return None


def _has_source(night: Night, session: Session, claims: Claims) -> bool:
    return any(claims.are_from(source) for source in _sources(night, session, claims))


def _sources(night: Night, session: Session, claims: Claims) -> Iterator[str]:
    """What tools printed in earlier sessions of the project with the telling words of each claim."""
    store, project = night.store, session.project or ""
    before = Within(voices=(keys.OUTPUT,), before_ms=session.started_ms)
    for words in claims.telling_words():
        found = store.lexicon.matching([Term((word,)) for word in words], before, _MOST_SOURCES)
        sessions = store.sessions.by_number({keys.session_of(key) for key in found}) if found else {}
        ours = {no for no, one in sessions.items() if one.owner == night.owner and (one.project or "") == project}
        near = [key for key in found if keys.session_of(key) in ours]
        yield from (text for _, text in store.messages.texts(near).values())
