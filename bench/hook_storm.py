"""Hooks by the thousand, given whatever there is, on memories in all kinds of trouble.

Every call must exit with 0, print nothing or what is valid for its event, and end in time.  Times count from the start
of the process, so a machine that is busy shows in them.  Calls that were late only because they waited for a processor
(or we did) are counted apart, and the times of bare interpreters are told, too.
"""

import json
import os
import random
import shutil
import sqlite3
import subprocess
import sys
import tempfile
import time
from collections import Counter
from collections.abc import Iterator, Sequence
from concurrent.futures import ThreadPoolExecutor
from contextlib import ExitStack, contextmanager, suppress
from pathlib import Path
from subprocess import PIPE
from typing import Any, NamedTuple

import click

import noctuary
from noctuary import bearing, brief_file
from noctuary.doors.hook.events import AGENTS, NAMES

MAIN = Path(noctuary.__file__).parent / "doors" / "hook" / "__main__.py"
MOST_CHARACTERS = 9_500
GRACE = 0.2
AT_ONCE = 2
FOLDER = "/code/shop"
EVENTS = sorted({*NAMES, "PreToolUse", "Notification", "Unheard"})
PROMPTS = {"UserPromptSubmit", "PostToolUse"}
WORDS = [
    "redis",
    "sessions",
    "user_session",
    "thanks",
    "why",
    "漢字",
    "\ud800",
    "\0",
    "</noctuary-recalled>",
    "../" * 9,
]


class Trouble(NamedTuple):
    """A memory in trouble, and what stands before the command of a hook there."""

    name: str
    home: Path
    before: Sequence[str] = ()


class Call(NamedTuple):
    """What a hook is given, and what it is said to be."""

    kind: str
    event: str
    agent: str
    content: bytes
    is_left_open: bool = False  # whoever sent it does not say that it was all


class Ended(NamedTuple):
    """How a call ended."""

    call: Call
    trouble: str
    seconds: float
    wrong: str = ""  # what is wrong about it


