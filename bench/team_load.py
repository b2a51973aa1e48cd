"""Thirty-two clients at a real `noctuary serve`: messages appended, searched for and sessions completed, then counted.

With kills, the server, the dream worker and the database are killed at random while the clients go on; a client that
got no answer asks again with the same idempotency key, as its authors would have it do.
"""

import http.client
import json
import os
import random
import signal
import subprocess
import sys
import tempfile
import threading
import time
from collections import Counter
from collections.abc import Callable
from pathlib import Path
from typing import Any, NamedTuple

CLIENTS, OWNERS = 32, 4
_PAUSE = 0.01  # seconds between two requests of a client
_WORDS = ("redis", "invoice", "timeout", "checkout", "cache", "deploy", "webhook", "retry", "token", "queue")
_PATIENCE = 60.0  # seconds that a client asks again before it calls it an error
_ASK_AGAIN = {409, 429, 500, 502, 503, 504}


class Counted(NamedTuple):
    """What a client saw."""

    seconds: dict[str, list[float]]
    acknowledged: dict[str, list[str]]  # contents, by session
    errors: list[str]


class Server:
    """A `noctuary serve` on a free port of this machine, which can be killed and comes back at the same port."""

    def __init__(self, home: Path, url: str | None, owner: str = "load") -> None:
        self.home = home
        self._options = ["--home", str(home), "--owner", owner, *(["--database", url] if url else [])]
        home.mkdir(parents=True, exist_ok=True)
        (home / "config.toml").write_text("[server]\nrequests_per_minute = 1000000\n", encoding="utf-8")
        self.port, self.page = 0, ""  # the page is the address that lets its owner in
        self.process = self._start()

    def _start(self) -> "subprocess.Popen[str]":
        command = [sys.executable, "-m", "noctuary", "serve", *self._options, "--json", "--port", str(self.port)]
        process = subprocess.Popen(command, stdout=subprocess.PIPE, stderr=subprocess.DEVNULL, text=True)
        said = ""
        while process.stdout and (line := process.stdout.readline()):
            said += line
            if line.startswith("}"):
                break
        if not said:
            raise SystemExit("the server did not start")
        told = json.loads(said)
        self.port, self.page = int(told["address"].rstrip("/").rpartition(":")[2]), str(told["page"])
        return process

    def key(self, owner: str) -> str:
        """A key of an owner, for all that clients do."""
        command = [sys.executable, "-m", "noctuary", "key", "make", "load", *self._options, "--owner", owner, "--json"]
        scopes = [part for scope in ("read", "write", "dream") for part in ("--scope", scope)]
        made = subprocess.run([*command, *scopes], check=True, capture_output=True, text=True)
        return str(json.loads(made.stdout)["key"])

    def kill_and_start(self) -> None:
        """Kill it without a word, and start another."""
        self.process.kill()
        self.process.wait()
        self.process = self._start()

    def rss_mb(self) -> float:
        """Megabytes that it holds now."""
        status = Path(f"/proc/{self.process.pid}/status").read_text(encoding="ascii")
        return int(status.partition("VmRSS:")[2].split()[0]) / 1024

    def stop(self) -> int:
        """Ask it to end; its exit code."""
        self.process.send_signal(signal.SIGTERM)
        return self.process.wait(timeout=60)


class Client:
    """One of many: appends to sessions of its own, searches, completes."""

    def __init__(self, number: int, port: int, key: str, until: float) -> None:
        self.number = number
        self._port, self._key, self._until = port, key, until
        self._chance = random.Random(number)
        self._connection: http.client.HTTPConnection | None = None
        self.seen = Counted({}, {}, [])

    def run(self) -> None:
        """Go on until the time is over."""
        turn = 0
        while time.monotonic() < self._until:
            session = f"client-{self.number}-{turn // 20}"
            if turn % 20 == 0:
                self._ask("ensure", "PUT", f"/sessions/{session}", {"agent": "bench", "project": "/bench"})
            content = f"{self.number}/{turn} {' '.join(self._chance.choices(_WORDS, k=12))} unique{self.number}x{turn}"
            body = {"messages": [{"role": "user", "content": content}]}
            if self._ask("append", "POST", f"/sessions/{session}/messages", body):
                self.seen.acknowledged.setdefault(session, []).append(content)
            if turn % 3 == 0:
                self._ask("search", "GET", f"/search/sessions?q={'+'.join(self._chance.choices(_WORDS, k=2))}", None)
            if turn % 20 == 19:
                self._ask("complete", "POST", f"/sessions/{session}/complete", None)
            turn += 1
            time.sleep(_PAUSE)

    def _ask(self, what: str, method: str, path: str, body: Any) -> bool:
        """Whether it was done; asked again, with the same key, as long as nobody says yes or no."""
        headers = {"Authorization": f"Bearer {self._key}", "Content-Type": "application/json"}
        if method == "POST":
            headers["Idempotency-Key"] = f"{self.number}-{self._chance.getrandbits(64):x}"
        payload = None if body is None else json.dumps(body)
        start, give_up = time.perf_counter(), time.monotonic() + _PATIENCE
        why = ""
        while time.monotonic() < give_up:
            status, why = self._once(method, path, payload, headers)
            if 200 <= status < 300:
                self.seen.seconds.setdefault(what, []).append(time.perf_counter() - start)
                return True
            if status and status not in _ASK_AGAIN:
                break
            time.sleep(0.1)
        self.seen.errors.append(f"{what}: {why}")
        return False

    def _once(self, method: str, path: str, payload: str | None, headers: dict[str, str]) -> tuple[int, str]:
        try:
            if self._connection is None:
                self._connection = http.client.HTTPConnection("127.0.0.1", self._port, timeout=30)
            self._connection.request(method, f"/api/v1{path}", payload, headers)
            answer = self._connection.getresponse()
            text = answer.read().decode("utf-8", "replace")
        except (OSError, http.client.HTTPException) as error:
            self._connection = None
            return 0, f"{type(error).__name__}: {error}"
        return answer.status, f"{answer.status} {text[:200]}"

    def stored(self, session: str) -> list[str]:
        """The contents that the server has of a session, page by page."""
        headers = {"Authorization": f"Bearer {self._key}"}
        found: list[str] = []
        cursor = ""
        while True:
            status, why = 0, ""
            connection = http.client.HTTPConnection("127.0.0.1", self._port, timeout=60)
            connection.request("GET", f"/api/v1/sessions/{session}/messages?limit=100{cursor}", None, headers)
            answer = connection.getresponse()
            status, why = answer.status, answer.read().decode()
            connection.close()
            if status != 200:
                return found
            page = json.loads(why)
            found += [message["content"] for message in page["items"]]
            if not page.get("next"):
                return found
            cursor = f"&cursor={page['next']}"


