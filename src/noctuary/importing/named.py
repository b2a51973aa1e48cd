"""The transcripts that somebody names, by their paths or by their sessions.

Nothing is read because it is named: only what agents keep where we look for it can be meant.
"""

from collections.abc import Collection, Iterable, Sequence
from pathlib import Path

from noctuary.importing.files import Change, change_since, look, printable
from noctuary.importing.run import discover
from noctuary.records import Relation
from noctuary.settings import Settings
from noctuary.store import Store
from noctuary.transcripts.agents import adapters
from noctuary.transcripts.items import Source
from noctuary.transcripts.repositories import walked_once

Sources = Sequence[Source]


def find_named(settings: Settings, paths: Collection[str], sessions: Collection[str] = ()) -> list[Source]:
    """The transcripts with these paths, and of these sessions, each with those of its sub-agents; each once.

    A path may be any text; one that leads to no transcript of an agent is passed over.  To look for a session costs as
    much as to look for every transcript, so name the path if it is known.
    """
    with walked_once():
        found = [source for path in paths if path for source in _at(settings, Path(path))]
    if sessions:
        found += [source for source in discover(settings) if _may_hold(source, sessions)]
    return list({source.path: source for source in found}.values())


def _at(settings: Settings, path: Path) -> Iterable[Source]:
    home, environ = settings.user_home, settings.environ
    return (source for each in adapters(settings.formats) for source in each.find_at(path, home, environ))


def _session_of(source: Source) -> str:
    """The session that a transcript is of, or a part of."""
    return source.parent if source.parent and source.relation is Relation.SUBAGENT else source.session


def _may_hold(source: Source, sessions: Collection[str]) -> bool:
    """Whether a transcript is of one of the sessions; what is in one that holds many is known only to who reads it."""
    return not source.session or _session_of(source) in sessions


def readable_agents(settings: Settings) -> frozenset[str]:
    """The agents whose transcripts can be imported, with those of formats that somebody described, and of plug-ins.

    The empty name is among them: whoever left it out may mean any of these.
    """
    return frozenset(["", *(adapter.name for adapter in adapters(settings.formats))])


def unread_bytes(store: Store, owner: str, sources: Iterable[Source]) -> int:
    """How much an import of these would read; of a transcript that was rewritten it may be more."""
    return sum(_unread(store, owner, source) for source in sources)


def _unread(store: Store, owner: str, source: Source) -> int:
    saved = store.places.find(owner, printable(source.path))
    try:
        now = look(source)
    except OSError:
        return 0
    if source.is_log:
        return max(0, now.size - (saved.byte_offset if saved else 0))
    return 0 if change_since(source, now, saved) is Change.UNCHANGED else now.size
