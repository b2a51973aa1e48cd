"""`noctuary import`."""

from collections import Counter
from pathlib import Path

import click

from noctuary.app import Memory
from noctuary.doors.cli.as_json import print_either
from noctuary.doors.cli.memory_options import command_line, with_memory
from noctuary.doors.cli.paint import bold, coloured, one_line
from noctuary.doors.cli.progress import Bar
from noctuary.doors.cli.tables import facts
from noctuary.doors.cli.words import counted
from noctuary.errors import BadSettings
from noctuary.importing.report import ImportReport

_MOST_PROBLEMS = 5
_MOST_UNKNOWN = 8


@click.command("import")
@click.option(
    "--from",
    "--user-home",
    "user_home",
    type=click.Path(path_type=Path, exists=True, file_okay=False, resolve_path=True),
    help="Home folder to look in, instead of yours.",
)
@with_memory
def import_(memory: Memory, as_json: bool) -> None:
    """Bring in every transcript that is new or has grown.

    Finds the conversations of Claude Code and Codex below your home folder and stores what is not stored yet.
    Running it again reads only what was added since.  Secrets are replaced before anything is stored.

    \b
    Examples:
      noctuary import
      noctuary import --from /mnt/old-laptop/home/ana
    """
    with Bar("Importing") as bar:
        report = memory.import_transcripts(progress=bar.show)
    print_either(report, _told(report, memory), as_json)


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
    lines += [coloured(f"  ! {one_line(problem)}", "yellow") for problem in report.problems[:_MOST_PROBLEMS]]
    if len(report.problems) > _MOST_PROBLEMS:
        lines.append(f"  … and {len(report.problems) - _MOST_PROBLEMS} more; --json has them.")
    return [
        *lines,
        *_unread(memory),
        *_to_dream_of(memory),
        f"Next: {command_line('search', 'what you remember of it')}",
    ]


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
    wait = "waits" if waiting == 1 else "wait"
    return [f"{counted(waiting, 'session')} {wait} to be dreamt of: {command_line('dream')}"] if waiting else []


def _transcripts(report: ImportReport) -> str:
    counts = {"new": report.new, "grown": report.grown, "unchanged": report.unchanged}
    every = [*counts.items(), ("skipped", report.skipped.total())]
    return f"{report.found:,} found: {', '.join(f'{number:,} {name}' for name, number in every)}"


def _nothing_found(memory: Memory) -> list[str]:
    return [
        bold("No transcripts found."),
        f"Looked below {memory.settings.user_home}: for Claude Code in .claude/projects and .config/claude/projects",
        "(or $CLAUDE_CONFIG_DIR), for Codex in .codex/sessions (or $CODEX_HOME).",
        "If they are below another home folder: noctuary import --from FOLDER",
    ]


def _each(counts: Counter[str], noun: str = "", most: int = 0) -> str:
    shown = [f"{one_line(name)} {number:,}" for name, number in counts.most_common(most or None)]
    rest = len(counts) - len(shown)
    text = ", ".join([*shown, *([f"and {rest} more"] if rest else [])])
    return f"{text} {noun}".strip() if text else ""


def _some(number: int, what: str, noun: str = "message") -> str:
    return f"{counted(number, noun)} {what}" if number else ""
