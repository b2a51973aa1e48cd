"""`noctuary show`."""

import click

from noctuary.app import Memory
from noctuary.doors.cli.as_json import print_json
from noctuary.doors.cli.memory_options import text, with_memory_to_read
from noctuary.doors.cli.transcript import Shortening, print_window
from noctuary.recall.contract import DEFAULT_WINDOW, MOST_WINDOW
from noctuary.store.keys import MOST_MESSAGES

MESSAGE = click.IntRange(1, MOST_MESSAGES)
_PAGE = 200


@click.command()
@click.argument("session", type=text)
@click.option("--around", type=MESSAGE, metavar="ID", help="Show the part around this message.")
@click.option(
    "--window",
    default=DEFAULT_WINDOW,
    show_default=True,
    type=click.IntRange(0, MOST_WINDOW),
    help="With --around: how many messages before and after it.",
)
@click.option("--from", "first", default=1, type=MESSAGE, metavar="ID", help="Begin with this message.")
@click.option(
    "-n",
    "--limit",
    default=_PAGE,
    show_default=True,
    type=click.IntRange(min=1),
    help="How many messages to show at most.",
)
@click.option("--full", is_flag=True, help="Do not shorten long tool output.")
@with_memory_to_read
def show(
    memory: Memory, session: str, around: int | None, window: int, first: int, limit: int, full: bool, as_json: bool
) -> None:
    """Read a session, or the part around a message.

    SESSION is the id of a session or how it begins; `noctuary sessions` and `noctuary search` show ids.

    \b
    Examples:
      noctuary show 3b0f6a52
      noctuary show 3b0f6a52 --around 14 --window 3
      noctuary show 3b0f6a52 --from 201 --full
    """  # fmt: skip
    part = memory.show(session, around=around, window=window, first=first, limit=limit)
    if as_json:
        print_json(part)
    else:
        next_id = first + limit if around is None else part.messages[-1].id + 1
        shortening = Shortening.NONE if full else Shortening.LONG_OUTPUT
        print_window(part, around=around, next_id=next_id, shortening=shortening)
