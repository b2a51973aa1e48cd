"""Choices: what was decided, between which options, what came of it, and what was decided instead.

Each verb writes exactly one event, so a choice is made with all that follows from it or not at all.  The event belongs
to the nearest task or goal that the decision is part of, for that is the work it was made in; without one, to the
decision itself.
"""

from collections.abc import Iterable, Mapping, Sequence
from typing import Any, NamedTuple

from noctuary.authored import EventType
from noctuary.errors import BadChange, BadInput
from noctuary.graph import FIRST_STATUS, EdgeType, Node, NodeStatus, NodeType
from noctuary.work.alternatives import age_and_place
from noctuary.work.changes import edge_record
from noctuary.work.desk import Desk
from noctuary.work.wording import headline_of, title_of, words_of

NOT_CHOSEN = "not chosen"
_S = NodeStatus
_UNDECIDED = frozenset({_S.PENDING, _S.ACTIVE})
_WHOLES = (NodeType.GOAL, NodeType.TASK, NodeType.DECISION)  # what can contain others
_MOST_STEPS = 100  # back from an outcome to its decision
Record = dict[str, Any]


class NewOption(NamedTuple):
    """An option to choose from, and what speaks for and against it."""

    title: str
    description: str = ""
    pros: str = ""
    cons: str = ""


class Decision(NamedTuple):
    """A decision and its options, in the order in which they were named."""

    node: Node
    options: Sequence[Node]
    chosen: Node | None = None
    rationale: str | None = None


class Revisited(NamedTuple):
    """A new look at a decision: the node that says why, the decision it ends, and the one that takes its place."""

    node: Node
    old: Node | None
    new: Decision | None


def decision_of(desk: Desk, name: str) -> Decision:
    """The decision as it stands."""
    node = desk.node(name, NodeType.DECISION)
    edges = desk.store.nodes.edges_of(desk.owner, [node.id], EdgeType.CHOSEN)
    children = desk.store.nodes.children(desk.owner, node.id)
    options = sorted((child for child in children if child.type is NodeType.OPTION), key=age_and_place)
    by_id = {option.id: option for option in options}
    chosen = next((edge for edge in edges if edge.from_id == node.id and edge.to_id in by_id), None)
    if chosen is None:
        return Decision(node, options)
    return Decision(node, options, by_id[chosen.to_id], chosen.label)


def log_decision(
    desk: Desk,
    title: str,
    *,
    description: str = "",
    parent: str | None = None,
    options: Iterable[str | NewOption] = (),
) -> Decision:
    """Write down that there is something to decide, and the options there are."""
    name, drafts = title_of(title), _drafts(options)
    whole = desk.node(parent, *_WHOLES) if parent else None
    with desk.writing(whole.project if whole else None) as write:
        decision = _new(desk, NodeType.DECISION, name, description)
        change = _with_options(desk, decision["id"], drafts)
        change["nodes"].insert(0, decision)
        if whole:
            change["edges"].insert(0, edge_record(EdgeType.CONTAINS, whole.id, decision["id"]))
        about = _work_of(desk, whole) if whole else decision["id"]
        write(EventType.OPEN, _told(name, description), node=about, change=change)
        return decision_of(desk, decision["id"])


def add_option(desk: Desk, decision: str, option: str | NewOption) -> Decision:
    """Add one more option to a decision that is not made yet."""
    drafts = _drafts([option])
    with desk.writing(desk.node(decision).project) as write:
        known = _undecided(desk, decision)
        _refuse_twins([*(each.title for each in known.options), drafts[0].title])
        newest_ms = max((each.created_ms for each in known.options), default=0)
        change = _with_options(desk, known.node.id, drafts, behind_ms=newest_ms)
        text = f"{known.node.title}: {_told(drafts[0].title, drafts[0].description)}"
        write(EventType.OPEN, text, node=_work_of(desk, known.node), change=change)
        return decision_of(desk, known.node.id)


