"""`noctuary dream end|suspend|resume|heal`: the life of a session, as dreams see it."""

import click

from noctuary.app import Memory
from noctuary.doors.cli.as_json import print_json
from noctuary.doors.cli.memory_options import command_line, text, with_memory
from noctuary.doors.cli.paint import one_line
from noctuary.doors.cli.words import counted
from noctuary.dreams import DreamStatus


@click.command()
@click.argument("session", type=text)
@with_memory
def end(memory: Memory, session: str, as_json: bool) -> None:
    """Mark a session as over, so that the next dream reads it.

    A session that goes on afterwards is read again when it ends again, but only what is new in it.

    \b
    Examples:
      noctuary dream end 3b0f6a52
    """
    record = memory.dreams.end_session(session)
    if as_json:
        print_json(record)
        return
    if record.status is DreamStatus.COMPLETED:
        click.echo(f"{one_line(record.session)} has ended, and there is nothing in it that no dream has read.")
        return
    waiting = counted(record.last_id - record.first_id + 1, "message")
    click.echo(f"{one_line(record.session)} has ended; {waiting} to read. Now with: {command_line('dream')}")


@click.command()
@click.argument("session", type=text)
@with_memory
def suspend(memory: Memory, session: str, as_json: bool) -> None:
    """Mark a session as paused, so that it does not end by itself.

    \b
    Examples:
      noctuary dream suspend 3b0f6a52
    """
    memory.dreams.suspend_session(session)
    _tell(memory, session, as_json)


@click.command()
@click.argument("session", type=text)
@with_memory
def resume(memory: Memory, session: str, as_json: bool) -> None:
    """Mark a suspended session as going on.

    \b
    Examples:
      noctuary dream resume 3b0f6a52
    """
    memory.dreams.resume_session(session)
    _tell(memory, session, as_json)


@click.command()
@with_memory
def heal(memory: Memory, as_json: bool) -> None:
    """Rebuild the state of dreams from the journal, where it cannot be read.

    What cannot be read is copied to a file first.  What is sound is not touched.

    \b
    Examples:
      noctuary dream heal
    """
    healed = memory.dreams.heal()
    if as_json:
        print_json(healed)
        return
    if healed.quarantined:
        click.echo(f"What could not be read is kept in {one_line(str(healed.quarantined))}.")
    if not (healed.quarantined or healed.records or healed.removed):
        click.echo("The state of dreams is sound; nothing was changed.")
        return
    click.echo(f"Made {counted(healed.records, 'record')} again from the journal.")


def _tell(memory: Memory, name: str, as_json: bool) -> None:
    session = memory.session(name)
    if as_json:
        print_json({"session": session.id, "status": session.status})
    else:
        click.echo(f"{one_line(session.id)} is {session.status} now.")
