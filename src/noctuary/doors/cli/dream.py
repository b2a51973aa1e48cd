"""`noctuary dream`: read finished sessions for what nobody wrote down, and all that belongs to it."""

from collections.abc import Callable, Sequence
from pathlib import Path
from typing import Any

import click

from noctuary.app import Memory
from noctuary.doors.cli import commands
from noctuary.doors.cli.as_json import print_either, print_json
from noctuary.doors.cli.dream_told import log_told, overview_told, report_told, why_told
from noctuary.doors.cli.failures import FOUND, MODEL_PROBLEM, NOTHING_FOUND
from noctuary.doors.cli.memory_options import (
    command_line,
    note_place,
    project_named,
    text,
    with_memory,
    with_memory_to_read,
    with_options,
    with_place,
)
from noctuary.doors.cli.paint import dim, one_line
from noctuary.doors.cli.progress import PATIENCE, Bar
from noctuary.doors.cli.words import counted
from noctuary.dream_settings import BACKENDS
from noctuary.dreams import Report
from noctuary.errors import BadInput

COMMANDS = {
    "status": commands.Entry("dream:status", "Show what is waiting, when the next dream is due, and what it costs."),
    "log": commands.Entry("dream:log", "List the last dreams, the newest first."),
    "show": commands.Entry("dream:show", "Show all that a dream did, and why."),
    "why": commands.Entry("dream:why", "Show what a line of MEMORY.md rests on."),
    "review": commands.Entry("dream_review:review", "Look through what dreams proposed, and accept or reject it."),
    "undo": commands.Entry("dream:undo", "Take a dream back completely."),
    "end": commands.Entry("dream_sessions:end", "Mark a session as over, so that the next dream reads it."),
    "suspend": commands.Entry("dream_sessions:suspend", "Mark a session as paused, so that it does not end by itself."),
    "resume": commands.Entry("dream_sessions:resume", "Mark a suspended session as going on."),
    "heal": commands.Entry("dream_sessions:heal", "Rebuild the state of dreams from the journal."),
}
_MOST_KEPT = 5


def _choosing(command: Callable[..., Any]) -> Callable[..., Any]:
    options = (
        click.option("--dry-run", is_flag=True, help="Only show what would change, as a difference."),
        click.option("--if-due", is_flag=True, help="Only if enough waits or enough time has gone by."),
        click.option("--session", "sessions", multiple=True, type=text,
                     help="Only this session; it is ended first.  Repeatable."),
        click.option("--project", type=text, help="Only sessions of this project; `.`: that of this folder."),
        click.option("--limit", "most", type=click.IntRange(min=1), help="At most so many sessions."),
        click.option("--backend", type=click.Choice(BACKENDS), help="What reads the sessions.  [default: config.toml]"),
    )  # fmt: skip
    return with_options(options, command)


@click.command("run")
@_choosing
@with_memory
def run(
    memory: Memory,
    dry_run: bool,
    if_due: bool,
    sessions: Sequence[str],
    project: str | None,
    most: int | None,
    backend: str | None,
    as_json: bool,
) -> int:
    """Read finished sessions for what nobody wrote down."""
    chosen = {"sessions": sessions, "project": project_named(memory, project), "most": most, "backend": backend}
    if if_due and (dry_run or any(value is not None and value != () for value in chosen.values())):
        raise BadInput("--if-due dreams of whatever waits, so it goes with no other choice; leave out one of the two.")
    report = memory.dreams.run_if_due() if if_due else _run(memory, dry_run, chosen)
    lines = [] if as_json else report_told(report, outlook=memory.dreams.outlook(), is_chosen=bool(sessions or project))
    print_either(report, lines[:1] if if_due else lines, as_json)
    return MODEL_PROBLEM if report.failed and not dry_run else FOUND


def _run(memory: Memory, dry_run: bool, chosen: dict[str, Any]) -> Report:
    if dry_run:
        return memory.dreams.rehearse(**chosen)
    with Bar("Dreaming", lambda total: counted(total, "session"), patience=PATIENCE) as bar:
        return memory.dreams.run(**chosen, progress=bar.show)


@click.group(cls=commands.Commands, table=COMMANDS, invoke_without_command=True)
@_choosing
@with_place
@click.pass_context
def dream(
    context: click.Context, /, home: Path | None, owner: str | None, database: str | None, **options: Any
) -> None:
    """Read finished sessions for what nobody wrote down.

    Decisions, rejections, findings, rules and preferences are recovered from sessions that have ended, each with the
    words it rests on, and merged with what is known.  Nothing is deleted, everything can be taken back, and no model
    is needed.  A session ends when you say so, or when nothing has happened in it for a day.

    \b
    Examples:
      noctuary dream
      noctuary dream --dry-run
      noctuary dream review
      noctuary dream why "Sessions live in SQLite"
      noctuary dream undo
    """  # fmt: skip
    note_place(context, home, owner, database)
    if context.invoked_subcommand is None:
        context.invoke(run, home=None, owner=None, database=None, **options)
    elif any(options.values()):
        raise click.UsageError(
            f"Options of a dream do not go with `{context.invoked_subcommand}`; write its own after it."
        )


