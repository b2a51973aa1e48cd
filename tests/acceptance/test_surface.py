"""What can be reached of a memory from outside, and what it reaches for itself: no network, and nobody else's files."""

import json
import os
import stat
import subprocess
import sys
from pathlib import Path

import pytest

from noctuary.testing import ClaudeTranscript
from tests.acceptance.conftest import Cli

# Loaded by every Python that is started below; what a process does with sockets is written down, and refused.
WATCHING = """
import os, sys

def watch(event, arguments):
    if event in ("socket.connect", "socket.getaddrinfo", "socket.gethostbyname", "socket.sendto", "socket.bind"):
        with open(os.environ["SEEN"], "a", encoding="utf-8") as seen:
            seen.write(f"{event} {arguments[1:]!r} in {sys.argv}\\n")
        raise OSError(f"no network for {event}")

sys.addaudithook(watch)
"""
SAID = "We decided to keep sessions in PostgreSQL, not in Redis, because nobody wants to run another server."


@pytest.fixture
def offline(cli: Cli, tmp_path: Path) -> Cli:
    """A command line whose processes, and those that they start, are refused any network."""
    (tmp_path / "watching").mkdir()
    (tmp_path / "watching" / "sitecustomize.py").write_text(WATCHING, encoding="utf-8")
    path = os.pathsep.join([str(tmp_path / "watching"), cli.environ()["PYTHONPATH"]])
    return Cli(cli.memory, cli.user_home, {"PYTHONPATH": path, "SEEN": str(tmp_path / "seen")})


def everything(cli: Cli, folder: Path) -> list[tuple[str, ...]]:
    """A command of each sort that people use every day, in an order in which all of them find something to do."""
    return [
        ("import",),
        ("search", "redis", "--json"),
        ("sessions",),
        ("dream",),
        ("memory", "list"),
        ("memory", "remember", "--project", "shop", "Prices are cents"),
        ("task", "open", "Move the sessions", "--project", "shop"),
        ("note", "finding", "It works", "--project", "shop"),
        ("brief", "--project", "shop"),
        ("audit",),
        ("status",),
        ("doctor",),
        ("sources",),
        ("sweep",),
        ("journal", "verify"),
        ("rebuild",),
        ("snapshot", str(folder / "snapshot")),
        ("watch", "--once"),
        ("memory", "verify"),
        ("dream", "status"),
        ("find", "sessions", "--project", "shop"),
        ("ready", "--project", "shop"),
        ("adr", "export", str(folder / "adr"), "--project", "shop"),
        ("journal", "export", "--project", "shop"),
        ("scrub", "--yes"),
        ("forget", "--text", "nobody wants to run", "--yes"),
        ("forget", "--proof"),
        ("restore", str(folder / "snapshot"), "--into", str(folder / "elsewhere")),
        ("model", "list"),
        ("share", "make", "Shop"),
        ("key", "make", "laptop"),
        ("goal", "open", "Ship it", "--project", "shop"),
        ("handoff", "--project", "shop"),
        ("move", "--to", str(folder / "moved")),
        ("install", "--dry-run"),
        ("install", "--yes"),
        ("uninstall", "--yes"),
    ]


def test_nothing_is_sent_or_asked_for_unless_somebody_asks(offline: Cli, tmp_path: Path) -> None:
    """No telemetry, no look for updates, no model: none of the commands, hooks and sweeps opens a connection.

    That the watching works is shown by a command that is asked to use the network, and by a bare process.
    """
    ClaudeTranscript("s-1").say(SAID).save(offline.user_home)
    for command in everything(offline, tmp_path):
        ran = offline(*command)
        assert ran.code in (0, 1), f"{command}: {ran.err}"
        assert "no network" not in ran.out + ran.err
    hook = [sys.executable, "-m", "noctuary.doors.hook", "--home", str(offline.memory)]
    event = json.dumps({"hook_event_name": "SessionStart", "session_id": "s-1", "cwd": str(offline.user_home)})
    subprocess.run(hook, input=event.encode(), env=offline.environ(), check=True, capture_output=True, timeout=60)
    seen = tmp_path / "seen"
    assert not seen.exists(), seen.read_text(encoding="utf-8")

    asked = "import socket; socket.create_connection(('127.0.0.1', 9))"
    bare = subprocess.run([sys.executable, "-c", asked], env=offline.environ(), check=False, capture_output=True)
    assert b"no network" in bare.stderr
    seen.unlink()
    offline("model", "use", "http://127.0.0.1:9/v1#m")
    assert seen.exists()


def test_what_is_kept_is_for_its_owner_alone(offline: Cli, tmp_path: Path) -> None:
    """Files that only their owner reads, in folders that only their owner opens, whatever the shell's mask."""
    ClaudeTranscript("s-1").say(SAID).save(offline.user_home)
    before = os.umask(0)
    try:
        for command in everything(offline, tmp_path):
            offline(*command)
    finally:
        os.umask(before)
    places = [offline.memory, *(tmp_path / name for name in ("snapshot", "elsewhere", "moved"))]
    kept = [path for place in places for path in (place, *place.rglob("*"))]
    modes = {str(path.relative_to(tmp_path)): stat.S_IMODE(path.lstat().st_mode) for path in kept}
    wrong = {name: oct(mode) for name, mode in modes.items() if mode & 0o077}

    assert len(kept) > 10
    assert wrong == {}
