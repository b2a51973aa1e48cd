"""`noctuary decide` and `noctuary reject`: a choice in one line, or one after the other."""

import re
from collections.abc import Iterator, Sequence

import click

from noctuary.app.work import Work
from noctuary.doors.cli.as_json import print_either
from noctuary.doors.cli.authoring import (
    Cited,
    alternatives_of,
    new_options,
    said,
    with_citations,
    with_reason,
)
from noctuary.doors.cli.memory_options import command_line, text
from noctuary.doors.cli.nodes import node_line, print_changed
from noctuary.doors.cli.note import noted
from noctuary.doors.cli.paint import bold, dim, one_line
from noctuary.doors.cli.work_options import with_work
from noctuary.errors import BadInput
from noctuary.work.decisions import Decision

# What is an id, and not words of a decision or of a way that was rejected.
_DECISION = re.compile(r"d-[0-9a-z]{1,10}")
_OPTION = re.compile(r"o-[0-9a-z]{1,10}")
_TASK_HELP = "The task or goal it is part of.  [default: what this session works on]"


@click.command()
@said(metavar="TEXT|DECISION")
@click.option("--task", type=text, metavar="NODE", help=_TASK_HELP)
@click.option("--option", "options", multiple=True, type=text, metavar="OPTION[: WHY]",
              help="A way to go, and what speaks against it.  Repeatable.")  # fmt: skip
@click.option("--chosen", type=text, metavar="OPTION", help="The way that is taken: its words, or its id.")
@click.option("--because", default="", type=text, metavar="TEXT", help="Why.")
@click.option("--supersedes", type=text, metavar="ID", help="The decision that holds no longer.")
@with_citations
@with_work
def decide(
    work: Work,
    words: str,
    task: str | None,
    options: Sequence[str],
    chosen: str | None,
    because: str,
    supersedes: str | None,
    cited: Cited,
    as_json: bool,
) -> None:
    """Write a decision down, made or still to be made.

    TEXT is what is decided; with options and nothing chosen, what is to be decided.  The id of a DECISION that is still
    open chooses for it, or adds an option to it.

    \b
    Examples:
      noctuary decide "Sessions live in SQLite" --because "One file, nothing to run"
      noctuary decide "Where sessions live" --option "Redis: one more server" --option SQLite --chosen SQLite
      noctuary decide "Which coupon comes first?" --option "by date" --option "by value"
      noctuary decide d-7m1p --chosen "by date" --because "The law says so"
    """  # fmt: skip
    if _DECISION.fullmatch(words.strip()):
        if task or supersedes or any(cited):
            raise BadInput("Of a decision that is open already, say --option, or --chosen and --because; nothing else.")
        _print_decision(_gone_on(work, words.strip(), options, chosen, because), as_json)
        return
    if options and not chosen:
        if because or supersedes or any(cited):
            raise BadInput("Nothing is chosen yet: add --chosen, or leave out everything but --option and --task.")
        _print_decision(_left_open(work, words, task, options), as_json)
        return
    entry = work.note(
        "decision",
        words if chosen else with_reason(words, because),
        node=task,
        alternatives=alternatives_of(options, chosen, because),
        supersedes=supersedes,
        **cited.told(work),
    )
    print_either(entry, noted(work, entry), as_json)


@click.command()
@said(metavar="TEXT|OPTION")
@click.option("--task", type=text, metavar="NODE", help="The task it is about.  [default: what this session works on]")
@click.option("--because", default="", type=text, metavar="TEXT", help="Why not.")
@with_citations
@with_work
def reject(
    work: Work,
    words: str,
    task: str | None,
    because: str,
    cited: Cited,
    as_json: bool,
) -> None:
    """Write down an option that is ruled out, and why.

    TEXT is what is rejected.  The id of an OPTION rules it out; its decision stays open.

    \b
    Examples:
      noctuary reject "Redis for sessions" --because "One more server to run"
      noctuary reject o-2c8d --because "Nobody knows the value before checkout"
    """  # fmt: skip
    if _OPTION.fullmatch(words.strip()):
        if task or any(cited):
            raise BadInput("An option is rejected with --because alone; note what it rests on as evidence.")
        print_changed("Rejected", work.reject_option(words.strip(), because), as_json)
        return
    entry = work.note(
        "rejection",
        with_reason(words, because),
        node=task,
        **cited.told(work),
    )
    print_either(entry, noted(work, entry), as_json)


def _gone_on(work: Work, name: str, options: Sequence[str], chosen: str | None, because: str) -> Decision:
    """A decision that was left open, one step on: with more options, or with one of them chosen."""
    if bool(options) == bool(chosen):
        raise BadInput(f"Say what to do with {name}: --chosen OPTION decides it, --option adds a way to go.")
    if chosen:
        return work.choose_option(name, chosen, because)
    if len(options) > 1:
        raise BadInput("Add one --option at a time.")
    return work.add_option(name, new_options(options)[0])


def _left_open(work: Work, words: str, task: str | None, options: Sequence[str]) -> Decision:
    """A decision that is still to be made, as part of the task or of what this session works on."""
    return work.log_decision(words, parent=task or work.active_task(), options=new_options(options))


def _print_decision(decision: Decision, as_json: bool) -> None:
    print_either(decision, _told(decision), as_json)


def _told(decision: Decision) -> Iterator[str]:
    yield node_line(decision.node)
    for option in decision.options:
        is_chosen = decision.chosen is not None and option.id == decision.chosen.id
        why = f"  {dim(one_line(decision.rationale or ''))}" if is_chosen and decision.rationale else ""
        title = bold(one_line(option.title)) if is_chosen else one_line(option.title)
        yield f"  {option.id}  {title}  {option.status}{why}"
    if decision.chosen is None:
        yield dim(f"Next: {command_line('decide', decision.node.id, '--chosen', 'OPTION', '--because', '…')}")
