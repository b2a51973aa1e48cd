"""`noctuary remember` and `noctuary memory`: sentences worth keeping."""

from collections.abc import Sequence

import click

from noctuary.app.work import Work
from noctuary.doors.cli import commands
from noctuary.doors.cli.as_json import print_json
from noctuary.doors.cli.authoring import refs_of, said
from noctuary.doors.cli.failures import FOUND, NOTHING_FOUND
from noctuary.doors.cli.memory_options import command_line, text
from noctuary.doors.cli.paint import one_line
from noctuary.doors.cli.tables import table
from noctuary.doors.cli.work_options import with_work, with_work_to_read
from noctuary.moments import show_day
from noctuary.store.memories import MemoryKind, Remembered

COMMANDS = {
    "list": commands.Entry("memories:list_", "List memories of this project and of all, the newest first."),
    "retire": commands.Entry("memories:retire", "Say that a memory holds no longer."),
}
_HEADS = ("ID", "KIND", "STATUS", "FOR", "DAY", "TEXT")


@click.command()
@said()
@click.option(
    "--kind",
    default="fact",
    show_default=True,
    type=click.Choice([str(each) for each in MemoryKind]),
    help="What sort it is.",
)
@click.option("--topic", default="", type=text, help="What it is about, in a word or two.")
@click.option("--everywhere", is_flag=True, help="For all projects, not only this one.")
@click.option("--pin", is_flag=True, help="Show it always.")
@click.option("--suggested", is_flag=True, help="Keep it as a proposal, until somebody confirms it.")
@click.option("--cite", multiple=True, type=text, metavar="SESSION:ID[:QUOTE]",
              help="A message it rests on, and the words in it; or an entry, by its id.  Repeatable.")  # fmt: skip
@with_work
def remember(
    work: Work,
    words: str,
    kind: str,
    topic: str,
    everywhere: bool,
    pin: bool,
    suggested: bool,
    cite: Sequence[str],
    as_json: bool,
) -> None:
    """Keep a sentence, for this project or for all.

    \b
    Examples:
      noctuary remember "The staging database is reset every night"
      noctuary remember "Answers in German" --kind preference --everywhere
    """
    refs = refs_of(cite, (), ())
    memory = work.remember(
        words, kind=kind, topic=topic, everywhere=everywhere, pinned=pin, suggested=suggested, refs=refs
    )
    print_json(memory) if as_json else click.echo(f"Remembered {_line(memory)}")


@click.group(cls=commands.Commands, table=COMMANDS)
def memory() -> None:
    """List and retire memories.

    `noctuary remember` makes them.  Each command has --json.

    \b
    Examples:
      noctuary memory list
      noctuary memory retire m-6h4n2q8s0v
    """


@click.command("list")
@click.option("--all", "is_all", is_flag=True, help="Those that hold no longer, too.")
@with_work_to_read
def list_(work: Work, is_all: bool, as_json: bool) -> int:
    """List memories of this project and of all, the newest first.

    \b
    Examples:
      noctuary memory list
      noctuary memory list --all --json
    """
    memories = work.memories(held_only=not is_all)
    if as_json:
        print_json({"count": len(memories), "memories": memories})
    else:
        click.echo("\n".join(table(_HEADS, [_row(each) for each in memories])) if memories else _none_told())
    return FOUND if memories else NOTHING_FOUND


@click.command()
@click.argument("name", metavar="MEMORY", type=text)
@click.option("--because", default="", type=text, metavar="TEXT", help="Why.")
@with_work
def retire(work: Work, name: str, because: str, as_json: bool) -> None:
    """Say that a memory holds no longer.

    \b
    Examples:
      noctuary memory retire m-6h4n2q8s0v --because "Staging is kept now"
    """
    retired = work.retire(name, because)
    print_json(retired) if as_json else click.echo(f"Retired {_line(retired)}")


def _line(memory: Remembered) -> str:
    where = "everywhere" if not memory.project else "in this project"
    return f"{memory.id}  {memory.kind} {where}: {one_line(memory.text)}"


def _row(memory: Remembered) -> tuple[str, ...]:
    where = "project" if memory.project else "all"
    return (memory.id, memory.kind, memory.status, where, show_day(memory.recorded_ms), one_line(memory.text))


def _none_told() -> str:
    return f"Nothing is remembered yet. Begin with: {command_line('remember', 'TEXT')}"
