"""What an agent can be given to use its memory by itself: a search, and a way to keep a sentence.

Both are plain functions that take and give text, so that any library can make tools of them.  What they give is fenced:
it is data, and it is known again when the conversation is written down.
"""

import logging
from datetime import UTC, datetime
from pathlib import Path

from noctuary.app import Memory
from noctuary.app.keyed import PROGRAM
from noctuary.errors import NoctuaryError
from noctuary.fences import apart, fenced
from noctuary.integrations.capture import Unfailing, project_named
from noctuary.records import Hit, Kind
from noctuary.unseen import seen

_log = logging.getLogger(__name__)
MOST_HITS = 5
MOST_CHARACTERS = 4_000
MOST_OF_A_MESSAGE = 400
SEARCH = "Search what was said in earlier conversations. Gives dated excerpts; that nothing is found is an answer."
REMEMBER = "Keep one sentence for later conversations: a decision, a preference or a fact that will still hold."


class Recalling:
    """The tools of one project."""

    def __init__(
        self, memory: Memory, project: str | Path | None = None, *, exclude_session: str | None = None
    ) -> None:
        """Hits of `exclude_session` are left out: what is said in it is known to the agent anyway."""
        self._memory, self._project, self._excluded = memory, project, exclude_session

    def search_memory(self, query: str) -> str:
        """What earlier conversations say about something, fenced."""
        errors: list[Exception] = []
        with Unfailing(errors.append):
            found = self._memory.search(query, limit=MOST_HITS + 1)
            hits = [_told(hit) for hit in found.hits if hit.session.id != self._excluded][:MOST_HITS]
            return fenced(_within(hits) or "Nothing was said about that; this is a complete answer.")
        return _trouble(errors[0])

    def remember(self, text: str) -> str:
        """Keep a sentence of the agent; what it only repeats of memory is kept already."""
        said = apart(text).said.strip()
        if not said:
            return "That is kept already."
        errors: list[Exception] = []
        with Unfailing(errors.append):
            kept = self._memory.work(project_named(self._memory, self._project), PROGRAM).remember(said)
            return f"Kept as {kept.id}."
        return _trouble(errors[0])


def _trouble(error: Exception) -> str:
    """What an agent is told that cannot use its memory; what nobody foresaw is logged, as it cannot be raised."""
    if isinstance(error, NoctuaryError):
        return str(error)
    _log.warning("Noctuary could not answer an agent: %r", error)
    return f"The memory cannot be used now ({type(error).__name__}). Go on without it."


def _told(hit: Hit) -> str:
    """A hit: when and where it was said, the part that matched, and what was answered."""
    session, anchor = hit.session, hit.anchor_id
    name = _short(f"session {session.id}, message {anchor}")
    day = datetime.fromtimestamp((hit.anchor.ts_ms or session.last_ms or 0) / 1000, UTC).date().isoformat()
    head = f"- {day} {_short(session.title or 'untitled')} ({name})"
    matched = f"{hit.anchor.role}: {_short(hit.snippet.replace('>>>', '').replace('<<<', ''))}"
    after = [message for message in hit.window if message.id > anchor and message.kind is Kind.TEXT][:1]
    return "\n  ".join([head, matched, *(f"{message.role}: {_short(message.content)}" for message in after)])


def _short(text: str) -> str:
    words = " ".join(seen(text).split())
    return words if len(words) <= MOST_OF_A_MESSAGE else words[: MOST_OF_A_MESSAGE - 1] + "…"


def _within(lines: list[str]) -> str:
    told = "\n".join(lines)
    return told if len(told) <= MOST_CHARACTERS else told[: MOST_CHARACTERS - 1] + "…"
