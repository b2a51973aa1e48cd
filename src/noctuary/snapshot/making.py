"""Make a snapshot: one moment of the memory, while others go on writing.

Whoever writes holds the right to write to the database.  It is taken for as long as it takes to hold on to the
database as it is, to note how long the journals are, and to copy the pages.  Journals only ever grow, so the rest is
copied afterwards.  All is written under another name, which is changed at the end: a snapshot is whole, or absent.
"""

import os
import tarfile
from collections.abc import Callable, Iterator, Sequence
from contextlib import ExitStack, contextmanager, suppress
from datetime import UTC, datetime
from pathlib import Path
from typing import NamedTuple

from noctuary.clock import Clock
from noctuary.errors import BadInput, JournalDamaged, StoreError
from noctuary.files import make_private_folder, mark_of_one, open_private, sync_folder, translated, walk, write_all
from noctuary.journal.contract import Place
from noctuary.journal.folder import FolderJournals
from noctuary.journal.rewritings import is_rewritten
from noctuary.snapshot.aside import PARTIAL, SNAPSHOTS
from noctuary.snapshot.copying import copied, remove_tree, sync_folders
from noctuary.snapshot.manifest import CONFIG, DATABASE, JOURNALS, MANIFEST, PAGES, Kept, Manifest, state_name
from noctuary.snapshot.state import state_of
from noctuary.store import Store, open_store
from noctuary.store.holdings import Holdings, holdings
from noctuary.store.sqlite import BESIDE, SqliteDatabase, newest_schema
from noctuary.version import VERSION

ARCHIVE = ".tar.gz"
LOCK = ".lock"
UNFINISHED = ".noctuary"
_COMPRESSION = 4  # of 9: a twentieth larger than with 9, in a third of the time
_OLDEST_MTIME = 315_532_800  # 1980, for archives of machines without a clock


class Made(NamedTuple):
    """A snapshot that was made."""

    path: Path
    manifest: Manifest
    size: int  # bytes on the disk
    removed: Sequence[Path] = ()  # older ones
    warnings: Sequence[str] = ()
    failed: Sequence[str] = ()  # what could not be removed, and why
    is_whole: bool = True  # nothing that the memory had read of its journals was missing in it


class _Journal(NamedTuple):
    """A file below the journals, which one it was and how long."""

    name: str
    path: Path
    inode: int
    size: int


def make_snapshot(store: Store, home: Path, owner: str, clock: Clock, target: Path | None = None) -> Made:
    """Write everything of the memory to a new folder or `.tar.gz` file, by default below the home."""
    now_ms = clock.now_ms()
    path = free_place(home, now_ms) if target is None else _checked_target(home, target)
    with translated(path):
        make_private_folder(path.parent)
        warnings = [
            f"{left} was left by a snapshot that did not end. If none is being made now, delete it."
            for left in sorted(path.parent.glob(f".*{PARTIAL}*"))
        ]
        with partial(path, "") as folder:
            folder.mkdir(mode=0o700)
            manifest, notes, damages = _fill(folder, store, home, owner, now_ms)
            if path.name.endswith(ARCHIVE):
                with partial(path, ARCHIVE) as archive:
                    pack(folder, archive, manifest)
                    archive.replace(path)
            else:
                sync_folders(folder)
                folder.rename(path)
        sync_folder(path.parent)
    return Made(path, manifest, size_of(path), warnings=[*warnings, *notes, *damages], is_whole=not damages)


def free_place(home: Path, now_ms: int) -> Path:
    """Where a snapshot is put for which nobody names a place."""
    return free_name(home / SNAPSHOTS / time_name(now_ms))


def time_name(now_ms: int) -> str:
    """A moment as a name of a file; later ones sort later."""
    return f"{datetime.fromtimestamp(now_ms / 1000, UTC):%Y-%m-%dT%H-%M-%SZ}"


def size_of(path: Path) -> int:
    """Bytes of a file, or of all in a folder."""
    files = path.rglob("*") if path.is_dir() else [path]
    return sum(file.stat().st_size for file in files if file.is_file())


def free_name(path: Path) -> Path:
    """The path, or the first like it with a number behind it that is not taken."""
    number, free = 1, path
    while free.exists():
        number += 1
        free = path.with_name(f"{path.name}-{number}")
    return free


def _checked_target(home: Path, target: Path) -> Path:
    path, inside = target.absolute(), home.absolute()
    if path.exists() and not (path.is_dir() and not path.name.endswith(ARCHIVE) and not any(path.iterdir())):
        raise BadInput(f"{path} exists already, and a snapshot never replaces anything. Choose another name.")
    if path == inside or (inside in path.parents and inside / SNAPSHOTS not in path.parents):
        raise BadInput(f"{path} is inside the memory itself. Choose a place outside, or below {inside / SNAPSHOTS}.")
    return path


@contextmanager
def partial(path: Path, ending: str) -> Iterator[Path]:
    """A name to write to; whatever is still there at the end is removed."""
    partial = path.with_name(f".{path.name}{PARTIAL}{mark_of_one()}{ending}")
    try:
        yield partial
    except BaseException as error:
        if partial.exists():
            try:
                remove_tree(partial)
            except StoreError as left:
                raise StoreError(f"{error} {left}") from error
        raise
    if partial.exists():
        remove_tree(partial)


def _fill(folder: Path, store: Store, home: Path, owner: str, now_ms: int) -> "Sealed":
    """Copy everything into the folder; the manifest is written last."""
    files: dict[str, Kept] = {}
    with ExitStack() as pinning:
        with store.database.transaction():  # nobody writes
            copy_database = pinning.enter_context(_sqlite(store).pinned())
            journals = list(_journals(home))
            files |= _copied_pages(home, folder)
        for journal in journals:
            files[journal.name] = _copied_journal(journal, folder)
        copy_database(folder / DATABASE)
    return seal(folder, owner, now_ms, files)


