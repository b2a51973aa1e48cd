"""`noctuary search`."""

from typing import Any

import click

from noctuary.app import Memory
from noctuary.doors.cli.failures import FOUND, NOTHING_FOUND
from noctuary.doors.cli.hits import print_found, print_found_as_json
from noctuary.doors.cli.memory_options import moment, project_named, with_memory_to_read, with_session_filters
from noctuary.doors.cli.memory_options import text as text_option
from noctuary.recall.contract import DEFAULT_LIMIT, DEFAULT_WINDOW, MOST_HITS
from noctuary.recall.query import Query
from noctuary.records import Role

ROLE = click.Choice([role.value for role in Role])


@click.command()
@click.argument("text", nargs=-1, required=True, type=text_option)
@click.option(
    "-n",
    "--limit",
    default=DEFAULT_LIMIT,
    show_default=True,
    type=click.IntRange(1, MOST_HITS),
    help="How many hits to show.",
)
@click.option("--messages", is_flag=True, help="One hit a message, instead of one a session.")
@click.option("--role", multiple=True, type=ROLE, help="Only what they said.  Repeatable.")
@with_session_filters
@click.option("--session", type=text_option, help="Only in this session: its id, or how it begins.")
@click.option(
    "--exclude-session", multiple=True, type=text_option, help="Not in the session with this id.  Repeatable."
)
@click.option(
    "-C",
    "--context",
    default=0,
    type=click.IntRange(0, DEFAULT_WINDOW),
    help="Show so many messages before and after each hit.",
)
@click.option("--explain", is_flag=True, help="Show what each score is made of.")
@with_memory_to_read
def search(
    memory: Memory,
    text: tuple[str, ...],
    limit: int,
    messages: bool,
    context: int,
    explain: bool,
    as_json: bool,
    **filters: Any,
) -> int:
    """Find what was said, in any session of any agent.

    Any text is a valid query.  "Words in quotes" must occur in a row, word* finds what begins so, -word leaves
    out; role:, agent:, project:, session:, after: and before: may stand in the text, too.

    \b
    Examples:
      noctuary search "why did we drop redis?"
      noctuary search '"connection refused" -draft after:2026-03-01'
      noctuary search --project . --role user tax rounding
      noctuary search --messages -n 20 -C 2 max_retries
    """  # fmt: skip
    query = _narrowed(memory, memory.query(" ".join(text)), **filters)
    found = (memory.search_messages if messages else memory.search)(query, limit=limit)
    if as_json:
        print_found_as_json(found, context or None)
    else:
        print_found(found, context=context, explain=explain, is_empty=not found.hits and not memory.sessions(limit=1))
    return FOUND if found.hits else NOTHING_FOUND


def _narrowed(memory: Memory, query: Query, **given: Any) -> Query:
    """The query with what the options say; an option wins over the same filter in the text."""
    return query._replace(
        roles=tuple(Role(role) for role in given["role"]) or query.roles,
        agent=given["agent"] or query.agent,
        project=project_named(memory, given["project"] or query.project),
        after_ms=moment(memory, given["after"]) or query.after_ms,
        before_ms=moment(memory, given["before"]) or query.before_ms,
        session=memory.session(given["session"]).id if given["session"] else query.session,
        exclude_sessions=given["exclude_session"],
    )
