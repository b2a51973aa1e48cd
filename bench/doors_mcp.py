"""What the MCP server costs, as ratios measured in the same run.

    python bench/doors_mcp.py [--json] [--rounds 5] [--calls 200]

`initialize` is the CPU of a server that answers `initialize` and `tools/list` and ends, over that of `python -c pass`;
`memory` is the resident memory of both at its height.  `call` is the CPU of one search through a server that runs
already, over the same search as a verb of `Memory` in this process; `ping` is what the protocol alone takes, over the
same.  Rounds take turns and medians are shown, so that a slow moment meets all of them.
"""

import json
import math
import os
import re
import subprocess
import sys
import tempfile
import time
from collections.abc import Callable, Sequence
from pathlib import Path
from statistics import median
from typing import Any, NamedTuple

import click

from noctuary import Memory
from noctuary.doors.mcp.keeper import Caller, Keeper, Serving
from noctuary.doors.mcp.verbs import call
from noctuary.settings import Settings

Measured = dict[str, float]
ROOT = Path(__file__).parents[1]
SAMPLES = ROOT / "samples" / "home"
QUESTION = {"query": "why did we drop redis?"}
ROUNDS, CALLS = 5, 200
_WAITS = "print(flush=True); input()"  # bare python that can be looked at
_HELLO = {"protocolVersion": "2025-06-18", "capabilities": {}, "clientInfo": {"name": "bench", "version": "1"}}


class Cost(NamedTuple):
    """What a process took."""

    cpu: float  # seconds
    resident: float  # megabytes, at its height


def run(command: Sequence[str], lines: Sequence[dict[str, Any]], environ: dict[str, str]) -> Cost:
    """Run a command to its end with these messages as its input, each answered before the next is sent."""
    process = subprocess.Popen(command, env=environ, stdin=subprocess.PIPE, stdout=subprocess.PIPE)
    assert process.stdin
    assert process.stdout
    for line in lines:
        process.stdin.write(json.dumps({"jsonrpc": "2.0", **line}).encode() + b"\n")
        process.stdin.flush()
        if "id" in line:
            process.stdout.readline()
    resident = _height(process.pid)
    process.stdin.close()
    _, status, usage = os.wait4(process.pid, 0)
    process.returncode = os.waitstatus_to_exitcode(status)
    process.stdout.close()
    assert process.returncode == 0, command
    return Cost(usage.ru_utime + usage.ru_stime, resident)


def _height(pid: int) -> float:
    """Resident memory at its height so far; what `wait4` says begins with that of the parent."""
    status = Path(f"/proc/{pid}/status")
    found = re.search(r"VmHWM:\s+(\d+) kB", status.read_text(encoding="utf-8")) if status.exists() else None
    return int(found[1]) / 1024 if found else math.nan


def session(requests: Sequence[tuple[str, dict[str, Any]]]) -> list[dict[str, Any]]:
    """The messages of a session: the handshake, and these requests."""
    first: list[dict[str, Any]] = [
        {"id": 0, "method": "initialize", "params": _HELLO},
        {"method": "notifications/initialized"},
    ]
    listed = {"id": 1, "method": "tools/list"}
    return [*first, listed, *({"id": 2 + n, "method": m, "params": p} for n, (m, p) in enumerate(requests))]


def measure(rounds: int = ROUNDS, calls: int = CALLS) -> Measured:
    """All of it."""
    with tempfile.TemporaryDirectory() as folder:
        home = Path(folder) / "memory"
        environ = {**os.environ, "NOCTUARY_HOME": str(home), "HOME": str(SAMPLES), "USER": "ana"}
        environ |= {"PYTHONPATH": str(ROOT / "src")}
        with Memory.open(home, owner="ana", user_home=SAMPLES) as memory:
            memory.import_transcripts()
        server = [sys.executable, "-m", "noctuary", "mcp"]
        searches = [("tools/call", {"name": "session_search", "arguments": QUESTION})] * calls
        runs: dict[str, list[Cost]] = {"bare": [], "waiting": [], "start": [], "ping": [], "search": []}
        verbs: list[float] = []
        for _ in range(rounds):
            runs["bare"].append(run([sys.executable, "-c", "pass"], [], environ))
            runs["waiting"].append(run([sys.executable, "-c", _WAITS], [{"id": 0}], environ))
            runs["start"].append(run(server, session([]), environ))
            runs["ping"].append(run(server, session([("ping", {})] * calls), environ))
            runs["search"].append(run(server, session([*searches[:1], *searches]), environ))
            verbs.append(_verb(home, calls))
        return _ratios(runs, _first_search(server, environ, rounds), median(verbs), calls)


def _first_search(server: Sequence[str], environ: dict[str, str], rounds: int) -> float:
    """CPU of a server that searches once: what is loaded and opened then is no part of a steady call."""
    once = session([("tools/call", {"name": "session_search", "arguments": QUESTION})])
    return median(run(server, once, environ).cpu for _ in range(rounds))


def _verb(home: Path, calls: int) -> float:
    """CPU seconds of one search, called without the protocol."""
    keeper = Keeper(Serving(Settings(home=home, owner="ana", user_home=SAMPLES, environ={}), folder=SAMPLES))
    try:
        search: Callable[[], object] = lambda: call(keeper, Caller("bench"), "session_search", QUESTION)  # noqa: E731
        search()
        begun = time.process_time()
        for _ in range(calls):
            search()
        return (time.process_time() - begun) / calls
    finally:
        keeper.close()


def _ratios(runs: dict[str, list[Cost]], once: float, verb: float, calls: int) -> Measured:
    cpu = {name: median(cost.cpu for cost in costs) for name, costs in runs.items()}
    resident = {name: median(cost.resident for cost in costs) for name, costs in runs.items()}
    searched = (cpu["search"] - once) / calls
    return {
        "initialize, CPU over bare python": cpu["start"] / cpu["bare"],
        "first search, CPU over bare python": once / cpu["bare"],
        "search, CPU over the verb": searched / verb,
        "ping, CPU over the verb": (cpu["ping"] - cpu["start"]) / calls / verb,
        "memory over bare python, initialize": resident["start"] / resident["waiting"],
        "memory over bare python, after searches": resident["search"] / resident["waiting"],
        "initialize, ms of CPU": cpu["start"] * 1000,
        "search, ms of CPU": searched * 1000,
        "resident, MB after searches": resident["search"],
    }


@click.command()
@click.option("--json", "as_json", is_flag=True, help="Print JSON.")
@click.option("--rounds", default=ROUNDS, show_default=True, help="How often each is run.")
@click.option("--calls", default=CALLS, show_default=True, help="Searches and pings in a session.")
def main(as_json: bool, rounds: int, calls: int) -> None:
    """Measure the MCP server."""
    measured = measure(rounds, calls)
    if as_json:
        click.echo(json.dumps(measured, indent=2))
        return
    for name, value in measured.items():
        click.echo(f"{name:<45} {value:8.2f}")


if __name__ == "__main__":
    main()
