"""`noctuary model`: which model finds by meaning."""

import sys
from collections.abc import Iterator, Sequence
from typing import Any

import click

from noctuary.app import Memory
from noctuary.doors.cli import commands
from noctuary.doors.cli.as_json import plain, print_either, print_json
from noctuary.doors.cli.memory_options import command_line, with_memory, with_memory_to_read
from noctuary.doors.cli.memory_options import text as text_option
from noctuary.doors.cli.paint import bold, dim, one_line
from noctuary.doors.cli.progress import Bar
from noctuary.doors.cli.words import seen, size
from noctuary.errors import BadInput
from noctuary.models.catalog import Entry
from noctuary.models.folders import FoundModel
from noctuary.store.vectors import Coverage, KnownEmbedder, State

COMMANDS = {
    "list": commands.Entry("models:list_", "Show the models: in use, on this machine, to download."),
    "install": commands.Entry("models:install", "Download a model, checked byte for byte."),
    "use": commands.Entry("models:use", "Take a model; `noctuary embed` then lets it read the memory."),
    "off": commands.Entry("models:off", "Search by words alone, and drop all vectors."),
}
_STATES = {State.SERVING: "searches use it", State.WANTED: "being filled; searches use it when it is full"}
_OTHERS = (
    ("Any folder with a model (model.onnx or model.safetensors, and tokenizer.json)", "./FOLDER"),
    ("An endpoint that speaks OpenAI's protocol; it gets the text of your messages", "https://HOST/v1#MODEL"),
)


@click.group(cls=commands.Commands, table=COMMANDS)
def model() -> None:
    """Choose the model for search by meaning, or none.

    Without a model, searches find words.  With one they also find what means the same in other words.  Models need
    `pip install 'noctuary[semantic]'`.  Each command has --json.

    \b
    Examples:
      noctuary model list
      noctuary model install all-MiniLM-L6-v2-int8
      noctuary model use all-MiniLM-L6-v2-int8
      noctuary model off
    """  # fmt: skip


@click.command("list")
@with_memory_to_read
def list_(memory: Memory, as_json: bool) -> None:
    """Show the models: in use, on this machine, to download.

    \b
    Examples:
      noctuary model list
      noctuary model list --json
    """
    memory.require_libraries()
    used, found = memory.used_models(), memory.models()
    names = {each.name for each in found}
    others = [entry for entry in memory.downloadable() if entry.name not in names]
    if as_json:
        print_json({"in_use": [_as_json(*each) for each in used], "on_this_machine": [_found_json(f) for f in found],
                    "to_download": [_entry_json(entry) for entry in others]})  # fmt: skip
        return
    sections = (_used(used), _on_this_machine(found, used), _to_download(others), _elsewhere())
    click.echo("\n\n".join("\n".join(section) for section in sections))


@click.command()
@click.argument("name", type=text_option)
@with_memory_to_read
def install(memory: Memory, name: str, as_json: bool) -> None:
    """Download a model, checked byte for byte.

    NAME is one of those that `noctuary model list` shows.  It comes from Hugging Face, or from the hub that
    NOCTUARY_MODEL_HUB names, and is not used before `noctuary model use`.

    \b
    Examples:
      noctuary model install all-MiniLM-L6-v2-int8
    """  # fmt: skip
    memory.require_libraries()
    with Bar("Downloading") as bar:
        found = memory.install_model(name, progress=bar.show)
    if as_json:
        print_json(_found_json(found))
        return
    click.echo(bold(f"Installed {one_line(found.name)} ({size(found.size)}) in {one_line(str(found.path))}"))
    click.echo(f"Next: {command_line('model', 'use', found.name)}")


@click.command()
@click.argument("source", type=text_option, metavar="NAME|FOLDER|package:NAME|URL#MODEL")
@with_memory
def use(memory: Memory, source: str, as_json: bool) -> None:
    """Take a model; `noctuary embed` then lets it read the memory.

    A model that serves already goes on until the new one has read everything.  An endpoint gets its key from
    NOCTUARY_EMBED_KEY.

    \b
    Examples:
      noctuary model use all-MiniLM-L6-v2-int8
      noctuary model use ~/models/my-model
      noctuary model use package:wordllama
      noctuary model use http://localhost:8080/v1#my-model
    """  # fmt: skip
    memory.require_libraries()
    chosen = memory.use_model(source)
    used = memory.used_models()
    print_either(next(_as_json(*each) for each in used if each[0].no == chosen.no), _taken(used), as_json)


