"""`noctuary forget`."""

import sys
from collections.abc import Callable
from typing import TypeVar

import click

from noctuary.app import Memory
from noctuary.doors.cli.as_json import print_json
from noctuary.doors.cli.failures import FOUND, NOTHING_FOUND
from noctuary.doors.cli.memory_options import project_named, with_memory
from noctuary.doors.cli.memory_options import text as text_option
from noctuary.doors.cli.paint import one_line
from noctuary.doors.cli.progress import PATIENCE, Bar
from noctuary.doors.cli.words import counted, title_of
from noctuary.errors import BadInput
from noctuary.forgetting import MOST_MATCHES, Forgetting, Forgotten
from noctuary.moments import show_day
from noctuary.proving import ForgetReport
from noctuary.proving import as_json as as_plain

_MOST_SHOWN = 10
_LONGEST = 100  # characters of a memory
_INBOX = "inbox/"
Result = TypeVar("Result")


@click.command()
@click.option("--session", type=text_option, help="A session: its id, or how it begins.")
@click.option("--project", type=text_option, help="All sessions of a project; `.` is that of this folder.")
@click.option("--query", type=text_option, help=f"The messages a search finds, at most {MOST_MATCHES}.")
@click.option("--text", type=text_option, help="Every message with these words in a row, also in later imports.")
@click.option("-y", "--yes", is_flag=True, help="Do not ask.")
@click.option("--dry-run", is_flag=True, help="Only show what would go.")
@click.option("--proof", is_flag=True, help="Show what was forgotten before, and the proof that it is gone.")
@with_memory
def forget(
    memory: Memory,
    session: str,
    project: str,
    query: str,
    text: str,
    yes: bool,
    dry_run: bool,
    proof: bool,
    as_json: bool,
) -> int:
    """Remove something for good, and keep it out of later imports.

    Give exactly one of --session, --project, --query and --text.  What would go is shown, and you are asked first.
    The transcripts of the agents themselves are not touched.  Afterwards all files of the memory are read and
    searched for what went: that report is shown, and kept for --proof.

    \b
    Examples:
      noctuary forget --session 3b0f6a52
      noctuary forget --text "the customer's real name" --dry-run
      noctuary forget --project . --yes
      noctuary forget --proof
    """  # fmt: skip
    is_asked = any(given is not None for given in (session, project, query, text))
    if proof and not is_asked:
        return _prove(memory, as_json)
    if proof:  # nobody may believe that something went which is still there
        raise BadInput("Nothing was forgotten: --proof shows what went before. Forget first; its proof is shown then.")
    what = _chosen(memory, session, project, query, text)
    plan = _with_bar(memory.plan_forgetting, "Looking", what)
    is_anything = plan.is_anything
    if not as_json:
        click.echo("\n".join(_told(plan, memory)))
    is_agreed = is_anything and not dry_run and _is_agreed(yes, as_json)
    report = _with_bar(memory.forget_provably, "Forgetting", what) if is_agreed else None
    if as_json:
        print_json({"sessions": plan.sessions, "messages": len(plan.messages), "examples": plan.examples,
                    "entries": plan.entries, "memories": plan.memories,
                    "forgotten": report is not None, "removed": report.removed["messages"] if report else 0,
                    "report": as_plain(report) if report else None})  # fmt: skip
    elif is_anything:
        click.echo(_outcome(report, dry_run))
    return FOUND if is_anything else NOTHING_FOUND


def _with_bar(work: Callable[..., Result], label: str, what: Forgotten) -> Result:
    with Bar(label, lambda total: counted(total, "message"), patience=PATIENCE) as bar:
        return work(what, progress=bar.show)


def _chosen(memory: Memory, session: str | None, project: str | None, query: str | None, text: str | None) -> Forgotten:
    if sum(given is not None for given in (session, project, query, text)) != 1:
        raise BadInput("Say one thing to forget: --session, --project, --query or --text.")
    if any(given is not None and not given.strip() for given in (session, project, query, text)):
        raise BadInput("There is nothing to forget in an empty text; say what should go.")
    return Forgotten(
        session=memory.session(session).id if session else None,
        project=project_named(memory, project),
        query=memory.query(query) if query else None,
        text=text,
    )


