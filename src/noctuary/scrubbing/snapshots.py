"""Snapshots without secrets: each is unpacked beside itself, scrubbed as the memory that it is, and put in its place.

The old one is there until the new one is whole.  What a scrub left that was killed is removed by the next.
"""

from collections.abc import Iterable, Iterator
from glob import escape
from pathlib import Path

from noctuary.clock import Clock
from noctuary.errors import NoctuaryError
from noctuary.files import sync_folder, translated, walk
from noctuary.scrubbing.home import scrub_memory
from noctuary.scrubbing.tally import Tally
from noctuary.snapshot.aside import PARTIAL, SNAPSHOTS, copies_aside
from noctuary.snapshot.copying import copied, remove_tree, sync_folders
from noctuary.snapshot.keeping import finish_removing
from noctuary.snapshot.making import ARCHIVE, pack, partial, seal
from noctuary.snapshot.manifest import DATABASE, MANIFEST, Kept, Manifest, is_state
from noctuary.snapshot.placing import exchange
from noctuary.snapshot.reading import opened, read_out
from noctuary.store import open_store
from noctuary.store.holdings import holdings

PLACE = "snapshots"
_ASIDE = f"{PARTIAL}aside"


def snapshots_of(home: Path, given: Iterable[Path] = ()) -> list[Path]:
    """The snapshots that lie in the memory itself, and those that were named."""
    folder = home / SNAPSHOTS
    for aside in folder.glob(f".*{_ASIDE}"):
        _put_back(aside)
    inside = sorted(path for path in folder.iterdir() if path.name[:1] != ".") if folder.is_dir() else []
    return list(dict.fromkeys([*inside, *(path.expanduser().absolute() for path in given)]))


def remove_rests(home: Path, given: Iterable[Path] = ()) -> list[str]:
    """Remove what is left of snapshots that were being removed, of which nobody else knows; what cannot be, and why."""
    folders = sorted({home / SNAPSHOTS, *(path.expanduser().absolute().parent for path in given)})
    return [failure for folder in folders for failure in finish_removing(folder)]


def told_of_copies(home: Path) -> list[str]:
    """Which copies of the memory nobody looked into, as they are no snapshots: they may have secrets, too."""
    return [
        f"{path} is a copy of the memory that a restore moved aside, or part of one that was cut short. It was left as "
        "it is, and may have secrets: delete it if nobody needs it."
        for path in copies_aside(home)
    ]


def scrub_snapshot(path: Path, owner: str, clock: Clock, tally: Tally, *, is_dry: bool) -> None:
    """Count the secrets in a snapshot, and put one without them in its place."""
    try:
        with translated(path):
            _scrub(path, owner, clock, tally, is_dry=is_dry)
            if not is_dry:
                _clear_away(path)
    except NoctuaryError as error:
        tally.warnings.append(f"{path}: {error}")


def _scrub(path: Path, owner: str, clock: Clock, tally: Tally, *, is_dry: bool) -> None:
    with opened(path) as snapshot, partial(path, "") as stage:
        stage.mkdir(mode=0o700)
        read_out(snapshot, stage)
        found = _scrubbed(stage, snapshot.manifest, clock, is_dry=is_dry)
        tally.add(found, PLACE)
        tally.left += [f"{path}/{Path(left).relative_to(stage).as_posix()}" for left in found.left]
        if found.total and not found.warnings and not is_dry:  # one that is clean by half would pass for a clean one
            sealed = seal(stage, owner, snapshot.manifest.made_ms, dict(_files(stage)))
            _put(stage, path, sealed.manifest)


def _scrubbed(stage: Path, manifest: Manifest, clock: Clock, *, is_dry: bool) -> Tally:
    store = open_store(stage / DATABASE)
    try:
        owners = {*manifest.owners, *holdings(store.database)}
        found = scrub_memory(store, stage, sorted(owners), clock, is_dry=is_dry)
    finally:
        store.close()
    for beside in stage.glob(f"{DATABASE}?*"):  # what opening an older one made
        beside.unlink()
    return found


def _files(stage: Path) -> Iterator[tuple[str, Kept]]:
    """All files of a snapshot but those that are made again."""
    for root, _, names in walk(stage):
        for file in (root / name for name in sorted(names)):
            name = file.relative_to(stage).as_posix()
            if is_state(name) or name == MANIFEST or name.endswith(".lock"):
                file.unlink()
            elif name != DATABASE:
                with file.open("rb") as content:
                    yield name, copied(content, None)


def _put(stage: Path, path: Path, manifest: Manifest) -> None:
    if path.name.endswith(ARCHIVE):
        with partial(path, ARCHIVE) as archive:
            pack(stage, archive, manifest)
            archive.replace(path)
    else:
        sync_folders(stage)
        if not exchange(stage, path):
            aside = path.with_name(f".{path.name}{_ASIDE}")
            path.rename(aside)
            stage.rename(path)
            remove_tree(aside)
    sync_folder(path.parent)


def _put_back(aside: Path) -> None:
    """Give a snapshot its name again whose scrub was killed between two changes of names."""
    path = aside.with_name(aside.name.removesuffix(_ASIDE)[1:])
    if not path.exists():
        with translated(path):
            aside.rename(path)
            sync_folder(path.parent)


def _clear_away(path: Path) -> None:
    """Remove what scrubs of this snapshot left that were killed; the snapshot itself was just read.

    What was removed, the one with secrets too, does not come back with a power cut.
    """
    for left in path.parent.glob(f".{escape(path.name)}{PARTIAL}*"):
        remove_tree(left)
    sync_folder(path.parent)
