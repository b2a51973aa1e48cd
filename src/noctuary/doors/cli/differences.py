"""What is different between a file of a goal and the memory, and what an import does about it."""

from collections.abc import Iterator, Mapping, Sequence
from typing import Any

from noctuary.doors.cli.memory_options import command_line
from noctuary.doors.cli.paint import bold, clipped, coloured, dim, one_line
from noctuary.doors.cli.words import counted
from noctuary.work.interchange.differing import Diff
from noctuary.work.interchange.importing import Difference, Plan

_LONGEST = 60  # columns of a value
_INDENT = "  "
Ends = tuple[str, str, str]


def plan_told(plan: Plan, file: str, *, dry_run: bool) -> Iterator[str]:
    """What an import did, or would do."""
    named = f"{one_line(plan.goal)}  {one_line(plan.title)}"
    if not plan.changes_anything:
        conflicts = f", {counted(len(plan.conflicts), 'conflict')}" if plan.conflicts else ""
        yield bold(f"{named}: nothing to change{conflicts}")
    else:
        yield bold(f"{named}: {'would be imported' if dry_run else 'imported'}, {_amount(plan)}")
    titles = _titles(plan.change)
    yield from (coloured(f"{_INDENT}+ {one_line(name)}  {titles.get(name, '')}", "green") for name in plan.added_nodes)
    yield from (coloured(f"{_INDENT}+ {_edge(ends)}", "green") for ends in plan.added_edges)
    yield from (f"{_INDENT}> {_difference(each)}" for each in plan.moved)
    yield from (f"{_INDENT}~ {_difference(each)}" for each in plan.changed)
    yield from (dim(f"{_INDENT}= {_both(each)}; kept as it is here") for each in plan.kept)
    yield from (coloured(f"{_INDENT}! {_both(each)}", "red") for each in plan.conflicts)
    yield from (dim(f"{_INDENT}? {_edge(ends)}: not known here yet") for ends in plan.waiting)
    if plan.conflicts:
        yield "Both sides changed what is marked with !, so it stays as it is here."
        yield f"Decide with --theirs or --ours: {command_line('graph', 'import', one_line(file))} --theirs"
    if dry_run and plan.changes_anything:
        yield "Nothing was changed: this was a dry run."


def diff_told(found: Diff) -> Iterator[str]:
    """What is different, seen from here."""
    same = f"{counted(found.unchanged_nodes, 'node')} and {counted(found.unchanged_edges, 'edge')} are the same"
    if found.is_empty:
        yield f"No difference: {same}."
        return
    titles = {name: clipped(one_line(title), _LONGEST) for name, title in found.titles.items()}
    yield from (coloured(f"{_INDENT}+ {one_line(name)}  {titles[name]}", "green") for name in found.added_nodes)
    yield from (coloured(f"{_INDENT}- {one_line(name)}  {titles[name]}", "red") for name in found.removed_nodes)
    yield from (f"{_INDENT}~ {_difference(each)}" for each in found.changed)
    yield from (coloured(f"{_INDENT}+ {_edge(ends)}", "green") for ends in found.added_edges)
    yield from (coloured(f"{_INDENT}- {_edge(ends)}", "red") for ends in found.removed_edges)
    yield dim(f"+ only in the file, - only here, ~ here → in the file; {same}.")


def _amount(plan: Plan) -> str:
    counts = (
        (len(plan.added_nodes), "new node"),
        (len(plan.added_edges), "new edge"),
        (len(plan.changed) + len(plan.moved), "changed field"),
    )
    return ", ".join(counted(number, what) for number, what in counts if number)


def _titles(change: Mapping[str, Any]) -> dict[str, str]:
    return {node["id"]: clipped(one_line(node["title"]), _LONGEST) for node in change.get("nodes", ())}


def _difference(each: Difference) -> str:
    return f"{one_line(each.name)}  {one_line(each.field)}: {_value(each.here)} → {_value(each.in_file)}"


def _both(each: Difference) -> str:
    return (
        f"{one_line(each.name)}  {one_line(each.field)}: here {_value(each.here)}, in the file {_value(each.in_file)}"
    )


def _value(value: str | Sequence[str] | None) -> str:
    if not value:
        return "(nothing)"
    return clipped(one_line(value if isinstance(value, str) else ", ".join(value)), _LONGEST)


def _edge(ends: Ends) -> str:
    kind, start, end = map(one_line, ends)
    return f"{start} {kind} {end}"
