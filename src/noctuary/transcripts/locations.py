"""Where programs keep their data on Linux, macOS and Windows, below the home folder we were given.

All three are looked at on every machine: a home folder may be a copy of another machine's, and what is not there
costs a look.
"""

from collections.abc import Iterable, Mapping
from pathlib import Path

from noctuary.transcripts.finding import at_home, entries, is_folder

_EDITORS = ("Code", "Code - Insiders", "VSCodium", "Cursor", "Windsurf")


def chosen(home: Path, environ: Mapping[str, str], variable: str, usual: str) -> Path:
    """The folder that a variable names, or else the usual one below the home folder."""
    configured = environ.get(variable, "").strip()
    return at_home(home, configured) if configured else home / usual


def data_folders(home: Path, environ: Mapping[str, str], name: str) -> list[Path]:
    """Where a program of this name keeps its data, on each system, the likeliest first."""
    linux = chosen(home, environ, "XDG_DATA_HOME", ".local/share")
    windows = [chosen(home, environ, "APPDATA", "AppData/Roaming"), home / "AppData" / "Local"]
    return each_once(folder / name for folder in (linux, home / "Library" / "Application Support", *windows))


def editor_folders(home: Path, environ: Mapping[str, str], editors: Iterable[str] = _EDITORS) -> list[Path]:
    """The folder `User` of every editor of the family of VS Code, those of remote servers included."""
    linux = chosen(home, environ, "XDG_CONFIG_HOME", ".config")
    windows = chosen(home, environ, "APPDATA", "AppData/Roaming")
    roots = [linux, home / "Library" / "Application Support", windows]
    found = [root / editor / "User" for editor in editors for root in roots]
    servers = (".vscode-server", ".vscode-server-insiders", ".cursor-server", ".windsurf-server")
    return each_once([*found, *(home / server / "data" / "User" for server in servers)])


def windows_homes(root: Path = Path("/mnt/c/Users")) -> list[Path]:
    """The home folders of Windows that a Linux inside of it sees."""
    return [path for path in entries(root) if is_folder(path)]


def each_once(paths: Iterable[Path]) -> list[Path]:
    """The paths without those that came before."""
    return list(dict.fromkeys(paths))
