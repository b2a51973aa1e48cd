"""Whatever lies in the folders of agents, and whatever happens to the database: a clear error or a counted skip,
and nothing already stored is lost."""

import json
import os
import subprocess
import sys
import tempfile
import time
from collections.abc import Callable, Iterator
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import apsw
import pytest

from noctuary.app import Memory
from noctuary.errors import StoreBusy, StoreDamaged, StoreFull, StoreTooNew
from noctuary.testing import ClaudeTranscript, CodexTranscript
from tests.unit.importing.machine import accounted, everything, finds, open_memory, said, stored

SRC = Path(__file__).parents[2] / "src"
IS_ROOT = os.geteuid() == 0
NOBODY = 65534
MEGABYTE = 1 << 20
SECONDS = 900  # after which an import that does not end is killed, and its test fails

IMPORT = """
import json, os, sys
import noctuary.forgetting, noctuary.health, noctuary.importing.run  # now, while Python's own files can be read
import hashlib, importlib.metadata, noctuary.redact
import noctuary.transcripts.claude_code, noctuary.transcripts.claude_reader
import noctuary.transcripts.codex, noctuary.transcripts.codex_reader
from pathlib import Path
from noctuary.app import Memory
from noctuary.clock import SystemClock
from noctuary.errors import NoctuaryError
from noctuary.settings import Settings
if len(sys.argv) > 3:  # from here on as another user, to whom permissions mean something
    os.setgroups([]), os.setgid(int(sys.argv[3])), os.setuid(int(sys.argv[3]))
settings = Settings(home=Path(sys.argv[1]), owner="ana", user_home=Path(sys.argv[2]), environ={})
answer = {}
try:
    with Memory.from_settings(settings, SystemClock()) as memory:
        report = memory.import_transcripts()
        answer = {"found": report.found, "messages": report.messages, "skipped": report.skipped,
                  "new": report.new, "unchanged": report.unchanged, "malformed": report.malformed,
                  "problems": report.problems, "stored": memory.status().messages}
except NoctuaryError as error:
    answer = {"error": type(error).__name__, "says": str(error)}
peak = next(int(line.split()[1]) for line in open("/proc/self/status") if line.startswith("VmHWM:"))
print(json.dumps({**answer, "megabytes": peak // 1024}))
"""


@dataclass(frozen=True)
class Machine:
    """A home with one good transcript in it, and a folder for its memory."""

    home: Path
    folder: Path

    @property
    def projects(self) -> Path:
        return self.home / ".claude" / "projects" / "-home-ana-code-shop"

    def open(self, owner: str = "ana") -> Memory:
        return open_memory(self.folder, self.home, owner)

    def run(self, *, user: int | None = None) -> dict[str, Any]:
        """Import in a process of its own, as another user if need be, and tell how that went."""
        ran = subprocess.run(
            [sys.executable, "-c", IMPORT, str(self.folder), str(self.home), *([] if user is None else [str(user)])],
            env={"PYTHONPATH": str(SRC), "PATH": os.defpath},
            capture_output=True,
            text=True,
            timeout=SECONDS,
            check=False,
        )
        assert ran.returncode == 0, ran.stderr
        answer: dict[str, Any] = json.loads(ran.stdout)
        return answer


@pytest.fixture
def machine() -> Iterator[Machine]:
    """Below /tmp itself, where another user may be let in."""
    with tempfile.TemporaryDirectory(prefix="noctuary-", dir="/tmp") as folder:
        Path(folder).chmod(0o755)
        made = Machine(Path(folder) / "home", Path(folder) / "memory")
        ClaudeTranscript("good").say("Where is the aardvark?").reply("In the zoo.").save(made.home)
        yield made


def good_is_there(memory: Memory) -> bool:
    return said(memory, "good") == ["Where is the aardvark?", "In the zoo."]


# ---- what lies in the folders


def make_directory(path: Path) -> None:
    path.mkdir()


def make_fifo(path: Path) -> None:
    os.mkfifo(path)


def make_dangling(path: Path) -> None:
    path.symlink_to(path.parent / "nowhere")


def make_loop(path: Path) -> None:
    path.symlink_to(path)


def make_endless(path: Path) -> None:
    path.symlink_to("/dev/zero")


