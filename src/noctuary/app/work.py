"""The verbs of the work: tasks, notes, decisions, the graph and what is handed over, at the desk of one project.

Names of nodes and events may be the beginnings of their ids, as long as there is only one; nodes may be given whole.
"""

from __future__ import annotations  # or the annotations would load the parts below

from collections.abc import Iterable, Mapping, Sequence
from pathlib import Path
from typing import TYPE_CHECKING, Any, TypeVar

from noctuary.app.briefing import drop_recall_files
from noctuary.app.sharing import Sharing, id_of
from noctuary.authored import NO_REFS, Refs
from noctuary.errors import BadInput
from noctuary.lazily import lazy_module
from noctuary.recall.query import parse

if TYPE_CHECKING:
    from noctuary.authored import Entry, EventType
    from noctuary.graph import Edge, Node
    from noctuary.importing import projects
    from noctuary.store.memories import Remembered
    from noctuary.work import (
        claims,
        completeness,
        corrections,
        decisions,
        finding,
        linking,
        notes,
        pack,
        remembering,
        statuses,
        tasks,
        tree,
        wording,
    )
    from noctuary.work import ready as readiness
    from noctuary.work.alternatives import Alternative
    from noctuary.work.completeness import Check
    from noctuary.work.decisions import Decision, NewOption, Revisited
    from noctuary.work.finding import FoundEntry, FoundNode, Rejected
    from noctuary.work.linking import Linked, Moved
    from noctuary.work.ready import Ranked, Ready
    from noctuary.work.statuses import StatusSet
    from noctuary.work.tasks import Closed, NodeView
    from noctuary.work.tree import Branch
else:
    claims = lazy_module("noctuary.work.claims")
    completeness = lazy_module("noctuary.work.completeness")
    corrections = lazy_module("noctuary.work.corrections")
    decisions = lazy_module("noctuary.work.decisions")
    finding = lazy_module("noctuary.work.finding")
    linking = lazy_module("noctuary.work.linking")
    notes = lazy_module("noctuary.work.notes")
    pack = lazy_module("noctuary.work.pack")
    projects = lazy_module("noctuary.importing.projects")
    readiness = lazy_module("noctuary.work.ready")
    remembering = lazy_module("noctuary.work.remembering")
    statuses = lazy_module("noctuary.work.statuses")
    tasks = lazy_module("noctuary.work.tasks")
    tree = lazy_module("noctuary.work.tree")
    wording = lazy_module("noctuary.work.wording")

_Done = TypeVar("_Done")


