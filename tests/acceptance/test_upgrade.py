"""Memories of every earlier schema, made by the code of then, open today and answer as one made today would.

`scripts/old_memories.py` made the files below tests/fixtures/upgrades.
"""

import lzma
import re
import shutil
import subprocess
import tarfile
from collections import Counter
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path

import apsw
import psycopg
import pytest

from noctuary.app import Memory
from noctuary.clock import SystemClock
from noctuary.dreams import RunStatus
from noctuary.errors import StoreTooNew
from noctuary.settings import Settings
from noctuary.store import open_server_store
from noctuary.store.keys import MOST_MESSAGES
from noctuary.store.postgres_tables import newest_version
from noctuary.store.sqlite import newest_schema
from scripts import old_memories
from scripts.old_memory import SESSIONS, SHOP, make, write_transcripts
from tests import databases

FIXTURES = Path(__file__).parents[1] / "fixtures" / "upgrades"
SCHEMAS = sorted(int(path.name[7:9]) for path in FIXTURES.glob("schema-*.tar.xz"))
ON_SERVERS = sorted(int(path.name[7:9]) for path in FIXTURES.glob("server-*.sql.xz"))
MIGRATIONS = Path(__file__).parents[2] / "src" / "noctuary" / "store" / "sql" / "migrations"
SERVER_MIGRATIONS = sorted((MIGRATIONS.parent / "postgres").glob("[0-9]*.sql"))
QUESTIONS = ("flaky tax test", "whole cents", "redis", "expiry index", "till clock", "zürich", "価格", "vault code")
PROJECTS = (SHOP, "/home/ana/code/till", "")

_NAME = re.compile(r"\bt-[0-9a-z]{10}\b")  # of a task: another one each time

Said = dict[str, list[tuple[str, str, str, int]]]


def open_memory(home: Path, user: Path, database: str | None = None) -> Memory:
    """The memory in the folder, or on the server, of the transcripts below the user's home."""
    settings = Settings.load({}, home=home, owner="ana", user_home=user, database=database)
    return Memory.from_settings(settings, SystemClock())


def unpacked(schema: int, home: Path) -> Path:
    """The memory of then."""
    home.mkdir(mode=0o700)
    with tarfile.open(FIXTURES / f"schema-{schema:02}.tar.xz") as files:
        files.extractall(home, filter="data")
    return home


def rows(path: Path, sql: str) -> list[tuple[object, ...]]:
    """What a database file says, whatever our code thinks of it."""
    connection = apsw.Connection(str(path), flags=apsw.SQLITE_OPEN_READONLY)
    try:
        return list(connection.execute(sql))
    finally:
        connection.close()


