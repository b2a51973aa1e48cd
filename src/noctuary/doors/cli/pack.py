"""`noctuary pack`: all one needs to resume a task."""

import click

from noctuary.app.work import Work
from noctuary.doors.cli.as_json import print_json
from noctuary.doors.cli.memory_options import text
from noctuary.doors.cli.paint import safe
from noctuary.doors.cli.work_options import with_work_to_read

_BUDGET = 8_000


@click.command()
@click.argument("name", metavar="[TASK]", required=False, type=text)
@click.option(
    "--budget", default=_BUDGET, show_default=True, type=click.IntRange(1), help="How many characters at most."
)
@with_work_to_read
def pack(work: Work, name: str | None, budget: int, as_json: bool) -> None:
    """Print all you need to resume a task, within a budget.

    Without TASK, what this session works on, else the only open task.  The page is Markdown, to be given to an agent.

    \b
    Examples:
      noctuary pack t-4k2x
      noctuary pack --budget 2000
    """  # fmt: skip
    node = work.task_at_hand(name)
    page = work.pack(node, budget=budget)
    if as_json:
        print_json({"task": node.id, "budget": budget, "characters": len(page), "pack": page})
    else:
        click.echo(safe(page).rstrip("\n"))
