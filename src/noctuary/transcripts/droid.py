"""Factory Droid: `sessions/<folder>/<session>.jsonl` below `.factory`, with `<session>.settings.json` beside it."""

from collections.abc import Iterator, Mapping
from pathlib import Path

from noctuary.transcripts.droid_reader import DroidReader
from noctuary.transcripts.finding import at_home, below, is_file, real_path, those_at
from noctuary.transcripts.items import Item, Place, Source
from noctuary.transcripts.jsonl import read_items
from noctuary.transcripts.locations import each_once

_FOLDERS = ("sessions", "projects")


class Droid:
    """The adapter."""

    name = "droid"
    globally_unique = False

    def find(self, home: Path, environ: Mapping[str, str]) -> Iterator[Source]:
        """Every session, in whichever folder it was begun."""
        seen: set[Path] = set()
        for root in _roots(home, environ):
            for name in _FOLDERS:
                for path in below(root / name, ".jsonl"):
                    if (real := real_path(path)) in seen or not is_file(path):
                        continue
                    seen.add(real)
                    beside = (path.with_suffix(".settings.json"),)
                    yield Source(adapter=self.name, path=path, session=path.stem, beside=beside)

    def find_at(self, path: Path, home: Path, environ: Mapping[str, str]) -> Iterator[Source]:
        """The session at this path, if it lies where `find` looks."""
        return those_at(path, self.find(home, environ))

    def read(self, source: Source, place: Place) -> Iterator[Item]:
        """Yield what the session says from the place on; OSError if it cannot be read to its end."""
        return read_items(source.path, place, DroidReader(source, place.state))


def _roots(home: Path, environ: Mapping[str, str]) -> list[Path]:
    """Droid is told which folder to take for the home folder; some programs mean that of Droid itself."""
    configured = environ.get("FACTORY_HOME_OVERRIDE", "").strip()
    if not configured:
        return [home / ".factory"]
    chosen = at_home(home, configured)
    return each_once([chosen / ".factory", chosen])
