"""Projects of a team: made by anybody, whose members are invited by its reviewers, and leave or are removed.

Whoever makes one is its first reviewer.  As long as there are members there is a reviewer among them.
"""

from noctuary.errors import BadChange, BadInput, NotAllowed, TeamNotFound
from noctuary.ids import short_id
from noctuary.ledger.ledger import Ledger
from noctuary.redact import redact
from noctuary.sharing.deeds import note
from noctuary.store.sharing import Deed, Member, Role, Team
from noctuary.work.wording import words_of

LONGEST_NAME = 200


def make_team(ledger: Ledger, name: str) -> Team:
    """A new team, of which the owner is the reviewer; BadChange if they are in one of that name."""
    words = _name(redact(name), "name of the team")
    with ledger.store.database.transaction():
        if any(team.name == words for team in teams(ledger)):
            raise BadChange(f"You are in a team {words!r} already; choose another name.")
        team = short_id("tp")
        ledger.store.sharing.add_team(ledger.owner, team, words, ledger.clock.now_ms())
        note(ledger, team, Deed.MADE)
    return team_named(ledger, team)


def teams(ledger: Ledger) -> list[Team]:
    """The teams that the owner is in, by name."""
    return ledger.store.sharing.teams(ledger.owner)


def team_named(ledger: Ledger, name: str) -> Team:
    """The team of this id or name that the owner is in; of others nobody is told that there are any."""
    known = teams(ledger)
    found = [team for team in known if team.id == name] or [team for team in known if team.name == name]
    if len(found) > 1:
        raise BadInput(f"You are in more than one team {name!r}; say which: {', '.join(team.id for team in found)}.")
    if not found:
        raise TeamNotFound(f"You are in no team {name!r}; `noctuary share teams` lists those you are in.")
    return found[0]


def turn_in(ledger: Ledger, name: str) -> Team:
    """The same, in which nobody else changes anything until the transaction ends: what is so now stays so."""
    team = team_named(ledger, name)
    ledger.store.sharing.take_turn(team.id)
    return team_named(ledger, team.id)


def reviewed_team(ledger: Ledger, name: str) -> Team:
    """The team of this id or name, of which the owner is a reviewer; NotAllowed if they are not."""
    team = team_named(ledger, name)
    if team.role is not Role.REVIEWER:
        raise NotAllowed(f"Only a reviewer of {team.name} may do that; `noctuary share members` names them.")
    return team


def members(ledger: Ledger, name: str) -> list[Member]:
    """Who is in a team."""
    return ledger.store.sharing.members(ledger.owner, team_named(ledger, name).id)


def reviewers(ledger: Ledger, team: Team) -> list[str]:
    """Who reviews in a team."""
    return [one.owner for one in ledger.store.sharing.members(ledger.owner, team.id) if one.role is Role.REVIEWER]


def invite(ledger: Ledger, name: str, owner: str, role: Role = Role.MEMBER) -> Member:
    """Let somebody be a member or a reviewer from now on; whether there is such an owner is not said."""
    who = _name(owner, "name of the member")
    with ledger.store.database.transaction():
        team = reviewed_team(ledger, turn_in(ledger, name).id)
        if role is Role.MEMBER and reviewers(ledger, team) == [who]:
            raise BadChange(f"{who} is the only reviewer of {team.name}; make somebody else a reviewer first.")
        known = {one.owner: one for one in members(ledger, team.id)}
        if who not in known or known[who].role is not role:
            ledger.store.sharing.set_member(ledger.owner, team.id, who, role, ledger.clock.now_ms())
            note(ledger, team.id, Deed.INVITED, who)
        return next(one for one in members(ledger, team.id) if one.owner == who)


def leave(ledger: Ledger, name: str) -> Team:
    """Be no member any more.  What was published stays until it is taken back, which is possible at any time."""
    with ledger.store.database.transaction():
        team = turn_in(ledger, name)
        others = [one.owner for one in members(ledger, team.id) if one.owner != ledger.owner]
        if others and reviewers(ledger, team) == [ledger.owner]:
            raise BadChange(
                f"You are the only reviewer of {team.name}; make somebody else a reviewer first: "
                f"`noctuary share invite {team.id} OWNER --reviewer`."
            )
        note(ledger, team.id, Deed.LEFT, ledger.owner)
        ledger.store.sharing.end_membership(team.id, ledger.owner, ledger.clock.now_ms())
    return team


def remove(ledger: Ledger, name: str, owner: str) -> Team:
    """Let somebody be no member any more; whoever removes themselves leaves."""
    if owner == ledger.owner:
        return leave(ledger, name)
    with ledger.store.database.transaction():
        team = reviewed_team(ledger, turn_in(ledger, name).id)
        if not ledger.store.sharing.end_membership(team.id, owner, ledger.clock.now_ms()):
            raise TeamNotFound(f"{owner} is not in {team.name}; `noctuary share members` names who is.")
        note(ledger, team.id, Deed.REMOVED, owner)
    return team


def _name(text: str, what: str) -> str:
    words = " ".join(words_of(text, what).split())
    if not words or len(words) > LONGEST_NAME:
        raise BadInput(f"The {what} has to have 1 to {LONGEST_NAME} letters.")
    return words
