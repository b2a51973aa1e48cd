"""The agents of this machine: where they keep transcripts, what came of these, and what was new in them."""

import os
from collections.abc import Iterable, Iterator, Sequence
from pathlib import Path
from typing import NamedTuple

from noctuary.importing.files import printable
from noctuary.importing.run import discover
from noctuary.importing.tally import TYPES, Oddity, drift_in
from noctuary.settings import Settings
from noctuary.store import Store
from noctuary.store.places import PlaceCounts
from noctuary.transcripts.agents import adapters

MOST_FOLDERS = 20
# Folders of the system that hold those of many programs: two of an agent below one of these are two.
_SHARED = (".config", ".local", ".local/share", "Library", "Library/Application Support", "AppData", "AppData/Local",
           "AppData/Roaming")  # fmt: skip


class Drifted(NamedTuple):
    """A type of record, or a field of one, that was new to our adapter of an agent."""

    agent: str
    what: str  # type or field
    name: str
    times: int
    first_ms: int  # when the first of the transcripts that have it was last written to
    last_ms: int
    example: str  # file:line


class AgentSources(NamedTuple):
    """One agent that was ever seen on this machine."""

    agent: str
    folders: Sequence[str]
    sessions: int  # that are kept
    messages: int
    last_ms: int | None  # when something was last said
    transcripts: int  # that are there now
    read: int  # transcripts that were ever read
    parsed: int  # of those, the ones that told anything
    told: int  # messages, also those that a fork only repeats
    skipped: int  # records that could not be used
    unknown: int  # records of types that are not known
    new_fields: int  # fields that are not known, each time one was seen
    unparsed: Sequence[str]  # transcripts that told nothing, though there are records in them


class Sources(NamedTuple):
    """All agents that were ever seen, those that are known and were not, and what was new in their transcripts."""

    agents: Sequence[AgentSources]
    not_found: Sequence[str]
    drift: Sequence[Drifted]


def list_sources(store: Store, settings: Settings) -> Sources:
    """Look for the transcripts that are there, and count what was ever read."""
    found: dict[str, list[str]] = {}
    for source in discover(settings):
        found.setdefault(source.adapter, []).append(printable(source.path))
    read = places_by_agent(store, settings.owner, {path: agent for agent, paths in found.items() for path in paths})
    kept = {row[0]: row[1:] for row in store.database.fetch("sessions_by_agent", owner=settings.owner)}
    known = [adapter.name for adapter in adapters()]
    seen = [name for name in (*known, *sorted({*kept, *read} - {*known})) if name in found or name in read | kept]
    agents = []
    for name in seen:
        paths = [*found.get(name, ()), *(place.path for place in read.get(name, ()))]
        folders = folders_of(paths, settings.user_home)
        agents.append(_agent(name, folders, len(found.get(name, ())), read.get(name, ()), kept.get(name, (0, 0, None))))
    drift = [one for name in seen for one in _drift(name, read.get(name, ()))]
    return Sources(agents, [name for name in known if name not in seen], drift)


def places_by_agent(store: Store, owner: str, known: dict[str, str] | None = None) -> dict[str, list[PlaceCounts]]:
    """All transcripts ever read, by agent; whose they are may be known though it was not noted."""
    read: dict[str, list[PlaceCounts]] = {}
    for place in store.places.counts(owner):
        if agent := place.agent or (known or {}).get(place.path, ""):
            read.setdefault(agent, []).append(place)
    return read


def unparsed(places: Iterable[PlaceCounts]) -> list[str]:
    """The transcripts that told nothing, though there are records in them."""
    return [place.path for place in places if not place.told and (place.malformed or _number(place, TYPES))]


def folders_of(paths: Iterable[str], home: Path) -> list[str]:
    """The folders in which these files lie, as few as say where an agent keeps them."""
    shared = {*(home / name for name in _SHARED), home, *home.parents}
    return sorted({str(folder) for folder in _common({Path(path).parent for path in paths}, shared)})[:MOST_FOLDERS]


def _common(folders: set[Path], shared: set[Path]) -> Iterator[Path]:
    """What is common to the folders; where that is no agent's own, what is common to those of each folder in it."""
    if not folders:
        return
    try:
        common = Path(os.path.commonpath(folders))
    except ValueError:  # some have a root, some not: written down on another system
        yield from folders
        return
    if common not in shared or common in folders:
        yield common
        return
    below: dict[str, set[Path]] = {}
    for folder in folders:
        below.setdefault(folder.relative_to(common).parts[0], set()).add(folder)
    for inner in below.values():
        yield from _common(inner, shared)


def _agent(
    name: str,
    folders: Sequence[str],
    transcripts: int,
    places: Sequence[PlaceCounts],
    kept: tuple[int, int, int | None],
) -> AgentSources:
    sessions, messages, last_ms = kept
    return AgentSources(
        agent=name,
        folders=folders,
        sessions=sessions,
        messages=messages,
        last_ms=last_ms,
        transcripts=transcripts,
        read=len(places),
        parsed=sum(place.told > 0 for place in places),
        told=sum(place.told for place in places),
        skipped=sum(place.malformed for place in places),
        unknown=sum(_number(place, TYPES) for place in places),
        new_fields=sum(_number(place, "fields") for place in places),
        unparsed=unparsed(places),
    )


def _number(place: PlaceCounts, kind: str) -> int:
    return sum(one.times for one in drift_in(place.drift).get(kind, {}).values())


def _drift(agent: str, places: Sequence[PlaceCounts]) -> list[Drifted]:
    """What was new in the transcripts of an agent, the most frequent first; the example is in the newest of them."""
    every: dict[tuple[str, str], list[tuple[Oddity, str]]] = {}
    for place in places:
        for kind, names in drift_in(place.drift).items():
            for name, one in names.items():
                every.setdefault((kind, name), []).append((one, place.path))
    drifted = []
    for (kind, name), seen in every.items():
        newest, path = max(seen, key=lambda each: (each[0].last_ms, each[1]))
        first_ms = min(one.first_ms for one, _ in seen)
        times = sum(one.times for one, _ in seen)
        what = "type" if kind == TYPES else "field"
        drifted.append(Drifted(agent, what, name, times, first_ms, newest.last_ms, f"{path}:{newest.line}"))
    return sorted(drifted, key=lambda one: (one.what != "type", -one.times, one.name))
