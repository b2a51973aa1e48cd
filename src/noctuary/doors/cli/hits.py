"""What a search found, as people and as programs read it."""

from collections.abc import Iterator, Sequence

import click

from noctuary.doors.cli.as_json import plain, print_json
from noctuary.doors.cli.memory_options import command_line
from noctuary.doors.cli.paint import (
    bold,
    clipped,
    coloured,
    dim,
    highlighted,
    is_terminal,
    line_width,
    one_line,
    width,
    wrapped,
)
from noctuary.doors.cli.words import short_project, title_of
from noctuary.moments import show_day
from noctuary.records import Found, Hit, Message

_INDENT = "   "
_LEAST_TITLE = 24
_LEAST_PART = 0.005  # of a score; less would be shown as nothing
_NEIGHBOUR = 160  # columns of a neighbouring message


def print_found(found: Found, *, context: int, explain: bool, is_empty: bool) -> None:
    """Print the hits, or say that there are none."""
    if is_empty:
        click.echo(f"This memory is empty. Fill it with: {command_line('import')}")
    elif not found.hits:
        click.echo(one_line(found.note))
    for rank, hit in enumerate(found.hits, start=1):
        click.echo("\n".join([*([""] if rank > 1 else []), *_told(rank, hit, context, explain)]))
    if found.hits and found.note:
        click.echo(f"\n{coloured(one_line(found.note), 'yellow')}")


def print_found_as_json(found: Found, context: int | None) -> None:
    """Print everything that is known of the hits; `context` limits how much of their surroundings."""
    hits = [
        {"rank": rank, "anchor_id": hit.anchor_id, **plain(hit), "window": plain(_window(hit, context))}
        for rank, hit in enumerate(found.hits, start=1)
    ]
    print_json({"query": found.query, "count": len(hits), "hits": hits, "note": found.note, "strength": found.strength})


def speaker(message: Message) -> str:
    """Who speaks, and through which tool."""
    return f"{message.role} {one_line(message.tool_name)}" if message.tool_name else message.role


def _told(rank: int, hit: Hit, context: int, explain: bool) -> Iterator[str]:
    session = hit.session
    facts = (show_day(hit.anchor.ts_ms or session.last_ms), session.agent or "", short_project(session))
    front = f"{rank}. {'  '.join(one_line(fact) for fact in facts if fact)}"
    title = title_of(session)
    if is_terminal():
        title = clipped(title, max(_LEAST_TITLE, line_width() - width(front) - 2))
    yield f"{coloured(front, 'cyan')}  {bold(title)}"
    if context:
        yield from _surroundings(hit, context)
    else:
        yield _INDENT + wrapped(f"{dim(speaker(hit.anchor) + ':')} {highlighted(hit.snippet)}", _INDENT)
    if explain:
        parts = " + ".join(
            f"{reason.name} {reason.value:.2f}" for reason in hit.why if abs(reason.value) >= _LEAST_PART
        )
        yield f"{_INDENT}{dim(f'score {hit.score:.2f} = {parts}')}"
    yield f"{_INDENT}{dim(command_line('show', one_line(session.id), '--around', str(hit.anchor_id)))}"


def _surroundings(hit: Hit, context: int) -> Iterator[str]:
    for message in _window(hit, context):
        if message.id == hit.anchor_id:
            yield _INDENT + wrapped(f"[{message.id}] {speaker(message)}: {highlighted(hit.snippet)}", _INDENT)
        else:
            room = min(_NEIGHBOUR, line_width() * 2 - 10)
            yield _INDENT + dim(f"[{message.id}] {speaker(message)}: {clipped(one_line(message.content[:1000]), room)}")


def _window(hit: Hit, context: int | None) -> Sequence[Message]:
    if context is None:
        return hit.window
    at = next((i for i, message in enumerate(hit.window) if message.id == hit.anchor_id), 0)
    return hit.window[max(0, at - context) : at + context + 1]
