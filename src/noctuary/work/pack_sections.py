"""What a pack tells, section by section, before any of it is cut: read from the tables by indexes, and never too much.

What was corrected, retracted or superseded is not told.  What is only suggested carries `[?]`.  Old decisions and
subtasks are told by their title only, as `decay` says.
"""

from collections.abc import Iterable, Iterator, Mapping, Sequence
from enum import StrEnum
from functools import cached_property
from itertools import islice
from typing import NamedTuple

from noctuary.authored import Entry, EventType
from noctuary.graph import ENDED, STARTED, EdgeType, Node, NodeStatus, NodeType, Priority
from noctuary.moments import show_day
from noctuary.work.alternatives import age_and_place, decision_name
from noctuary.work.cutting import Block
from noctuary.work.decay import decayed
from noctuary.work.desk import Desk
from noctuary.work.gaps import artifacts_of, gaps_of, score_of
from noctuary.work.pack_lines import (
    cited_lines,
    entry_block,
    given_options,
    hindrances,
    line,
    mark,
    named,
    option_line,
    paragraph,
    recent_line,
)
from noctuary.work.ready import as_they_stand
from noctuary.work.wording import first_of

MOST_ENTRIES = 100  # of a type
MOST_RECENT = 10
MOST_ANCESTORS = 5
_MOST_NAMES = 30  # of commits, of files …
_SPOKEN = frozenset(EventType) - {
    EventType.STATUS, EventType.LINK, EventType.UNLINK, EventType.AMEND, EventType.RENAME, EventType.CONFIRM,
    EventType.RETRACT,
}  # fmt: skip
_RANKS = {priority: rank for rank, priority in enumerate(Priority)}
_S = NodeStatus


class Part(StrEnum):
    """The sections of a pack, in their order, by their titles."""

    GOAL = "Goal"
    STATE = "State"
    CONSTRAINTS = "Constraints"
    DECISIONS = "Active decisions"
    REJECTED = "Rejected ways"
    QUESTIONS = "Open questions"
    NEXT = "Next steps"
    EVIDENCE = "Evidence"
    FINDINGS = "Findings"
    ARTIFACTS = "Artifacts"
    RECENT = "Recent"
    SUBTASKS = "Subtasks"
    COMPLETENESS = "Completeness"


class Choice(NamedTuple):
    """A decision as a pack tells it: its event, its node, or both."""

    entry: Entry | None
    node: Node | None
    when_ms: int


