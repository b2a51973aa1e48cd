"""`noctuary install` and `noctuary uninstall`."""

import difflib
import os
import sys
from collections.abc import Callable, Iterable, Iterator, Sequence
from pathlib import Path

import click

from noctuary.agents.changes import AgentChange, FileChange, Outcome
from noctuary.app.installing import AGENTS, Installation, Removal
from noctuary.doors.cli.as_json import print_json
from noctuary.doors.cli.commands import Place
from noctuary.doors.cli.failures import FOUND, NOTHING_FOUND, STORE_PROBLEM
from noctuary.doors.cli.memory_options import command_line, with_options, with_settings
from noctuary.doors.cli.paint import bold, clipped, coloured, dim, safe, wrapped
from noctuary.doors.cli.words import counted
from noctuary.errors import BadInput
from noctuary.settings import Settings, usual_home

_LONGEST = 400  # columns of a line of a difference: settings on one line would fill the screen
_ADDED = "added to"
_RESTART = "An agent that is running reads its settings when it is started again."


def _with_choice(command: Callable[..., None]) -> Callable[..., None]:
    options = (
        click.option("--agent", "agents", multiple=True, type=click.Choice(AGENTS), metavar="NAME",
                     help=f"Only this agent, and others that you name: {', '.join(AGENTS)}."),
        click.option("--dry-run", is_flag=True, help="Only show what would be done."),
        click.option("-y", "--yes", is_flag=True, help="Do not ask."),
    )  # fmt: skip
    return with_options(options, command)


@click.command()
@click.option("--recall", "with_recall", is_flag=True, help="Also tell a session, at each prompt, what bears on it.")
@_with_choice
@with_settings
def install(
    settings: Settings, agents: tuple[str, ...], with_recall: bool, dry_run: bool, yes: bool, as_json: bool
) -> int:
    """Let the coding agents on this machine use the memory.

    Hooks and an MCP server are added to the settings of each agent that is found.  You see what is added to which
    file and are asked; nothing else in the files changes, and what was added is tried at once.  A second install
    changes nothing.  --recall sets `prompt_recall = true` below `[hooks]` in our own config.toml.

    \b
    Examples:
      noctuary install
      noctuary install --dry-run
      noctuary install --agent claude-code --agent codex --yes
    """
    place = _place_given(settings)
    order = Installation(settings, agents=agents, home=place.home, owner=place.owner, with_recall=with_recall)
    plan = order.plan()
    if not plan:
        return _end([], [], as_json, f"No coding agent was found on this machine. Known are {', '.join(AGENTS)}.")
    nothing = "Everything is in place already; nothing was changed."
    return _go(plan, order.carry_out, nothing, _ADDED, dry_run=dry_run, yes=yes, as_json=as_json)


@click.command()
@_with_choice
@with_settings
def uninstall(settings: Settings, agents: tuple[str, ...], dry_run: bool, yes: bool, as_json: bool) -> int:
    """Remove from their settings exactly what install added.

    A file that nobody else has changed since is what it was before, to the byte; in others only our entries go.  A
    file that install made goes if nothing else is in it.  The memory itself stays.

    \b
    Examples:
      noctuary uninstall
      noctuary uninstall --agent cursor
      noctuary uninstall --dry-run
    """
    order = Removal(settings, agents=agents)
    plan = order.plan()
    if not plan:
        return _end([], [], as_json, "No agent has anything of ours in its settings. Nothing was changed.")
    return _go(plan, order.carry_out, "Nothing was changed.", "taken out of", dry_run=dry_run, yes=yes, as_json=as_json)


def _place_given(settings: Settings) -> Place:
    """The memory that was asked for, if it is not the one that a hook would find by itself."""
    usual = usual_home(os.environ, settings.user_home)
    context = click.get_current_context(silent=True)
    given = context.obj.owner if context and isinstance(context.obj, Place) else None
    return Place(
        home=settings.home if settings.home.absolute() != usual.absolute() else None,
        owner=settings.owner if given or os.environ.get("NOCTUARY_OWNER") else None,
    )