@pytest.mark.parametrize("make", [make_directory, make_fifo, make_dangling, make_loop, make_endless])
@pytest.mark.parametrize("name", ["x.jsonl", "good/subagents/agent-x.jsonl"])
def test_no_file_at_all(machine: Machine, make: Callable[[Path], None], name: str) -> None:
    """A folder, a pipe, a link to nowhere, to itself or to an endless device is passed over, and nobody waits."""
    path = machine.projects / name
    path.parent.mkdir(parents=True, exist_ok=True)
    make(path)
    rollout = machine.home / ".codex" / "sessions" / "rollout-2026-03-02T09-00-00-x.jsonl"
    rollout.parent.mkdir(parents=True)
    make(rollout)

    answer = machine.run()

    assert (answer["messages"], answer["stored"]) == (2, 2)


CONTENTS = {
    "binary": bytes(range(256)) * 100,
    "zeros": bytes(10_000),
    "zeros and newlines": (bytes(100) + b"\n") * 50,
    "newlines": b"\n" * 1000,
    "utf-16": '{"type":"user"}\n'.encode("utf-16"),
    "a number": b"7\n",
    "an array": b"[1, 2]\n",
    "half a line": b'{"type":"user","message":{"role":"us',
    "deep": b'{"a":' * 50_000 + b"1" + b"}" * 50_000 + b"\n",
    "many digits": b'{"type":"user","timestamp":' + b"9" * 10_000 + b"}\n",
    "wrong types": b'{"type":7,"message":[],"uuid":{},"timestamp":[],"cwd":5,"sessionId":null}\n',
    "wrong inside": b'{"type":"user","message":{"role":7,"content":{"a":1}},"uuid":[],"cwd":{}}\n',
}


@pytest.mark.parametrize("what", [*CONTENTS, "empty"])
@pytest.mark.parametrize("agent", ["claude", "codex"])
def test_no_transcript(machine: Machine, what: str, agent: str) -> None:
    """A file that is no transcript is counted as skipped or its lines as malformed, and the others are imported."""
    codex = machine.home / ".codex" / "sessions" / "rollout-2026-03-02T09-00-00-bad.jsonl"
    path = machine.projects / "bad.jsonl" if agent == "claude" else codex
    path.parent.mkdir(parents=True, exist_ok=True)
    path.write_bytes(CONTENTS.get(what, b""))
    with machine.open() as memory:
        report = memory.import_transcripts()

        assert report.found == accounted(report) == 2
        assert (report.new, report.skipped.total(), report.messages) == (1, 1, 2)
        assert good_is_there(memory)
        assert memory.import_transcripts().messages == 0
        assert memory.doctor().is_healthy


