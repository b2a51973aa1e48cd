"""Everybody at once on one memory, paced so that others on the machine hardly notice."""

import json
import os
import random
import resource
import subprocess
import sys
import threading
import time
import traceback
from collections import Counter
from collections.abc import Callable, Iterator
from contextlib import ExitStack, contextmanager
from itertools import cycle
from typing import Any, NamedTuple

from tests.soak import acknowledged
from tests.soak.acknowledged import Thing
from tests.soak.checking import check_living, check_resting
from tests.soak.clients import Storm, WebClient, talk_to_mcp, web_server
from tests.soak.ground import PATIENCE, Ground, wrong_with
from tests.soak.watching import Look, growth, growth_faults, left_behind, look_at, processes_of, stray_files
from tests.soak.writer import RESTING

WRITERS = ("transcripts", "transcripts", "sessions", "sessions", "notes", "notes", "tasks", "typing")
SLOW_WRITER = "typing"  # starts a process for all it does
ROUNDS = 3  # of checks while everybody works
_LOOKING_EVERY = 2.0


class Pauses(NamedTuple):
    """Seconds between two actions of the same one, on average."""

    writer: float = 4.0
    typing: float = 20.0
    storm: float = 20.0
    web: float = 4.0
    mcp: float = 5.0
    dream: float = 40.0
    upkeep: float = 45.0

    def times(self, factor: float) -> "Pauses":
        """The same, shorter or longer."""
        return Pauses(*(pause * factor for pause in self))


