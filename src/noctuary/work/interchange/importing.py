"""A file of a goal, read into the work: what is new is added, what has changed is merged field by field.

All that an import does is one event, so it is done whole or not at all.  Nothing is ever removed by it.  A status is
taken as it is: how a task came to be completed elsewhere is a fact, not a request.
"""

from collections.abc import Iterator, Mapping, Sequence
from typing import Any, NamedTuple

from noctuary.authored import EventType
from noctuary.errors import BadInput
from noctuary.graph import ENDED, EdgeType, Node, NodeStatus
from noctuary.journal.lines import moment
from noctuary.ledger.fold import edge_id
from noctuary.work.changes import edge_record
from noctuary.work.claims import LONGEST_LEASE_MS
from noctuary.work.desk import Desk
from noctuary.work.interchange.goal_file import (
    METADATA,
    NOTHING,
    TIMES,
    Ends,
    Fields,
    GoalFile,
    Mark,
    Value,
    edge_fields,
    node_fields,
    read_goal_file,
    value_digest,
)
from noctuary.work.interchange.merging import Strategy, Verdict, merge
from noctuary.work.interchange.sync import Known, Sync, as_meta, last_sync
from noctuary.work.rules import check_change

# What a status brings with it in the tables, unless it is said with it.
_WITH_STATUS = ("blocked_reason", "started_at", "completed_at", "lease_until")


class Difference(NamedTuple):
    """A field of a node, or the label of an edge, that is one thing here and another in the file."""

    name: str
    field: str
    here: Value
    in_file: Value


class Plan(NamedTuple):
    """What an import does, or would do."""

    goal: str
    title: str
    project: str
    strategy: Strategy
    is_edited: bool  # the file is not as it was written
    added_nodes: Sequence[str]
    added_edges: Sequence[Ends]
    moved: Sequence[Difference]  # nodes that become part of another
    changed: Sequence[Difference]  # as the file has it
    kept: Sequence[Difference]  # as it is here
    conflicts: Sequence[Difference]  # changed on both sides; as it is here
    waiting: Sequence[Ends]  # edges that leave the goal to a node that is not known here
    unchanged: int  # nodes
    change: Mapping[str, Any]
    sync: Sync

    @property
    def changes_anything(self) -> bool:
        """Whether the work is not the same afterwards."""
        return bool(self.change)


def plan_import(desk: Desk, text: str, strategy: Strategy = Strategy.MERGE, *, into: str | None = None) -> Plan:
    """What an import would do; it does nothing.

    A file of another project is refused, unless `into` says which project it shall belong to here.
    """
    file = read_goal_file(text)
    plan = _Importing(desk, file, strategy, _project(desk, file, into)).plan()
    check_change(desk.store.nodes, desk.owner, plan.change, project=plan.project, is_import=True)
    return plan


def import_goal(desk: Desk, text: str, strategy: Strategy = Strategy.MERGE, *, into: str | None = None) -> Plan:
    """Import a file and say what was done.  What cannot be is refused as a whole; the same file again does nothing."""
    file = read_goal_file(text)
    project = _project(desk, file, into)
    with desk.writing(project) as write:
        plan = _Importing(desk, file, strategy, project).plan()
        before = last_sync(desk, plan.goal)
        is_settled = strategy is Strategy.OURS and _tells_more(plan.sync, before) and bool(plan.kept)
        if plan.change or is_settled or plan.sync.waiting.keys() - before.waiting.keys():
            # No bookkeeping, even if nothing changes: the next import must find it among what was said of the goal.
            meta = as_meta(plan.sync)
            write(EventType.AMEND, _told(plan), node=plan.goal, change=plan.change, meta=meta, is_import=True)
    return plan


def _project(desk: Desk, file: GoalFile, into: str | None) -> str:
    wanted = desk.project if into is None else into
    if into is None and file.project != desk.project:
        raise BadInput(
            f"The file is of the project {file.project or '(none)'}, and this is {desk.project or '(none)'}; "
            "nothing was changed. Import it there, or name the project that it shall belong to."
        )
    return wanted


def _tells_more(sync: Sync, before: Sync) -> bool:
    return any(before.of(name, key) != known for name, fields in sync.known.items() for key, known in fields.items())


