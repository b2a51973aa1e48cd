"""Find nodes and events by words, and what was rejected by its topic.

What was typed is parsed by recall, for all searches mean the same by it; here it arrives as terms.  What has all of
them comes first, then what has any, each by how well it matches.  Events that were corrected or retracted are in no
index, so they are never found.
"""

from collections.abc import Callable, Iterable, Mapping, Sequence
from typing import NamedTuple, TypeVar

from noctuary.authored import Entry, EventType
from noctuary.graph import Edge, EdgeType, Node, NodeStatus, NodeType
from noctuary.ledger.ledger import entry_from
from noctuary.records import Term
from noctuary.store.lexicon import match_expression
from noctuary.text import fold, terms_of_word, tokens
from noctuary.work.desk import PREFIXES, Desk

MOST = 20
_FIRST_LOOK = 1_000  # rows of the index; others' and other projects' are among them
_EVERY_ROW = 1_000_000_000
_MOST_REJECTED = 500  # of which the best are shown
Found = TypeVar("Found", Node, Entry)


class FoundNode(NamedTuple):
    """A node, and whether it has all that was asked for, or only some of it."""

    node: Node
    has_all: bool


class FoundEntry(NamedTuple):
    """An event as it stands now, and whether it has all that was asked for."""

    entry: Entry
    has_all: bool


class Rejected(NamedTuple):
    """Something that was not done, and why."""

    text: str
    reason: str
    ts_ms: int
    decision: Node | None = None  # what it was an option of
    option: Node | None = None
    entry: Entry | None = None  # the event that says so, if it has one of its own


def find_nodes(
    desk: Desk,
    terms: Sequence[Term],
    required: Sequence[Term] = (),
    excluded: Sequence[Term] = (),
    *,
    types: Iterable[NodeType] | None = None,
    everywhere: bool = False,
    most: int = MOST,
) -> list[FoundNode]:
    """Nodes by all they say: title, description, goal, outcome, labels, names elsewhere, metadata; or by their id."""
    kinds = None if types is None else list(types)
    project = None if everywhere else desk.project

    def matching(match: str, rows: int) -> dict[str, Node]:
        found = desk.store.nodes.matching(desk.owner, match, project=project, types=kinds, most=rows)
        return {node.id: node for node in found}

    named = {node.id: node for node in _named(desk, terms) if kinds is None or node.type in kinds}
    found = {name: FoundNode(node, has_all=True) for name, node in named.items()}
    for node, has_all in _best(matching, terms, required, excluded, most):
        found.setdefault(node.id, FoundNode(node, has_all))
    return list(found.values())[:most]


def find_events(
    desk: Desk,
    terms: Sequence[Term],
    required: Sequence[Term] = (),
    excluded: Sequence[Term] = (),
    *,
    types: Iterable[EventType] | None = None,
    node: str | None = None,
    since_ms: int = 0,
    everywhere: bool = False,
    most: int = MOST,
) -> list[FoundEntry]:
    """Events by their words."""
    kinds = None if types is None else list(types)
    about = desk.node(node).id if node else None
    project = None if everywhere or about else desk.project

    def matching(match: str, rows: int) -> dict[str, Entry]:
        stored = desk.store.events.matching(
            desk.owner, match, types=kinds, project=project, node=about, after_ms=since_ms, most=rows
        )
        return {entry.event.id: entry for entry in map(entry_from, stored)}

    return [FoundEntry(*found) for found in _best(matching, terms, required, excluded, most)]


def rejected(
    desk: Desk,
    terms: Sequence[Term],
    since_ms: int = 0,
    everywhere: bool = False,
    most: int = MOST,
    *,
    required: Sequence[Term] = (),
    excluded: Sequence[Term] = (),
) -> list[Rejected]:
    """What was rejected about a topic: those that match best, of these the newest first; without a topic the newest."""
    events, nodes = (
        _rejected_about(desk, terms, required, excluded, everywhere=everywhere)
        if terms or required
        else _all_rejected(desk, None if everywhere else desk.project)
    )
    records = [each for each in _records(desk, events, nodes) if each.ts_ms >= since_ms]
    good = [(_goodness(each, (*terms, *required)), each) for each in records]
    return [each for _, each in sorted(good, key=lambda pair: (-pair[0], -pair[1].ts_ms))[:most]]


def _rejected_about(
    desk: Desk, terms: Sequence[Term], required: Sequence[Term], excluded: Sequence[Term], *, everywhere: bool
) -> tuple[list[Entry], list[Node]]:
    types = [NodeType.OPTION, NodeType.DECISION]
    nodes = find_nodes(desk, terms, required, excluded, types=types, everywhere=everywhere, most=_MOST_REJECTED)
    only = [EventType.REJECTION]
    events = find_events(desk, terms, required, excluded, types=only, everywhere=everywhere, most=_MOST_REJECTED)
    return [found.entry for found in events], [found.node for found in nodes]


