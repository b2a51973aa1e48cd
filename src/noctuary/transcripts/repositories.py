"""Folders of people's projects: some agents keep their transcripts in the repository they work in.

Nobody keeps a list of these, so they are looked for below the home folder: the nearest first, not beyond a few levels,
and never through more folders than an import may take time for.  A repository is not searched, only looked at.

Whoever follows transcripts looks every few seconds.  So what is in a folder is remembered for as long as its time stays
the same, which changes when something is added to it, and one walk serves all adapters that ask within `walked_once`.
"""

import os
import time
from collections.abc import Iterator
from contextlib import contextmanager
from contextvars import ContextVar
from pathlib import Path
from typing import NamedTuple

DEEPEST = 4  # levels below the home folder: ~/work/customer/team/repository
MOST = 8_000  # folders looked into
LASTS_S = 600.0  # some disks do not keep the times of folders, so now and then all are listed anew
_SETTLED_NS = 2_000_000_000  # the coarsest times of a disk: what changed since may have changed again under one time
AIDER, CRUSH, SPECSTORY = ".aider.chat.history.md", ".crush", ".specstory"
_LEFT_BY_AGENTS = frozenset([AIDER, CRUSH, SPECSTORY])
# Where nobody works, and which may be large.
_ELSEWHERE = frozenset(
    [
        "Library",
        "AppData",
        "Applications",
        "Music",
        "Movies",
        "Pictures",
        "Videos",
        "Public",
        "Downloads",
        "Trash",
        "node_modules",
        "vendor",
        "target",
        "build",
        "dist",
        "venv",
        "env",
        "site-packages",
        "__pycache__",
        "snap",
        "go",
    ]
)


_Link = tuple[str, str]  # a folder by its name here, and where it really is


class _Folder(NamedTuple):
    """What a folder held when it was listed."""

    mtime_ns: int  # 0 if it has to be listed again
    inside: tuple[str, ...]  # folders to look into
    linked: tuple[_Link, ...]
    left: frozenset[str]  # what agents left in it


_Found = dict[str, list[str]]  # folders by what agents left in them


class _Walks:
    """Walks of one home folder, each of which takes less time by what the one before it saw."""

    def __init__(self, home: str) -> None:
        self.home, self.begun_s = home, time.monotonic()
        self._seen: dict[str, _Folder] = {}
        self._before = self._seen
        self._reals: set[str] = set()  # the folders that were seen, by where they really are

    def walk(self) -> _Found:
        """Every folder where somebody may work, by what agents left there; the nearest first, each level sorted.

        What lies elsewhere, where only a link leads, comes last, and once.
        """
        self._seen, self._before, self._reals = {}, self._seen, set()
        found: _Found = {name: [] for name in _LEFT_BY_AGENTS}
        links = self._walk_below((self.home, os.path.realpath(self.home)), 0, found)
        for root, depth in links:  # which grows while it is walked
            is_known = root[1] in self._reals or _is_above(root[1], self.home)
            links += [] if is_known else self._walk_below(root, depth, found)
        return found

    def _walk_below(self, root: _Link, depth: int, found: _Found) -> list[tuple[_Link, int]]:
        """Add what is found, and return the links that were met with how deep they lie."""
        links: list[tuple[_Link, int]] = []
        level = [root[0]]
        while level and depth <= DEEPEST:
            inside: list[str] = []
            depth += 1
            for path in level[: MOST - len(self._seen)]:
                folder = self._seen[path] = self._folder(path)
                self._reals.add(root[1] + path[len(root[0]) :])
                for name in folder.left:
                    found[name].append(path)
                inside += folder.inside
                links += [(link, depth) for link in folder.linked]
            level = inside
        return links

    def _folder(self, path: str) -> _Folder:
        try:
            mtime_ns = os.stat(path).st_mtime_ns  # noqa: PTH116 (a Path takes longer than the look)
            known = self._before.get(path)
            return known if known and known.mtime_ns == mtime_ns else self._listed(path, mtime_ns)
        except (OSError, ValueError):
            return _Folder(0, (), (), frozenset())

    def _listed(self, path: str, mtime_ns: int) -> _Folder:
        is_settled = time.time_ns() - mtime_ns > _SETTLED_NS
        names, linked, left = [], [], []
        is_repository = False
        with os.scandir(path) as entries:
            for entry in entries:
                name = entry.name
                if name in _LEFT_BY_AGENTS:
                    left.append(name)
                elif name == ".git":
                    is_repository = path != self.home
                elif name[0] == "." or name in _ELSEWHERE:
                    continue
                elif entry.is_dir(follow_symlinks=False):
                    names.append(name)
                elif entry.is_symlink() and os.path.isdir(entry.path):  # noqa: PTH112 (a link to itself raises nothing)
                    linked.append((entry.path, os.path.realpath(entry.path)))
        within = tuple([os.path.join(path, name) for name in sorted(names)])  # noqa: PTH118 (the same)
        below = ((), ()) if is_repository else (within, tuple(sorted(linked)))
        return _Folder(mtime_ns if is_settled else 0, *below, frozenset(left))


_shared: ContextVar[dict[str, _Found] | None] = ContextVar("walks that are shared", default=None)
_latest: list[_Walks] = []


@contextmanager
def walked_once() -> Iterator[None]:
    """Within this, however many adapters ask, the folders of a home folder are walked once."""
    token = _shared.set({})
    try:
        yield
    finally:
        _shared.reset(token)


def folders_with(home: Path, name: str) -> list[Path]:
    """The home folder and the folders below it where somebody may work, if an agent left something of this name."""
    shared = _shared.get()
    if shared is None:
        return [Path(folder) for folder in _walk(str(home))[name]]
    if str(home) not in shared:
        shared[str(home)] = _walk(str(home))
    return [Path(folder) for folder in shared[str(home)][name]]


def _walk(home: str) -> _Found:
    walks = _latest[0] if _latest else None
    if walks is None or walks.home != home or time.monotonic() - walks.begun_s > LASTS_S:
        walks = _Walks(home)
        _latest[:] = [walks]
    return walks.walk()


def _is_above(folder: str, home: str) -> bool:
    return os.path.realpath(home).startswith(os.path.join(folder, ""))  # noqa: PTH118 (a text, as all paths here)