class Sealed(NamedTuple):
    """A manifest, and what there is to say of what it lists."""

    manifest: Manifest
    notes: Sequence[str]
    damages: Sequence[str]  # of the memory that it is a copy of


def seal(folder: Path, owner: str, made_ms: int, files: dict[str, Kept]) -> Sealed:
    """Write beside the database of a snapshot what it repeats of it, and the manifest of all, which is the last."""
    held, states, notes, damages = _read_copy(folder / DATABASE, owner)
    for name, content in states.items():
        files[name] = _written(folder / name, content)
    with (folder / DATABASE).open("rb") as database:
        files[DATABASE] = copied(database, None)
    manifest = Manifest(noctuary=VERSION, schema=newest_schema(), made_ms=made_ms, owners=held, files=files)
    _written(folder / MANIFEST, manifest.encode())
    return Sealed(manifest, notes, damages)


def _sqlite(store: Store) -> SqliteDatabase:
    if not isinstance(store.database, SqliteDatabase):
        raise BadInput("Only a memory in SQLite can be copied so.")
    return store.database


def _files_below(home: Path, folder: str) -> Iterator[Path]:
    for root, _, names in walk(home / folder):
        yield from (path for name in sorted(names) if (path := root / name).is_file())


def is_passing(path: Path) -> bool:
    """Whether a file is a lock, or a page that is just being written."""
    return path.name.endswith(LOCK) or (path.name.startswith(".") and path.name.endswith(UNFINISHED))


def _copied_pages(home: Path, folder: Path) -> dict[str, Kept]:
    """Copy the pages and the settings; a page that is just being written has its old name, or its new one."""
    files: dict[str, Kept] = {}
    for page in (*_files_below(home, PAGES), home / CONFIG):
        name = page.relative_to(home).as_posix()
        if is_passing(page):
            continue
        with translated(page), suppress(FileNotFoundError), page.open("rb") as source:
            files[name] = copied(source, folder / name)
    return files


def _journals(home: Path) -> Iterator[_Journal]:
    for path in _files_below(home, JOURNALS):
        if not is_passing(path):
            found = path.stat()
            yield _Journal(path.relative_to(home).as_posix(), path, found.st_ino, found.st_size)


def _copied_journal(journal: _Journal, folder: Path) -> Kept:
    with translated(journal.path), journal.path.open("rb") as source:
        is_another = os.fstat(source.fileno()).st_ino != journal.inode  # what was forgotten was taken out of its lines
        kept = copied(source, folder / journal.name, journal.size)
    if is_another or kept.size < journal.size:
        raise JournalDamaged(f"{journal.path} was rewritten while it was copied. No snapshot was made; try again.")
    return kept


def _read_copy(path: Path, owner: str) -> tuple[dict[str, Holdings], dict[str, bytes], list[str], list[str]]:
    """What everybody has in the copy, the dream states as files, those that cannot be read, and damaged journals."""
    states: dict[str, bytes] = {}
    notes: list[str] = []
    copy = open_store(path)
    try:
        held = holdings(copy.database) or {owner: Holdings()}  # of nothing, too, there is a state
        for name in held:
            try:
                states[state_name(name)] = state_of(copy, name)
            except StoreError as error:  # the database is copied as it is
                notes.append(f"The dream state of {name} is not beside the database: {error}")
        damages = [damage for name in held for damage in _damages(copy, path.parent, name)]
    finally:
        copy.close()
    for ending in BESIDE:  # SQLite says nothing if it cannot remove them, and a snapshot must not have them
        path.with_name(path.name + ending).unlink(missing_ok=True)
    return held, states, notes, damages


def _damages(copy: Store, folder: Path, owner: str) -> Iterator[str]:
    """Journals beside the copy that are not what it knows of them, as they were not in the memory."""
    for project in copy.journals.projects(owner):
        try:
            is_rewritten(FolderJournals(folder, owner).journal(project), Place(*copy.journals.place(owner, project)))
        except JournalDamaged:
            yield (
                f"The journal of {project or 'no project'} is gone, or was cut or changed, in the memory and so in its "
                "snapshot. `noctuary journal verify` says more, and `noctuary journal restore` mends it."
            )


def _written(path: Path, content: bytes) -> Kept:
    make_private_folder(path.parent)
    file = open_private(path, os.O_WRONLY | os.O_CREAT | os.O_EXCL)
    try:
        write_all(file, content)
    finally:
        os.close(file)
    with path.open("rb") as written:
        return copied(written, None)


def pack(folder: Path, archive: Path, manifest: Manifest) -> None:
    """Write the archive, the manifest first, so that whoever reads it knows what is to come."""
    with (
        os.fdopen(open_private(archive, os.O_WRONLY | os.O_CREAT | os.O_EXCL), "wb") as file,
        tarfile.open(fileobj=file, mode="w:gz", compresslevel=_COMPRESSION, format=tarfile.PAX_FORMAT) as tar,
    ):
        for name in (MANIFEST, *sorted(manifest.files)):
            tar.add(folder / name, arcname=name, recursive=False, filter=_anonymous(manifest.made_ms))
    with archive.open("rb+") as written:
        os.fsync(written.fileno())


def _anonymous(made_ms: int) -> Callable[[tarfile.TarInfo], tarfile.TarInfo]:
    def anonymous(member: tarfile.TarInfo) -> tarfile.TarInfo:
        member.uid = member.gid = 0
        member.uname = member.gname = ""
        member.mode, member.mtime = 0o600, max(_OLDEST_MTIME, made_ms // 1000)
        return member

    return anonymous
