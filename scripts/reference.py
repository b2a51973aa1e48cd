"""`make docs`: write docs/reference.md from the help of every command."""

from collections.abc import Iterator
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
    return "\n".join([BEGINNING, *(_section(path, command) for path, command in commands(noctuary, ("noctuary",)))])


def commands(command: click.Command, path: tuple[str, ...]) -> Iterator[tuple[tuple[str, ...], click.Command]]:
    """The command and all below it, each with the words it is called by."""
    yield path, command
    if isinstance(command, click.Group):
        context = click.Context(command, info_name=path[-1])
        for name in command.list_commands(context):
            inner = command.get_command(context, name)
            if inner:
                yield from commands(inner, (*path, name))


def _section(path: tuple[str, ...], command: click.Command) -> str:
    context: click.Context | None = None
    for name in path:
        settings = {**noctuary.context_settings, "terminal_width": WIDTH}
        context = click.Context(command, info_name=name, parent=context, **settings)
    assert context is not None  # noqa: S101 - a path has at least one name
    return f"## `{' '.join(path)}`\n\n```text\n{command.get_help(context)}\n```\n"


if __name__ == "__main__":
    REFERENCE.write_text(reference(), encoding="utf-8")
    print(f"Wrote {REFERENCE.name}.")
