"""`noctuary note`: what was found, decided, rejected or demanded, as it happens."""

from collections.abc import Sequence

import click

from noctuary.app.work import Work
from noctuary.authored import Entry, Strength
from noctuary.doors.cli.as_json import print_either
from noctuary.doors.cli.authoring import Cited, alternatives_of, said, with_citations
from noctuary.doors.cli.memory_options import text
from noctuary.doors.cli.paint import bold, dim, one_line
from noctuary.doors.cli.work_options import with_work


@click.command()
@click.argument("kind", metavar="TYPE", type=text)
@said()
@click.option("--task", type=text, metavar="NODE", help="What it is about: a task, goal or decision.  "
              "[default: what this session works on, else the project]")  # fmt: skip
@click.option("--alternative", multiple=True, type=text, metavar="OPTION[: WHY]",
              help="Of a decision: a way to go, and why or why not.  Repeatable.")  # fmt: skip
@click.option("--chosen", type=text, metavar="OPTION[: WHY]", help="Of a decision: the way that is taken.")
@click.option(
    "--strength", type=click.Choice([str(each) for each in Strength]), help="Of evidence: how much it proves."
)
@click.option("--suggested", is_flag=True, help="Keep it as a suggestion, until somebody confirms it.")
@click.option("--confidence", type=float, metavar="0..1", help="How sure it is.")
@click.option("--supersedes", type=text, metavar="ID", help="The entry, node or memory that holds no longer.")
@with_citations
@with_work
def note(
    work: Work,
    kind: str,
    words: str,
    task: str | None,
    alternative: Sequence[str],
    chosen: str | None,
    strength: str | None,
    suggested: bool,
    confidence: float | None,
    supersedes: str | None,
    cited: Cited,
    as_json: bool,
) -> None:
    """Write down what was found, decided, rejected or required.

    TYPE is hypothesis, finding, evidence, decision, rejection, constraint, preference or redirect.  A TEXT of - is
    read from the pipe.  A decision with alternatives becomes a node with its options.

    \b
    Examples:
      noctuary note finding "Coupons are applied by id, not by date" --task t-4k2x
      noctuary note evidence "The test fails without the sort" --strength strong --file tests/test_cart.py
      noctuary note constraint "No new services" --cite 3b0f6a52:14:"one more thing to run"
      noctuary note decision "Sort coupons by date" --chosen "by date: the law says so" --alternative "by value"
      git log -1 --format=%B | noctuary note finding -
    """  # fmt: skip
    entry = work.note(
        kind,
        words,
        node=task,
        alternatives=alternatives_of(alternative, chosen),
        strength=strength,
        suggested=suggested,
        confidence=confidence,
        supersedes=supersedes,
        **cited.told(work),
    )
    print_either(entry, noted(work, entry), as_json)


def noted(work: Work, entry: Entry) -> list[str]:
    """What was written down, and about what: whoever named no task sees which one it was taken for."""
    event = entry.event
    decision = event.meta.get("decision")
    made = f" as {decision}" if decision else ""
    head = f"Noted {event.id}  {bold(entry.acts_as)}{made}{'  suggested' if entry.is_suggested else ''}"
    if event.node:
        about = work.node(event.node)
        return [head, dim(f"About {about.id}  {one_line(about.title)}")]
    return [head, dim("About the project as a whole; --task TASK makes it about a task.")]
