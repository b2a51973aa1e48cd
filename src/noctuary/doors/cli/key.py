"""`noctuary key`: keys of the API, and what was done with them."""

from collections.abc import Sequence
from contextlib import suppress

import click

from noctuary.access import Scope
from noctuary.app import Memory
from noctuary.app.access_keys import (
    DAY_MS,
    MadeKey,
    audits_of,
    keys_of,
    make_key,
    refusals_of,
    revoke_key,
    rotate_key,
    state_of,
)
from noctuary.doors.cli import commands
from noctuary.doors.cli.as_json import plain, print_either, print_json
from noctuary.doors.cli.failures import FOUND, NOTHING_FOUND
from noctuary.doors.cli.memory_options import project_named, text, with_memory, with_memory_to_read
from noctuary.doors.cli.paint import one_line
from noctuary.doors.cli.tables import table
from noctuary.doors.cli.words import last_part
from noctuary.moments import show_day, show_time
from noctuary.store.access import ApiKey, Audit

COMMANDS = {
    "make": commands.Entry("key:make", "Make a key, and show it this once."),
    "list": commands.Entry("key:list_", "List keys: what each is for, and when it was last used."),
    "rotate": commands.Entry("key:rotate", "Replace a key; the old one stays valid for a while."),
    "revoke": commands.Entry("key:revoke", "Revoke a key now."),
    "audit": commands.Entry("key:audit", "List what was asked of the server, and by which key."),
}
_MOST_DAYS = 36_500
_HOUR_MS = 3_600_000
_HEADS = ("ID", "STATE", "SCOPES", "PROJECT", "MADE", "ENDS", "LAST USED", "NAME")
_AUDIT_HEADS = ("TIME (UTC)", "KEY", "STATUS", "VERB", "PATH")


@click.group(cls=commands.Commands, table=COMMANDS)
def key() -> None:
    """Make, list, rotate and revoke keys of the API.

    A key is for one owner, and for what its scopes say: read, write, dream; admin is all of it.

    \b
    Examples:
      noctuary key make laptop --scope read --scope write
      noctuary key list --json
      noctuary key revoke abcdefghij
    """


@click.command()
@click.argument("name", type=text)
@click.option(
    "--scope",
    "scopes",
    multiple=True,
    default=("read",),
    show_default=True,
    type=click.Choice([str(scope) for scope in Scope]),
    help="What the key is for.  Repeatable.",
)
@click.option("--project", type=text, help="Only this project; `.`: that of this folder.  [default: all of yours]")
@click.option("--days", type=click.IntRange(1, _MOST_DAYS), help="How long it is valid.  [default: until revoked]")
@with_memory
def make(
    memory: Memory, name: str, scopes: Sequence[str], project: str | None, days: int | None, as_json: bool
) -> None:
    """Make a key, and show it this once.

    NAME is for you to know it by, such as the machine or program it is for.  Only a digest of the key is kept.

    \b
    Examples:
      noctuary key make laptop
      noctuary key make ci --scope read --scope write --project . --days 90
    """
    named = project_named(memory, project)
    made = make_key(
        memory,
        name,
        map(Scope, scopes),
        project=None if named is None else memory.project_called(named),
        lives_ms=None if days is None else days * DAY_MS,
    )
    _show_made(memory, made, as_json)


@click.command("list")
@click.option("--all", "is_all", is_flag=True, help="Also those that are no longer valid.")
@with_memory_to_read
def list_(memory: Memory, is_all: bool, as_json: bool) -> int:
    """List keys: what each is for, and when it was last used.

    \b
    Examples:
      noctuary key list
      noctuary key list --all --json
    """
    now = memory.clock.now_ms()
    keys = [each for each in keys_of(memory) if is_all or (each.revoked_ms is None and not each.is_expired(now))]
    lines = table(_HEADS, [_row(each, now) for each in keys]) if keys else ["No keys; `noctuary key make` makes one."]
    print_either([_as_json(each, now) for each in keys], lines, as_json)
    return FOUND if keys else NOTHING_FOUND


@click.command()
@click.argument("name", metavar="KEY", type=text)
@click.option(
    "--grace",
    default=24,
    show_default=True,
    type=click.IntRange(0, 24 * 365),
    help="Hours for which the old key stays good; 0 ends it now.",
)
@with_memory
def rotate(memory: Memory, name: str, grace: int, as_json: bool) -> None:
    """Replace a key; the old one stays valid for a while.

    KEY is its id.  The new key is for the same, and valid for as long as the old one was made for.

    \b
    Examples:
      noctuary key rotate abcdefghij
      noctuary key rotate abcdefghij --grace 0
    """
    _show_made(memory, rotate_key(memory, name, grace_ms=grace * _HOUR_MS), as_json)


@click.command()
@click.argument("name", metavar="KEY", type=text)
@with_memory
def revoke(memory: Memory, name: str, as_json: bool) -> None:
    """Revoke a key now.

    KEY is its id, or the whole key, as you found it where it should not be.  The next request with it is refused.

    \b
    Examples:
      noctuary key revoke abcdefghij
    """
    revoked = revoke_key(memory, name)
    line = f"Revoked {revoked.id} ({one_line(revoked.name)})."
    print_either(_as_json(revoked, memory.clock.now_ms()), [line], as_json)


@click.command()
@click.option("--key", "name", type=text, help="Only by this key.")
@click.option("--refused", is_flag=True, help="Only refused requests.")
@click.option("--limit", default=50, show_default=True, type=click.IntRange(1, 10_000), help="How many at most.")
@with_memory_to_read
def audit(memory: Memory, name: str | None, refused: bool, limit: int, as_json: bool) -> int:
    """List what was asked of the server, and by which key; the newest first.

    It has routes and how they ended, never what was said.  It is kept for 90 days, and 100,000 entries at most.

    \b
    Examples:
      noctuary key audit
      noctuary key audit --key abcdefghij --limit 10
      noctuary key audit --refused
    """
    audits = refusals_of(memory, most=limit) if refused else audits_of(memory, key=name, most=limit)
    lines = table(_AUDIT_HEADS, [_audit_row(each) for each in audits]) if audits else ["Nothing was asked yet."]
    print_either(audits, lines, as_json)
    return FOUND if audits else NOTHING_FOUND


def _show_made(memory: Memory, made: MadeKey, as_json: bool) -> None:
    if as_json:
        print_json({**_as_json(made.key, memory.clock.now_ms()), "key": made.text})
        return
    click.echo(made.text)
    with suppress(BrokenPipeError):
        click.echo("This is shown once; keep it where only its user can read it.", err=True)


def _as_json(each: ApiKey, now_ms: int) -> dict[str, object]:
    scopes = sorted(str(scope) for scope in each.scopes)
    return {**plain(each), "scopes": scopes, "state": state_of(each, now_ms)}


def _row(each: ApiKey, now_ms: int) -> tuple[str, ...]:
    return (
        each.id,
        state_of(each, now_ms),
        ",".join(sorted(each.scopes)),
        last_part(each.project) if each.project else "all",
        show_day(each.made_ms),
        show_day(each.expires_ms) or "-",
        show_time(each.used_ms) or "never",
        one_line(each.name),
    )


def _audit_row(entry: Audit) -> tuple[str, ...]:
    return (show_time(entry.at_ms), entry.key_id or "-", str(entry.status), entry.verb, entry.path or "-")
