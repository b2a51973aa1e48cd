"""Read a snapshot, which may have been damaged, or made by somebody who means harm.

Nothing is unpacked before all names have been looked at, and nothing counts before its digest is what the manifest
says.  Only plain files are read: no links, no devices, nothing that leads out of the snapshot.
"""

import gzip
import tarfile
import zlib
from collections.abc import Callable, Iterator, Mapping
from contextlib import contextmanager
from io import BytesIO
from pathlib import Path
from typing import BinaryIO, NamedTuple, cast

from noctuary.errors import NotFound, StoreDamaged
from noctuary.files import walk
from noctuary.snapshot.copying import copied
from noctuary.snapshot.manifest import DATABASE, MANIFEST, Kept, Manifest, check_name, decode_manifest, is_state
from noctuary.store.sqlite import BESIDE

_LONGEST_MANIFEST = 64 << 20
_ADVICE = "Nothing was changed; take another snapshot."


class Snapshot(NamedTuple):
    """A snapshot that is open: the sizes of its files, and a way to read each."""

    path: Path
    sizes: Mapping[str, int]  # in the order in which they are read fastest
    open: Callable[[str], BinaryIO]
    manifest: Manifest


@contextmanager
def opened(path: Path) -> Iterator[Snapshot]:
    """The snapshot in a folder or archive; StoreDamaged if it is none, NotFound if there is nothing.

    OSError if nobody can say, as it could not be read.
    """
    if not path.exists():
        raise NotFound(f"There is no snapshot at {path}; `noctuary snapshot` makes one.")
    if path.is_dir():
        sizes = dict(_files(path))
        yield _snapshot(path, sizes, lambda name: (path / name).open("rb"))
        return
    try:
        with tarfile.open(path, "r:gz") as tar:
            members = dict(_members(tar))
            yield _snapshot(path, {name: each.size for name, each in members.items()}, _opener(tar, members))
    except (tarfile.TarError, gzip.BadGzipFile, EOFError, zlib.error) as error:
        if (why := error.__cause__) and isinstance(why, OSError) and not isinstance(why, gzip.BadGzipFile):
            raise why from None  # the disk could not be read, which says nothing about what is on it
        raise StoreDamaged(f"{path} is no snapshot, or a damaged one ({error}). {_ADVICE}") from error


def _snapshot(path: Path, sizes: Mapping[str, int], open_file: Callable[[str], BinaryIO]) -> Snapshot:
    if MANIFEST not in sizes:
        raise StoreDamaged(f"{path} is no snapshot: it has no {MANIFEST}. {_ADVICE}")
    if sizes[MANIFEST] > _LONGEST_MANIFEST:
        raise StoreDamaged(f"The {MANIFEST} of {path} is too long to be one. {_ADVICE}")
    with open_file(MANIFEST) as file:
        manifest = decode_manifest(file.read())
    for name in [*sizes, *manifest.files]:
        if name == MANIFEST or is_state(name):
            continue
        if name not in sizes:
            raise StoreDamaged(f"{path} lacks {name}. {_ADVICE}")
        if name not in manifest.files:
            raise StoreDamaged(f"{path} has {name!r}, which its manifest does not list. {_ADVICE}")
        if sizes[name] != manifest.files[name].size:
            raise StoreDamaged(f"{name} in {path} is not as long as when it was made. {_ADVICE}")
    return Snapshot(path, sizes, open_file, manifest)


def _files(folder: Path) -> Iterator[tuple[str, int]]:
    for root, folders, names in walk(folder):
        for name in [*folders, *names]:
            path = root / name
            if path.is_symlink() or not (path.is_dir() or path.is_file()):
                raise StoreDamaged(f"{path} is a link or a device, which no snapshot has. {_ADVICE}")
        for path in (root / name for name in sorted(names)):
            name, size = path.relative_to(folder).as_posix(), path.stat().st_size
            if _is_left_by_a_look(name, size):
                continue
            check_name(name)
            yield name, size


def _is_left_by_a_look(name: str, size: int) -> bool:
    """Whether a file is what SQLite leaves beside a database that somebody opened only to read it."""
    log, shared = (DATABASE + ending for ending in BESIDE)
    return name == shared or (name == log and not size)


def _members(tar: tarfile.TarFile) -> Iterator[tuple[str, tarfile.TarInfo]]:
    seen: set[str] = set()
    for member in tar:
        name = member.name.removeprefix("./")
        if member.isdir() and (name in ("", ".") or _is_plain(name)):
            continue
        if not member.isreg() or member.issparse():
            raise StoreDamaged(f"{member.name!r} in {tar.name!s} is no plain file, as no snapshot has. {_ADVICE}")
        check_name(name)
        if name in seen:
            raise StoreDamaged(f"{name!r} is in {tar.name!s} twice. {_ADVICE}")
        seen.add(name)
        yield name, member


def _is_plain(name: str) -> bool:
    return not {"", ".", ".."}.intersection(name.split("/"))


def _opener(tar: tarfile.TarFile, members: Mapping[str, tarfile.TarInfo]) -> Callable[[str], BinaryIO]:
    def open_file(name: str) -> BinaryIO:
        return cast(BinaryIO, tar.extractfile(members[name]))  # all of them are plain files

    return open_file


def read_out(snapshot: Snapshot, into: Path | None = None) -> tuple[dict[str, bytes], list[str]]:
    """Check every file, and copy it into the folder if there is one; the dream states, and warnings about them.

    StoreDamaged if a file is not what the manifest says.  Dream states only repeat what the database knows, so one
    that is missing or changed is a warning.
    """
    states: dict[str, bytes] = {}
    listed = snapshot.manifest.files
    warnings = [f"{name} is missing." for name in listed if name not in snapshot.sizes]
    for name in snapshot.sizes:
        if is_state(name):
            with snapshot.open(name) as file:
                content = file.read(listed[name].size + 1) if name in listed else b""
            if name in listed and copied(BytesIO(content), None) == listed[name]:
                states[name] = content
            else:
                warnings.append(f"{name} is not what it was when it was made.")
        elif name != MANIFEST and _copied(snapshot, name, into and into / name) != listed[name]:
            raise StoreDamaged(f"{name} in {snapshot.path} is not what it was when it was made. {_ADVICE}")
    return states, warnings


def _copied(snapshot: Snapshot, name: str, target: Path | None) -> Kept:
    try:
        with snapshot.open(name) as file:
            return copied(file, target)
    except gzip.BadGzipFile as error:  # an OSError, but not one of the place that is written to
        raise StoreDamaged(f"{snapshot.path} is damaged ({error}). {_ADVICE}") from error
