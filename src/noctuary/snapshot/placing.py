"""Put a restored memory in its place: what was there is moved aside whole, never deleted.

Where the system can, the two folders trade names in one step, so there is no moment without a memory.
"""

import ctypes
import errno
import os
import sys
from pathlib import Path

from noctuary.errors import BadInput, StoreError
from noctuary.files import RESTORED, make_private_folder, replace_private, sync_folder
from noctuary.snapshot.live import ITEMS
from noctuary.snapshot.manifest import STATE

_HERE = -100  # AT_FDCWD: names count from the current folder
_EXCHANGE = 2  # RENAME_EXCHANGE
_CANNOT = (errno.ENOSYS, errno.EINVAL, errno.EOPNOTSUPP)


def put_into(stage: Path, home: Path) -> None:
    """Move the memory into a folder that has none; the database last, so that half a memory is none."""
    for name in ITEMS:
        if (stage / name).exists():
            if (home / name).exists():
                raise StoreError(f"{home / name} came to be meanwhile. Nothing of it was changed; restore again.")
            (stage / name).rename(home / name)
    for healed in (stage / STATE).glob("*"):  # what could not be read of a dream state
        make_private_folder(home / STATE)
        healed.rename(home / STATE / healed.name)
    sync_folder(home)


def put_instead(stage: Path, home: Path, aside: Path) -> list[str]:
    """Let the memory take the place of the one there, which is moved aside; what could not be kept in its place."""
    try:
        replace_private(stage / RESTORED, os.fsencode(aside.name))
        if not _traded(stage, home, aside):
            step_aside(stage, home, aside)
        sync_folder(home.parent)
    except OSError as error:
        (stage / RESTORED).unlink(missing_ok=True)
        raise BadInput(
            f"{home} cannot be moved aside: {error.strerror or error}. Nothing was changed. "
            "Restore into another folder with --into."
        ) from error
    return finish(home)


def finish(home: Path) -> list[str]:
    """Bring back what is no part of a snapshot, if a restore left that to be done; what could not be brought back.

    One that was killed between the two leaves it to whoever opens the memory next.
    """
    mark = home / RESTORED
    try:
        name = os.fsdecode(mark.read_bytes())
    except (FileNotFoundError, NotADirectoryError):
        return []
    aside = home.parent / name
    failed = []
    if aside.parent == home.parent and aside.is_dir():  # else somebody has moved either since
        failed = _bring_back(aside, home)
        sync_folder(home)
        sync_folder(aside)
    if not failed:  # else whoever opens it next tries again
        mark.unlink(missing_ok=True)
    return failed


def _traded(stage: Path, home: Path, aside: Path) -> bool:
    """Let the memory and the one there trade places; False, with nothing changed, where the system cannot.

    The new one is given the name first that the old one will have: killed in between, no folder with another name
    holds the memory that was there.
    """
    stage.rename(aside)
    try:
        if exchange(aside, home):
            return True
    except OSError:
        aside.rename(stage)
        raise
    aside.rename(stage)
    return False


def exchange(one: Path, other: Path) -> bool:
    """Let two folders trade names in one step; False where the system cannot."""
    rename = getattr(ctypes.CDLL(None, use_errno=True), "renameat2", None) if sys.platform == "linux" else None
    if rename is None:
        return False
    if rename(_HERE, os.fsencode(one), _HERE, os.fsencode(other), _EXCHANGE) == 0:
        return True
    number = ctypes.get_errno()
    if number in _CANNOT:
        return False
    raise OSError(number, os.strerror(number), str(other))


def step_aside(stage: Path, home: Path, aside: Path) -> None:
    """The same in two steps: the memory is moved aside, and comes back if the other cannot take its place."""
    home.rename(aside)
    try:
        stage.rename(home)
    except BaseException:
        aside.rename(home)
        raise


def _bring_back(aside: Path, home: Path) -> list[str]:
    """What is no part of a snapshot stays where it was: models, snapshots, logs."""
    failed: list[str] = []
    for path in sorted(aside.iterdir()):
        if path.name.removesuffix("-wal").removesuffix("-shm") in ITEMS or (home / path.name).exists():
            continue
        try:
            path.rename(home / path.name)
        except FileNotFoundError:  # somebody else has just moved it
            continue
        except OSError as error:
            failed.append(f"{path} could not be moved back to {home}: {error.strerror or error}. Move it yourself.")
    return failed
