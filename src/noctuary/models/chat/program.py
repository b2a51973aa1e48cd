"""Run an agent's own command as a model: one question on its standard input, one answer on its output.

The command runs in an empty folder, so that no project's instructions are read, in a process group of its own, which
is ended as a whole when its time is over or it says too much.  Its environment says that it works for a dream: our
hooks and commands see that and do nothing, or a dream would start an agent whose session starts a dream.
"""

import os
import re
import shutil
import signal
import subprocess
import tempfile
import threading
from collections.abc import Mapping, Sequence
from contextlib import suppress
from pathlib import Path
from typing import IO, NamedTuple

from noctuary.errors import ModelMissing
from noctuary.models.chat.model import MOST_BYTES, NoAnswer, Passing
from noctuary.models.failures import reason

DREAMING = "NOCTUARY_DREAMING"  # in the environment of whatever a dream starts
_OF_AN_AGENT = ("CLAUDECODE", "CLAUDE_CODE_ENTRYPOINT", "CLAUDE_CODE_SSE_PORT")  # it starts in no other agent
_SECRET_NAME = re.compile(r"KEY|TOKEN|SECRET|PASSWORD", re.IGNORECASE)
_SHORTEST_SECRET = 8
_PIECE = 1 << 16
_TO_END = 5.0  # seconds, after it was killed


class Printed(NamedTuple):
    """What a command wrote until it ended."""

    out: str
    err: str
    code: int


class Program:
    """A command that can be run again and again."""

    def __init__(self, name: str, environ: Mapping[str, str], timeout: float) -> None:
        if is_dreaming(environ):
            raise ModelMissing(f"This runs for a dream already, so it starts no {name} for another one.")
        found = shutil.which(name, path=environ.get("PATH", os.defpath))
        if found is None:
            raise ModelMissing(f"There is no command {name} on this machine; install it, or choose another backend.")
        self.name = name
        self._path = found
        self._timeout = timeout
        self._environ = {name: value for name, value in environ.items() if name not in _OF_AN_AGENT} | {DREAMING: "1"}

    def run(self, options: Sequence[str], prompt: str, files: Mapping[str, str] | None = None) -> Printed:
        """What the command answers; files are put where it runs.  Passing if it takes too long."""
        with tempfile.TemporaryDirectory(prefix="noctuary-", ignore_cleanup_errors=True) as folder:
            for name, text in (files or {}).items():
                (Path(folder) / name).write_text(text, encoding="utf-8")
            try:
                process = subprocess.Popen(  # noqa: S603 - the command that the user chose
                    [self._path, *options],
                    cwd=folder,
                    env=self._environ,
                    stdin=subprocess.PIPE,
                    stdout=subprocess.PIPE,
                    stderr=subprocess.PIPE,
                    start_new_session=True,
                )
            except OSError as error:
                raise ModelMissing(f"{self.name} cannot be started: {reason(error)}. Install it again.") from error
            with process:
                return self._printed(process, prompt)

    def shown(self, said: str) -> str:
        """The first line of what it said, without what is secret in its environment."""
        for name, value in self._environ.items():
            if len(value) >= _SHORTEST_SECRET and _SECRET_NAME.search(name):
                said = said.replace(value, f"[{name}]")
        return reason(ValueError(said.strip() or "it said nothing"))

    def _printed(self, process: subprocess.Popen[bytes], prompt: str) -> Printed:
        out, err = _Drain(process.stdout, process), _Drain(process.stderr, process)
        threads = (out, err, threading.Thread(target=_feed, args=(process.stdin, prompt), daemon=True))
        for thread in threads:
            thread.start()
        try:
            process.wait(self._timeout)
        except subprocess.TimeoutExpired:
            late = f"{self.name} did not answer within {self._timeout:g} seconds and was ended. Try again later."
            raise Passing(late, used=None) from None
        finally:
            _end(process)  # and whatever it left running, which would keep its output open
            for thread in threads:
                thread.join(_TO_END)
        if out.is_over or err.is_over:
            raise NoAnswer(f"{self.name} answered with far more than was asked, and was ended.", used=None)
        return Printed(out.text(), err.text(), process.returncode)


class _Drain(threading.Thread):
    """Reads what a command writes, so that it never waits for us; ends it if that is too much."""

    def __init__(self, pipe: IO[bytes] | None, process: subprocess.Popen[bytes]) -> None:
        super().__init__(daemon=True)
        self._pipe = pipe
        self._process = process
        self._pieces: list[bytes] = []
        self.is_over = False

    def run(self) -> None:
        """Read until it ends."""
        size = 0
        with suppress(OSError, ValueError):  # it is closed when its time is over
            while self._pipe and (piece := os.read(self._pipe.fileno(), _PIECE)):
                size += len(piece)
                if size > MOST_BYTES:
                    self.is_over = True
                    _end(self._process)
                    return
                self._pieces.append(piece)

    def text(self) -> str:
        """What was read."""
        return b"".join(self._pieces).decode("utf-8", "replace")


def is_dreaming(environ: Mapping[str, str]) -> bool:
    """Whether this process was started by a dream, directly or not: then no hook and no dream may run."""
    return bool(environ.get(DREAMING))


def _feed(pipe: IO[bytes], prompt: str) -> None:
    with suppress(OSError, ValueError), pipe:  # it may end without having read all
        pipe.write(prompt.encode("utf-8", "replace"))


def _end(process: subprocess.Popen[bytes]) -> None:
    """Kill the command and all that it started."""
    with suppress(ProcessLookupError, PermissionError):
        if hasattr(os, "killpg"):
            os.killpg(process.pid, signal.SIGKILL)
        else:
            process.kill()
    with suppress(subprocess.TimeoutExpired):
        process.wait(_TO_END)
