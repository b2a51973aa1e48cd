"""Cut the connection to PostgreSQL, or kill it, at every statement: `python -m tests.faults.cutting VERB FAULT`.

A relay stands between the memory and the server and counts the statements that pass.  At one of them it ends the
connection, before the server has heard the statement or when it has answered and nobody hears that; or it kills the
server, which is started again at once, as whoever runs one lets it be, while the verb waits for it or gives up.  What
is left must be as `enumerating` asks of files.
"""

import argparse
import json
import select
import shutil
import socket
import struct
import sys
import tempfile
import threading
from collections import Counter
from collections.abc import Iterator
from contextlib import contextmanager, suppress
from enum import StrEnum
from pathlib import Path
from time import sleep
from typing import NamedTuple

from noctuary.errors import NoctuaryError
from noctuary.store import open_server_store
from tests import postgres_server
from tests.faults import knowing
from tests.faults.copy_verbs import ON_SERVERS
from tests.faults.enumerating import MOST_FAILURES, Counts, differences, shown
from tests.faults.night_verbs import NIGHT_VERBS
from tests.faults.verbs import VERBS, Verb
from tests.postgres_server import NoServer, Server

CUT_VERBS = {
    **{name: VERBS[name] for name in ("append", "note", "import")},
    **{name: NIGHT_VERBS[name] for name in ("dream", "forget")},
    **ON_SERVERS,
}
_SOCKET = ".s.PGSQL.5432"
_STATEMENTS = b"QE"  # a query, and the execution of a prepared one
_LENGTH = struct.Struct("!I")
_DURABLE = ("synchronous_commit", "full_page_writes")  # as usual: other tests do without
_ANSWER_SECONDS = 0.2  # that the server has for what was sent last
_STARTS = 100  # that may fail before the next is the last


class Cut(StrEnum):
    """What ends, and when."""

    BEFORE = "before"  # the connection, and the server has not heard of the statement
    AFTER = "after"  # the connection, when the server has done it and nobody hears of that
    SERVER = "server"  # the server, killed


class Relay:
    """A socket in a folder of its own, where the server seems to be."""

    def __init__(self, server: Server, folder: Path) -> None:
        self.server = server
        self.folder = folder
        self.at, self.cut, self.passed = 0, Cut.BEFORE, 0
        self.starting: threading.Thread | None = None  # the server, again
        self._listening = socket.socket(socket.AF_UNIX)
        self._listening.bind(str(folder / _SOCKET))
        self._listening.listen(100)
        threading.Thread(target=self._serve, daemon=True).start()

    def url(self, database: str) -> str:
        """How to connect to a database through it."""
        return f"postgresql://{postgres_server.ROLE}@/{database}?host={self.folder}"

    def arm(self, at: int, cut: Cut) -> None:
        """Cut at the statement with this number; 0 is never."""
        self.at, self.cut, self.passed = at, cut, 0

    def _serve(self) -> None:
        while True:
            client, _ = self._listening.accept()
            threading.Thread(target=self._relay, args=(client,), daemon=True).start()

    def _relay(self, client: socket.socket) -> None:
        with client, socket.socket(socket.AF_UNIX) as server, suppress(OSError):
            server.connect(str(self.server.folder / _SOCKET))
            reader = _Messages()
            while True:
                ready, _, _ = select.select([client, server], [], [])
                if server in ready:
                    _passed_on(server, client)
                if client in ready and self._is_over(client, server, reader):
                    return

    def _is_over(self, client: socket.socket, server: socket.socket, reader: "_Messages") -> bool:
        """Pass on what the client says; whether the connection ends with it."""
        data = client.recv(1 << 20)
        if not data:
            return True
        for message, kind in reader.read(data):
            self.passed += kind in _STATEMENTS
            if kind in _STATEMENTS and self.passed == self.at:
                self._strike(message, server, data)
                return True
            server.sendall(message)
        return False

    def _strike(self, message: bytes, server: socket.socket, data: bytes) -> None:
        if self.cut is Cut.SERVER:
            postgres_server.kill(self.server)
            self.starting = threading.Thread(target=_start_again, args=(self.server,))
            self.starting.start()
        elif self.cut is Cut.AFTER:
            server.sendall(data[data.index(message) :])  # with what was said in the same breath
            while select.select([server], [], [], _ANSWER_SECONDS)[0] and server.recv(1 << 20):
                pass


class _Messages:
    """What a client says, message by message."""

    def __init__(self) -> None:
        self._rest = b""
        self._is_first = True

    def read(self, data: bytes) -> Iterator[tuple[bytes, bytes]]:
        """Whole messages and their kinds; the first of a connection has none."""
        self._rest += data
        while True:
            start = 0 if self._is_first else 1
            if len(self._rest) < start + 4:
                return
            size = start + _LENGTH.unpack_from(self._rest, start)[0]
            if len(self._rest) < size:
                return
            message, self._rest = self._rest[:size], self._rest[size:]
            yield message, message[:start] or b"-"
            self._is_first = False


def _passed_on(one: socket.socket, other: socket.socket) -> None:
    data = one.recv(1 << 20)
    if not data:
        raise ConnectionResetError
    other.sendall(data)


class FailedBefore(Exception):
    """A verb failed by itself, before anything was cut."""


