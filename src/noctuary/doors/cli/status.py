"""`noctuary status` and `noctuary doctor`."""

import click

from noctuary.app import Memory
from noctuary.app.dreaming import Standing
from noctuary.doors.cli.as_json import plain, print_either
from noctuary.doors.cli.failures import FOUND, STORE_PROBLEM
from noctuary.doors.cli.memory_options import command_line, with_memory_to_read, with_settings
from noctuary.doors.cli.paint import bold, coloured, one_line
from noctuary.doors.cli.progress import PATIENCE, Bar
from noctuary.doors.cli.tables import facts
from noctuary.doors.cli.words import counted, seen, size
from noctuary.errors import NoctuaryError
from noctuary.health import Checked, Checkup, Finding, Overview
from noctuary.moments import show_day
from noctuary.settings import Settings
from noctuary.store.vectors import Coverage

_MARKS = {Finding.OK: ("ok", "green"), Finding.WARNING: ("warning", "yellow"), Finding.PROBLEM: ("PROBLEM", "red")}
_MOST_INTERRUPTED = 5


@click.command()
@with_memory_to_read
def status(memory: Memory, as_json: bool) -> None:
    """Show how much is kept, and from where.

    \b
    Examples:
      noctuary status
      noctuary status --json
    """
    overview, dreams = memory.status(), _dreams(memory)
    print_either({**plain(overview), "dreams": plain(dreams)}, _told(overview, dreams), as_json)


@click.command()
@with_settings
def doctor(settings: Settings, as_json: bool) -> int:
    """Check the memory, and say what to do about what is wrong.

    Looks at the file, the full-text index, the counts, the journals, the vectors and the model, the permissions, the
    backups, the transcripts and their formats, and the dreams.  Nothing is changed.  The exit code is 4 if there is a
    problem, but not for a warning.

    \b
    Examples:
      noctuary doctor
      noctuary doctor --json
    """
    with Bar("Checking", lambda total: counted(total, "check"), patience=PATIENCE) as bar:
        checkup = Memory.examine(settings, progress=bar.show)
    print_either(
        {"healthy": checkup.is_healthy, **plain(checkup)},
        [*(_checked(check) for check in checkup.checks), _verdict(checkup)],
        as_json,
    )
    return FOUND if checkup.is_healthy else STORE_PROBLEM


def _dreams(memory: Memory) -> Standing | str:
    """Where dreams stand; in words, if the settings or the state of them cannot be read."""
    try:
        return memory.dreams.standing()
    except NoctuaryError as error:
        return str(error)


def _dreams_told(dreams: Standing | str) -> str:
    if isinstance(dreams, str):
        return one_line(dreams)
    last = f"the last on {show_day(dreams.last_ms)}" if dreams.last_ms else "none yet"
    waiting = dreams.outlook.waiting + dreams.outlook.held
    wait = f"{counted(waiting, 'session')} to read: `{command_line('dream')}`" if waiting else "nothing waits"
    return f"{last}; {wait}"


def _told(overview: Overview, dreams: Standing | str) -> list[str]:
    kept = f"{counted(overview.messages, 'message')} in {counted(overview.sessions, 'session')}"
    if overview.hidden:
        kept += f", and {overview.hidden:,} hidden ones"
    nothing = "No conversation is kept yet." if overview.events else "This memory is empty."
    lines = [bold(kept if overview.sessions else nothing)]
    pairs = [("from", f"{show_day(overview.first_ms)} to {show_day(overview.last_ms)}" if overview.last_ms else "")]
    for agent in overview.agents:
        amount = f"{counted(agent.messages, 'message')} in {counted(agent.sessions, 'session')}"
        pairs.append((one_line(agent.agent), f"{amount}, the last on {show_day(agent.last_ms) or '?'}"))
    pairs += [
        ("transcripts", _transcripts(overview)),
        ("work", _work(overview)),
        ("dreams", _dreams_told(dreams) if overview.sessions else ""),
        ("model", _model(overview)),
        ("owner", one_line(overview.owner)),
        ("database", f"{overview.database} ({size(overview.bytes) if overview.bytes else 'not made yet'})"),
        ("version", overview.version),
    ]
    lines += facts(pairs)
    for path, reason in overview.interrupted[:_MOST_INTERRUPTED]:
        lines.append(coloured(f"  ! not read to its end: {one_line(path)}: {one_line(reason)}", "yellow"))
    return [*lines, *_next_step(overview)]


def _transcripts(overview: Overview) -> str:
    found = f"{overview.transcripts:,} on this machine, {overview.unread:,} not imported yet"
    return f"{found}, {overview.grown:,} changed since" if overview.grown else found


def _work(overview: Overview) -> str:
    if not overview.events:
        return "nothing written down yet; `noctuary task open` begins"
    tasks = f"{counted(overview.tasks, 'task')}, {overview.open_tasks:,} of them open"
    rest = f"{counted(overview.decisions, 'decision')}, {counted(overview.events, 'event')} in the journal"
    return f"{counted(overview.goals, 'goal')}, {tasks}; {rest}"


def _model(overview: Overview) -> str:
    if not overview.models:
        return "words only; `noctuary model list` shows models"
    told = [f"{one_line(m.name)} has read {seen(Coverage(m.messages_read, m.messages))}" for m in overview.models]
    return told[0] if len(told) == 1 else f"{told[0]}; {told[1]} and follows it"


def _is_unread(overview: Overview) -> bool:
    return any(model.messages_read < model.messages for model in overview.models)


def _next_step(overview: Overview) -> list[str]:
    if overview.unread or overview.grown or overview.interrupted:
        return [f"Next: {command_line('import')}"]
    if _is_unread(overview):
        return [f"Next: {command_line('embed')}"]
    if not overview.sessions:
        return ["No transcripts of coding agents were found. Elsewhere? noctuary import --from FOLDER"]
    return []


def _checked(check: Checked) -> str:
    mark, colour = _MARKS[check.finding]
    return f"{coloured(f'{mark:<7}', colour)}  {check.name}: {one_line(check.detail)}"


def _verdict(checkup: Checkup) -> str:
    problems = sum(check.finding is Finding.PROBLEM for check in checkup.checks)
    return bold("The memory is sound." if not problems else f"{counted(problems, 'problem')} found.")
