"""`noctuary import`."""

from collections import Counter
from pathlib import Path
from typing import Any, NamedTuple

import click

from noctuary.app import Memory
from noctuary.clock import SystemClock
from noctuary.doors.cli.as_json import print_either
from noctuary.doors.cli.memory_options import command_line, in_home, project_named, text, with_settings
from noctuary.doors.cli.paint import bold, coloured, one_line
from noctuary.doors.cli.progress import Bar
from noctuary.doors.cli.switched import switched_lines
from noctuary.doors.cli.tables import facts
from noctuary.doors.cli.words import counted
from noctuary.errors import BadSettings
from noctuary.importing.report import ImportReport
from noctuary.settings import Settings
from noctuary.switching.tools import Tool


class _Named(click.Path):
    """A path that says something: of an empty one, as of a variable that is not set, all of this folder would come."""

    def convert(self, value: Any, param: click.Parameter | None, ctx: click.Context | None) -> Any:
        if not str(value).strip():
            self.fail("it is empty; name a file or a folder, `.` for this one.", param, ctx)
        return super().convert(value, param, ctx)


_MOST_PROBLEMS = 5
_MOST_UNKNOWN = 8


@click.command("import")
@click.option(
    "--from",
    "origin",
    type=text,
    metavar="TOOL|FOLDER",
    help="Another tool to switch from; or a home folder to look in, instead of yours.",
)
@click.option(
    "--user-home",
    type=click.Path(path_type=Path, exists=True, file_okay=False, resolve_path=True),
    help="Home folder to look in, instead of yours.",
)
@click.option("--project", type=text, help="With a tool: where what names no folder belongs; `.`: this folder's.")
@click.option("--dry-run", is_flag=True, help="With a tool: say what would come in, and change nothing.")
@click.argument("path", type=_Named(path_type=Path), required=False)
@with_settings
def import_(
    settings: Settings, origin: str | None, path: Path | None, project: str | None, dry_run: bool, as_json: bool
) -> None:
    """Bring in every transcript that is new or has grown.

    Finds the conversations of coding agents below your home folder and stores what is not stored yet.
    Running it again reads only what was added since.  Secrets are replaced before anything is stored.

    With a PATH alone, the transcripts in that file or folder come in, such as a copy of one that lies where its agent
    would not keep it: whose they are is seen by what stands in them.

    With --from and the name of a tool, what that kept comes in, from PATH or from where it usually is: claude-mem,
    mempalace, mem0, basic-memory, beads, task-journal, chatgpt or claude.ai.  Nothing of it is a rule until you
    confirm it, and a second time adds nothing.  Any other word is a home folder; write ./mem0 for one of such a name.

    \b
    Examples:
      noctuary import
      noctuary import ~/Downloads/rollout.jsonl
      noctuary import --from /mnt/old-laptop/home/ana
      noctuary import --from claude-mem --dry-run
      noctuary import --from basic-memory ~/notes --project shop
    """
    if origin in set(Tool):
        _switch(settings, Switching(Tool(origin), path, project, dry_run), as_json)
        return
    if project or dry_run or (path and origin):
        tools = ", ".join(Tool)
        raise click.UsageError(f"--project, --dry-run and a second PATH go with --from TOOL, one of: {tools}.")
    if path and not path.exists():
        raise click.BadParameter(f"there is no file or folder {str(path)!r}.", param_hint="'PATH'")
    with Memory.from_settings(_home_of(settings, origin), SystemClock()) as memory:
        with Bar("Importing") as bar:
            report = memory.import_transcripts(at=path, progress=bar.show)
        if path and not report.found:
            nothing = bold(f"No transcript of an agent was found in {one_line(str(path))}.")
            print_either(report, [nothing, *_problems(report)], as_json)
            return
        print_either(report, _told(report, memory), as_json)


class Switching(NamedTuple):
    """What somebody wants to switch from."""

    tool: Tool
    path: Path | None
    project: str | None
    is_dry: bool


def _home_of(settings: Settings, origin: str | None) -> Settings:
    """The settings for the home folder that --from names, if it names one."""
    if origin is None:
        return settings
    folder = Path(origin).expanduser()
    if not origin or not folder.is_dir():
        raise click.BadParameter(
            f"{origin!r} is neither a folder nor a tool to switch from ({', '.join(Tool)}).", param_hint="'--from'"
        )
    return in_home(settings, folder.resolve())


