"""Remove snapshots that are too old, only when somebody asks, and say what could not be removed.

What is removed loses its name first: killed in the midst of it, nothing is left that would pass for a snapshot, and
whoever removes some next, or scrubs, removes the rest.
"""

from pathlib import Path

from noctuary.errors import NotFound, StoreDamaged, StoreError, StoreTooNew
from noctuary.files import mark_of_one, sync_folder, translated
from noctuary.snapshot.copying import remove_tree
from noctuary.snapshot.making import ARCHIVE, Made
from noctuary.snapshot.reading import opened

_REMOVING = ".removing-"
_STAY = "Older snapshots were not removed: they may have what this one lacks. Mend the memory, and make another."


def keep_newest(made: Made, keep: int) -> Made:
    """Remove all but so many snapshots in the folder of the one that was made, which is the newest.

    None is removed if that one is of a damaged memory: they may have what it lacks.
    """
    if not made.is_whole:
        return made._replace(failed=[_STAY])
    removed: list[Path] = []
    failed = finish_removing(made.path.parent)
    older, unread = _older(made)
    failed += unread
    for path in older[keep - 1 :]:
        try:
            _remove(path)
            removed.append(path)
        except StoreError as error:
            failed.append(str(error))
    return made._replace(removed=removed, failed=failed)


def finish_removing(folder: Path) -> list[str]:
    """Remove what is left of snapshots in a folder whose removal was cut short; what cannot be, and why."""
    failed: list[str] = []
    for left in sorted(folder.glob(f".*{_REMOVING}*")):
        try:
            remove_tree(left)
        except StoreError as error:
            if left.exists():  # else somebody else has just removed it
                failed.append(str(error))
    return failed


def _remove(path: Path) -> None:
    going = path.with_name(f".{path.name}{_REMOVING}{mark_of_one()}")
    with translated(path):
        path.rename(going)
        sync_folder(path.parent)
    remove_tree(going)


def _older(made: Made) -> tuple[list[Path], list[str]]:
    """The other snapshots beside it, the newest first; which could not be read, and why.

    Whatever is no snapshot is left alone.
    """
    found: list[tuple[int, str, Path]] = []
    unread: list[str] = []
    for path in made.path.parent.iterdir():
        is_candidate = not path.name.startswith(".") and (path.name.endswith(ARCHIVE) or path.is_dir())
        if path == made.path or path.is_symlink() or not is_candidate:
            continue
        try:
            with opened(path) as snapshot:
                found.append((snapshot.manifest.made_ms, path.name, path))
        except (NotFound, StoreDamaged, StoreTooNew):  # a damaged one may be all that is left of something
            continue
        except (StoreError, OSError) as error:
            unread.append(f"{path} was not removed, for it could not be read: {error}")
    return [path for _, _, path in sorted(found, reverse=True)], unread
