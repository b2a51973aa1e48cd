"""A real PostgreSQL server for the tests: a cluster of its own, on a socket of its own, gone when the tests are over.

The folder is named by whoever starts the tests, and workers inherit the name; the first that needs the server starts
it, and the one that named the folder stops it.  Durability is off: what a kill leaves is tested with servers of their
own.  Whoever connects is an ordinary role, for a superuser would be above the rules of rows.
"""

import os
import pwd
import shutil
import signal
import subprocess
import tempfile
from collections.abc import Callable, Iterator, Mapping
from contextlib import contextmanager, suppress
from pathlib import Path
from time import sleep
from typing import NamedTuple
from uuid import uuid4

import psycopg

from noctuary.locks import lock_file

FOLDER = "NOCTUARY_TEST_POSTGRES"  # the variable that names the folder
NEEDED = "NOCTUARY_NEED_POSTGRES"  # if it is 1, or CI is true, tests fail where no server can be had
PGVECTOR = Path(__file__).parents[1] / ".venv" / "pgvector"  # where scripts/pgvector.py puts what it built
ROLE = "noctuary"
TEMPLATE = "noctuary_template"
_BEGINNING = "noctuary-pg-"
_SERVERS = ("postgres", "nobody")  # who may run the server if we are root, which it refuses
_QUICK = {
    "fsync": "off",
    "synchronous_commit": "off",
    "full_page_writes": "off",
    "autovacuum": "off",  # it would keep the template from being copied
    "max_connections": "200",
    "shared_buffers": "64MB",
    "jit": "off",
    "listen_addresses": "",  # the socket is enough, and no port can be taken
}


# Whoever is still connected is of the test before.  One that dies a moment later would die in the next test, so it is
# waited for; not by the server, which looks only ten times a second.
_END_OTHERS = """
select pg_terminate_backend(pid) from pg_stat_activity where datname = current_database() and pid <> pg_backend_pid()"""
_LOOK_AGAIN_SECONDS = 0.002
_EMPTY = """
do $$ declare name text;
begin
    for name in select tablename from pg_tables where schemaname = 'noctuary' and tablename <> 'schema_version' loop
        execute format('delete from noctuary.%I', name);
    end loop;
end $$;
select setval(format('noctuary.%I', sequencename)::regclass, start_value, false) from pg_sequences
where schemaname = 'noctuary' and last_value is not null"""


class NoServer(Exception):
    """No server can be had here, and why."""


class Server(NamedTuple):
    """A server that runs."""

    folder: Path  # with its socket

    def url(self, database: str, role: str = ROLE) -> str:
        """How to connect to one of its databases."""
        return f"postgresql://{role}@/{database}?host={self.folder}"

    def run(self, statement: str, database: str = "postgres", role: str = "postgres") -> list[tuple[object, ...]]:
        """What a statement gives; by default it is run as one who may do everything."""
        with psycopg.connect(self.url(database, role), autocommit=True) as connection:
            cursor = connection.execute(statement.encode())
            return cursor.fetchall() if cursor.description else []

    @property
    def pid(self) -> int:
        """The process of the server."""
        return int((self.folder / "data" / "postmaster.pid").read_text().split()[0])


def is_needed(environ: Mapping[str, str]) -> bool:
    """Whether a test without a server is a failure."""
    return environ.get(NEEDED) == "1" or environ.get("CI") == "true"


def name_folder() -> Path:
    """A folder for the server of these tests, noted for workers; servers that killed tests left behind are stopped."""
    for left in Path(tempfile.gettempdir()).glob(f"{_BEGINNING}*"):
        with suppress(ValueError, OSError):
            os.kill(int(left.name.split("-")[-2]), 0)
            continue
        remove(left)
    folder = Path(tempfile.gettempdir()) / f"{_BEGINNING}{os.getpid()}-{uuid4().hex[:6]}"
    os.environ[FOLDER] = str(folder)
    return folder


def start(folder: Path) -> Server:
    """A new server in this folder, which is made; NoServer says why there is none."""
    folder.mkdir(mode=0o755)
    binaries, user = _own_binaries(folder), _user()
    data = folder / "data"
    if user:
        shutil.chown(folder, user)
    _run(user, binaries / "initdb", "-D", data, "-U", "postgres", "-A", "trust", "-E", "UTF8", "--locale=C.UTF-8", "-N")
    with (data / "postgresql.conf").open("a") as settings:
        for name, value in {**_QUICK, "unix_socket_directories": str(folder)}.items():
            settings.write(f"{name} = '{value}'\n")
    return start_again(folder)


def start_again(folder: Path) -> Server:
    """The server in a folder where one was before; returns when it answers."""
    _run(
        _user(),
        _own_binaries(folder) / "pg_ctl",
        "-D",
        folder / "data",
        "-l",
        folder / "log",
        "-w",
        "-t",
        "60",
        "start",
    )
    server = Server(folder)
    if not server.run(f"select 1 from pg_roles where rolname = '{ROLE}'"):
        server.run(f"create role {ROLE} login createdb createrole")
    return server


