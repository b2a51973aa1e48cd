"""`noctuary brief`: what a session is told at its start, and why."""

from collections.abc import Iterator

import click

from noctuary.app import Memory
from noctuary.brief.explaining import WhyTold
from noctuary.brief.page import BUDGET, Brief
from noctuary.doors.cli.as_json import plain, print_either, print_json
from noctuary.doors.cli.dream_told import why_told
from noctuary.doors.cli.entries import entries_told, entry_told
from noctuary.doors.cli.failures import FOUND, NOTHING_FOUND
from noctuary.doors.cli.memory_options import command_line, project_named, text, with_memory_to_read
from noctuary.doors.cli.nodes import node_line
from noctuary.doors.cli.paint import bold, dim, one_line, safe
from noctuary.doors.cli.share_told import share_told
from noctuary.doors.cli.tables import facts
from noctuary.moments import show_time
from noctuary.records import Session
from noctuary.store.work_sessions import WorkSession

_MOST = 1_000_000
_NOTHING = "Nothing is known yet that a session in this project could be told."


@click.command()
@click.option("--project", type=text, help="Whose brief, by its path or the end of it.  [default: this folder's]")
@click.option(
    "--budget", default=BUDGET, show_default=True, type=click.IntRange(1, _MOST), help="How many tokens at most."
)
@click.option("--why", "line", type=text, metavar="LINE", help="Say what a line rests on: its id, or words of it.")
@with_memory_to_read
def brief(memory: Memory, project: str | None, budget: int, line: str | None, as_json: bool) -> int:
    """Print what a session in this project is told at its start.

    Rules that you stated or approved, what is known, where the work stands, what is open, and what was said in the
    last sessions, on one page within a budget.  A token counts as 4 characters.  Each line ends with an id; --why says
    what it rests on.

    \b
    Examples:
      noctuary brief
      noctuary brief --budget 500
      noctuary brief --why m-6h4n2q8s0v
      noctuary brief --why "tests run in parallel"
    """  # fmt: skip
    name = project_named(memory, project) or "."
    if line is not None:
        found = memory.why_told(line, name)
        print_either(found, _why(found), as_json)
        return FOUND
    made = memory.briefing(name, budget=budget)
    _print(made, as_json)
    return FOUND if made.text else NOTHING_FOUND


def _print(made: Brief, as_json: bool) -> None:
    if as_json:
        print_json({**plain(made), "characters": len(made.text), "tokens": made.tokens})
    elif made.text:
        click.echo(safe(made.text))
    else:
        click.echo(f"{_NOTHING} `{command_line('import')}` and `{command_line('dream')}` find out more.", err=True)


def _why(found: WhyTold) -> Iterator[str]:
    if found.memory:
        yield from why_told(found.memory)
    if found.entry:
        yield from entry_told(found.entry)
    if found.node:
        yield from [node_line(found.node), *entries_told(found.entries)]
        yield dim(f"More: {command_line('tree', found.node.id)}")
    if found.share:
        yield from share_told(found.share)
    if found.work_session:
        yield from _work_session(found.work_session)
    if found.session:
        yield from _session(found.session)


def _work_session(found: WorkSession) -> list[str]:
    head = bold(f"{one_line(found.id)}  a session of work on {one_line(found.goal)}")
    pairs = (("ended", show_time(found.ended_ms)), ("summary", one_line(found.summary or "")))
    return [head, *facts(pairs), "", safe(found.notes or "").rstrip("\n")]


def _session(found: Session) -> list[str]:
    pairs = (
        ("agent", one_line(found.agent or "")),
        ("started", show_time(found.started_ms)),
        ("last", show_time(found.last_ms)),
        ("messages", f"{found.message_count:,}"),
    )
    head = bold(f"{one_line(found.id)}  {one_line(found.title or found.preview or '')}")
    return [head, *facts(pairs), dim(f"Read it: {command_line('show', found.id)}")]
