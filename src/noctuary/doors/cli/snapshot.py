"""`noctuary snapshot` and `noctuary restore`."""

from collections.abc import Sequence
from pathlib import Path

import click

from noctuary.app import Memory
from noctuary.doors.cli.as_json import print_json
from noctuary.doors.cli.failures import BAD_INPUT, FOUND, STORE_PROBLEM
from noctuary.doors.cli.memory_options import FOLDER, command_line, with_memory_to_read, with_settings
from noctuary.doors.cli.paint import safe
from noctuary.doors.cli.words import counted, size
from noctuary.moments import show_time
from noctuary.settings import Settings
from noctuary.snapshot.making import Made
from noctuary.snapshot.manifest import Manifest
from noctuary.snapshot.restoring import Restored


@click.command()
@click.argument("target", type=FOLDER, required=False)
@click.option("--keep", type=click.IntRange(min=1), metavar="N", help="Then remove all but the newest N beside it.")
@with_memory_to_read
def snapshot(memory: Memory, target: Path | None, keep: int | None, as_json: bool) -> int:
    """Copy everything to one folder or file, while others keep working.

    TARGET is a new folder, or a file that ends in .tar.gz; by default a folder named after the time, below
    snapshots/ in the home.  The conversations, the journals, the pages, the settings and the dream state of all owners
    are in it, of one moment; models are not.  Older snapshots stay unless --keep says otherwise.

    \b
    Examples:
      noctuary snapshot
      noctuary snapshot /media/backup/noctuary.tar.gz
      noctuary snapshot --keep 7
    """
    made = memory.snapshot(target, keep=keep)
    if as_json:
        print_json(made)
    else:
        click.echo("\n".join(_told_of_snapshot(made)))
    _warn([*made.warnings, *made.failed])
    return STORE_PROBLEM if made.failed else FOUND


@click.command()
@click.argument("snapshot", type=FOLDER)
@click.option("--into", type=FOLDER, metavar="HOME", help="Restore into this folder, not into the usual home.")
@click.option("--replace", is_flag=True, help="Move a memory that is there aside, and restore in its place.")
@click.option("--dry-run", is_flag=True, help="Only check the snapshot, and say what would be done.")
@with_settings
def restore(settings: Settings, snapshot: Path, into: Path | None, replace: bool, dry_run: bool, as_json: bool) -> int:
    """Put a snapshot back; what is there is never deleted.

    SNAPSHOT is checked first, file by file, and refused if anything in it is missing, changed or too much.  If the
    home holds a memory already, nothing is done, and you are told what is newer in it; with --replace that memory is
    moved to a folder beside the home first.

    \b
    Examples:
      noctuary restore /media/backup/noctuary.tar.gz
      noctuary restore /media/backup/noctuary.tar.gz --dry-run
      noctuary restore /media/backup/noctuary.tar.gz --into /tmp/look
    """
    restored = Memory.restore(snapshot, into or settings.home, replace=replace, dry_run=dry_run)
    if as_json:
        print_json(restored)
    else:
        click.echo(safe("\n".join(_told_of_restore(restored, snapshot))))
    _warn(restored.warnings)
    return BAD_INPUT if restored.refusal else FOUND


def _told_of_snapshot(made: Made) -> list[str]:
    lines = [f"Wrote {made.path} ({size(made.size)}): {_held(made.manifest)}."]
    if made.manifest.is_empty:
        lines = [f"Wrote {made.path} ({size(made.size)}). This memory is empty, and so is its snapshot."]
    lines += [f"Removed {path}." for path in made.removed]
    return [*map(safe, lines), f"To put it back: {command_line('restore', str(made.path))}"]


def _told_of_restore(restored: Restored, snapshot: Path) -> list[str]:
    manifest = restored.manifest
    made = f"{snapshot} of {show_time(manifest.made_ms)} UTC"
    if not restored.is_dry:
        lines = [f"Restored {made} to {restored.home}: {_held(manifest)}."]
        if restored.aside:
            lines.append(f"What was there is in {restored.aside} now.")
        return lines
    lines = [f"{made} is sound: {_held(manifest)}."]
    if restored.refusal:
        return [*lines, restored.refusal]
    lines.append(f"It would be restored to {restored.home}. Nothing was changed: this was a dry run.")
    if restored.aside:
        lines.append(f"What is there would be moved to {restored.aside} first.")
    return lines


def _held(manifest: Manifest) -> str:
    if manifest.is_empty:
        return "an empty memory"
    held = manifest.owners.values()
    sessions, messages = sum(each.sessions for each in held), sum(each.messages for each in held)
    words = [counted(sessions, "session"), counted(messages, "message")]
    if events := sum(each.events for each in held):
        words.append(counted(events, "event"))
    if memories := sum(each.memories for each in held):
        words.append(counted(memories, "memory", "memories"))
    if waiting := sum(each.waiting for each in held):
        words.append(f"{waiting:,} waiting for a dream")
    owners = f" of {counted(len(manifest.owners), 'owner')}" if len(manifest.owners) > 1 else ""
    return ", ".join(words) + owners


def _warn(warnings: Sequence[str]) -> None:
    for warning in warnings:
        click.echo(f"noctuary: {safe(warning)}", err=True)
