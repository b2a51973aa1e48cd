"""What commands that write something down share: the words themselves, and the options that say what they rest on."""

import re
import sys
from collections.abc import Callable, Sequence
from functools import update_wrapper
from typing import Any, NamedTuple, TypeVar

import click

from noctuary.app.work import Work
from noctuary.authored import MessageRef, Refs
from noctuary.doors.cli.memory_options import text, with_options
from noctuary.errors import BadInput
from noctuary.moments import parse_moment
from noctuary.text import clean
from noctuary.work.decisions import NewOption

Command = TypeVar("Command", bound=Callable[..., Any])
_CITED = re.compile(r"(?P<session>.+?):(?P<id>\d{1,18})(?::(?P<quote>.*))?", re.DOTALL)
_EVENT = re.compile(r"[0-9A-Za-z]{1,26}")
_ENDS = (".", "!", "?", "…", ":")


def said(name: str = "words", *, required: bool = True, metavar: str = "TEXT") -> Callable[[Command], Command]:
    """The argument with the words: quoted or not, or `-` for what comes through the pipe."""
    shown = f"{metavar}..." if required else f"[{metavar}]..."
    return click.argument(name, nargs=-1, required=required, type=text, metavar=shown, callback=_joined)


def _joined(_context: click.Context, _parameter: click.Parameter, words: Sequence[str]) -> str:
    if tuple(words) != ("-",):
        return " ".join(words)
    return clean(sys.stdin.buffer.read().decode("utf-8", "replace"))


class Cited(NamedTuple):
    """What the options say an entry rests on, and when it happened."""

    cite: Sequence[str]
    commit: Sequence[str]
    file: Sequence[str]
    at: str | None

    def told(self, work: Work) -> dict[str, Any]:
        """The same as a note takes it; BadInput for what names neither a message nor an entry, BadTime for no time."""
        return {"refs": refs_of(*self[:3]), "ts_ms": moment_of(work, self.at)}


def with_citations(command: Callable[..., None]) -> Callable[..., None]:
    """Add --cite, --commit, --file and --at, and hand the command what they say as `cited`."""

    def run(*given: Any, cite: Any, commit: Any, file: Any, at: Any, **options: Any) -> None:
        command(*given, cited=Cited(cite, commit, file, at), **options)

    options = (
        click.option("--cite", multiple=True, type=text, metavar="SESSION:ID[:QUOTE]",
                     help="A message it rests on, and the words in it; or another entry, by its id.  Repeatable."),
        click.option("--commit", multiple=True, type=text, help="A commit it rests on.  Repeatable."),
        click.option("--file", multiple=True, type=text, help="A file it rests on.  Repeatable."),
        click.option("--at", type=text, metavar="TIME", help="When it happened: 2026-05-01, 3h.  [default: now, or "
                     "when what it cites was said]"),
    )  # fmt: skip
    return with_options(options, update_wrapper(run, command))


def refs_of(cite: Sequence[str], commit: Sequence[str], file: Sequence[str]) -> Refs:
    """What the options cite; BadInput for what names neither a message nor an entry."""
    messages, events = [], []
    for each in cite:
        if found := _CITED.fullmatch(each):
            messages.append(MessageRef(found["session"], int(found["id"]), found["quote"] or ""))
        elif _EVENT.fullmatch(each):
            events.append(each)
        else:
            raise BadInput(f"{each[:80]!r} cites nothing; write SESSION:ID, SESSION:ID:quote, or the id of an entry.")
    return Refs(messages=tuple(messages), commits=tuple(commit), files=tuple(file), events=tuple(events))


def moment_of(work: Work, at: str | None) -> int:
    """The point in time that a person means, 0 if none was given; BadTime if it cannot be read."""
    return 0 if at is None else parse_moment(at, work.desk.clock.now_ms())


def with_reason(words: str, reason: str) -> str:
    """A statement and why, as two sentences."""
    statement, why = words.strip(), reason.strip()
    if not statement or not why:
        return statement
    return f"{statement} {why}" if statement.endswith(_ENDS) else f"{statement}. {why}"


def alternatives_of(options: Sequence[str], chosen: str | None, reason: str = "") -> list[dict[str, object]]:
    """Alternatives as `option` or `option: why`; the chosen one may be among them or be one more."""
    ways = [_way(each) for each in options]
    if chosen is None:
        return ways
    picked = _way(chosen)
    known = next((way for way in ways if str(way["option"]).casefold() == str(picked["option"]).casefold()), None)
    if known is None:
        ways.insert(0, picked)
        known = picked
    known |= {"chosen": True, "rationale": reason or picked["rationale"] or known["rationale"]}
    return ways


def new_options(options: Sequence[str]) -> list[NewOption]:
    """Options to choose from later, as `option` or `option: what there is to say about it`."""
    return [NewOption(str(way["option"]), str(way["rationale"])) for way in map(_way, options)]


def _way(given: str) -> dict[str, object]:
    option, _, why = given.partition(": ")
    return {"option": option.strip(), "chosen": False, "rationale": why.strip()}
