"""`noctuary dream review`: proposals, one after the other."""

import sys
from collections import Counter
from collections.abc import Sequence

import click

from noctuary.app import Memory
from noctuary.doors.cli.as_json import print_json
from noctuary.doors.cli.dream_told import suggestion_told
from noctuary.doors.cli.failures import FOUND, NOTHING_FOUND
from noctuary.doors.cli.memory_options import command_line, project_named, text, with_memory
from noctuary.doors.cli.words import counted
from noctuary.dream.reviewing import Suggestion
from noctuary.errors import BadInput

_MOST_NAMED = 10
_CHOICES = {"a": "accept", "e": "edit", "r": "reject", "s": "skip", "all": "accept all", "q": "quit"}


@click.command()
@click.option("--project", type=text, help="Only of this project; `.`: that of this folder.  [default: all]")
@click.option("--run", type=text, help="Only what this dream proposed.")
@click.option("--list", "is_list", is_flag=True, help="Only list them.")
@click.option("--accept", multiple=True, type=text, metavar="ID", help="Accept this one.  Repeatable.")
@click.option("--edit", nargs=2, multiple=True, type=text, metavar="ID TEXT", help="Accept it in other words.")
@click.option("--reject", multiple=True, type=text, metavar="ID", help="Reject this one for good.  Repeatable.")
@click.option("--accept-all", is_flag=True, help="Accept everything that waits.")
@with_memory
def review(
    memory: Memory,
    project: str | None,
    run: str | None,
    is_list: bool,
    accept: Sequence[str],
    edit: Sequence[tuple[str, str]],
    reject: Sequence[str],
    accept_all: bool,
    as_json: bool,
) -> int:
    """Look through what dreams and agents proposed, and accept, edit or reject it.

    On a terminal each proposal is shown with the words it rests on, and you are asked.  What you accept is yours, so it
    may stand as a rule; what you reject is never proposed again.

    \b
    Examples:
      noctuary dream review
      noctuary dream review --list --json
      noctuary dream review --accept 01K2X9QZ --reject 01K2XA07
      noctuary dream review --accept-all --project .
    """  # fmt: skip
    where = project_named(memory, project)
    name = None if where is None else memory.project_called(where)
    run_id = memory.dreams.show(run).run if run else None
    done = _decided(memory, accept, edit, reject)
    if accept_all:
        done += [("accepted", entry.event.id) for entry in memory.dreams.accept_all(name, run=run_id)]
    waiting = memory.dreams.suggestions(name, run=run_id)
    if as_json:
        print_json({"done": [{"what": what, "event": event} for what, event in done], "count": len(waiting),
                    "suggestions": waiting})  # fmt: skip
    elif done:
        if len(done) <= _MOST_NAMED:
            click.echo("\n".join(f"{what.capitalize()} {event}" for what, event in done))
        else:
            what = Counter(what for what, _ in done)
            click.echo(", ".join(f"{name.capitalize()} {counted(each, 'proposal')}" for name, each in what.items()))
        click.echo(f"{counted(len(waiting), 'proposal')} left.")
    elif not waiting:
        click.echo(f"Nothing waits to be looked at. What dreams did: {command_line('dream', 'log')}")
    elif is_list or not sys.stdin.isatty():
        _list(waiting)
    else:
        _ask(memory, name, waiting)
    return FOUND if done or waiting else NOTHING_FOUND


def _decided(
    memory: Memory, accept: Sequence[str], edit: Sequence[tuple[str, str]], reject: Sequence[str]
) -> list[tuple[str, str]]:
    if {*accept, *(event for event, _ in edit)} & {*reject}:
        raise BadInput("The same proposal is accepted and rejected; say one of the two.")
    done = [("accepted", memory.dreams.accept(event).event.id) for event in accept]
    done += [("edited", memory.dreams.accept(event, words).event.id) for event, words in edit]
    return [*done, *(("rejected", memory.dreams.reject(event).event.id) for event in reject)]


def _list(waiting: Sequence[Suggestion]) -> None:
    for suggestion in waiting:
        click.echo("\n".join(suggestion_told(suggestion)))
    click.echo(f"{counted(len(waiting), 'proposal')}. Decide with: {command_line('dream', 'review')} --accept ID …")


def _ask(memory: Memory, project: str | None, waiting: Sequence[Suggestion]) -> None:
    """Ask about one after the other, until all are decided or somebody has enough."""
    for place, suggestion in enumerate(waiting):
        event = suggestion.entry.event
        click.echo(f"\n{place + 1} of {len(waiting)}")
        click.echo("\n".join(suggestion_told(suggestion)))
        offered = ", ".join(f"{key} {what}" for key, what in _CHOICES.items())
        answer = click.prompt(offered, type=click.Choice([*_CHOICES]), show_choices=False, default="s")
        if answer == "a":
            memory.dreams.accept(event.id)
        elif answer == "e":
            memory.dreams.accept(event.id, click.prompt("In your words", default=event.text))
        elif answer == "r":
            memory.dreams.reject(event.id)
        elif answer == "all":
            click.echo(f"Accepted {counted(len(memory.dreams.accept_all(project)), 'proposal')}.")
            return
        elif answer == "q":
            return
