"""GitHub Copilot CLI: `session-state/<session>/events.jsonl` in its folder.

From 0.0.342 to 0.0.377 it was `session-state/<session>.jsonl`, before that a document in `history-session-state`.
"""

import re
from collections.abc import Iterator, Mapping
from pathlib import Path

from noctuary.records import TitleSource
from noctuary.transcripts.copilot_events import EventReader
from noctuary.transcripts.copilot_history import talk_in
from noctuary.transcripts.documents import load_document, read_document
from noctuary.transcripts.finding import at_home, entries, is_file, open_file, those_at
from noctuary.transcripts.items import Facts, Item, Place, Source
from noctuary.transcripts.jsonl import read_items

_NAMED = re.compile(r"session_(.+)_\d{10,}$")
_SIDECAR = "workspace.yaml"
_SIDECAR_BYTES = 16 * 1024


class CopilotCli:
    """The adapter."""

    name = "copilot-cli"
    globally_unique = True  # events are called by uuids

    def find(self, home: Path, environ: Mapping[str, str]) -> Iterator[Source]:
        """Every session, the newest form of it first."""
        for root in _roots(home, environ):
            logs: set[str] = set()
            for entry in entries(root / "session-state"):
                source = self._log_at(entry)
                if source is not None and source.session not in logs:
                    logs.add(source.session)
                    yield source
            for path in entries(root / "history-session-state"):
                session = session_in_stem(path.stem)
                if path.suffix == ".json" and is_file(path) and session not in logs:
                    yield Source(adapter=self.name, path=path, session=session, is_log=False)

    def _log_at(self, entry: Path) -> Source | None:
        if entry.suffix == ".jsonl" and is_file(entry):
            # A newer version moved it into a folder, where it goes on.
            is_moved = is_file(entry.with_suffix("") / "events.jsonl")
            return None if is_moved else Source(adapter=self.name, path=entry, session=entry.stem)
        events = entry / "events.jsonl"
        if not is_file(events):
            return None
        return Source(adapter=self.name, path=events, session=entry.name, beside=(entry / _SIDECAR,))

    def find_at(self, path: Path, home: Path, environ: Mapping[str, str]) -> Iterator[Source]:
        """The session at this path, if it lies where `find` looks."""
        return those_at(path, self.find(home, environ))

    def read(self, source: Source, place: Place) -> Iterator[Item]:
        """Yield what the transcript says from the place on; OSError if it cannot be read to its end."""
        if not source.is_log:
            yield from read_document(place, lambda: talk_in(source, load_document(source.path)))
            return
        reader = EventReader(source, place.state)
        title = _summary_beside(source)
        if title and title != reader.title:
            reader.title = title
            yield Facts(session=source.session, title=title, title_source=TitleSource.SUMMARY)
        yield from read_items(source.path, place, reader)


def _roots(home: Path, environ: Mapping[str, str]) -> list[Path]:
    if configured := environ.get("COPILOT_HOME", "").strip():
        return [at_home(home, configured)]
    state = environ.get("XDG_STATE_HOME", "").strip()
    return [home / ".copilot", *([at_home(home, state) / ".copilot"] if state else [])]


def session_in_stem(stem: str) -> str:
    """The session in the name of a document; the time of its beginning follows it there."""
    found = _NAMED.match(stem)
    return found.group(1) if found else stem


def _summary_beside(source: Source) -> str:
    """What the session is about, as the file beside it says on one line."""
    for path in source.beside:
        try:
            with open_file(path) as file:
                lines = file.read(_SIDECAR_BYTES).decode("utf-8", "replace").splitlines()
        except OSError:
            continue
        for line in lines:
            if line.startswith("summary:"):
                said = line.removeprefix("summary:").strip().strip("\"'")
                return "" if said[:1] in ("|", ">") else " ".join(said.split())
    return ""
