"""Remove snapshots that are too old, only when somebody asks, and say what could not be removed."""

from pathlib import Path

from noctuary.errors import NoctuaryError, StoreError
from noctuary.snapshot.copying import remove_tree
from noctuary.snapshot.making import ARCHIVE, Made
from noctuary.snapshot.reading import opened


def keep_newest(made: Made, keep: int) -> Made:
    """Remove all but so many snapshots in the folder of the one that was made, which is the newest."""
    removed: list[Path] = []
    failed: list[str] = []
    for path in _older(made)[keep - 1 :]:
        try:
            remove_tree(path)
            removed.append(path)
        except StoreError as error:
            failed.append(str(error))
    return made._replace(removed=removed, failed=failed)


def _older(made: Made) -> list[Path]:
    """The other snapshots beside it, the newest first; whatever is no snapshot is left alone."""
    found: list[tuple[int, str, Path]] = []
    for path in made.path.parent.iterdir():
        is_candidate = not path.name.startswith(".") and (path.name.endswith(ARCHIVE) or path.is_dir())
        if path == made.path or path.is_symlink() or not is_candidate:
            continue
        try:
            with opened(path) as snapshot:
                found.append((snapshot.manifest.made_ms, path.name, path))
        except (NoctuaryError, OSError):  # a damaged one may be all that is left of something
            continue
    return [path for _, _, path in sorted(found, reverse=True)]
