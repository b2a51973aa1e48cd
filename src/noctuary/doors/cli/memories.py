"""`noctuary remember` and `noctuary memory`: sentences worth keeping."""

from collections.abc import Sequence
from functools import partial
from pathlib import Path

import click

from noctuary.app import Memory
from noctuary.app.work import Work
from noctuary.doors.cli import commands
from noctuary.doors.cli.as_json import print_either, print_json
from noctuary.doors.cli.authoring import refs_of, said
from noctuary.doors.cli.dream_told import why_told
from noctuary.doors.cli.failures import FOUND, NOTHING_FOUND
from noctuary.doors.cli.memory_options import (
    FOLDER,
    command_line,
    project_named,
    text,
    with_memory,
    with_memory_to_read,
    with_options,
)
from noctuary.doors.cli.paint import one_line
from noctuary.doors.cli.tables import table
from noctuary.doors.cli.words import counted, last_part
from noctuary.doors.cli.work_options import everywhere, with_work, with_work_to_read
from noctuary.moments import show_day
from noctuary.store.memories import MemoryKind, Remembered

COMMANDS = {
    "list": commands.Entry("memories:list_", "List memories of this project, or of all, the newest first."),
    "show": commands.Entry("memories:show", "Show a memory, and what it rests on."),
    "remember": commands.Entry("memories:remember", "Keep a sentence, for this project or for all."),
    "forget": commands.Entry("memories:forget", "Forget a wrong memory for good; no dream brings it back."),
    "pin": commands.Entry("memories:pin", "Show a memory always."),
    "unpin": commands.Entry("memories:unpin", "Show a memory only if there is room for it."),
    "verify": commands.Entry("memories:verify", "Check memories against the files they mention."),
    "retire": commands.Entry("memories:retire", "Mark a memory as no longer valid."),
}
_named = partial(
    with_options,
    (
        click.argument("name", metavar="MEMORY", type=text),
        click.option("--project", type=text, help="Whose memory.  [default: this folder's]"),
    ),
)
_HEADS = ("ID", "KIND", "STATUS", "FOR", "DAY", "TEXT")


