"""`noctuary find`."""

from collections.abc import Iterator, Sequence

import click

from noctuary.app.work import Work
from noctuary.authored import Entry, EventType
from noctuary.doors.cli.as_json import print_either
from noctuary.doors.cli.entries import entries_told
from noctuary.doors.cli.failures import FOUND, NOTHING_FOUND
from noctuary.doors.cli.memory_options import command_line
from noctuary.doors.cli.memory_options import text as text_option
from noctuary.doors.cli.nodes import node_table
from noctuary.doors.cli.paint import dim
from noctuary.doors.cli.work_options import everywhere, with_work_to_read
from noctuary.work.finding import FoundEntry, FoundNode

_MOST = 1_000


@click.command()
@click.argument("words", nargs=-1, required=True, type=text_option)
@click.option("-n", "--limit", default=10, show_default=True, type=click.IntRange(1, _MOST), help="How many of each.")
@everywhere
@with_work_to_read
def find(work: Work, words: tuple[str, ...], limit: int, everywhere: bool, as_json: bool) -> int:
    """Find goals, tasks, decisions and notes by their words.

    What was said in conversations is found by `noctuary search`, and words mean the same here as there: "words in
    quotes" must occur in a row, word* finds what begins so, -word leaves out.

    \b
    Examples:
      noctuary find redis
      noctuary find '"session store" -draft'
      noctuary find --everywhere retries --json
    """  # fmt: skip
    question = " ".join(words)
    nodes = work.find_nodes(question, everywhere=everywhere, limit=limit)
    entries = work.find_entries(question, everywhere=everywhere, limit=limit)
    print_either({"query": question, "nodes": nodes, "entries": entries}, _told(nodes, entries, everywhere), as_json)
    return FOUND if nodes or entries else NOTHING_FOUND


def _told(nodes: Sequence[FoundNode], entries: Sequence[FoundEntry], with_project: bool) -> Iterator[str]:
    if not nodes and not entries:
        where = "in any project" if with_project else "in this project"
        yield f"Nothing written down {where} has these words. Conversations are searched by: {command_line('search')}"
        return
    if not any(node.has_all for node in nodes) and not any(entry.has_all for entry in entries):
        yield dim("Nothing has all of these words; this has some of them.")
        yield ""
    if nodes:
        yield from node_table([found.node for found in nodes], with_project=with_project)
    named = {found.node.id for found in nodes}
    others = [found.entry for found in entries if not _says_the_title(found.entry, named)]
    if nodes and others:
        yield ""
    if others:
        yield dim("Entries")
        yield from entries_told(others, with_node=True)


def _says_the_title(entry: Entry, named: set[str]) -> bool:
    """Whether the entry only says that there is a node which is listed already."""
    return entry.acts_as is EventType.OPEN and entry.event.node in named
