"""Adapters that other packages bring, by entry points of the group `noctuary.transcripts`.

An entry point names a class without parameters that has what the protocol `Adapter` asks for.  It is somebody else's
code: whatever it does wrong is said in words, and stops nothing else.
"""

import os
import sys
from collections.abc import Callable, Iterable, Iterator, Mapping
from contextlib import contextmanager
from functools import cache
from pathlib import Path
from typing import TYPE_CHECKING, NamedTuple

from noctuary.lazily import lazy_module
from noctuary.records import Message
from noctuary.transcripts.items import Adapter, Facts, Item, Mark, NewField, Place, Rewound, Said, Skipped, Source

if TYPE_CHECKING:
    from importlib import metadata
else:
    metadata = lazy_module("importlib.metadata")  # a fifth of an import that has nothing to do

GROUP = "noctuary.transcripts"
_ITEMS = (Said, Facts, Rewound, Mark, Skipped, NewField)
_ABOUT_PACKAGES = (".dist-info", ".egg-info", ".egg")
_VERBS = ("find", "find_at", "read")


class PlugIn:
    """An adapter of another package: what it raises is an OSError, and what fails while it looks is its problem."""

    def __init__(self, entry: "metadata.EntryPoint") -> None:
        """Load it; OSError if it cannot be used."""
        self.problem: str | None = None
        self._entry = entry
        with self._blamed():
            self._adapter: Adapter = entry.load()()
        wanting = [verb for verb in _VERBS if not callable(getattr(self._adapter, verb, None))]
        name, is_unique = getattr(self._adapter, "name", None), getattr(self._adapter, "globally_unique", None)
        if type(name) is not str or not name or type(is_unique) is not bool or wanting:
            lacking = wanting or ["name, a text, and globally_unique, true or false"]
            raise OSError(None, f"{self._title} is no adapter: it lacks {', '.join(lacking)}")
        self.name, self.globally_unique = name, is_unique

    def find(self, home: Path, environ: Mapping[str, str]) -> Iterator[Source]:
        """What the adapter finds, until it fails."""
        return self._found(lambda: self._adapter.find(home, environ))

    def find_at(self, path: Path, home: Path, environ: Mapping[str, str]) -> Iterator[Source]:
        """What the adapter finds at a path, until it fails."""
        return self._found(lambda: self._adapter.find_at(path, home, environ))

    def read(self, source: Source, place: Place) -> Iterator[Item]:
        """What the adapter reads; OSError if it fails, or tells what is no item."""
        with self._blamed():
            for item in self._adapter.read(source, place):
                if not _is_item(item):
                    raise TypeError(f"{type(item).__name__} is no item")
                yield item

    def _found(self, look: Callable[[], Iterator[Source]]) -> Iterator[Source]:
        try:
            with self._blamed():
                for source in look():
                    if not self._is_own(source):
                        raise TypeError("it found what is no source of its own")
                    yield source
        except OSError as error:
            self.problem = error.strerror or str(error)

    def _is_own(self, source: object) -> bool:
        return isinstance(source, Source) and source.adapter == self.name

    @property
    def _title(self) -> str:
        return f"the plug-in {self._entry.name} ({self._entry.value})"

    @contextmanager
    def _blamed(self) -> Iterator[None]:
        """Say of everything that goes wrong inside whose fault it is."""
        try:
            yield
        except OSError:
            raise
        except Exception as error:
            why = f"{type(error).__name__}: {error}".rstrip(": ")
            raise OSError(None, f"{self._title} failed: {why}") from error


def _is_item(item: object) -> bool:
    return isinstance(item, _ITEMS) and (not isinstance(item, Said) or isinstance(item.message, Message))


class Loaded(NamedTuple):
    """The adapters that could be loaded, and what is wrong with the others."""

    adapters: tuple[PlugIn, ...] = ()
    problems: tuple[str, ...] = ()


def load(entries: Iterable["metadata.EntryPoint"]) -> Loaded:
    """Load the adapters of entry points, in the order of their names."""
    adapters, problems = [], []
    for entry in sorted(entries, key=lambda each: (each.name, each.value)):
        try:
            adapters.append(PlugIn(entry))
        except OSError as error:
            problems.append(error.strerror or str(error))
    return Loaded(tuple(adapters), tuple(problems))


@cache
def installed() -> Loaded:
    """The adapters that are installed beside us; looked for once, because to look takes a while."""
    if not any(map(_may_bring, sys.path)):
        return Loaded()
    return load(metadata.entry_points(group=GROUP))


def _may_bring(folder: str) -> bool:
    """Whether a package in a folder of packages may bring adapters; of what is no folder nobody can tell."""
    try:
        inside = [each.path for each in os.scandir(folder or ".") if each.name.endswith(_ABOUT_PACKAGES)]
    except (FileNotFoundError, PermissionError):  # what we may not read we cannot load either
        return False
    except OSError:
        return True
    return any(map(_names_group, inside))


def _names_group(about: str) -> bool:
    try:
        with open(f"{about}/entry_points.txt", "rb") as file:  # noqa: PTH123 (there are hundreds)
            return GROUP.encode() in file.read()
    except (FileNotFoundError, NotADirectoryError):
        return about.endswith(".egg")  # which has them further in
    except OSError:
        return True