class Soak:
    """One run."""

    def __init__(self, ground: Ground, seconds: float, pauses: Pauses, *, rounds: int = ROUNDS) -> None:
        self.ground, self.seconds, self.pauses, self.rounds = ground, seconds, pauses, rounds
        self.faults: list[str] = []
        self.actions: Counter[str] = Counter()
        self.longest: dict[str, float] = {}
        self.looks: dict[str, list[Look]] = {}
        self._over = threading.Event()
        self._chance = random.Random("soak")

    def run(self) -> dict[str, Any]:
        """All of it; what was seen."""
        begun = time.monotonic()
        self.ground.make()
        try:
            with ExitStack() as everybody:
                self._start_all(everybody)
                self._check_rounds(begun)
                self._over.set()
        except Exception:  # noqa: BLE001 (whatever it is, it is what a run is for)
            self._broken("the soak")
        finally:
            self._over.set()
        self.faults += left_behind(self.ground.memory, PATIENCE)
        self._settle()
        self.faults += left_behind(self.ground.memory, PATIENCE)
        self.faults += stray_files(self.ground.memory, self.ground.temporary)
        return self._seen(time.monotonic() - begun)

    def _start_all(self, everybody: ExitStack) -> None:
        """Start whoever is part of it; each ends when the stack does, the servers last."""
        ground, pauses = self.ground, self.pauses
        process, address, token = everybody.enter_context(web_server(ground))
        pids = {"serve": process.pid}
        for number, kind in enumerate(WRITERS):
            pids[f"w{number} {kind}"] = everybody.enter_context(self._writer(number, kind))
        web = WebClient(address, token, ground.projects[1])
        everybody.callback(web.close)
        upkeep = cycle([("rebuild",), ("snapshot", "--keep", "2")])
        loops: dict[str, Callable[[], None]] = {
            "web": lambda: self._keep_at("web", web.act, pauses.web),
            "storm": lambda: self._keep_at("storm", Storm(ground).act, pauses.storm),
            "dream": lambda: self._keep_at("dream", lambda: self._command("dream"), pauses.dream),
            "upkeep": lambda: self._keep_at("upkeep", lambda: self._command(*next(upkeep)), pauses.upkeep),
            "mcp": lambda: talk_to_mcp(
                ground, lambda done: self._note("mcp", done), lambda took: self._rest("mcp", pauses.mcp, took)
            ),
            "watching": lambda: self._watch(pids),
        }
        for name, loop in loops.items():
            everybody.enter_context(self._thread(name, loop))

    @contextmanager
    def _writer(self, number: int, kind: str) -> Iterator[int]:
        """A writer that runs; it ends when its input does."""
        pause = self.pauses.typing if kind == SLOW_WRITER else self.pauses.writer
        name = f"w{number}"
        arguments = [kind, str(number), str(pause), str(self.ground.root)]
        with (self.ground.noted / name).open("w") as noted, (self.ground.heard / name).open("w") as heard:
            process = subprocess.Popen(
                [sys.executable, "-m", "tests.soak.writer", *arguments],
                env=self.ground.environ(),
                cwd=self.ground.user_home,
                stdin=subprocess.PIPE,
                stdout=noted,
                stderr=heard,
            )
        try:
            yield process.pid
        finally:
            process.communicate(timeout=PATIENCE)
            if process.returncode:
                self.faults.append(f"{name} {kind} ended with {process.returncode}")

    @contextmanager
    def _thread(self, name: str, loop: Callable[[], None]) -> Iterator[None]:
        """Something that goes on in a thread until all is over."""

        def guarded() -> None:
            try:
                loop()
            except Exception:  # noqa: BLE001 (or nobody would hear of it)
                self._broken(name)

        thread = threading.Thread(target=guarded, name=name)
        thread.start()
        try:
            yield
        finally:
            self._over.set()
            thread.join()

    def _keep_at(self, name: str, act: Callable[[], list[Thing]], pause: float) -> None:
        """Do it once, and then again and again."""
        is_on = True
        while is_on:
            begun = time.monotonic()
            self._note(name, act())
            is_on = self._rest(name, pause, time.monotonic() - begun)

    def _rest(self, name: str, pause: float, took: float) -> bool:
        """Wait, the longer the longer it took: on a busy machine everybody does less.  Whether it goes on."""
        self.longest[name] = max(took, self.longest.get(name, 0.0))
        return not self._over.wait(max(pause * self._chance.uniform(0.5, 1.5), RESTING * took))

    def _note(self, name: str, things: list[Thing]) -> None:
        self.actions[name] += 1
        with (self.ground.noted / name).open("a", encoding="utf-8") as file:
            acknowledged.write(file, things)

    def _command(self, *arguments: str) -> list[Thing]:
        if wrong := wrong_with(self.ground.run(*arguments)):
            self.faults.append(wrong)
        return []

    def _broken(self, name: str) -> None:
        self.faults.append(f"{name}: {traceback.format_exc().strip()}")

    def _check_rounds(self, begun: float) -> None:
        for number in range(1, self.rounds + 1):
            self._over.wait(max(0.0, begun + self.seconds * number / (self.rounds + 1) - time.monotonic()))
            self.faults += check_living(self.ground)
            self.actions["checks"] += 1
        self._over.wait(max(0.0, begun + self.seconds - time.monotonic()))

    def _watch(self, pids: dict[str, int]) -> None:
        """Look at those that live long, the MCP server among them."""
        while not self._over.wait(_LOOKING_EVERY):
            if "mcp" not in pids:
                running = processes_of(self.ground.memory).items()
                pids |= {line[-len("mcp") :]: pid for pid, line in running if line.endswith("noctuary mcp")}
            for name, pid in pids.items():
                if look := look_at(pid):
                    self.looks.setdefault(name, []).append(look)

    def _settle(self) -> None:
        """Let what is left be done by one, and look at everything once more."""
        try:
            for command in (("sweep",), ("import",), ("dream",)):
                self._command(*command)
            self.faults += check_resting(self.ground)
            self.faults += self._complaints()
        except Exception:  # noqa: BLE001 (or what was seen before would be lost)
            self._broken("the last look")
        for name, looks in self.looks.items():
            self.faults += growth_faults(name, growth(looks))

    def _complaints(self) -> Iterator[str]:
        """What processes wrote to their standard error, and sweeps to their log."""
        for path in sorted(self.ground.heard.iterdir()):
            for line in path.read_text("utf-8", "replace").splitlines():
                if path.name != "serve" or not _is_well(line):
                    yield f"{path.name} said: {line}"
        sweeps = self.ground.memory / "log" / "sweep.log"
        for line in sweeps.read_text("utf-8", "replace").splitlines() if sweeps.exists() else ():
            if "failed" in line.lower():
                yield f"a sweep said: {line}"

    def _seen(self, seconds: float) -> dict[str, Any]:
        noted = acknowledged.read(self.ground.noted)
        used = [resource.getrusage(who) for who in (resource.RUSAGE_SELF, resource.RUSAGE_CHILDREN)]
        cpu = sum(each.ru_utime + each.ru_stime for each in used)  # without sweeps, which outlive their hooks
        grown = {name: each for name, looks in self.looks.items() if (each := growth(looks))}
        return {
            "faults": self.faults,
            "seconds": round(seconds),
            "actions": dict(self.actions),
            "acknowledged": dict(Counter(thing.kind for thing in noted)),
            "longest_seconds": {name: round(took, 2) for name, took in self.longest.items()},
            "megabytes": {name: each.megabytes for name, each in grown.items()},
            "handles": {name: each.handles for name, each in grown.items()},
            "cpu_share": round(cpu / seconds, 3),
            "load": round(os.getloadavg()[0], 1),
        }


def _is_well(line: str) -> bool:
    """Whether a line of the server's log says nothing bad."""
    try:
        said = json.loads(line)
    except ValueError:
        return False
    return bool(said.get("level") == "info" and int(said.get("status", 200)) < 500)
