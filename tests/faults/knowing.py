"""What a memory knows, whatever its entries are called; and whether it is sound."""

import hashlib
import re
from collections import Counter
from pathlib import Path
from typing import NamedTuple

import apsw

from noctuary import inbox
from noctuary.app import Memory
from noctuary.authored import EventStatus
from noctuary.dream.pages.places import page_path
from noctuary.dreams import DreamStatus
from noctuary.health import Finding
from noctuary.ledger.verifying import Kind
from noctuary.memory_file import read_page
from noctuary.settings import Settings
from noctuary.store.keys import MOST_MESSAGES
from noctuary.testing import FakeClock

OWNER = "ana"
SHOP, TILL = "/home/ana/code/shop", "/home/ana/code/till"
PROJECTS = (SHOP, TILL, "")
SERVER = "server"  # the file
QUESTIONS = ("cart fixtures", "SQLite not Redis", "time zone", "whole cents", "expiry index")
_LOG, _BEGINNING, _FRAME = "-wal", 32, 24  # the file, and the bytes before all frames and before each
_NAME = re.compile(r"\bws-[0-9a-z]{10}\b")  # of a session of work: another one each time
_CHANGING = ("-shm", ".lock")  # says nothing about what is kept


class Known(NamedTuple):
    """What it knows."""

    messages: Counter[tuple[str, int, str]]  # session, number, content
    sessions: Counter[tuple[str, str]]  # and what became of it
    entries: Counter[tuple[str, str, str]]  # project, type and text of what holds
    memories: Counter[tuple[str, str, str]]  # project, text and status
    tasks: Counter[tuple[str, str]]  # project and title
    pages: dict[str, bytes]
    dreamt: Counter[str]  # sessions that a dream has read
    waiting: int  # for a dream, and notes of hooks for a sweep
    found: dict[str, list[tuple[str, int, str]]]  # what questions are answered by


def open_memory(root: Path) -> Memory:
    """The memory in `home` below the folder, of the transcripts in `user`; on a server if a file says which."""
    address = root / SERVER
    url = address.read_text() if address.exists() else None
    settings = Settings(home=root / "home", owner=OWNER, user_home=root / "user", environ={}, database_url=url)
    return Memory.from_settings(settings, FakeClock())


def known(memory: Memory) -> Known:
    """What the memory knows now."""
    store, works = memory.store, [memory.work(project) for project in PROJECTS]
    sessions = store.sessions.by_number(store.sessions.numbers(OWNER))
    entries = [
        entry for work in works for choice in (True, False) for entry in work.entries(limit=10_000, suggested=choice)
    ]
    held = [entry for entry in entries if entry.hidden_by is None and entry.status is not EventStatus.RETRACTED]
    held = [entry for entry in held if entry.event.text]  # a dream notes for itself what it has read, each time it does
    memories = store.memories.where(OWNER, statuses=None, most=10_000)
    outlook = memory.dreams.outlook()
    return Known(
        Counter(
            (session.id, at, each.content)
            for number, session in sessions.items()
            for at, each in enumerate(store.messages.between(number, 1, MOST_MESSAGES), 1)
        ),
        Counter((session.id, str(session.status)) for session in sessions.values()),
        Counter((entry.event.project, str(entry.acts_as), _NAME.sub("", entry.event.text)) for entry in held),
        Counter((each.project, each.text, str(each.status)) for each in memories if each.status != "retracted"),
        Counter((work.desk.project, task.title) for work in works for task in work.tasks()),
        {str(path.relative_to(memory.settings.home)): path.read_bytes() for path in pages(memory.settings.home)},
        Counter(record.session for record in store.dreams.where(OWNER, status=DreamStatus.COMPLETED)),
        outlook.waiting + outlook.held + len(inbox.waiting(memory.settings.home)),
        {
            text: [(hit.session.id, hit.anchor_id, hit.snippet) for hit in memory.search(text).hits]
            for text in QUESTIONS
        },
    )


def known_in(root: Path) -> Known:
    """The same of the memory below a folder."""
    with open_memory(root) as memory:
        return known(memory)


def told_late(root: Path) -> tuple[str, ...]:
    """Folders of projects whose pages the memory itself says are not up to date; the next dream writes them."""
    with open_memory(root) as memory:
        home = memory.settings.home
        late = [page_path(home, OWNER, project).parent for project in memory.store.pages.due(OWNER)]
        return tuple(f"{folder.relative_to(home)}/" for folder in late)


def pages(home: Path) -> list[Path]:
    """The pages and the files of topics."""
    return sorted(path for path in (home / "memory").rglob("*.md") if path.name != "archive.md")


def flaws(root: Path) -> list[str]:
    """What is wrong with the memory just after a fault, before anybody repaired anything; empty if it is sound."""
    home = root / "home"
    found = [f"{path} is torn" for path in pages(home) if not read_page(path).is_whole]
    if not (home / "noctuary.db").exists():
        return found
    with open_memory(root) as memory:
        found += [f"{project}: {error}" for project, error in memory.ledger.catch_up_all().items()]
        found += [f"{each.kind}: {each.detail}" for each in memory.verify_journals() if each.kind is not Kind.TORN]
        found += integrity(home / "noctuary.db")
    return found


def integrity(path: Path) -> list[str]:
    """What SQLite finds wrong with a database file."""
    connection = apsw.Connection(str(path))
    try:
        return [str(row[0]) for row in connection.execute("pragma integrity_check") if row[0] != "ok"]
    finally:
        connection.close()


def is_at(path: Path, schema: int) -> bool:
    """Whether a database file is of this schema."""
    connection = apsw.Connection(str(path))
    try:
        return bool(connection.pragma("user_version") == schema)
    finally:
        connection.close()


def problems(memory: Memory) -> list[str]:
    """What the doctor finds wrong when all is done."""
    return [f"{each.name}: {each.detail}" for each in memory.doctor().checks if each.finding is Finding.PROBLEM]


def digest_of(root: Path, *, is_quick: bool = False) -> str:
    """The same for two folders with the same files, but for what says nothing about what is kept.

    If it is to be quick, that is also what SQLite's log has behind the last commit.
    """
    digest = hashlib.sha256()
    for path in sorted(root.rglob("*")):
        content = path.read_bytes() if path.is_file() and not path.name.endswith(_CHANGING) else b""
        if is_quick and path.name.endswith(_LOG):
            content = _committed(content)
            if not content:
                continue
        digest.update(f"{path.relative_to(root)}\0".encode() + hashlib.sha256(content).digest())
    return digest.hexdigest()


def _committed(log: bytes) -> bytes:
    """A write-ahead log up to its last commit: a frame that says how long the database is then."""
    frame = _FRAME + int.from_bytes(log[8:12])
    ends = range(_BEGINNING + frame, len(log) + 1, frame)
    committing = [end for end in ends if any(log[end - frame + 4 : end - frame + 8])]
    return log[: committing[-1]] if committing else b""
