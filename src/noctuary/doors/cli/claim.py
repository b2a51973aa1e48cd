"""`noctuary claim`."""

import click

from noctuary.app.work import Work
from noctuary.doors.cli.as_json import print_json
from noctuary.doors.cli.memory_options import text
from noctuary.doors.cli.paint import bold, one_line
from noctuary.doors.cli.work_options import with_work
from noctuary.errors import BadInput
from noctuary.graph import Node
from noctuary.moments import show_time

_MINUTES = 30


@click.command()
@click.argument("task", type=text)
@click.option("--agent", required=True, type=text, help="Who takes it: any name, the same each time.")
@click.option("--minutes", type=float, help=f"For how long, unless renewed.  [default: {_MINUTES}]")
@click.option("--heartbeat", is_flag=True, help="Still at it: start the time again.")
@click.option("--release", is_flag=True, help="Give it back, so that others can take it.")
@click.option("--reason", default="", type=text, help="With --release: why.")
@with_work
def claim(
    work: Work,
    task: str,
    agent: str,
    minutes: float | None,
    heartbeat: bool,
    release: bool,
    reason: str,
    as_json: bool,
) -> None:
    """Take a task, so that nobody else does; or give it back.

    Of many who claim a task at once, one gets it; the others are told who has it, and the exit code is 6.  A claim is
    over after some minutes unless it is renewed, so the task of an agent that died becomes ready again by itself.

    \b
    Examples:
      noctuary claim t-9k2x --agent ana-1
      noctuary claim t-9k2x --agent ana-1 --minutes 60
      noctuary claim t-9k2x --agent ana-1 --heartbeat
      noctuary claim t-9k2x --agent ana-1 --release --reason "needs the new schema first"
    """  # fmt: skip
    _refuse_nonsense(heartbeat, release, minutes, reason)
    if release:
        node = work.release(task, agent, reason=reason)
    else:
        node = (work.heartbeat if heartbeat else work.claim)(
            task, agent, minutes=_MINUTES if minutes is None else minutes
        )
    print_json(node) if as_json else click.echo(_told(node, release))


def _refuse_nonsense(heartbeat: bool, release: bool, minutes: float | None, reason: str) -> None:
    if heartbeat and release:
        raise BadInput("Say --heartbeat to go on with a task or --release to give it back, not both.")
    if release and minutes is not None:
        raise BadInput("What is given back is held no longer; leave out --minutes.")
    if reason and not release:
        raise BadInput("Only --release has a --reason; write down others with `noctuary note`.")


def _told(node: Node, release: bool) -> str:
    named = bold(f"{one_line(node.id)}  {one_line(node.title)}")
    if release:
        return f"{named}\n  given back; others can take it now"
    return f"{named}\n  held by {one_line(node.assigned_to or '')} until {show_time(node.lease_ms)} UTC"