def _switch(settings: Settings, wanted: Switching, as_json: bool) -> None:
    clock = SystemClock()
    opened = Memory.to_read(settings, clock) if wanted.is_dry else Memory.from_settings(settings, clock)
    with opened as memory:
        project = project_named(memory, wanted.project)
        switched = memory.switch_from(wanted.tool, wanted.path, project=project, dry_run=wanted.is_dry)
        print_either(switched, switched_lines(switched), as_json)


def _told(report: ImportReport, memory: Memory) -> list[str]:
    if not report.found:
        return _nothing_found(memory)
    added = f"{counted(report.messages, 'message')} in {counted(report.sessions, 'session')}"
    lines = [bold(f"Imported {added}." if report.messages else "Nothing new.")]
    lines += facts(
        (
            ("transcripts", _transcripts(report)),
            ("skipped", _each(report.skipped)),
            ("agents", _each(report.by_agent, "messages")),
            ("repeated", _some(report.repeated, "copied by a fork or resume: stored once, with the original")),
            ("hidden", _some(report.hidden, "not part of a conversation, such as context an agent was given")),
            ("rewound", _some(report.rewound, "taken back by the user: kept, but not found by searches")),
            ("forgotten", _some(report.forgotten, "kept out, because you had them forgotten")),
            ("malformed", _some(report.malformed, "left out: not what the agent usually writes", "line")),
            ("unknown types", _each(report.unknown, most=_MOST_UNKNOWN)),
            ("drift", _drift(report)),
        )
    )
    return [
        *lines,
        *_problems(report),
        *_unread(memory),
        *_to_dream_of(memory),
        f"Next: {command_line('search', 'what you remember of it')}",
    ]


def _problems(report: ImportReport) -> list[str]:
    lines = [coloured(f"  ! {one_line(problem)}", "yellow") for problem in report.problems[:_MOST_PROBLEMS]]
    more = len(report.problems) - _MOST_PROBLEMS
    return [*lines, f"  … and {more} more; --json has them."] if more > 0 else lines


def _drift(report: ImportReport) -> str:
    """What agents wrote that is new to our adapters: the first sign that a format has changed."""
    new = [(len(report.unknown), "record type"), (len(report.fields), "field")]
    told = " and ".join(counted(number, noun) for number, noun in new if number)
    return f"{told} new to us; {command_line('sources', '--drift')}" if told else ""


def _unread(memory: Memory) -> list[str]:
    """What is new to the model, if there is one: until it has read them, messages are found by their words."""
    waiting = [counts.total - counts.done for _, counts in memory.used_models()[-1:]]
    return [
        f"The model has not read {counted(each, 'message')} yet: {command_line('embed')}" for each in waiting if each
    ]


def _to_dream_of(memory: Memory) -> list[str]:
    try:
        waiting = memory.dreams.outlook().waiting
    except BadSettings as error:  # what was imported is imported; a dream would stop at it
        return [coloured(f"  ! {one_line(str(error))}", "yellow")]
    wait = "is waiting" if waiting == 1 else "are waiting"
    return [f"{counted(waiting, 'session')} {wait} for a dream: {command_line('dream')}"] if waiting else []


def _transcripts(report: ImportReport) -> str:
    counts = {"new": report.new, "grown": report.grown, "unchanged": report.unchanged}
    every = [*counts.items(), ("skipped", report.skipped.total())]
    return f"{report.found:,} found: {', '.join(f'{number:,} {name}' for name, number in every)}"


def _nothing_found(memory: Memory) -> list[str]:
    return [
        bold("No transcripts found."),
        f"Looked below {memory.settings.user_home}: for Claude Code in .claude/projects and .config/claude/projects",
        "(or $CLAUDE_CONFIG_DIR), for Codex in .codex/sessions (or $CODEX_HOME), and where other agents keep them.",
        "If they are below another home folder: noctuary import --from FOLDER",
    ]


def _each(counts: Counter[str], noun: str = "", most: int = 0) -> str:
    shown = [f"{one_line(name)} {number:,}" for name, number in counts.most_common(most or None)]
    rest = len(counts) - len(shown)
    text = ", ".join([*shown, *([f"and {rest} more"] if rest else [])])
    return f"{text} {noun}".strip() if text else ""


def _some(number: int, what: str, noun: str = "message") -> str:
    return f"{counted(number, noun)} {what}" if number else ""
