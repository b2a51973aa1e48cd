"""`noctuary handoff`."""

import click

from noctuary.app.work import Work
from noctuary.doors.cli.as_json import print_json
from noctuary.doors.cli.memory_options import text
from noctuary.doors.cli.paint import safe
from noctuary.doors.cli.work_options import with_work_to_read


@click.command()
@click.argument("goal", required=False, type=text)
@with_work_to_read
def handoff(work: Work, goal: str | None, as_json: bool) -> None:
    """Say where the work on a goal stands.

    What is done, what remains, what is blocked, what was decided; then what somebody is at, and what has failed.
    GOAL is a goal or a task; without it the only active goal of the project.

    \b
    Examples:
      noctuary handoff
      noctuary handoff g-3f9x > HANDOFF.md
    """  # fmt: skip
    notes = work.handoff(goal)
    print_json({"notes": notes}) if as_json else click.echo(safe(notes), nl=False)
