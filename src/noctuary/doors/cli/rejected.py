"""`noctuary rejected`: what was not done, and why."""

from collections.abc import Iterator, Sequence

import click

from noctuary.app.work import Work
from noctuary.doors.cli.as_json import print_json
from noctuary.doors.cli.authoring import moment_of, said
from noctuary.doors.cli.failures import FOUND, NOTHING_FOUND
from noctuary.doors.cli.memory_options import text
from noctuary.doors.cli.node_options import with_limit
from noctuary.doors.cli.paint import bold, clipped, dim, one_line, wrapped
from noctuary.doors.cli.work_options import with_work_to_read
from noctuary.moments import show_day
from noctuary.work.finding import Rejected

_INDENT = "   "
_SHOWN = 400  # columns of a text


@click.command()
@said("topic", required=False, metavar="TOPIC")
@click.option("--since", type=text, metavar="TIME", help="Only after it: 2026-05-01, 30d.")
@click.option("--everywhere", is_flag=True, help="In all projects.")
@with_limit(20, "How many to show.")
@with_work_to_read
def rejected(work: Work, topic: str, since: str | None, everywhere: bool, limit: int, as_json: bool) -> int:
    """Find what was rejected about a topic, and why.

    TOPIC is read like a search; without one the newest are listed.

    \b
    Examples:
      noctuary rejected redis
      noctuary rejected "where sessions live" --since 90d --everywhere
    """  # fmt: skip
    found = work.rejected(topic, since_ms=moment_of(work, since), everywhere=everywhere, limit=limit)
    if as_json:
        print_json({"count": len(found), "topic": topic, "rejected": found})
    else:
        click.echo("\n".join(_told(found)) if found else _none_told(topic))
    return FOUND if found else NOTHING_FOUND


def _told(found: Sequence[Rejected]) -> Iterator[str]:
    for rank, each in enumerate(found, start=1):
        name = each.option.id if each.option else each.entry.event.id if each.entry else ""
        yield f"{rank}. {show_day(each.ts_ms)}  {bold(wrapped(clipped(one_line(each.text), _SHOWN), _INDENT))}"
        if each.reason:
            yield _INDENT + wrapped(clipped(one_line(each.reason), _SHOWN), _INDENT)
        yield _INDENT + dim(name)


def _none_told(topic: str) -> str:
    return (
        f"Nothing was rejected about {one_line(topic)!r}, as far as this record goes."
        if topic
        else "Nothing was rejected yet."
    )
