"""What was odd in a transcript: records that could not be used, types and fields that were new.

Formats of agents change without notice, and what is new in one is the first sign of it.  Only names, numbers, times
and lines are kept, never contents; of a transcript so many names at most, and the rest together.  Times are those of
the transcript, so that the same transcripts give the same report whenever they are imported.
"""

import json
from dataclasses import dataclass, field
from enum import Enum, auto
from typing import TYPE_CHECKING, NamedTuple

from noctuary.lazily import lazy_module
from noctuary.store.places import SavedPlace
from noctuary.text import clean
from noctuary.transcripts.items import NewField, Skipped

if TYPE_CHECKING:
    from noctuary import redact
else:
    redact = lazy_module("noctuary.redact")  # a hundred patterns to compile, and most imports find nothing new

MOST_NAMES = 40  # of types, and as many of fields, in one transcript
LONGEST_NAME = 80
OTHERS = "…"  # all names beyond these
TYPES, FIELDS = "types", "fields"


class Oddity(NamedTuple):
    """How often something new was seen, when the transcripts were written that have it, and where it stood first."""

    times: int
    first_ms: int
    last_ms: int
    line: int


Names = dict[str, Oddity]


class Way(Enum):
    """How what is read now belongs to what was read before."""

    ON = auto()  # a log that goes on where it stopped: both count
    ANEW = auto()  # a document, or a log that was rewritten: all that it has is told again
    PARTLY = auto()  # a database, of which only what has changed is read: the greater number is the nearer one

    def joined(self, before: int, now: int) -> int:
        """How many there are."""
        return {Way.ON: before + now, Way.ANEW: now, Way.PARTLY: max(before, now)}[self]


@dataclass(slots=True)
class Tally:
    """What was odd in a transcript since reading began."""

    at_ms: int  # when the transcript was last written to
    malformed: int = 0
    types: Names = field(default_factory=dict)
    fields: Names = field(default_factory=dict)

    def skip(self, item: Skipped) -> None:
        """Note a record that was left out."""
        if item.unknown:
            self._note(self.types, item.unknown, item.line)
        else:
            self.malformed += 1

    def notice(self, item: NewField) -> None:
        """Note a field of a record that was used."""
        self._note(self.fields, item.name, item.line)

    def malformed_in_all(self, before: SavedPlace | None, way: Way) -> int:
        """Records that could not be used, with those of before."""
        return way.joined(before.malformed if before else 0, self.malformed)

    def drift(self, before: SavedPlace | None, way: Way) -> str:
        """Types and fields as JSON, with those of before."""
        known = drift_in(before.drift) if before else {}
        now = {TYPES: _plain(self.types), FIELDS: _plain(self.fields)}
        every = {kind: _joined(known.get(kind, {}), names, way) for kind, names in now.items()}
        return json.dumps({kind: names for kind, names in every.items() if names}, ensure_ascii=False)

    def _note(self, names: Names, name: str, line: int) -> None:
        key = name[:LONGEST_NAME]
        if key not in names and len(names) >= MOST_NAMES:
            key = OTHERS
        known = names.get(key) or Oddity(0, self.at_ms, self.at_ms, line)
        names[key] = known._replace(times=known.times + 1)


def drift_in(saved: str) -> dict[str, Names]:
    """Types and fields that were saved; none if it is not what was."""
    try:
        found = json.loads(saved)
        return {
            kind: {name: Oddity(*map(int, one)) for name, one in found.get(kind, {}).items()}
            for kind in (TYPES, FIELDS)
        }
    except (ValueError, TypeError, AttributeError):
        return {}


def _joined(before: Names, now: Names, way: Way) -> Names:
    every: Names = {}
    for name in (*before, *(name for name in now if name not in before)):
        old, new = before.get(name), now.get(name)
        if new is None and way is Way.ANEW:
            continue
        key = name if len(every) < MOST_NAMES else OTHERS
        there = _one(old, new, way)
        every[key] = _one(every.get(key), there, Way.ON)
    return every


def _one(old: Oddity | None, new: Oddity | None, way: Way) -> Oddity:
    if old is None or new is None:
        known = old or new
        return known or Oddity(0, 0, 0, 0)
    times = way.joined(old.times, new.times)
    line = new.line if way is Way.ANEW else old.line
    return Oddity(times, min(old.first_ms, new.first_ms), max(old.last_ms, new.last_ms), line)


def _plain(names: Names) -> Names:
    """The names without secrets, and without what no line can hold."""
    plain: Names = {}
    for name, oddity in names.items():
        key = " ".join(redact.redact(clean(name)).split()) or "?"
        plain[key] = _one(plain.get(key), oddity, Way.ON)
    return plain
