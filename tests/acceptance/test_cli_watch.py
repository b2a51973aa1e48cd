"""`noctuary watch`, as a process: it brings in what is new, dreams when it is due, and ends when it is told to."""

import os
import signal
import subprocess
import time
from pathlib import Path

import pytest

from noctuary.testing import ClaudeTranscript
from tests.acceptance.conftest import SAMPLES, Cli

RULE = "From now on, never call datetime.now() without a zone; always pass the zone of the shop."


def enough_sessions(cli: Cli) -> Cli:
    """The samples below the home of the user: seven sessions, of which five make a dream due."""
    return Cli(cli.memory, SAMPLES)


def start(cli: Cli, *arguments: str) -> subprocess.Popen[str]:
    """Begin to watch, in a process group of its own."""
    command = [str(part) for part in cli.command("watch", "--every", "0.01", *arguments)]
    return subprocess.Popen(
        command,
        env=cli.environ(PYTHONUNBUFFERED="1"),
        stdout=subprocess.PIPE,
        stderr=subprocess.PIPE,
        text=True,
        start_new_session=True,
    )


def first_line(process: subprocess.Popen[str]) -> str:
    """What it says first."""
    assert process.stdout is not None
    return process.stdout.readline()


def test_once(cli: Cli) -> None:
    """It imports and dreams, says both in a line each, and ends; later there is nothing to do, and it says so."""
    watched = enough_sessions(cli)

    first, second = watched("watch", "--once"), watched("watch", "--once")

    assert first.code == second.code == 0
    imported, dreamt = first.out.splitlines()
    assert imported.startswith("Imported ")
    assert dreamt.startswith("Dreamt over 7 sessions")
    assert second.out == "Nothing new.\nNo dream is due: 0 sessions wait.\n"
    assert list((cli.memory / "memory").rglob("MEMORY.md"))


def test_once_as_json(cli: Cli) -> None:
    """For programs: how many messages came, and the report of the dream."""
    said = enough_sessions(cli)("watch", "--once", "--json").json

    assert said["messages"] > 0
    assert (said["dream"]["status"], said["dream"]["trigger"]) == ("completed", "session_count")


def test_switched_off(cli: Cli) -> None:
    """If config.toml says so it imports, and nothing dreams."""
    cli.memory.mkdir()
    (cli.memory / "config.toml").write_text("[dream]\nenabled = false\n")

    ran = enough_sessions(cli)("watch", "--once")

    assert ran.code == 0
    assert "No dream is due" in ran.out
    assert not (cli.memory / "memory").exists()


@pytest.mark.parametrize("number", [signal.SIGTERM, signal.SIGINT])
def test_it_ends_when_it_is_told_to(cli: Cli, number: signal.Signals) -> None:
    """Whatever ends it, it is 130 and one line, with no traceback, and the memory is whole."""
    process = start(enough_sessions(cli))
    assert first_line(process).startswith("Imported ")
    assert first_line(process).startswith("Dreamt over ")

    os.kill(process.pid, number)
    out, err = process.communicate(timeout=60)

    assert process.returncode == 130
    assert "Traceback" not in out + err
    assert err.strip().startswith("Interrupted.")
    assert cli("doctor").code == 0


def test_what_comes_later_is_brought_in(cli: Cli) -> None:
    """Between two looks nothing is held: others write meanwhile, and the next look brings in what is new."""
    ClaudeTranscript("6f1c1f6e-0000-4000-8000-000000000001").say(RULE).reply("Done.").save(cli.user_home)
    process = start(cli)
    try:
        assert first_line(process) == "Imported 2 messages.\n"
        assert cli("remember", "Answers in German").code == 0
        ClaudeTranscript("6f1c1f6e-0000-4000-8000-000000000002").say(RULE).reply("Done.").save(cli.user_home)
        assert first_line(process) == "Imported 2 messages.\n"
    finally:
        process.kill()
        process.communicate()


def test_what_goes_wrong_is_said_and_does_not_end_it(cli: Cli, tmp_path: Path) -> None:
    """A memory that cannot be opened for a while is said on stderr; when it can be again, it goes on."""
    ClaudeTranscript("6f1c1f6e-0000-4000-8000-000000000001").say(RULE).reply("Done.").save(cli.user_home)
    (tmp_path / "memory").write_text("in the way")
    process = start(cli)
    try:
        assert process.stderr is not None
        assert "--home" in process.stderr.readline()
        (tmp_path / "memory").unlink()
        assert first_line(process) == "Imported 2 messages.\n"
    finally:
        process.kill()
        process.communicate()


def test_settings_that_make_no_sense_end_it_at_once(cli: Cli) -> None:
    """Nobody would read the same complaint every five minutes."""
    cli.memory.mkdir()
    (cli.memory / "config.toml").write_text("[dream]\nsession_count = 0\n")
    began = time.monotonic()

    ran = cli("watch")

    assert ran.code == 2
    assert "session_count" in ran.err
    assert time.monotonic() - began < 60
