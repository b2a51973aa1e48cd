"""What stands where a snapshot is to be restored to, and how it differs from the snapshot."""

from collections.abc import Iterator, Mapping, Sequence
from pathlib import Path
from typing import NamedTuple

from noctuary.errors import BadInput, StoreBusy, StoreError
from noctuary.snapshot.copying import copied
from noctuary.snapshot.making import is_passing
from noctuary.snapshot.manifest import CONFIG, DATABASE, JOURNALS, PAGES, Kept, Manifest
from noctuary.store import open_store
from noctuary.store.holdings import Holdings, holdings
from noctuary.store.sqlite import BESIDE

# All that a restore puts in place, in this order: a memory without its database is none yet.
ITEMS = (JOURNALS, PAGES, CONFIG, DATABASE)
_WORDS = {"dreamt": "dreams over sessions", "waiting": "sessions that wait for a dream", "runs": "runs of dreams",
          "tombstones": "things forgotten"}  # fmt: skip
_LAST_DREAM = "last_success_ms"


class Live(NamedTuple):
    """What there is."""

    is_there: bool = False  # any file that a snapshot has, too
    newer: Sequence[str] = ()  # what the snapshot does not have
    fewer: Sequence[str] = ()  # what the snapshot has more of
    is_empty: bool = True  # nothing would be missed


def look_at(home: Path, manifest: Manifest) -> Live:
    """Compare what is in the folder with a snapshot.  BadInput if it is no folder, StoreBusy if somebody writes."""
    if home.exists() and not home.is_dir():
        raise BadInput(f"{home} is not a folder. Choose another with --into.")
    if not any((home / name).exists() for name in (*ITEMS, *(DATABASE + ending for ending in BESIDE))):
        return Live()
    newer, fewer, is_empty = _compared_database(home / DATABASE, manifest)
    beside = list(_compared_files(home, manifest.files))
    return Live(True, [*newer, *beside], fewer, is_empty and not beside)


def _compared_database(path: Path, manifest: Manifest) -> tuple[list[str], list[str], bool]:
    if not path.exists():
        return [], [], True
    try:
        store = open_store(path)
        try:
            with store.database.transaction():  # nobody is in the middle of anything
                there = holdings(store.database)
        finally:
            store.close()
    except StoreBusy:
        raise
    except StoreError as error:
        return [f"its database cannot be read: {error}"], [], False
    newer, fewer = _compared(there, manifest.owners)
    return newer, fewer, all(held.is_empty for held in there.values())


def _compared(there: Mapping[str, Holdings], kept: Mapping[str, Holdings]) -> tuple[list[str], list[str]]:
    newer: list[str] = []
    fewer: list[str] = []
    for owner in sorted({*there, *kept}):
        here, then = there.get(owner, Holdings()), kept.get(owner, Holdings())
        for name, one, other in zip(Holdings._fields, here, then, strict=True):
            if one == other:
                continue
            if name == _LAST_DREAM:
                said = f"the last dream of {owner} was {'later' if one > other else 'earlier'} there"
            else:
                said = f"{_WORDS.get(name, name)} of {owner}: {one:,} there, {other:,} in the snapshot"
            (newer if one > other else fewer).append(said)
    return newer, fewer


def _compared_files(home: Path, kept: Mapping[str, Kept]) -> Iterator[str]:
    """The files there that a snapshot does not have as they are."""
    for path in _files(home):
        name = path.relative_to(home).as_posix()
        size = path.stat().st_size
        if name not in kept:
            if size:
                yield f"{name}: not in the snapshot"
            continue
        with path.open("rb") as file:
            is_beginning = copied(file, None, kept[name].size) == kept[name]
        if not is_beginning:
            yield f"{name}: not what is in the snapshot"
        elif size > kept[name].size:
            yield f"{name}: {size - kept[name].size:,} bytes more than in the snapshot"


def _files(home: Path) -> Iterator[Path]:
    for name in (JOURNALS, PAGES):
        yield from sorted(path for path in (home / name).rglob("*") if path.is_file() and not is_passing(path))
    if (home / CONFIG).is_file():
        yield home / CONFIG
