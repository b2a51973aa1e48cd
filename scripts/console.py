"""Run `noctuary` as a person would see it: on a terminal of eighty columns, which a pseudo-terminal stands in for."""

import os
import pty
import subprocess
import sys
import tempfile
from collections.abc import Mapping, Sequence
from pathlib import Path
from typing import NamedTuple

COLUMNS = "80"


class Shown(NamedTuple):
    """What a command wrote on its terminal and to stderr, and its exit code."""

    text: str
    errors: str
    code: int


def on_terminal(arguments: Sequence[str], environ: Mapping[str, str], folder: Path | None = None) -> Shown:
    """Run a command line of `noctuary` to its end; stderr is no terminal, so there is no progress bar."""
    ours, theirs = pty.openpty()
    with tempfile.TemporaryFile() as errors:
        process = subprocess.Popen(
            [sys.executable, "-m", "noctuary", *arguments],
            stdin=subprocess.DEVNULL,
            stdout=theirs,
            stderr=errors,
            env={**environ, "COLUMNS": COLUMNS, "PYTHONUTF8": "1"},
            cwd=folder,
        )
        os.close(theirs)
        written = b""
        while piece := _read(ours):
            written += piece
        os.close(ours)
        code = process.wait()
        errors.seek(0)
        return Shown(_text(written), _text(errors.read()), code)


def _text(written: bytes) -> str:
    return written.decode("utf-8", "replace").replace("\r\n", "\n")


def _read(terminal: int) -> bytes:
    try:
        return os.read(terminal, 65_536)
    except OSError:  # how Linux says that nobody writes to it any more
        return b""
