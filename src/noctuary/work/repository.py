"""Questions to git about a folder that nobody vouches for: they run nothing of it, write nothing and always end.

A repository can name programs in its own configuration (monitors, hooks, pagers, filters, signature checkers).  They
are switched off here, and only such questions are asked as git answers from its own objects and its index: looking at
the files of the work tree can run a filter that the repository names.  Nothing is fetched from anywhere.
"""

import os
import shutil
import signal
import subprocess
from collections.abc import Iterable, Mapping
from pathlib import Path
from tempfile import TemporaryFile
from typing import BinaryIO

SECONDS = 5.0  # for one answer
LONGEST_ANSWER = 8_000_000
_OFF = {
    "core.fsmonitor": "false",
    "core.hooksPath": os.devnull,
    "core.pager": "cat",
    "core.sshCommand": "false",
    "core.askPass": "",
    "credential.helper": "",
    "diff.orderFile": os.devnull,
    "diff.relative": "false",
    "gc.auto": "0",
    "log.showSignature": "false",
    "maintenance.auto": "false",
    "protocol.allow": "never",
}
_NAMES = ("--no-color", "--no-ext-diff", "--no-textconv", "--no-renames", "--diff-filter=d", "-z", "--name-only")
_ENVIRONMENT = {
    "GIT_OPTIONAL_LOCKS": "0",
    "GIT_TERMINAL_PROMPT": "0",
    "GIT_NO_LAZY_FETCH": "1",
    "GIT_ALLOW_PROTOCOL": "none",
    "GIT_LITERAL_PATHSPECS": "1",
    "LC_ALL": "C",
}


class Repository:
    """The repository that a folder lies in, if it does; every answer is empty if git cannot give it."""

    def __init__(self, folder: Path, seconds: float = SECONDS) -> None:
        self.folder = folder
        self.seconds = seconds
        found = shutil.which("git")
        self._git = found if found and Path(found).is_absolute() else None

    def is_there(self) -> bool:
        """Whether the folder lies in a repository that git is willing to read."""
        return self._ask("rev-parse", "--git-dir") is not None

    def head(self) -> str:
        """The commit that is checked out."""
        return (self._ask("rev-parse", "--verify", "--quiet", "HEAD^{commit}") or "").strip()

    def branch(self) -> str:
        """The branch that is checked out; empty if a commit is, and not a branch."""
        return (self._ask("symbolic-ref", "--quiet", "--short", "HEAD") or "").strip()

    def commits_since(self, since_ms: int, most: int) -> list[str]:
        """The commits below the one that is checked out and not before the time, the newest first."""
        return (self._ask("rev-list", f"--max-count={most}", *_since(since_ms), "HEAD", "--") or "").split()

    def files_since(self, since_ms: int, most: int) -> list[str]:
        """The files that these commits changed, by their path from the root; those that are gone since too."""
        limits = (f"--max-count={most}", *_since(since_ms))
        return _paths(self._ask("log", "--no-merges", "--format=", *_NAMES, *limits, "HEAD", "--"))

    def staged(self) -> list[str]:
        """The files that the next commit would add or change."""
        return _paths(self._ask("diff-index", "--cached", "--ignore-submodules=all", *_NAMES, "HEAD", "--"))

    def tracked(self) -> list[str]:
        """All files of the commit that is checked out."""
        return _paths(self._ask("ls-tree", "-r", "-z", "--name-only", "--full-tree", "HEAD"))

    def missing(self, commits: Iterable[str]) -> list[str]:
        """Which of these the repository does not have; none if it has only the newest part of its history."""
        return [commit for commit, name in self._names(commits).items() if not name]

    def lost(self, commits: Iterable[str]) -> dict[str, str]:
        """Which of these are below no branch, no tag and not what is checked out, as after a rebase; each with how."""
        names = self._names(commits)
        there = dict.fromkeys(filter(None, names.values()))
        known = ("--branches", "--tags", "--remotes", *(["HEAD"] if there and self.head() else []))
        loose = set((self._ask("rev-list", *there, "--not", *known, "--") or "").split() if there else ())
        lost = {commit: "is not in the repository" for commit, name in names.items() if not name}
        return lost | {commit: "is on no branch any more" for commit, name in names.items() if name in loose}

    def _names(self, commits: Iterable[str]) -> dict[str, str]:
        """The full names of commits, empty for those that are not there; of what is no commit, or several, none."""
        asked = list(dict.fromkeys(commits))
        if not asked or (self._ask("rev-parse", "--is-shallow-repository") or "true").strip() != "false":
            return {}
        lines = "".join(f"{commit}^{{commit}}\n" for commit in asked)
        answers = (self._ask("cat-file", "--batch-check=%(objectname)", given=lines) or "").splitlines()
        if len(answers) != len(asked):
            return {}
        names = ("" if answer.endswith(" missing") else answer for answer in answers)
        return {commit: name for commit, name in zip(asked, names, strict=True) if " " not in name}

    def _ask(self, *words: str, given: str = "") -> str | None:
        """What git prints, or None if it fails; one that does not end in time is ended, and not asked again."""
        if self._git is None:
            return None
        settings = [word for name, value in _OFF.items() for word in ("-c", f"{name}={value}")]
        command = [self._git, "--no-pager", "-C", str(self.folder), *settings, *words]
        with TemporaryFile() as answer, TemporaryFile() as question:
            question.write(given.encode("utf-8", "replace"))
            question.seek(0)
            code = self._run(command, question, answer)
            answer.seek(0)
            return answer.read(LONGEST_ANSWER).decode("utf-8", "replace") if code == 0 else None

    def _run(self, command: list[str], question: BinaryIO, answer: BinaryIO) -> int | None:
        """How git ended.  It writes to a file: a pipe would stay open as long as any child of a child lives."""
        try:
            process = subprocess.Popen(  # noqa: S603 - git by its full path, and no shell
                command,
                stdin=question,
                stdout=answer,
                stderr=subprocess.DEVNULL,
                env=_environment(os.environ),
                start_new_session=True,
            )
        except (OSError, ValueError):
            return None
        try:
            return process.wait(self.seconds)
        except subprocess.TimeoutExpired:
            self._git = None
            _end(process)
            return None


def _environment(given: Mapping[str, str]) -> dict[str, str]:
    """What git may know: nothing of a repository that we are called from, as hooks are."""
    return {name: value for name, value in given.items() if not name.startswith("GIT_")} | _ENVIRONMENT


def _end(process: "subprocess.Popen[bytes]") -> None:
    """End the process and all that it started."""
    if os.name == "posix":
        os.killpg(process.pid, signal.SIGKILL)
    else:
        process.kill()
    process.wait()


def _since(since_ms: int) -> tuple[str, ...]:
    """The option that leaves out what is older.  Git takes a number of less than nine digits for no time at all."""
    seconds = since_ms // 1000
    return (f"--since=@{seconds}",) if seconds >= 100_000_000 else ()


def _paths(answer: str | None) -> list[str]:
    """Each path once, in their order."""
    return list(dict.fromkeys(path for part in (answer or "").split("\0") if (path := part.strip("\n"))))