@click.command()
@with_memory_to_read
def status(memory: Memory, as_json: bool) -> None:
    """Show what is waiting, when the next dream is due, and what it costs.

    \b
    Examples:
      noctuary dream status
      noctuary dream status --json
    """
    overview = memory.dreams.overview()
    if as_json:
        counts = {f"{status}{'_held' if held else ''}": count for (status, held), count in overview.counts.items()}
        print_json({**overview._asdict(), "counts": counts, "sessions": memory.dreams.waiting()})
    else:
        click.echo("\n".join(overview_told(overview, memory.dreams.waiting())))


@click.command()
@click.option("--limit", default=20, show_default=True, type=click.IntRange(min=1), help="How many.")
@with_memory_to_read
def log(memory: Memory, limit: int, as_json: bool) -> int:
    """List the last dreams, the newest first.

    \b
    Examples:
      noctuary dream log
      noctuary dream log --limit 3 --json
    """
    reports = memory.dreams.log(limit)
    if as_json:
        print_json({"count": len(reports), "runs": reports})
    else:
        none = f"There has been no dream yet. Have one with: {command_line('dream')}"
        click.echo("\n".join(log_told(reports)) if reports else none)
    return FOUND if reports else NOTHING_FOUND


@click.command()
@click.argument("name", metavar="[RUN]", required=False, type=text)
@with_memory_to_read
def show(memory: Memory, name: str | None, as_json: bool) -> None:
    """Show all that a dream did, and why; by default the last.

    \b
    Examples:
      noctuary dream show
      noctuary dream show 01K2X9 --json
    """
    report = memory.dreams.show(name)
    print_either(report, report_told(report, is_whole=True), as_json)


class _OfALine(click.Command):
    """A command whose argument may be a line of a page, which begins with a hyphen."""

    def parse_args(self, ctx: click.Context, args: list[str]) -> list[str]:
        """What begins with a hyphen and a blank is no option."""
        lines = [each for each in args if each.startswith("- ")]
        options = [each for each in args if each not in lines]
        return super().parse_args(ctx, [*options, "--", *lines] if lines else args)


@click.command(cls=_OfALine)
@click.argument("line", type=text)
@click.option("--project", type=text, help="Whose page.  [default: this folder's]")
@with_memory_to_read
def why(memory: Memory, line: str, project: str | None, as_json: bool) -> None:
    """Show what a line of MEMORY.md rests on: who said it, when, in which words.

    LINE is the whole line, a part of it, or the id at its end.

    \b
    Examples:
      noctuary dream why "Sessions live in SQLite"
      noctuary dream why m-6h4n2q8s0v
    """
    found = memory.dreams.why(line, project_named(memory, project))
    print_either(found, why_told(found), as_json)


@click.command()
@click.argument("name", metavar="[RUN]", required=False, type=text)
@with_memory
def undo(memory: Memory, name: str | None, as_json: bool) -> None:
    """Take a dream back completely; by default the last.

    Its entries are retracted, memories and MEMORY.md are what they were, and its sessions wait again until you ask for
    a dream.  What you confirmed since stays.

    \b
    Examples:
      noctuary dream undo
      noctuary dream undo 01K2X9
    """  # fmt: skip
    undone = memory.dreams.undo(name)
    if as_json:
        print_json(undone)
        return
    click.echo(
        f"Undid {undone.run}: {counted(undone.events, 'entry', 'entries')} retracted, "
        f"{counted(undone.memories, 'memory', 'memories')} as before, {counted(undone.sessions, 'session')} wait again."
    )
    if undone.kept:
        more = f" and {len(undone.kept) - _MOST_KEPT:,} more" if len(undone.kept) > _MOST_KEPT else ""
        click.echo(f"Kept what you confirmed since: {', '.join(undone.kept[:_MOST_KEPT])}{more}")
    pages = [Path(page) for page in undone.pages]
    written = [page for page in pages if page.name == "MEMORY.md"]
    for page in written[:_MOST_KEPT]:
        done = "Wrote" if Path(page).exists() else "Removed"
        click.echo(f"{done} {one_line(str(page))}")
    if rest := len(pages) - len(written[:_MOST_KEPT]):
        click.echo(f"Wrote {counted(rest, 'other file')} beside them; --json names all.")
    click.echo(dim(f"Have the dream again: {command_line('dream')}"))
