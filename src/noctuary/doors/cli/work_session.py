"""`noctuary session`: sessions of work on a goal."""

import click

from noctuary.app.work import Work
from noctuary.doors.cli import commands
from noctuary.doors.cli.as_json import plain, print_json
from noctuary.doors.cli.failures import FOUND, NOTHING_FOUND
from noctuary.doors.cli.memory_options import command_line, text
from noctuary.doors.cli.paint import bold, dim, one_line, safe
from noctuary.doors.cli.tables import facts, table
from noctuary.doors.cli.work_options import everywhere, with_work, with_work_to_read
from noctuary.moments import show_time
from noctuary.store.work_sessions import WorkSession

COMMANDS = {
    "start": commands.Entry("work_session:start", "Begin to work on a goal, and read what the last session left."),
    "end": commands.Entry("work_session:end", "End it, with notes for the next one."),
    "list": commands.Entry("work_session:list_", "List sessions of work, the newest first."),
    "show": commands.Entry("work_session:show", "Show a session of work and the notes it ended with."),
}
_HEADS = ("SESSION", "STARTED", "ENDED", "GOAL", "AGENTS", "SUMMARY")
_AGENT = "Who works in it.  Repeatable."


@click.group(cls=commands.Commands, table=COMMANDS)
def session() -> None:
    """Work on a goal, and hand it over at the end.

    These are sessions of work, by any number of agents; the conversations of agents are listed by
    `noctuary sessions`.  Each command has --json.

    \b
    Examples:
      noctuary session start g-3f9x --agent ana-1
      noctuary session end --summary "the schema is done, the import is next"
      noctuary session list
    """  # fmt: skip


@click.command()
@click.argument("goal", required=False, type=text)
@click.option("--agent", "agents", multiple=True, type=text, help=_AGENT)
@with_work
def start(work: Work, goal: str | None, agents: tuple[str, ...], as_json: bool) -> None:
    """Begin to work on a goal, and read what the last session left.

    If a session on the goal is open already, it is joined.  GOAL is a goal or a task; without it the only active goal
    of the project.

    \b
    Examples:
      noctuary session start
      noctuary session start g-3f9x --agent ana-1 --agent ben-2
    """  # fmt: skip
    started = work.start_session(goal, agents=agents)
    if as_json:
        print_json(started)
        return
    click.echo(_headline(work, started.session, "started" if started.is_new else "joined"))
    if started.last_notes is None:
        click.echo("No session on this goal has ended before, so there are no notes.")
    else:
        click.echo(f"{dim('The last session left these notes:')}\n\n{safe(started.last_notes)}", nl=False)


@click.command()
@click.argument("name", metavar="[SESSION]", required=False, type=text)
@click.option("--summary", default="", type=text, help="What was done, in a sentence.")
@click.option("--agent", "agents", multiple=True, type=text, help=_AGENT)
@with_work
def end(work: Work, name: str | None, summary: str, agents: tuple[str, ...], as_json: bool) -> None:
    """End it, with notes for the next one.

    The notes are those of `noctuary handoff`, as the work stands now.  SESSION is the id of a session or how it
    begins; without it the one that is open in this project.  Ending it again changes nothing.

    \b
    Examples:
      noctuary session end
      noctuary session end ws-7h3m --summary "the schema is done, the import is next"
    """  # fmt: skip
    had_ended = name is not None and work.work_session(name).ended_ms is not None
    ended = work.end_session(name, summary=summary, agents=agents)
    if as_json:
        print_json({**plain(ended), "had_ended": had_ended})
        return
    before = f"\nIt ended on {show_time(ended.ended_ms)} UTC already; nothing was changed." if had_ended else ""
    click.echo(f"{_headline(work, ended, 'ended')}{before}\n\n{safe(ended.notes or '')}", nl=False)


@click.command("list")
@click.argument("goal", required=False, type=text)
@everywhere
@with_work_to_read
def list_(work: Work, goal: str | None, everywhere: bool, as_json: bool) -> int:
    """List sessions of work, the newest first.

    \b
    Examples:
      noctuary session list
      noctuary session list g-3f9x --json
    """
    listed = work.work_sessions(goal, everywhere=everywhere)
    if as_json:
        print_json({"count": len(listed), "sessions": listed})
    elif listed:
        click.echo("\n".join(table(_HEADS, [_row(each) for each in listed])))
    else:
        click.echo(f"No session of work yet. Begin one with: {command_line('session', 'start')} GOAL")
    return FOUND if listed else NOTHING_FOUND


@click.command()
@click.argument("name", metavar="SESSION", type=text)
@with_work_to_read
def show(work: Work, name: str, as_json: bool) -> None:
    """Show a session of work and the notes it ended with.

    \b
    Examples:
      noctuary session show ws-7h3m
    """
    found = work.work_session(name)
    if as_json:
        print_json(found)
        return
    pairs = [
        ("started", show_time(found.started_ms)),
        ("ended", show_time(found.ended_ms)),
        ("agents", _agents(found)),
        ("summary", one_line(found.summary or "")),
    ]
    is_open = "is open" if found.ended_ms is None else "has ended"
    click.echo("\n".join([_headline(work, found, is_open), *facts(pairs)]))
    if found.notes:
        click.echo(f"\n{safe(found.notes)}", nl=False)


def _headline(work: Work, found: WorkSession, what: str) -> str:
    goal = work.node(found.goal)
    return f"{bold(f'{one_line(found.id)} {what}')}, on {one_line(goal.id)}  {one_line(goal.title)}"


def _row(found: WorkSession) -> tuple[str, ...]:
    return (
        one_line(found.id),
        show_time(found.started_ms),
        show_time(found.ended_ms) or "open",
        one_line(found.goal),
        _agents(found),
        one_line(found.summary or ""),
    )


def _agents(found: WorkSession) -> str:
    return ", ".join(map(one_line, found.agents))
