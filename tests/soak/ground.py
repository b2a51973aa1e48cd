"""Where a soak takes place: a memory, the home folder of its user, and a folder for temporary files."""

import os
import subprocess
import sys
from pathlib import Path
from typing import NamedTuple

from noctuary.snapshot.manifest import DATABASE

ROOT = Path(__file__).parents[2]
HOOK = ROOT / "src" / "noctuary" / "doors" / "hook" / "__main__.py"
OWNER = "ana"
# Whoever is last in line on a busy machine waits longer than a person would, and that is no fault; a lock that cannot
# be had at all is told at once, however long one would wait for it.
PATIENCE = 900  # seconds
_KEPT = ("PATH", "LANG", "LC_ALL", "LD_LIBRARY_PATH", "PYTHONHASHSEED", "SYSTEMROOT")
_CONFIG = f"""\
busy_seconds = {PATIENCE}

[hooks]
prompt_recall = true
tool_recall = true
"""


class Ground(NamedTuple):
    """The folders, and how a command is run there."""

    root: Path

    @property
    def memory(self) -> Path:
        """The home of the memory."""
        return self.root / "memory"

    @property
    def database(self) -> Path:
        """The file that all of them share."""
        return self.memory / DATABASE

    @property
    def user_home(self) -> Path:
        """The home folder of the user, with transcripts and projects."""
        return self.root / "home"

    @property
    def temporary(self) -> Path:
        """What is empty when all is over."""
        return self.root / "tmp"

    @property
    def noted(self) -> Path:
        """What was acknowledged, a file for each who was told."""
        return self.root / "noted"

    @property
    def heard(self) -> Path:
        """What each process wrote to its standard error."""
        return self.root / "heard"

    @property
    def projects(self) -> list[str]:
        """The folders that agents work in; nobody has cloned them from anywhere."""
        return [str(self.user_home / "code" / name) for name in ("shop", "stock")]

    def make(self) -> None:
        """Make all of it."""
        for folder in (self.memory, self.temporary, self.noted, self.heard, *map(Path, self.projects)):
            folder.mkdir(parents=True, mode=0o700)
        (self.memory / "config.toml").write_text(_CONFIG, encoding="utf-8")

    def environ(self) -> dict[str, str]:
        """The environment of everybody here."""
        kept = {name: os.environ[name] for name in _KEPT if name in os.environ}
        ours = {"HOME": str(self.user_home), "NOCTUARY_HOME": str(self.memory), "USER": OWNER}
        return {**kept, **ours, "TMPDIR": str(self.temporary), "PYTHONPATH": f"{ROOT / 'src'}:{ROOT}"}

    def command(self, *arguments: str) -> list[str]:
        """`noctuary`, as a command line."""
        return [sys.executable, "-m", "noctuary", *arguments]

    def run(self, *arguments: str) -> "subprocess.CompletedProcess[str]":
        """Run a command of Noctuary to its end; TimeoutExpired if it has none."""
        return subprocess.run(
            self.command(*arguments),
            env=self.environ(),
            cwd=self.user_home,
            stdin=subprocess.DEVNULL,
            capture_output=True,
            text=True,
            check=False,
            timeout=PATIENCE,
        )


def wrong_with(ran: "subprocess.CompletedProcess[str]") -> str:
    """What is wrong with how a command ended, if anything: it has nothing to complain about here."""
    what = " ".join(ran.args[3:5])
    if ran.returncode or ran.stderr:
        return f"`{what}` ended with {ran.returncode}: {(ran.stderr or ran.stdout).strip()[-1_000:]}"
    return ""
