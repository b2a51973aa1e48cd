"""`kill -9` during a sweep, at random places: no note is lost, nothing is doubled, and the next sweep completes it.

Hooks leave notes while sweeps are killed and begun again; in the end the memory is what one sweep that nobody
disturbed would have made of all of them.
"""

import json
import random
import shutil
import time
from collections import Counter
from pathlib import Path
from typing import NamedTuple

import pytest

from noctuary import brief_file, inbox
from noctuary.app import Memory
from noctuary.clock import SystemClock
from noctuary.dreams import DreamStatus
from noctuary.inbox import Note
from noctuary.ledger.verifying import Kind
from noctuary.settings import Settings
from noctuary.store.keys import MOST_MESSAGES
from noctuary.testing import ClaudeTranscript, CodexTranscript
from tests.acceptance.killing import attempts, kill, start

KILLS = 16
SESSIONS = 16
SWEEP = "memory.sweep()"
LOADED = "memory.dreams.rehearse(most=1)"  # so that what is killed is the work, not the loading of what does it
NOUNS = ("cart", "invoice", "ledger", "voucher", "basket", "receipt", "refund", "tax")
NOW_MS = time.time_ns() // 1_000_000


class Essence(NamedTuple):
    """What a memory knows, whatever its entries are called."""

    messages: dict[str, list[str]]  # by session
    ended: set[str]
    completions: Counter[tuple[str, int, int, str]]
    entries: Counter[tuple[str, str]]
    briefs: set[str]
    waiting: int


def open_memory(folder: Path, home: Path) -> Memory:
    """The memory as the process opens it that is killed."""
    return Memory.from_settings(Settings(home=folder, owner="ana", user_home=home, environ={}), SystemClock())


def transcripts(home: Path) -> list[Note]:
    """Sessions of two agents, and what their hooks saw."""
    notes = []
    for number in range(SESSIONS):
        noun, cwd = NOUNS[number % len(NOUNS)], f"/home/ana/code/{'shop' if number % 2 else 'till'}"
        rule = f"Never commit the {noun} fixtures of run {number}; from now on always use whole cents for {noun}."
        choice = f"Let's keep the {noun} of {number} in SQLite, not Redis, because it must survive a deploy."
        done = f"Done, the {noun} is in SQLite."
        if number % 4 == 3:
            session, agent = f"019c9b17-0000-7000-8000-0000000000{number:02}", "codex"
            codex = CodexTranscript(session, cwd=cwd, branch=None).prompt(rule).reply("Yes.").prompt(choice)
            path = codex.reply(done).save(home)
        else:
            session, agent = f"6f1c1f6e-0000-4000-8000-0000000000{number:02}", "claude-code"
            claude = ClaudeTranscript(session, cwd=cwd).say(rule).reply("Yes.").say(choice)
            path = claude.reply(done).save(home)
        seen = Note("Stop", NOW_MS - 600_000 + number, agent, session, cwd, str(path), owner="ana")
        notes += [seen._replace(event="SessionStart", transcript=""), seen]
        if number % 5 == 0:
            notes.append(seen._replace(event="PostCompact", summary=f"What was said of the {noun}: summary {number}."))
        notes.append(seen._replace(event="SessionEnd", reason="clear"))
    return notes


def leave(folder: Path, notes: list[Note]) -> None:
    """Append notes as hooks do."""
    path = folder / inbox.FOLDER / inbox.NAME
    path.parent.mkdir(parents=True, exist_ok=True)
    with path.open("ab") as file:
        file.write(b"".join(json.dumps(note._asdict()).encode() + b"\n" for note in notes))


