"""The transcripts that somebody names, by their paths or by their sessions.

Nothing is read because it is named: only what agents keep where we look for it can be meant.
"""

import os
from collections.abc import Collection, Iterable
from pathlib import Path

from noctuary.importing.files import printable
from noctuary.importing.run import discover
from noctuary.records import Relation
from noctuary.settings import Settings
from noctuary.store import Store
from noctuary.transcripts.items import Source


def find_named(settings: Settings, paths: Collection[str], sessions: Collection[str]) -> list[Source]:
    """Those of the transcripts on this machine that have one of the paths, or are of one of the sessions or its agents.

    A path may be any text; one that leads to no transcript of an agent is passed over.
    """
    if not paths and not sessions:
        return []
    real = {found for path in paths if (found := _real(path))}
    names = {Path(path).name for path in real}
    return [
        source
        for source in discover(settings)
        if source.session in sessions
        or (source.relation is Relation.SUBAGENT and source.parent in sessions)
        or (source.path.name in names and _real(source.path) in real)
    ]


def unread_bytes(store: Store, owner: str, sources: Iterable[Source]) -> int:
    """How much an import of these would read; of a transcript that was rewritten it may be more."""
    return sum(_unread(store, owner, source.path) for source in sources)


def _unread(store: Store, owner: str, path: Path) -> int:
    saved = store.places.find(owner, printable(path))
    try:
        return max(0, path.stat().st_size - (saved.byte_offset if saved else 0))
    except OSError:
        return 0


def _real(path: str | Path) -> str:
    """The path without links; empty if it can be none."""
    try:
        return os.path.realpath(path) if path else ""
    except (OSError, ValueError):
        return ""
