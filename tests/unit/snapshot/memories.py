"""Memories to take snapshots of: conversations, work, pages, settings, and dreams that are done and that wait."""

from datetime import timedelta
from pathlib import Path

from noctuary.app import Memory
from noctuary.dream.life.eligibility import eligibility
from noctuary.dream.night import Night
from noctuary.dream.reports import to_json
from noctuary.dreams import DreamRecord, DreamStatus, Report, RunStatus, Trigger
from noctuary.names import file_name
from noctuary.settings import Settings
from noctuary.snapshot.copying import copied
from noctuary.snapshot.manifest import MANIFEST, decode_manifest
from noctuary.snapshot.state import state_of
from noctuary.store.dreams import DreamState, StoredRun
from noctuary.testing import START, ClaudeTranscript, FakeClock

OWNER = "ana"
PROJECT = "/home/ana/code/shop"
PAGE = "# Shop\n\nMine, by hand.\n<!-- noctuary -->\n- Sessions live in SQLite. [m-1]\n"
CONFIG = 'owner = "ana"\n[dream]\nsession_count = 3\n'
REPORT = Report("run-1", Trigger.MANUAL, RunStatus.COMPLETED, started_ms=1, finished_ms=2, processed=1)
DREAMT, WAITING = "6f1c1f6e-0000-4000-8000-000000000001", "6f1c1f6e-0000-4000-8000-000000000002"


def open_memory(home: Path, user_home: Path, owner: str = OWNER) -> Memory:
    """The memory in the folder, whatever the environment says."""
    return Memory.from_settings(Settings(home=home, owner=owner, user_home=user_home, environ={}), FakeClock())


def fill(memory: Memory) -> None:
    """Two sessions, one of them dreamt of; a task with notes, a memory, a page and settings."""
    write_transcripts(memory.settings.user_home)
    memory.import_transcripts()
    work = memory.work(PROJECT)
    task = work.open_task("Move sessions to SQLite", goal="No Redis in production")
    work.note("decision", "Sessions live in SQLite, not in Redis.", node=task)
    work.remember("Prices are whole cents, never floats.", kind="constraint")
    add_dreams(memory)
    write_page(memory.settings.home)
    (memory.settings.home / "config.toml").write_text(CONFIG)


def write_transcripts(user_home: Path) -> None:
    """Two small conversations as Claude Code leaves them."""
    first = ClaudeTranscript(DREAMT).say("Why is the checkout flaky?").reply("The tax test depends on the time zone.")
    first.say("Then freeze the clock in it.").reply("Done; it passes in every zone.").save(user_home)
    second = ClaudeTranscript(WAITING, start=START + timedelta(days=1)).say("Drop Redis for sessions.")
    second.reply("Sessions are in a SQLite table with an expiry index now.").save(user_home)


def add_dreams(memory: Memory) -> None:
    """A completion that was read, one that waits, and a run that ended well."""
    dreams, now_ms = memory.store.dreams, memory.clock.now_ms()
    done = DreamRecord(DREAMT, 1, DreamStatus.COMPLETED, Trigger.MANUAL, 1, 4, now_ms, attempts=1, completed_ms=now_ms,
                       run="run-1", artifacts=("e-1",))  # fmt: skip
    waits = DreamRecord(WAITING, 1, DreamStatus.PENDING, Trigger.SESSION_COUNT, 1, 2, now_ms)
    dreams.save(memory.owner, [done, waits])
    for record in (done, waits):
        dreams.cover(memory.owner, record.session, record.last_id)
    dreams.save_run(memory.owner, StoredRun("run-1", "completed", "manual", now_ms, now_ms, to_json(REPORT)))
    dreams.save_state(memory.owner, DreamState(last_success_ms=now_ms))


def write_page(home: Path, text: str = PAGE) -> Path:
    """The page of the project."""
    page = home / "memory" / file_name(PROJECT) / "MEMORY.md"
    page.parent.mkdir(parents=True, exist_ok=True)
    page.write_text(text)
    return page


def answers(memory: Memory) -> list[object]:
    """What the memory says when it is asked: hits, work, what was dreamt of and what waits, the state as a whole."""
    hits = [(hit.session.id, hit.anchor_id, hit.snippet) for hit in memory.search("redis sessions sqlite").hits]
    dreams, owner = memory.store.dreams, memory.owner
    night = Night(memory.ledger)
    return [
        hits,
        memory.work(PROJECT).tasks(),
        memory.verify_journals(),
        memory.work(PROJECT).memories(),
        [dreams.of_session(owner, session) for session in (DREAMT, WAITING)],
        [eligibility(night, session) for session in (DREAMT, WAITING)],
        [record.session for record in dreams.waiting(owner, memory.clock.now_ms(), is_asked=False)],
        dreams.runs(owner),
        dreams.state(owner),
        state_of(memory.store, owner),
    ]


def files_of(home: Path) -> dict[str, bytes]:
    """All files below a folder but those of the database, locks and snapshots."""
    return {
        name: path.read_bytes()
        for path in sorted(home.rglob("*"))
        if path.is_file()
        and not (name := path.relative_to(home).as_posix()).startswith(("noctuary.db", "snapshots/"))
        and not name.endswith(".lock")
    }


def relist(snapshot: Path, *names: str) -> None:
    """List files of a snapshot as they are now, as if it had been made so."""
    manifest = decode_manifest((snapshot / MANIFEST).read_bytes())
    files = dict(manifest.files)
    for name in names:
        with (snapshot / name).open("rb") as file:
            files[name] = copied(file, None)
    (snapshot / MANIFEST).write_bytes(manifest._replace(files=files).encode())
