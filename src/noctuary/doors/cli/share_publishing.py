"""`noctuary share` for whoever publishes: look at what others would see, propose it, take it back."""

from collections.abc import Iterator, Sequence
from functools import partial

import click

from noctuary.app import Memory
from noctuary.doors.cli.as_json import print_json
from noctuary.doors.cli.failures import FOUND, NOTHING_FOUND
from noctuary.doors.cli.memory_options import (
    command_line,
    project_named,
    text,
    with_memory,
    with_memory_to_read,
    with_options,
)
from noctuary.doors.cli.paint import dim, one_line
from noctuary.doors.cli.share_told import content_told, shares_told
from noctuary.doors.cli.words import counted
from noctuary.errors import BadInput
from noctuary.sharing.publishing import Offer, Published, Step

_STEPS = {
    Step.PROPOSE: "would be proposed",
    Step.PROPOSE_ANEW: "would be proposed anew",
    Step.KNOWN: "is proposed or shared already, in these words",
    Step.REFUSED: "was refused in these words; name it to propose it again",
}
_chosen = partial(
    with_options,
    (
        click.argument("team", type=text),
        click.argument("name", metavar="[MEMORY]", required=False, type=text),
        click.option("--project", type=text, help="All memories of a project that hold now; `.`: of this folder's."),
    ),
)


@click.command()
@_chosen
@with_memory_to_read
def preview(memory: Memory, team: str, name: str | None, project: str | None, as_json: bool) -> int:
    """Show exactly what others would see of a memory, or of all memories of a project; nothing is published.

    \b
    Examples:
      noctuary share preview Shop m-6h4n2q8s0v
      noctuary share preview Shop --project .
    """
    offers = memory.team.preview(team, memory=name, project=project_named(memory, project))
    if as_json:
        print_json({"count": len(offers), "offers": offers})
    else:
        click.echo("\n".join(line for offer in offers for line in _offered(offer)) or "There is nothing to publish.")
    return FOUND if offers else NOTHING_FOUND


@click.command()
@_chosen
@with_memory
def publish(memory: Memory, team: str, name: str | None, project: str | None, as_json: bool) -> int:
    """Propose a memory, or all memories of a project that hold now, to a team.

    Members read it once a reviewer has accepted it.  What a project learns later is proposed when you publish it
    again, and never by itself.  A memory that has changed since is proposed again; until that is accepted the
    team reads what it had.  If a memory is superseded, retired or forgotten, it is taken back at once.

    \b
    Examples:
      noctuary share publish Shop m-6h4n2q8s0v
      noctuary share publish Shop --project .
    """  # fmt: skip
    done = memory.team.publish(team, memory=name, project=project_named(memory, project))
    print_json(done) if as_json else click.echo("\n".join(_published(done)))
    return FOUND if done.proposed else NOTHING_FOUND


@click.command()
@with_memory_to_read
def mine(memory: Memory, as_json: bool) -> int:
    """List what you published and did not take back, and what became of it.

    \b
    Examples:
      noctuary share mine
    """
    found = memory.team.mine()
    if as_json:
        print_json({"count": len(found), "shares": found})
    else:
        click.echo("\n".join(shares_told(found)) if found else "You have published nothing.")
    return FOUND if found else NOTHING_FOUND


@click.command("take-back")
@click.argument("names", metavar="[SHARE|MEMORY]...", nargs=-1, type=text)
@click.option("--all", "team", type=text, metavar="TEAM", help="All that you published to this team.")
@with_memory
def take_back(memory: Memory, names: Sequence[str], team: str | None, as_json: bool) -> int:
    """Take back what you published, at any time, also from a team that you have left.

    Nobody sees it any more, neither in lists nor in what sessions are told.  All that is left is a line in the history
    of the team that something was taken back, without its text.

    \b
    Examples:
      noctuary share take-back sh-4k2x9q0c7d
      noctuary share take-back m-6h4n2q8s0v
      noctuary share take-back --all Shop
    """
    if bool(names) == bool(team):
        raise BadInput("Say what to take back: shares or memories by their ids, or --all TEAM.")
    taken = [share for name in names for share in memory.team.take_back(name)]
    taken += memory.team.take_back_all(team) if team else []
    if as_json:
        print_json({"count": len(taken), "shares": [share.id for share in taken]})
    else:
        lines = [f"Took back {share.id} from {one_line(share.team_name)}" for share in taken]
        click.echo("\n".join(lines) or "You have published nothing there.")
    return FOUND if taken else NOTHING_FOUND


def _offered(offer: Offer) -> Iterator[str]:
    yield from content_told(offer.content)
    yield dim(f"  {_STEPS[offer.step]}")


def _published(done: Published) -> Iterator[str]:
    count = counted(len(done.proposed), "memory", "memories")
    yield f"Proposed {count} to {one_line(done.team.name)}."
    yield from shares_told(done.proposed) if done.proposed else ()
    for step in (Step.KNOWN, Step.REFUSED):
        if left_out := sum(offer.step is step for offer in done.left_out):
            told = (
                "proposed or shared already" if step is Step.KNOWN else "refused before; name one to propose it again"
            )
            yield f"{counted(left_out, 'memory', 'memories')} left out: {told}."
    if done.proposed:
        yield f"Take back what you published with: {command_line('share', 'take-back', 'ID')}"
