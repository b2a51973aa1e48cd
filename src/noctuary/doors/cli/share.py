"""`noctuary share`: a team's projects, and who is in them; what else belongs to it is in the modules beside."""

from collections.abc import Iterable

import click

from noctuary.app import Memory
from noctuary.doors.cli import commands
from noctuary.doors.cli.as_json import print_either, print_json
from noctuary.doors.cli.failures import FOUND, NOTHING_FOUND
from noctuary.doors.cli.memory_options import command_line, project_named, text, with_memory, with_memory_to_read
from noctuary.doors.cli.paint import one_line
from noctuary.doors.cli.share_told import history_row
from noctuary.doors.cli.tables import table
from noctuary.doors.cli.words import last_part
from noctuary.moments import show_day
from noctuary.store.sharing import Binding, Team

COMMANDS = {
    "teams": commands.Entry("share:teams", "List the teams you are in."),
    "make": commands.Entry("share:make", "Make a team; you are its first reviewer."),
    "members": commands.Entry("share:members", "List who is in a team."),
    "invite": commands.Entry("share:invite", "Add somebody to a team, or make them a reviewer."),
    "remove": commands.Entry("share:remove", "Remove somebody from a team."),
    "leave": commands.Entry("share:leave", "Leave a team."),
    "preview": commands.Entry("share_publishing:preview", "Show exactly what others would see."),
    "publish": commands.Entry("share_publishing:publish", "Propose a memory, or those of a project, to a team."),
    "mine": commands.Entry("share_publishing:mine", "List what you published, and what became of it."),
    "take-back": commands.Entry("share_publishing:take_back", "Take back what you published, at any time."),
    "review": commands.Entry("share_reading:review", "List what waits for your review."),
    "accept": commands.Entry("share_reading:accept", "Accept a proposal for all members, as it is or in other words."),
    "refuse": commands.Entry("share_reading:refuse", "Say why a proposal is not for the team."),
    "list": commands.Entry("share_reading:list_", "List what the team shares."),
    "show": commands.Entry("share_reading:show", "Show one thing that is shared, and what it rests on."),
    "history": commands.Entry("share:history", "List what was done in a team, without texts."),
    "bind": commands.Entry("share:bind", "Let sessions in a project be told what a team shares."),
    "unbind": commands.Entry("share:unbind", "Let them no longer be told."),
}


@click.group(cls=commands.Commands, table=COMMANDS)
def share() -> None:
    """Publish memories to a team's project, review them, take them back.

    A memory is proposed as a copy, with who said it, when, and the words it rests on.  Members read it once a reviewer
    has accepted it.  Nobody can look into your sessions, and you can take back what you published at any time.

    \b
    Examples:
      noctuary share make "Shop"
      noctuary share invite Shop ben
      noctuary share preview Shop m-6h4n2q8s0v
      noctuary share publish Shop m-6h4n2q8s0v
      noctuary share bind Shop
      noctuary share list --json
    """


@click.command()
@with_memory_to_read
def teams(memory: Memory, as_json: bool) -> int:
    """List the teams you are in, what you are in them, and which of your projects are told what they share.

    \b
    Examples:
      noctuary share teams
    """
    found, bound = memory.team.teams(), memory.team.bindings()
    if as_json:
        print_json({"count": len(found), "teams": found, "bindings": bound})
    elif found:
        click.echo(
            "\n".join(table(("ID", "NAME", "YOU ARE", "SINCE", "PROJECTS"), [_row(one, bound) for one in found]))
        )
    else:
        click.echo(f"You are in no team. Make one with: {command_line('share', 'make', 'NAME')}")
    return FOUND if found else NOTHING_FOUND


@click.command()
@click.argument("name", type=text)
@with_memory
def make(memory: Memory, name: str, as_json: bool) -> None:
    """Make a team; you are its first reviewer.

    \b
    Examples:
      noctuary share make "Shop"
    """
    team = memory.team.make(name)
    more = f"Let others in with: {command_line('share', 'invite', team.id, 'OWNER')}"
    print_either(team, [f"Made the team {one_line(team.name)} ({team.id}).", more], as_json)


