"""`noctuary audit`."""

from collections.abc import Iterator

import click

from noctuary.app import Memory
from noctuary.app.auditing import audit as audited
from noctuary.audit.report import ADVICE, MEANING, Audit, Concern, Item, named
from noctuary.doors.cli.as_json import plain, print_either
from noctuary.doors.cli.memory_options import with_memory_to_read
from noctuary.doors.cli.paint import bold, clipped, coloured, dim, one_line
from noctuary.doors.cli.progress import PATIENCE, Bar
from noctuary.doors.cli.words import counted
from noctuary.moments import show_day

_SHOWN = 3  # items of each concern, unless one is asked for
_WIDTH = 110
_BLOCKS = "▁▂▃▄▅▆▇█"


@click.command()
@click.option("--project", metavar="NAME", help="Look at one project; `.` is the one you are in.")
@click.option("--concern", type=click.Choice([*map(str, Concern)]), help="List all of one kind.")
@click.option("--quick", is_flag=True, help="Do not search what was said for secrets, only what was written down.")
@with_memory_to_read
def audit(memory: Memory, project: str | None, concern: str | None, quick: bool, as_json: bool) -> None:
    """List what in the memory deserves a look.

    What is said twice, letter for letter or in other words; what names things that are gone, or rests on messages that
    are; rules that no user has stated or approved; what memory told and then took for news; what no session was ever
    told; and secrets in memories, events and messages.  Each with what to do about it, and week by week how much was
    kept.  Nothing is changed.

    \b
    Examples:
      noctuary audit
      noctuary audit --project . --quick
      noctuary audit --concern near_duplicate
      noctuary audit --json
    """
    with Bar("Searching", lambda total: counted(total, "session"), patience=PATIENCE) as bar:
        found = audited(memory, project, is_quick=quick, progress=bar.show)
    if concern:
        found = found._replace(items=found.of(Concern(concern)))
    print_either({"counts": found.counts(), **plain(found)}, _told(found, is_all=bool(concern)), as_json)


def _told(found: Audit, *, is_all: bool) -> Iterator[str]:
    memories, texts = counted(found.memories, "memory", "memories"), counted(found.searched, "text")
    yield bold(f"{memories} and {texts} looked at: {counted(len(found.items), 'concern')}")
    for concern in Concern:
        items = found.of(concern)
        if items:
            yield ""
            yield coloured(f"{named(concern, len(items))}: {MEANING[concern]}", "yellow")
            shown = items if is_all else items[:_SHOWN]
            yield from map(_line, shown)
            if len(items) > len(shown):
                yield dim(f"  … and {len(items) - len(shown):,} more: noctuary audit --concern {concern}")
            yield f"  What to do: {ADVICE[concern]}"
    yield from _trend(found)
    if not found.is_recall_known:
        yield dim("It is not known which memories are ever used: no stored session was told any.")


def _line(item: Item) -> str:
    return clipped(f"  {one_line(item.id)}  {one_line(item.text)}", _WIDTH) + dim(f"  ({one_line(item.why)})")


def _trend(found: Audit) -> Iterator[str]:
    """Week by week, how many memories held, and how many of them are of concern today."""
    most = max((week.held for week in found.weeks), default=0)
    if most:
        first, last = found.weeks[0], found.weeks[-1]
        yield ""
        for name, values in (
            ("held", [week.held for week in found.weeks]),
            ("of concern", [week.of_concern for week in found.weeks]),
        ):
            blocks = "".join(_BLOCKS[value * (len(_BLOCKS) - 1) // most] if value else " " for value in values)
            yield f"  {name:<10}  {blocks}  {values[-1]:,}"
        yield dim(f"  by week, {show_day(first.begins_ms)} to {show_day(last.begins_ms)}")
