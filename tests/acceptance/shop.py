"""Some work in a memory, for tests of the commands that show it and hand it on."""

import time
from typing import NamedTuple

from noctuary.app import Memory
from tests.acceptance.conftest import Cli

SHOP = ("--project", "shop")
A_MOMENT = 0.002  # seconds: which of two tasks of one millisecond comes first is anybody's guess
# A newline, an escape that clears the screen, a mark that turns the direction of text, and Markdown.
HOSTILE = "Pay\nby \x1b[2Jcard \u202e# **now** \x07"


class Shop(NamedTuple):
    """A goal, three tasks of which the second waits for the first and the third for the second, and one by itself."""

    goal: str
    schema: str
    importing: str
    redis: str
    alone: str


def make_shop(cli: Cli) -> Shop:
    """The work, written down through the library: quicker than ten processes."""
    with Memory.open(cli.memory, owner="ana") as memory:
        work = memory.work("shop")
        goal = work.open_goal("No Redis in production")
        schema = work.open_task("Write the schema", parent=goal, priority="high", goal="Sessions survive a deploy")
        time.sleep(A_MOMENT)
        importing = work.open_task("Import the sessions", parent=goal)
        time.sleep(A_MOMENT)
        redis = work.open_task("Drop the Redis container", parent=goal)
        time.sleep(A_MOMENT)
        alone = work.open_task("Rename the README", priority="low")
        work.depend(importing, schema)
        work.depend(redis, importing)
        return Shop(goal.id, schema.id, importing.id, redis.id, alone.id)
