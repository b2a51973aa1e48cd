"""`noctuary journal`: what was written down, as lines."""

import json
from collections.abc import Iterator, Sequence
from pathlib import Path

import click

from noctuary.app import Memory
from noctuary.app.work import Work
from noctuary.doors.cli import commands
from noctuary.doors.cli.as_json import plain, print_either, print_json
from noctuary.doors.cli.failures import FOUND, STORE_PROBLEM
from noctuary.doors.cli.given_files import PIPE, bytes_in
from noctuary.doors.cli.memory_options import FOLDER, with_memory, with_memory_to_read
from noctuary.doors.cli.paint import bold, coloured, one_line
from noctuary.doors.cli.words import counted
from noctuary.doors.cli.work_options import everywhere, with_work, with_work_to_read
from noctuary.errors import BadInput
from noctuary.ledger.advice import HARMLESS, advice_on, is_sound
from noctuary.ledger.verifying import Finding
from noctuary.work.exchange import SetAside
from noctuary.work.setting_aside import ImportedFiles

COMMANDS = {
    "verify": commands.Entry("journal:verify", "Check that the journals, and what was read from them, are sound."),
    "restore": commands.Entry("journal:restore", "Write journals again that were lost or cut."),
    "export": commands.Entry("journal:export", "Print everything that was written down, one event a line."),
    "import": commands.Entry("journal:import_", "Add the lines of another machine, of Task-Journal or of Beads."),
}
_MOST_SHOWN = 20


@click.group(cls=commands.Commands, table=COMMANDS)
def journal() -> None:
    """Verify, restore, export and import what was written down.

    The journal is one file a project, of one event a line; lines are only ever added, but for secrets and what was
    forgotten, which are taken out provably.  All goals, tasks, decisions and notes follow from it.  Each command has
    --json.

    \b
    Examples:
      noctuary journal verify
      noctuary journal export > shop.jsonl
      noctuary journal import shop.jsonl
    """  # fmt: skip


@click.command()
@with_memory_to_read
def verify(memory: Memory, as_json: bool) -> int:
    """Check that the journals, and what was read from them, are sound.

    Every line is looked at: whether it is an event, follows the line before it and is there once; then whether all
    that is shown elsewhere is what the journals say.  Nothing is changed.  The exit code is 4 if something is wrong.

    \b
    Examples:
      noctuary journal verify
      noctuary journal verify --json
    """  # fmt: skip
    findings = memory.verify_journals()
    sound = is_sound(findings)
    print_either({"is_sound": sound, "count": len(findings), "findings": findings}, _verified(findings, sound), as_json)
    return FOUND if sound else STORE_PROBLEM


@click.command()
@with_memory
def restore(memory: Memory, as_json: bool) -> None:
    """Write journals again that were lost or cut.

    Everything that was read from a journal is also in the database, so it can be written again from there.  What is
    left of the old file stays beside it; if it has more, `noctuary journal import` adds that.  Journals that are as
    they should be are not touched.

    \b
    Examples:
      noctuary journal restore
    """  # fmt: skip
    restored = memory.restore_journals()
    if as_json:
        print_json({"count": len(restored), "restored": restored})
        return
    for each in restored:
        click.echo(f"Restored {one_line(each.project) or '(no project)'}: {counted(each.events, 'event')}.")
        if each.aside:
            click.echo(f"  what was left of the old file: {one_line(str(each.aside))}")
    if not restored:
        click.echo("Every journal is as it was when it was read; nothing to restore.")


