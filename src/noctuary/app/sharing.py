"""The verbs by which work is handed on: sessions of work, pages of decisions, files of goals, journals."""

from __future__ import annotations  # or the annotations would load the parts below

from collections.abc import Iterable, Iterator, Sequence
from pathlib import Path
from typing import TYPE_CHECKING

from noctuary.errors import BadInput, NodeNotFound
from noctuary.graph import NodeStatus
from noctuary.lazily import lazy_module

if TYPE_CHECKING:
    from noctuary.graph import Node
    from noctuary.store.work_sessions import WorkSession
    from noctuary.work import adr, exchange, handoff, sessions, setting_aside, tasks, wording
    from noctuary.work.adr import AdrReport
    from noctuary.work.desk import Desk
    from noctuary.work.exchange import ImportedLines
    from noctuary.work.foreign import files as foreign_files
    from noctuary.work.interchange import differing, exporting, importing, merging
    from noctuary.work.interchange.differing import Diff
    from noctuary.work.interchange.exporting import Exported
    from noctuary.work.interchange.importing import Plan
    from noctuary.work.sessions import Started
    from noctuary.work.setting_aside import ImportedFiles
else:
    adr = lazy_module("noctuary.work.adr")
    differing = lazy_module("noctuary.work.interchange.differing")
    exchange = lazy_module("noctuary.work.exchange")
    exporting = lazy_module("noctuary.work.interchange.exporting")
    foreign_files = lazy_module("noctuary.work.foreign.files")
    handoff = lazy_module("noctuary.work.handoff")
    importing = lazy_module("noctuary.work.interchange.importing")
    merging = lazy_module("noctuary.work.interchange.merging")
    sessions = lazy_module("noctuary.work.sessions")
    setting_aside = lazy_module("noctuary.work.setting_aside")
    tasks = lazy_module("noctuary.work.tasks")
    wording = lazy_module("noctuary.work.wording")


class Sharing:
    """What `Work` can hand on, to a later session or to another machine."""

    def __init__(self, desk: Desk) -> None:
        self.desk = desk

    def handoff(self, goal: str | Node | None = None) -> str:
        """Where the work on a goal stands; without one, on the only active goal of the project."""
        return handoff.handoff(self.desk, self._goal(goal))

    def start_session(self, goal: str | Node | None = None, *, agents: Iterable[str] = ()) -> Started:
        """Begin to work on a goal; the notes of the last session are given."""
        return sessions.start_session(self.desk, self._goal(goal), agents)

    def end_session(self, session: str | None = None, *, summary: str = "", agents: Iterable[str] = ()) -> WorkSession:
        """End it: its notes are written down for the next."""
        return sessions.end_session(self.desk, session, summary, agents)

    def work_sessions(self, goal: str | Node | None = None, *, everywhere: bool = False) -> list[WorkSession]:
        """Sessions of work, the newest first."""
        return sessions.list_sessions(self.desk, id_of(goal) if goal is not None else None, everywhere=everywhere)

    def work_session(self, session: str) -> WorkSession:
        """One session of work."""
        return sessions.session_named(self.desk, session)

    def export_adrs(self, folder: Path) -> AdrReport:
        """Write every decision as a page, and take away pages of ours that are stale."""
        return adr.export_adrs(self.desk, folder)

    def export_goal(self, goal: str | Node | None = None) -> str:
        """A goal and all that it contains as TOML, the same each time."""
        return exporting.export_goal(self.desk, self._goal(goal))

    def export_goal_to(self, file: Path, goal: str | Node | None = None, *, force: bool = False) -> Exported:
        """The same into a file; one that somebody else wrote or edited is replaced only with `force`."""
        return exporting.export_goal_to(self.desk, self._goal(goal), file, force=force)

    def plan_import(self, text: str, strategy: str = "merge", *, foreign: bool = False) -> Plan:
        """What `import_goal` would do; nothing is done."""
        into = self.desk.project if foreign else None
        return importing.plan_import(self.desk, text, merging.Strategy(strategy), into=into)

    def import_goal(self, text: str, strategy: str = "merge", *, foreign: bool = False) -> Plan:
        """Merge the file of a goal; with `foreign` also that of another project, which then is of this one."""
        into = self.desk.project if foreign else None
        return importing.import_goal(self.desk, text, merging.Strategy(strategy), into=into)

    def diff_goal(self, text: str) -> Diff:
        """What is different between the file of a goal and the goal as it is here."""
        return differing.diff(self.desk, text)

    def export_journal(self, *, everywhere: bool = False) -> Iterator[str]:
        """All events of the project, or of all, as lines to keep or to import elsewhere."""
        return exchange.export_journal(self.desk.ledger, None if everywhere else self.desk.project)

    def import_journal(self, path: Path, *, foreign: bool = False) -> ImportedFiles:
        """Lines of Noctuary, Task-Journal or Beads, in a file or a folder; bad ones are set aside beside them."""
        into = self.desk.project if foreign else None
        return setting_aside.set_aside(path, foreign_files.import_path(self.desk, path, into))

    def import_lines(self, lines: Sequence[str | bytes], *, foreign: bool = False) -> ImportedLines:
        """The same of lines that are in no file."""
        return foreign_files.import_lines(self.desk, lines, self.desk.project if foreign else None)

    def _goal(self, goal: str | Node | None) -> str:
        """The goal that is meant: if none is named the only active one; BadInput if there are several."""
        if goal is not None:
            return id_of(goal)
        active = tasks.list_goals(self.desk, status=NodeStatus.ACTIVE)
        if not active:
            raise NodeNotFound("No goal is active in this project; open one with `noctuary goal open`, or name one.")
        if len(active) > 1:
            named = wording.first_of([f"{node.id} {node.title}" for node in active])
            raise BadInput(f"Several goals are active in this project; name one of them: {named}.")
        return active[0].id


def id_of(node: str | Node) -> str:
    """The id of a node that is given whole, or by its name."""
    return node if isinstance(node, str) else node.id
