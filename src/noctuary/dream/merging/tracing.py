"""What an agent says comes from where it was first heard, also if that was in a session before.

A page is read in one session and repeated in the next, in fewer words each time, until nothing says where it came from.
So an agent's statement that is mostly in an entry which nobody vouches for, or in one passage of what tools printed in
an earlier session of the project, is trusted no more than that; only a user's own words make more of it.
"""

from collections.abc import Iterator, Sequence
from functools import cached_property

from noctuary.authored import EventType, Trust
from noctuary.dream.hearsay import Claims, Source
from noctuary.dream.merging.history import History, dated
from noctuary.dream.night import Night
from noctuary.ledger.ledger import trust_in_line
from noctuary.proposals import Conversation, Proposal
from noctuary.records import Kind, Relation, Session, Term
from noctuary.store import keys
from noctuary.store.lexicon import NEWEST, Printed

_UNVOUCHED = (Trust.TOOL, Trust.WEB, Trust.IMPORT)
_OF_THE_DAY = (EventType.EVIDENCE, EventType.HYPOTHESIS)  # nobody reads long before what a check shows now
_MOST_SOURCES = 6  # that are read for a sentence, the newest first
_LOOKED_AT = 300  # messages with its telling words, whoever says them, the newest first


def traced(night: Night, history: History, conversation: Conversation, proposals: Sequence[Proposal]) -> list[Proposal]:
    """The proposals; those of an agent that repeat what nobody vouches for count as that."""
    session = conversation.session
    is_errand = session.relation is Relation.SUBAGENT  # what it is told at its beginning is all it has to work with
    has_worked = is_errand or any(each.kind is Kind.TOOL_RESULT for each in conversation.heard)
    said = dated(proposals)
    history.foresee([each.text for each in said])  # those of others are compared with it soon
    sources = _Sources(night, session, has_worked=has_worked)
    pairs = zip(proposals, said, strict=True)
    return [_traced(history, sources, each, same.text) if each.trust is Trust.AGENT else each for each, same in pairs]


def _traced(history: History, sources: "_Sources", proposal: Proposal, text: str) -> Proposal:
    claims = Claims(text)
    trust = _trust_of_entry(history, claims, text)
    if trust is None and proposal.type not in _OF_THE_DAY and any(map(claims.are_from, sources.of(claims))):
        trust = Trust.TOOL
    return proposal if trust is None else proposal._replace(trust=trust, is_asked=False)


def _trust_of_entry(history: History, claims: Claims, text: str) -> Trust | None:
    """How far the entry is trusted that an agent repeats, if nobody vouches for it."""
    for known in history.near(text):
        if not claims.are_mostly_in(known.text):
            continue  # before it is read who said it
        trust = trust_in_line(known.line)
        if trust in _UNVOUCHED:
            return trust
    return None


class _Sources:
    """What tools printed in earlier sessions of a session's project.

    An agent that has looked at nothing today has all it says from elsewhere: then two of three words are enough.
    """

    def __init__(self, night: Night, session: Session, *, has_worked: bool) -> None:
        self._store, self._session, self._has_worked = night.store, session, has_worked
        self._found: dict[tuple[str, ...], list[int]] = {}  # by words; statements of one session share many
        self._read: dict[int, Source] = {}

    def of(self, claims: Claims) -> Iterator[Source]:
        """What has the telling words of one of the claims."""
        for words in dict.fromkeys(map(tuple, claims.telling_words())):
            if words not in self._found:
                self._found[words] = self._looked_up(words)
                self._read_new(self._found[words])
            yield from (self._read[key] for key in self._found[words])

    def _looked_up(self, words: Sequence[str]) -> list[int]:
        first, second, *third = (Term((word,)) for word in words)
        found = self._printed([first, second])
        if third and not self._has_worked:
            found += self._printed(third, [first, second])
        return [*dict.fromkeys(found)]

    def _printed(self, terms: Sequence[Term], any_of: Sequence[Term] = ()) -> list[int]:
        """The newest sources; what was said since, however often, hides none of them."""
        lexicon, place = self._store.lexicon, self._place
        found, is_enough = lexicon.printed_before(terms, place, _MOST_SOURCES, any_of=any_of)
        if not is_enough and len(found) < _MOST_SOURCES:
            found += lexicon.printed_before(terms, place._replace(below=place.since), _MOST_SOURCES, any_of=any_of)[0]
        return found

    @cached_property
    def _place(self) -> Printed:
        session = self._session
        known = self._store.sessions.find(session.owner, session.id)
        since = known[0] << keys.SESSION_SHIFT if known else NEWEST
        before_ms = NEWEST if session.started_ms is None else session.started_ms
        return Printed(session.owner, session.project or "", before_ms, _LOOKED_AT, since=since)

    def _read_new(self, found: Sequence[int]) -> None:
        if new := [key for key in found if key not in self._read]:
            texts = self._store.messages.texts(new)
            self._read.update((key, Source(texts[key][1] if key in texts else "")) for key in new)
