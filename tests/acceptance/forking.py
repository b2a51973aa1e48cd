"""Commands as processes of their own, forked from one that has loaded them already.

To load Python and Noctuary takes ten times as long as most commands do.  Each command is still a process, with an
environment, a folder and standard streams of its own, and ends as it would; what is the same for all is done once for
each worker of the tests.  With NOCTUARY_TEST_EXEC=1 every command is started anew.
"""

import array
import atexit
import gc
import io
import json
import os
import select
import shutil
import signal
import socket
import struct
import subprocess
import sys
import tempfile
import threading
import time
from collections.abc import Mapping, Sequence
from functools import cache
from pathlib import Path

from noctuary.__main__ import main as command
from noctuary.doors.cli import main

SRC = Path(__file__).parents[2] / "src"
MOST_INPUT = 1 << 15  # what surely fits into a pipe
_LENGTH = struct.Struct("!I")
_HERE = ("PYTHON", "LC_", "LANG", "LD_")  # names that say how Python itself starts
_USUAL = {"PYTHONPATH": str(SRC), "PYTHONUTF8": "1"}


def can_fork(environ: Mapping[str, str], stdin: bytes) -> bool:
    """Whether a forked process would be what a new one is."""
    special = {name: value for name, value in environ.items() if name.startswith(_HERE)}
    usual = {**{name: value for name, value in os.environ.items() if name.startswith(_HERE)}, **_USUAL}
    usual.pop("PYTHONDONTWRITEBYTECODE", None)
    return special == usual and len(stdin) <= MOST_INPUT and os.environ.get("NOCTUARY_TEST_EXEC") != "1"


def run(
    arguments: Sequence[str], environ: Mapping[str, str], stdin: bytes, cwd: Path | None, timeout: float
) -> tuple[int, bytes, bytes]:
    """Run `noctuary` to its end: its exit code, and what it printed."""
    pipes = [os.pipe() for _ in range(3)]
    given = json.dumps([list(arguments), dict(environ), str(cwd or Path.cwd())]).encode()
    with socket.socket(socket.AF_UNIX) as connection:
        connection.connect(_parent())
        theirs = [pipes[0][0], pipes[1][1], pipes[2][1]]
        connection.sendmsg(
            [_LENGTH.pack(len(given))], [(socket.SOL_SOCKET, socket.SCM_RIGHTS, array.array("i", theirs))]
        )
        connection.sendall(given)
        for each in theirs:
            os.close(each)
        with os.fdopen(pipes[0][1], "wb") as file:
            file.write(stdin)
        killer = threading.Timer(timeout, os.kill, (_number(connection), signal.SIGKILL))
        killer.daemon = True
        killer.start()
        said: list[bytes] = []
        reader = threading.Thread(target=lambda: said.append(_read(pipes[2][0])))
        reader.start()
        out = _read(pipes[1][0])
        reader.join()
        status = _number(connection)
        is_late = killer.finished.is_set()  # it has struck
        killer.cancel()
    if is_late:
        raise subprocess.TimeoutExpired(["noctuary", *arguments], timeout, out, said[0])
    return os.waitstatus_to_exitcode(status), out, said[0]


def _read(pipe: int) -> bytes:
    with os.fdopen(pipe, "rb") as file:
        return file.read()


def _number(connection: socket.socket) -> int:
    return int(_LENGTH.unpack(_received(connection, _LENGTH.size))[0])


def _received(connection: socket.socket, size: int) -> bytes:
    content = b""
    while len(content) < size:
        piece = connection.recv(size - len(content))
        assert piece, "the process that forks has ended"
        content += piece
    return content


@cache
def _parent() -> str:
    """Where the process listens that has loaded every command; it ends with this one."""
    folder = tempfile.mkdtemp(prefix="noctuary-fork-")
    address = f"{folder}/socket"
    environ = {name: value for name, value in os.environ.items() if not name.startswith(("NOCTUARY_", "PYTHON"))}
    process = subprocess.Popen(
        [sys.executable, "-P", __file__, address],
        env={**environ, **_USUAL},
        stdin=subprocess.PIPE,
        stdout=subprocess.PIPE,
    )
    assert process.stdout
    assert process.stdout.readline() == b"ready\n"
    atexit.register(process.communicate)
    return address


def _serve(address: str) -> bool:
    """Fork for everybody who connects, until standard input ends; whether this is one of the forked."""
    context = main.make_context("noctuary", ["--help"], resilient_parsing=True)
    for name in main.list_commands(context):
        main.get_command(context, name)
    assert threading.active_count() == 1
    gc.freeze()
    listening = socket.socket(socket.AF_UNIX)
    listening.bind(address)
    listening.listen(100)
    print("ready", flush=True)
    signal.signal(signal.SIGCHLD, signal.SIG_IGN)
    while 0 not in select.select([0, listening.fileno()], [], [])[0]:
        if _is_child(listening):
            return True
    shutil.rmtree(Path(address).parent)
    return False


def _is_child(listening: socket.socket) -> bool:
    """Take one who connected; the child runs what it is asked to, and ends with it."""
    connection, _ = listening.accept()
    if os.fork():
        connection.close()
        return False
    signal.signal(signal.SIGCHLD, signal.SIG_DFL)
    listening.close()
    first, rights, _, _ = connection.recvmsg(_LENGTH.size, socket.CMSG_SPACE(3 * 4))
    streams = array.array("i", rights[0][2])
    size = _LENGTH.unpack(first + _received(connection, _LENGTH.size - len(first)))[0]
    arguments, environ, folder = json.loads(_received(connection, size))
    pid = os.fork()
    if pid:
        for stream in (*streams, 0, 1):
            os.close(stream)
        connection.sendall(_LENGTH.pack(pid))
        connection.sendall(_LENGTH.pack(os.waitpid(pid, 0)[1]))
        os._exit(0)
    connection.close()
    for number, stream in enumerate(streams):
        os.dup2(stream, number)
        os.close(stream)
    _become(arguments, environ, folder)
    return True


def _become(arguments: list[str], environ: dict[str, str], folder: str) -> None:
    """Be as a process that was just started."""
    os.environ.clear()
    os.environ.update(environ)
    time.tzset()
    os.chdir(folder)
    sys.path.insert(0, folder)
    sys.stdin = io.TextIOWrapper(io.BufferedReader(io.FileIO(0, closefd=False)), "utf-8", "surrogateescape")
    sys.stdout = io.TextIOWrapper(io.BufferedWriter(io.FileIO(1, "w", closefd=False)), "utf-8", "surrogateescape")
    raw = io.BufferedWriter(io.FileIO(2, "w", closefd=False))
    sys.stderr = io.TextIOWrapper(raw, "utf-8", "backslashreplace", line_buffering=True)
    sys.argv = [str(SRC / "noctuary" / "__main__.py"), *arguments]


def _run() -> None:
    """Run the command; at the end Python is not taken down piece by piece, which takes as long as the rest."""
    try:
        command()
    except SystemExit as ended:
        if not isinstance(ended.code, int):
            raise
        threading._shutdown()  # type: ignore[attr-defined]  # waits for threads, as the end of Python does
        atexit._run_exitfuncs()
        sys.stdout.flush()
        sys.stderr.flush()
        os._exit(ended.code)


if __name__ == "__main__" and _serve(sys.argv[1]):
    _run()
