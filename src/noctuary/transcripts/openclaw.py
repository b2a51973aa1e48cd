"""OpenClaw, once Clawdbot and Moltbot: `agents/<agent>/sessions/<session>.jsonl` below its folder.

The lines are those of Pi, which it is made of.  `sessions.json` beside them says what a session is called and which
other one had it made.  A session that was begun anew is kept under its name with `.reset.` and a time after it.
"""

from collections.abc import Iterator, Mapping
from pathlib import Path
from typing import Any

from noctuary.records import Relation
from noctuary.transcripts.documents import load_document
from noctuary.transcripts.drafts import Draft
from noctuary.transcripts.fields import text_of
from noctuary.transcripts.finding import at_home, entries, is_file, those_at
from noctuary.transcripts.items import Item, Place, Source
from noctuary.transcripts.jsonl import read_items
from noctuary.transcripts.locations import each_once
from noctuary.transcripts.pi_reader import PiReader
from noctuary.transcripts.speech import injected, sort_turn
from noctuary.transcripts.unchanged import while_unchanged

_VARIABLES = ("OPENCLAW_STATE_DIR", "CLAWDBOT_STATE_DIR")
_USUAL = (".openclaw", ".clawdbot", ".moltbot")
_TITLES = ("label", "displayName", "subject")
_LIST = "sessions.json"
_METADATA = " (untrusted metadata):\n```json\n"
# Turns that OpenClaw takes by itself.
_PROGRAM = (
    "A new session was started via /new or /reset",
    "Read HEARTBEAT.md if it exists",
    "Pre-compaction memory flush",
    "[cron:",
    "System: [",
)


class OpenClaw:
    """The adapter."""

    name = "openclaw"
    globally_unique = False

    def find(self, home: Path, environ: Mapping[str, str]) -> Iterator[Source]:
        """Every session of every agent."""
        named = [at_home(home, value) for name in _VARIABLES if (value := environ.get(name, "").strip())]
        for root in each_once([*named, *(home / name for name in _USUAL)]):
            for agent in entries(root / "agents"):
                yield from sessions_in(agent / "sessions")

    def find_at(self, path: Path, home: Path, environ: Mapping[str, str]) -> Iterator[Source]:
        """The session at this path, if it lies where `find` looks."""
        return those_at(path, self.find(home, environ))

    def read(self, source: Source, place: Place) -> Iterator[Item]:
        """Yield what the session says from the place on; OSError if it cannot be read to its end."""
        return read_items(source.path, place, PiReader(source, place.state, sort_message))


def sessions_in(folder: Path) -> Iterator[Source]:
    """The sessions in a folder of one agent."""
    paths = [path for path in entries(folder) if _is_session(path.name) and is_file(path)]
    listed = _listed(folder / _LIST) if paths else {}
    yield from (_source(path, listed) for path in paths)


def listed_at(path: Path) -> Source | None:
    """The session in a file that lies anywhere, if the list of OpenClaw that names it lies beside it."""
    listed = _listed(path.with_name(_LIST))
    source = _source(path, listed)
    return source if source.session in listed else None


def _is_session(name: str) -> bool:
    _, found, rest = name.partition(".jsonl")
    return bool(found) and (rest == "" or rest.startswith(".reset."))


def _source(path: Path, listed: dict[str, dict[str, Any]]) -> Source:
    session = path.name.partition(".jsonl")[0]
    about = listed.get(session, {})
    parent = text_of(about, "parent")
    return Source(
        adapter=OpenClaw.name,
        path=path,
        session=session,
        parent=parent or None,
        relation=Relation.SUBAGENT if parent else None,
        title=text_of(about, "title") or None,
    )


@while_unchanged
def _listed(path: Path) -> dict[str, dict[str, Any]]:
    """What is known about each session: its title, and the session that had it made."""
    try:
        store = load_document(path)
    except (OSError, ValueError):
        return {}  # a list that cannot be read costs the titles, not the sessions
    if type(store) is not dict:
        return {}
    by_key = {key: value for key, value in store.items() if type(value) is dict}
    known: dict[str, dict[str, Any]] = {}
    for value in by_key.values():
        title = next((text for name in _TITLES if (text := text_of(value, name).strip())), "")
        parent = text_of(by_key.get(text_of(value, "spawnedBy"), {}), "sessionId")
        if session := text_of(value, "sessionId"):
            known[session] = {"title": title, "parent": parent}
    return known


def sort_message(text: str) -> list[Draft]:
    """Split a turn into what a person sent and what OpenClaw put before it: who that was, and where."""
    stripped = text.strip()
    if stripped.startswith(_PROGRAM):
        return [injected(stripped)]
    rest = stripped
    while _METADATA in rest[:80]:
        end = rest.find("\n```", rest.index(_METADATA) + len(_METADATA))
        if end < 0:
            break
        rest = rest[end + 4 :].lstrip()
    if rest is stripped:
        return sort_turn(text)
    return [injected(stripped[: len(stripped) - len(rest)].strip()), *sort_turn(rest)]
