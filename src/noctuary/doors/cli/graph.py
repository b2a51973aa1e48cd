"""`noctuary graph`: one goal as a file."""

from pathlib import Path

import click

from noctuary.app.work import Work
from noctuary.doors.cli import commands
from noctuary.doors.cli.as_json import plain, print_either, print_json
from noctuary.doors.cli.differences import diff_told, plan_told
from noctuary.doors.cli.given_files import text_in
from noctuary.doors.cli.memory_options import FOLDER, command_line, text
from noctuary.doors.cli.paint import one_line
from noctuary.doors.cli.words import counted
from noctuary.doors.cli.work_options import with_work, with_work_to_read
from noctuary.work.interchange.exporting import Exported
from noctuary.work.interchange.importing import Plan

COMMANDS = {
    "export": commands.Entry("graph:export", "Write a goal and all that it contains as TOML."),
    "import": commands.Entry("graph:import_", "Merge the file of a goal, field by field."),
    "diff": commands.Entry("graph:diff", "Show what differs between a file and the goal as it is here."),
}


@click.group(cls=commands.Commands, table=COMMANDS)
def graph() -> None:
    """Take a goal to another machine and back, as a file.

    The file is the same for the same work, so it can be kept in git; it can be edited by hand.  Each command has
    --json.

    \b
    Examples:
      noctuary graph export g-3f9x -o redis.toml
      noctuary graph diff redis.toml
      noctuary graph import redis.toml --dry-run
    """  # fmt: skip


@click.command()
@click.argument("goal", required=False, type=text)
@click.option("-o", "--output", type=FOLDER, metavar="FILE", help="Write it there instead of printing it.")
@click.option("--force", is_flag=True, help="Replace the file, whatever is in it.")
@with_work_to_read
def export(work: Work, goal: str | None, output: Path | None, force: bool, as_json: bool) -> None:
    """Write a goal and all that it contains as TOML.

    GOAL is a goal or a task; without it the only active goal of the project.  A file that is no export of this goal,
    or that says what was not imported yet, is left as it is unless you say --force.

    \b
    Examples:
      noctuary graph export g-3f9x
      noctuary graph export g-3f9x -o redis.toml
    """  # fmt: skip
    if output is None:
        written = work.export_goal(goal)
        print_json({"toml": written}) if as_json else click.echo(written, nl=False)
        return
    exported = work.export_goal_to(output, goal, force=force)
    print_json(exported) if as_json else click.echo(_exported(exported))


@click.command("import")
@click.argument("file", type=FOLDER)
@click.option(
    "--merge",
    "strategy",
    flag_value="merge",
    default="merge",
    help="Whoever changed a field wins; if both did, it is a conflict.  [default]",
)
@click.option("--theirs", "strategy", flag_value="theirs", help="Where they differ, take what the file says.")
@click.option("--ours", "strategy", flag_value="ours", help="Where they differ, keep what is here.")
@click.option("--dry-run", is_flag=True, help="Only show what would be done.")
@click.option("--foreign", is_flag=True, help="Also a file of another project; it then belongs to this one.")
@with_work
def import_(work: Work, file: Path, strategy: str, dry_run: bool, foreign: bool, as_json: bool) -> None:
    """Merge the file of a goal, field by field.

    What is new is added, nothing is ever removed, and all of it is done or nothing.  What both sides changed is a
    conflict: it stays as it is here until you say --theirs or --ours.  FILE may be `-` for what comes through a pipe.

    \b
    Examples:
      noctuary graph import redis.toml --dry-run
      noctuary graph import redis.toml
      noctuary graph import redis.toml --theirs
      ssh desk noctuary graph export g-3f9x | noctuary graph import -
    """  # fmt: skip
    given = text_in(file)
    plan = (work.plan_import if dry_run else work.import_goal)(given, strategy, foreign=foreign)
    print_either({**_as_json(plan), "dry_run": dry_run}, plan_told(plan, str(file), dry_run=dry_run), as_json)


@click.command()
@click.argument("file", type=FOLDER)
@with_work_to_read
def diff(work: Work, file: Path, as_json: bool) -> None:
    """Show what differs between a file and the goal as it is here.

    `+` is only in the file, `-` is only here, `~` is in both, but not the same.  Nothing is changed.

    \b
    Examples:
      noctuary graph diff redis.toml
      noctuary graph diff redis.toml --json
    """  # fmt: skip
    found = work.diff_goal(text_in(file))
    print_either({"is_same": found.is_empty, **plain(found)}, diff_told(found), as_json)


def _exported(exported: Exported) -> str:
    amount = f"{counted(exported.nodes, 'node')} and {counted(exported.edges, 'edge')}"
    file = one_line(str(exported.file))
    if not exported.is_new:
        return f"{file} has it already: {amount}. Nothing was written."
    return f"Wrote {amount} to {file}. To read it elsewhere: {command_line('graph', 'import', exported.file.name)}"


def _as_json(plan: Plan) -> dict[str, object]:
    told = plain(plan)
    return {key: value for key, value in told.items() if key not in ("change", "sync")}
