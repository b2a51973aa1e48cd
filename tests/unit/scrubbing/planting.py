"""A memory that was made before redaction knew a secret: it is planted below what redacts."""

from collections.abc import Iterator
from pathlib import Path

from noctuary.app import Memory
from noctuary.ledger.rewriting import rewrite
from noctuary.memory_file import read_page, write_page
from noctuary.records import Kind, Message, Role, Session
from noctuary.settings import Settings
from noctuary.store.owned_rows import OwnedRows
from noctuary.testing import FakeClock
from tests.databases import url_of

SHOP = "/home/ana/code/shop"
MARK = "plantedword"
SECRET = "ghp" + "_" + "Zq9Xw7Vu5Ts3Rp1On8Ml6Kj4Ih2Gf0Ed9Cb7"
PASSWORD = "hunter2" + "Secret99"
PLACEHOLDER = "[redacted:github-token:"


def open_in(folder: Path) -> Memory:
    """The memory in a folder, on the database of this test."""
    settings = Settings(folder, "ana", folder.parent / "user", {}, database_url=url_of(folder))
    return Memory.from_settings(settings, FakeClock())


def plant(memory: Memory) -> None:
    """Say and write down a word everywhere, and let the secret take its place."""
    told = [
        Message(role=Role.USER, content=f"Please deploy with {MARK} to staging."),
        Message(role=Role.TOOL, kind=Kind.TOOL_RESULT, content=f"TOKEN={MARK}\nready", tool_calls=f'{{"a": "{MARK}"}}'),
        Message(role=Role.ASSISTANT, content="Deployed to staging."),
    ]
    memory.add_session(Session(id="s-1", title=f"Deploy with {MARK}", project=SHOP), told)
    memory.add_session(Session(id="s-2", project=SHOP), [Message(role=Role.USER, content="Nothing to see here.")])
    work = memory.work(SHOP)
    task = work.open_task(f"Rotate {MARK}", goal="No secrets")
    work.note("decision", f"We keep {MARK} in the vault.", node=task)
    work.note("finding", "The vault is sealed.", node=task)
    _plant_rows(memory)
    rewrite(memory.ledger, SHOP, lambda line: line.replace(MARK.encode(), SECRET.encode()), "planted")
    _plant_files(memory.settings.home)


def _plant_rows(memory: Memory) -> None:
    store, owner = memory.store, memory.owner
    no, session = store.sessions.find(owner, "s-1") or (0, Session(id=""))
    rows = [(no << 32 | row[0], *row[1:]) for row in OwnedRows(store.database, owner).messages(no)]
    put = [(row, row[-2] and row[-2].replace(MARK, SECRET), row[-1].replace(MARK, SECRET)) for row in rows]
    store.messages.rewrite(owner, no, put)
    title = f"Deploy with {SECRET}"
    store.messages.index_title(no, session.title, title)
    store.database.fetch("title_session", no=no, title=title, title_source=session.title_source)
    store.database.fetch("preview_session", no=no, preview=f"Please deploy with {SECRET}")


def _plant_files(home: Path) -> None:
    page = home / "memory" / "ana" / "shop" / "MEMORY.md"
    write_page(page, f"- Deploy with {SECRET}.\n- Tea at four.", read_page(page), keep_backups=1)
    for name in ("memory/ana/shop/archive.md", "memory/ana/shop/.backups/1.md", "log/sweep.log"):
        path = home / name
        path.parent.mkdir(parents=True, exist_ok=True)
        path.write_text(f"before\n- password: {PASSWORD}\n- {SECRET}\nafter\n")
    for name in ("inbox/kept.jsonl", "journal/ana/x.jsonl.torn", "journal/ana/x.jsonl.damaged-2026", "state/told.json"):
        path = home / name
        path.parent.mkdir(parents=True, exist_ok=True)
        path.write_text(f'{{"event":"Stop","at_ms":1,"summary":"use \\"{SECRET}\\" now"}}')


def leaks(folder: Path) -> Iterator[str]:
    """The files below a folder that have any part of the secret in them, as it was written or as an index keeps it."""
    parts = [SECRET, SECRET[4:], SECRET[4:].lower(), PASSWORD, PASSWORD.lower()]
    for path in sorted(path for path in folder.rglob("*") if path.is_file()):
        content = path.read_bytes()
        if any(part.encode() in content for part in parts):
            yield path.relative_to(folder).as_posix()
