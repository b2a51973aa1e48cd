"""What a run found in one completion of a session, on the way to the journal."""

from collections.abc import Sequence
from typing import Any, NamedTuple

from noctuary.authored import Author, Entry, Event, EventSource, EventStatus, Refs
from noctuary.dream.merging.history import Guarded, History
from noctuary.ids import derived_id
from noctuary.proposals import Proposal
from noctuary.records import Session


def memory_id(project: str, said: Proposal) -> str:
    """The id of the memory that is made of what was said there: the same on every machine."""
    first = said.messages[0]
    return derived_id("m", project, first.session, str(first.id), said.text)


class Reading(NamedTuple):
    """What was found in a completion of a session, compared with what is known."""

    run: str
    session: Session
    epoch: int
    first: int  # of the messages that were read
    last: int
    guarded: Guarded
    history: History
    node: str | None = None  # the task that the session is about
    topics: set[str] | None = None  # those of the project, if they are known; new ones are added
    planted: Sequence[str] = ()  # what the agent had remembered and had only read somewhere

    @property
    def project(self) -> str:
        """The project that it belongs to."""
        return self.session.project or ""

    @property
    def mark(self) -> dict[str, Any]:
        """What every entry of it says about where it comes from."""
        return {"run": self.run, "session": self.session.id, "epoch": self.epoch}

    def said_ms(self, proposal: Proposal) -> int:
        """When it was said: by the message it cites, else as the session knows; never when it was dreamt of."""
        return proposal.ts_ms or self.session.last_ms or self.session.started_ms or 0

    def entry(self, proposal: Proposal, node: str | None) -> Event:
        """The proposal as an entry of the journal, which nobody has looked at yet."""
        return Event(
            proposal.type,
            proposal.text,
            node=node,
            ts_ms=self.said_ms(proposal),
            author=Author.DREAM,
            source=EventSource.DREAM,
            confidence=proposal.confidence,
            strength=proposal.strength,
            refs=Refs(tuple(proposal.messages), tuple(proposal.commits), tuple(proposal.files)),
            status=EventStatus.SUGGESTED,
            trust=proposal.trust,
            meta={"dream": self.mark},
        )

    def passing_entry(self, proposal: Proposal, node: str | None) -> Event:
        """The same of what was meant for once only, so that nothing is made of it later."""
        return self.entry(proposal, node)._replace(meta={"dream": {**self.mark, "passing": True}})

    def is_passing(self, entry: Entry) -> bool:
        """Whether an entry says what was meant for once only."""
        return (entry.event.meta.get("dream") or {}).get("passing") is True