def _told(plan: Plan) -> str:
    counts = {
        "new node": len(plan.added_nodes),
        "new edge": len(plan.added_edges),
        "changed field": len(plan.changed) + len(plan.moved),
        "conflict": len(plan.conflicts),
    }
    told = ", ".join(f"{count} {what}{'' if count == 1 else 's'}" for what, count in counts.items() if count)
    return f"Imported {plan.title}: {told or 'nothing to change'}."


class _Importing:
    """One import while it is planned."""

    def __init__(self, desk: Desk, file: GoalFile, strategy: Strategy, project: str) -> None:
        self.desk, self.file, self.strategy, self.project = desk, file, strategy, project
        ends = {name for edge in (*file.edges, *file.outside) for name in edge[1:]}
        self.stored = desk.store.nodes.by_id(desk.owner, file.nodes.keys() | ends)
        self.before = last_sync(desk, file.goal)
        self.known: dict[str, dict[str, Known]] = {}
        self.found: dict[Verdict, list[Difference]] = {verdict: [] for verdict in Verdict}
        self.moved: list[Difference] = []
        self.made: list[dict[str, Any]] = []
        self.settings: dict[str, dict[str, Any]] = {}
        self.edges: list[dict[str, Any]] = []
        self.added: list[Ends] = []
        self.unlinked: list[dict[str, Any]] = []
        self.waiting: dict[Ends, Fields] = {}

    def plan(self) -> Plan:
        """Go through the file."""
        unchanged = sum([self._add_node(name, fields) for name, fields in sorted(self.file.nodes.items())])
        self._add_edges()
        change = {"nodes": self.made, "set": self.settings, "unlink": self.unlinked, "edges": self.edges}
        return Plan(
            goal=self.file.goal,
            title=str(self.file.nodes[self.file.goal]["title"]),
            project=self.project,
            strategy=self.strategy,
            is_edited=self.file.is_edited,
            added_nodes=[node["id"] for node in self.made],
            added_edges=self.added,
            moved=self.moved,
            changed=self.found[Verdict.TAKE],
            kept=self.found[Verdict.KEEP],
            conflicts=self.found[Verdict.CONFLICT],
            waiting=sorted(self.waiting),
            unchanged=unchanged,
            change={key: value for key, value in change.items() if value},
            sync=Sync(self.known, self.waiting),
        )

    def _add_node(self, name: str, fields: Fields) -> bool:
        """Add a node, or merge it; whether there was nothing to do."""
        stored = self.stored.get(name)
        if stored is None:
            made = _as_made(name, fields, is_exported=name in self.file.marks)
            self.made.append(self._with_lease_cut(made))
            for key in (fields.keys() | self.file.marks.get(name, {}).keys()) - {"node_type", "parent"}:
                self._note(name, key, fields.get(key))
            return False
        self._check_same(stored, fields)
        ours, taken = node_fields(stored), {}
        keys = ours.keys() | fields.keys() | self.file.marks.get(name, {}).keys()
        for key in sorted(keys - {"node_type", "parent"}):
            if self._decide(name, key, ours.get(key), fields.get(key)) is Verdict.TAKE:
                taken[key] = fields.get(key)
        if taken:
            self.settings[name] = self._with_lease_cut(_as_set(ours, taken))
        return not taken

    def _with_lease_cut(self, fields: dict[str, Any]) -> dict[str, Any]:
        """A lease that is longer than any claim may be would hold a task for ever."""
        latest_ms = self.desk.clock.now_ms() + LONGEST_LEASE_MS
        return fields | {"lease_ms": latest_ms} if (fields.get("lease_ms") or 0) > latest_ms else fields

    def _check_same(self, stored: Node, fields: Fields) -> None:
        if stored.type != fields["node_type"]:
            raise BadInput(f"{stored.id} is a {stored.type} here and a {fields['node_type']} in the file.")
        if stored.project != self.project:
            raise BadInput(
                f"{stored.id} is of another project here: {stored.project or '(none)'}. Import the file there."
            )

    def _decide(self, name: str, key: str, ours: Value, theirs: Value) -> Verdict:
        merged = merge(ours, theirs, self._mark(name, key), self.before.of(name, key), self.strategy)
        self.known.setdefault(name, {})[key] = merged.known
        if merged.verdict is not Verdict.SAME:
            self.found[merged.verdict].append(Difference(name, key, ours, theirs))
        return merged.verdict

    def _note(self, name: str, key: str, theirs: Value) -> None:
        """Of what is new there is nothing to decide."""
        there = value_digest(theirs)
        self.known.setdefault(name, {})[key] = Known(there, self._mark(name, key) or Mark(there))

    def _mark(self, name: str, key: str) -> Mark | None:
        """What the file says a field rests on: nothing where there is no mark, unless nobody has put any."""
        is_marked = name in self.file.marks or (name not in self.file.nodes and bool(self.file.marks))
        return self.file.marks.get(name, {}).get(key, Mark(NOTHING)) if is_marked else None

    def _add_edges(self) -> None:
        there = self.file.nodes.keys() | self.stored.keys()
        old = {
            (str(edge.type), edge.from_id, edge.to_id): edge_fields(edge)
            for edge in self.desk.store.nodes.edges_of(self.desk.owner, self.stored)
        }
        for ends, fields in sorted(self.file.edges.items()):
            if missing := {*ends[1:]} - there:
                raise BadInput(
                    f"The file says that {ends[1]} {ends[0]} {ends[2]}, but {min(missing)} is neither in it nor here; "
                    "nothing was changed."
                )
            self._add_edge(ends, fields, old)
        for ends, fields in sorted(self.file.outside.items()):
            is_elsewhere = ends[1] in self.stored and self.stored[ends[1]].project != self.project
            if ends not in old and (is_elsewhere or not {*ends[1:]} <= there):
                self.waiting[ends] = fields
                self._note_label(ends, fields)
            else:
                self._add_edge(ends, fields, old)

    def _add_edge(self, ends: Ends, fields: Fields, old: Mapping[Ends, Fields]) -> None:
        name, label = edge_id(*ends), fields.get("label")
        is_part = ends[0] == EdgeType.CONTAINS
        if ends in old:
            if self._decide(name, "label", old[ends].get("label"), label) is Verdict.TAKE:
                self.edges.append(_as_edge(ends, fields))
            if is_part:
                self._note(ends[2], "parent", ends[1])
        elif not is_part or self._is_moved(ends):
            self.added.append(ends)
            self.edges.append(_as_edge(ends, fields))
            self._note_label(ends, fields)

    def _note_label(self, ends: Ends, fields: Fields) -> None:
        if fields.get("label") or edge_id(*ends) in self.file.marks:
            self._note(edge_id(*ends), "label", fields.get("label"))

    def _is_moved(self, ends: Ends) -> bool:
        """Whether a node becomes part of what the file says; taken out of where it was, if it was anywhere."""
        _, parent, name = ends
        here = self.stored[name].parent if name in self.stored else None
        if here is None:
            self._note(name, "parent", parent)
            return True
        if self._decide(name, "parent", here, parent) is not Verdict.TAKE:
            return False
        self.moved.append(self.found[Verdict.TAKE].pop())
        self.unlinked.append(edge_record(EdgeType.CONTAINS, here, name))
        return True