def _all_rejected(desk: Desk, project: str | None) -> tuple[list[Entry], list[Node]]:
    rows = desk.store.events.of_project(desk.owner, project, [EventType.REJECTION], _MOST_REJECTED)
    options = desk.store.nodes.where(
        desk.owner, project=project, types=[NodeType.OPTION], statuses=[NodeStatus.REJECTED]
    )
    return [entry_from(row) for row in rows], options


def _best(
    matching: Callable[[str, int], dict[str, Found]],
    terms: Sequence[Term],
    required: Sequence[Term],
    excluded: Sequence[Term],
    most: int,
) -> list[tuple[Found, bool]]:
    """What has all the terms that carry weight, then what has any of them; and whether it has all."""
    telling = [term for term in terms if term.weight >= 1] or list(terms)
    expressions = [match_expression(telling, required=required, excluded=excluded)]
    if len(terms) > 1:
        expressions.append(match_expression((), terms, required=required, excluded=excluded))
    found: dict[str, tuple[Found, bool]] = {}
    for match in expressions:
        for rows in (_FIRST_LOOK, _EVERY_ROW):
            if match and len(found) < most:
                for name, each in matching(match, rows).items():
                    found.setdefault(name, (each, match == expressions[0]))
    return list(found.values())[:most]


def _named(desk: Desk, terms: Sequence[Term]) -> list[Node]:
    """Nodes that a term names by id, or by the beginning of one."""
    names = {"-".join(term.words).lower() for term in terms if len(term.words) == 2}
    likely = [name for name in sorted(names) if name.partition("-")[0] in PREFIXES.values()]
    found = {full for name in likely for full in desk.store.nodes.beginning_with(desk.owner, name)}
    return list(desk.store.nodes.by_id(desk.owner, sorted(found)).values()) if found else []


def _records(desk: Desk, events: Iterable[Entry], nodes: Iterable[Node]) -> list[Rejected]:
    """Events and options that were rejected, each once: an option's own event is told with it."""
    options = _rejected_options(desk, nodes)
    edges = _reasons(desk, options)
    decisions = desk.store.nodes.by_id(desk.owner, {edge.from_id for edge in edges.values()})
    told: dict[str, Rejected] = {}
    for name, option in options.items():
        edge = edges.get(name)
        decision = decisions.get(edge.from_id) if edge else None
        text = f"{decision.title}: {option.title}" if decision else option.title
        when = edge.created_ms if edge else option.completed_ms or option.created_ms
        told[name] = Rejected(text, (edge.label if edge else None) or "", when, decision, option)
    for entry in events:
        name = next(iter(_rejected_by(entry)), "")
        if name in told:
            told[name] = told[name]._replace(entry=entry)
        else:
            told[entry.event.id] = Rejected(entry.event.text, "", entry.event.ts_ms, entry=entry)
    return [each for each in told.values() if each.entry or not _is_taken_back(desk, each)]


def _rejected_options(desk: Desk, nodes: Iterable[Node]) -> dict[str, Node]:
    """Of these nodes, and of the options of those that are decisions, the rejected options."""
    found = list(nodes)
    decisions = [node.id for node in found if node.type is NodeType.DECISION]
    edges = desk.store.nodes.edges_of(desk.owner, decisions, EdgeType.REJECTED) if decisions else []
    found += desk.store.nodes.by_id(desk.owner, {edge.to_id for edge in edges}).values()
    return {node.id: node for node in found if node.status is NodeStatus.REJECTED}


def _reasons(desk: Desk, options: Mapping[str, Node]) -> dict[str, Edge]:
    edges = desk.store.nodes.edges_of(desk.owner, options, EdgeType.REJECTED) if options else []
    return {edge.to_id: edge for edge in edges if edge.to_id in options}


def _rejected_by(entry: Entry) -> list[str]:
    settings = entry.event.change.get("set", {})
    return [name for name, fields in settings.items() if fields.get("status") == NodeStatus.REJECTED]


def _is_taken_back(desk: Desk, record: Rejected) -> bool:
    """Whether the event by which an option was rejected was corrected away or retracted."""
    if record.option is None or record.decision is None:
        return False
    about = [record.decision.id, *([record.decision.parent] if record.decision.parent else [])]
    kinds = [EventType.REJECTION, EventType.DECISION]
    said = [entry for name in about for entry in desk.entries(name, kinds, hidden=True)]
    by = [entry for entry in said if record.option.id in _rejected_by(entry)]
    return bool(by) and all(entry.hidden_by for entry in by)


def _goodness(record: Rejected, terms: Sequence[Term]) -> float:
    """What the terms that it has weigh together."""
    option = record.option.description if record.option else ""
    said = record.entry.event.text if record.entry else ""
    words = [set(token.terms) for token in tokens(f"{record.text}\n{record.reason}\n{option}\n{said}")]
    return sum(term.weight for term in terms if _has(words, term))


def _has(words: Sequence[set[str]], term: Term) -> bool:
    wanted = [terms_of_word(word)[0] for word in term.words]
    for start in range(len(words) - len(wanted) + 1):
        *before, last = zip(words[start:], wanted, strict=False)
        begins = term.prefix and any(word.startswith(fold(term.words[-1])) for word in last[0])
        if all(word in at for at, word in before) and (last[1] in last[0] or begins):
            return True
    return False