@pytest.mark.parametrize("damage", ["cut", "overwritten", "lines swapped"])
def test_damaged_transcript(machine: Machine, damage: str) -> None:
    """What can still be read of a damaged transcript is imported; the lines that cannot are counted."""
    transcript = ClaudeTranscript("bad")
    for turn in range(50):
        transcript.say(f"Turn {turn}.")
    path = transcript.save(machine.home)
    content = bytearray(path.read_bytes())
    if damage == "cut":
        content = content[: len(content) // 2]
    elif damage == "overwritten":
        content[5_000:6_000] = os.urandom(1_000).replace(b"\n", b"x")
    else:
        content = bytearray(b"\n".join(reversed(content.splitlines())) + b"\n")
    path.write_bytes(content)
    with machine.open() as memory:
        report = memory.import_transcripts()

        assert (report.malformed > 0) == (damage == "overwritten")
        assert 20 <= len(stored(memory, "bad")) <= 50
        assert good_is_there(memory)
        assert memory.doctor().is_healthy


def test_unreadable_transcript(machine: Machine) -> None:
    """A transcript without permission is counted and named; once it may be read, it is imported."""
    path = ClaudeTranscript("closed").say("Let me out.").save(machine.home)
    path.chmod(0)
    machine.folder.mkdir(mode=0o777)
    machine.folder.chmod(0o777)
    user = NOBODY if IS_ROOT else None

    closed = machine.run(user=user)
    path.chmod(0o644)
    opened = machine.run(user=user)

    assert (closed["skipped"], closed["stored"]) == ({"unreadable": 1}, 2)
    assert str(path) in closed["problems"][0]
    assert (opened["messages"], opened["stored"]) == (1, 3)


def test_unreadable_folder(machine: Machine) -> None:
    """A folder without permission hides what is in it and nothing else."""
    path = ClaudeTranscript("closed", cwd="/closed").say("Let me out.").save(machine.home)
    path.parent.chmod(0)
    machine.folder.mkdir()
    machine.folder.chmod(0o777)

    answer = machine.run(user=NOBODY if IS_ROOT else None)

    path.parent.chmod(0o755)
    assert (answer["found"], answer["stored"]) == (1, 2)


# ---- what stands in them


def test_characters_that_are_no_text(machine: Machine) -> None:
    """A NUL, a lone surrogate, escaped or as bytes, and a tag in the wrong place are stored as text and found."""
    path = ClaudeTranscript("odd").say("wombat one").save(machine.home)
    line = path.read_text()
    odd = [
        line.replace("wombat one", "wombat two \\u0000 nul"),
        line.replace("wombat one", "wombat three \\ud800 lone"),
        line.replace("wombat one", "wombat four \\udc00\\ud800 swapped"),
    ]
    lines = [text.replace('"uuid":"', f'"uuid":"{n}').encode() for n, text in enumerate(odd)]
    lines.append(
        line.replace('"uuid":"', '"uuid":"9').encode().replace(b"wombat one", b"wombat five \xed\xa0\x80 \xff")
    )
    path.write_bytes(b"".join(lines))
    with machine.open() as memory:
        report = memory.import_transcripts()

        assert (report.malformed, len(stored(memory, "odd"))) == (0, 4)
        assert len(finds(memory, "wombat")) == 4
        assert all("\0" not in message.content for message in stored(memory, "odd"))
        assert all(message.content.encode() for message in stored(memory, "odd"))


def test_message_of_ten_megabytes(machine: Machine) -> None:
    """A single huge message is stored whole and found by a word at its end."""
    text = "lorem ipsum dolor sit amet " * (10 * MEGABYTE // 27) + "the capybara"
    ClaudeTranscript("huge").say(text).reply("Long.").save(machine.home)
    with machine.open() as memory:
        memory.import_transcripts()

        assert stored(memory, "huge")[0].content == text
        assert [hit.session.id for hit in memory.search("capybara").hits] == ["huge"]
    assert machine.run()["stored"] == 4


@pytest.mark.parametrize(
    "lines", [pytest.param(100_000, marks=pytest.mark.slow), pytest.param(1_000_000, marks=pytest.mark.slow)]
)
def test_session_of_very_many_lines(machine: Machine, lines: int) -> None:
    """A session may have any number of lines; memory does not grow with them."""
    path = ClaudeTranscript("long").say("turn @@").save(machine.home)
    template = path.read_text()
    with path.open("w") as file:
        for number in range(lines):
            file.write(template.replace("@@", str(number)).replace('"uuid":"', f'"uuid":"{number:x}-'))

    answer = machine.run()

    assert answer["stored"] == lines + 2
    assert answer["megabytes"] < 200


@pytest.mark.parametrize(
    ("stamp", "expected"),
    [
        ("1970-01-01T00:00:00Z", 0),
        ("1970-01-01T00:00:01Z", 1_000),
        ("2100-12-31T23:59:59Z", 4_133_980_799_000),
        ("9999-12-31T23:59:59Z", 0),
        ("0001-01-01T00:00:00Z", 0),
        ("yesterday", 0),
        ("", 0),
        (None, 0),
        (-5, 0),
        (1e300, 0),
        (float("nan"), 0),
        ([], 0),
    ],
)
def test_clocks(machine: Machine, stamp: Any, expected: int) -> None:
    """A time in 1970 or 2100 is kept as it is, what is no time is none, and the session is listed and found."""
    ClaudeTranscript("when").say("What time is it, numbat?", timestamp=stamp).save(machine.home)
    CodexTranscript("when-codex").save(machine.home)
    with machine.open() as memory:
        memory.import_transcripts()

        assert stored(memory, "when")[0].ts_ms == expected
        assert {session.id for session in memory.sessions()} == {"good", "when"}
        assert [hit.session.id for hit in memory.search("numbat").hits] == ["when"]
        assert memory.doctor().is_healthy


@pytest.mark.slow
def test_sparse_file_of_two_gigabytes(machine: Machine) -> None:
    """A file of 2 GB without a newline is not held in memory, and is not read again."""
    path = machine.projects / "sparse.jsonl"
    path.touch()
    os.truncate(path, 2 << 30)

    answer = machine.run()
    again = machine.run()

    assert answer["skipped"] == {"no conversation": 1}
    assert answer["stored"] == again["stored"] == 2
    assert answer["megabytes"] < 200
    assert again["unchanged"] == again["found"]


@pytest.mark.parametrize("megabytes", [65, pytest.param(300, marks=pytest.mark.slow)])
def test_line_that_is_too_long(machine: Machine, megabytes: int) -> None:
    """A line beyond 64 MB is counted and left out, in bounded memory, and the lines after it are imported."""
    transcript = ClaudeTranscript("wide").say("before").say("@@").say("after the pangolin")
    path = transcript.save(machine.home)
    before, after = path.read_bytes().split(b"@@")
    with path.open("wb") as file:
        file.write(before)
        for _ in range(megabytes):
            file.write(b"x" * MEGABYTE)
        file.write(after)

    answer = machine.run()

    assert (answer["malformed"], answer["stored"]) == (1, 4)
    assert "longer than" in answer["problems"][0]
    assert answer["megabytes"] < 200


# ---- whose memory it is


OWNERS = [
    "../x",
    "x",
    "X",
    "..",
    "/etc/passwd",
    "a" * 300,
    "a" * 299,
    "東京",
    "a\nb",
    "%",
    "'; drop table sessions; --",
]


def test_owners_of_any_name(machine: Machine) -> None:
    """Any name is an owner of its own, sees nothing of the others, and leaves no file outside the memory's folder."""
    before = set(machine.folder.parent.iterdir()) | {machine.folder}
    for number, owner in enumerate(OWNERS):
        with Memory.open(machine.folder, owner=owner, user_home=machine.home) as memory:
            assert memory.status().sessions == 0, owner
            assert memory.search("aardvark").hits == [] or not memory.search("aardvark").hits
            memory.import_transcripts()
            ClaudeTranscript(f"own-{number}").say(f"Number {number}.").save(machine.home)
            assert memory.import_transcripts().messages == 1
            assert good_is_there(memory)

    for number, owner in enumerate(OWNERS):
        with machine.open(owner) as memory:
            assert memory.status().messages == number + 3, owner
    assert set(machine.folder.parent.iterdir()) == before


# ---- what happens to the database


def fill(machine: Machine, sessions: int = 20, turns: int = 120) -> None:
    """Enough transcripts for several transactions."""
    for number in range(sessions):
        transcript = ClaudeTranscript(f"s-{number:02}")
        for turn in range(turns):
            transcript.say(f"Turn {turn} of {number}: " + "words upon words " * 20)
        transcript.save(machine.home)


def equals_clean_import(machine: Machine, memory: Memory) -> bool:
    with open_memory(machine.folder.parent / "clean", machine.home) as clean:
        clean.import_transcripts()
        return everything(memory) == everything(clean)


HOLD = """
import sys, apsw
connection = apsw.Connection(sys.argv[1])
connection.execute("begin immediate")
print("held", flush=True)
sys.stdin.readline()
connection.execute("rollback")
"""


def hold_lock(database: Path) -> subprocess.Popen[str]:
    """Another process that has the right to write until it is told to go."""
    process = subprocess.Popen(
        [sys.executable, "-c", HOLD, str(database)], stdin=subprocess.PIPE, stdout=subprocess.PIPE, text=True
    )
    assert process.stdout
    assert process.stdout.readline() == "held\n"
    return process


def test_locked_by_another_process(machine: Machine) -> None:
    """While another process writes for too long, an import says so; reading goes on; afterwards it completes."""
    with machine.open() as memory:
        memory.import_transcripts()
        hurried = Memory.from_settings(memory.settings._replace(busy_seconds=0.2), memory.clock)
        fill(machine, 3)
        holder = hold_lock(memory.settings.database)

        with pytest.raises(StoreBusy, match="try again"):
            hurried.import_transcripts()
        assert good_is_there(hurried)
        assert hurried.search("aardvark").hits

        holder.communicate("go\n")
        assert hurried.import_transcripts().messages == 360
        assert equals_clean_import(machine, hurried)
        hurried.close()


def test_waits_for_another_process(machine: Machine) -> None:
    """An import waits for another process that writes for a while, and then completes."""
    with machine.open() as memory:
        holder = hold_lock(memory.settings.database)
        waiter = subprocess.Popen(
            [sys.executable, "-c", IMPORT, str(machine.folder), str(machine.home)],
            env={"PYTHONPATH": str(SRC), "PATH": os.defpath},
            stdout=subprocess.PIPE,
            text=True,
        )
        time.sleep(1.5)
        assert waiter.poll() is None
        holder.communicate("go\n")
        answer = json.loads(waiter.communicate(timeout=SECONDS)[0])

        assert answer["messages"] == 2


def test_two_imports_at_once(machine: Machine) -> None:
    """Imports of the same transcripts at the same time store every message once."""
    fill(machine)
    command = [sys.executable, "-c", IMPORT, str(machine.folder), str(machine.home)]
    environ = {"PYTHONPATH": str(SRC), "PATH": os.defpath}
    started = [subprocess.Popen(command, env=environ, stdout=subprocess.PIPE, text=True) for _ in range(3)]

    answers = [json.loads(process.communicate(timeout=SECONDS)[0]) for process in started]

    assert sum(answer["messages"] for answer in answers) == 20 * 120 + 2
    with machine.open() as memory:
        assert equals_clean_import(machine, memory)
        assert memory.doctor().is_healthy


@pytest.mark.parametrize("what", ["file", "folder"])
def test_read_only(machine: Machine, what: str) -> None:
    """A memory that cannot be written to says so, loses nothing, and goes on when it can be again."""
    with machine.open() as memory:
        memory.import_transcripts()
    user = NOBODY if IS_ROOT else None
    database = machine.folder / "noctuary.db"
    machine.folder.chmod(0o777 if what == "file" else 0o555)
    database.chmod(0o444)
    fill(machine, 2)
    before = database.read_bytes()

    refused = machine.run(user=user)

    assert refused["error"] in ("StoreReadOnly", "StoreError")
    assert "permissions" in refused["says"]
    assert database.read_bytes() == before
    machine.folder.chmod(0o777)
    for file in machine.folder.glob("noctuary.db*"):  # SQLite gives its log the permissions of the database
        file.chmod(0o666)
    assert machine.run(user=user)["stored"] == 242


def test_garbage_in_place_of_the_database(machine: Machine) -> None:
    """A file that is no database is refused and left as it is; with it out of the way the import completes."""
    machine.folder.mkdir()
    database = machine.folder / "noctuary.db"
    database.write_bytes(b"These are my holiday photographs. " * 1000)

    with pytest.raises(StoreDamaged):
        machine.open()

    assert database.read_bytes() == b"These are my holiday photographs. " * 1000
    database.rename(machine.folder / "photographs")
    assert machine.run()["stored"] == 2


def test_newer_database(machine: Machine) -> None:
    """A memory of a newer Noctuary is refused, and that one still finds everything in it."""
    with machine.open() as memory:
        memory.import_transcripts()
        database = memory.settings.database
    version = apsw.Connection(str(database)).pragma("user_version")
    newer = apsw.Connection(str(database))
    newer.execute("pragma user_version = 1000")
    newer.close()
    fill(machine, 2)

    with pytest.raises(StoreTooNew, match="Upgrade"):
        machine.open()

    newer = apsw.Connection(str(database))
    assert newer.execute("select count(*) from messages").get == 2
    newer.execute(f"pragma user_version = {version}")
    newer.close()
    assert machine.run()["stored"] == 242


@pytest.mark.skipif(not IS_ROOT, reason="NOT RUN: only root may mount the small disk that this test fills")
def test_full_disk(machine: Machine) -> None:
    """On a full disk an import says so and loses nothing; with more room the next one completes it."""
    machine.folder.mkdir()
    mounted = subprocess.run(
        ["mount", "-t", "tmpfs", "-o", "size=2m", "tmpfs", str(machine.folder)], capture_output=True, check=False
    )
    if mounted.returncode:
        pytest.skip("NOT RUN: this machine does not let root mount a small disk to fill")
    try:
        with machine.open() as memory:
            memory.import_transcripts()
            fill(machine, 40)
            with pytest.raises(StoreFull, match="Free some space"):
                memory.import_transcripts()
            assert good_is_there(memory)
            kept = everything(memory)
            with pytest.raises(StoreFull):
                memory.import_transcripts()
            assert everything(memory).items() >= kept.items()
        subprocess.run(["mount", "-o", "remount,size=256m", str(machine.folder)], check=True)
        with machine.open() as memory:
            assert memory.doctor().is_healthy
            memory.import_transcripts()
            assert equals_clean_import(machine, memory)
            assert memory.doctor().is_healthy
    finally:
        subprocess.run(["umount", "-l", str(machine.folder)], check=True)


def test_environment_of_this_machine(machine: Machine) -> None:
    """`Memory.open` takes the folders it is given, whatever the environment says."""
    with Memory.open(machine.folder, owner="ana", user_home=machine.home) as memory:
        assert memory.settings.home == machine.folder
        assert memory.settings.user_home == machine.home
