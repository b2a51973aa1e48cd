"""Memories are clusters of what sessions say: each proposal makes one, joins one, or contradicts one.

What is new is an entry of the journal that makes its memory itself.  What changes older memories waits in `touched`
for the bookkeeping of the reading.
"""

from collections.abc import Iterable
from typing import Any, NamedTuple

from noctuary.authored import Entry, EventType, Trust
from noctuary.dream.comparing.nearness import may_be_near
from noctuary.dream.comparing.outline import may_say_all_of
from noctuary.dream.comparing.sameness import Relation, Signature, compare, may_say_it_all, relation, signature
from noctuary.dream.merging import grounds as ground
from noctuary.dream.merging.clashes import Clash, Other, find_clash, says_otherwise, superseded
from noctuary.dream.merging.contradicting import are_choices, closeness, may_claim_otherwise, may_say_otherwise
from noctuary.dream.merging.dates import absolute
from noctuary.dream.merging.family import first_of_family
from noctuary.dream.merging.gates import Claim, Standing, is_passing, rank, standing
from noctuary.dream.merging.grounds import Grounds
from noctuary.dream.merging.history import Known
from noctuary.dream.merging.lasting import is_report
from noctuary.dream.merging.suggesting import own_task
from noctuary.dream.merging.topics import topic_of
from noctuary.dream.merging.touched import HOLDING, Touched, disputed_by, rank_of, said_ms
from noctuary.dream.merging.what_was_read import Reading, memory_id
from noctuary.dream.night import Night
from noctuary.dream.witnessing import says_more
from noctuary.dreams import ChangeKind, MemoryChange
from noctuary.ids import short_id
from noctuary.ledger.ledger import Write
from noctuary.proposals import PROPOSED, Proposal
from noctuary.store.memories import EVERY_PROJECT, MemoryStatus, Remembered, holds_everywhere
from noctuary.weighing import weight

_UNVOUCHED = (Trust.TOOL, Trust.WEB, Trust.IMPORT)
_SPEAKS_OF_IT = 0.5  # how much of a sentence a user has to have spoken of to be its witness


class Met(NamedTuple):
    """An entry that may say something near to what is proposed."""

    event: str
    type: str
    told: str  # what is proposed
    text: str  # what the entry says

    @property
    def signature(self) -> Signature:
        """What it says; read once."""
        return signature(self.text)

    @property
    def relation(self) -> Relation:
        """What is proposed is this to it."""
        return relation(signature(self.told), self.signature)

    @property
    def is_less(self) -> bool:
        """Whether what is proposed says all that it says, and more; of most it is known at once that it does not."""
        if not may_be_near(self.told, self.text) or not may_say_all_of(self.told, self.text):
            return False
        if not may_say_it_all(signature(self.told), self.signature):
            return False
        return self.relation is Relation.SAYS_MORE


