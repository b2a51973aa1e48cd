"""`noctuary watch`, as a process: it brings in what is new, dreams when it is due, and ends when it is told to."""

import json
import os
import signal
import subprocess
from contextlib import suppress
from pathlib import Path

import pytest

from noctuary.doors.cli.failures import INTERRUPTED
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


def size_of(folder: Path) -> int:
    """How much of a database has been written so far."""
    written = 0
    for name in ("noctuary.db", "noctuary.db-wal"):
        with suppress(FileNotFoundError):
            written += (folder / name).stat().st_size
    return written


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


@pytest.mark.parametrize(("number", "code"), [(signal.SIGTERM, 0), (signal.SIGINT, 130)])
def test_it_ends_when_it_is_told_to(cli: Cli, number: signal.Signals, code: int) -> None:
    """A service manager sees that it went well, a person at a terminal sees one line; the memory is whole."""
    process = start(enough_sessions(cli))
    assert first_line(process).startswith("Imported ")
    assert first_line(process).startswith("Dreamt over ")

    os.kill(process.pid, number)
    out, err = process.communicate(timeout=60)

    assert process.returncode == code
    assert "Traceback" not in out + err
    assert err.strip() == ("" if number == signal.SIGTERM else INTERRUPTED.message)
    assert cli("doctor").code == 0


@pytest.mark.parametrize("after_bytes", [0, 50_000, 400_000])
def test_it_ends_what_it_is_writing(cli: Cli, after_bytes: int) -> None:
    """Told to stop while it imports, it brings that in and then ends; nothing has to be done again."""
    for number in range(40):
        transcript = ClaudeTranscript(f"6f1c1f6e-0000-4000-8000-{number:012}")
        for turn in range(20):
            transcript.say(f"{RULE} {turn}").reply("Done.")
        transcript.save(cli.user_home)
    process = start(cli, "--log", "-")
    assert process.stderr is not None
    assert json.loads(process.stderr.readline())["what"] == "started"
    while process.poll() is None and not (cli.database.exists() and size_of(cli.memory) >= after_bytes):
        os.sched_yield()

    os.kill(process.pid, signal.SIGTERM)
    _, err = process.communicate(timeout=60)

    assert process.returncode == 0
    *looks, stopped = [json.loads(line) for line in err.splitlines()]
    assert (stopped["what"], stopped["signal"], stopped["is_cut"]) == ("stopped", signal.SIGTERM, False)
    assert sum(look["messages"] for look in looks) in (0, 1600)
    assert cli("status", "--json").json["messages"] == sum(look["messages"] for look in looks)


def test_a_second_signal_ends_it_at_once(cli: Cli) -> None:
    """Whoever presses Ctrl-C twice does not want to wait; the memory is whole all the same."""
    process = start(enough_sessions(cli), "--log", "-")
    assert process.stderr is not None
    assert json.loads(process.stderr.readline())["what"] == "started"

    while process.poll() is None:
        process.send_signal(signal.SIGINT)
    process.communicate(timeout=60)

    assert process.returncode == 130
    assert cli("import").code == 0
    assert cli("doctor").code == 0


def test_hooks_notes_are_dealt_with(cli: Cli) -> None:
    """What hooks leave in the inbox does not wait for another sweep."""
    transcript = ClaudeTranscript("6f1c1f6e-0000-4000-8000-000000000001").say(RULE).reply("Done.")
    path = transcript.save(cli.user_home)
    note = {"event": "SessionEnd", "at_ms": 1_772_528_400_000, "agent": "claude-code"}
    note |= {"session": transcript.session, "transcript": str(path)}
    process = start(cli)
    try:
        assert first_line(process) == "Imported 2 messages.\n"
        inbox = cli.memory / "inbox"
        inbox.mkdir(exist_ok=True)
        (inbox / "hooks.jsonl").write_text(json.dumps(note) + "\n")
        assert first_line(process) == "Dealt with 1 note of hooks.\n"
    finally:
        process.kill()
        process.communicate()

    assert cli("dream", "status", "--json").json["waiting"] == 1
    assert not (cli.memory / "inbox" / "hooks.jsonl").exists()


def test_a_log_has_counts_and_no_contents(cli: Cli, tmp_path: Path) -> None:
    """A file of lines for programs: what was said, and where, is in none of them, and nothing else is printed."""
    ClaudeTranscript("6f1c1f6e-0000-4000-8000-000000000001").say(RULE).reply("Done.").save(cli.user_home)
    log = tmp_path / "log" / "watch.log"

    ran = cli("watch", "--once", "--log", str(log))

    assert (ran.code, ran.out, ran.err) == (0, "", "")
    line = json.loads(log.read_text())
    assert (line["what"], line["level"], line["messages"], line["dream"]) == ("look", "info", 2, "not_due")
    assert line["seconds"] > 0
    for content in ("datetime", "zone", str(cli.user_home), "6f1c1f6e"):
        assert content not in log.read_text()


def test_what_goes_wrong_is_in_the_log_by_its_class(cli: Cli, tmp_path: Path) -> None:
    """A log says that something is wrong; the doctor says what."""
    (tmp_path / "memory").write_text("in the way")
    process = start(cli, "--log", "-")
    assert process.stderr is not None
    try:
        assert json.loads(process.stderr.readline())["what"] == "started"
        line = json.loads(process.stderr.readline())
    finally:
        process.kill()
        process.communicate()

    assert (line["what"], line["level"], line["failed"]) == ("look", "error", "StoreError")


def test_a_log_that_cannot_be_written_is_refused(cli: Cli, tmp_path: Path) -> None:
    """Before anything is done, and not after days."""
    ran = cli("watch", "--log", str(tmp_path))

    assert ran.code == 2
    assert "--log" in ran.err


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
    """Nobody would read the same complaint every five minutes; one that does not end is killed, and has no code."""
    cli.memory.mkdir()
    (cli.memory / "config.toml").write_text("[dream]\nsession_count = 0\n")

    ran = cli("watch")

    assert ran.code == 2
    assert "session_count" in ran.err