def _is_agreed(yes: bool, as_json: bool) -> bool:
    if yes:
        return True
    if as_json or not sys.stdin.isatty():
        raise BadInput("Nothing was forgotten: nobody can be asked here. Add --yes to go ahead, or --dry-run to look.")
    return click.confirm("Forget this for good?")


def _told(plan: Forgetting, memory: Memory) -> list[str]:
    if not plan.is_anything:
        return ["Nothing stored matches, so there is nothing to forget. Nothing was changed."]
    return [*_conversations(plan, memory), *_dreamt(plan)]


def _dreamt(plan: Forgetting) -> list[str]:
    """What dreams took from it, which goes as well."""
    if not plan.entries and not plan.memories:
        return []
    memories = counted(len(plan.memories), "memory", "memories")
    head = f"With it go {counted(plan.entries, 'entry', 'entries')} of dreams and {memories}"
    lines = [f"  {one_line(text)[:_LONGEST]}" for text in plan.memories[:_MOST_SHOWN]]
    return [head, *lines, *_rest(len(plan.memories) - len(lines))]


def _conversations(plan: Forgetting, memory: Memory) -> list[str]:
    if not plan.sessions:
        head = f"To be forgotten: {counted(len(plan.messages), 'message')}"
        lines = [f"  {one_line(example)}" for example in plan.examples[:_MOST_SHOWN]]
        return [head, *lines, *_rest(len(plan.messages) - len(lines))]
    sessions = [memory.session(name) for name in plan.sessions]
    total = sum(session.message_count for session in sessions)
    lines = [f"  {show_day(s.last_ms)}  {one_line(s.id)}  {title_of(s)}" for s in sessions[:_MOST_SHOWN]]
    head = f"To be forgotten: {counted(len(sessions), 'session')} with {counted(total, 'message')}"
    return [head, *lines, *_rest(len(sessions) - len(lines))]


def _rest(number: int) -> list[str]:
    return [f"  … and {number:,} more"] if number > 0 else []


def _outcome(report: ForgetReport | None, dry_run: bool) -> str:
    if report is None:
        return "Nothing was forgotten: this was a dry run." if dry_run else "Nothing was forgotten."
    removed = counted(report.removed["messages"], "message")
    return "\n".join(
        [
            f"Forgot {removed}. A tombstone keeps them from coming back with the next import.",
            *_proven(report),
            "The agents' own transcripts still have them; delete those yourself if they should go, too.",
        ]
    )


def _prove(memory: Memory, as_json: bool) -> int:
    reports = memory.forget_reports()
    if as_json:
        print_json([as_plain(report) for report in reports])
    elif not reports:
        click.echo("Nothing was forgotten on this machine yet.")
    for report in () if as_json else reports:
        click.echo("\n".join([f"{show_day(report.made_ms)}  forgotten by {report.what}", *_proven(report)]))
    return FOUND if reports else NOTHING_FOUND


def _proven(report: ForgetReport) -> list[str]:
    """What went where, and how that was seen."""
    gone = ", ".join(f"{name} {number:,}" for name, number in report.removed.items() if number)
    proof = report.proof
    where = f"in {counted(proof.files, 'file')}"
    where += f" and {counted(proof.rows, 'row')} of the server" if proof.rows else ""
    looked = f"{counted(proof.probes, 'piece')} of it looked for {where}"
    lines = [f"  removed: {gone or 'nothing'}"]
    if proof.is_gone:
        lines.append(f"  proof: {looked}: 0 occurrences left")
    else:
        left = ", ".join(f"{one_line(name)} {number:,}" for name, number in proof.left.items())
        lines.append(f"  still there: {looked}: {left}. What somebody wrote down by hand stays.")
        if any(name.startswith(_INBOX) for name in proof.left):
            lines.append("  what hooks left in the inbox goes with the next sweep: noctuary sweep")
    if proof.elsewhere:
        lines.append(f"  said elsewhere, too, where it stays: {counted(proof.elsewhere, 'piece')}")
    if report.untouched:
        lines.append("  not touched, and may still have it: " + ", ".join(map(one_line, report.untouched)))
    return lines
