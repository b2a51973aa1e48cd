"""Say which operation of this process goes wrong, and how.  Only where `faults.c` was loaded with LD_PRELOAD."""

import ctypes
import hashlib
import os
import shutil
import subprocess
import tempfile
from enum import IntEnum, IntFlag
from functools import cache
from pathlib import Path

import apsw

SOURCE = Path(__file__).with_name("faults.c")
_PRELOAD = "LD_PRELOAD"


class NoCompiler(Exception):
    """There is no C compiler here."""


class Kind(IntFlag):
    """Kinds of operations on files, as in faults.c."""

    READING = 1
    NAMING = 2  # making, renaming, removing, shortening
    WRITING = 4
    SYNCING = 8
    MARKING = 16  # no operation: a statement of SQL, or a verb that has returned
    OPENING = 32  # for writing, of a file that is there


class Action(IntEnum):
    """What happens at the operation."""

    NOTHING = 0
    KILL = 1  # just before it
    KILL_HALFWAY = 2  # when half of the bytes are written
    FAIL_ONCE = 3
    FAIL_FROM_THERE = 4  # and all that follow


CHANGING = Kind.NAMING | Kind.WRITING | Kind.SYNCING


def library() -> Path:
    """The compiled library, made once for each version of its source; NoCompiler if nothing here can."""
    content = SOURCE.read_bytes()
    path = Path(tempfile.gettempdir()) / f"noctuary-faults-{os.getuid()}-{hashlib.sha256(content).hexdigest()[:16]}.so"
    if not (path.exists() and path.stat().st_uid == os.getuid()):  # what another put there is not loaded
        compiler = shutil.which("gcc") or shutil.which("cc")
        if compiler is None:
            raise NoCompiler("There is no C compiler (Debian: apt-get install gcc libc6-dev)")
        partial = path.with_suffix(f".{os.getpid()}")
        subprocess.run([compiler, "-O1", "-shared", "-fPIC", "-o", partial, SOURCE], check=True)
        partial.replace(path)
    return path


def environ_with_faults() -> dict[str, str]:
    """The environment of a process that can be disturbed."""
    return {**os.environ, _PRELOAD: str(library())}


@cache
def _loaded() -> ctypes.CDLL:
    return ctypes.CDLL(None)


def arm(folder: Path, kinds: Kind, at: int, action: Action, *, error: int = 0, log: int = -1) -> None:
    """Let the operation with this number, of those below the folder that are of these kinds, go wrong."""
    _loaded().faults_arm(os.fsencode(folder), int(kinds), ctypes.c_long(at), int(action), error, log)


def disarm() -> int:
    """Let nothing more go wrong; how many operations there were."""
    return int(_loaded().faults_disarm())


def mark(what: str) -> None:
    """A point that is no operation on files."""
    _loaded().faults_mark(what.encode())


def mark_statements() -> None:
    """Make every statement that any connection begins a point."""
    apsw.connection_hooks.append(lambda connection: connection.trace_v2(apsw.SQLITE_TRACE_STMT, lambda _: mark("sql")))