def load(url: str | None, seconds: float, trouble: "Callable[[Server, float], int] | None" = None) -> dict[str, Any]:
    """Let the clients work for so long, with trouble if any is given; what was seen and what is there afterwards."""
    with tempfile.TemporaryDirectory() as folder:
        server = Server(Path(folder), url)
        run = f"{os.getpid()}-{time.time_ns()}"
        keys = [server.key(f"owner-{number}-{run}") for number in range(OWNERS)]
        until = time.monotonic() + seconds
        clients = [Client(number, server.port, keys[number % OWNERS], until) for number in range(CLIENTS)]
        threads = [threading.Thread(target=client.run) for client in clients]
        sizes: list[float] = []
        for thread in threads:
            thread.start()
        kills = trouble(server, until) if trouble else _watch(server, until, sizes)
        for thread in threads:
            thread.join()
        lost, doubled, foreign = _compared(clients)
        code = server.stop()
    return {
        **_latencies(clients),
        "acknowledged": sum(len(each) for client in clients for each in client.seen.acknowledged.values()),
        "errors": sum(len(client.seen.errors) for client in clients),
        "first_errors": [error for client in clients for error in client.seen.errors][:3],
        "lost": lost,
        "doubled": doubled,
        "foreign": foreign,
        "kills": kills,
        "rss_growth": round(_growth(sizes), 3) if sizes else None,
        "rss_mb": round(sizes[-1], 1) if sizes else None,
        "exit_code": code,
    }


def _watch(server: Server, until: float, sizes: list[float]) -> int:
    while time.monotonic() < until:
        time.sleep(1)
        sizes.append(server.rss_mb())
    return 0


def _growth(sizes: list[float]) -> float:
    """How much larger it is at the end than when it had warmed up, in the second quarter."""
    quarter = max(1, len(sizes) // 4)
    early, late = sizes[quarter : 2 * quarter] or sizes[:1], sizes[-quarter:]
    return (sum(late) / len(late)) / (sum(early) / len(early))


def _compared(clients: list[Client]) -> tuple[int, int, int]:
    """Messages that were acknowledged and are not there, that are there more than once, and that nobody sent."""
    lost = doubled = foreign = 0
    for client in clients:
        sent = {content for contents in client.seen.acknowledged.values() for content in contents}
        for session, contents in client.seen.acknowledged.items():
            there = Counter(client.stored(session))
            lost += sum(content not in there for content in contents)
            doubled += sum(count - 1 for count in there.values())
            foreign += sum(not content.startswith(f"{client.number}/") for content in there if content not in sent)
    return lost, doubled, foreign


def _latencies(clients: list[Client]) -> dict[str, Any]:
    seen: dict[str, list[float]] = {}
    for client in clients:
        for what, seconds in client.seen.seconds.items():
            seen.setdefault(what, []).extend(seconds)
    every = sorted(second for seconds in seen.values() for second in seconds)
    told: dict[str, Any] = {"requests": len(every)}
    for name, seconds in {"all": every, **seen}.items():
        ordered = sorted(seconds)
        told[f"{name}_p50_ms"] = round(1000 * ordered[len(ordered) // 2], 1)
        told[f"{name}_p99_ms"] = round(1000 * ordered[len(ordered) * 99 // 100], 1)
    told["p99_over_p50"] = round(told["all_p99_ms"] / told["all_p50_ms"], 1)
    return told


def kills_of(worker: "Callable[[Path], subprocess.Popen[bytes]]", database: "Callable[[], None] | None") -> Any:
    """Trouble: the server, a dream worker and the database, killed at random."""

    def trouble(server: Server, until: float) -> int:
        chance, kills, dreaming = random.Random(11), 0, worker(server.home)
        while time.monotonic() < until - 5:
            time.sleep(chance.uniform(1.0, 4.0))
            victim = chance.choice(["server", "worker", *(["database"] if database else [])])
            if victim == "server":
                server.kill_and_start()
            elif victim == "worker":
                dreaming.kill()
                dreaming.wait()
                dreaming = worker(server.home)
            elif database:
                database()
            kills += 1
        dreaming.kill()
        dreaming.wait()
        return kills

    return trouble
