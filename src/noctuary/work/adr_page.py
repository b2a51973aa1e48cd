"""A decision as a page: what was to be decided, what could be chosen, what was and why, and what came of it."""

from collections.abc import Callable, Iterable, Iterator, Mapping
from typing import NamedTuple
from urllib.parse import quote

from noctuary.graph import Edge, EdgeType, Node, NodeStatus, NodeType
from noctuary.moments import show_day
from noctuary.work.alternatives import age_and_place
from noctuary.work.markdown import contained, labelled, plain

_VERDICTS = {EdgeType.CHOSEN: "CHOSEN", EdgeType.REJECTED: "REJECTED"}
_ENDED = {NodeStatus.CHOSEN: "CHOSEN", NodeStatus.REJECTED: "REJECTED", NodeStatus.ABANDONED: "ABANDONED"}
_WORK = (NodeType.TASK, NodeType.GOAL)
# How a task or goal relates to the decision: if the edge leads to it, and if the edge comes from it.
_RELATIONS = {
    EdgeType.LEADS_TO: ("leads to {}", "follows from {}"),
    EdgeType.DEPENDS_ON: ("depends on {}", "needed by {}"),
    EdgeType.CONTAINS: ("contains {}", "part of {}"),
    EdgeType.INFORMS: ("informs {}", "informed by {}"),
    EdgeType.DISCOVERED_FROM: ("discovered in {}", "led to {}"),
    EdgeType.SUPERSEDES: ("supersedes {}", "superseded by {}"),
}


class Record(NamedTuple):
    """A decision, its number and the name of its file."""

    node: Node
    number: int
    file: str

    @property
    def heading(self) -> str:
        """What it is called, as text in Markdown."""
        return f"ADR {self.number:03d}: {plain(self.node.title)}"


class Surroundings(NamedTuple):
    """What lies around the decisions: nodes by id, edges by either end, the oldest first."""

    nodes: Mapping[str, Node]
    edges: Mapping[str, list[Edge]]

    def out(self, start: str, *kinds: EdgeType) -> Iterator[tuple[Edge, Node]]:
        """The edges that lead away from a node, and where to."""
        for edge in self.edges.get(start, ()):
            if edge.from_id == start and edge.type in kinds and edge.to_id in self.nodes:
                yield edge, self.nodes[edge.to_id]

    def into(self, end: str, *kinds: EdgeType) -> Iterator[tuple[Edge, Node]]:
        """The edges that lead to a node, and where from."""
        for edge in self.edges.get(end, ()):
            if edge.to_id == end and edge.type in kinds and edge.from_id in self.nodes:
                yield edge, self.nodes[edge.from_id]


def page_of(record: Record, around: Surroundings, records: Mapping[str, Record]) -> str:
    """The page, but for its last line: the same for the same decision, always."""
    node = record.node
    options = options_of(node, around)
    parts = [
        f"# {record.heading}",
        f"**Status:** {node.status}",
        f"**Date:** {show_day(node.completed_ms or node.created_ms)}",
        *_others("Supersedes", around.out(node.id, EdgeType.SUPERSEDES), records),
        *_others("Superseded by", around.into(node.id, EdgeType.SUPERSEDES), records),
        "## Context",
        contained(node.description) or "(None documented)",
        "## Options Considered",
        *(part for option in options for part in _option(node, option, around)),
        *(() if options else ("(None documented)",)),
        "## Outcome",
        *_outcomes(node, options, around),
        "## Related Tasks",
        "\n".join(_related(node, options, around)) or "(None)",
    ]
    return "\n\n".join(part for part in parts if part) + "\n"


def options_of(decision: Node, around: Surroundings) -> list[Node]:
    """What can be or could have been chosen, the oldest first."""
    kinds = (EdgeType.LEADS_TO, EdgeType.CONTAINS, EdgeType.CHOSEN, EdgeType.REJECTED)
    found = {node.id: node for _, node in around.out(decision.id, *kinds) if node.type is NodeType.OPTION}
    return sorted(found.values(), key=age_and_place)


def verdict_on(decision: Node, option: Node, around: Surroundings) -> tuple[str, str]:
    """CHOSEN, REJECTED, ABANDONED or UNDECIDED, and why; what nobody has decided is never called rejected."""
    told = {
        _VERDICTS[edge.type]: edge.label or ""
        for edge, node in around.out(decision.id, *_VERDICTS)
        if node.id == option.id
    }
    by_status = _ENDED.get(option.status)
    if by_status is not None and (by_status in told or not told or by_status == "ABANDONED"):
        return by_status, told.get(by_status) or next(iter(told.values()), "")
    return next(iter(told.items()), ("UNDECIDED", ""))


def _option(decision: Node, option: Node, around: Surroundings) -> Iterator[str]:
    verdict, why = verdict_on(decision, option, around)
    yield f"### {plain(option.title)} ({verdict})"
    if option.description.strip() != why.strip():
        yield contained(option.description)
    if why.strip():
        yield labelled("Reason" if verdict == "REJECTED" else "Rationale", why)
    for key, label in (("pros", "Pros"), ("cons", "Cons")):
        if option.metadata.get(key, "").strip():
            yield labelled(label, option.metadata[key])


def _outcomes(decision: Node, options: list[Node], around: Surroundings) -> list[str]:
    told = (decision.outcome or decision.metadata.get("outcome") or "").strip()
    kinds = (EdgeType.LEADS_TO, EdgeType.CONTAINS)
    found = {
        node.id: node
        for start in (decision, *options)
        for node in (
            *(node for _, node in around.out(start.id, *kinds)),
            *(node for _, node in around.into(start.id, EdgeType.INFORMS)),
        )
        if node.type is NodeType.OUTCOME
    }
    lines = [_outcome(node) for node in sorted(found.values(), key=_age)]
    return [part for part in (contained(told), "\n".join(lines)) if part] or ["(Pending)"]


def _outcome(node: Node) -> str:
    success = node.metadata.get("success", "").lower()
    label = {"true": "Succeeded", "false": "Failed"}.get(success, "Result")
    more = plain(node.description.strip())
    return f"- **{label}:** {plain(node.title)}" + (f" — {more}" if more else "")


def _others(label: str, found: Iterable[tuple[Edge, Node]], records: Mapping[str, Record]) -> Iterator[str]:
    for edge, node in found:
        record = records.get(node.id)
        shown = f"[{record.heading}]({quote(record.file)})" if record else f"{plain(node.id)}: {plain(node.title)}"
        # What takes its place may be no decision but a new look at it, which says why.
        why = (edge.label or ("" if record else node.description)).strip()
        yield f"**{label}:** {shown}" + (f" — {plain(why)}" if why else "")


def _related(decision: Node, options: list[Node], around: Surroundings) -> list[str]:
    found: dict[tuple[str, str], tuple[Node, str]] = {}
    for start in (decision, *options):
        for place, look in enumerate[Callable[..., Iterator[tuple[Edge, Node]]]]((around.out, around.into)):
            for edge, node in look(start.id, *_RELATIONS):
                if node.type in _WORK:
                    relation = _RELATIONS[edge.type][place].format(node.type)
                    found[node.id, relation] = (node, relation)
    told = sorted(found.values(), key=lambda item: (*_age(item[0]), item[1]))
    return [f"- {plain(node.id)}: {plain(node.title)} ({relation})" for node, relation in told]


def _age(node: Node) -> tuple[int, str]:
    return node.created_ms, node.id
