"""Work of a memory in a process of its own that can be killed: what the tests of crashes share."""

import os
import signal
import subprocess
import sys
import time
from collections import Counter
from collections.abc import Iterator
from pathlib import Path

SRC = Path(__file__).parents[2] / "src"
_PROGRAM = """
import sys
from pathlib import Path
from noctuary.app import Memory
from noctuary.clock import SystemClock
from noctuary.settings import Settings
settings = Settings(home=Path(sys.argv[1]), owner="ana", user_home=Path(sys.argv[2]), environ=dict())
with Memory.from_settings(settings, SystemClock()) as memory:
    {first}
    print("begun", flush=True)
    {work}
"""


def start(work: str, folder: Path, home: Path, *, first: str = "pass") -> subprocess.Popen[str]:
    """Work on the `memory` in the folder, of the transcripts below the home: begun, but not done.

    What comes first is done already.
    """
    process = subprocess.Popen(
        [sys.executable, "-c", _PROGRAM.format(work=work, first=first), str(folder), str(home)],
        env={"PYTHONPATH": str(SRC), "PATH": os.defpath},
        stdout=subprocess.PIPE,
        text=True,
    )
    assert process.stdout
    assert process.stdout.readline() == "begun\n"
    return process


def attempts(least: int, hits: Counter[str], **wanted: int) -> Iterator[int]:
    """Numbers of attempts: so many at least, and up to eight times as many until there are more hits than wanted.

    When something happens was measured before; since then the machine may have become busier, or less busy.
    """
    for attempt in range(8 * least):
        if attempt >= least and all(hits[kind] > count for kind, count in wanted.items()):
            return
        yield attempt


def kill(process: subprocess.Popen[str], delay: float) -> bool:
    """Kill the process after a while; False if it had ended by itself."""
    time.sleep(delay)
    process.send_signal(signal.SIGKILL)
    process.communicate()
    return process.returncode == -signal.SIGKILL