def choose_option(
    desk: Desk, decision: str, option: str, rationale: str = "", *, rejected_because: Mapping[str, str] | None = None
) -> Decision:
    """Choose one option, by id or title; those still undecided are rejected with it.

    `rejected_because` may say why, by id or title.  A decision is made once: BadChange for a second choice.
    """
    why = words_of(rationale, "rationale")
    with desk.writing(desk.node(decision).project) as write:
        known = _undecided(desk, decision)
        chosen = _option_of(known, option)
        reasons = {
            _option_of(known, name).id: words_of(text, "reason") for name, text in (rejected_because or {}).items()
        }
        settings = {known.node.id: {"status": str(_S.DECIDED)}, chosen.id: {"status": str(_S.CHOSEN)}}
        edges = [edge_record(EdgeType.CHOSEN, known.node.id, chosen.id, why)]
        for other in known.options:
            if other.id != chosen.id and other.status in _UNDECIDED:
                settings[other.id] = {"status": str(_S.REJECTED)}
                edges.append(
                    edge_record(EdgeType.REJECTED, known.node.id, other.id, reasons.get(other.id) or NOT_CHOSEN)
                )
        text = f"{known.node.title}: {chosen.title}" + (f". {why}" if why else "")
        write(EventType.DECISION, text, node=_work_of(desk, known.node), change={"set": settings, "edges": edges})
        return decision_of(desk, known.node.id)


def reject_option(desk: Desk, option: str, reason: str = "") -> Node:
    """Reject one option and say why; the decision stays open."""
    why = words_of(reason, "reason")
    found = desk.node(option, NodeType.OPTION)
    with desk.writing(found.project) as write:
        node = desk.node(found.id)
        if not node.parent:
            raise BadChange(f"{node.id} is an option of no decision, so nothing rejects it; move it to its decision.")
        decision = desk.node(node.parent, NodeType.DECISION)
        if node.status not in _UNDECIDED:
            raise BadChange(f"{node.id} is {node.status} already; revisit the decision's outcome to decide anew.")
        change = {
            "set": {node.id: {"status": str(_S.REJECTED)}},
            "edges": [edge_record(EdgeType.REJECTED, decision.id, node.id, why)],
        }
        text = f"{decision.title}: {node.title}" + (f". {why}" if why else "")
        write(EventType.REJECTION, text, node=_work_of(desk, decision), change=change)
        return desk.node(node.id)


def record_outcome(desk: Desk, parent: str, title: str, *, success: bool, description: str = "") -> Node:
    """Write down what came of a task, a decision or an option, and whether it was what was wanted."""
    name = title_of(title)
    source = desk.node(parent)
    with desk.writing(source.project) as write:
        node = _new(desk, NodeType.OUTCOME, name, description)
        node |= {"metadata": {"success": "true" if success else "false"}, "completed_ms": desk.clock.now_ms()}
        edges = [*_placed(source, node["id"]), edge_record(EdgeType.LEADS_TO, source.id, node["id"])]
        text = f"{'Worked' if success else 'Did not work'}: {_told(name, description)}"
        write(EventType.EVIDENCE, text, node=_work_of(desk, source), change={"nodes": [node], "edges": edges})
        return desk.node(node["id"])


def record_observation(desk: Desk, title: str, *, about: str | None = None, description: str = "") -> Node:
    """Write down something learned, and what it says something about."""
    name = title_of(title)
    subject = desk.node(about) if about else None
    with desk.writing(subject.project if subject else None) as write:
        node = _new(desk, NodeType.OBSERVATION, name, description)
        change: Record = {"nodes": [node]}
        if subject:
            change["edges"] = [*_placed(subject, node["id"]), edge_record(EdgeType.INFORMS, node["id"], subject.id)]
        belongs = _work_of(desk, subject) if subject else node["id"]
        write(EventType.FINDING, _told(name, description), node=belongs, change=change)
        return desk.node(node["id"])


