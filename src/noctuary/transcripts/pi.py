"""Pi and Oh-My-Pi: `sessions/<folder>/<time>_<session>.jsonl` below the folder of the agent.

A session of Oh-My-Pi has a folder of its name beside it, with the sessions of its sub-agents.  Pi in Rust may keep a
session as `<time>_<session>.sqlite`: see `pi_database`.
"""

from collections.abc import Iterator, Mapping
from pathlib import Path

from noctuary.records import Relation
from noctuary.transcripts.finding import at_home, entries, is_file, those_at
from noctuary.transcripts.foreign_sqlite import beside, is_sqlite
from noctuary.transcripts.items import Item, Place, Source
from noctuary.transcripts.jsonl import read_items
from noctuary.transcripts.locations import chosen, each_once
from noctuary.transcripts.pi_database import read_database
from noctuary.transcripts.pi_reader import PiReader, session_in
from noctuary.transcripts.speech import sort_turn

_FOLDERS = ("PI_CODING_AGENT_SESSION_DIR", "PI_SESSIONS_DIR")
_DATABASE = ".sqlite"
DEEPEST = 5  # sub-agents of sub-agents


class Pi:
    """The adapter."""

    name = "pi"
    globally_unique = False

    def find(self, home: Path, environ: Mapping[str, str]) -> Iterator[Source]:
        """Every session of both, parents before their sub-agents."""
        named = [at_home(home, value) for name in _FOLDERS if (value := environ.get(name, "").strip())]
        pi = chosen(home, environ, "PI_CODING_AGENT_DIR", ".pi/agent")
        for root in each_once([*named, pi / "sessions", home / ".omp" / "agent" / "sessions"]):
            inside = entries(root)
            yield from self._in(inside)
            for folder in inside:
                if not is_file(folder.with_name(f"{folder.name}.jsonl")):
                    yield from self._in(entries(folder))

    def find_at(self, path: Path, home: Path, environ: Mapping[str, str]) -> Iterator[Source]:
        """The session at this path, if it lies where `find` looks."""
        return those_at(path, self.find(home, environ))

    def read(self, source: Source, place: Place) -> Iterator[Item]:
        """Yield what the session says from the place on; OSError if it cannot be read to its end."""
        if source.path.suffix == _DATABASE:
            return read_database(source, place)
        return read_items(source.path, place, PiReader(source, place.state, sort_turn))

    def _in(self, paths: list[Path], parent: str = "", depth: int = 0) -> Iterator[Source]:
        for path in paths:
            if path.suffix == _DATABASE and not parent and is_sqlite(path):
                yield Source(adapter=self.name, path=path, session="", is_log=False, beside=beside(path))
            if path.suffix != ".jsonl" or not is_file(path):
                continue
            session = f"{parent}:{path.stem}" if parent else session_in(path.name)
            relation = Relation.SUBAGENT if parent else None
            yield Source(adapter=self.name, path=path, session=session, parent=parent or None, relation=relation)
            if depth < DEEPEST:
                yield from self._in(entries(path.with_suffix("")), session, depth + 1)
