"""`noctuary sessions`."""

import click

from noctuary.app import Memory
from noctuary.doors.cli.as_json import print_json
from noctuary.doors.cli.failures import FOUND, NOTHING_FOUND
from noctuary.doors.cli.memory_options import (
    command_line,
    moment,
    project_named,
    with_memory_to_read,
    with_session_filters,
)
from noctuary.doors.cli.paint import clipped, is_terminal, one_line
from noctuary.doors.cli.tables import table
from noctuary.doors.cli.words import short_project, title_of
from noctuary.moments import show_day
from noctuary.records import Session
from noctuary.store.sessions import Selection

_HEADS = ("LAST", "AGENT", "PROJECT", "MSGS", "SESSION", "TITLE")
_MOST = 1_000_000
_PROJECT = 20  # columns


@click.command()
@click.option("-n", "--limit", default=20, show_default=True, type=click.IntRange(1, _MOST), help="How many to list.")
@with_session_filters
@with_memory_to_read
def sessions(memory: Memory, limit: int, agent: str, project: str, after: str, before: str, as_json: bool) -> int:
    """List sessions, the last active first.

    \b
    Examples:
      noctuary sessions
      noctuary sessions --project . --after 7d
      noctuary sessions --agent codex --json
    """  # fmt: skip
    selection = Selection(
        agent=agent,
        project=project_named(memory, project),
        after_ms=moment(memory, after),
        before_ms=moment(memory, before),
    )
    listed = memory.sessions(limit=limit, selection=selection)
    print_json({"count": len(listed), "sessions": listed}) if as_json else click.echo(_told(listed, selection))
    return FOUND if listed else NOTHING_FOUND


def _told(listed: list[Session], selection: Selection) -> str:
    if not listed and selection.is_everything:
        return f"This memory is empty. Fill it with: {command_line('import')}"
    if not listed:
        return "No session matches. Leave out a filter, or see them all: noctuary sessions"
    return "\n".join(table(_HEADS, [_row(session) for session in listed], right=(3,)))


def _row(session: Session) -> tuple[str, ...]:
    return (
        show_day(session.last_ms),
        one_line(session.agent or ""),
        clipped(short_project(session), _PROJECT) if is_terminal() else short_project(session),
        f"{session.message_count:,}",
        one_line(session.id),
        title_of(session),
    )
