"""What reaches a terminal, a pipe and a program: colours and bars only where people see them, and nothing hostile."""

import os
import pty
import select
import signal
import subprocess
import time
from pathlib import Path

import pytest

from noctuary.testing import ClaudeTranscript
from tests.acceptance.conftest import SAMPLES, Cli

HOSTILE = "zeppelin \x1b[31mred\x1b[0m \x1b]0;owned\x07 \x9b2J bell\x07 back\x08\r\u202egnp.exe\u200bx \x00 end"
FORBIDDEN = ["\x1b", "\x9b", "\x07", "\x08", "\r", "\u202e", "\u200b", "\0"]


def on_terminal(cli: Cli, *arguments: str | Path, answer: bytes = b"", **extra: str) -> tuple[int, str]:
    """Run a command on a terminal of its own; the answer is typed when a question has appeared."""
    command = [str(part) for part in cli.command(*arguments)]
    child, terminal = pty.fork()
    if child == 0:
        os.execve(command[0], command, cli.environ(COLUMNS="80", **extra))
    seen = b""
    while chunk := _read(terminal, answer if b"[y/N]" in seen else b""):
        seen += chunk
    os.close(terminal)
    return os.waitstatus_to_exitcode(os.waitpid(child, 0)[1]), seen.decode("utf-8", "replace")


def _read(terminal: int, answer: bytes) -> bytes:
    """What comes next; the answer is typed until something does, for Ctrl-C just before a read is lost."""
    for _ in range(60):
        if answer:
            os.write(terminal, answer)
        if select.select([terminal], [], [], 1)[0]:
            break
    else:
        pytest.fail("the command does not end")
    try:
        return os.read(terminal, 65_536)
    except OSError:  # Linux says so when the other end is closed
        return b""


def test_progress_and_colour_are_for_terminals(cli: Cli) -> None:
    """On a terminal an import shows its progress; through pipes there is neither bar nor colour."""
    code, seen = on_terminal(cli, "import", "--from", SAMPLES)
    piped = cli("import", "--from", SAMPLES)

    assert code == 0
    assert "Importing [" in seen
    assert "100%" in seen
    assert "\x1b[1mImported" in seen
    assert "\x1b" not in piped.out + piped.err
    assert "Importing [" not in piped.err


def test_rebuilding_shows_its_progress(sample: Cli) -> None:
    """Making the index again is long work in a large memory, so a terminal shows how far it has come."""
    code, seen = on_terminal(sample, "rebuild")
    piped = sample("rebuild")

    assert code == 0
    assert "Rebuilding [" in seen
    assert "entries" in seen
    assert "Rebuilding [" not in piped.err


def test_matches_are_coloured_on_a_terminal_and_marked_elsewhere(sample: Cli) -> None:
    """A match is bold and yellow on a terminal, between marks in a pipe; NO_COLOR brings the marks back."""
    _, seen = on_terminal(sample, "search", "redis")
    _, plain = on_terminal(sample, "search", "redis", NO_COLOR="1")

    assert "\x1b[33m\x1b[1mRedis\x1b[0m" in seen
    assert ">>>" not in seen
    assert ">>>Redis<<<" in plain
    assert "\x1b" not in plain
    assert "\x1b" not in sample("search", "redis").out


def test_lines_fit_the_terminal(sample: Cli) -> None:
    """Tables and hits keep within the columns of the terminal."""
    for arguments in (["sessions"], ["search", "redis"]):
        _, seen = on_terminal(sample, *arguments, NO_COLOR="1")
        assert max(len(line) for line in seen.splitlines()) <= 80


@pytest.mark.parametrize(
    ("answer", "is_forgotten"), [(b"y\n", True), (b"n\n", False), (b"\n", False), (b"\x03", False)]
)
def test_forget_asks_first(cli: Cli, answer: bytes, is_forgotten: bool) -> None:
    """On a terminal forget shows what would go and asks; only a yes is a yes."""
    cli("import", "--from", SAMPLES)

    _, seen = on_terminal(cli, "forget", "--session", "3b0f", answer=answer)

    assert "19 messages" in seen
    assert (cli("show", "3b0f").code == 3) is is_forgotten


