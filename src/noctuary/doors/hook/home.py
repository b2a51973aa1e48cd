"""The home folder as a hook sees it: where it is, what its user switched on, and small files that hooks leave in it.

`settings.py` decides where the home folder is; to load it costs more than a hook may, so this says the same again.
"""

import os
import sys

from noctuary.brief_file import content_of

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Iterable, Mapping

_MOST_SETTINGS = 65_536
_MOST_WAITING = 32_000_000  # bytes of an inbox that nobody sweeps
_MOST_TAKEN = 5  # times in a row
_PLAINLY = getattr(os, "O_NONBLOCK", 0) | getattr(os, "O_BINARY", 0)  # never wait for whoever writes to a pipe


def default_home(environ: "Mapping[str, str]") -> str:
    """The folder of the memory if no command line names one; as `Settings.load` finds it."""
    if given := environ.get("NOCTUARY_HOME"):
        return os.path.expanduser(given)  # noqa: PTH111
    user = environ.get("HOME") or os.path.expanduser("~")  # noqa: PTH111
    if sys.platform == "darwin":
        return f"{user}/Library/Application Support/noctuary"
    if sys.platform == "win32":
        return f"{environ.get('LOCALAPPDATA') or user + '/AppData/Local'}/noctuary"
    return f"{environ.get('XDG_DATA_HOME') or user + '/.local/share'}/noctuary"


def switched_on(home: str) -> "set[str]":
    """The names that are `true` in the table `[hooks]` of config.toml, in each of the ways that TOML has for it."""
    table, found = "", set()
    for line in content_of(f"{home}/config.toml", _MOST_SETTINGS).decode("utf-8", "replace").splitlines():
        said = line.partition("#")[0].replace(" ", "").replace("\t", "")
        if said.startswith("["):
            table = said.strip("[]") + "."
        elif (table + said).startswith("hooks={"):
            found |= {_switched(f"hooks.{each}") for each in said[len("hooks={") : -1].split(",")}
        else:
            found.add(_switched(table + said))
    return found - {""}


def _switched(said: str) -> str:
    """The name below `hooks` that is `true` by this; else empty."""
    name, _, value = said.partition("=")
    table, _, name = name.replace('"', "").replace("'", "").partition(".")
    return name if table == "hooks" and value == "true" else ""


def append(path: str, lines: bytes) -> None:
    """Add whole lines to a file in one go, so that those of many hooks do not mix; OSError if that cannot be."""
    for _ in range(_MOST_TAKEN):
        handle = _opened(path, os.O_RDWR | os.O_APPEND | os.O_CREAT)
        try:
            _append_to(handle, lines)
            if os.fstat(handle).st_nlink:  # else a sweep took it away meanwhile, and may have been through with it
                return
        finally:
            os.close(handle)


def _append_to(handle: int, lines: bytes) -> None:
    found = os.fstat(handle)
    if found.st_mode & 0o170000 != 0o100000 or found.st_size > _MOST_WAITING:
        raise OSError("it is no file, or too long")
    if found.st_size:
        os.lseek(handle, -1, os.SEEK_END)
        if os.read(handle, 1) != b"\n":  # a disk was full in the middle of a line, or somebody is still writing it
            lines = b"\n" + lines
    if os.write(handle, lines) < len(lines):
        raise OSError("the disk is full")


def replace_content(path: str, content: bytes) -> None:
    """Write a small file anew; OSError if that cannot be."""
    handle = _opened(path, os.O_WRONLY | os.O_TRUNC | os.O_CREAT)
    try:
        os.write(handle, content)
    finally:
        os.close(handle)


def remove(path: str) -> None:
    """Remove a file if it is there and can be removed."""
    try:
        os.unlink(path)  # noqa: PTH108
    except OSError:
        return


def names_in(folder: str) -> "Iterable[str]":
    """What lies in a folder; nothing if there is none."""
    try:
        return os.listdir(folder)  # noqa: PTH208
    except (OSError, ValueError):
        return ()


def _opened(path: str, flags: int) -> int:
    try:
        return os.open(path, flags | _PLAINLY, 0o600)
    except FileNotFoundError:
        _make_folder(path.rpartition("/")[0])
        return os.open(path, flags | _PLAINLY, 0o600)


def _make_folder(folder: str) -> None:
    """Make a folder and those above it, for nobody else to look into."""
    try:
        os.mkdir(folder, 0o700)  # noqa: PTH102
    except FileExistsError:
        return
    except FileNotFoundError:
        above = folder.rpartition("/")[0]
        if not above:
            raise
        _make_folder(above)
        os.mkdir(folder, 0o700)  # noqa: PTH102
