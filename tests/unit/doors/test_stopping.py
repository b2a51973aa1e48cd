"""How a process is stopped: it ends what it does, is cut if that takes too long, and wakes if it rests."""

import signal
import subprocess
import sys
from collections.abc import Iterator
from contextlib import contextmanager

import pytest

PROGRAM = """
import sys, time
from noctuary.doors.stopping import Cut, Stopping
stopping = Stopping(grace_seconds=int(sys.argv[1]))
stopping.listen()
print("ready", flush=True)
try:
    if sys.argv[2] == "rest":
        stopping.rest(600)
    else:
        for _ in range(int(sys.argv[2])):
            if stopping.asked_by:
                print("asked", flush=True)
            time.sleep(0.01)
    print("ended", stopping.asked_by)
except Cut:
    print("\\ncut", stopping.asked_by)  # it may have been cut in the middle of a line
"""


@contextmanager
def started(grace: int, work: str) -> Iterator[subprocess.Popen[str]]:
    """A process that does something, and listens."""
    process = subprocess.Popen([sys.executable, "-c", PROGRAM, str(grace), work], stdout=subprocess.PIPE, text=True)
    try:
        assert process.stdout is not None
        assert process.stdout.readline() == "ready\n"
        yield process
    finally:
        process.kill()
        process.communicate()


def last_line(process: subprocess.Popen[str]) -> str:
    """The last thing it said."""
    out, _ = process.communicate(timeout=60)
    return out.splitlines()[-1]


@pytest.mark.parametrize("number", [signal.SIGTERM, signal.SIGINT])
def test_who_rests_is_woken(number: signal.Signals) -> None:
    """Nobody waits ten minutes for a process that does nothing."""
    with started(60, "rest") as process:
        process.send_signal(number)

        assert last_line(process) == f"ended {number.value}"


def test_who_works_ends_that_first() -> None:
    """The signal is known to whoever asks, and what is being done goes on."""
    with started(60, "50") as process:
        process.send_signal(signal.SIGTERM)

        assert last_line(process) == f"ended {signal.SIGTERM.value}"


@pytest.mark.slow
def test_who_works_for_too_long_is_cut() -> None:
    """After the grace it ends, whatever it does."""
    with started(1, "100000") as process:
        process.send_signal(signal.SIGTERM)

        assert last_line(process) == f"cut {signal.SIGTERM.value}"


def test_a_second_signal_cuts() -> None:
    """Whoever asks twice does not want to wait."""
    with started(600, "100000") as process:
        process.send_signal(signal.SIGINT)
        assert process.stdout is not None
        assert process.stdout.readline() == "asked\n"
        process.send_signal(signal.SIGINT)

        assert last_line(process) == f"cut {signal.SIGINT.value}"
