"""`noctuary sweep`, as a process: what it says, what it leaves for hooks and the log, and that it ends."""

import json
import os
import signal
import socket
import subprocess
import threading
import time
from pathlib import Path
from typing import Any

import pytest

from noctuary import brief_file
from noctuary.app import sweep_state
from noctuary.testing import ClaudeTranscript
from tests.acceptance.conftest import Cli

ONE, TWO = "6f1c1f6e-0000-4000-8000-000000000001", "6f1c1f6e-0000-4000-8000-000000000002"
CHOICE = "Let's keep sessions in SQLite, not Redis, because they must survive a deploy."


def leave(cli: Cli, event: str, session: str, path: Path | str = "", **more: Any) -> None:
    """Leave a note as a hook does."""
    given = {"event": event, "at_ms": time.time_ns() // 1_000_000, "agent": "claude-code", "session": session, **more}
    inbox = cli.memory / "inbox" / "hooks.jsonl"
    inbox.parent.mkdir(parents=True, exist_ok=True)
    with inbox.open("a", encoding="utf-8") as file:
        file.write(json.dumps({**given, "transcript": str(path)}) + "\n")


def log_of(cli: Cli) -> list[str]:
    """What detached sweeps wrote down, without the times."""
    written = sweep_state.log_path(cli.memory).read_text(encoding="utf-8").splitlines()
    return [line.partition(" ")[2] for line in written]


def test_what_it_did_is_one_line(cli: Cli) -> None:
    """Each thing that was done with its number, and whether a dream was due; then there is nothing to do."""
    path = ClaudeTranscript(ONE).say(CHOICE).reply("Done.").save(cli.user_home)
    leave(cli, "Stop", ONE, path)
    leave(cli, "SessionEnd", ONE, path)
    leave(cli, "SessionStart", TWO, cwd=str(cli.user_home))

    first, second = cli("sweep"), cli("sweep")

    assert (first.code, second.code) == (0, 0)
    assert first.out == (
        "Dealt with 3 notes of hooks: imported 2 messages, ended 1 session, wrote 1 brief. "
        "No dream is due: 1 session waits.\n"
    )
    assert second.out == "Hooks had left nothing. No dream is due: 1 session waits.\n"


def test_as_json(cli: Cli) -> None:
    """For programs: everything, with the report of the dream."""
    path = ClaudeTranscript(ONE).say(CHOICE).reply("Done.").save(cli.user_home)
    leave(cli, "SessionEnd", ONE, path)
    leave(cli, "SessionEnd", "never")

    said = cli("sweep", "--json").json

    assert (said["notes"], said["messages"], said["ended"], said["kept"]) == (2, 2, [ONE], 1)
    assert (said["dream"]["status"], said["lock"], said["problems"]) == ("not_due", "acquired", [])


def test_what_waits_and_what_was_given_up_is_said(cli: Cli) -> None:
    """A note of a session that nobody knows is kept for some sweeps and an hour, and then no more."""
    leave(cli, "SessionEnd", "never", at_ms=time.time_ns() // 1_000_000 - 2 * 3_600_000)

    said = [cli("sweep").out for _ in range(4)]

    assert said[0].startswith("Dealt with 1 note of hooks. 1 note waits for a transcript.")
    assert said[1].startswith("Hooks had left nothing. 1 note waits for a transcript.")
    assert "SessionEnd of session never: it was never imported" in said[2]
    assert "never" not in said[3]


def test_detached_it_says_nothing_but_in_the_log(cli: Cli) -> None:
    """As hooks start it: nobody reads its output."""
    path = ClaudeTranscript(ONE).say(CHOICE).save(cli.user_home)
    leave(cli, "Stop", ONE, path)

    ran = cli("sweep", "--detached")

    assert (ran.code, ran.out, ran.err) == (0, "", "")
    assert log_of(cli) == ["Dealt with 1 note of hooks: imported 1 message. No dream is due: 1 session waits."]
    assert sweep_state.log_path(cli.memory).stat().st_mode & 0o777 == 0o600


def test_the_log_does_not_grow_for_ever(cli: Cli) -> None:
    """Its older half goes, at the end of a line."""
    path = sweep_state.log_path(cli.memory)
    path.parent.mkdir(parents=True)
    path.write_text("".join(f"2026-03-02T09:00:00Z sweep {number}\n" for number in range(8_000)), encoding="utf-8")

    cli("sweep", "--detached")

    lines = log_of(cli)
    assert len(path.read_bytes()) <= 100_000
    assert lines[-1].startswith("Hooks had left nothing")
    assert all(line.startswith("sweep ") for line in lines[:-1])


def test_another_is_at_it(cli: Cli) -> None:
    """It says so, is no failure, and leaves the notes to the other."""
    assert cli("sweep").code == 0
    leave(cli, "Stop", ONE)
    with sweep_state.lock(cli.memory, "sweep") as is_mine:
        assert is_mine
        ran = cli("sweep")

    assert (ran.code, ran.out.partition(";")[0]) == (0, "Another sweep is at it")
    assert (cli.memory / "inbox" / "hooks.jsonl").exists()


def test_many_at_once_are_one(cli: Cli) -> None:
    """However many are started, every note is dealt with, once."""
    assert cli("import").code == 0
    for number in range(12):
        session = f"6f1c1f6e-0000-4000-8000-0000000001{number:02}"
        path = ClaudeTranscript(session).say(f"{CHOICE} That is choice {number}.").save(cli.user_home)
        leave(cli, "SessionEnd", session, path)
    said: list[dict[str, Any]] = []
    threads = [threading.Thread(target=lambda: said.append(cli("sweep", "--json").json)) for _ in range(4)]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()

    assert sum(each["notes"] for each in said) == 12
    assert sum(len(each["ended"]) for each in said) == 12
    assert cli("status", "--json").json["messages"] == 12


def test_inside_a_dream_it_does_nothing(cli: Cli) -> None:
    """Or a dream would start an agent whose hooks start a dream."""
    leave(cli, "Stop", ONE)

    ran = cli("sweep", NOCTUARY_DREAMING="1")

    assert ran.code == 0
    assert "Nothing was done" in ran.out
    assert (cli.memory / "inbox" / "hooks.jsonl").exists()


@pytest.mark.parametrize("detached", [(), ("--detached",)])
def test_a_failure_is_left_for_hooks_and_the_doctor(cli: Cli, detached: tuple[str, ...]) -> None:
    """One line with its reason, until a sweep goes well; the notes are still there."""
    assert cli("sweep").code == 0
    leave(cli, "SessionEnd", ONE)
    config = cli.memory / "config.toml"
    config.write_text("[dream]\nsession_count = 0\n", encoding="utf-8")
    ClaudeTranscript(ONE).say(CHOICE).save(cli.user_home)

    assert cli("sweep", *detached).code == 2
    failed = sweep_state.failed_path(cli.memory)
    assert "dream.session_count must be greater than zero" in failed.read_text(encoding="utf-8")
    assert log_of(cli)[-1].startswith("Failed: config.toml")
    config.unlink()
    doctor = cli("doctor")
    assert "warning  hooks: the sweep of their notes failed on 20" in doctor.out
    assert cli("sweep", *detached).code == 0
    assert not failed.exists()
    assert cli("sessions", "--json").json["sessions"][0]["status"] == "ended"


def test_a_memory_that_cannot_be_opened_is_a_failure(cli: Cli) -> None:
    """A hook can say what is wrong with it."""
    cli.memory.mkdir()
    cli.database.write_bytes(b"no database at all" * 1_000)
    leave(cli, "Stop", ONE)

    ran = cli("sweep", "--detached")

    assert ran.code == 4
    assert sweep_state.failed_path(cli.memory).exists()
    assert (cli.memory / "inbox" / "hooks.jsonl").exists()


def test_a_dream_that_is_due_is_had_after_the_briefs(cli: Cli) -> None:
    """A session that waits for its brief does not wait for a dream; what the dream found comes into it afterwards."""
    cli.memory.mkdir()
    (cli.memory / "config.toml").write_text("[dream]\nsession_count = 1\n", encoding="utf-8")
    shop = cli.user_home / "shop"
    transcript = ClaudeTranscript(ONE, cwd=str(shop)).say(CHOICE).reply("Done.").save(cli.user_home)
    leave(cli, "SessionEnd", ONE, transcript)
    leave(cli, "SessionStart", TWO, cwd=str(shop))

    said = cli("sweep", "--json").json

    assert (said["dream"]["status"], said["briefs"]) == ("completed", 2)
    brief = brief_file.read(brief_file.path_of(str(cli.memory), "", str(shop)))
    assert brief is not None
    assert brief.is_fresh
    assert "survive a deploy" in brief.text


@pytest.mark.skipif(not hasattr(signal, "SIGALRM"), reason="there is no such thing here")
def test_when_its_time_is_over_it_ends(cli: Cli) -> None:
    """A model that never answers keeps no sweep alive: the alarm of its ten minutes ends it, and nothing has failed."""
    with socket.create_server(("127.0.0.1", 0)) as server:
        address = f"http://127.0.0.1:{server.getsockname()[1]}/v1"
        table = f'[dream]\nsession_count = 1\nbackend = "openai"\nmodel = "m"\naddress = "{address}"\n'
        cli.memory.mkdir()
        (cli.memory / "config.toml").write_text(table, encoding="utf-8")
        path = ClaudeTranscript(ONE).say(CHOICE).reply("Done.").save(cli.user_home)
        leave(cli, "SessionEnd", ONE, path)
        process = subprocess.Popen(
            [str(part) for part in cli.command("sweep", "--detached")], env=cli.environ(), stderr=subprocess.PIPE
        )
        asked, _ = server.accept()
        with asked:  # the dream asks, and nobody answers
            process.send_signal(signal.SIGALRM)
            _, err = process.communicate(timeout=60)

    assert (process.returncode, err) == (0, b"")
    assert log_of(cli) == ["Its time was over before it was done; the next sweep goes on."]
    assert not sweep_state.failed_path(cli.memory).exists()
    assert not (cli.memory / "inbox" / "hooks.jsonl").exists()
    assert cli("sessions", "--json").json["sessions"][0]["status"] == "ended"


@pytest.mark.skipif(not hasattr(os, "nice"), reason="there is no such thing here")
def test_it_can_be_started_without_anything(cli: Cli) -> None:
    """As a hook starts it: in a session of its own, with no input and no output at all."""
    leave(cli, "Stop", ONE)
    process = subprocess.Popen(
        [str(part) for part in cli.command("sweep", "--detached")],
        env=cli.environ(),
        stdin=subprocess.DEVNULL,
        stdout=subprocess.DEVNULL,
        stderr=subprocess.DEVNULL,
        start_new_session=True,
    )

    assert process.wait(timeout=60) == 0
    assert len(log_of(cli)) == 1
