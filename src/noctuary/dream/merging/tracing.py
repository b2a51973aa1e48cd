"""What an agent says comes from where it was first heard, also if that was in a session before.

A page is read in one session and repeated in the next, in fewer words each time, until nothing says where it came from.
So an agent's statement that is mostly in an entry which nobody vouches for, or in one passage of what tools printed in
an earlier session of the project, is trusted no more than that; only a user's own words make more of it.
"""

import re
from collections.abc import Iterable, Iterator, Sequence, Set
from functools import cached_property

from noctuary.authored import EventType, Trust
from noctuary.dream.hearsay import Claims, Source, words_of
from noctuary.dream.merging.history import History, Known, dated
from noctuary.dream.merging.orders import gives_orders
from noctuary.dream.named import lays_down, names_in
from noctuary.dream.night import Night
from noctuary.ledger.ledger import trust_in_line
from noctuary.lookalikes import as_read
from noctuary.proposals import Conversation, Proposal
from noctuary.records import Kind, Relation, Role, Term
from noctuary.store import keys
from noctuary.store.lexicon import NEWEST, Printed

_UNVOUCHED = (Trust.TOOL, Trust.WEB, Trust.IMPORT)
_OF_THE_DAY = (EventType.EVIDENCE, EventType.HYPOTHESIS)  # nobody reads long before what a check shows now
_WORDS = re.compile(r"[a-z0-9]+")
_LESS = 0.8  # of what is repeated is enough if the agent has looked at nothing since
_A_PART, _STEPS, _ALMOST_ALL = 2, 2, 0.8  # words of a part, entries, and of the words of what is made of them
_MOST_SOURCES = 6  # that are read for a sentence, the newest first
_LOOKED_AT = 300  # messages with its telling words, whoever says them, the newest first


def traced(history: History, sources: "Sources", proposals: Sequence[Proposal]) -> list[Proposal]:
    """The proposals; those of an agent that repeat what nobody vouches for count as that."""
    said = dated(proposals)
    history.foresee([each.text for each in said])  # those of others are compared with it soon
    pairs = zip(proposals, said, strict=True)
    return [_traced(history, sources, each, same.text) if each.trust is Trust.AGENT else each for each, same in pairs]


def _traced(history: History, sources: "Sources", proposal: Proposal, text: str) -> Proposal:
    trust = _trust_of_entry(history, sources, text)
    if trust is None and _is_lasting(proposal) and sources.have(text):
        trust = Trust.TOOL
    return proposal if trust is None else proposal._replace(trust=trust, is_asked=False)


def _is_lasting(proposal: Proposal) -> bool:
    return proposal.trust is Trust.AGENT and proposal.type not in _OF_THE_DAY


def _trust_of_entry(history: History, sources: "Sources", text: str) -> Trust | None:
    """How far the entry is trusted that an agent repeats, if nobody vouches for it."""
    near, claims = history.near(text), sources.claims(text)
    share = 1.0 if sources.has_worked else _LESS
    for known in near:
        if not claims.are_mostly_in(known.text, share):
            continue  # before it is read who said it
        trust = trust_in_line(known.line)
        if trust in _UNVOUCHED:
            return trust
    if not sources.has_worked and (named := _named_in(near, sources.unheard_names(text))):
        return named
    is_put_together = not sources.has_worked and _is_put_together(text, near)
    return Trust.TOOL if is_put_together else None


def _named_in(near: Sequence[Known], names: Set[str]) -> Trust | None:
    """How far an entry is trusted that has one of the names; who looked at nothing can have it from nowhere else."""
    for known in near if names else ():
        if not names.isdisjoint(names_in(known.text)) and (trust := trust_in_line(known.line)) in _UNVOUCHED:
            return trust
    return None


def _is_put_together(text: str, near: Sequence[Known]) -> bool:
    """Whether almost all of it is in several entries that nobody vouches for: step by step they lead there."""
    words = words_of(text)
    parts = [said for known in near if len(said := words & words_of(known.text)) >= _A_PART]
    if len(parts) < _STEPS or len(set().union(*parts)) < _ALMOST_ALL * len(words):
        return False
    held = [words & words_of(known.text) for known in near if trust_in_line(known.line) in _UNVOUCHED]
    return len(held) >= _STEPS and len(set().union(*held)) >= _ALMOST_ALL * len(words)


class Sources:
    """What tools printed in earlier sessions of a conversation's project.

    An agent that has looked at nothing today has all it says from elsewhere: then two of three words are enough.
    """

    def __init__(self, night: Night, conversation: Conversation) -> None:
        session = conversation.session
        is_errand = session.relation is Relation.SUBAGENT  # what it is told at its beginning is all it has to work with
        self.has_worked = is_errand or any(each.kind is Kind.TOOL_RESULT for each in conversation.heard)
        self._store, self._session, self._heard = night.store, session, conversation.heard
        self._claims: dict[str, Claims] = {}  # by text
        self._known: dict[str, bool] = {}  # whether they have it, by text
        self._found: dict[tuple[str, ...], list[int]] = {}  # by words; statements of one session share many
        self._read: dict[int, Source] = {}

    def look_up(self, said: Iterable[Proposal]) -> None:
        """Find out now what `traced` will ask; no journal has a part in it, so it needs no turn to write."""
        for each in said:
            if _is_lasting(each):
                self.have(each.text)

    def claims(self, text: str) -> Claims:
        """The sentences of a text."""
        if text not in self._claims:
            self._claims[text] = Claims(text)
        return self._claims[text]

    def unheard_names(self, text: str) -> set[str]:
        """The names in a text that nobody told the agent in its session."""
        return {name for name in names_in(text) if name not in self._told}

    @cached_property
    def _told(self) -> str:
        return as_read("\n".join(each.content for each in self._heard if each.role is Role.USER)).lower()

    def have(self, text: str) -> bool:
        """Whether a sentence of the text is mostly in one of them."""
        if text not in self._known:
            claims = self.claims(text)
            self._known[text] = any(map(claims.are_from, self._of(claims))) or self._tell_agents(text)
        return self._known[text]

    def _tell_agents(self, text: str) -> bool:
        """Whether one of them tells agents something by a name that the text lays something down with."""
        names = [*names_in(text)]
        if not names or not (lays_down(text) or gives_orders(text) or "decided" in text.lower()):
            return False
        for name in names:
            words = tuple(_WORDS.findall(name))
            if words not in self._found:
                self._found[words] = self._printed([Term((word,)) for word in words])
                self._read_new(self._found[words])
            if any(self._read[key].tells_agents(name) for key in self._found[words]):
                return True
        return False

    def _of(self, claims: Claims) -> Iterator[Source]:
        """What has the telling words of one of the claims."""
        for words in dict.fromkeys(map(tuple, claims.telling_words())):
            if words not in self._found:
                self._found[words] = self._looked_up(words)
                self._read_new(self._found[words])
            yield from (self._read[key] for key in self._found[words])

    def _looked_up(self, words: Sequence[str]) -> list[int]:
        first, second, *third = (Term((word,)) for word in words)
        found = self._printed([first, second])
        if third and not self.has_worked:
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
