"""What can be read by its address: MEMORY.md, packs of open tasks, past sessions.

noctuary://memory            MEMORY.md of the server's own project, as dreams wrote it and people edited it
noctuary://memory/{project}  that of another; slashes in its name are written %2F
noctuary://pack/{task}       all one needs to resume a task
noctuary://session/{id}      a past session: how it begins and how it ends
"""

from __future__ import annotations  # or the annotations would load the memory

from collections.abc import Mapping, Sequence
from typing import TYPE_CHECKING, NamedTuple
from urllib.parse import quote, unquote

from noctuary.doors.mcp.arguments import Arguments
from noctuary.doors.mcp.asked import Asked
from noctuary.doors.mcp.keeper import Caller, Keeper
from noctuary.doors.mcp.searching import session_search
from noctuary.doors.mcp.telling import LONGEST_ANSWER, given, line, short
from noctuary.doors.mcp.tools import arguments_of
from noctuary.doors.mcp.working import pack
from noctuary.errors import BadInput, NotFound
from noctuary.graph import ENDED
from noctuary.moments import show_day

if TYPE_CHECKING:
    from noctuary.app import Memory

SCHEME = "noctuary://"
MARKDOWN, PLAIN = "text/markdown", "text/plain"
_MOST_TASKS, _MOST_SESSIONS = 200, 100
_TITLE = 120


class Listed(NamedTuple):
    """A resource that there is, or a template for those that there may be."""

    uri: str
    name: str
    about: str
    kind: str = MARKDOWN


TEMPLATES: Sequence[Listed] = (
    Listed(f"{SCHEME}memory/{{project}}", "MEMORY.md of a project", "What dreams found worth keeping"),
    Listed(f"{SCHEME}pack/{{task}}", "Pack of a task", "All one needs to resume it"),
    Listed(f"{SCHEME}session/{{id}}", "A past session", "How it begins and how it ends", PLAIN),
)


def resources(keeper: Keeper, caller: Caller) -> list[Listed]:
    """MEMORY.md and the packs of open tasks of the server's own project, else of all; and the last sessions."""
    with keeper.reading() as memory:
        project = own_project(memory, keeper)
        found = [] if project is None else [_page(project)]
        work = memory.work(project or "", Asked(Arguments("", {}, ()), keeper, caller).writer)
        tasks = [node for node in work.tasks(everywhere=project is None) if node.status not in ENDED]
        found += [
            Listed(f"{SCHEME}pack/{node.id}", f"Pack: {short(node.title, _TITLE)}", f"Task {node.id}, {node.status}")
            for node in tasks[:_MOST_TASKS]
        ]
        found += [
            Listed(
                f"{SCHEME}session/{quote(session.id, safe='')}",
                short(session.title or session.preview or session.id, _TITLE),
                line("Session", session.agent, show_day(session.last_ms)),
                PLAIN,
            )
            for session in memory.sessions(limit=_MOST_SESSIONS)
        ]
        return found


def own_project(memory: Memory, keeper: Keeper) -> str | None:
    """The project that the server was started for; None if it has none."""
    serving = keeper.serving
    if serving.project is not None:
        return memory.project_called(serving.project)
    return None if serving.folder is None else memory.project_of(serving.folder) or ""


def _page(project: str) -> Listed:
    name = short(project, _TITLE) or "all projects"
    return Listed(f"{SCHEME}memory", f"MEMORY.md of {name}", "What dreams found worth keeping")


def read(keeper: Keeper, caller: Caller, uri: str) -> tuple[str, str]:
    """The text of a resource, and what kind it is; NotFound or BadInput if there is none."""
    kind, _, name = uri.removeprefix(SCHEME).partition("/")
    named = unquote(name)
    if uri.startswith(SCHEME) and kind == "memory":
        return _memory_page(keeper, named), MARKDOWN
    if uri.startswith(SCHEME) and kind == "pack" and named:
        return pack(_asked(keeper, caller, "pack", {"task": named, "project": "*"})).text, MARKDOWN
    if uri.startswith(SCHEME) and kind == "session" and named:
        whole = {"session_id": named, "detail": "full", "limit": 100}
        return session_search(_asked(keeper, caller, "session_search", whole)).text, PLAIN
    raise NotFound(f"There is no resource {short(uri, 200)!r}; there are {', '.join(each.uri for each in TEMPLATES)}.")


def _memory_page(keeper: Keeper, name: str) -> str:
    with keeper.reading() as memory:
        project = memory.project_called(name) if name else own_project(memory, keeper)
        if project is None:
            raise BadInput(f"This server has no project of its own: {SCHEME}memory/{{project}} names one.")
        page = memory.dreams.page(project)
        return given(page or "No dream has written a MEMORY.md for this project yet.", LONGEST_ANSWER)


def _asked(keeper: Keeper, caller: Caller, tool: str, given_arguments: Mapping[str, object]) -> Asked:
    return Asked(Arguments(tool, given_arguments, arguments_of(tool)), keeper, caller)