class Trial(NamedTuple):
    """One verb, on a server."""

    verb: Verb
    root: Path
    relay: Relay
    acknowledged: knowing.Known  # when the verb has returned
    expected: knowing.Known

    def renew(self) -> None:
        """Let the database be as it was at first."""
        _copy_database(self.relay.server, "prepared", "run")
        shutil.rmtree(self.root)
        shutil.copytree(self.root.with_name("prepared"), self.root)

    def disturb(self, at: int, cut: Cut) -> int | None:
        """Act with a cut at the statement; how many steps were said to be done, None if it was not reached.

        FailedBefore if it was not reached because the verb failed by itself.
        """
        steps, failed = 0, None

        def done() -> None:
            nonlocal steps
            steps += 1

        (self.root / knowing.SERVER).write_text(self.relay.url("run"))
        self.relay.arm(at, cut)
        try:
            self.verb.act(self.root, done)
        except (NoctuaryError, AssertionError) as error:
            failed = error
        is_reached = self.relay.passed >= at
        self.relay.arm(0, cut)
        if self.relay.starting is not None:
            self.relay.starting.join()
            self.relay.starting = None
        (self.root / knowing.SERVER).write_text(self.relay.server.url("run"))
        if failed is not None and not is_reached:
            raise FailedBefore(shown(failed)) from failed
        return steps if is_reached else None

    def wrong(self, steps: int) -> Iterator[tuple[str, str]]:
        """What is wrong with what was left."""
        try:
            with knowing.open_memory(self.root) as memory:
                if found := [str(each) for each in memory.verify_journals()]:
                    yield "broken", "; ".join(found)
            for number, holds in enumerate(self.verb.promised[:steps], 1):
                if not holds(self.root):
                    yield "lost", f"step {number} was acknowledged"
            if steps == len(self.verb.promised):
                known = knowing.known_in(self.root)
                yield from ((kind, f"acknowledged: {what}") for kind, what in differences(known, self.acknowledged))
            self.verb.complete(self.root)
            with knowing.open_memory(self.root) as memory:
                yield from differences(knowing.known(memory), self.expected)
                if found := knowing.problems(memory):
                    yield "broken", "; ".join(found)
        except Exception as error:  # noqa: BLE001 (whatever it is, it must not be)
            yield "incomplete", shown(error)


@contextmanager
def trial(verb: Verb) -> Iterator[Trial]:
    """The verb on a server that nobody else uses."""
    with tempfile.TemporaryDirectory(prefix="noctuary-cuts-") as folder:
        place = Path(folder)
        place.chmod(0o755)
        server = postgres_server.start(place / "server")
        try:
            for setting in _DURABLE:
                server.run(f"alter system set {setting} to on")
            server.run("select pg_reload_conf()")
            server.run(f"create database prepared owner {postgres_server.ROLE}")
            open_server_store(server.url("prepared"), "nobody").close()
            (place / "prepared").mkdir()
            (place / "prepared" / knowing.SERVER).write_text(server.url("prepared"))
            verb.prepare(place / "prepared")
            shutil.copytree(place / "prepared", place / "run")
            (place / "relay").mkdir()
            yield Trial(verb, place / "run", Relay(server, place / "relay"), *_undisturbed(verb, server, place))
        finally:
            postgres_server.remove(server.folder)


def _undisturbed(verb: Verb, server: Server, place: Path) -> tuple[knowing.Known, knowing.Known]:
    """What is known when it has returned, and what when it was completed."""
    _copy_database(server, "prepared", "run")
    (place / "run" / knowing.SERVER).write_text(server.url("run"))
    verb.act(place / "run", lambda: None)
    acknowledged = knowing.known_in(place / "run")
    verb.complete(place / "run")
    return acknowledged, knowing.known_in(place / "run")


def _copy_database(server: Server, old: str, new: str) -> None:
    server.run(f"drop database if exists {new} with (force)")
    server.run(f"create database {new} template {old} owner {postgres_server.ROLE}")
    server.run("checkpoint")  # a sequence that was copied gives numbers twice if the server is killed before the next


def _start_again(server: Server) -> None:
    """As soon as the killed one is gone with all that worked for it: until then another refuses to start."""
    for _ in range(_STARTS):
        with suppress(NoServer):
            postgres_server.start_again(server.folder)
            return
        sleep(_ANSWER_SECONDS)
    postgres_server.start_again(server.folder)


def every_statement(name: str, cut: Cut, *, first: int = 1, step: int = 1) -> Counts:
    """Cut at each statement of the verb, or at each so many from one on, so that several can share the work."""
    tally, examples = Counter[str](), list[str]()
    with trial(CUT_VERBS[name]) as tried:
        at, failures = first, 0
        while failures < MOST_FAILURES:
            tried.renew()
            try:
                steps = tried.disturb(at, cut)
            except FailedBefore as error:
                failures += 1
                tally["crashed"] += 1
                examples.append(f"{cut} {at}: failed before the cut: {error}"[:600])
                continue
            if steps is None:
                break
            found = list(tried.wrong(steps))
            tally.update({"points": 1, **dict.fromkeys((kind for kind, _ in found), 1)})
            examples += [f"{cut} {at}: {kind}: {detail}"[:600] for kind, detail in found]
            at += step
    numbers = {field: tally[field] for field in Counts._fields if field in tally}
    return Counts(name, cut, **numbers, states=tally["points"], examples=tuple(examples[:5]))


def main() -> None:
    """One verb and one kind of cut: counts as a line of JSON."""
    parser = argparse.ArgumentParser(description=(__doc__ or "").splitlines()[0])
    parser.add_argument("verb", choices=CUT_VERBS)
    parser.add_argument("fault", choices=list(Cut), type=Cut)
    parser.add_argument("--first", type=int, default=1)
    parser.add_argument("--step", type=int, default=1)
    given = parser.parse_args()
    json.dump(every_statement(given.verb, given.fault, first=given.first, step=given.step)._asdict(), sys.stdout)
    print()


if __name__ == "__main__":
    main()