def _go(
    plan: Sequence[AgentChange],
    carry_out: Callable[[], list[Outcome]],
    nothing: str,
    done: str,
    *,
    dry_run: bool,
    yes: bool,
    as_json: bool,
) -> int:
    """Show the plan, ask, carry it out and say what came of it; the exit code."""
    count = sum(file.is_change for change in plan for file in change.files)
    if not as_json:
        click.echo("\n".join(_told(plan)))
    if any(change.problems for change in plan):
        nothing = "Nothing was changed."
    if not count or dry_run:
        last = (
            nothing if not count else f"{counted(count, 'file')} would change. Nothing was changed: this was a dry run."
        )
        return _end(plan, [], as_json, last)
    if not _is_agreed(count, yes, as_json):
        return _end(plan, [], as_json, "Nothing was changed.")
    outcomes = carry_out()
    return _end(plan, outcomes, as_json, *_summary(outcomes, done))


def _is_agreed(count: int, yes: bool, as_json: bool) -> bool:
    if yes:
        return True
    if as_json or not sys.stdin.isatty():
        raise BadInput("Nothing was changed: nobody can be asked here. Add --yes to go ahead, or --dry-run to look.")
    return click.confirm(f"Change {counted(count, 'file')}?")


def _end(plan: Sequence[AgentChange], outcomes: Sequence[Outcome], as_json: bool, *lines: str) -> int:
    """Print the last words, or all of it for programs; the exit code."""
    problems = [each for outcome in outcomes for each in outcome.problems]
    if not outcomes:
        problems = [each for change in plan for each in change.problems]
    problems = list(dict.fromkeys(problems))
    if as_json:
        print_json({"agents": [_as_json(change) for change in plan], "outcomes": outcomes, "problems": problems})
    elif lines:
        click.echo("\n".join(map(safe, lines)))
    for problem in problems:
        click.echo(f"noctuary: {safe(problem)}", err=True)
    return STORE_PROBLEM if problems else FOUND if plan else NOTHING_FOUND


def _as_json(change: AgentChange) -> dict[str, object]:
    files = [
        {
            "path": file.path,
            "changes": file.is_change,
            "what": file.what,
            "problem": file.problem or None,
            "diff": "\n".join(_difference(file)),
        }
        for file in change.files
    ]
    return {"agent": change.name, "title": change.title, "files": files, "notes": change.notes}


def _told(plan: Iterable[AgentChange]) -> Iterator[str]:
    """The plan: each agent, each file, and the lines that are added or go."""
    for change in plan:
        yield bold(change.title)
        for file in change.files:
            if file.problem:
                yield f"  {safe(str(file.path))}: {coloured(safe(file.problem), 'yellow')}"
                continue
            ending = _ending(file)
            yield f"  {safe(_short(file.path))}: {', '.join(file.what)}{ending}"
            yield from (f"    {_painted(safe(clipped(line, _LONGEST)))}" for line in _difference(file))
        if not change.files:
            yield "  nothing to change"
        yield from (f"  {wrapped(safe(note), '  ')}" for note in change.notes)
        yield ""


def _ending(file: FileChange) -> str:
    if file.before is None:
        return " (a new file)"
    return " (the file goes, nothing else is in it)" if file.after is None else ""


def _difference(file: FileChange) -> list[str]:
    if not file.is_change:
        return []
    before, after = (file.before or "").splitlines(), (file.after or "").splitlines()
    lines = list(difflib.unified_diff(before, after, lineterm="", n=2))[2:]
    return lines or ["(only white space changes)"]


def _painted(line: str) -> str:
    if line.startswith("@@"):
        return dim(line)
    return coloured(line, "green") if line.startswith("+") else coloured(line, "red") if line.startswith("-") else line


def _short(path: Path) -> str:
    """The path as people say it."""
    home = os.environ.get("HOME", "")
    text = str(path)
    return f"~{text[len(home) :]}" if home and home != "/" and text.startswith(f"{home}/") else text


def _summary(outcomes: Sequence[Outcome], done: str) -> Iterator[str]:
    """What was done, and what was tried."""
    for outcome in outcomes:
        parts = [f"{done} {' and '.join(map(_short, outcome.written))}"] if outcome.written else []
        parts += [f"removed {' and '.join(map(_short, outcome.removed))}"] if outcome.removed else []
        if outcome.checked:
            verb = "was tried and works" if len(outcome.checked) == 1 else "were tried and work"
            parts.append(f"{' and '.join(outcome.checked)} {verb}")
        if parts:
            yield f"{outcome.title}: {'; '.join(parts)}."
    if done == _ADDED and any(outcome.written for outcome in outcomes):
        yield _RESTART
        yield f"To take it out again: {command_line('uninstall')}"