@click.command()
@click.argument("team", type=text)
@with_memory_to_read
def members(memory: Memory, team: str, as_json: bool) -> None:
    """List who is in a team.

    \b
    Examples:
      noctuary share members Shop
    """
    found = memory.team.members(team)
    rows = [(one_line(one.owner), one.role, one_line(one.invited_by), show_day(one.since_ms)) for one in found]
    if as_json:
        print_json({"count": len(found), "members": found})
    else:
        click.echo("\n".join(table(("OWNER", "ROLE", "INVITED BY", "SINCE"), rows)))


@click.command()
@click.argument("team", type=text)
@click.argument("who", metavar="OWNER", type=text)
@click.option("--reviewer", is_flag=True, help="Let them review what others propose.")
@with_memory
def invite(memory: Memory, team: str, who: str, reviewer: bool, as_json: bool) -> None:
    """Add somebody to a team, by the name of their memory's owner; only a reviewer may.

    Said again with another role, it changes what they are.  Whether there is such an owner is not checked.

    \b
    Examples:
      noctuary share invite Shop ben
      noctuary share invite Shop ben --reviewer
    """
    member = memory.team.invite(team, who, as_reviewer=reviewer)
    is_in = f"{one_line(member.owner)} is a {member.role} of {one_line(memory.team.named(team).name)}."
    print_either(member, [is_in], as_json)


@click.command()
@click.argument("team", type=text)
@click.argument("who", metavar="OWNER", type=text)
@with_memory
def remove(memory: Memory, team: str, who: str, as_json: bool) -> None:
    """Remove somebody from a team; only a reviewer may.

    They no longer see anything of it.  What they published stays until they take it back, or a reviewer refuses it.

    \b
    Examples:
      noctuary share remove Shop ben
    """
    removed = memory.team.remove(team, who)
    print_either(removed, [f"{one_line(who)} is in {one_line(removed.name)} no longer."], as_json)


@click.command()
@click.argument("team", type=text)
@with_memory
def leave(memory: Memory, team: str, as_json: bool) -> None:
    """Leave a team.

    You no longer see anything of it.  What you published stays until you take it back, which you still can.

    \b
    Examples:
      noctuary share leave Shop
    """
    left = memory.team.leave(team)
    more = f"Take back what you published there with: {command_line('share', 'take-back', '--all', left.id)}"
    print_either(left, [f"You left {one_line(left.name)}.", more], as_json)


@click.command()
@click.argument("team", type=text)
@with_memory_to_read
def history(memory: Memory, team: str, as_json: bool) -> None:
    """List what was done in a team, the newest first: by whom and to what, never what was said.

    \b
    Examples:
      noctuary share history Shop
    """
    found = memory.team.history(team)
    if as_json:
        print_json({"count": len(found), "history": found})
    else:
        click.echo("\n".join(table(("TIME", "WHO", "DID", "WHAT"), [*map(history_row, found)])))


@click.command()
@click.argument("team", type=text)
@click.option("--project", type=text, help="Whose sessions.  [default: this folder's]")
@with_memory
def bind(memory: Memory, team: str, project: str | None, as_json: bool) -> None:
    """Let sessions in a project be told what a team shares, as statements of others and never as rules.

    \b
    Examples:
      noctuary share bind Shop
      noctuary share bind Shop --project ~/code/shop
    """
    bound = memory.team.bind(team, project_named(memory, project))
    told = f"Sessions in {last_part(bound.project)} are told what {one_line(bound.team_name)} shares."
    print_either(bound, [told, f"Read it with: {command_line('brief')}"], as_json)


@click.command()
@click.argument("team", type=text)
@click.option("--project", type=text, help="Whose sessions.  [default: this folder's]")
@with_memory
def unbind(memory: Memory, team: str, project: str | None, as_json: bool) -> int:
    """Let sessions in a project no longer be told what a team shares.

    \b
    Examples:
      noctuary share unbind Shop
    """
    was_bound = memory.team.unbind(team, project_named(memory, project))
    told = "They are told it no longer." if was_bound else "They were not told it."
    print_either({"was_bound": was_bound}, [told], as_json)
    return FOUND if was_bound else NOTHING_FOUND


def _row(team: Team, bound: Iterable[Binding]) -> tuple[str, ...]:
    projects = ", ".join(last_part(one.project) for one in bound if one.team == team.id)
    return team.id, one_line(team.name), team.role, show_day(team.made_ms), projects or "-"