@click.command()
@said()
@click.option(
    "--kind",
    default="fact",
    show_default=True,
    type=click.Choice([str(each) for each in MemoryKind]),
    help="What kind it is.",
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
      noctuary memory remember "Prices are stored in cents" --pin
    """
    refs = refs_of(cite, (), ())
    memory = work.remember(
        words, kind=kind, topic=topic, everywhere=everywhere, pinned=pin, suggested=suggested, refs=refs
    )
    print_json(memory) if as_json else click.echo(f"Remembered {_line(memory)}")


@click.group(cls=commands.Commands, table=COMMANDS)
def memory() -> None:
    """List, show, pin, verify, forget and retire memories.

    `noctuary remember` makes them, and dreams do.  Each command has --json.

    \b
    Examples:
      noctuary memory list
      noctuary memory show m-6h4n2q8s0v
      noctuary memory retire m-6h4n2q8s0v
    """


@click.command("list")
@click.option("--all", "is_all", is_flag=True, help="Also those that no longer hold.")
@everywhere
@with_work_to_read
def list_(work: Work, is_all: bool, everywhere: bool, as_json: bool) -> int:
    """List memories of this project, or of all, the newest first.

    \b
    Examples:
      noctuary memory list
      noctuary memory list --everywhere
      noctuary memory list --all --json
    """
    memories = work.memories(held_only=not is_all, everywhere=everywhere)
    if as_json:
        print_json({"count": len(memories), "memories": memories})
    else:
        rows = [_row(each, everywhere=everywhere) for each in memories]
        click.echo("\n".join(table(_HEADS, rows)) if rows else _none_here(work))
    return FOUND if memories else NOTHING_FOUND


@click.command()
@click.argument("name", metavar="MEMORY", type=text)
@click.option("--because", default="", type=text, metavar="TEXT", help="Why.")
@with_work
def retire(work: Work, name: str, because: str, as_json: bool) -> None:
    """Mark a memory as no longer valid.

    \b
    Examples:
      noctuary memory retire m-6h4n2q8s0v --because "Staging is kept now"
    """
    retired = work.retire(name, because)
    print_json(retired) if as_json else click.echo(f"Retired {_line(retired)}")


@click.command()
@_named
@with_memory_to_read
def show(memory: Memory, name: str, project: str | None, as_json: bool) -> None:
    """Show a memory, and what it rests on.

    \b
    Examples:
      noctuary memory show m-6h4n2q8s0v
    """
    found = memory.dreams.explain(name, project_named(memory, project))
    print_either(found, why_told(found), as_json)


@click.command()
@_named
@click.option("--because", default="", type=text, metavar="TEXT", help="Why.")
@with_memory
def forget(memory: Memory, name: str, project: str | None, because: str, as_json: bool) -> None:
    """Forget a wrong memory for good; no dream brings it back.

    It leaves MEMORY.md and every list.  The conversations it came from stay; `noctuary forget` removes those.

    \b
    Examples:
      noctuary memory forget m-6h4n2q8s0v --because "That was a joke"
    """
    gone = memory.dreams.forget(name, project_named(memory, project), reason=because)
    print_json(gone) if as_json else click.echo(f"Forgot {_line(gone)}")


@click.command()
@_named
@with_memory
def pin(memory: Memory, name: str, project: str | None, as_json: bool) -> None:
    """Show a memory always, however much there is.

    \b
    Examples:
      noctuary memory pin m-6h4n2q8s0v
    """
    pinned = memory.dreams.pin(name, project_named(memory, project))
    print_json(pinned) if as_json else click.echo(f"Pinned {_line(pinned)}")


@click.command()
@_named
@with_memory
def unpin(memory: Memory, name: str, project: str | None, as_json: bool) -> None:
    """Show a memory only if there is room for it.

    \b
    Examples:
      noctuary memory unpin m-6h4n2q8s0v
    """
    unpinned = memory.dreams.pin(name, project_named(memory, project), is_pinned=False)
    print_json(unpinned) if as_json else click.echo(f"Unpinned {_line(unpinned)}")


@click.command()
@click.argument("names", metavar="[MEMORY]...", nargs=-1, type=text)
@click.option("--project", type=text, help="Whose memories.  [default: this folder's]")
@click.option("--folder", type=FOLDER, help="Where the repository is.  [default: where its sessions ran]")
@with_memory
def verify(memory: Memory, names: Sequence[str], project: str | None, folder: Path | None, as_json: bool) -> int:
    """Check memories against the files, commands and commits they mention.

    What is gone makes a memory stale; it leaves MEMORY.md until it is confirmed or true again.

    \b
    Examples:
      noctuary memory verify
      noctuary memory verify m-6h4n2q8s0v --folder ~/code/shop
    """
    verdicts = memory.dreams.verify(names, project_named(memory, project), folder)
    if as_json:
        print_json({"count": len(verdicts), "verdicts": verdicts})
    else:
        rows = [(each.memory.id, each.verified, one_line(each.memory.text), one_line(each.why)) for each in verdicts]
        click.echo("\n".join(table(("ID", "STATE", "TEXT", "WHY"), rows)) if rows else _none_told())
    return FOUND if verdicts else NOTHING_FOUND


def _line(memory: Remembered) -> str:
    where = "everywhere" if not memory.project else "in this project"
    return f"{memory.id}  {memory.kind} {where}: {one_line(memory.text)}"


def _row(memory: Remembered, *, everywhere: bool) -> tuple[str, ...]:
    project = last_part(memory.project) if everywhere else "project"
    where = project if memory.project else "all"
    return (memory.id, memory.kind, memory.status, where, show_day(memory.recorded_ms), one_line(memory.text))


def _none_here(work: Work) -> str:
    """That nothing is remembered; what there is elsewhere is named."""
    others = work.memories(everywhere=True)
    if not others:
        return _none_told()
    there_are = f"{counted(len(others), 'memory', 'memories')} of other projects"
    return f"Nothing is remembered of this project; {there_are}: {command_line('memory', 'list', '--everywhere')}"


def _none_told() -> str:
    return f"Nothing is remembered yet. Begin with: {command_line('remember', 'TEXT')}"
