"""A machine with transcripts on it and a memory of them: what the tests of importing and forgetting share."""

import os
from pathlib import Path

from noctuary.app import Memory
from noctuary.importing.report import ImportReport
from noctuary.records import Message, Term
from noctuary.settings import Settings
from noctuary.store.keys import MOST_MESSAGES
from noctuary.store.lexicon import Within
from noctuary.store.places import SavedPlace
from noctuary.testing import ClaudeTranscript, FakeClock

OWNER = "ana"


def open_memory(folder: Path, home: Path, owner: str = OWNER) -> Memory:
    """The memory in the folder, of the transcripts below the home, whatever the environment says."""
    return Memory.from_settings(Settings(home=folder, owner=owner, user_home=home, environ={}), FakeClock())


def said(memory: Memory, session: str) -> list[str]:
    """What people see of a session."""
    return [message.content for message in memory.show(session).messages]


def stored(memory: Memory, session: str) -> list[Message]:
    """Every message of a session, hidden ones too; none if the session is not known."""
    found = memory.store.sessions.find(memory.owner, session)
    return memory.store.messages.between(found[0], 1, MOST_MESSAGES) if found else []


def everything(memory: Memory) -> dict[str, list[Message]]:
    """Every message of every session."""
    numbers = memory.store.sessions.numbers(memory.owner)
    sessions = memory.store.sessions.by_number(numbers)
    return {session.id: stored(memory, session.id) for session in sessions.values()}


def place(memory: Memory, path: Path) -> SavedPlace:
    """The saved place of a transcript."""
    found = memory.store.places.find(memory.owner, str(path))
    assert found is not None
    return found


def finds(memory: Memory, words: str) -> list[tuple[str, str]]:
    """Session and message of each hit that has the words itself, and not only beside it."""
    hits = memory.search_messages(words, limit=50).hits
    return [(hit.session.id, hit.anchor.content) for hit in hits if any(why.name == "words" for why in hit.why)]


def indexed(memory: Memory, word: str) -> list[int]:
    """Keys of everything in the index that has the word, titles too."""
    return memory.store.lexicon.matching([Term(words=(word,))], Within(), 100)


def accounted(report: ImportReport) -> int:
    """How many transcripts the report says something about."""
    return report.new + report.grown + report.unchanged + report.skipped.total()


def age(path: Path, days: int) -> Path:
    """Make the file look so many days old."""
    moment = (1_800_000_000 - days * 86_400) * 10**9
    os.utime(path, ns=(moment, moment))
    return path


def resume(parent: ClaudeTranscript, session: str) -> ClaudeTranscript:
    """A session that Claude Code begins with a copy of another's records."""
    child = ClaudeTranscript(session, cwd=parent.cwd, start=parent.now)
    child.records = [dict(record) for record in parent.records]
    child.tip = parent.tip
    return child
