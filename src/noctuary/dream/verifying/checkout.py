"""A repository as it is checked out: which files are there, what became of others, and which commands it defines.

Nothing of it is run; git is asked as in `work/repository.py`, and files are only read, within bounds.
"""

import json
import re
from collections.abc import Iterator
from pathlib import Path
from typing import NamedTuple

from noctuary.dream.verifying.anchors import Command
from noctuary.work.repository import Repository

MOST_COMMITS = 5_000  # that are looked at for what became of files
MOST_SEARCHES = 20  # for what was taken out of a file: each looks into history
_LARGEST_FILE = 2_000_000
_PLAIN = ("--no-color", "--no-ext-diff", "--no-textconv")
_MAKEFILES = ("GNUmakefile", "makefile", "Makefile")
_JUSTFILES = ("justfile", "Justfile", ".justfile")
_COMMIT = "\x01"


class Fate(NamedTuple):
    """What the last commit that touched a file did to it."""

    at_ms: int
    is_gone: bool
    now: str | None = None  # where it was renamed to


class Checkout(Repository):
    """The working tree of a project; answers are None where nobody can say."""

    def __init__(self, folder: Path, seconds: float = 5.0) -> None:
        super().__init__(folder, seconds)
        self.root = self._root()
        self._searches = 0

    def has(self, path: str) -> bool:
        """Whether there is such a file or folder, committed or not."""
        try:
            return (self.root / path).exists()
        except (OSError, ValueError):
            return False

    def text(self, path: str) -> str | None:
        """What a file of the project says."""
        file = self.root / path
        try:
            inside = file.resolve().is_relative_to(self.root.resolve())
            if not inside or not file.is_file() or file.stat().st_size > _LARGEST_FILE:
                return None
            return file.read_text("utf-8", "replace")
        except (OSError, ValueError):
            return None

    def fates(self, since_ms: int) -> dict[str, Fate]:
        """What became of each file that was touched since, by its path from the root."""
        seconds = max(since_ms // 1000, 100_000_000)  # git takes fewer digits for no time at all
        answer = self._ask(
            "log", "--no-merges", f"--format={_COMMIT}%ct", "--name-status", "-z", "-M", "--no-relative", *_PLAIN,
            f"--max-count={MOST_COMMITS}", f"--since=@{seconds}", "HEAD", "--",
        )  # fmt: skip
        return _fates(answer or "")

    def took_out(self, words: str, path: str, since_ms: int) -> bool | None:
        """Whether a commit since then took these words out of a file, or put them in."""
        if self._searches >= MOST_SEARCHES:
            return None
        self._searches += 1
        seconds = max(since_ms // 1000, 100_000_000)
        answer = self._ask("log", "--format=%h", "-S", words, *_PLAIN, "--max-count=1", f"--since=@{seconds}", "HEAD",
                           "--", f"{self.root}/{path}")  # fmt: skip
        return None if answer is None else bool(answer.strip())

    def defines(self, command: Command) -> bool | None:
        """Whether the project defines a command."""
        if command.runner == "node":
            return self._has_script(command.name)
        names = _MAKEFILES if command.runner == "make" else _JUSTFILES
        text = next((text for name in names if (text := self.text(name)) is not None), None)
        if text is None:
            return None
        if re.search(rf"^(?:[\w./ -]* )?@?{re.escape(command.name)}(?:[ \t][^:=\n]*)?:(?!=)", text, re.MULTILINE):
            return True
        is_whole = not re.search(r"^(?:-?include|import|mod)\b|^[^\s#:]*%[^:\n]*:|\$\(eval", text, re.MULTILINE)
        return False if is_whole else None

    def _has_script(self, name: str) -> bool | None:
        text = self.text("package.json")
        if text is None:
            return None
        try:
            scripts = json.loads(text).get("scripts", {})
        except (ValueError, AttributeError):
            return None
        if not isinstance(scripts, dict):
            return None
        return True if name in scripts else None if '"workspaces"' in text or self.has("pnpm-workspace.yaml") else False

    def _root(self) -> Path:
        answer = (self._ask("rev-parse", "--show-toplevel") or "").removesuffix("\n")
        return Path(answer) if answer else self.folder


def _fates(answer: str) -> dict[str, Fate]:
    """The newest word about each path.  Commits come newest first; a status is followed by its path or paths."""
    fates: dict[str, Fate] = {}
    at_ms = 0
    parts = iter(answer.split("\0"))
    for part in parts:
        status = part.lstrip("\n")
        if status.startswith(_COMMIT):
            head, _, status = status[1:].partition("\n")
            at_ms = int(head) * 1000 if head.isdecimal() else at_ms
            status = status.lstrip("\n")
        if not status:
            continue
        for path, fate in _touched(status, parts, at_ms):
            fates.setdefault(path, fate)
    return fates


def _touched(status: str, parts: Iterator[str], at_ms: int) -> list[tuple[str, Fate]]:
    path = next(parts, "")
    if status[0] not in "RC":
        return [(path, Fate(at_ms, is_gone=status[0] == "D"))]
    new = next(parts, "")
    made = (new, Fate(at_ms, is_gone=False))
    return [made, (path, Fate(at_ms, is_gone=True, now=new))] if status[0] == "R" else [made]
