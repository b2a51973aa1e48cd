"""What a memory rests on: the sessions that state it, their entries and messages, and how far they are trusted."""

from collections.abc import Iterable, Sequence
from typing import Any, NamedTuple

from noctuary.authored import Entry, MessageRef, Trust
from noctuary.dream.merging.gates import rank
from noctuary.dream.merging.touched import said_ms, since_ms
from noctuary.proposals import Proposal
from noctuary.store.memories import Remembered

MOST_KEPT = 20  # of each kind; the newest stay, and the number of sessions is counted on
_MOST_MESSAGES = 5  # with their words; every support writes them once more, and entries cite them all
_LONGEST_QUOTE = 160
_UNSTATED = 0.5  # how sure one is if nobody said


class Grounds(NamedTuple):
    """What speaks for a sentence."""

    support: int  # how many sessions state it
    sessions: Sequence[str]
    events: Sequence[str]
    messages: Sequence[dict[str, Any]]
    first_ms: int
    last_ms: int
    trust: Trust
    confidence: float
    files: Sequence[str] = ()
    commits: Sequence[str] = ()

    def fields(self) -> dict[str, Any]:
        """The facts of a memory that rests on it."""
        facts = self._asdict()
        facts["valid_from"] = facts.pop("first_ms")
        facts["trust"] = str(self.trust)
        return {key: list(value) if isinstance(value, tuple) else value for key, value in facts.items() if value != ()}


def of_proposal(session: str, proposal: Proposal, ts_ms: int) -> Grounds:
    """What a session says."""
    return Grounds(
        1, (session,), (), _messages(proposal.messages), ts_ms, ts_ms, proposal.trust, proposal.confidence,
        _newest(proposal.files), _newest(proposal.commits),
    )  # fmt: skip


def of_entry(entry: Entry) -> Grounds:
    """What an entry of the journal says, whoever wrote it."""
    event = entry.event
    cited = [ref.session for ref in event.refs.messages]
    sessions = _newest([*cited, *([event.session] if event.session and not cited else [])])
    return Grounds(
        max(1, len(sessions)), sessions, (event.id,), _messages(event.refs.messages), event.ts_ms, event.ts_ms,
        event.trust, _UNSTATED if event.confidence is None else event.confidence,
        _newest(event.refs.files), _newest(event.refs.commits),
    )  # fmt: skip


def of_memory(memory: Remembered) -> Grounds:
    """What a memory rests on so far."""
    facts = memory.facts
    support, confidence, trust = (facts.get(key) for key in ("support", "confidence", "trust"))
    return Grounds(
        support if isinstance(support, int) else 1,
        _newest(facts.get("sessions") or ()),
        _newest(facts.get("events") or ()),
        tuple(facts.get("messages") or ()),
        since_ms(memory),
        said_ms(memory),
        Trust(trust) if trust in set(Trust) else Trust.AGENT,
        confidence if isinstance(confidence, (int, float)) else _UNSTATED,
        _newest(facts.get("files") or ()),
        _newest(facts.get("commits") or ()),
    )


def together(old: Grounds, new: Grounds) -> Grounds:
    """Both; a session that states it twice counts once, and what was only printed counts beside nobody's word."""
    support, sessions = _stated_by(old, new)
    return Grounds(
        support,
        sessions,
        _newest([*old.events, *new.events]),
        tuple([*old.messages, *(one for one in new.messages if one not in old.messages)][-_MOST_MESSAGES:]),
        min(old.first_ms, new.first_ms),
        max(old.last_ms, new.last_ms),
        new.trust if rank(new.trust) > rank(old.trust) else old.trust,
        max(old.confidence, new.confidence),
        _newest([*old.files, *new.files]),
        _newest([*old.commits, *new.commits]),
    )


def _stated_by(old: Grounds, new: Grounds) -> tuple[int, Sequence[str]]:
    """How many sessions state it, and which."""
    if (rank(old.trust) == 0) != (rank(new.trust) == 0):
        vouched = old if rank(old.trust) else new
        return vouched.support, vouched.sessions
    fresh = [session for session in new.sessions if session not in old.sessions]
    return old.support + len(fresh), _newest([*old.sessions, *fresh])


def _messages(refs: Iterable[MessageRef]) -> tuple[dict[str, Any], ...]:
    cited = [{"session": ref.session, "id": ref.id, "quote": ref.quote[:_LONGEST_QUOTE]} for ref in refs]
    return tuple(cited[:_MOST_MESSAGES])


def _newest(values: Iterable[str]) -> tuple[str, ...]:
    return tuple(list(dict.fromkeys(values))[-MOST_KEPT:])