@click.command()
@click.option("-y", "--yes", is_flag=True, help="Do not ask.")
@with_memory_to_read
def off(memory: Memory, yes: bool, as_json: bool) -> None:
    """Search by words alone, and drop all vectors.

    Messages, and the model's own files, stay where they are.

    \b
    Examples:
      noctuary model off
      noctuary model off --yes
    """
    used = memory.used_models()
    if used and not as_json:
        click.echo("\n".join(f"To be dropped: the vectors that {_named(known)} made of {seen(c)}" for known, c in used))
    is_agreed = bool(used) and _is_agreed(yes, as_json)
    if is_agreed:
        memory.use_no_model()
    if as_json:
        print_json({"dropped": [_as_json(*each) for each in used]})
    else:
        click.echo(_outcome(used, is_agreed))


def _is_agreed(yes: bool, as_json: bool) -> bool:
    if yes:
        return True
    if as_json or not sys.stdin.isatty():
        raise BadInput("Nothing was dropped: nobody can be asked here. Add --yes to go ahead.")
    return click.confirm("Drop them? Embedding again takes as long as it took")


def _outcome(used: Sequence[tuple[KnownEmbedder, Coverage]], is_agreed: bool) -> str:
    if not used:
        return "No model is in use; searches find words. Nothing was changed."
    if not is_agreed:
        return "Nothing was dropped."
    again = command_line("model", "use", one_line(used[-1][0].place))
    return f"Dropped. Searches find words only now.\nThe model itself was not touched; to take it again: {again}"


def _taken(used: Sequence[tuple[KnownEmbedder, Coverage]]) -> Iterator[str]:
    """What was done, and what comes next."""
    known, coverage = used[-1]
    if known.state is State.SERVING and coverage.is_full:
        yield bold(f"In use: {_named(known)}. It has read {seen(coverage)}.")
    elif known.state is State.SERVING:
        yield bold(f"In use: {_named(known)}. It has read {seen(coverage)}.")
        yield f"Next: {command_line('embed')}"
        yield "Until then, messages it has not read are found by their words."
    else:
        yield bold(f"Chosen: {_named(known)}. It has read {seen(coverage)}.")
        yield f"Next: {command_line('embed')}"
        yield f"Until it has read everything, searches use {_named(used[0][0])}."
    if known.source.startswith(("http://", "https://")):
        yield "Note: this endpoint is sent the text of your messages, secrets replaced, and what you search for."


def _used(used: Sequence[tuple[KnownEmbedder, Coverage]]) -> Iterator[str]:
    yield bold("In use")
    if not used:
        yield "  None: searches find words only."
    for known, coverage in used:
        yield f"  {_named(known)}{dim(f' · {known.dimension} dimensions · from {one_line(known.place)}')}"
        yield f"    has read {seen(coverage)}; {_STATES[known.state]}"
    if used and not (used[-1][1].is_full and used[-1][0].state is State.SERVING):
        yield f"    {command_line('embed')}"


def _on_this_machine(found: Sequence[FoundModel], used: Sequence[tuple[KnownEmbedder, Coverage]]) -> Iterator[str]:
    yield bold("On this machine")
    if not found:
        yield "  None yet."
    taken = {known.source for known, _ in used}
    for each in found:
        dimension = f" · {each.dimension} dimensions" if each.dimension else ""
        yield f"  {one_line(each.name)}{dim(f' · {each.kind.value}{dimension} · {size(each.size)}')}"
        is_taken = bool(taken & {each.name, str(each.path)})
        yield "    in use" if is_taken else f"    {command_line('model', 'use', one_line(each.name))}"


def _to_download(entries: Sequence[Entry]) -> Iterator[str]:
    yield bold("To download")
    if not entries:
        yield "  All of them are installed."
    for entry in entries:
        yield f"  {entry.name}{dim(f' · {entry.languages} · {entry.megabytes} MB')}"
        yield f"    {command_line('model', 'install', entry.name)}"


def _elsewhere() -> Iterator[str]:
    yield bold("Others")
    for what, source in _OTHERS:
        yield f"  {what}"
        yield f"    {command_line('model', 'use')} {source}"


def _named(known: KnownEmbedder) -> str:
    return one_line(known.name)


def _as_json(known: KnownEmbedder, coverage: Coverage) -> dict[str, Any]:
    told = _without(known, "no", "changes") | {"source": one_line(known.place)}
    return {**told, "messages_read": coverage.done, "messages": coverage.total}


def _found_json(found: FoundModel) -> dict[str, Any]:
    return _without(found, "files")


def _entry_json(entry: Entry) -> dict[str, Any]:
    return {**_without(entry, "files", "recipe"), "bytes": entry.size}


def _without(record: object, *names: str) -> dict[str, Any]:
    return {name: value for name, value in plain(record).items() if name not in names}
