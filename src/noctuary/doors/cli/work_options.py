"""What the commands of the work share: whose project it is, and who writes.

--project   by default that of this folder
--session   the agent's session, which says what it works on; agents set it in the environment
--author    user or agent; an agent's session in the environment means an agent
"""

from collections.abc import Callable
from functools import update_wrapper
from typing import Any, TypeVar

import click

from noctuary.app import Memory
from noctuary.authored import Author, EventSource, Trust
from noctuary.clock import SystemClock
from noctuary.doors.cli.memory_options import project_named, text, with_options, with_settings
from noctuary.settings import Settings
from noctuary.work.desk import Writer

Command = TypeVar("Command", bound=Callable[..., Any])
# Where agents say in which session they run a command.
_SESSIONS = ("NOCTUARY_SESSION", "CLAUDE_CODE_SESSION_ID", "CODEX_SESSION_ID", "CODEX_THREAD_ID")
# Where those say that they run a command which do not say in which session.
_AGENTS = ("CLAUDECODE", "CODEX_SANDBOX", "CURSOR_AGENT", "GEMINI_CLI", "OPENCODE", "AI_AGENT")


def with_work(command: Callable[..., int | None]) -> Callable[..., None]:
    """Open the memory, hand the command the work of a project to write to, and close it."""

    def run(settings: Settings, /, project: str | None, session: str | None, author: str | None, **options: Any) -> Any:
        with Memory.from_settings(settings, SystemClock()) as memory:
            work = memory.work(project_named(memory, project), _writer(settings, session, author))
            return command(work, **options)

    return _with_writer(_with_project(with_settings(update_wrapper(run, command))))


def with_work_to_read(command: Callable[..., int | None]) -> Callable[..., None]:
    """The same for a command that only reads: where there is no memory it sees an empty one, and makes none."""

    def run(settings: Settings, /, project: str | None, **options: Any) -> int | None:
        with Memory.to_read(settings, SystemClock()) as memory:
            return command(memory.work(project_named(memory, project), _writer(settings, None, None)), **options)

    return _with_project(with_settings(update_wrapper(run, command)))


def everywhere(command: Command) -> Command:
    """Add --everywhere."""
    return click.option("--everywhere", is_flag=True, help="Of all projects.")(command)


def _with_project(command: Callable[..., None]) -> Callable[..., None]:
    about = "Which project, by its path or the end of it.  [default: this folder's]"
    return click.option("--project", type=text, help=about)(command)


def _with_writer(command: Callable[..., None]) -> Callable[..., None]:
    authors = click.Choice([Author.USER.value, Author.AGENT.value])
    options = (
        click.option("--session", type=text, help="The agent's session.  [env: NOCTUARY_SESSION]"),
        click.option("--author", type=authors, help="Who writes.  [default: user, or agent in a session]"),
    )
    return with_options(options, command)


def agents_session(settings: Settings) -> str | None:
    """The session of the agent that started this, if it said so."""
    return next((settings.environ[name] for name in _SESSIONS if settings.environ.get(name)), None)


def _writer(settings: Settings, session: str | None, author: str | None) -> Writer:
    within = session or agents_session(settings)
    is_agent = bool(within) or any(settings.environ.get(name) for name in _AGENTS)
    who = Author(author) if author else Author.AGENT if is_agent else Author.USER
    trust = Trust.USER if who is Author.USER else Trust.AGENT
    return Writer(author=who, source=EventSource.CLI, session=within, trust=trust)
