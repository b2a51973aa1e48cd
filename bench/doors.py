"""Doors for agents: what a hook costs, what it recalls, and whether it ends well whatever it is given.

    python bench/doors.py [--json] [--only NAME …] [--messages 200000] [--calls 10000] [--data FOLDER]

hook    CPU time of a hook over that of bare `python -c pass` of the same interpreter, in turns: by the command that is
        installed in agents (`python -I -S …/doors/hook/__main__.py`), and by the command `noctuary-hook`
recall  with `--data`, a folder with `home` and `gold` of coding sessions: how often what bears on a question cites the
        session that answers it, and how often nonsense finds something
storm   calls with valid, invalid, truncated, huge and hostile JSON, on memories in all kinds of trouble
mcp     what `bench/doors_mcp.py` measures

Install the package first; with a Python whose site-packages has little else, or bare `python` costs more than it must.
"""

import json
import os
import subprocess
import sys
import tempfile
from collections.abc import Iterator, Sequence
from pathlib import Path
from statistics import median
from typing import NamedTuple

import click

from hook_storm import storm
from made_up_sessions import PROJECT, Stories
from noctuary import Memory, bearing
from noctuary.agents.commands import Calls
from noctuary.app.briefing import write_brief_file
from noctuary.brief.recallable import entries

Measured = dict[str, float | int | str]
OWNER = "bench"
START_MS = 1_772_000_000_000
ROUNDS = 41
SCRIPT = Path(sys.executable).parent / "noctuary-hook"
NONSENSE = Path(__file__).parent / "nonsense" / "questions.txt"
SWITCHES = "[hooks]\nprompt_recall = true\n"


class Case(NamedTuple):
    """A process whose cost is measured."""

    name: str
    command: Sequence[str]
    content: bytes = b""


def filled(home: Path, messages: int) -> None:
    """A memory of so many messages, with decisions and rejections, and the brief of its project."""
    stories = Stories(1)
    with Memory.open(home, owner=OWNER) as memory:
        stored = 0
        with click.progressbar(length=messages, label="messages", file=sys.stderr) as bar:
            while stored < messages:
                session, said = stories.session(START_MS + stored * 1_000)
                memory.add_session(session, said)
                stored += len(said)
                bar.update(len(said))
        work = memory.work(PROJECT)
        for number in range(200):
            name = stories.name()
            work.remember(f"The {name} is kept at {number}, because it loses rows under load.")
        (home / "config.toml").write_text(SWITCHES, encoding="utf-8")
        write_brief_file(memory, "", PROJECT)


def hook_costs(messages: int) -> Measured:
    """Each kind of call, by both commands, over a bare interpreter."""
    with tempfile.TemporaryDirectory() as folder:
        home = Path(folder) / "memory"
        filled(home, messages)
        asked = (home / "briefs").glob("*.recall").__next__().read_bytes().rpartition(b"\t")[2].decode()
        seconds: dict[str, list[float]] = {}
        for number in range(ROUNDS):
            for case in _cases(asked, number):
                seconds.setdefault(case.name, []).append(_cpu_seconds(case, home))
        waiting = (home / "inbox" / "hooks.jsonl").read_bytes().count(b"\n")
    bare = seconds.pop("bare")
    measured: Measured = {"messages": messages, "rounds": ROUNDS, "bare_ms": round(1000 * min(bare), 2)}
    for name, each in seconds.items():
        measured[f"{name}_min"] = round(min(each) / min(bare), 2)
        measured[f"{name}_median"] = round(median(each) / median(bare), 2)
    return {**measured, "notes_left": waiting, "load": round(os.getloadavg()[0], 1)}


def _cases(asked: str, number: int) -> Iterator[Case]:
    commands = {"hook": Calls.by_this_python().hook("claude-code"), "script": [str(SCRIPT)]}
    events: dict[str, dict[str, object]] = {  # the start first: a note that waits would have it start a sweep
        "start": {"hook_event_name": "SessionStart", "source": "startup"},
        "prompt": {"hook_event_name": "UserPromptSubmit", "prompt": f"Why is it so? {asked}"},
        "stop": {"hook_event_name": "Stop", "stop_hook_active": False, "last_assistant_message": "Done. " * 300},
    }
    yield Case("bare", [sys.executable, "-c", "pass"])
    for event, fields in events.items():
        for name, command in commands.items():
            if name == "hook" or SCRIPT.exists():
                common = {"session_id": f"{name}-{number}", "cwd": PROJECT, "transcript_path": "/t/s.jsonl"}
                yield Case(f"{name}_{event}", command, json.dumps({**common, **fields}).encode())