@pytest.mark.parametrize(
    "arguments", [["search", "zeppelin"], ["show", "6f1c"], ["sessions"], ["forget", "--text", "zeppelin", "--dry-run"]]
)
def test_stored_text_cannot_command_a_terminal(cli: Cli, arguments: list[str]) -> None:
    """Escape sequences, control and invisible characters of stored text reach neither a pipe nor JSON raw."""
    ClaudeTranscript().say(HOSTILE).call("Bash", {"command": HOSTILE}).result(HOSTILE).save(cli.user_home)
    cli("import")

    told, as_json = cli(*arguments), cli(*arguments, "--json")
    _, seen = on_terminal(cli, *arguments, NO_COLOR="1")

    assert told.code == as_json.code == 0
    assert "zeppelin" in told.out.replace(">>>", "")
    assert not [mark for mark in FORBIDDEN if mark in told.out or mark in as_json.out]
    assert not [mark for mark in FORBIDDEN if mark in seen.replace("\r\n", "\n")]


def test_hostile_names_of_records_and_files(cli: Cli) -> None:
    """What an import report quotes from transcripts is made safe, too."""
    transcript = ClaudeTranscript().say("hello").note("odd\x1b[2J\u202etype")
    path = transcript.save(cli.user_home)
    path.write_text(path.read_text() + "{broken \x1b[2J\n")

    ran = cli("import")

    assert "unknown types" in ran.out
    assert f"{path.name}:3" in ran.out
    assert not [mark for mark in FORBIDDEN if mark in ran.out]


def test_an_encoding_that_lacks_letters(sample: Cli) -> None:
    """A terminal that cannot show a letter gets a question mark, not a crash."""
    ran = sample("search", "税率", PYTHONUTF8="0", PYTHONIOENCODING="latin-1")

    assert ran.code == 0
    assert "?" in ran.out


def test_long_output_is_shortened_unless_full(cli: Cli) -> None:
    """Tool output beyond some lines is left out and counted; --full shows all of it."""
    lines = "\n".join(f"line {number}" for number in range(1, 101))
    ClaudeTranscript().say("go").call("Bash", {"command": "seq"}).result(lines).save(cli.user_home)
    cli("import")

    short, full = cli("show", "6f1c").out, cli("show", "6f1c", "--full").out

    assert "88 more lines" in short
    assert "line 100" not in short
    assert "line 100" in full


def test_a_long_session_comes_in_pages(cli: Cli) -> None:
    """Of a session with thousands of messages only a page is shown, with the command for the next."""
    transcript = ClaudeTranscript()
    for number in range(1, 1001):
        transcript.say(f"Prompt number {number}")
    transcript.save(cli.user_home)
    cli("import")

    ran = cli("show", "6f1c")

    assert ran.out.count("Prompt number") <= 202  # the title and a page
    assert "800 messages after" in ran.out
    assert "--from 201" in ran.out


def test_a_closed_pipe_is_silent(sample: Cli) -> None:
    """`noctuary … | head` ends without a word on stderr."""
    with subprocess.Popen(
        sample.command("search", "the", "-n", "100", "--messages", "--json"),
        env=sample.environ(),
        stdout=subprocess.PIPE,
        stderr=subprocess.PIPE,
    ) as process:
        assert process.stdout is not None
        assert process.stderr is not None
        process.stdout.close()
        assert process.stderr.read() == b""


def test_an_interrupted_import_goes_on_later(cli: Cli, tmp_path: Path) -> None:
    """Ctrl-C ends an import with 130 and a calm word; the next import completes it."""
    transcript = ClaudeTranscript()
    for number in range(30_000):
        transcript.say(f"Prompt number {number} about the zeppelin and {number * 7919}")
    transcript.save(cli.user_home)
    with subprocess.Popen(
        cli.command("import"), env=cli.environ(), stdout=subprocess.PIPE, stderr=subprocess.PIPE
    ) as process:
        log = cli.database.with_name(f"{cli.database.name}-wal")
        while not log.exists() or log.stat().st_size < 300_000:  # until it stores, and no longer loads modules:
            time.sleep(0.01)  # struck while it builds a class, CPython ends by the signal, though it was handled
        process.send_signal(signal.SIGINT)
        _, err = process.communicate()

    assert process.returncode == 130
    assert b"run the command again" in err
    assert b"Traceback" not in err
    assert cli("import").code == 0
    assert cli("status", "--json").json["messages"] == 30_000
    assert cli("doctor").code == 0