@click.command()
@click.option("-o", "--output", type=FOLDER, metavar="FILE", help="Write there instead of printing.")
@everywhere
@with_work_to_read
def export(work: Work, output: Path | None, everywhere: bool, as_json: bool) -> None:
    """Print everything that was written down, one event a line.

    The lines are sorted and say nothing of this machine: two memories that have the same events print the same bytes,
    so the file can be kept in git.  Corrected and retracted entries are in it, too.  With --json it is one document, of
    the count and the events.

    \b
    Examples:
      noctuary journal export > shop.jsonl
      noctuary journal export --everywhere -o all.jsonl
    """  # fmt: skip
    lines = work.export_journal(everywhere=everywhere)
    if output is None and as_json:
        events = [json.loads(line) for line in lines]
        print_json({"count": len(events), "events": events})
        return
    if output is None:
        for line in lines:
            click.echo(line, nl=False)
        return
    count = _written(lines, output)
    if as_json:
        print_json({"file": output, "count": count})
    else:
        click.echo(f"Wrote {counted(count, 'event')} to {one_line(str(output))}.")


@click.command("import")
@click.argument("path", type=FOLDER, metavar="FILE|FOLDER|-")
@click.option("--foreign", is_flag=True, help="Let the lines of any project belong to this one.")
@with_work
def import_(work: Work, path: Path, foreign: bool, as_json: bool) -> None:
    """Add the lines of another machine, of Task-Journal or of Beads.

    Whose lines they are is seen from the lines.  What is known already is passed over, so the same file can be
    imported any number of times; lines that cannot be read are set aside in FILE.bad.  What says its project goes to
    that, everything else to this one.  `-` is what comes through a pipe.

    \b
    Examples:
      noctuary journal import shop.jsonl
      noctuary journal import ~/.local/share/task-journal
      noctuary journal import .beads/issues.jsonl
      ssh desk noctuary journal export | noctuary journal import -
    """  # fmt: skip
    if path == PIPE:
        imported = ImportedFiles(work.import_lines(bytes_in(path).splitlines(), foreign=foreign))
    else:
        imported = work.import_journal(path, foreign=foreign)
    if as_json:
        written, unwritable = imported.written, imported.unwritable
        print_json({**plain(imported.report), "set_aside_in": written, "not_set_aside": unwritable})
    else:
        click.echo("\n".join(_imported(imported)))


def _verified(findings: Sequence[Finding], sound: bool) -> Iterator[str]:
    for finding in findings[:_MOST_SHOWN]:
        colour = "yellow" if finding.kind in HARMLESS else "red"
        where = f"{one_line(finding.project) or '(no project)'}{f', line {finding.line:,}' if finding.line else ''}"
        yield f"{coloured(finding.kind, colour)}  {where}: {one_line(finding.detail)}"
    if len(findings) > _MOST_SHOWN:
        yield f"… and {len(findings) - _MOST_SHOWN:,} more; --json has them all"
    yield from advice_on(findings)
    yield bold("The journals are sound." if sound else "The journals are not sound.")


def _written(lines: Iterator[str], output: Path) -> int:
    try:
        with output.open("w", encoding="utf-8", newline="") as file:
            return sum(1 for line in lines if file.write(line))
    except OSError as error:
        raise BadInput(f"{output} cannot be written: {error.strerror or error}. Name another file.") from error


def _imported(imported: ImportedFiles) -> Iterator[str]:
    report = imported.report
    known = f", {report.known:,} known already" if report.known else ""
    yield bold(f"{counted(report.added, 'event')} added{known}.")
    yield from _asides(report.notes, "read, but not quite as it stands", "yellow")
    yield from _asides(report.bad, "not read", "red")
    for file in imported.written:
        yield f"Lines that could not be read are in {one_line(str(file))}; put them right and import that file."
    for file in imported.unwritable:
        yield f"Beside {one_line(str(file))} nothing can be written; --json has the lines that could not be read."


def _asides(asides: Sequence[SetAside], what: str, colour: str) -> Iterator[str]:
    for aside in asides[:_MOST_SHOWN]:
        where = f"{one_line(aside.file)} " if aside.file else ""
        line = f"{where}line {aside.number:,}" if aside.number else where.rstrip() or "as a whole"
        yield coloured(f"  {line} {what}: {one_line(aside.why)}", colour)
    if len(asides) > _MOST_SHOWN:
        yield coloured(f"  … and {len(asides) - _MOST_SHOWN:,} more {what}; --json has them all", colour)