class Clusters:
    """What becomes of the proposals of one reading."""

    def __init__(self, night: Night, write: Write, reading: Reading) -> None:
        self.touched = Touched(night, reading.project)
        self.events: list[str] = []
        self.changes: list[MemoryChange] = []
        self.dates = 0  # that were made absolute
        self._night, self._write, self._reading = night, write, reading
        self._voice = first_of_family(night, reading.session.id)  # whose statements they are
        self.node = reading.node or own_task(night, reading)  # the task that they are about
        self._said: dict[str, tuple[str, str]] = {}  # in this reading, by event
        self._topics: set[str] | None = None

    def in_order(self, proposals: Iterable[Proposal]) -> list[Proposal]:
        """What may be proposed, and of this what people and agents said first: tools may need it for a witness."""
        return sorted((one for one in proposals if one.type in PROPOSED), key=lambda one: one.trust in _UNVOUCHED)

    def keep(self, proposal: Proposal) -> None:
        """Write down what is new, as an entry and, if the gates let it, as a memory."""
        said = self._dated(proposal)
        if _is_passing(proposal):
            self._note(self._write(self._reading.passing_entry(said, self.node)).id, said)
            return
        met = self._met(said.text)
        less = [one for one in met if one.is_less]
        for one in less:
            memory = self.touched.of_event(one.event)
            if memory is not None and memory.status in HOLDING and self._has_better_words(said, memory):
                self._join(memory, said)
                return
        self._enter(said, met, self._unremembered(less))

    def merge(self, proposal: Proposal, known: Known) -> None:
        """Let what is known already be supported by another session, if this says so for good."""
        if _is_passing(proposal) or (proposal.trust is Trust.AGENT and is_report(proposal.text)):
            return  # that an errand was done makes no rule of it
        said = self._dated(proposal)
        entry = self._night.ledger.entry(known.event_id)
        if entry is None:
            return
        memory = self.touched.of_event(known.event_id)
        text = memory.text if memory else entry.event.text
        if says_otherwise(said, text, entry.acts_as):
            self._enter(said, self._met(said.text), None)
        elif memory is None and (self._reading.is_passing(entry) or rank(said.trust) > rank(entry.event.trust)):
            self._enter(said, self._met(said.text), None)  # whoever is trusted more says it in words of their own
        elif memory is None:
            self._promote(said, entry)
        elif memory.status in HOLDING:
            self._join(memory, said)
        elif memory.status is MemoryStatus.SUPERSEDED:
            self._say_again(memory, said)

    def _enter(self, said: Proposal, met: list[Met], more: Grounds | None) -> None:
        """Write an entry; the memory is made with it."""
        grounds = ground.of_proposal(self._voice, said, said.ts_ms)
        grounds = ground.together(more, grounds)._replace(trust=said.trust) if more else grounds
        witness = self._witness(said, met) if said.trust in _UNVOUCHED else None
        found = self._standing(said, grounds, has_witness=witness is not None)
        event = self._reading.entry(said, self.node)
        if found is None:
            self._note(self._write(event).id, said)
            return
        name = self._new_id(said)
        memory = self._record(name, found, said, grounds)
        if witness:
            memory["witness"] = witness
        clash = self._clash(name, found, said, grounds, met)
        older = [self._ended(old, name, grounds.last_ms) for old in clash.beaten]
        memory |= self._outcome(name, clash)
        supersedes = clash.beaten[0].event if clash.beaten else None
        written = self._write(event._replace(change={"memories": [memory, *older]}, supersedes=supersedes))
        self._note(written.id, said)
        self._tell_new(name, said.text, found, clash)

    def _promote(self, said: Proposal, entry: Entry) -> None:
        """An entry that is no memory yet is stated again: the gates are asked once more."""
        grounds = ground.together(self._entry_grounds(entry), self._grounds(said))
        words = entry.event.text
        if self._is_better(said, words, rank(entry.event.trust), entry.event.ts_ms):
            self._enter(said, self._met(said.text), self._entry_grounds(entry))
            return
        grounds = grounds._replace(trust=entry.event.trust)
        kind = entry.acts_as if entry.acts_as in PROPOSED else said.type
        claimed = said._replace(type=kind, text=words, trust=grounds.trust, confidence=grounds.confidence)
        met = self._met(words)
        witness = self._witness(claimed, met) if grounds.trust in _UNVOUCHED else None
        found = self._standing(claimed, grounds, has_witness=witness is not None)
        if found is None:
            return
        name = self._new_id(claimed)
        memory = self._record(name, found, claimed, grounds) | ({"witness": witness} if witness else {})
        clash = self._clash(name, found, claimed, grounds, met)
        for old in clash.beaten:
            self.touched.change(old, **self._ended(old, name, grounds.last_ms))
        self.touched.make(name, memory | self._outcome(name, clash) | {"event": entry.event.id})
        self._tell_new(name, words, found, clash)

    def _join(self, memory: Remembered, said: Proposal) -> None:
        """Let a memory that holds be supported, and said anew if this says more; trusted is who says its words."""
        is_new = self._voice not in (memory.facts.get("sessions") or ())
        has_better_words = self._has_better_words(said, memory)
        is_unvouched = said.trust in _UNVOUCHED and rank_of(memory) > 0  # what is printed makes nobody's word truer
        if not has_better_words and (not is_new or is_unvouched):
            return
        old = ground.of_memory(memory)
        grounds = ground.together(old, self._grounds(said))
        grounds = grounds._replace(trust=said.trust if has_better_words else old.trust)
        fields: dict[str, Any] = {}
        shown = said
        if has_better_words:
            event = self._write(self._reading.entry(said, self.node)).id
            self._note(event, said)
            grounds = grounds._replace(events=(*grounds.events, memory.event)[-ground.MOST_KEPT :])
            fields = {"text": said.text, "event": event}
        else:
            shown = said._replace(type=self._type_of(memory, said), text=memory.text)
        found = self._standing(shown, grounds, has_witness="witness" in memory.facts)
        if found and has_better_words and rank(said.trust) > rank_of(memory):
            fields["kind"] = str(found.kind)
        is_admitted = memory.status is MemoryStatus.PROPOSED and found and found.status is MemoryStatus.ACTIVE
        if is_admitted:
            fields["status"] = str(MemoryStatus.ACTIVE)
            self._dispute(memory.id, disputed_by(memory))
        self._grow(memory, grounds, fields)
        text = fields.get("text", memory.text)
        why = f"{grounds.support} sessions state it" if is_new else "it was said more exactly"
        self._tell(ChangeKind.ADDED if is_admitted else ChangeKind.MERGED, memory.id, text, why)

    def _say_again(self, memory: Remembered, said: Proposal) -> None:
        """What was superseded is said again: it holds again if that was later than what took its place."""
        taken = self.touched.find(memory.superseded_by) if memory.superseded_by else None
        ts_ms = said.ts_ms
        old = ground.of_memory(memory)
        grounds = ground.together(old, self._grounds(said))._replace(trust=said.trust)
        found = self._standing(said, grounds, has_witness="witness" in memory.facts)
        is_back = taken is not None and taken.status in HOLDING and ts_ms > said_ms(taken)
        is_back = is_back and found is not None and found.status is MemoryStatus.ACTIVE
        if taken is None or found is None or not is_back or rank(said.trust) < rank_of(taken):
            grounds = grounds._replace(trust=old.trust)
            if self._voice not in (memory.facts.get("sessions") or ()):
                self._grow(memory, grounds._replace(last_ms=max(said_ms(memory), ts_ms)), {})
            return
        event = self._write(self._reading.entry(said, self.node)).id
        self._note(event, said)
        grounds = grounds._replace(events=(*grounds.events, memory.event)[-ground.MOST_KEPT :], first_ms=ts_ms)
        kind = found.kind if rank(said.trust) < rank(old.trust) else memory.kind
        back = {"status": str(MemoryStatus.ACTIVE), "kind": str(kind), "superseded_by": None, "valid_to": None}
        self._grow(memory, grounds, {**back, "text": said.text, "event": event})
        self.touched.change(taken, **self._ended(taken, memory.id, ts_ms))
        self._tell(ChangeKind.ADDED, memory.id, said.text, "it was said again, later than what had superseded it")
        self._tell(ChangeKind.SUPERSEDED, taken.id, taken.text, f"{memory.id} was said again later")

    def _grow(self, memory: Remembered, grounds: Grounds, fields: dict[str, Any]) -> None:
        heavy = weight(
            str(fields.get("kind", memory.kind)),
            grounds.trust,
            approved=bool(memory.facts.get("approved")),
            confidence=grounds.confidence,
            support=grounds.support,
            last_ms=grounds.last_ms,
        )
        self.touched.change(memory, **grounds.fields(), **fields, weight=heavy)

    def _record(self, name: str, found: Standing, said: Proposal, grounds: Grounds) -> dict[str, Any]:
        topic = topic_of(said, self._known_topics())
        self._known_topics().add(topic)
        heavy = weight(
            found.kind,
            grounds.trust,
            approved=said.is_asked and grounds.trust is Trust.USER,
            confidence=grounds.confidence,
            support=grounds.support,
            last_ms=grounds.last_ms,
        )
        fixed = {"id": name, "kind": str(found.kind), "text": said.text, "status": str(found.status), "topic": topic}
        here_only = {"everywhere": False} if self._reading.project == EVERY_PROJECT else {}
        return {**fixed, **grounds.fields(), "weight": heavy, **here_only}

    def _standing(self, said: Proposal, grounds: Grounds, *, has_witness: bool) -> Standing | None:
        """As what it is remembered; what was said outside of all projects holds in none until a user says so."""
        asked = said.is_asked
        claim = Claim(said.type, said.text, grounds.trust, grounds.confidence, grounds.support, asked, has_witness)
        found = standing(claim)
        if found is None or self._reading.project != EVERY_PROJECT or found.status is not MemoryStatus.ACTIVE:
            return found
        return found._replace(status=MemoryStatus.PROPOSED, why="it was said outside of all projects")

    def _type_of(self, memory: Remembered, said: Proposal) -> EventType:
        """The type of the entry that says a memory, as far as there is one that a dream could have written."""
        entry = self._night.ledger.entry(memory.event)
        return entry.acts_as if entry is not None and entry.acts_as in PROPOSED else said.type

    def _clash(self, name: str, found: Standing, said: Proposal, grounds: Grounds, met: list[Met]) -> Clash:
        """What the new memory contradicts, and who holds."""
        others: dict[str, Other] = {}
        for one in met:
            if not (may_claim_otherwise(said.text, one.text) or are_choices(said.type, one.type)):
                continue
            if not says_otherwise(said, " ".join(one.text.split()), one.type) or one.relation is Relation.UNRELATED:
                continue  # before it is looked up what it became
            memory = self.touched.of_event(one.event)
            if memory is not None and memory.id != name and memory.status in HOLDING:
                others.setdefault(memory.id, Other(memory, one.type))
        return find_clash(found, said, grounds, others.values())

    def _ended(self, old: Remembered, by: str, at_ms: int) -> dict[str, Any]:
        """A memory that is superseded; nothing disputes it any more."""
        self.touched.keep(old)
        for name in disputed_by(old):
            if (other := self.touched.find(name)) is not None:
                self.touched.change(other, disputed=[one for one in disputed_by(other) if one != old.id])
        return superseded(old, by, at_ms)

    def _outcome(self, name: str, clash: Clash) -> dict[str, Any]:
        """What a contradiction means for the new memory; the others that are disputed by it are told."""
        if clash.holds is not None:
            later = clash.holds
            lasted = {"valid_to": clash.valid_to} if clash.valid_to else {}
            return {"status": str(MemoryStatus.SUPERSEDED), "superseded_by": later.id, **lasted}
        if not clash.is_proposed:
            self._dispute(name, [old.id for old in clash.disputed])
        return {"disputed": [old.id for old in clash.disputed]} if clash.disputed else {}

    def _dispute(self, name: str, others: Iterable[str]) -> None:
        """Note with others that a memory says otherwise."""
        for other in others:
            if (old := self.touched.find(other)) is not None and name not in disputed_by(old):
                self.touched.change(old, disputed=[*disputed_by(old), name])

    def _tell_new(self, name: str, text: str, found: Standing, clash: Clash) -> None:
        if clash.holds is not None:
            self._tell(ChangeKind.SUPERSEDED, name, text, f"{clash.holds.id} was said later")
            return
        kind = ChangeKind.ADDED if found.status is MemoryStatus.ACTIVE else ChangeKind.PROPOSED
        self._tell(kind, name, text, found.why)
        for old in clash.beaten:
            self._tell(ChangeKind.SUPERSEDED, old.id, old.text, f"{name} was said later")
        for old in clash.disputed:
            self._tell(ChangeKind.DISPUTED, old.id, old.text, f"{name} says otherwise")

    def _tell(self, kind: ChangeKind, name: str, text: str, why: str) -> None:
        self.changes.append(MemoryChange(kind, name, text, why, self._reading.project))

    def _met(self, text: str) -> list[Met]:
        """What may have been said near to a text: in this reading, then before."""
        near = {one.event_id: (str(one.type), one.text) for one in self._reading.history.near(text)}
        both = (self._said | near).items()
        return [Met(event, kind, text, other) for event, (kind, other) in both if may_say_otherwise(text, other)]

    def _unremembered(self, less: list[Met]) -> Grounds | None:
        """What entries that are no memories say already; of these it is known that this says all of it and more."""
        for one in less:
            entry = self._night.ledger.entry(one.event)
            if entry is None or entry.hidden_by is not None or self._reading.is_passing(entry):
                continue
            if self.touched.of_event(one.event) is None:
                return self._entry_grounds(entry)
        return None

    def _witness(self, said: Proposal, met: list[Met]) -> str | None:
        """The entry of a user who spoke of it."""
        for one in met:
            if closeness(signature(said.text), one.signature) < _SPEAKS_OF_IT or says_more(said.text, one.text):
                continue
            if one.relation in (Relation.CONTRADICTS, Relation.UNRELATED):
                continue
            entry = self._night.ledger.entry(one.event)
            if entry is not None and entry.event.trust is Trust.USER and entry.hidden_by is None:
                return one.event
        return None

    def _has_better_words(self, said: Proposal, memory: Remembered) -> bool:
        if self._reading.project == EVERY_PROJECT and holds_everywhere(memory):
            return False  # that is for whoever made it hold everywhere
        return self._is_better(said, memory.text, rank_of(memory), said_ms(memory))

    def _is_better(self, said: Proposal, text: str, trusted: int, last_ms: int) -> bool:
        """Whether the newer words take the place of a text: they say more, or somebody says it who is trusted more."""
        if rank(said.trust) > trusted:
            return trusted == 0 or compare(text, said.text) is not Relation.SAYS_MORE
        is_late_enough = rank(said.trust) == trusted and said.ts_ms >= last_ms
        return is_late_enough and compare(said.text, text) is Relation.SAYS_MORE

    def _grounds(self, said: Proposal) -> Grounds:
        return ground.of_proposal(self._voice, said, said.ts_ms)

    def _entry_grounds(self, entry: Entry) -> Grounds:
        """What an entry says; sessions of one family are one."""
        grounds = ground.of_entry(entry)
        voices = tuple(dict.fromkeys(first_of_family(self._night, session) for session in grounds.sessions))
        return grounds._replace(sessions=voices, support=max(1, len(voices)))

    def _dated(self, proposal: Proposal) -> Proposal:
        """What was said, with its days by the calendar; no message is of a time that is still to come."""
        ts_ms = min(self._reading.said_ms(proposal), self._night.now_ms())
        text, count = absolute(proposal.text, ts_ms)
        self.dates += count
        return proposal._replace(text=text, ts_ms=ts_ms)

    def _note(self, event: str, said: Proposal) -> None:
        self.events.append(event)
        self._said[event] = (said.type, said.text)

    def _new_id(self, said: Proposal) -> str:
        """An id for what was said there: the same on every machine, unless it was used."""
        name = memory_id(self._reading.project, said)
        while self._night.ledger.is_memory(name) or self.touched.is_made(name):
            name = short_id("m")
        return name

    def _known_topics(self) -> set[str]:
        if self._topics is None:
            self._topics = self._reading.topics
        if self._topics is None:
            self._topics = set(self._night.store.memories.topic_names(self._night.owner, self._reading.project))
        return self._topics


def _is_passing(said: Proposal) -> bool:
    return is_passing(said.type, said.text, said.trust, is_asked=said.is_asked)
