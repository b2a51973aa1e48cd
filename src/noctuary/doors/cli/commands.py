"""The group of commands: each is loaded when it is used, and whatever goes wrong becomes one line and an exit code."""

import errno
import gc
import io
import os
import sys
from collections.abc import Mapping
from importlib import import_module
from pathlib import Path
from typing import Any, NamedTuple

import click

from noctuary.doors.cli.failures import INTERRUPTED, failure_of
from noctuary.doors.cli.paint import safe

_PACKAGE = "noctuary.doors.cli"


class Entry(NamedTuple):
    """Where a command is (module of this package, colon, attribute) and its line of help."""

    place: str
    help: str


class Place(NamedTuple):
    """Which memory the command line asks for, before the environment and `config.toml` are looked at."""

    home: Path | None = None
    owner: str | None = None
    database: str | None = None


class Commands(click.Group):
    """Commands known by a table, or by several under headings."""

    def __init__(
        self,
        *arguments: Any,
        table: Mapping[str, Entry] | None = None,
        sections: Mapping[str, Mapping[str, Entry]] | None = None,
        **settings: Any,
    ) -> None:
        super().__init__(*arguments, **settings)
        self.sections = sections or {"Commands": table or {}}
        self.table = {name: entry for entries in self.sections.values() for name, entry in entries.items()}

    def list_commands(self, ctx: click.Context) -> list[str]:  # noqa: ARG002
        """All names, in the order of the table: the order in which one meets them."""
        return list(self.table)

    def get_command(self, ctx: click.Context, cmd_name: str) -> click.Command | None:  # noqa: ARG002
        """The command, loaded now."""
        if cmd_name not in self.table:
            return None
        module, _, attribute = self.table[cmd_name].place.partition(":")
        command = getattr(import_module(f"{_PACKAGE}.{module}"), attribute)
        return command if isinstance(command, click.Command) else None

    def format_commands(self, ctx: click.Context, formatter: click.HelpFormatter) -> None:  # noqa: ARG002
        """Write the list of commands from the table, so that help loads none of them."""
        widest = max(map(len, self.table))
        for heading, entries in self.sections.items():
            with formatter.section(heading):
                formatter.write_dl([(name.ljust(widest), entry.help) for name, entry in entries.items()])

    def main(self, *arguments: Any, **settings: Any) -> Any:
        """Run the command line; a character that the terminal cannot show never stops it."""
        for stream in (sys.stdout, sys.stderr):
            if isinstance(stream, io.TextIOWrapper):
                stream.reconfigure(errors="replace")
        try:
            return super().main(*arguments, **settings)
        finally:
            gc.freeze()  # the process ends: looking for cycles in all that was loaded takes longer than a search

    def invoke(self, ctx: click.Context) -> Any:
        """Run a command; the one place where errors become exit codes."""
        try:
            return super().invoke(ctx)
        except (click.ClickException, click.exceptions.Exit, BrokenPipeError):
            raise  # click's own, which it knows how to end; a closed pipe ends it silently
        except (KeyboardInterrupt, click.Abort):
            click.echo(f"\n{INTERRUPTED.message}", err=True)
            # Struck inside an eval (that of a named tuple being made), CPython would end by the signal although it was
            # handled, and not with our code; another eval makes it forget.
            eval("None")  # noqa: S307
            ctx.exit(INTERRUPTED.code)
        except Exception as error:
            if isinstance(error, ExceptionGroup) and error.split(BrokenPipeError)[1] is None:
                raise BrokenPipeError(errno.EPIPE, os.strerror(errno.EPIPE)) from error  # as of a server's client
            if os.environ.get("NOCTUARY_DEBUG"):
                raise
            failure = failure_of(error)
            click.echo(f"noctuary: {safe(failure.message)}", err=True)  # it may quote what others wrote
            ctx.exit(failure.code)