class Work(Sharing):
    """What is done in one project, by one writer.  `Memory.work` gives one."""

    def open_task(
        self, title: str, *, goal: str = "", context: str = "", parent: str | Node | None = None, **more: Any
    ) -> Node:
        """A new task: what it is for (`goal`), how it came up (`context`), and what it is a part of."""
        above = id_of(parent) if parent else None
        return self._standing(tasks.open_task(self.desk, title, goal=goal, context=context, parent=above, **more))

    def open_goal(self, title: str, *, description: str = "", **more: Any) -> Node:
        """A new goal, which tasks and decisions can be parts of."""
        return tasks.open_goal(self.desk, title, description=description, **more)

    def close(
        self,
        node: str | Node,
        *,
        reason: str = "",
        outcome: str = "",
        tag: str = "done",
        folder: Path | None = None,
    ) -> Closed:
        """End a task or goal: done, abandoned, superseded or failed; `folder` is a work tree to harvest from."""
        return tasks.close_node(self.desk, id_of(node), reason=reason, outcome=outcome, tag=tag, folder=folder)

    def reopen(self, node: str | Node, *, reason: str = "") -> Node:
        """Go on with what was ended."""
        return self._standing(tasks.reopen_node(self.desk, id_of(node), reason=reason))

    def rename(self, node: str | Node, title: str) -> Node:
        """Give another title."""
        return self._standing(tasks.rename_node(self.desk, id_of(node), title))

    def amend(self, node: str | Node, **fields: Any) -> Node:
        """Set goal, description, priority, labels, names elsewhere … of a node."""
        return self._standing(tasks.amend_node(self.desk, id_of(node), **fields))

    def tasks(self, *, status: str | None = None, everywhere: bool = False) -> list[Node]:
        """Tasks, the open ones first, then those touched last."""
        return tasks.list_tasks(self.desk, status=status, everywhere=everywhere)

    def goals(self, *, status: str | None = None, everywhere: bool = False) -> list[Node]:
        """Goals, in the same order."""
        return tasks.list_goals(self.desk, status=status, everywhere=everywhere)

    def show(self, node: str | Node) -> NodeView:
        """A node and all that is said about it."""
        return tasks.show_node(self.desk, id_of(node))

    def node(self, name: str) -> Node:
        """One node, as it stands now."""
        return readiness.as_they_stand(self.desk, [self.desk.node(name)])[0]

    def active_task(self) -> Node | None:
        """The task that this session of an agent works on."""
        return tasks.active_task(self.desk)

    def _standing(self, node: Node) -> Node:
        """The node with the status it has now: ready is computed, never stored."""
        return readiness.as_they_stand(self.desk, [node])[0]

    def task_at_hand(self, name: str | None = None) -> Node:
        """The node of this name; without one what this session works on, else the only open task, else BadInput."""
        if name:
            return self.desk.node(name)
        if active := self.active_task():
            return active
        known = self.tasks(status="open")
        if len(known) == 1:
            return known[0]
        if not known:
            raise BadInput("Which task? None is open in this project; `noctuary task list --all` shows all there are.")
        named = wording.first_of([f"{task.id} {task.title}" for task in known], between="; ")
        raise BadInput(f"Which task? {len(known)} are open: {named}.")

    def work_tree(self, node: str | Node, folder: Path) -> Path | None:
        """The folder, if it belongs to the project of the node: what git says there is about it."""
        known = self.desk.node(id_of(node))
        return folder if projects.project_of(str(folder.resolve()), None) == known.project else None

    def note(
        self,
        kind: str,
        text: str,
        *,
        node: str | Node | None = None,
        alternatives: Sequence[Alternative | Mapping[str, object]] = (),
        refs: Refs = NO_REFS,
        **more: Any,
    ) -> Entry:
        """Write down a finding, a decision, a rejection …: about a node, or about what this session works on."""
        about = id_of(node) if node else None
        return notes.note(self.desk, kind, text, node=about, alternatives=alternatives, refs=refs, **more)

    def correct(self, event: str, text: str) -> Entry:
        """Say an entry in other words, which stand in its place everywhere."""
        return self._untold(corrections.correct(self.desk, event, text))

    def confirm(self, event: str, text: str = "") -> Entry:
        """Confirm a suggestion, as it is or in other words."""
        return self._untold(corrections.confirm(self.desk, event, text))

    def retract(self, event: str, reason: str = "") -> Entry:
        """Retract an entry that should never have been."""
        return self._untold(corrections.retract(self.desk, event, reason))

    def supersede(self, old: str, text: str = "", *, by: str | None = None) -> Entry:
        """Say that a decision, task or memory holds no longer."""
        return self._untold(corrections.supersede(self.desk, old, text, by))

    def remember(self, text: str, **more: Any) -> Remembered:
        """Keep a sentence, of this project or of all; what an agent kept before is the user's if a user says it now."""
        memory = remembering.remember(self.desk, text, **more)
        return memory if more.get("suggested") else remembering.said_again(self.desk, memory, more.get("kind", "fact"))

    def retire(self, memory: str, reason: str = "") -> Remembered:
        """Mark a memory as no longer valid."""
        return self._untold(remembering.retire(self.desk, memory, reason))

    def memories(self, *, held_only: bool = True, everywhere: bool = False) -> list[Remembered]:
        """Memories of this project and those for all, or of every project, the newest first."""
        return remembering.list_memories(self.desk, held_only=held_only, everywhere=everywhere)

    def entries(
        self,
        *,
        node: str | Node | None = None,
        types: Sequence[EventType] | None = None,
        limit: int = 20,
        suggested: bool = False,
        hidden: bool = False,
    ) -> list[Entry]:
        """What was written down, the newest first: about a node or in the project."""
        return self.desk.recent(id_of(node) if node else None, types, limit, suggested=suggested, hidden=hidden)

    def entry(self, event: str) -> Entry:
        """One entry, as it stands now."""
        return self.desk.entry(event)

    def set_status(self, node: str | Node, status: str, *, reason: str = "") -> StatusSet:
        """Move a node to another status, if it may go there."""
        return statuses.set_status(self.desk, id_of(node), status, reason=reason)

    def depend(self, task: str | Node, on: str | Node) -> Linked:
        """Let a task wait for another."""
        return linking.depend(self.desk, id_of(task), id_of(on))

    def undepend(self, task: str | Node, on: str | Node, *, reason: str = "") -> Edge:
        """Make it wait no longer."""
        return linking.undepend(self.desk, id_of(task), id_of(on), reason=reason)

    def link(self, kind: str, start: str | Node, end: str | Node, label: str | None = None) -> Linked:
        """Link two nodes."""
        return linking.link(self.desk, kind, id_of(start), id_of(end), label)

    def unlink(self, kind: str, start: str | Node, end: str | Node, *, reason: str = "") -> Edge:
        """Remove the link between two nodes."""
        return linking.unlink(self.desk, kind, id_of(start), id_of(end), reason=reason)

    def move(self, node: str | Node, parent: str | Node | None) -> Moved:
        """Make a node part of another, or of none."""
        return linking.move(self.desk, id_of(node), id_of(parent) if parent else None)

    def claim(self, task: str | Node, agent: str, *, minutes: float = 30) -> Node:
        """Take a task, so that nobody else does; NotFree if somebody has."""
        return claims.claim(self.desk, id_of(task), agent, minutes)

    def heartbeat(self, task: str | Node, agent: str, *, minutes: float = 30) -> Node:
        """Say that the agent is alive and still at it."""
        return claims.heartbeat(self.desk, id_of(task), agent, minutes)

    def release(self, task: str | Node, agent: str, *, reason: str = "") -> Node:
        """Give a task back."""
        return self._standing(claims.release(self.desk, id_of(task), agent, reason))

    def ready(self, goal: str | Node | None = None, *, everywhere: bool = False) -> Ready:
        """Tasks that can be begun now, and those that wait for what will not come."""
        return readiness.ready(self.desk, id_of(goal) if goal is not None else None, everywhere=everywhere)

    def next_task(self, goal: str | Node | None = None, *, everywhere: bool = False) -> Ranked | None:
        """The task to begin with, and why."""
        return readiness.next_task(self.desk, id_of(goal) if goal is not None else None, everywhere=everywhere)

    def tree(self, root: str | Node | None = None, *, everywhere: bool = False) -> list[Branch]:
        """All that a node contains, or all there is, in order and with its depth."""
        return tree.tree(self.desk, id_of(root) if root is not None else None, everywhere=everywhere)

    def log_decision(self, title: str, *, parent: str | Node | None = None, **more: Any) -> Decision:
        """A choice to make, with its options."""
        return decisions.log_decision(self.desk, title, parent=id_of(parent) if parent else None, **more)

    def choose_option(self, decision: str | Node, option: str | Node, rationale: str = "") -> Decision:
        """Decide: one option is chosen, the others are not."""
        return decisions.choose_option(self.desk, id_of(decision), id_of(option), rationale)

    def add_option(self, decision: str | Node, option: str | NewOption) -> Decision:
        """One more option of a decision that is not made yet."""
        return decisions.add_option(self.desk, id_of(decision), option)

    def reject_option(self, option: str | Node, reason: str = "") -> Node:
        """Rule an option out."""
        return decisions.reject_option(self.desk, id_of(option), reason)

    def record_outcome(self, parent: str | Node, title: str, *, success: bool, description: str = "") -> Node:
        """What came of a decision or a task."""
        return decisions.record_outcome(self.desk, id_of(parent), title, success=success, description=description)

    def record_observation(self, title: str, *, about: str | Node | None = None, description: str = "") -> Node:
        """Something seen, that informs a node."""
        where = id_of(about) if about else None
        return decisions.record_observation(self.desk, title, about=where, description=description)

    def revisit(self, outcome: str | Node, reason: str, **more: Any) -> Revisited:
        """Decide anew after an outcome; the old decision holds no longer."""
        return self._untold(decisions.revisit(self.desk, id_of(outcome), reason, **more))

    def find_nodes(self, text: str, *, everywhere: bool = False, limit: int = 20) -> list[FoundNode]:
        """Nodes by what they say; any text is a valid query."""
        return finding.find_nodes(self.desk, **self._query(text), everywhere=everywhere, most=limit)

    def find_entries(
        self, text: str, *, types: Iterable[EventType] | None = None, everywhere: bool = False, limit: int = 20
    ) -> list[FoundEntry]:
        """Entries by what they say; what was corrected or retracted is not found."""
        return finding.find_events(self.desk, **self._query(text), types=types, everywhere=everywhere, most=limit)

    def rejected(self, text: str, *, since_ms: int = 0, everywhere: bool = False, limit: int = 20) -> list[Rejected]:
        """What was rejected about a topic, and why."""
        query = self._query(text)
        return finding.rejected(self.desk, **query, since_ms=since_ms, everywhere=everywhere, most=limit)

    def _untold(self, done: _Done) -> _Done:
        """What was done, when no prompt is told any more what held before."""
        drop_recall_files(self.desk.ledger.home)
        return done

    def _query(self, text: str) -> dict[str, Any]:
        query = parse(text, self.desk.clock.now_ms())
        return {"terms": query.terms, "required": query.required, "excluded": query.excluded}

    def check(self, node: str | Node, *, folder: Path | None = None) -> Check:
        """How complete the record of a task is: a score and the gaps."""
        return completeness.check(self.desk, id_of(node), folder)

    def fix_prompt(self, node: str | Node, *, folder: Path | None = None) -> str:
        """What to tell an agent so that it fills the gaps."""
        return completeness.fix_prompt(self.desk, id_of(node), folder)

    def stale(self, *, days: int = 7) -> list[Node]:
        """Open tasks that nobody touched for so long, the oldest first."""
        return completeness.stale(self.desk, days)

    def pack(self, node: str | Node, *, budget: int = 8_000) -> str:
        """All one needs to resume a task, within so many characters."""
        return pack.pack(self.desk, id_of(node), budget)
