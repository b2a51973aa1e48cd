"""What all commands share: `--home`, `--owner` and `--json`, and the memory they open."""

import os
import shlex
from collections.abc import Callable, Sequence
from functools import update_wrapper
from pathlib import Path
from typing import Any, TypeVar

import click

from noctuary.app import Memory
from noctuary.clock import SystemClock
from noctuary.doors.cli.addresses import without_password
from noctuary.doors.cli.commands import Place
from noctuary.moments import parse_moment
from noctuary.settings import Settings
from noctuary.text import clean

FOLDER = click.Path(path_type=Path)
Command = TypeVar("Command", bound=Callable[..., None])
_ELSEWHERE = ("CLAUDE_CONFIG_DIR", "CODEX_HOME")  # where this user's agents keep transcripts, not another home's


def text(given: str) -> str:
    """The type of an option: any text; bytes that are not UTF-8 are replaced, since no database could hold them."""
    return clean(given)


def with_settings(command: Callable[..., int | None]) -> Callable[..., None]:
    """Hand the command its settings, and end with the exit code it gives back."""

    def run(
        context: click.Context, /, home: Path | None, owner: str | None, database: str | None, **options: Any
    ) -> None:
        note_place(context, home, owner, database)
        context.exit(command(_settings(context.obj, options.pop("user_home", None)), **options) or 0)

    wrapped: Callable[..., None] = click.pass_context(run)
    return with_place(update_wrapper(wrapped, command))


def with_place(command: Command) -> Command:
    """Add the options that all commands share, and nothing that heeds them."""
    options = (
        click.option("--json", "as_json", is_flag=True, help="Print JSON, for programs."),
        click.option("--home", type=FOLDER, help="Folder of the memory.  [env: NOCTUARY_HOME]"),
        click.option("--owner", type=text, help="Whose memory.  [env: NOCTUARY_OWNER]"),
        click.option("--database", metavar="URL", help="A team's memory, postgresql://…  [env: NOCTUARY_DATABASE]"),
    )
    return with_options(options, command)


def note_place(context: click.Context, home: Path | None, owner: str | None, database: str | None) -> None:
    """Let the commands below this one know which memory is meant; what they are not told was said before them."""
    given = context.obj if isinstance(context.obj, Place) else Place()
    context.obj = Place(home or given.home, owner or given.owner, database or given.database)


def with_memory(command: Callable[..., int | None]) -> Callable[..., None]:
    """Open the memory for the command, hand it over, and close it; end with the exit code it gives back."""

    def run(settings: Settings, /, **options: Any) -> int | None:
        with Memory.from_settings(settings, SystemClock()) as memory:
            return command(memory, **options)

    return with_settings(update_wrapper(run, command))


def with_memory_to_read(command: Callable[..., int | None]) -> Callable[..., None]:
    """The same for a command that only reads: where there is no memory it sees an empty one, and makes none."""

    def run(settings: Settings, /, **options: Any) -> int | None:
        with Memory.to_read(settings, SystemClock()) as memory:
            return command(memory, **options)

    return with_settings(update_wrapper(run, command))


def with_options(options: Sequence[Callable[[Command], Command]], command: Command) -> Command:
    """Add options, which are shown in this order."""
    for option in reversed(options):
        command = option(command)
    return command


def with_session_filters(command: Command) -> Command:
    """Add the options that choose sessions: --agent, --project, --after, --before."""
    options = (
        click.option("--agent", type=text, help="Only sessions of this agent: claude-code, codex."),
        click.option("--project", type=text, help="Only this project, by its last parts; `.`: that of this folder."),
        click.option("--after", type=text, metavar="TIME", help="Only after it: 2026-05-01, 7d, yesterday.  UTC."),
        click.option("--before", type=text, metavar="TIME", help="Only before it."),
    )
    return with_options(options, command)


def project_named(memory: Memory, project: str | None) -> str | None:
    """The project that a person means: `.` and other relative paths are the project of that folder."""
    if project and project.split("/")[0] in (".", ".."):
        return memory.project_of(project)
    return project


def moment(memory: Memory, text: str | None) -> int | None:
    """The point in time that a person means; BadTime if it cannot be read."""
    return None if text is None else parse_moment(text, memory.clock.now_ms())


def command_line(*words: str) -> str:
    """A command to copy, for the memory that this command line asked for."""
    context = click.get_current_context(silent=True)
    place = context.obj if context and isinstance(context.obj, Place) else Place()
    database = place.database and without_password(place.database)
    given = (("--home", place.home), ("--owner", place.owner), ("--database", database))
    options = [part for name, value in given if value for part in (name, str(value))]
    return shlex.join(["noctuary", *words, *options])


def _settings(place: Place, user_home: Path | None) -> Settings:
    owner = clean(place.owner) if place.owner else None
    home = place.home and place.home.expanduser()
    settings = Settings.load(os.environ, home=home, owner=owner, database=place.database)
    return settings if user_home is None else in_home(settings, user_home)


def in_home(settings: Settings, user_home: Path) -> Settings:
    """The settings for transcripts below another home folder; where this user's agents keep theirs is not meant."""
    environ = {name: value for name, value in settings.environ.items() if name not in _ELSEWHERE}
    return settings._replace(user_home=user_home, environ=environ)
