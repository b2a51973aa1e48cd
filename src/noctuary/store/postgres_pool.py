"""Connections to PostgreSQL servers: one pool for each in this process, and what is done about one that is away."""

import logging
import os
import select
from functools import cached_property
from threading import Lock
from time import monotonic
from typing import Any

import psycopg
from psycopg.conninfo import conninfo_to_dict
from psycopg.types.numeric import FloatLoader
from psycopg_pool import ConnectionPool, PoolTimeout

from noctuary.store.database import Row
from noctuary.store.postgres_tables import MEMBER, SCHEMA

MOST_CONNECTIONS = 20
_IDLE_SECONDS = 60.0
_SURELY_SECONDS = 1.0  # so long a connection that worked is taken to work
_LOOK_SECONDS = 0.5  # so long the pool is waited for before it is asked whether it can connect at all
# Unless its address says something else; a server whose machine is gone says nothing, and would be waited for for hours
_PATIENCE = {
    "connect_timeout": 10,
    "keepalives_idle": 30,
    "keepalives_interval": 10,
    "keepalives_count": 3,
    "tcp_user_timeout": 30_000,
    "application_name": "noctuary",
}


class Connection(psycopg.Connection[Row]):
    """A connection that knows whose rows it sees."""

    owner: str | None = None
    used_at = 0.0  # by a clock that only goes on

    @cached_property
    def own_cursor(self) -> psycopg.Cursor[Row]:
        """One for all queries whose rows are read at once: to make another costs as much as a query."""
        return self.cursor()


class Pool(ConnectionPool[Connection]):
    """Connections to one server."""

    def __init__(self, url: str) -> None:
        self.url = url
        self._failed_at = 0.0  # when no connection could be made; by a clock that only goes on
        self._lent: set[Connection] = set()
        super().__init__(
            url,
            connection_class=Connection,
            kwargs={"autocommit": True, **_patience(url)},
            configure=_configure,
            min_size=0,
            max_size=MOST_CONNECTIONS,
            max_idle=_IDLE_SECONDS,
            reconnect_timeout=0.0,  # or it would try ever less often, and everybody wait when the server is back
            open=True,
            name="noctuary",
        )

    def reconnect_failed(self) -> None:
        """Be told that no connection could be made."""
        self._failed_at = monotonic()

    def putconn(self, conn: Connection) -> None:
        """Take a connection back."""
        self._lent.discard(conn)
        super().putconn(conn)

    def taken(self, most_seconds: float) -> Connection:
        """A connection that is there; those that the server ended, all at once when it was started again, are dropped.

        Not by the pool's own check, which waits longer after each that is gone.
        """
        connection = self._free(most_seconds)
        while not _is_there(connection):
            connection.close()
            self.putconn(connection)
            connection = self._free(most_seconds)
        return connection

    def _free(self, most_seconds: float) -> Connection:
        """One that is free, as soon as there is one; if none can be made and none comes back, what is wrong is raised.

        While others have some, one will come back: a server that has no room for more of them is not away.
        """
        began = monotonic()
        while True:
            try:
                connection = self.getconn(_LOOK_SECONDS)
            except PoolTimeout:
                if self._failed_at >= began and not self._lent:
                    connect(self.url).close()  # the server may be back by now
                if monotonic() - began >= most_seconds:
                    raise
            else:
                self._lent.add(connection)
                return connection


class _Sums(FloatLoader):
    """Sums of integers are of a type of any length; they are integers again."""

    def load(self, data: Any) -> Any:
        return int(bytes(data)) if b"." not in bytes(data) else super().load(data)


class Pools:
    """One pool for each address in this process, closed when nobody uses it any more."""

    def __init__(self) -> None:
        self._lock = Lock()
        self._pools: dict[str, tuple[Pool, int]] = {}
        self._spare: dict[str, Connection] = {}  # one for each address, of whoever held a lock last

    def take(self, url: str) -> Pool:
        """The pool of the address; whoever takes it gives it back."""
        with self._lock:
            pool, users = self._pools.get(url) or (Pool(url), 0)
            self._pools[url] = pool, users + 1
        return pool

    def give_back(self, url: str) -> None:
        """Close the pool if this was its last user."""
        with self._lock:
            pool, users = self._pools.pop(url)
            if users > 1:
                self._pools[url] = pool, users - 1
                return
            spare = self._spare.pop(url, None)
        pool.close()
        if spare is not None:
            spare.close()

    def take_alone(self, url: str) -> Connection:
        """A connection for a lock, outside of the pool: whoever holds one for hours keeps nobody from asking."""
        with self._lock:
            spare = self._spare.pop(url, None)
        if spare is not None and _is_there(spare):
            return spare
        if spare is not None:
            spare.close()
        return connect(url)

    def keep_alone(self, url: str, connection: Connection) -> None:
        """Keep it for the next lock: to make another costs the server as much as to look for what to dream."""
        connection.used_at = monotonic()
        with self._lock:
            if url in self._pools and url not in self._spare:
                self._spare[url] = connection
                return
        connection.close()

    def forget(self) -> None:
        """Know of no pool: a connection belongs to the process that opened it."""
        self._lock, self._pools, self._spare = Lock(), {}, {}


# What the pool or a connection could not do is raised by whoever asked for it.  Nobody who has set up no log is told it
# among what a command prints, with names and addresses.
logging.getLogger("psycopg").addHandler(logging.NullHandler())

POOLS = Pools()
os.register_at_fork(after_in_child=POOLS.forget)


def connect(url: str) -> Connection:
    """A connection outside of any pool."""
    return Connection.connect(url, autocommit=True, **_patience(url))


def _patience(url: str) -> dict[str, Any]:
    """How long a server is waited for that does not answer, as far as its address does not say that itself."""
    said = conninfo_to_dict(url)
    return {name: value for name, value in _PATIENCE.items() if name not in said}


def _is_there(connection: Connection) -> bool:
    """Whether a connection works, as the server may have been started again.

    One that worked just now is not asked, unless it has something to say: then the server says that it goes.
    """
    if monotonic() - connection.used_at <= _SURELY_SECONDS and not _is_speaking(connection.fileno()):
        return True
    try:
        ConnectionPool.check_connection(connection)
    except psycopg.OperationalError:
        return False
    return True


def _is_speaking(socket: int) -> bool:
    poll = select.poll()
    poll.register(socket, select.POLLIN)
    return bool(poll.poll(0))


def _configure(connection: Connection) -> None:
    connection.execute(f"set role {MEMBER}")
    connection.execute(f"set search_path = {SCHEMA}")
    connection.adapters.register_loader("numeric", _Sums)
