"""One call of a tool: what was asked, by whom, of which memory, and whose work it is about."""

from __future__ import annotations  # or the annotations would load the memory

from collections.abc import Iterator
from contextlib import contextmanager
from typing import TYPE_CHECKING, NamedTuple

from noctuary.authored import Author, EventSource, Trust
from noctuary.doors.mcp.arguments import Arguments
from noctuary.doors.mcp.keeper import Caller, Keeper
from noctuary.errors import BadInput
from noctuary.work.desk import Writer

if TYPE_CHECKING:
    from noctuary.app import Memory
    from noctuary.app.work import Work

EVERYWHERE = "*"
_WITHIN_DREAM = "NOCTUARY_DREAMING"  # a model that a dream asks may have this very server; it must not answer itself
_BY_ID = {"task": ("task", "parent"), "work": ("task",), "pack": ("task",), "handoff": ("goal",), "resume": ("task",)}


class Asked(NamedTuple):
    """What a verb is given."""

    arguments: Arguments
    keeper: Keeper
    caller: Caller

    @contextmanager
    def work(self, *, writes: bool = False) -> Iterator[Work]:
        """The work of the project that was named, or of the server's own, to read or to write to."""
        if writes and self.keeper.serving.settings.environ.get(_WITHIN_DREAM):
            raise BadInput(f"This runs inside a dream ({_WITHIN_DREAM} is set), so nothing is written down.")
        with self.keeper.writing() if writes else self.keeper.reading() as memory:
            yield memory.work(self.project(memory), self.writer)

    @property
    def writer(self) -> Writer:
        """Who writes: an agent, always.  What it says is never the user's word."""
        return Writer(author=Author.AGENT, source=EventSource.API, session=self.caller.session, trust=Trust.AGENT)

    @property
    def is_everywhere(self) -> bool:
        """Whether all projects are meant."""
        return self.arguments.text("project") == EVERYWHERE

    def project(self, memory: Memory) -> str:
        """The project that is meant; BadInput if none is named and the server has none of its own."""
        name, serving = self.arguments.text("project"), self.keeper.serving
        if name not in ("", ".", EVERYWHERE):
            return self.project_named(memory, name)
        if serving.project is not None:
            return serving.project
        if serving.folder is not None:
            return memory.project_of(serving.folder) or ""
        if name == EVERYWHERE or any(map(self.arguments.has, _BY_ID.get(self.arguments.tool, ()))):
            return ""  # ids say which project it is
        raise BadInput("Which project? This server has none of its own: name one, by its path or the end of it.")

    def project_named(self, memory: Memory, name: str) -> str:
        """The project of this name; paths are those of folders here, if an agent works here."""
        folder = self.keeper.serving.folder
        if folder is not None and (name.startswith("/") or name.split("/", maxsplit=1)[0] in (".", "..")):
            return memory.project_of(folder / name) or name
        return memory.project_called(name)