@pytest.fixture(scope="module")
def home(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """The home folder of a user with transcripts."""
    return tmp_path_factory.mktemp("crash") / "home"


@pytest.fixture(scope="module")
def notes(home: Path) -> list[Note]:
    """What hooks saw of them."""
    return transcripts(home)


@pytest.fixture(scope="module")
def swept(home: Path, notes: list[Note]) -> Path:
    """A memory after one sweep that nobody disturbed."""
    folder = home.with_name("swept")
    leave(folder, notes)
    with open_memory(folder, home) as memory:
        done = memory.sweep()
        assert (done.notes, len(done.ended), done.problems, done.kept) == (len(notes), SESSIONS, (), 0)
    return folder


def essence(folder: Path, home: Path) -> Essence:
    """What the memory in a folder knows; it is sound."""
    with open_memory(folder, home) as memory:
        assert {finding.kind for finding in memory.verify_journals()} <= {Kind.TORN}  # half a line is set aside
        assert memory.dreams.checked() == []
        store = memory.store
        sessions = store.sessions.by_number(store.sessions.numbers("ana"))
        completions = [each for session in sessions.values() for each in store.dreams.of_session("ana", session.id)]
        works = [memory.work(project) for project in ("/home/ana/code/shop", "/home/ana/code/till")]
        entries = [entry.event for work in works for entry in work.entries(limit=10_000, suggested=True)]
        return Essence(
            {
                session.id: [each.content for each in store.messages.between(number, 1, MOST_MESSAGES)]
                for number, session in sessions.items()
            },
            {session.id for session in sessions.values() if session.ended_ms},
            Counter((each.session, each.first_id, each.last_id, str(each.status)) for each in completions),
            Counter((event.project, event.text) for event in entries if event.text),
            {path.name for path in (folder / brief_file.FOLDER).glob("[!.]*")},
            len(inbox.waiting(folder)) + (folder / inbox.FOLDER / inbox.KEPT).exists(),
        )


def seconds(folder: Path, home: Path) -> float:
    """How long a sweep takes if nobody stops it."""
    process = start(SWEEP, folder, home, first=LOADED)
    began = time.monotonic()
    process.communicate()
    assert process.returncode == 0
    return time.monotonic() - began


def emptied(folder: Path) -> Path:
    """A folder that had a memory, without it."""
    shutil.rmtree(folder, ignore_errors=True)
    return folder


def test_an_undisturbed_sweep_is_what_we_compare_with(swept: Path, home: Path) -> None:
    """Every session is read once, ended, completed, and dreamt of."""
    known = essence(swept, home)

    assert len(known.messages) == SESSIONS + sum(number % 5 == 0 for number in range(SESSIONS))
    assert sum(status == DreamStatus.COMPLETED for *_, status in known.completions) == SESSIONS
    assert known.entries
    assert len(known.briefs) == 4  # two folders, each with what can be recalled there
    assert known.waiting == 0


@pytest.mark.slow
@pytest.mark.parametrize("seed", [1, 2])
def test_a_killed_sweep_is_completed_by_the_next(
    home: Path, notes: list[Note], swept: Path, tmp_path: Path, seed: int
) -> None:
    """Wherever it is killed, what the next one ends with is what one sweep would have."""
    expected, chance = essence(swept, home), random.Random(seed)
    leave(emptied(tmp_path / "memory"), notes)
    longest = seconds(tmp_path / "memory", home)
    hits: Counter[str] = Counter()
    for _ in attempts(KILLS, hits, killed=KILLS // 4, partial=KILLS // 8):
        folder = emptied(tmp_path / "memory")
        leave(folder, notes)
        hits["killed"] += kill(start(SWEEP, folder, home, first=LOADED), chance.uniform(0, 0.8 * longest))
        hits["partial"] += bool(inbox.waiting(folder))
        with open_memory(folder, home) as memory:
            assert memory.sweep().problems == ()
            assert memory.sweep()[:6] == (0, 0, 0, (), 0, 0)
            memory.dream()  # what was left may be too little for one to be due
        assert essence(folder, home) == expected

    assert hits["killed"] > KILLS // 4
    assert hits["partial"] > KILLS // 8, "the kills did not hit the dealing with notes"


@pytest.mark.slow
def test_killed_again_and_again_while_hooks_write(home: Path, notes: list[Note], swept: Path, tmp_path: Path) -> None:
    """Hooks go on, sweeps are killed before they are done, and in the end every note was dealt with."""
    expected, chance = essence(swept, home), random.Random(3)
    folder, left = tmp_path / "memory", list(notes)
    leave(folder, left[:1])
    longest = seconds(folder, home)
    del left[:1]
    while left:
        process = start(SWEEP, folder, home, first=LOADED)
        leave(folder, left[:3])
        kill(process, chance.uniform(0, longest))
        leave(folder, left[3:4])
        del left[:4]
    with open_memory(folder, home) as memory:
        memory.sweep()
        memory.dream()  # of what had been dreamt of in other portions
    found = essence(folder, home)

    assert found.messages == expected.messages
    assert found.ended == expected.ended
    assert found.briefs == expected.briefs
    assert found.waiting == 0
    assert set(found.entries) == set(expected.entries)
