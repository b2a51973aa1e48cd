"""Codex: `sessions/YYYY/MM/DD/rollout-<time>-<session>.jsonl` below its home folder.

Codex numbers nothing, so a message is known by what was said up to and including it.  A fork that repeats its
parent's beginning therefore repeats its uids too, and only a declared parent may be compared with.
"""

import re
from collections.abc import Iterator, Mapping, Sequence
from pathlib import Path
from typing import TYPE_CHECKING

from noctuary.lazily import lazy_module
from noctuary.transcripts.fields import text_of
from noctuary.transcripts.finding import at_home, below, entries, is_file, open_file, real_path, within
from noctuary.transcripts.items import Item, Place, Source
from noctuary.transcripts.unchanged import while_unchanged

if TYPE_CHECKING:
    from noctuary.transcripts import codex_legacy, codex_reader, jsonl
else:  # most imports find nothing new
    codex_legacy = lazy_module("noctuary.transcripts.codex_legacy")
    codex_reader = lazy_module("noctuary.transcripts.codex_reader")
    jsonl = lazy_module("noctuary.transcripts.jsonl")

_ENDINGS = (".jsonl", ".json")  # the first Codex wrote documents: see `codex_legacy`
_UUID = re.compile(r"[0-9a-fA-F]{8}(?:-[0-9a-fA-F]{4}){3}-[0-9a-fA-F]{12}$")


class Codex:
    """The adapter."""

    name = "codex"
    globally_unique = False

    def find(self, home: Path, environ: Mapping[str, str]) -> Iterator[Source]:
        """Every rollout below the home folder of Codex, archived ones included."""
        root = _root(home, environ)
        return self._each_once(root, (*below(root / "sessions", _ENDINGS), *entries(root / "archived_sessions")))

    def find_at(self, path: Path, home: Path, environ: Mapping[str, str]) -> Iterator[Source]:
        """The rollout at this path, if it lies where `find` looks."""
        root = _root(home, environ)
        way = within(root, path)
        is_kept = way is not None and (way.parts[:1] == ("sessions",) or way.parts[:-1] == ("archived_sessions",))
        return self._each_once(root, (root / way,) if way and is_kept else ())

    def _each_once(self, root: Path, paths: Sequence[Path]) -> Iterator[Source]:
        titles: dict[str, str] | None = None
        seen: set[Path] = set()
        for path in paths:
            real = real_path(path)
            is_log = path.suffix == ".jsonl"
            if not path.name.startswith("rollout-") or path.suffix not in _ENDINGS or real in seen or not is_file(real):
                continue
            seen.add(real)
            titles = _thread_names(root / "session_index.jsonl") if titles is None else titles
            session, is_log = session_in_name(path.stem), path.suffix == ".jsonl"
            yield Source(adapter=self.name, path=path, session=session, title=titles.get(session), is_log=is_log)

    def read(self, source: Source, place: Place) -> Iterator[Item]:
        """Yield what the transcript says from the place on; OSError if it cannot be read to its end."""
        if not source.is_log:
            return codex_legacy.read_legacy(source, place)
        return jsonl.read_items(source.path, place, codex_reader.CodexReader(source, place.state))


def _root(home: Path, environ: Mapping[str, str]) -> Path:
    configured = environ.get("CODEX_HOME", "").strip()
    return at_home(home, configured) if configured else home / ".codex"


def session_in_name(stem: str) -> str:
    """The session that a file is called after."""
    found = _UUID.search(stem)
    return found.group() if found else stem


@while_unchanged
def _thread_names(index: Path) -> dict[str, str]:
    """The names people gave to their threads; the last line for a thread counts."""
    names: dict[str, str] = {}
    try:
        with open_file(index) as file:
            for line in jsonl.read_lines(file, Place()):
                if line.record is not None and text_of(line.record, "id"):
                    names[text_of(line.record, "id")] = text_of(line.record, "thread_name").strip()
    except OSError:
        return {}  # an index that cannot be read costs the titles, not the transcripts
    return {session: name for session, name in names.items() if name}
