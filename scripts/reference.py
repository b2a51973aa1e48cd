"""`make docs`: write docs/reference.md from the help of every command."""

from collections.abc import Iterator, Mapping
from pathlib import Path

import click

from noctuary.doors.cli import main as noctuary

REFERENCE = Path(__file__).parents[1] / "docs" / "reference.md"
WIDTH = 88
BEGINNING = """\
# Reference

Every command and every option, as `--help` prints them.
This page is made by `make docs`; a test fails when it is out of date.
"""


def reference() -> str:
    """The whole page."""
    known = dict(commands(noctuary, ("noctuary",)))
    return "\n".join([BEGINNING, *(_section(path, known) for path in known)])


def commands(command: click.Command, path: tuple[str, ...]) -> Iterator[tuple[tuple[str, ...], click.Command]]:
    """The command and all below it, each with the words it is called by."""
    yield path, command
    if isinstance(command, click.Group):
        context = click.Context(command, info_name=path[-1])
        for name in command.list_commands(context):
            inner = command.get_command(context, name)
            if inner:
                yield from commands(inner, (*path, name))


def _section(path: tuple[str, ...], known: Mapping[tuple[str, ...], click.Command]) -> str:
    settings = {**noctuary.context_settings, "terminal_width": WIDTH}
    context = click.Context(noctuary, info_name=path[0], **settings)
    for end in range(2, len(path) + 1):
        context = click.Context(known[path[:end]], info_name=path[end - 1], parent=context, **settings)
    return f"## `{' '.join(path)}`\n\n```text\n{context.command.get_help(context)}\n```\n"


if __name__ == "__main__":
    REFERENCE.write_text(reference(), encoding="utf-8")
    print(f"Wrote {REFERENCE.name}.")
