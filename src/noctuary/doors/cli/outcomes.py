"""`noctuary outcome`, `noctuary observe` and `noctuary revisit`: what came of it, and what to think now."""

from collections.abc import Iterator, Sequence

import click

from noctuary.app.work import Work
from noctuary.doors.cli.as_json import print_either, print_json
from noctuary.doors.cli.authoring import new_options, said
from noctuary.doors.cli.memory_options import command_line, text
from noctuary.doors.cli.nodes import node_line
from noctuary.doors.cli.paint import dim
from noctuary.doors.cli.work_options import with_work
from noctuary.errors import BadInput
from noctuary.work.decisions import Revisited

_DESCRIPTION = click.option("--description", default="", type=text, metavar="TEXT", help="What else there is to say.")


@click.command()
@click.argument("name", metavar="NODE", type=text)
@said("title")
@click.option("--worked/--failed", "is_success", default=None, help="Whether it was what was wanted.")
@_DESCRIPTION
@with_work
def outcome(work: Work, name: str, title: str, is_success: bool | None, description: str, as_json: bool) -> None:
    """Write down what came of a decision, an option or a task.

    \b
    Examples:
      noctuary outcome d-7m1p "No coupon was applied twice in June" --worked
      noctuary outcome t-4k2x "Checkout takes four seconds now" --failed
    """
    if is_success is None:
        raise BadInput("Say whether it was what was wanted: --worked or --failed.")
    node = work.record_outcome(name, title, success=is_success, description=description)
    if as_json:
        print_json(node)
        return
    click.echo(f"Recorded {node_line(node)}")
    if not is_success:
        click.echo(dim(f"To decide anew: {command_line('revisit', node.id, '--because', '…')}"))


@click.command()
@said("title")
@click.option("--about", type=text, metavar="NODE", help="What it says something about.")
@_DESCRIPTION
@with_work
def observe(work: Work, title: str, about: str | None, description: str, as_json: bool) -> None:
    """Write down something learned, as a node that others can rest on.

    \b
    Examples:
      noctuary observe "Half of the carts have two coupons" --about d-7m1p
    """
    node = work.record_observation(title, about=about, description=description)
    print_json(node) if as_json else click.echo(f"Recorded {node_line(node)}")


@click.command()
@click.argument("name", metavar="OUTCOME", type=text)
@click.option("--because", required=True, type=text, metavar="TEXT", help="Why the decision is looked at again.")
@click.option("--decide", type=text, metavar="TEXT", help="The decision that takes its place.")
@click.option("--option", "options", multiple=True, type=text, metavar="OPTION[: WHY]",
              help="A way to go in the new decision.  Repeatable.")  # fmt: skip
@with_work
def revisit(work: Work, name: str, because: str, decide: str | None, options: Sequence[str], as_json: bool) -> None:
    """Decide again after an outcome; the old decision is superseded.

    \b
    Examples:
      noctuary revisit oc-5t9k --because "Four seconds lose customers"
      noctuary revisit oc-5t9k --because "Too slow" --decide "Who adds up?" --option browser --option server
    """  # fmt: skip
    looked = work.revisit(name, because, new_decision=decide, options=new_options(options))
    print_either(looked, _told(looked), as_json)


def _told(looked: Revisited) -> Iterator[str]:
    yield f"Recorded {node_line(looked.node)}"
    if looked.old:
        yield f"Superseded {node_line(looked.old)}"
    if looked.new:
        yield f"Opened {node_line(looked.new.node)}"
        yield from (f"  {node_line(option)}" for option in looked.new.options)
        yield dim(f"Next: {command_line('decide', looked.new.node.id, '--chosen', 'OPTION', '--because', '…')}")
