"""Which project a folder belongs to.

A git repository is known by the address of its remote, so that all its clones and worktrees are one project; without
a remote by the folder of its common git directory; a folder outside any repository by its path.  Only files are read;
git itself is not run.
"""

import re
from configparser import ConfigParser, Error
from functools import lru_cache
from pathlib import Path, PurePosixPath

from noctuary.transcripts.finding import open_file

_MOST = 1_000_000  # bytes of a file of git's
# Everything up to the last @ before the path is user and password, even if the password has an @ in it.
_SCP_LIKE = re.compile(r"(?:[^/]*@)?(?P<host>[^@:/]+):(?!//)(?P<path>.+)")
_URL = re.compile(r"[A-Za-z+]+://(?:[^/]*@)?(?P<host>[^@/:]+)(?::\d+)?/(?P<path>.+)")


def project_of(cwd: str | None, repository: str | None) -> str | None:
    """The project of a session that ran in this folder, of a repository with this address if one is known."""
    if repository and (known := remote_name(repository)):
        return known
    return _project_of_folder(cwd) if cwd else None


def remote_name(address: str) -> str | None:
    """A remote's address without protocol, user and suffix: `github.com/ana/shop`; a password never stays in it."""
    match = _URL.fullmatch(address.strip()) or _SCP_LIKE.fullmatch(address.strip())
    if not match:
        return None
    path = match["path"].strip("/").removesuffix(".git")
    return f"{match['host'].lower()}/{path}" if path else None


@lru_cache(maxsize=4096)
def _project_of_folder(cwd: str) -> str:
    folder = Path(cwd)
    # A relative path, or one of another system, must not be looked for in the folder we happen to run in.
    for candidate in (folder, *folder.parents) if folder.is_absolute() else ():
        common = _common_directory(candidate)
        if common:
            return _origin(common) or str(common.parent if common.name == ".git" else common)
    return str(PurePosixPath(cwd)) if cwd.startswith("/") else cwd


def _common_directory(folder: Path) -> Path | None:
    """The git directory that all worktrees of this one share; None if the folder is no work tree."""
    git = folder / ".git"
    try:
        if git.is_dir():
            return git.resolve()
        if not git.is_file():
            return None
        pointer = _read(git)[:4096].strip()
        directory = (folder / pointer.removeprefix("gitdir:").strip()).resolve()
        shared = directory / "commondir"
        return (directory / _read(shared).strip()).resolve() if shared.is_file() else directory
    except (OSError, ValueError):
        return None


def _origin(common: Path) -> str | None:
    config = ConfigParser(strict=False, interpolation=None, allow_no_value=True)
    try:
        config.read_string(_read(common / "config"))
    except (OSError, Error):
        return None
    remotes = {name: config[name].get("url") for name in config.sections() if name.startswith('remote "')}
    address = remotes.get('remote "origin"') or next(iter(remotes.values()), None)
    return remote_name(address) if address else None


def _read(path: Path) -> str:
    """The beginning of a file that nobody vouches for; OSError if it is none: reading a pipe would never end."""
    with open_file(path) as file:
        return file.read(_MOST).decode("utf-8", "replace")
