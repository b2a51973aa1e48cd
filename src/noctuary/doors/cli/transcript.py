"""A session as people read it: what it is, then who said what."""

from collections.abc import Iterator
from enum import Enum

import click

from noctuary.doors.cli.hits import speaker
from noctuary.doors.cli.memory_options import command_line
from noctuary.doors.cli.paint import bold, coloured, dim, one_line, safe
from noctuary.doors.cli.tables import facts
from noctuary.doors.cli.words import counted, title_of
from noctuary.moments import show_time
from noctuary.records import Kind, Message, Relation, Role, Session, Window

_OUTPUT_LINES = 12
_OUTPUT_CHARACTERS = 2_000
_SPEECH_CHARACTERS = 20_000
_COLOURS = {Role.USER: "green", Role.ASSISTANT: "cyan", Role.TOOL: "magenta", Role.SYSTEM: "blue"}
_RELATIONS = {Relation.SUBAGENT: "sub-agent of", Relation.FORK: "fork of", Relation.RESUME: "resumes"}


class Shortening(Enum):
    """What to leave out of long messages."""

    LONG_OUTPUT = "long output"
    NONE = "nothing"


def print_window(part: Window, *, around: int | None, next_id: int, shortening: Shortening) -> None:
    """Print a session or a part of it, message by message; what comes after it begins with `next_id`."""
    click.echo("\n".join(_header(part.session)))
    if part.before:
        click.echo("\n" + dim(f"… {counted(part.before, 'message')} before"))
    if part.before and not part.messages:
        click.echo(dim("  none from there on"))
    for message in part.messages:
        click.echo("\n".join(["", *_told(message, message.id == around, shortening)]))
    if part.after:
        following = command_line("show", one_line(part.session.id), "--from", str(next_id))
        click.echo("\n" + dim(f"… {counted(part.after, 'message')} after\n  {following}"))


def _header(session: Session) -> list[str]:
    began, last = show_time(session.started_ms), show_time(session.last_ms)
    parent = f"{_RELATIONS[session.relation]} {one_line(session.parent)}" if session.parent and session.relation else ""
    pairs = (
        ("session", session.id),
        ("agent", " · ".join(name for name in (session.agent, session.model) if name)),
        ("project", session.project or ""),
        ("folder", session.cwd if session.cwd and session.cwd != session.project else ""),
        ("branch", session.branch or ""),
        ("relation", parent),
        ("time", f"{began} to {last[11:] if last[:10] == began[:10] else last} UTC" if began else last),
        ("messages", f"{session.message_count:,}"),
        ("transcript", session.source_path or ""),
    )
    return [bold(title_of(session)), *facts([(name, one_line(value)) for name, value in pairs])]


def _told(message: Message, is_anchor: bool, shortening: Shortening) -> Iterator[str]:
    mark = coloured("▶ ", "yellow") if is_anchor else ""
    kind = f" ({message.kind.value.replace('_', ' ')})" if message.kind not in (Kind.TEXT, Kind.TOOL_RESULT) else ""
    head = coloured(f"[{message.id}] {speaker(message)}", _COLOURS[message.role])
    hidden = f" · {message.hidden}" if message.hidden else ""
    yield f"{mark}{head}{dim(f'{kind} · {show_time(message.ts_ms)}{hidden}'.rstrip(' ·'))}"
    text, left_out = _shortened(message, shortening)
    is_speech = message.kind in (Kind.TEXT, Kind.SUMMARY) and message.role is not Role.TOOL
    for line in text.split("\n"):
        yield line if is_speech else dim(f"    {line}") if line else ""
    if left_out:
        yield dim(f"    … {left_out}; --full shows all")


def _shortened(message: Message, shortening: Shortening) -> tuple[str, str]:
    """The text to show, and in words what was left out of it."""
    text = safe(message.content.replace("\r\n", "\n")).rstrip()
    if shortening is Shortening.NONE:
        return text, ""
    if message.kind in (Kind.TEXT, Kind.SUMMARY) and message.role is not Role.TOOL:
        rest = len(text) - _SPEECH_CHARACTERS
        return text[:_SPEECH_CHARACTERS], f"{counted(rest, 'more character')}" if rest > 0 else ""
    lines = text.split("\n")
    shown = "\n".join(lines[:_OUTPUT_LINES])
    if len(shown) > _OUTPUT_CHARACTERS:
        return shown[:_OUTPUT_CHARACTERS], counted(len(text) - _OUTPUT_CHARACTERS, "more character")
    rest = len(lines) - _OUTPUT_LINES
    return shown, counted(rest, "more line") if rest > 0 else ""
