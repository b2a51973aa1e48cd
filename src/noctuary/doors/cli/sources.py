"""`noctuary sources`."""

import os
from collections.abc import Iterator

import click

from noctuary.app import Memory
from noctuary.doors.cli.as_json import print_either
from noctuary.doors.cli.memory_options import command_line, with_memory_to_read
from noctuary.doors.cli.paint import bold, one_line
from noctuary.doors.cli.tables import table
from noctuary.importing.sources import AgentSources, Sources
from noctuary.moments import show_day

_HEADS = ("agent", "sessions", "messages", "last said", "transcripts", "parsed", "skipped", "unknown", "folder")
_DRIFT_HEADS = ("agent", "what", "times", "first", "last", "name", "for example")
_MOST_FOLDERS = 3


@click.command()
@click.option("--drift", is_flag=True, help="List the record types and fields that were new to us.")
@with_memory_to_read
def sources(memory: Memory, drift: bool, as_json: bool) -> None:
    """List the agents of this machine, and what came of their transcripts.

    For each agent that was ever seen here: the sessions and messages that are kept, when something was last said, how
    many transcripts there are now, how many of those ever read told anything, how many records could not be used and
    how many were of a type that is not known, and the folder they are in.  Nothing is read or changed.

    With --drift: the record types and fields that no adapter knows, how often and when they were seen, and where for
    example.  They are the first sign that an agent has changed how it writes; contents are never shown.

    \b
    Examples:
      noctuary sources
      noctuary sources --drift
      noctuary sources --json
    """
    found = memory.sources()
    home = str(memory.settings.user_home)
    if drift:
        print_either({"count": len(found.drift), "drift": found.drift}, _drifted(found, home), as_json)
    else:
        print_either(found, _listed(found, home), as_json)


def _listed(found: Sources, home: str) -> Iterator[str]:
    if found.agents:
        yield from table(_HEADS, [_row(agent, home) for agent in found.agents], right=(1, 2, 4, 5, 6, 7))
    else:
        yield bold("No agent was ever seen on this machine.")
    if found.drift:
        yield f"Some of it was new to us: {command_line('sources', '--drift')}"
    if found.not_found:
        yield f"Not found here: {', '.join(map(one_line, found.not_found))}"


def _row(agent: AgentSources, home: str) -> list[str]:
    numbers = (agent.transcripts, agent.parsed, agent.skipped, agent.unknown)
    return [
        one_line(agent.agent),
        f"{agent.sessions:,}",
        f"{agent.messages:,}",
        show_day(agent.last_ms) or "–",
        *(f"{number:,}" for number in numbers),
        _folders(agent, home),
    ]


def _folders(agent: AgentSources, home: str) -> str:
    shown = [_short(folder, home) for folder in agent.folders[:_MOST_FOLDERS]]
    more = len(agent.folders) - len(shown)
    return ", ".join([*shown, *([f"and {more} more"] if more else [])]) or "–"


def _short(path: str, home: str) -> str:
    within = path == home or path.startswith(home.rstrip(os.sep) + os.sep)
    return one_line(f"~{path[len(home.rstrip(os.sep)) :]}" if within else path)


def _drifted(found: Sources, home: str) -> Iterator[str]:
    if not any(agent.parsed or agent.skipped for agent in found.agents):
        yield f"No transcript was read yet: {command_line('import')}"
        return
    if not found.drift:
        yield "Nothing was new: every record type and field is known."
        return
    rows = [
        [
            one_line(one.agent),
            one.what,
            f"{one.times:,}",
            show_day(one.first_ms) or "–",
            show_day(one.last_ms) or "–",
            one_line(one.name),
            _short(one.example, home),
        ]
        for one in found.drift
    ]
    yield from table(_DRIFT_HEADS, rows, right=(2,))