def revisit(
    desk: Desk,
    outcome: str,
    reason: str,
    *,
    new_decision: str | None = None,
    options: Iterable[str | NewOption] = (),
) -> Revisited:
    """Decide anew after an outcome: the old decision is superseded, and the new one, if named, takes its place."""
    why, drafts = words_of(reason, "reason"), _drafts(options)
    if not why:
        raise BadInput("Say why the decision is looked at again.")
    if drafts and not new_decision:
        raise BadInput("Options belong to a decision; name the new one as well.")
    source = desk.node(outcome, NodeType.OUTCOME)
    with desk.writing(source.project) as write:
        old = _decision_behind(desk, source)
        _refuse_if_superseded(desk, old)
        change = _new_look(desk, source, old, why, new_decision, drafts)
        made = [node["id"] for node in change["nodes"] if node["type"] in (NodeType.REVISIT, NodeType.DECISION)]
        text = f"{old.title if old else source.title}: {why}"
        replaced = _choice_event(desk, old) if old else None
        kind = EventType.SUPERSEDE if old else EventType.REDIRECT
        write(kind, text, node=_work_of(desk, old or source), change=change, supersedes=replaced, is_verb=True)
        new = decision_of(desk, made[1]) if new_decision else None
        return Revisited(desk.node(made[0]), desk.node(old.id) if old else None, new)


def _new_look(
    desk: Desk, outcome: Node, old: Node | None, why: str, new_decision: str | None, drafts: Sequence[NewOption]
) -> Record:
    subject = old or outcome
    node = _new(desk, NodeType.REVISIT, headline_of(f"Revisit: {subject.title}"), why)
    change: Record = {"nodes": [node], "edges": [edge_record(EdgeType.LEADS_TO, outcome.id, node["id"])]}
    whole = subject.parent
    if whole:
        change["edges"].append(edge_record(EdgeType.CONTAINS, whole, node["id"]))
    successor = node["id"]
    if new_decision:
        node |= {"status": str(_S.COMPLETED), "completed_ms": desk.clock.now_ms()}  # it has led to its decision
        decision = _new(desk, NodeType.DECISION, title_of(new_decision), why)
        successor = decision["id"]
        with_options = _with_options(desk, successor, drafts)
        change["nodes"] += [decision, *with_options["nodes"]]
        change["edges"] += [edge_record(EdgeType.LEADS_TO, node["id"], successor), *with_options["edges"]]
        if whole:
            change["edges"].append(edge_record(EdgeType.CONTAINS, whole, successor))
    if old:
        change["set"] = {old.id: {"status": str(_S.SUPERSEDED)}}
        change["edges"].append(edge_record(EdgeType.SUPERSEDES, successor, old.id))
    return change


def _refuse_if_superseded(desk: Desk, old: Node | None) -> None:
    if old is None or old.status is not _S.SUPERSEDED:
        return
    edges = desk.store.nodes.edges_of(desk.owner, [old.id], EdgeType.SUPERSEDES)
    by = ", ".join(edge.from_id for edge in edges if edge.to_id == old.id)
    raise BadChange(f"{old.id} is superseded already{f' by {by}' if by else ''}; revisit what came of that.")


def _decision_behind(desk: Desk, outcome: Node) -> Node | None:
    """The decision that led to an outcome: directly, by its option, or by the work that it led to."""
    nodes, seen, pending = desk.store.nodes, {outcome.id}, [outcome]
    while pending and len(seen) < _MOST_STEPS:
        node = pending.pop(0)
        if node.type is NodeType.DECISION:
            return node
        edges = nodes.edges_of(desk.owner, [node.id], EdgeType.LEADS_TO)
        before = [edge.from_id for edge in edges if edge.to_id == node.id]
        if node.parent and node.type is not NodeType.OUTCOME:
            before.append(node.parent)
        fresh = [name for name in before if name not in seen]
        seen.update(fresh)
        known = nodes.by_id(desk.owner, fresh)
        pending += [known[name] for name in fresh if name in known]
    return None


