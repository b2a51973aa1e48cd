"""What owners share with a team, in the database: teams, members, copies of memories, reviews, what was done.

This is the one place where an owner may see rows of others.  Every call names who asks, and gives no more than the team
lets them see; on PostgreSQL the policies of the tables say the same once more.
"""

import json
from collections.abc import Iterable, Mapping, Sequence
from enum import StrEnum
from typing import Any, NamedTuple

from noctuary.store.database import Database, Row
from noctuary.store.memories import MemoryKind

MOST_SHARES = 10_000


class Role(StrEnum):
    """What somebody is in a team."""

    REVIEWER = "reviewer"
    MEMBER = "member"


class ShareState(StrEnum):
    """What became of a proposal; one that was taken back is gone."""

    PROPOSED = "proposed"
    ACCEPTED = "accepted"
    REFUSED = "refused"


class Deed(StrEnum):
    """What was done, as the history of a team has it."""

    MADE = "made"
    INVITED = "invited"
    LEFT = "left"
    REMOVED = "removed"
    PROPOSED = "proposed"
    ACCEPTED = "accepted"
    REFUSED = "refused"
    TAKEN_BACK = "took back"


class Team(NamedTuple):
    """A project of a team, and what one is in it."""

    id: str
    name: str
    made_by: str
    made_ms: int
    role: Role


class Member(NamedTuple):
    """Somebody in a team."""

    owner: str
    role: Role
    invited_by: str
    since_ms: int


class CitedWords(NamedTuple):
    """Words that a shared memory rests on, as they were when it was published."""

    session: str
    message: int
    quote: str


class Content(NamedTuple):
    """What others may see of a memory: a copy, which leads to nothing else of its owner's."""

    memory: str
    kind: MemoryKind
    text: str
    topic: str
    event: str
    said_by: str  # user, agent, dream …: who wrote it down in the publisher's memory
    trust: str  # user, agent, tool, web, import: where it comes from in the end
    said_ms: int
    valid_from_ms: int | None
    valid_to_ms: int | None
    recorded_ms: int
    cited: Sequence[CitedWords] = ()


class Share(NamedTuple):
    """A memory that was proposed to a team, and what became of that."""

    id: str
    team: str
    team_name: str
    publisher: str
    content: Content
    proposed_ms: int
    state: ShareState
    wording: str = ""  # what a reviewer made of it; empty: the publisher's words stand
    reason: str = ""
    reviewer: str = ""
    reviewed_ms: int | None = None

    @property
    def text(self) -> str:
        """What the team reads."""
        return self.wording or self.content.text


class DeedDone(NamedTuple):
    """One line of the history of a team: who did what to which share or member, and never a text."""

    id: str
    team: str
    at_ms: int
    who: str
    what: Deed
    about: str
    publisher: str


class Binding(NamedTuple):
    """A project of an owner's whose sessions are told what a team shares."""

    project: str
    team: str
    team_name: str