@pytest.fixture(scope="module")
def user(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """The home folder of a user, with the transcripts of then."""
    folder = tmp_path_factory.mktemp("upgrade") / "user"
    write_transcripts(folder)
    return folder


@pytest.fixture(scope="module")
def todays(tmp_path_factory: pytest.TempPathFactory, user: Path) -> dict[int, Path]:
    """Memories made today of the same, with as much in them as was possible at each schema."""
    made: dict[int, Path] = {}
    for schema in (1, 3, 4, 5):
        made[schema] = tmp_path_factory.mktemp("upgrade") / "today"
        make(str(made[schema]), str(user), schema=schema)
    return made


def said(memory: Memory) -> Said:
    """All that was said, by session."""
    store = memory.store
    return {
        session.id: [
            (str(each.role), str(each.kind), each.content, each.ts_ms)
            for each in store.messages.between(number, 1, MOST_MESSAGES)
        ]
        for number, session in store.sessions.by_number(store.sessions.numbers("ana")).items()
    }


def answers(memory: Memory) -> dict[str, list[tuple[str, int, str]]]:
    """What questions are answered by."""
    return {
        text: [(hit.session.id, hit.anchor_id, hit.snippet) for hit in memory.search(text).hits] for text in QUESTIONS
    }


def authored(memory: Memory) -> Counter[tuple[str, str, str]]:
    """What people wrote down and what holds of it, by project; what dreams read differs with how they read."""
    entries = [entry for project in PROJECTS for entry in memory.work(project).entries(limit=1_000)]
    by_hand = [entry for entry in entries if entry.event.author == "user" and entry.event.text]
    return Counter((entry.event.project, str(entry.acts_as), _NAME.sub("t-", entry.event.text)) for entry in by_hand)


def kept(memory: Memory) -> Counter[tuple[str, str]]:
    """Memories and their status."""
    return Counter(
        (each.text, str(each.status)) for each in memory.store.memories.where("ana", statuses=None, most=999)
    )


def test_a_memory_of_each_schema_that_was_landed_is_kept() -> None:
    """One that is not there would be tried by nobody, and no test would fail."""
    assert sorted(old_memories.COMMITS) == SCHEMAS
    assert sorted(old_memories.ON_SERVERS) == ON_SERVERS


@pytest.mark.parametrize(("folder", "kept"), [(MIGRATIONS, SCHEMAS), (MIGRATIONS.parent / "postgres", ON_SERVERS)])
def test_whoever_adds_a_schema_finds_the_one_before(folder: Path, kept: list[int]) -> None:
    """At most one migration is newer than the newest memory that is kept: `scripts/old_memories.py` makes them."""
    newer = [path.name for path in folder.glob("[0-9]*.sql") if int(path.name[:4]) > max(kept)]

    assert len(newer) <= 1


@pytest.mark.parametrize("schema", SCHEMAS)
def test_a_memory_of_each_schema_answers_as_one_of_today(
    schema: int, tmp_path: Path, user: Path, todays: dict[int, Path]
) -> None:
    """The same messages, the same answers, the same entries; nothing wrong with it, and what was forgotten stays so."""
    home = unpacked(schema, tmp_path / "home")
    assert rows(home / "noctuary.db", "pragma user_version") == [(schema,)]
    was = rows(home / "noctuary.db", "select text, status from memories") if schema >= 4 else []
    today = todays[max(each for each in todays if each <= schema)]

    with open_memory(home, user) as memory, open_memory(today, user) as fresh:
        assert said(memory) == said(fresh)
        assert answers(memory) == answers(fresh)
        assert authored(memory) == authored(fresh)
        assert kept(memory) == Counter(was)
        assert memory.verify_journals() == []
        assert memory.doctor().is_healthy
        assert SESSIONS[3] not in said(memory)
        assert memory.import_transcripts().messages == 0

    backup = home / f"noctuary.db.schema-{schema}.backup"
    assert backup.exists() is (schema < newest_schema())
    if backup.exists():
        assert rows(backup, "pragma user_version") == [(schema,)]
        assert rows(backup, "pragma integrity_check") == [("ok",)]


@pytest.mark.parametrize("schema", SCHEMAS)
def test_an_upgraded_memory_has_the_tables_of_a_new_one(schema: int, tmp_path: Path, user: Path) -> None:
    """Tables, indexes and triggers are those that a new database has, word for word."""
    home = unpacked(schema, tmp_path / "home")
    open_memory(home, user).close()
    open_memory(tmp_path / "new", user).close()

    assert tables(home / "noctuary.db") == tables(tmp_path / "new" / "noctuary.db")


def tables(path: Path) -> dict[str, str]:
    """What each thing in a database is, as SQL."""
    found = rows(
        path, "select type || ' ' || name, coalesce(sql, '') from sqlite_schema where name not like 'sqlite_%'"
    )
    return {str(name): re.sub(r"\s+", " ", str(sql)) for name, sql in found}


@pytest.mark.parametrize("schema", [schema for schema in SCHEMAS if schema >= 4])
def test_events_of_then_are_folded_again_to_the_same(schema: int, tmp_path: Path, user: Path) -> None:
    """Every line of every journal is an event today; a rebuild makes of them what is there."""
    home = unpacked(schema, tmp_path / "home")
    lines = sum(path.read_bytes().count(b"\n") for path in (home / "journal").rglob("*.jsonl"))

    with open_memory(home, user) as memory:
        before = (authored(memory), kept(memory))
        assert memory.store.events.count("ana") == lines
        assert memory.rebuild().events == lines
        assert (authored(memory), kept(memory)) == before


@pytest.mark.parametrize("schema", [schema for schema in SCHEMAS if schema >= 5])
def test_dreams_go_on_where_they_were(schema: int, tmp_path: Path, user: Path) -> None:
    """What waited is dreamt of, what was dreamt of is not dreamt of again, and the last dream can be taken back."""
    home = unpacked(schema, tmp_path / "home")

    with open_memory(home, user) as memory:
        report = memory.dream().report
        assert (report.status, [each.session for each in report.sessions]) == (RunStatus.COMPLETED, ["waits"])
        assert memory.dream().report.changes == ()
        assert memory.dreams.undo(report.run)
        assert memory.doctor().is_healthy


@pytest.mark.parametrize("schema", [schema for schema in SCHEMAS if schema >= 5])
def test_a_snapshot_of_then_is_restored(schema: int, tmp_path: Path, user: Path) -> None:
    """The drill with a snapshot that an earlier version made: checked, put back, and asked."""
    home = unpacked(schema, tmp_path / "home")
    shutil.move(home / "snapshots" / "old", tmp_path / "old")
    with open_memory(home, user) as memory:
        before = (said(memory), answers(memory), authored(memory), kept(memory))

    Memory.restore(tmp_path / "old", tmp_path / "elsewhere")

    with open_memory(tmp_path / "elsewhere", user) as memory:
        assert (said(memory), answers(memory), authored(memory), kept(memory)) == before
        assert memory.doctor().is_healthy


@pytest.mark.parametrize("upto", [number for number in range(9, newest_schema()) if number not in SCHEMAS])
def test_schemas_between(upto: int, tmp_path: Path, user: Path) -> None:
    """A database that stopped at a migration of which no memory was kept is brought on just the same."""
    home = unpacked(8, tmp_path / "home")
    connection = apsw.Connection(str(home / "noctuary.db"))
    for migration in sorted(MIGRATIONS.glob("[0-9]*.sql")):
        if 8 < int(migration.name[:4]) <= upto:
            connection.execute(migration.read_text())
    connection.execute(f"pragma user_version = {upto}")
    connection.close()

    with open_memory(home, user) as memory:
        assert memory.doctor().is_healthy
        assert said(memory)


def test_a_newer_memory_is_left_alone_also_after_a_crash(tmp_path: Path, user: Path) -> None:
    """A log that a newer version left when it was killed is not even tidied away: no byte is another one."""
    home = tmp_path / "home"
    open_memory(home, user).close()
    connection = apsw.Connection(str(home / "noctuary.db"))
    connection.execute("pragma user_version = 999; create table news (x); insert into news values (1)")
    shutil.copytree(home, tmp_path / "crashed")  # the log is not empty
    connection.close()
    before = contents(tmp_path / "crashed")
    assert before["noctuary.db-wal"]

    with pytest.raises(StoreTooNew):
        open_memory(tmp_path / "crashed", user)

    assert contents(tmp_path / "crashed") == before


def contents(home: Path) -> dict[str, bytes]:
    """All files but the memory that processes share, which whoever looks at a log makes again."""
    return {path.name: path.read_bytes() for path in home.iterdir() if path.is_file() and path.suffix != ".db-shm"}


@contextmanager
def restored_server(schema: int) -> Iterator[str]:
    """The address of a database as an earlier schema left it."""
    with databases.new_database() as url:
        dump = lzma.decompress((FIXTURES / f"server-{schema:02}.sql.xz").read_bytes())
        with psycopg.connect(as_superuser(url), autocommit=True) as connection:
            connection.execute("drop schema noctuary cascade")
            connection.execute("create extension if not exists btree_gin")  # which a dump of a whole database has
            connection.execute(dump)
            assert connection.execute("select version from noctuary.schema_version").fetchall() == [(schema,)]
        yield url


def as_superuser(url: str) -> str:
    """The address for one whom no rules of rows keep from anything."""
    return url.replace("//noctuary@", "//postgres@")


@pytest.fixture(params=ON_SERVERS)
def old_server(request: pytest.FixtureRequest) -> Iterator[str]:
    """A database of each schema of which one was kept."""
    with restored_server(request.param) as url:
        yield url


@pytest.mark.slow
def test_a_server_of_each_schema(old_server: str, tmp_path: Path, user: Path, todays: dict[int, Path]) -> None:
    """What was kept on a PostgreSQL server of an earlier schema is there today, and answers alike."""
    with open_memory(tmp_path / "home", user, old_server) as memory, open_memory(todays[5], user) as fresh:
        assert said(memory) == said(fresh)
        assert authored(memory) == authored(fresh)
        assert memory.verify_journals() == []
        assert memory.doctor().is_healthy
        assert memory.import_transcripts().messages == 0
        assert memory.dream().report.status is RunStatus.COMPLETED


@pytest.mark.slow
@pytest.mark.parametrize(
    "upto", [n for n in (int(path.name[:4]) for path in SERVER_MIGRATIONS) if n > ON_SERVERS[0] and n not in ON_SERVERS]
)
def test_server_schemas_between(upto: int, tmp_path: Path, user: Path) -> None:
    """Tables that stopped at a migration of which none were kept are brought on just the same."""
    begun = max(schema for schema in ON_SERVERS if schema < upto)
    with restored_server(begun) as url:
        due = [path for path in SERVER_MIGRATIONS if begun < int(path.name[:4]) <= upto]
        for sql in (*(path.read_text() for path in due), f"update schema_version set version = {upto}"):
            databases.change_behind(url, sql)

        with open_memory(tmp_path / "home", user, url) as memory:
            assert memory.doctor().is_healthy
            assert said(memory)
            assert memory.import_transcripts().messages == 0
        with psycopg.connect(url) as connection:
            found = connection.execute("select version from noctuary.schema_version").fetchall()
        assert found == [(newest_version(),)]


@pytest.mark.slow
def test_a_newer_server_is_left_alone(tmp_path: Path, user: Path) -> None:
    """Tables of a later version are refused, with what to do, and nothing in the database is another thing."""
    with restored_server(ON_SERVERS[-1]) as url:
        databases.change_behind(url, "update schema_version set version = 999")
        databases.change_behind(url, "create table news (x bigint)")
        before = dumped(url)
        with pytest.raises(StoreTooNew, match=r"999.*Upgrade"):
            open_server_store(url, "ana")
        with pytest.raises(StoreTooNew, match=r"999.*Upgrade"):
            open_memory(tmp_path / "home", user, url)
        assert dumped(url) == before
    assert not (tmp_path / "home").exists()


def dumped(url: str) -> list[str]:
    """All of a database, as statements."""
    command = ["pg_dump", "--inserts", as_superuser(url)]
    done = subprocess.run(command, check=True, capture_output=True, text=True)
    return [line for line in done.stdout.splitlines() if not line.startswith("\\")]  # which are drawn each time