def stop(folder: Path, how: str = "immediate") -> None:
    """Stop the server in a folder, if one runs there."""
    if (folder / "data" / "postmaster.pid").exists():
        with suppress(NoServer):
            _run(_user(), _own_binaries(folder) / "pg_ctl", "-D", folder / "data", "-m", how, "-w", "stop")


def kill(server: Server) -> None:
    """Kill the server as a power cut would: at once, with all that work for it."""
    os.kill(server.pid, signal.SIGKILL)


def remove(folder: Path) -> None:
    """Stop the server in a folder and remove all of it."""
    stop(folder)
    shutil.rmtree(folder, ignore_errors=True)
    folder.with_suffix(".lock").unlink(missing_ok=True)


def shared(prepare: Callable[[str], None]) -> Server:
    """The server of these tests, started by the first that asks; `prepare` makes the tables of the template."""
    folder = Path(os.environ[FOLDER])
    with _alone(folder.with_suffix(".lock")):
        server = Server(folder)
        if (folder / "failed").exists():
            raise NoServer((folder / "failed").read_text())
        if (folder / "ready").exists():
            return server
        try:
            server = start(folder)
            server.run(f"create database {TEMPLATE} owner {ROLE}")
            prepare(server.url(TEMPLATE))
        except NoServer as error:
            folder.mkdir(exist_ok=True)
            (folder / "failed").write_text(str(error))
            raise
        (folder / "ready").touch()
        return server


@contextmanager
def database(server: Server) -> Iterator[str]:
    """A database of its own, with empty tables; its address."""
    name = f"test_{uuid4().hex}"
    server.run(f"create database {name} template {TEMPLATE} owner {ROLE}")
    try:
        yield server.url(name)
    finally:
        server.run(f"drop database {name} with (force)")


@contextmanager
def emptying(url: str) -> Iterator[Callable[[], None]]:
    """How to remove every row of a database, which takes a tenth of the time that it takes to make another."""
    with psycopg.connect(url.replace(f"//{ROLE}@", "//postgres@"), autocommit=True) as connection:
        connection.execute("set session_replication_role = replica")  # no triggers

        def empty() -> None:
            while connection.execute(_END_OTHERS).rowcount:
                sleep(_LOOK_AGAIN_SECONDS)
            connection.execute(_EMPTY)

        yield empty


@contextmanager
def _alone(path: Path) -> Iterator[None]:
    handle = os.open(path, os.O_RDWR | os.O_CREAT, 0o600)
    try:
        lock_file(handle)
        yield
    finally:
        os.close(handle)


def _binaries() -> Path:
    """Where the programs of the newest PostgreSQL are."""
    known = sorted(Path("/usr/lib/postgresql").glob("*/bin/initdb"), key=lambda path: float(path.parts[-3]))
    found = known[-1] if known else shutil.which("initdb")
    if not found:
        raise NoServer("PostgreSQL is not installed (Debian: apt-get install postgresql)")
    return Path(found).parent


def _own_binaries(folder: Path) -> Path:
    """Those of a server in a folder: of the system or, if pgvector was built for the tests, copies that find it.

    Where a server looks for extensions it tells from where it is itself, so nothing has to be put into the system.
    """
    binaries = _binaries()
    version = binaries.parts[-2]
    built, own = PGVECTOR / version, folder / "programs"
    lib, share = Path("/usr/lib/postgresql") / version, Path("/usr/share/postgresql") / version
    if not (built / "vector.so").exists() or binaries != lib / "bin":
        return binaries
    if not own.exists():
        for place in (lib / "bin", lib / "lib", share / "extension"):
            _under(own, place).mkdir(parents=True)
        for name in ("postgres", "initdb", "pg_ctl"):
            shutil.copy(lib / "bin" / name, _under(own, lib / "bin"))
        for path in (*(lib / "lib").iterdir(), *share.iterdir(), *(share / "extension").iterdir()):
            if path != share / "extension":
                _under(own, path).symlink_to(path)
        shutil.copy(built / "vector.so", _under(own, lib / "lib"))
        for path in built.glob("vector*l"):
            shutil.copy(path, _under(own, share / "extension"))
    return _under(own, lib / "bin")


def _under(folder: Path, path: Path) -> Path:
    return folder / path.relative_to("/")


def _user() -> str | None:
    """As whom the server runs; None is as we do."""
    if os.getuid():
        return None
    for name in _SERVERS:
        with suppress(KeyError):
            return pwd.getpwnam(name).pw_name
    raise NoServer(f"root may not run PostgreSQL, and there is no user {' or '.join(_SERVERS)}")


def _run(user: str | None, *command: Path | str) -> None:
    whole = [*(["runuser", "-u", user, "--"] if user else []), *map(str, command)]
    try:
        done = subprocess.run(whole, stdout=subprocess.DEVNULL, stderr=subprocess.PIPE, text=True, cwd="/", check=False)
    except OSError as error:
        raise NoServer(f"{whole[0]} cannot be run: {error}") from error
    if done.returncode:
        raise NoServer(f"{' '.join(whole)} failed: {done.stderr.strip()}")
