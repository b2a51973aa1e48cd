"""What an agent wrote down of a conversation before it let go of it: a summary, found like anything that was said.

Agents write it into the transcript too, and then it comes with that.  If it does not, it is a session of its own, part
of the one that it sums up.
"""

from __future__ import annotations  # or the annotations would load the parts below

from typing import TYPE_CHECKING

from noctuary.digests import digest
from noctuary.fences import apart, without_fenced
from noctuary.records import Kind, Message, Relation, Role, Session, TitleSource
from noctuary.redact import redact

if TYPE_CHECKING:
    from noctuary.app.memory import Memory
    from noctuary.inbox import Note

_LOOKED_AT = 3_000  # messages of the session, the last: a summary is written right behind what it sums up
_GRACE_MS = 60_000  # a transcript may lag behind its hooks


def store_summary(memory: Memory, note: Note) -> bool | None:
    """Store what a compaction left, unless it is known; whether it was stored, and None if it is too early to tell."""
    text = redact(apart(without_fenced(note.summary)).said).strip()
    graveyard = memory.store.tombstones.all(memory.owner)
    if not text or note.session in graveyard.sessions or graveyard.holds_text(memory.owner, text):
        return False
    found = memory.store.sessions.find(memory.owner, note.session)
    if found is None:
        return None
    number, session = found
    part = f"{session.id}/compaction-{digest(text.encode('utf-8', 'replace'), size=6).hex()}"
    if memory.store.sessions.find(memory.owner, part) or _is_in(memory, number, text):
        return False
    if memory.clock.now_ms() - note.at_ms < _GRACE_MS and not note.tries:
        return None
    memory.add_session(_part_of(session, part, note), [Message(Role.SYSTEM, text, Kind.SUMMARY, ts_ms=note.at_ms)])
    return True


def _is_in(memory: Memory, number: int, text: str) -> bool:
    """Whether the session itself has it, perhaps with a sentence before it."""
    last_id = memory.store.sessions.with_last_id([number])[number][1]
    messages = memory.store.messages.between(number, max(1, last_id - _LOOKED_AT), last_id)
    wanted = " ".join(text.split())
    return any(wanted in " ".join(each.content.split()) for each in messages if each.kind is Kind.SUMMARY)


def _part_of(session: Session, part: str, note: Note) -> Session:
    return Session(
        id=part,
        agent=session.agent,
        project=session.project,
        title=f"Summary of: {session.title}" if session.title else None,
        title_source=TitleSource.SUMMARY if session.title else None,
        cwd=session.cwd,
        branch=session.branch,
        parent=session.id,
        relation=Relation.SUBAGENT,
        started_ms=note.at_ms,
    )
