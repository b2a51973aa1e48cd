"""The alternatives of a decision: read as they are given, and what becomes of them in the graph.

A decision with alternatives is a decision node, part of the task it was taken in, and a node for each option: chosen
or rejected with the reason as the edge's label, or, while nothing is chosen, open.  The ids are made when the decision
is written down, and kept in its event, so a decision that is only suggested has its nodes' ids before it has nodes.
"""

from collections.abc import Mapping, Sequence
from typing import Any, NamedTuple

from noctuary.authored import Entry
from noctuary.errors import BadInput
from noctuary.graph import EdgeType, Node, NodeStatus, NodeType
from noctuary.work import event_meta
from noctuary.work.changes import edge_record
from noctuary.work.desk import Desk
from noctuary.work.rules import ENDS
from noctuary.work.wording import headline_of, title_of, words_of

_KEYS = frozenset({"option", "chosen", "rationale"})
_MOST_OPTIONS = 50


class Alternative(NamedTuple):
    """One way to go, whether it was taken, and why or why not."""

    option: str
    chosen: bool = False
    rationale: str = ""


def read_alternatives(given: Sequence[Alternative | Mapping[str, object]]) -> list[Alternative]:
    """The alternatives, whether given as such or as records; BadInput unless they are different and one at most chosen.

    A record is {"option": …, "chosen": true|false, "rationale": …}; only the option is needed.
    """
    if len(given) > _MOST_OPTIONS:
        raise BadInput(f"{len(given)} alternatives are too many; {_MOST_OPTIONS} are the most.")
    read = [_read(one) for one in given]
    chosen = [one.option for one in read if one.chosen]
    if len(chosen) > 1:
        raise BadInput(f"Only one alternative can be chosen, not {len(chosen)}: {'; '.join(chosen)}.")
    names = [one.option.casefold() for one in read]
    if twice := next((one.option for one in read if names.count(one.option.casefold()) > 1), None):
        raise BadInput(f"The alternative {twice!r} is there twice.")
    return read


def _read(given: Alternative | Mapping[str, object]) -> Alternative:
    record: object = given._asdict() if isinstance(given, Alternative) else given
    if not isinstance(record, Mapping) or not _KEYS.issuperset(record):
        raise BadInput(f'An alternative is {{"option": …, "chosen": …, "rationale": …}}, not {str(given)[:80]}.')
    option, chosen = record.get("option"), record.get("chosen") or False
    rationale = record.get("rationale") or ""
    if not isinstance(option, str) or not isinstance(chosen, bool) or not isinstance(rationale, str):
        raise BadInput(f"Of an alternative, option and rationale are words and chosen is yes or no: {str(given)[:80]}.")
    return Alternative(title_of(option), chosen, words_of(rationale, "rationale"))


def plan(desk: Desk, alternatives: Sequence[Alternative]) -> dict[str, Any]:
    """What the event of a decision keeps: its alternatives, and the ids of the nodes that stand for them."""
    if not alternatives:
        return {}
    options = [{**one._asdict(), "id": desk.new_id(NodeType.OPTION)} for one in alternatives]
    return {"decision": desk.new_id(NodeType.DECISION), "alternatives": options}


def decision_change(text: str, planned: Mapping[str, Any], parent: Node | None) -> dict[str, Any]:
    """What makes the nodes of a planned decision, below its parent; nothing without a plan."""
    told = event_meta.planned_decision(planned)
    if told is None:
        return {}
    decision, options = told
    is_decided = any(option.chosen for option in options)
    status = str(NodeStatus.ACTIVE)
    nodes: list[dict[str, Any]] = [{"id": decision, "type": str(NodeType.DECISION), "status": status, **worded(text)}]
    edges: list[dict[str, Any]] = []
    settled: dict[str, dict[str, str]] = {}  # set after they are made, for statuses bring their times with them
    if parent is not None and parent.type in ENDS[EdgeType.CONTAINS][0]:
        edges.append(edge_record(EdgeType.CONTAINS, parent.id, decision))
    if is_decided:
        settled[decision] = {"status": str(NodeStatus.DECIDED)}
    for place, option in enumerate(options):
        node = {"id": option.id, "type": str(NodeType.OPTION), "title": title_of(option.option), "status": status}
        nodes.append({**node, "description": option.rationale, "metadata": {"place": str(place)}})
        edges += [edge_record(kind, decision, option.id) for kind in (EdgeType.CONTAINS, EdgeType.LEADS_TO)]
        if is_decided:
            kind = EdgeType.CHOSEN if option.chosen else EdgeType.REJECTED
            edges.append(edge_record(kind, decision, option.id, option.rationale))
            settled[option.id] = {"status": str(kind)}  # it is called as the edge is
    return {"nodes": nodes, "edges": edges, **({"set": settled} if settled else {})}


def worded(text: str) -> dict[str, str]:
    """Title and description of a decision whose words these are."""
    title = headline_of(text)
    return {"title": title, "description": text if title != text else ""}


def age_and_place(option: Node) -> tuple[int, int, str]:
    """What options are sorted by: those that were noted with a decision are of the same age and know their place."""
    place = option.metadata.get("place", "")
    return option.created_ms, int(place) if place.isdecimal() else 0, option.id


def decision_of(desk: Desk, entry: Entry) -> Node | None:
    """The node that stands for a decision's event; None if there is none, or none yet."""
    name = decision_name(entry)
    return desk.store.nodes.find(desk.owner, name) if name else None


def decision_name(entry: Entry) -> str | None:
    """The id of the node that stands, or is to stand, for a decision's event, or that the event decided."""
    meta, change = entry.event.meta, entry.event.change
    chosen = [edge["from"] for edge in change.get("edges", ()) if edge["type"] == EdgeType.CHOSEN]
    return next((name for name in (event_meta.decision(meta), event_meta.decided(meta), *chosen) if name), None)


def made_by(entry: Entry) -> list[str]:
    """The ids of the nodes that an event made, or stands for since it was corrected; the most important first."""
    meta = entry.event.meta
    options = [option.id for option in event_meta.alternatives(meta)]
    opened = event_meta.opens(meta)
    names = [event_meta.decision(meta), *options, *event_meta.made(meta), opened.id if opened else None, *_made(entry)]
    return list(dict.fromkeys(name for name in names if name))


def kept_meta(entry: Entry) -> dict[str, Any]:
    """What a correction keeps of the event it stands for: which nodes are its."""
    meta = dict(entry.event.meta)
    if event_meta.decision(meta) is None:
        if made := _made(entry):
            meta["made"] = made
        if decided := decision_name(entry):
            meta["decided"] = decided
    return meta


def _made(entry: Entry) -> list[str]:
    return [node["id"] for node in entry.event.change.get("nodes", ())]