def _cpu_seconds(case: Case, home: Path) -> float:
    """The CPU time of one process, which must end well, and say something if it is to."""
    if case.name.endswith("start"):
        (home / "inbox" / "hooks.jsonl").unlink(missing_ok=True)
    environ = {"HOME": str(home), "NOCTUARY_HOME": str(home), "PATH": os.environ["PATH"]}
    started = subprocess.Popen(case.command, stdin=subprocess.PIPE, stdout=subprocess.PIPE, env=environ)
    assert started.stdin
    assert started.stdout
    started.stdin.write(case.content)
    started.stdin.close()
    said = started.stdout.read()
    started.stdout.close()
    _, status, usage = os.wait4(started.pid, 0)
    started.returncode = status
    if status or (b"additionalContext" in said) != case.name.endswith(("start", "prompt")):
        raise click.ClickException(f"{case.name} said {said[:200]!r} and ended with {status}.")
    return usage.ru_utime + usage.ru_stime


def recalled(data: Path) -> Measured:
    """How often what is recalled for the gold questions is of the right session, after a dream."""
    with tempfile.TemporaryDirectory() as folder, Memory.open(folder, owner=OWNER, user_home=data / "home") as memory:
        memory.import_transcripts()
        memory.dream()
        sessions = memory.sessions(limit=10_000)
        projects = {session.project for session in sessions if session.project}
        known = {entry[0]: entry for project in sorted(projects) for entry in entries(memory.ledger, project)}
        names = {Path(session.source_path or "").stem: session.id for session in sessions}
    content = bearing.written(known.values())
    measured: Measured = {"entries": len(known)}
    for path in sorted((data / "gold").glob("*.json")):
        gold = json.loads(path.read_text(encoding="utf-8"))
        answering = names.get(Path(gold["file"]).stem)
        for question in gold["questions"]:
            hits = bearing.bearing_on(content, question["question"], session="")
            _add(measured, question["style"], 1, bool(hits), any(hit.session == answering for hit in hits))
    for line in NONSENSE.read_text(encoding="utf-8").splitlines():
        _add(measured, "nonsense", 1, bool(bearing.bearing_on(content, line, session="")))
    return measured


def _add(measured: Measured, style: str, *counts: int) -> None:
    for name, value in zip(("asked", "told", "right"), counts, strict=False):
        measured[f"{style}_{name}"] = int(measured.get(f"{style}_{name}", 0)) + value


def served() -> Measured:
    """What is measured of the MCP server."""
    command = [sys.executable, str(Path(__file__).with_name("doors_mcp.py")), "--json"]
    found: Measured = json.loads(subprocess.run(command, capture_output=True, check=True).stdout)
    return found


@click.command()
@click.option("--json", "as_json", is_flag=True)
@click.option("--only", type=click.Choice(["hook", "recall", "storm", "mcp"]), multiple=True)
@click.option("--messages", default=200_000, show_default=True, help="In the memory that hooks serve.")
@click.option("--calls", default=10_000, show_default=True, help="Of the storm.")
@click.option("--data", type=click.Path(path_type=Path, exists=True), help="Coding sessions: `home` and `gold`.")
def main(as_json: bool, only: tuple[str, ...], messages: int, calls: int, data: Path | None) -> None:
    """Measure and print."""
    parts = {
        "hook": lambda: hook_costs(messages),
        "recall": lambda: recalled(data) if data else {},
        "storm": lambda: storm(calls),
        "mcp": served,
    }
    found: dict[str, Measured] = {name: measure() for name, measure in parts.items() if not only or name in only}
    if as_json:
        click.echo(json.dumps(found, indent=2))
        return
    for name, each in found.items():
        for key, value in each.items():
            click.echo(f"{name:8}{key:32}{value}")


if __name__ == "__main__":
    main()
