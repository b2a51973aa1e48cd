"""Options that commands of tasks and of goals share."""

from collections.abc import Callable
from typing import Any, TypeVar

import click

from noctuary.doors.cli.memory_options import text, with_options
from noctuary.doors.cli.work_options import everywhere
from noctuary.graph import Priority

PRIORITY = click.Choice([str(each) for each in Priority])
UNPRIORITY = click.Choice([*(str(each) for each in Priority), "none"])
ENDINGS = click.Choice(["done", "abandoned", "superseded", "failed"])
_MOST = 1_000_000
Command = TypeVar("Command", bound=Callable[..., Any])


def with_listing(command: Command) -> Command:
    """Which of them to list: --status, --all, --everywhere, --limit."""
    options = (
        click.option("--status", type=text, help="Only those: open, closed, ready, blocked …  [default: open]"),
        click.option("--all", is_flag=True, help="Also closed ones."),
        everywhere,
        with_limit(20, "How many to list."),
    )
    return with_options(options, command)


def with_closing(command: Command) -> Command:
    """How it ended: --outcome, --reason, --as."""
    options = (
        click.option("--outcome", default="", type=text, metavar="TEXT", help="What came of it."),
        click.option("--reason", default="", type=text, metavar="TEXT", help="Why it ends."),
        click.option("--as", "ending", default="done", show_default=True, type=ENDINGS, help="How it ends."),
    )
    return with_options(options, command)


def with_limit(default: int, help_text: str) -> Callable[[Command], Command]:
    """How many: --limit."""
    return click.option(
        "-n", "--limit", default=default, show_default=True, type=click.IntRange(1, _MOST), help=help_text
    )
