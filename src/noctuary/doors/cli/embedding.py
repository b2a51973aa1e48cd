"""`noctuary embed`."""

import time
from collections.abc import Iterator

import click

from noctuary.app import Memory
from noctuary.doors.cli.as_json import print_either, print_json
from noctuary.doors.cli.memory_options import command_line, with_memory
from noctuary.doors.cli.paint import bold, one_line, safe
from noctuary.doors.cli.progress import Bar
from noctuary.doors.cli.words import counted
from noctuary.embedding import Embedded
from noctuary.errors import ModelError, StoreBusy
from noctuary.moments import show_time
from noctuary.store.vectors import State

_EVERY = 30.0
_SHORTEST, _LONGEST = 0.1, 86_400.0
_BUSY = (ModelError, StoreBusy)  # what may be over the next time


@click.command()
@click.option("--watch", is_flag=True, help="Go on until interrupted, and read what comes in.")
@click.option(
    "--every",
    default=_EVERY,
    show_default=True,
    type=click.FloatRange(_SHORTEST, _LONGEST),
    metavar="SECONDS",
    help="With --watch: how often to look.",
)
@with_memory
def embed(memory: Memory, watch: bool, every: float, as_json: bool) -> None:
    """Let the chosen model read what it has not read yet.

    It can be stopped at any moment and goes on where it stopped, the newest sessions first; searches work meanwhile.
    Run it after an import, or leave `--watch` running.

    \b
    Examples:
      noctuary embed
      noctuary embed --watch --every 60
    """  # fmt: skip
    memory.require_libraries()
    if watch:
        _watch(memory, every, as_json)
    done = _embedded(memory)
    print_either(done, _told(done), as_json)


def _embedded(memory: Memory) -> Embedded:
    with Bar("Embedding", lambda total: counted(total, "message")) as bar:
        used = memory.used_models()
        if used and not used[-1][1].is_full:
            bar.show(*used[-1][1])
        return memory.embed(progress=bar.show)


def _watch(memory: Memory, every: float, as_json: bool) -> None:
    """Embed what comes in, for ever; what goes wrong is said once, and tried again."""
    said = ""
    if not as_json:
        click.echo(f"Watching for new messages every {every:g} s. Ctrl-C ends it.")
    while True:
        try:
            if _is_work(memory):
                done = _embedded(memory)
                print_json(done) if as_json else click.echo(f"{_now(memory)}  {next(_told(done))}")
            said = ""
        except _BUSY as error:
            if str(error) != said:
                said = str(error)
                click.echo(f"noctuary: {safe(said)}\nIt is tried again every {every:g} s.", err=True)
        time.sleep(every)


def _is_work(memory: Memory) -> bool:
    """Whether there is anything to embed: opening a model only to find nothing would cost too much."""
    used = memory.used_models()
    return not used or used[-1][0].state is not State.SERVING or not used[-1][1].is_full


def _told(done: Embedded) -> Iterator[str]:
    name = one_line(done.model)
    if not done.is_serving:
        yield bold(f"Stopped: {name} was given up meanwhile for another model, or for none.")
        yield f"Next: {command_line('model', 'list')}"
    elif done.messages:
        passages = counted(done.passages, "passage") + (f"; of {done.silent:,} it makes nothing" if done.silent else "")
        yield bold(f"{name} has read {counted(done.messages, 'new message')} ({passages}).")
        if done.silent:
            yield "What a model makes nothing of, or an endpoint refuses, is found by its words alone."
        yield "Searches find by meaning now."
    else:
        yield bold(f"Nothing new: {name} has read every message.")
    if done.is_serving and done.waiting:
        yield f"{counted(done.waiting, 'message')} came in meanwhile. Next: {command_line('embed')}"


def _now(memory: Memory) -> str:
    return show_time(memory.clock.now_ms())