def _choice_event(desk: Desk, decision: Node) -> str:
    """The event that the decision was made by, so that it counts as superseded too; else the decision's own id."""
    for entry in desk.entries(_work_of(desk, decision), [EventType.DECISION]):
        if entry.event.change.get("set", {}).get(decision.id, {}).get("status") == _S.DECIDED:
            return entry.event.id
    return decision.id


def _undecided(desk: Desk, name: str) -> Decision:
    known = decision_of(desk, name)
    if known.node.status not in _UNDECIDED:
        chosen = f" for {known.chosen.id} {known.chosen.title}" if known.chosen else ""
        raise BadChange(
            f"{known.node.id} is {known.node.status}{chosen}; to decide anew, record what came of it "
            "and revisit that, or log a new decision."
        )
    return known


def _option_of(decision: Decision, name: str) -> Node:
    wanted = name.strip()
    found = [each for each in decision.options if each.id == wanted or each.title.casefold() == wanted.casefold()]
    found = found or [each for each in decision.options if wanted and each.id.startswith(wanted)]
    if len(found) != 1:
        there_are = ", ".join(f"{each.id} {each.title}" for each in decision.options) or "none yet"
        raise BadChange(f"{name[:80]!r} is no option of {decision.node.id}; its options are: {there_are}.")
    return found[0]


def _drafts(options: Iterable[str | NewOption]) -> list[NewOption]:
    drafts = [NewOption(option) if isinstance(option, str) else option for option in options]
    drafts = [draft._replace(title=title_of(draft.title)) for draft in drafts]
    _refuse_twins([draft.title for draft in drafts])
    return drafts


def _refuse_twins(titles: Sequence[str]) -> None:
    folded = [title.casefold() for title in titles]
    if twin := next((title for title in titles if folded.count(title.casefold()) > 1), None):
        raise BadInput(f"There are two options named {twin!r}; give them different titles.")


def _with_options(desk: Desk, decision: str, drafts: Sequence[NewOption], behind_ms: int = 0) -> Record:
    """The options and their edges, each a millisecond younger than the one before, so that they keep their order."""
    change: Record = {"nodes": [], "edges": []}
    before_ms = max(desk.clock.now_ms(), behind_ms)
    for place, draft in enumerate(drafts, 1):
        node = _new(desk, NodeType.OPTION, draft.title, draft.description)
        node["created_ms"] = before_ms + place
        both = (("pros", draft.pros), ("cons", draft.cons))
        if metadata := {key: words for key, text in both if (words := words_of(text, key))}:
            node["metadata"] = metadata
        change["nodes"].append(node)
        change["edges"].append(edge_record(EdgeType.CONTAINS, decision, node["id"]))
        change["edges"].append(edge_record(EdgeType.LEADS_TO, decision, node["id"]))
    return change


def _new(desk: Desk, kind: NodeType, title: str, description: str) -> Record:
    node = {"id": desk.new_id(kind), "type": str(kind), "title": title, "status": str(FIRST_STATUS[kind])}
    words = words_of(description, "description")
    return {**node, "description": words} if words else node


def _placed(beside: Node, new: str) -> list[Record]:
    """The edge by which a new node becomes part of the work: of what it is about, or of what that is part of."""
    whole = beside.id if beside.type in _WHOLES else beside.parent
    return [edge_record(EdgeType.CONTAINS, whole, new)] if whole else []


def _work_of(desk: Desk, node: Node) -> str:
    """The nearest task or goal that the node is, or is part of; without one the node itself."""
    work = (NodeType.TASK, NodeType.GOAL)
    return next((above.id for above in desk.upwards(node.id) if above.type in work), node.id)


def _told(title: str, description: str) -> str:
    return f"{title}\n\n{description.strip()}" if description.strip() else title
