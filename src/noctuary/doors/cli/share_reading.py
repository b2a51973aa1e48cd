"""`noctuary share` for whoever reviews and reads: proposals, what was accepted, and what it rests on."""

import click

from noctuary.app import Memory
from noctuary.doors.cli.as_json import print_either, print_json
from noctuary.doors.cli.failures import FOUND, NOTHING_FOUND
from noctuary.doors.cli.memory_options import command_line, text, with_memory, with_memory_to_read
from noctuary.doors.cli.paint import one_line
from noctuary.doors.cli.share_told import share_told, shares_told


@click.command()
@click.argument("team", required=False, type=text)
@with_memory_to_read
def review(memory: Memory, team: str | None, as_json: bool) -> int:
    """List what waits for your review, in a team or in all.

    What you published yourself waits for another reviewer, unless you are the only one.

    \b
    Examples:
      noctuary share review
      noctuary share review Shop --json
    """
    found = memory.team.proposals(team)
    if as_json:
        print_json({"count": len(found), "proposals": found})
    elif found:
        click.echo("\n".join(line for share in found for line in share_told(share)))
        accept_it, refuse_it = (command_line("share", verb, "ID") for verb in ("accept", "refuse"))
        click.echo(f"Decide with: {accept_it}, or {refuse_it} --because TEXT")
    else:
        click.echo("Nothing waits for your review.")
    return FOUND if found else NOTHING_FOUND


@click.command()
@click.argument("share", type=text)
@click.option("--text", "words", type=text, metavar="TEXT", help="In these words; both are kept.")
@with_memory
def accept(memory: Memory, share: str, words: str | None, as_json: bool) -> None:
    """Accept a proposal for all members, as it is or in other words; only a reviewer may.

    \b
    Examples:
      noctuary share accept sh-4k2x9q0c7d
      noctuary share accept sh-4k2x9q0c7d --text "Prices are stored in cents"
    """
    found = memory.team.accept(share, words)
    print_either(found, [f"Accepted {found.id}: {one_line(found.text)}"], as_json)


@click.command()
@click.argument("share", type=text)
@click.option("--because", required=True, type=text, metavar="TEXT", help="Why; its publisher reads it.")
@with_memory
def refuse(memory: Memory, share: str, because: str, as_json: bool) -> None:
    """Say why a proposal is not for the team; only a reviewer may.

    What was accepted before can be refused, too; then it is shared no longer.

    \b
    Examples:
      noctuary share refuse sh-4k2x9q0c7d --because "Only true of your machine"
    """
    found = memory.team.refuse(share, because)
    print_either(found, [f"Refused {found.id}: {one_line(found.reason)}"], as_json)


@click.command("list")
@click.argument("team", required=False, type=text)
@click.option("--words", default="", type=text, metavar="TEXT", help="Only what has all of these words.")
@with_memory_to_read
def list_(memory: Memory, team: str | None, words: str, as_json: bool) -> int:
    """List what a team shares, or all of your teams, the oldest first.

    \b
    Examples:
      noctuary share list
      noctuary share list Shop --words "cents"
    """
    found = memory.team.shared(team, words=words)
    if as_json:
        print_json({"count": len(found), "shares": found})
    else:
        click.echo("\n".join(shares_told(found)) if found else "Nothing is shared that you could read.")
    return FOUND if found else NOTHING_FOUND


@click.command()
@click.argument("share", type=text)
@with_memory_to_read
def show(memory: Memory, share: str, as_json: bool) -> None:
    """Show one thing that is shared: who said it, when, what it rests on, and who reviewed it.

    \b
    Examples:
      noctuary share show sh-4k2x9q0c7d
    """
    found = memory.team.share(share)
    print_either(found, share_told(found), as_json)