def _as_made(name: str, fields: Fields, *, is_exported: bool) -> dict[str, Any]:
    """The node for a change.  What an exported one does not have it shall not get from being made here and now."""
    nothing = {"created_by": None, **({"started_ms": None, "completed_ms": None} if is_exported else {})}
    return {"id": name, "type": fields["node_type"], **nothing, **dict(_settings(fields))}


def _as_set(ours: Fields, taken: Fields) -> dict[str, Any]:
    """The fields for a change.  With a status goes what would change with it, unless the file leaves it open."""
    whole = dict(taken)
    if "status" in taken:
        status = NodeStatus(str(taken["status"]))
        after = {key: taken[key] if key in taken else ours.get(key) for key in _WITH_STATUS}
        left_open = {"completed_at"} if status in ENDED and not after["completed_at"] else set()
        left_open |= {"started_at"} if not after["started_at"] else set()
        whole |= {key: value for key, value in after.items() if key not in left_open}
        whole = {key: value for key, value in whole.items() if key not in left_open}
    return dict(_settings(whole))


def _settings(fields: Fields) -> Iterator[tuple[str, Any]]:
    metadata = {key.removeprefix(METADATA): value for key, value in fields.items() if key.startswith(METADATA)}
    for key, value in sorted(fields.items()):
        if key in TIMES:
            yield TIMES[key], None if value is None else moment(str(value))
        elif not key.startswith(METADATA) and key != "node_type":
            yield key, value
    if metadata:
        yield "metadata", metadata


def _as_edge(ends: Ends, fields: Fields) -> dict[str, Any]:
    edge = edge_record(*ends, str(fields.get("label") or ""))
    if created_at := fields.get("created_at"):
        edge["created_ms"] = moment(str(created_at))
    return edge