class Material:
    """All that a pack of one node is made of, each piece read once."""

    def __init__(self, desk: Desk, node: Node) -> None:
        self.desk = desk
        self.node = as_they_stand(desk, [node])[0]

    def sections(self) -> dict[Part, list[Block]]:
        """The blocks of each section; a section without blocks is left out."""
        told: dict[Part, Iterable[Block]] = {
            Part.GOAL: self._goal(),
            Part.STATE: self._state(),
            Part.CONSTRAINTS: self._constraints(),
            Part.DECISIONS: (self._choice(choice) for choice in self._choices if not _is_open(choice)),
            Part.REJECTED: map(entry_block, self._standing[EventType.REJECTION]),
            Part.QUESTIONS: self._questions(),
            Part.NEXT: self._next_steps(),
            Part.EVIDENCE: map(entry_block, self._standing[EventType.EVIDENCE]),
            Part.FINDINGS: map(entry_block, self._standing[EventType.FINDING]),
            Part.ARTIFACTS: self._artifacts(),
            Part.RECENT: ([recent_line(entry)] for entry in self._recent if entry.event.text),
            Part.SUBTASKS: map(self._subtask, self._subtasks),
            Part.COMPLETENESS: self._completeness(),
        }
        blocks = {part: _each_once(given) for part, given in told.items()}
        return {part: given for part, given in blocks.items() if given}

    @cached_property
    def _standing(self) -> Mapping[EventType, Sequence[Entry]]:
        """Entries that hold, by what they say, the newest first."""
        kinds = (EventType.REJECTION, EventType.CONSTRAINT, EventType.PREFERENCE, EventType.HYPOTHESIS,
                 EventType.EVIDENCE, EventType.FINDING, EventType.REDIRECT, EventType.CLOSE)  # fmt: skip
        return {kind: _holding(self.desk.entries(self.node.id, [kind], MOST_ENTRIES)) for kind in kinds}

    @cached_property
    def _recent(self) -> Sequence[Entry]:
        return _holding(self.desk.entries(self.node.id, sorted(_SPOKEN), MOST_ENTRIES))[:MOST_RECENT]

    @cached_property
    def _children(self) -> Sequence[Node]:
        """What the node contains, as it stands, the oldest first."""
        nodes, owner = self.desk.store.nodes, self.desk.owner
        found = nodes.by_id(owner, nodes.targets(owner, EdgeType.CONTAINS, self.node.id))
        return sorted(as_they_stand(self.desk, found.values()), key=lambda node: (node.created_ms, node.id))

    @cached_property
    def _subtasks(self) -> Sequence[Node]:
        """Open ones by age, then those that ended, the last first."""
        tasks = [node for node in self._children if node.type is NodeType.TASK]
        ended = [node for node in tasks if node.status in ENDED]
        ended.sort(key=lambda node: (-(node.completed_ms or 0), node.id))
        return [*(node for node in tasks if node.status not in ENDED), *ended]

    @cached_property
    def _choices(self) -> Sequence[Choice]:
        """Decisions that hold or are still to be made, the newest first, each once."""
        decided = self.desk.entries(self.node.id, [EventType.DECISION], MOST_ENTRIES)
        by_event = {entry.event.id: decision_name(entry) for entry in decided}
        own = [node for node in (self.node, *self._children) if node.type is NodeType.DECISION]
        named = [name for name in by_event.values() if name]
        nodes = {node.id: node for node in own} | self.desk.store.nodes.by_id(self.desk.owner, named)
        choices: dict[str, Choice] = {}
        for entry in decided:
            name = by_event[entry.event.id]
            node = nodes.get(name) if name else None
            if entry.superseded_by is None:
                choices.setdefault(node.id if node else entry.event.id, Choice(entry, node, entry.event.ts_ms))
        for node in own:
            choices.setdefault(node.id, Choice(None, node, node.completed_ms or node.created_ms))
        standing = [one for one in choices.values() if one.node is None or one.node.status is not _S.SUPERSEDED]
        return sorted(standing, key=lambda one: (one.when_ms, one.entry.event.id if one.entry else ""), reverse=True)

    @cached_property
    def _options(self) -> Mapping[str, Sequence[str]]:
        """The lines about the options of each decision."""
        names = [choice.node.id for choice in self._choices if choice.node]
        edges = self.desk.store.nodes.edges_of(self.desk.owner, names) if names else []
        ways = {edge.to_id: edge.from_id for edge in edges if edge.from_id in set(names)}
        labels = {edge.to_id: edge.label for edge in edges if edge.type in (EdgeType.CHOSEN, EdgeType.REJECTED)}
        found = self.desk.store.nodes.by_id(self.desk.owner, ways)
        options = [node for node in found.values() if node.type is NodeType.OPTION]
        options.sort(key=lambda node: (node.status is not _S.CHOSEN, *age_and_place(node)))
        lines: dict[str, list[str]] = {}
        for node in options:
            lines.setdefault(ways[node.id], []).append(option_line(node.status, node.title, labels.get(node.id)))
        return lines

    def _goal(self) -> Iterator[Block]:
        node = self.node
        goal = node.goal or (node.description if node.type is not NodeType.TASK else "") or ""
        told = paragraph(goal) if goal.strip() else "(no goal is set)"
        opened = self.desk.entries(node.id, [EventType.OPEN], MOST_ENTRIES)
        context = [
            entry.event.text
            for entry in opened
            if any(made["id"] == node.id for made in entry.event.change.get("nodes", ()))
        ]
        said = (line(node.title), line(goal))
        about = next(
            (words for text in (*context, node.description) if (words := line(text)) and words not in said), ""
        )
        yield [told, f"Context: {about}"] if about else [told]

    def _state(self) -> Iterator[Block]:
        node = self.node
        priority = f", priority {node.priority}" if node.priority else ""
        yield [f"- {node.type} {node.id}: {node.status}{priority}"]
        if node.status in ENDED:
            tag = f" [{node.outcome_tag}]" if node.outcome_tag else ""
            closing = [entry.event.text for entry in self._standing[EventType.CLOSE][:1]]
            yield [f"- outcome{tag}: {line(node.outcome or ' '.join(closing)) or '(none is recorded)'}"]
        for redirect in self._standing[EventType.REDIRECT][:1]:
            yield [f"- redirected {show_day(redirect.event.ts_ms)}: {mark(redirect)}{line(redirect.event.text)}"]
        for parent in self._ancestors[:1]:
            yield [f"- part of {parent.type} {parent.id}: {line(parent.title)} [{parent.status}]"]
        if node.assigned_to:
            yield [f"- assigned to {line(node.assigned_to)}"]
        if node.external:
            yield [f"- elsewhere: {', '.join(map(line, node.external))}"]
        if node.labels:
            yield [f"- labels: {', '.join(map(line, node.labels))}"]
        yield [f"- opened {show_day(node.created_ms)}, last touched {show_day(node.last_ms)}"]

    @cached_property
    def _ancestors(self) -> Sequence[Node]:
        """What the node is part of, the nearest first."""
        return as_they_stand(self.desk, islice(self.desk.upwards(self.node.id), 1, MOST_ANCESTORS + 1))

    def _constraints(self) -> Iterator[Block]:
        """The task's own, then those of what it is part of, for they bind it too."""
        kinds = (EventType.CONSTRAINT, EventType.PREFERENCE)
        own = [entry for kind in kinds for entry in self._standing[kind]]
        yield from map(entry_block, _newest_first(own))
        for node in self._ancestors:
            for entry in _holding(self.desk.entries(node.id, kinds, MOST_RECENT)):
                first, *rest = entry_block(entry)
                yield [f"{first} (of {node.type} {node.id})", *rest]

    def _choice(self, choice: Choice) -> Block:
        entry, node = choice.entry, choice.node
        if node is None:
            return [*entry_block(entry), *given_options(entry.event.meta)] if entry else []
        detail = decayed(node, self.desk.clock.now_ms())
        words = line(detail.description) or ""
        title = line(node.title)
        text = words if words.startswith(title.rstrip("…")) else f"{title}: {words}" if words else title
        cited = cited_lines(entry.event) if entry else []
        sign = mark(entry) if entry else ""
        return [f"- {show_day(choice.when_ms)} {sign}{text} ({node.id})", *self._options.get(node.id, ()), *cited]

    def _questions(self) -> Iterator[Block]:
        for choice in self._choices:
            if _is_open(choice):
                first, *rest = self._choice(choice)
                yield [f"- to decide: {first.removeprefix('- ')}", *rest]
        entries = [entry for kind in self._standing.values() for entry in kind]
        entries += [choice.entry for choice in self._choices if choice.entry]
        answered = {name for entry in entries for name in entry.event.refs.events}
        for entry in self._standing[EventType.HYPOTHESIS]:
            if answered.isdisjoint({entry.event.id, entry.event.corrects}):
                yield entry_block(entry)

    def _next_steps(self) -> Iterator[Block]:
        tasks = [task for task in self._subtasks if task.status not in ENDED]
        waits = self._waits([self.node.id, *(task.id for task in tasks)])
        if self.node.status not in ENDED:
            yield from hindrances(self.node, "this waits", "this is blocked", waits)
        begun = [task for task in tasks if task.status in STARTED]
        yield from ([f"- {task.status}: {named(task)}{_held_by(task)}"] for task in begun)
        ready = [task for task in tasks if task.status is _S.READY]
        ready.sort(key=_rank)
        yield from ([f"- ready: {named(task)}{_with_priority(task)}"] for task in ready)
        for task in tasks:
            yield from hindrances(task, f"{named(task)} waits", f"{named(task)} is blocked", waits)

    def _waits(self, tasks: Sequence[str]) -> Mapping[str, Sequence[str]]:
        """For each task that waits, what for, and where that stands."""
        unmet = self.desk.store.nodes.waiting(self.desk.owner, tasks)
        known = self.desk.store.nodes.by_id(self.desk.owner, {one.on for one in unmet})
        standing = {node.id: node for node in as_they_stand(self.desk, known.values())}
        waits: dict[str, list[str]] = {}
        for one in unmet:
            waits.setdefault(one.task, []).append(f"{named(standing[one.on])} [{standing[one.on].status}]")
        return waits

    def _artifacts(self) -> Iterator[Block]:
        """What the entries name that were read for the other sections, the newest first."""
        told = {entry.event.id: entry for entries in self._standing.values() for entry in entries}
        told |= {choice.entry.event.id: choice.entry for choice in self._choices if choice.entry}
        told |= {entry.event.id: entry for entry in self._recent}
        for kind, names in artifacts_of(_newest_first(told.values()))._asdict().items():
            if names:
                yield [f"- {kind}: {first_of([*map(line, names)], _MOST_NAMES)}"]

    def _subtask(self, node: Node) -> Block:
        detail = decayed(node, self.desk.clock.now_ms())
        outcome = f": {line(detail.key_outcome)}" if detail.key_outcome else ""
        return [f"- [{node.status}] {named(node)}{outcome}"]

    def _completeness(self) -> Iterator[Block]:
        gaps = gaps_of(self.desk, self.node)
        if gaps:
            yield [f"- score {score_of(gaps)} of 100"]
            yield from ([f"- {gap.kind}: {gap.detail}"] for gap in gaps)


def _holding(entries: Iterable[Entry]) -> list[Entry]:
    return [entry for entry in entries if entry.superseded_by is None]


def _newest_first(entries: Iterable[Entry]) -> list[Entry]:
    return sorted(entries, key=lambda entry: (entry.event.ts_ms, entry.event.id), reverse=True)


def _each_once(blocks: Iterable[Block]) -> list[Block]:
    """The blocks without those that say the same again."""
    return list({tuple(block): block for block in reversed(list(blocks)) if block}.values())[::-1]


def _is_open(choice: Choice) -> bool:
    """Whether it is still to be decided."""
    return choice.node is not None and choice.node.status in (_S.PENDING, _S.ACTIVE)


def _rank(task: Node) -> int:
    return _RANKS[task.priority] if task.priority else len(_RANKS)


def _held_by(task: Node) -> str:
    return f" ({line(task.assigned_to)})" if task.assigned_to else ""


def _with_priority(task: Node) -> str:
    return f" (priority {task.priority})" if task.priority else ""
