"""The verbs of a team: what is shared with it, reviewed, read, and taken back."""

from __future__ import annotations  # or the annotations would load the parts below

from collections.abc import Sequence
from typing import TYPE_CHECKING

from noctuary.app.briefing import drop_brief_files
from noctuary.errors import BadInput
from noctuary.lazily import lazy_module

if TYPE_CHECKING:
    from noctuary.app.memory import Memory
    from noctuary.ledger.ledger import Ledger
    from noctuary.sharing import following, publishing, reviewing, teams
    from noctuary.sharing.publishing import Offer, Published
    from noctuary.store import sharing as stored
    from noctuary.store.memories import Remembered
    from noctuary.store.sharing import Binding, DeedDone, Member, Share, Team
else:
    following = lazy_module("noctuary.sharing.following")
    publishing = lazy_module("noctuary.sharing.publishing")
    reviewing = lazy_module("noctuary.sharing.reviewing")
    stored = lazy_module("noctuary.store.sharing")
    teams = lazy_module("noctuary.sharing.teams")


MOST_DEEDS = 200  # of the history, unless somebody asks for more


class TeamMemory:
    """What one owner shares with others, and others with them.  A team is named by its id or its name."""

    def __init__(self, memory: Memory) -> None:
        self.memory = memory

    @property
    def ledger(self) -> Ledger:
        """The journals of the owner, who is the one that asks."""
        return self.memory.ledger

    def make(self, name: str) -> Team:
        """A new team project; the owner is its first reviewer."""
        return teams.make_team(self.ledger, name)

    def teams(self) -> list[Team]:
        """The team projects that the owner is in, by name."""
        return teams.teams(self.ledger)

    def named(self, team: str) -> Team:
        """One of them; TeamNotFound if the owner is in none that is called so."""
        return teams.team_named(self.ledger, team)

    def members(self, team: str) -> list[Member]:
        """Who is in it."""
        return teams.members(self.ledger, team)

    def invite(self, team: str, owner: str, *, as_reviewer: bool = False) -> Member:
        """Let somebody in, or make them a reviewer or no longer one; only a reviewer may."""
        role = stored.Role.REVIEWER if as_reviewer else stored.Role.MEMBER
        return teams.invite(self.ledger, team, owner, role)

    def remove(self, team: str, owner: str) -> Team:
        """Let somebody be no member any more; only a reviewer may."""
        removed = teams.remove(self.ledger, team, owner)
        drop_brief_files(self.memory)
        return removed

    def leave(self, team: str) -> Team:
        """Be no member any more; what was published stays until it is taken back, which is possible at any time."""
        left = teams.leave(self.ledger, team)
        drop_brief_files(self.memory)
        return left

    def preview(self, team: str, *, memory: str | None = None, project: str | None = None) -> list[Offer]:
        """Exactly what others would see of a memory, or of all memories of a project; nothing is published."""
        chosen = self._chosen(memory, project)
        return publishing.preview(self.ledger, team, chosen, is_named=memory is not None)

    def publish(self, team: str, *, memory: str | None = None, project: str | None = None) -> Published:
        """Propose a memory, or all memories of a project that hold now, to a team; its reviewers decide.

        What a project learns later is proposed when it is published again, and never by itself.
        """
        chosen = self._chosen(memory, project)
        return publishing.publish(self.ledger, team, chosen, is_named=memory is not None)

    def mine(self) -> list[Share]:
        """What the owner has published and not taken back, and what became of it; the oldest first."""
        return publishing.mine(self.ledger)

    def share(self, name: str) -> Share:
        """One thing that is shared, if the owner may see it; ShareNotFound if not."""
        return publishing.share_named(self.ledger, name)

    def take_back(self, name: str) -> list[Share]:
        """Take back a share, or a memory from every team; nobody sees it any more.  What it was."""
        taken = publishing.take_back(self.ledger, name)
        drop_brief_files(self.memory)
        return taken

    def take_back_all(self, team: str) -> list[Share]:
        """Take back all that the owner published to a team; what it was."""
        taken = publishing.take_back_all(self.ledger, team)
        drop_brief_files(self.memory)
        return taken

    def proposals(self, team: str | None = None) -> list[Share]:
        """What waits for the owner's review, the oldest first."""
        return reviewing.proposals(self.ledger, team)

    def accept(self, share: str, text: str | None = None) -> Share:
        """Accept a proposal for all members, as it is or in other words."""
        accepted = reviewing.accept(self.ledger, share, text)
        drop_brief_files(self.memory)
        return accepted

    def refuse(self, share: str, reason: str) -> Share:
        """Say why something is not for the team."""
        refused = reviewing.refuse(self.ledger, share, reason)
        drop_brief_files(self.memory)
        return refused

    def shared(self, team: str | None = None, *, words: str = "") -> list[Share]:
        """What was accepted in a team, or in all of them, the oldest first; perhaps only what has these words."""
        return reviewing.shared(self.ledger, team, words)

    def history(self, team: str, *, before: str | None = None, most: int = MOST_DEEDS) -> list[DeedDone]:
        """What was done in a team, the newest first, from behind one on if its id is given; without texts."""
        return self.memory.store.sharing.history(self.memory.owner, self.named(team).id, before=before, most=most)

    def bind(self, team: str, project: str | None = None) -> Binding:
        """Let sessions in a project, by default that of this folder, be told what a team shares."""
        name, found = self._project(project), self.named(team)
        self.memory.store.sharing.bind(self.memory.owner, name, found.id, self.memory.clock.now_ms())
        drop_brief_files(self.memory)
        return stored.Binding(name, found.id, found.name)

    def unbind(self, team: str, project: str | None = None) -> bool:
        """Let them no longer be told; False if they were not."""
        name, found = self._project(project), self.named(team)
        was_bound = self.memory.store.sharing.unbind(self.memory.owner, name, found.id)
        drop_brief_files(self.memory)
        return was_bound

    def bindings(self, project: str | None = None) -> list[Binding]:
        """Which projects are told what which teams share; of one project, or of all."""
        return self.memory.store.sharing.bindings(self.memory.owner, project)

    def follow(self) -> None:
        """Take back what no longer holds in the owner's memory; whoever writes to a journal calls this."""
        if self.memory.store.database.fetch("is_share_due", owner=self.memory.owner):
            following.follow(self.ledger)
            drop_brief_files(self.memory)

    def follow_forgetting(self) -> None:
        """Take back what may still say something that was just forgotten."""
        if self.memory.store.database.fetch("shares_of_owner", owner=self.memory.owner, team=None):
            following.follow_forgetting(self.ledger)
            self.memory.store.database.fetch("tidy_log")  # else the words would stay in the database's file for a while

    def _chosen(self, memory: str | None, project: str | None) -> Sequence[Remembered]:
        if (memory is None) == (project is None):
            raise BadInput("Say what to publish: a memory by its id, or a project, and not both.")
        if memory is not None:
            return [self.memory.dreams.explain(memory).memory]
        self.ledger.catch_up_all()
        return publishing.of_project(self.ledger, self._project(project))

    def _project(self, project: str | None) -> str:
        name = self.memory.project_of(".") if project is None else self.memory.project_called(project)
        if not name:
            raise BadInput("This folder belongs to no project; name one with --project.")
        return name
