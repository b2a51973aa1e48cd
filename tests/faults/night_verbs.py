"""Verbs of the night, and of what is taken away: dream, undo, accept, forget, scrub, sweep."""

import json
from contextlib import suppress
from pathlib import Path

from noctuary import inbox
from noctuary.dreams import RunStatus
from noctuary.errors import NotFound
from noctuary.forgetting import Forgotten
from noctuary.inbox import Note
from noctuary.records import Message, Role, Session, Status
from noctuary.testing import FakeClock
from tests.faults.knowing import SHOP, TILL, open_memory
from tests.faults.verbs import (
    FIRST,
    SECOND,
    START_MS,
    Done,
    Verb,
    add_sessions,
    add_work,
    again,
    always,
    nothing,
    write_transcripts,
)
from tests.unit.scrubbing.planting import leaks, plant

FORGOTTEN, SMALL_TALK = "The vault code of the old shop", "Zanzibar is lovely in spring"  # the second in no journal


# Dreaming, taking it back, accepting it.


def _before_dream(root: Path) -> None:
    with open_memory(root) as memory:
        add_sessions(memory, 3)
        add_work(memory)


def _dream(root: Path, done: Done) -> None:
    with open_memory(root) as memory:
        report = memory.dream().report
        assert (report.status, report.failed, report.waiting) == (RunStatus.COMPLETED, 0, 0), report
        done()


def _is_dreamt(root: Path) -> bool:
    with open_memory(root) as memory:
        return memory.dream().report.changes == ()


def after_dream(root: Path) -> None:
    """A memory that has dreamt."""
    _before_dream(root)
    _dream(root, nothing)


def _undo(root: Path, done: Done) -> None:
    with open_memory(root) as memory:
        if memory.dreams.show().status is not RunStatus.UNDONE:
            memory.dreams.undo()
        done()


def _is_undone(root: Path) -> bool:
    with open_memory(root) as memory:
        return memory.dreams.show().status is RunStatus.UNDONE


def _undo_all(root: Path) -> None:
    _undo(root, nothing)
    with open_memory(root) as memory:
        memory.dream(project="nowhere")  # writes what is due


def _accept(root: Path, done: Done) -> None:
    with open_memory(root) as memory:
        memory.dreams.accept_all()
        done()


def _accept_all(root: Path) -> None:
    _accept(root, nothing)
    with open_memory(root) as memory:
        memory.dream(project="nowhere")


# Forgetting.


def _before_forget(root: Path) -> None:
    with open_memory(root) as memory:
        add_sessions(memory, 2)
        rule = Message(role=Role.USER, content=f"Remember: {FORGOTTEN} is never written down.", ts_ms=START_MS)
        talk = Message(role=Role.ASSISTANT, content=f"{SMALL_TALK}.", ts_ms=START_MS + 1)
        memory.add_session(Session(id="vault", project=SHOP, status=Status.ENDED, started_ms=START_MS), [rule, talk])
        memory.dream()


def _forget(root: Path, done: Done) -> None:
    with open_memory(root) as memory:
        memory.forget(Forgotten(session="vault"))
        done()


def _is_forgotten(root: Path) -> bool:
    with open_memory(root) as memory:
        is_found = bool(memory.search(FORGOTTEN).hits) or memory.store.sessions.find(memory.owner, "vault")
    home = root / "home"
    is_on_a_page = any(FORGOTTEN in path.read_text() for path in (home / "memory").rglob("*") if path.is_file())
    is_in_a_file = any(SMALL_TALK.encode() in path.read_bytes() for path in home.glob("noctuary.db*"))
    return not (is_found or is_on_a_page or is_in_a_file)


def _forget_rest(root: Path) -> None:
    with open_memory(root) as memory:
        with suppress(NotFound):
            memory.forget(Forgotten(session="vault"))
        memory.dream(project="nowhere")


# Scrubbing: secrets that were stored before they were known, in a memory and in a snapshot of it.


def _before_scrub(root: Path) -> None:
    with open_memory(root) as memory:
        add_sessions(memory, 1)
        plant(memory)
        memory.snapshot()


def _scrub(root: Path, done: Done) -> None:
    with open_memory(root) as memory:
        warnings = memory.scrub().warnings  # what cannot be cleaned now is said
        assert not warnings, warnings
        done()


def _is_scrubbed(root: Path) -> bool:
    return not [*leaks(root / "home")]


def _scrub_rest(root: Path) -> None:
    with open_memory(root) as memory:
        memory.ledger.catch_up()
        warnings = memory.scrub().warnings
        assert not warnings, warnings
    assert _is_scrubbed(root)


# Sweeping: what hooks left.


def _before_sweep(root: Path) -> None:
    open_memory(root).close()
    write_transcripts(root, is_grown=True)
    now_ms = FakeClock().now_ms()
    files = [(FIRST, SHOP), (SECOND, TILL)]
    notes = [
        Note(event, now_ms - 600_000, "claude-code", session, cwd, owner="ana", transcript=_path_of(root, session))
        for session, cwd in files
        for event in ("Stop", "SessionEnd")
    ]
    path = root / "home" / inbox.FOLDER / inbox.NAME
    path.parent.mkdir(mode=0o700)
    path.write_text("".join(f"{json.dumps(note._asdict())}\n" for note in notes))


def _path_of(root: Path, session: str) -> str:
    return str(next((root / "user").rglob(f"{session}.jsonl")))


def _sweep(root: Path, done: Done) -> None:
    with open_memory(root) as memory:
        swept = memory.sweep()
        assert (swept.problems, swept.kept) == ((), 0), swept
        done()


def _is_swept(root: Path) -> bool:
    with open_memory(root) as memory:
        return memory.sweep().messages == 0  # notes whose removal was cut short are dealt with again


def _sweep_rest(root: Path) -> None:
    _sweep(root, nothing)
    with open_memory(root) as memory:
        memory.dream()  # what was left may be too little for one to be due


NIGHT_VERBS: dict[str, Verb] = {
    "dream": Verb(_before_dream, _dream, [_is_dreamt], again(_dream)),
    "undo": Verb(after_dream, _undo, [_is_undone], _undo_all),
    "accept": Verb(after_dream, _accept, [always], _accept_all),
    "forget": Verb(_before_forget, _forget, [_is_forgotten], _forget_rest),
    "scrub": Verb(_before_scrub, _scrub, [_is_scrubbed], _scrub_rest),
    "sweep": Verb(_before_sweep, _sweep, [_is_swept], _sweep_rest),
}
