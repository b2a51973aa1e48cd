"""Prompts that a user picks: go on with the work, or look through what dreams proposed."""

from collections.abc import Callable, Mapping, Sequence
from typing import NamedTuple

from noctuary.doors.cli.words import counted
from noctuary.doors.mcp.arguments import Arguments
from noctuary.doors.mcp.asked import Asked
from noctuary.doors.mcp.keeper import Caller, Keeper
from noctuary.doors.mcp.telling import given, short
from noctuary.errors import BadInput, NotFound
from noctuary.moments import show_day

_MOST_REVIEWED = 15
_LONGEST = 10_000


class Argument(NamedTuple):
    """Something that a user can say with a prompt; nothing must be said."""

    name: str
    about: str


class Prompt(NamedTuple):
    """A prompt that can be picked."""

    name: str
    title: str
    about: str
    arguments: Sequence[Argument]


_PROJECT = Argument("project", "Path or its last parts; by default the one the server was started in")
PROMPTS: Sequence[Prompt] = (
    Prompt(
        "resume",
        "Go on with the work",
        "Where the work stands, so that this session goes on from there.",
        (Argument("task", "Id of a task; by default the one at hand"), _PROJECT),
    ),
    Prompt("review", "Review what dreams proposed", "Go through proposals that nobody has looked at.", (_PROJECT,)),
)


def prompt(keeper: Keeper, caller: Caller, name: str, arguments: Mapping[str, object] | None) -> str:
    """The text of a prompt; BadInput if there is none of this name."""
    found = next((each for each in PROMPTS if each.name == name), None)
    if found is None:
        raise BadInput(f"There is no prompt {short(name, 60)!r}; there are {', '.join(each.name for each in PROMPTS)}.")
    known = [argument.name for argument in found.arguments]
    return _MADE[name](Asked(Arguments(name, arguments, known), keeper, caller))


def _resume(asked: Asked) -> str:
    """The pack of the task that is meant; if none is named and none is at hand, what a session is told at its start."""
    name = asked.arguments.text("task") or None
    with asked.keeper.reading() as memory:
        project = asked.project(memory)
        work = memory.work(project, asked.writer)
        try:
            page = given(work.pack(work.task_at_hand(name)), _LONGEST)
        except (BadInput, NotFound):
            if name:
                raise
            page = memory.brief(project) or "Nothing is written down about this project yet."
        return f"Let us go on with this work. This is where it stands:\n\n{page}"


def _review(asked: Asked) -> str:
    with asked.keeper.reading() as memory:
        waiting = memory.dreams.suggestions(None if asked.is_everywhere else asked.project(memory))
    if not waiting:
        return "No proposal waits to be reviewed."
    lines = [
        f"- {one.entry.event.id} {show_day(one.entry.event.ts_ms)} {one.entry.acts_as}: "
        f"{short(one.entry.event.text, 400)}"
        for one in waiting[:_MOST_REVIEWED]
    ]
    if len(waiting) > _MOST_REVIEWED:
        lines.append(f"… and {len(waiting) - _MOST_REVIEWED:,} more")
    intro = (
        f"Dreams proposed {counted(len(waiting), 'entry', 'entries')} that nobody has looked at. Go through them with "
        "me one by one: say what each rests on and whether it still holds, and wait for my answer. I accept one with "
        "`noctuary dream review --accept ID` and reject one with `noctuary dream review --reject ID`."
    )
    return f"{intro}\n\n{given(chr(10).join(lines), _LONGEST)}"


_MADE: Mapping[str, Callable[[Asked], str]] = {"resume": _resume, "review": _review}
