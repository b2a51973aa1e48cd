"""What was acknowledged, and whether it is there: once, where it was said to be.

A line is written when a verb has returned, so what a process was about to do when it ended is in nobody's list.  Every
text is used for one thing only; that is how one that is there twice is known.
"""

import json
from collections import defaultdict
from collections.abc import Iterable, Iterator
from pathlib import Path
from typing import IO, NamedTuple

MARK = "soak-"  # begins what makes a text unlike all others


class Thing(NamedTuple):
    """A message, an event or a node: by which name it is known, and what it says."""

    kind: str
    name: str  # an id; of a message its session and place; empty if nobody was told
    text: str


def message(session: str, place: int | None, text: str) -> Thing:
    """A message; an import tells nobody which place it has."""
    return Thing("message", f"{session} {place}" if place else "", text)


def event(event_id: str, text: str) -> Thing:
    """An entry of the journal."""
    return Thing("event", event_id, text)


def node(node_id: str, title: str) -> Thing:
    """A task, a decision …"""
    return Thing("node", node_id, title)


def write(file: IO[str], things: Iterable[Thing]) -> None:
    """Note what was acknowledged."""
    for thing in things:
        file.write(json.dumps(thing) + "\n")
    file.flush()


def read(folder: Path) -> list[Thing]:
    """All that anybody noted so far; a line that is being written was not noted yet."""
    lines = [line for file in sorted(folder.iterdir()) for line in file.read_text("utf-8").splitlines(keepends=True)]
    return [Thing(*json.loads(line)) for line in lines if line.endswith("\n")]


def faults(acknowledged: Iterable[Thing], kept: Iterable[Thing]) -> Iterator[str]:
    """What was acknowledged and is not there or is elsewhere, and what is there more than once."""
    names: dict[tuple[str, str], list[str]] = defaultdict(list)
    for thing in kept:
        names[thing.kind, thing.text].append(thing.name)
    for kind, name, text in acknowledged:
        there = names.get((kind, text), [])
        if not there:
            yield f"lost: {kind} {name} {text!r}"
        elif name and name not in there:
            yield f"elsewhere: {kind} {name} is {there[0]}: {text!r}"
    for (kind, text), there in names.items():
        if len(there) > 1:
            yield f"doubled: {kind} {', '.join(there)}: {text!r}"
