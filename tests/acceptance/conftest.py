"""The real command line, run as a process of its own on a home folder of its own."""

import json
import os
import signal
import subprocess
import sys
import threading
from collections.abc import Iterator
from dataclasses import dataclass, field
from pathlib import Path
from typing import TYPE_CHECKING, Any

import pytest

from tests.acceptance import forking

if TYPE_CHECKING:
    from playwright.sync_api import Browser

    from tests.acceptance.browser import Site
    from tests.acceptance.shop_with_a_past import Past

# Whoever runs the tests in the background has them ignore Ctrl-C, and what they start would ignore it, too.
if signal.getsignal(signal.SIGINT) is signal.SIG_IGN and threading.current_thread() is threading.main_thread():
    signal.signal(signal.SIGINT, signal.default_int_handler)


ROOT = Path(__file__).parents[2]
SECONDS = 120  # after which a command that does not end is killed, and its test fails
SAMPLES = ROOT / "samples" / "home"
_OURS = (
    "NOCTUARY_",
    "PYTHONDONTWRITEBYTECODE",
    "CLAUDE",
    "CODEX_",
    "CURSOR_",
    "GEMINI_",
    "OPENCODE",
    "AI_AGENT",
    "NO_COLOR",
)


@dataclass(frozen=True)
class Ran:
    """How a command ended."""

    code: int
    out: str
    err: str

    @property
    def json(self) -> Any:
        """What it printed, as JSON."""
        return json.loads(self.out)


@dataclass(frozen=True)
class Cli:
    """`noctuary` for one memory and one user's home folder."""

    memory: Path
    user_home: Path
    extra: dict[str, str] = field(default_factory=dict)

    @property
    def database(self) -> Path:
        """Where the database is."""
        return self.memory / "noctuary.db"

    def environ(self, **extra: str) -> dict[str, str]:
        """The environment of a command."""
        kept = {name: value for name, value in os.environ.items() if not name.startswith(_OURS)}
        ours = {"HOME": str(self.user_home), "NOCTUARY_HOME": str(self.memory), "USER": "ana", "TERM": "xterm"}
        return {**kept, **ours, "PYTHONPATH": str(ROOT / "src"), "PYTHONUTF8": "1", **self.extra, **extra}

    def command(self, *arguments: str | bytes | Path) -> list[str | bytes | Path]:
        """The command line."""
        return [sys.executable, "-m", "noctuary", *arguments]

    def __call__(self, *arguments: str | bytes | Path, stdin: str = "", cwd: Path | None = None, **extra: str) -> Ran:
        """Run a command to its end, forked if that makes no difference to it; there is never a traceback."""
        environ, given = self.environ(**extra), stdin.encode()
        if not forking.can_fork(environ, given):
            return self.start(*arguments, stdin=stdin, cwd=cwd, **extra)
        return _ran(*forking.run(list(map(os.fsdecode, arguments)), environ, given, cwd, SECONDS))

    def start(self, *arguments: str | bytes | Path, stdin: str = "", cwd: Path | None = None, **extra: str) -> Ran:
        """The same, as a new process that loads everything itself."""
        ran = subprocess.run(
            self.command(*arguments),
            env=self.environ(**extra),
            input=stdin.encode(),
            capture_output=True,
            check=False,
            cwd=cwd,
            timeout=SECONDS,
        )
        return _ran(ran.returncode, ran.stdout, ran.stderr)


def _ran(code: int, said: bytes, complained: bytes) -> Ran:
    out, err = said.decode("utf-8", "replace"), complained.decode("utf-8", "replace")
    assert "Traceback" not in err, err
    assert code != 70, err
    return Ran(code, out, err)


@pytest.fixture
def cli(tmp_path: Path) -> Cli:
    """An empty memory of a user whose home folder is empty."""
    user_home = tmp_path / "home"
    user_home.mkdir()
    return Cli(tmp_path / "memory", user_home)


@pytest.fixture(scope="session")
def sample(tmp_path_factory: pytest.TempPathFactory) -> Cli:
    """A memory with the sample home imported; for tests that change nothing."""
    cli = Cli(tmp_path_factory.mktemp("sample") / "memory", SAMPLES)
    assert cli("import").code == 0
    return cli


@pytest.fixture(scope="session")
def page_home(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """The folder of a memory for pages to show; for tests that change nothing."""
    from noctuary.app import Memory
    from tests.acceptance.page_memory import clock, fill

    home = tmp_path_factory.mktemp("page") / "memory"
    with Memory.open(home, owner="ana", user_home=home, clock=clock()) as memory:
        fill(memory)
    return home


@pytest.fixture(scope="module")
def site(page_home: Path) -> "Iterator[Site]":
    """A server of that memory."""
    from tests.acceptance.browser import served
    from tests.acceptance.page_memory import clock

    with served(page_home, clock()) as running:
        yield running


@pytest.fixture(scope="module")
def seen_shop(tmp_path_factory: pytest.TempPathFactory) -> "Iterator[tuple[Site, Past]]":
    """A server of a shop with a past; for tests that change nothing."""
    from tests.acceptance.shop_with_a_past import served_shop

    with served_shop(tmp_path_factory.mktemp("shop")) as running:
        yield running


@pytest.fixture
def own_shop(tmp_path: Path) -> "Iterator[tuple[Site, Past]]":
    """The same for one test alone, which may change it."""
    from tests.acceptance.shop_with_a_past import served_shop

    with served_shop(tmp_path / "shop") as running:
        yield running


@pytest.fixture(scope="module")
def browser() -> "Iterator[Browser]":
    """A browser; not for the whole session, since its driver keeps a loop running in which others cannot start one."""
    from tests.acceptance.browser import chromium

    with chromium() as running:
        yield running
