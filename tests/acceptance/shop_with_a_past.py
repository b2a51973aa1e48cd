"""A memory as it looks after some weeks: conversations, dreams with proposals, memories, work and what models cost."""

from collections.abc import Iterator
from contextlib import contextmanager
from datetime import UTC, datetime, timedelta
from pathlib import Path
from typing import NamedTuple

from noctuary.app import Memory
from noctuary.proposals import Spent
from noctuary.records import Message, Role, Session
from noctuary.settings import Settings
from noctuary.testing import FakeClock
from tests.acceptance.browser import Site, served

SHOP, BLOG = "/home/ana/code/shop", "/home/ana/code/blog"
START = datetime(2026, 5, 4, 9, 30, tzinfo=UTC)
# What a page must show as text and never as markup.
HOSTILE = '<script>document.title = "taken"</script> <b>bold</b> "quoted" {{ 7 * 7 }}'

_TALKS = (
    (
        "s-prices",
        SHOP,
        "Prices are off by a cent",
        "Always round prices half to even, never down. We decided that with the accountants.",
        "I will round half to even in billing.py from now on.",
        "Never store prices as floats: we decided to keep whole cents in the database, because sums drift otherwise.",
    ),
    (
        "s-deploy",
        SHOP,
        "Deploys on Fridays",
        "Never deploy on a Friday afternoon. Last time nobody was there to roll it back.",
        "Understood.",
        "I prefer small pull requests: one change each, with a test that fails without it.",
    ),
    (
        "s-redis",
        SHOP,
        "Sessions without Redis",
        "We decided to keep sessions in SQLite instead of Redis, because one file is all we need to back up.",
        "Redis is dropped; the sessions table has an index by owner.",
        "Remember that the staging database is reset every night at two.",
    ),
    (
        "s-blog",
        BLOG,
        "Posts in Markdown",
        "Always write posts in Markdown, never in HTML, so that the feed stays readable.",
        "The converter now refuses HTML.",
        f"Remember that a post may say {HOSTILE}",
    ),
)


class Past(NamedTuple):
    """What tests need to name."""

    goal: str
    task: str
    decision: str
    memory: str  # remembered by hand
    runs: list[str]  # the newest first


@contextmanager
def served_shop(home: Path) -> Iterator[tuple[Site, Past]]:
    """A server on such a memory."""
    clock = FakeClock(START)
    past = fill(home, clock)
    with served(home, clock) as site:
        yield site, past


def fill(home: Path, clock: FakeClock) -> Past:
    """Make all of it, and leave the clock where the present is."""
    with Memory.from_settings(Settings.load({}, home=home, owner="ana", user_home=home), clock) as memory:
        for number, (session, project, title, *said) in enumerate(_TALKS):
            _talk(memory, session, project, title, said)
            if number % 2:
                memory.dreams.run(backend="rules", sessions=[talk[0] for talk in _TALKS[number - 1 : number + 1]])
            clock.advance(timedelta(days=2, hours=3, minutes=11))
        kept = memory.work(SHOP).remember(
            "The staging server is called heron; its password is in the vault",
            kind="fact",
            topic="staging",
            pinned=True,
        )
        memory.work(SHOP).remember("Run `make seed` before the browser tests", kind="procedure", topic="tests")
        memory.work("").remember(
            "Answers are in plain English, without exclamation marks", kind="preference", everywhere=True
        )
        work = _work(memory)
        for ago in range(0, 20, 3):
            day = f"{datetime.fromtimestamp(clock.now_ms() / 1000, UTC) - timedelta(days=ago):%Y-%m-%d}"
            memory.store.dreams.spend("ana", day, Spent(4 + ago, 21_000 + 900 * ago, 1_900, 0.031 + 0.004 * (ago % 7)))
        return Past(*work, kept.id, [report.run for report in memory.dreams.log()])


def _talk(memory: Memory, session: str, project: str, title: str, said: list[str]) -> None:
    now_ms = memory.clock.now_ms()
    roles = (Role.USER, Role.ASSISTANT)
    messages = [
        Message(role=roles[place % 2], content=words, ts_ms=now_ms + place * 60_000) for place, words in enumerate(said)
    ]
    started = Session(id=session, agent="claude-code", project=project, title=title, started_ms=now_ms, last_ms=now_ms)
    memory.add_session(started, messages)


def _work(memory: Memory) -> tuple[str, str, str]:
    """A goal with tasks in every column, a decision with its options, what came of it, and another goal."""
    work = memory.work(SHOP)
    goal = work.open_goal("No Redis in production", description="One file to back up, one process to watch.")
    schema = work.open_task("Write the schema of the sessions", parent=goal, priority="high")
    load = work.open_task("Import the sessions of last month", parent=goal, goal="Nobody has to log in again")
    drop = work.open_task("Drop the Redis container", parent=goal)
    work.depend(load, schema)
    work.depend(drop, load)
    work.claim(work.open_task("Measure log-ins per second", parent=goal, priority="critical"), "claude-1")
    work.set_status(
        work.open_task("Buy the second server", parent=goal), "blocked", reason="The budget is decided in June"
    )
    for title in ("List what uses Redis", "Ask who pages at night", "Copy the dashboards"):
        work.close(work.open_task(title, parent=goal), outcome=f"{title}: done, see the wiki")
    decision = work.log_decision(
        "Where do sessions live?",
        parent=goal,
        options=["SQLite in the shop's own file", "Redis, as before", "Signed cookies"],
    )
    work.choose_option(decision.node, decision.options[0], "One file is all we back up")
    work.record_outcome(decision.node, "Log-ins take 3 ms instead of 9", success=True)
    work.record_observation("Half of the sessions are of bots", about=load)
    work.note("finding", "The import takes 40 seconds for a month, most of it in the index", node=load)
    work.note("decision", "Import in batches of a thousand", node=load)
    work.note("rejection", "No import in one transaction: it locks the shop for a minute", node=load)
    other = work.open_goal("Prices that never drift")
    work.open_task(f"Round half to even {HOSTILE}", parent=other, priority="low")
    memory.work(BLOG).open_task("Write about the move")
    return goal.id, load.id, decision.node.id