def storm(calls: int) -> dict[str, float | int | str]:
    """Make so many calls; counts of what went wrong, which must all be 0, and the times."""
    chance = random.Random(6)
    with tempfile.TemporaryDirectory(ignore_cleanup_errors=True) as folder, ExitStack() as stack:  # sweeps outlive it
        troubles = [stack.enter_context(make(Path(folder) / make.__name__)) for make in TROUBLES]
        given = [(number, chance.choice(troubles)) for number in range(calls)]
        with (
            ThreadPoolExecutor(AT_ONCE) as pool,
            click.progressbar(length=calls, label="calls", file=sys.stderr) as bar,
        ):
            ended = []
            for each in pool.map(lambda pair: run(*pair), given):
                ended.append(each)
                bar.update(1)
            bare = list(pool.map(lambda _: bare_seconds(), range(max(20, calls // 50))))
    return counted(ended, bare)


def counted(ended: Sequence[Ended], bare: Sequence[float]) -> dict[str, float | int | str]:
    """What went wrong, and how long calls took."""
    for each in ended:
        if each.wrong:
            click.echo(f"{each.wrong} ({each.trouble}, {each.seconds:.2f} s): {each.call.content!r}", err=True)
    wrong = Counter(each.wrong.partition(":")[0] for each in ended if each.wrong)
    slowest = sorted(each.seconds for each in ended)
    kinds = Counter(each.call.kind for each in ended)
    return {
        "calls": len(ended),
        **{f"calls_{name}": count for name, count in sorted(kinds.items())},
        "exit_codes_not_0": wrong["code"],
        "invalid_stdout": wrong["stdout"],
        "something_on_stderr": wrong["stderr"],
        "past_deadline": wrong["late"],
        "past_deadline_for_want_of_a_processor": wrong["unscheduled"],
        "slowest_seconds": round(slowest[-1], 3),
        "p99_seconds": round(slowest[int(0.99 * len(slowest))], 3),
        "bare_python_slowest_seconds": round(max(bare), 3),
        "load": round(os.getloadavg()[0], 1),
    }


def run(number: int, trouble: Trouble) -> Ended:
    """Make one of the calls and look at how it ends."""
    call = random_call(random.Random(number))
    if trouble.name == "missing":
        shutil.rmtree(trouble.home, ignore_errors=True)
    agent = ["--agent", call.agent] if call.agent else []
    command = [*trouble.before, sys.executable, "-I", "-S", str(MAIN), "--home", str(trouble.home), *agent]
    environ = {"HOME": str(trouble.home.parent), "PATH": os.environ["PATH"]}
    begun, own = time.monotonic(), _waited("thread-self")
    with subprocess.Popen(command, stdin=PIPE, stdout=PIPE, stderr=PIPE, env=environ, bufsize=0) as started:
        assert started.stdin
        assert started.stdout
        assert started.stderr
        with suppress(BrokenPipeError):  # an agent writes at once what it has to say
            started.stdin.write(call.content)
            if not call.is_left_open:
                started.stdin.close()
        os.waitid(os.P_PID, started.pid, os.WEXITED | os.WNOWAIT)
        seconds = time.monotonic() - begun
        waited = _waited(str(started.pid)) + _waited("thread-self") - own
        wrong = _wrong(call, started.wait(), started.stdout.read(), started.stderr.read(), seconds, waited)
    return Ended(call._replace(content=call.content[:300]), trouble.name, seconds, wrong)


def _waited(name: str) -> float:
    """How many seconds a thread could have run and had to wait for a processor; 0 if the system does not tell."""
    with suppress(OSError, IndexError, ValueError):
        return int(Path(f"/proc/{name}/schedstat").read_text(encoding="ascii").split()[1]) / 1e9
    return 0.0


def bare_seconds() -> float:
    """How long an interpreter takes that does nothing."""
    begun = time.monotonic()
    subprocess.run([sys.executable, "-I", "-S", "-c", "pass"], check=True)
    return time.monotonic() - begun


def _wrong(call: Call, code: int, out: bytes, err: bytes, seconds: float, waited: float) -> str:
    deadline = 0.3 if NAMES.get(call.event) in PROMPTS else 1.0
    if code:
        return f"code: {code}"
    if out and not is_valid(call, out):
        return f"stdout: {out[:200]!r}"
    if err:
        return f"stderr: {err[:200]!r}"
    late = seconds - deadline - GRACE
    told = f"{call.kind}, {len(call.content)} bytes, waited {waited:.2f} s"
    return f"late: {told}" if late > waited else f"unscheduled: {told}" if late > 0 else ""


def is_valid(call: Call, said: bytes) -> bool:
    """Whether this is what the agent takes at this event."""
    try:
        answer = json.loads(said)
    except ValueError:
        return False
    if not isinstance(answer, dict) or NAMES.get(call.event) not in {"SessionStart", *PROMPTS}:
        return False
    if "hookSpecificOutput" not in answer and "systemMessage" not in answer:
        context = answer.pop("additional_context", "")
        return answer in ({}, {"continue": True}) and isinstance(context, str) and len(context) <= MOST_CHARACTERS
    inner = answer.get("hookSpecificOutput", {"hookEventName": call.event, "additionalContext": ""})
    context = inner.get("additionalContext")
    return (
        set(answer) <= {"hookSpecificOutput", "systemMessage"}
        and set(inner) == {"hookEventName", "additionalContext"}
        and inner["hookEventName"] == call.event
        and isinstance(context, str)
        and len(context) <= MOST_CHARACTERS
        and isinstance(answer.get("systemMessage", ""), str)
    )


def random_call(chance: random.Random) -> Call:
    """Something that a hook may be given."""
    event, agent = chance.choice(EVENTS), chance.choice(["", *AGENTS])
    kind = chance.choices(["valid", "invalid", "truncated", "huge", "hostile"], [50, 12, 15, 3, 20])[0]
    content = json.dumps(_fields(chance, event)).encode()
    is_left_open = kind in {"valid", "huge"} and chance.random() < 0.2
    if kind == "invalid":
        content = chance.choice(
            [b"", b"null", b"[]", b"\xff\xfe{}", chance.randbytes(200), content.replace(b":", b"=")]
        )
    elif kind == "truncated":
        content = content[: chance.randrange(len(content))]
    elif kind == "huge":
        size = chance.choice([100_000, 1_000_000, 7_900_000, 9_000_000])
        fields = {**_fields(chance, event), "tool_response": "}" * size}
        content = json.dumps(_shuffled(chance, fields)).encode()
    elif kind == "hostile":
        content = json.dumps({**_fields(chance, event), **_hostile(chance)}).encode()
        content = chance.choice([content, content, b'{"a":' * chance.randrange(100_000), content + b"}" * 9])
    return Call(kind, event, agent, content, is_left_open)


def _shuffled(chance: random.Random, fields: dict[str, Any]) -> dict[str, Any]:
    """The fields in any order: the name of the event may come last, after all that is long."""
    return dict(chance.sample(list(fields.items()), len(fields)))


def _fields(chance: random.Random, event: str) -> dict[str, Any]:
    words = " ".join(chance.choices(WORDS[:6], k=chance.randrange(12)))
    fields = {
        "hook_event_name": event,
        "session_id": f"s{chance.randrange(50)}",
        "conversation_id": "c1",
        "cwd": chance.choice([FOLDER, FOLDER, "/elsewhere"]),
        "transcript_path": "/t/s.jsonl",
        "prompt": words,
        "tool_input": {"command": words},
        "compact_summary": words * chance.randrange(100),
        "source": "startup",
    }
    return _shuffled(chance, fields)


def _hostile(chance: random.Random) -> dict[str, Any]:
    """Fields that are not what they should be."""
    names = ["session_id", "cwd", "transcript_path", "prompt", "tool_input", "compact_summary", "agent_id", "source"]
    values: list[Any] = [None, [], {}, 1e308, 10**400, True, [[[]]] * 50, {"a": {"b": ["c"]}}, "x" * 50_000, *WORDS]
    return {name: chance.choice(values) for name in chance.sample(names, chance.randrange(1, 6))}


def furnished(home: Path) -> Path:
    """A home folder as it should be: a brief, and something to recall."""
    path = Path(brief_file.path_of(str(home), "", FOLDER))
    path.parent.mkdir(parents=True)
    path.write_bytes(brief_file.written("Where the work stands. " * 300, 5, []))
    entry = ("e-1", "rejection", "2026-03-02", "s0", "Redis for sessions in user_session")
    Path(brief_file.recall_path_of(str(home), "", FOLDER)).write_bytes(bearing.written([entry]))
    (home / "config.toml").write_text("[hooks]\nprompt_recall = true\ntool_recall = true\n", encoding="utf-8")
    (home / "noctuary.db").write_bytes(b"")
    return home


@contextmanager
def locked(folder: Path) -> Iterator[Trouble]:
    """Another process holds the database."""
    home = furnished(folder / "memory")
    connection = sqlite3.connect(home / "noctuary.db", check_same_thread=False)
    connection.execute("BEGIN EXCLUSIVE")
    yield Trouble("locked", home)
    connection.close()


@contextmanager
def missing(folder: Path) -> Iterator[Trouble]:
    """There is no home folder, again and again."""
    folder.mkdir()
    yield Trouble("missing", folder / "memory")


@contextmanager
def corrupt(folder: Path) -> Iterator[Trouble]:
    """Every file has been written over."""
    home = furnished(folder / "memory")
    for path in [*home.rglob("*")]:
        if path.is_file():
            path.write_bytes(random.Random(1).randbytes(5_000))
    yield Trouble("corrupt", home)


@contextmanager
def read_only(folder: Path) -> Iterator[Trouble]:
    """Nothing can be written; the superuser writes anywhere, so it is given a file system of its own."""
    with _mounted(folder, "1m") as is_mounted:
        home = furnished(folder / "memory")
        home.chmod(0o500)
        if is_mounted:
            subprocess.run(["mount", "-o", "remount,ro", str(folder)], check=True)
        yield Trouble("read-only", home)
        if not is_mounted:
            home.chmod(0o700)


@contextmanager
def full(folder: Path) -> Iterator[Trouble]:
    """There is no room on the disk."""
    with _mounted(folder, "100k") as is_mounted:
        home = furnished(folder / "memory")
        if is_mounted:
            subprocess.run(["sh", "-c", f"cat /dev/zero > {folder}/ballast"], check=False, stderr=subprocess.DEVNULL)
        yield Trouble("full", home, () if is_mounted else ("sh", "-c", 'ulimit -f 0; exec "$@"', "sh"))


@contextmanager
def _mounted(folder: Path, size: str) -> Iterator[bool]:
    """A small file system at a folder, if we may make one."""
    folder.mkdir()
    made = subprocess.run(
        ["mount", "-t", "tmpfs", "-o", f"size={size}", "tmpfs", str(folder)], capture_output=True, check=False
    )
    try:
        yield made.returncode == 0
    finally:
        if made.returncode == 0:
            subprocess.run(["umount", "--lazy", str(folder)], check=True)


TROUBLES = (locked, missing, corrupt, read_only, full)
