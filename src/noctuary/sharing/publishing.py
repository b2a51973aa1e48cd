"""Propose memories to a team, and take them back.

What is proposed is a copy of what a memory says now.  Proposing again adds what is new: memories that were not proposed
yet, and those that say something else since; of these what was accepted before stays until the new words are.
"""

from collections.abc import Iterable, Mapping, Sequence
from enum import StrEnum
from typing import NamedTuple

from noctuary.errors import BadChange, BadInput, ShareNotFound
from noctuary.ids import short_id
from noctuary.ledger.ledger import Ledger
from noctuary.sharing.copying import content_of, is_as_it_was
from noctuary.sharing.deeds import note
from noctuary.sharing.teams import team_named, turn_in
from noctuary.store.memories import MemoryStatus, Remembered
from noctuary.store.sharing import Content, Deed, Share, ShareState, Team

_MOST_MEMORIES = 100_000


class Step(StrEnum):
    """What publishing does with a memory."""

    PROPOSE = "propose"  # it is new to the team
    PROPOSE_ANEW = "propose anew"  # it says something else since, or was refused and is asked for by name
    KNOWN = "known"  # the team has it, or its reviewers have
    REFUSED = "refused"  # a reviewer refused these words; by its own name it can be proposed again


class Offer(NamedTuple):
    """Exactly what others would see of a memory, and what publishing it does."""

    content: Content
    step: Step


class Published(NamedTuple):
    """What was proposed to a team, and what was not because it was known or refused."""

    team: Team
    proposed: Sequence[Share]
    left_out: Sequence[Offer]


def preview(ledger: Ledger, team_name: str, memories: Sequence[Remembered], *, is_named: bool) -> list[Offer]:
    """What publishing these memories would do; nothing is done."""
    team = team_named(ledger, team_name)
    _check_held(memories)
    return _offers(ledger, memories, _by_memory(ledger, team), is_named)


def of_project(ledger: Ledger, project: str) -> list[Remembered]:
    """All memories of a project that hold now, the oldest first; those of all projects are not its own."""
    if not project:
        raise BadInput("Name the project whose memories are to be published.")
    held = ledger.store.memories.where(ledger.owner, project=project, most=_MOST_MEMORIES)
    return [memory for memory in reversed(held) if memory.project == project]


def publish(ledger: Ledger, team_name: str, memories: Sequence[Remembered], *, is_named: bool) -> Published:
    """Propose memories to a team; all or none."""
    with ledger.store.database.transaction():
        team = turn_in(ledger, team_name)
        _check_held(memories)
        known = _by_memory(ledger, team)
        offers = _offers(ledger, memories, known, is_named)
        wanted = [offer.content for offer in offers if offer.step in (Step.PROPOSE, Step.PROPOSE_ANEW)]
        new = [_propose(ledger, team, content, known.get(content.memory, ())) for content in wanted]
        by_id = {share.id: share for share in mine(ledger, team.id)} if new else {}
        shares = [by_id[name] for name in new]
    return Published(team, shares, [offer for offer in offers if offer.step in (Step.KNOWN, Step.REFUSED)])


def mine(ledger: Ledger, team: str | None = None) -> list[Share]:
    """What the owner has published and not taken back, the oldest first; also in teams that they have left."""
    return ledger.store.sharing.where(ledger.owner, team=team, publisher=ledger.owner, most=_MOST_MEMORIES)


def share_named(ledger: Ledger, name: str) -> Share:
    """The share of this id that the owner may see; ShareNotFound if there is none."""
    found = ledger.store.sharing.where(ledger.owner, share=name)
    if not found:
        raise ShareNotFound(f"There is nothing shared that is called {name!r}; `noctuary share list` shows ids.")
    return found[0]


def take_back(ledger: Ledger, name: str) -> list[Share]:
    """Take back what is shared under this id, or all that is shared of the memory of this id; what it was."""
    with ledger.store.database.transaction():
        known = mine(ledger)
        chosen = [share for share in known if name in (share.id, share.content.memory)]
        if not chosen:
            raise ShareNotFound(f"You share nothing that is called {name!r}; `noctuary share mine` shows what you do.")
        taken = {(share.team, share.content.memory) for share in chosen}
        take_back_memories(ledger, taken)
    return [share for share in known if (share.team, share.content.memory) in taken]


def take_back_all(ledger: Ledger, team: str) -> list[Share]:
    """Take back all that the owner published to the team of this id or name, also if they have left it; what it was."""
    with ledger.store.database.transaction():
        shares = mine(ledger)
        known = [one for one in shares if one.team == team] or [one for one in shares if one.team_name == team]
        if len(teams := sorted({share.team for share in known})) > 1:
            raise BadInput(f"You published to more than one team {team!r}; say which: {', '.join(teams)}.")
        take_back_memories(ledger, {(share.team, share.content.memory) for share in known})
    return known


def take_back_memories(ledger: Ledger, chosen: Iterable[tuple[str, str]]) -> None:
    """Remove every copy of these memories from these teams; that something was there is all that is left."""
    sharing, owner, known = ledger.store.sharing, ledger.owner, sorted(chosen)
    take_turns(ledger, (team for team, _ in known))
    for team, memory in known:
        names = sharing.of_memory(owner, team, memory)
        accepted = [sharing.remove(owner, name) for name in names]
        if names:
            note(ledger, team, Deed.TAKEN_BACK, names[-1], publisher=owner, is_open=any(accepted))


def take_turns(ledger: Ledger, teams: Iterable[str]) -> None:
    """Let nobody else change anything in these teams until the transaction ends.

    In one order, so that nobody waits for somebody who waits for them.
    """
    for team in sorted(set(teams)):
        ledger.store.sharing.take_turn(team)


def _check_held(memories: Iterable[Remembered]) -> None:
    for memory in memories:
        if memory.status is not MemoryStatus.ACTIVE:
            raise BadChange(f"{memory.id} is {memory.status}; only what holds can be published.")


def _by_memory(ledger: Ledger, team: Team) -> dict[str, list[Share]]:
    """What the owner shares with a team, by the memory: asked once, however much is published."""
    found: dict[str, list[Share]] = {}
    for share in mine(ledger, team.id):
        found.setdefault(share.content.memory, []).append(share)
    return found


def _offers(
    ledger: Ledger, memories: Iterable[Remembered], known: Mapping[str, Sequence[Share]], is_named: bool
) -> list[Offer]:
    contents = [content_of(ledger, memory) for memory in memories]
    return [Offer(content, _step(content, known.get(content.memory, ()), is_named)) for content in contents]


def _step(content: Content, shares: Sequence[Share], is_named: bool) -> Step:
    if not shares:
        return Step.PROPOSE
    same = [share for share in shares if is_as_it_was(share.content, content)]
    if any(share.state is not ShareState.REFUSED for share in same):
        return Step.KNOWN
    return Step.REFUSED if same and not is_named else Step.PROPOSE_ANEW


def _propose(ledger: Ledger, team: Team, content: Content, before: Iterable[Share]) -> str:
    """Propose a copy, in the place of what was proposed of the memory before and not accepted."""
    sharing, owner = ledger.store.sharing, ledger.owner
    for share in before:
        if share.state is not ShareState.ACCEPTED:
            sharing.remove(owner, share.id)
    name = short_id("sh")
    sharing.add(owner, name, team.id, content, ledger.clock.now_ms())
    note(ledger, team.id, Deed.PROPOSED, name, publisher=owner, is_open=False)
    return name