class Sharing:
    """What is shared; every call names the owner who asks."""

    def __init__(self, database: Database) -> None:
        self.database = database

    def add_team(self, owner: str, team: str, name: str, now_ms: int) -> None:
        """A new team, whose first reviewer is whoever makes it."""
        self.database.fetch("add_team", owner=owner, id=team, name=name, now_ms=now_ms)
        self.database.fetch("add_member", owner=owner, team=team, now_ms=now_ms)

    def teams(self, owner: str) -> list[Team]:
        """The teams that the owner is in, by name."""
        rows = self.database.fetch("teams_of", owner=owner)
        return [Team(team, name, made_by, made_ms, Role(role)) for team, name, made_by, made_ms, role in rows]

    def take_turn(self, team: str) -> None:
        """Wait until nobody else changes anything in a team, and let nobody until the end of the transaction.

        Only what is read from then on is what stays so.
        """
        self.database.fetch("take_turn_in_team", team=team)

    def members(self, owner: str, team: str) -> list[Member]:
        """Who is in a team; nobody, if the owner is not."""
        rows = self.database.fetch("members_of", owner=owner, team=team)
        return [Member(name, Role(role), invited_by, since_ms) for name, role, invited_by, since_ms in rows]

    def set_member(self, owner: str, team: str, member: str, role: Role, now_ms: int) -> None:
        """Let somebody be a member or a reviewer, whatever they were; whoever calls has checked that `owner` may."""
        self.database.fetch("set_member", owner=owner, team=team, member=member, role=str(role), now_ms=now_ms)

    def end_membership(self, team: str, member: str, now_ms: int) -> bool:
        """Let somebody be no member any more; False if they were none."""
        return bool(self.database.fetch("end_membership", team=team, member=member, now_ms=now_ms))

    def add(self, owner: str, share: str, team: str, content: Content, now_ms: int) -> None:
        """Propose a copy of a memory."""
        [(edition,)] = self.database.fetch("next_edition", owner=owner, team=team, memory=content.memory)
        self.database.fetch(
            "add_share",
            owner=owner,
            id=share,
            team=team,
            memory=content.memory,
            edition=edition,
            kind=str(content.kind),
            text=content.text,
            topic=content.topic,
            facts=json.dumps(_facts(content), ensure_ascii=False),
            now_ms=now_ms,
        )

    def where(
        self,
        owner: str,
        *,
        share: str | None = None,
        team: str | None = None,
        publisher: str | None = None,
        state: ShareState | None = None,
        most: int = MOST_SHARES,
    ) -> list[Share]:
        """What the owner may see, the oldest first: their own, what was accepted, and as a reviewer all proposals."""
        wanted = None if state is None else str(state)
        rows = self.database.fetch(
            "shares_seen", owner=owner, id=share, team=team, publisher=publisher, state=wanted, most=most
        )
        return [_share(row) for row in rows]

    def told(self, owner: str, project: str, most: int) -> list[Share]:
        """What others share with the teams that a project is bound to, the newest first."""
        return [_share(row) for row in self.database.fetch("shares_told", owner=owner, project=project, most=most)]

    def of_memory(self, owner: str, team: str, memory: str) -> list[str]:
        """The ids of all that the owner shares of a memory, also where a later one stands for it."""
        rows = self.database.fetch("shares_of_memory", owner=owner, team=team, memory=memory)
        return [row[0] for row in rows]

    def published_by(self, owner: str, team: str | None = None) -> list[tuple[str, str, str, Content]]:
        """Team, share, memory and content of all that the owner shares."""
        rows = self.database.fetch("shares_of_owner", owner=owner, team=team)
        return [
            (in_team, share, memory, _content(memory, kind, text, topic, json.loads(facts)))
            for share, in_team, memory, kind, text, topic, facts in rows
        ]

    def without_memory(self, owner: str) -> list[tuple[str, str]]:
        """Team and memory of all that the owner shares and that holds no longer."""
        return [(team, memory) for team, memory in self.database.fetch("shares_without_memory", owner=owner)]

    def replaced(self, owner: str) -> list[tuple[str, str]]:
        """Team and id of the owner's shares for which a later one stands."""
        return [(team, share) for team, share in self.database.fetch("shares_replaced", owner=owner)]

    def remove(self, owner: str, share: str) -> bool:
        """Remove a share of the owner's and what reviewers made of it; whether it had been accepted."""
        verdicts = self.database.fetch("remove_reviews", owner=owner, id=share)
        self.database.fetch("remove_share", owner=owner, id=share)
        return any(verdict == ShareState.ACCEPTED for (verdict,) in verdicts)

    def review(self, owner: str, share: Share, state: ShareState, wording: str, reason: str, now_ms: int) -> None:
        """Note what a reviewer makes of a share, instead of what was noted before."""
        self.database.fetch(
            "add_review",
            owner=owner,
            publisher=share.publisher,
            share=share.id,
            team=share.team,
            verdict=str(state),
            wording=wording,
            reason=reason,
            now_ms=now_ms,
        )

    def last_deed(self, owner: str) -> str:
        """The id of the owner's last line in any history; empty if there is none."""
        rows = self.database.fetch("last_history", owner=owner)
        return str(rows[0][0]) if rows else ""

    def note(self, done: DeedDone, *, is_open: bool) -> None:
        """Add a line to the history, for all members or for reviewers and the publisher alone."""
        self.database.fetch(
            "add_history",
            owner=done.who,
            id=done.id,
            team=done.team,
            now_ms=done.at_ms,
            what=str(done.what),
            about=done.about,
            publisher=done.publisher,
            is_open=int(is_open),
        )

    def history(self, owner: str, team: str, *, before: str | None, most: int) -> list[DeedDone]:
        """What was done in a team, as far as the owner may know, the newest first, from behind one of them on."""
        rows = self.database.fetch("history_seen", owner=owner, team=team, before=before, most=most)
        return [DeedDone(*row)._replace(what=Deed(row[4])) for row in rows]

    def bind(self, owner: str, project: str, team: str, now_ms: int) -> None:
        """Let sessions in a project be told what a team shares."""
        self.database.fetch("bind_project", owner=owner, project=project, team=team, now_ms=now_ms)

    def unbind(self, owner: str, project: str, team: str) -> bool:
        """Let them no longer be told; False if they were not."""
        return bool(self.database.fetch("unbind_project", owner=owner, project=project, team=team))

    def bindings(self, owner: str, project: str | None = None) -> list[Binding]:
        """Which projects are told what which teams share."""
        return [Binding(*row) for row in self.database.fetch("bindings_of", owner=owner, project=project)]


def _share(row: Row) -> Share:
    publisher, share, team, team_name, memory, kind, text, topic, facts, proposed_ms, *review = row
    verdict, wording, reason, reviewer, reviewed_ms = review
    content = _content(memory, kind, text, topic, json.loads(facts))
    state = ShareState(verdict or ShareState.PROPOSED)
    about = (wording or "", reason or "", reviewer or "", reviewed_ms)
    return Share(share, team, team_name, publisher, content, proposed_ms, state, *about)


def _facts(content: Content) -> dict[str, Any]:
    return {
        "event": content.event,
        "said_by": content.said_by,
        "trust": content.trust,
        "said_ms": content.said_ms,
        "valid_from_ms": content.valid_from_ms,
        "valid_to_ms": content.valid_to_ms,
        "recorded_ms": content.recorded_ms,
        "cited": [list(cited) for cited in content.cited],
    }


def _content(memory: str, kind: str, text: str, topic: str, facts: Mapping[str, Any]) -> Content:
    return Content(memory, MemoryKind(kind), text, topic, **{**facts, "cited": _cited(facts["cited"])})


def _cited(given: Iterable[Sequence[Any]]) -> tuple[CitedWords, ...]:
    return tuple(CitedWords(*one) for one in given)
