"""Settings: read once, at the door, and handed down as a value; nothing else reads the environment.

What a command line says wins over the environment, and that over `config.toml` in the home folder of Noctuary.
"""

import os
import sys
from collections.abc import Mapping
from contextlib import suppress
from pathlib import Path
from typing import TYPE_CHECKING, NamedTuple

from noctuary.errors import BadSettings
from noctuary.lazily import lazy_module

if TYPE_CHECKING:
    import pwd
    import tomllib
    from urllib import parse
else:
    pwd = lazy_module("pwd")
    parse = lazy_module("urllib.parse")
    tomllib = lazy_module("tomllib")


class Settings(NamedTuple):
    """Where the memory is, and whose it is."""

    home: Path  # the folder of the memory
    owner: str
    user_home: Path  # where agents leave their transcripts
    environ: Mapping[str, str]
    busy_seconds: float = 30.0  # how long to wait while another process writes
    reranker: Path | None = None  # the folder of a cross-encoder
    dream_table: object = None  # of config.toml; read by `dream_settings`, when it is needed
    hooks_table: object = None  # the same, by `hook_settings`
    server_table: object = None  # the same, by `server_settings`
    database_url: str | None = None  # of a PostgreSQL server; None is the SQLite file in the home folder

    @property
    def database(self) -> Path:
        """The SQLite file."""
        return self.home / "noctuary.db"

    @property
    def formats(self) -> Path:
        """The folder with descriptions of formats of transcripts that we do not know by ourselves."""
        return self.home / "formats"

    @property
    def database_shown(self) -> str:
        """The file, or the address of the server without what nobody should read."""
        if self.database_url is None:
            return str(self.database)
        parts = parse.urlsplit(self.database_url)
        port = f":{parts.port}" if parts.port else ""
        return f"{parts.scheme}://{parts.hostname or ''}{port}{parts.path}"

    @property
    def is_made(self) -> bool:
        """Whether there is a memory to open, as far as can be said without opening it: a server may be empty."""
        return self.database_url is not None or self.database.exists()

    @classmethod
    def load(
        cls,
        environ: Mapping[str, str],
        *,
        home: Path | None = None,
        owner: str | None = None,
        user_home: Path | None = None,
        database: str | None = None,
    ) -> "Settings":
        """Settings from arguments, environment and file, in this order; BadSettings if the file cannot be used."""
        user = user_home or Path(environ.get("HOME") or Path.home())
        folder = home or _default_home(environ, user)
        file = _read_file(folder / "config.toml")
        name = owner or environ.get("NOCTUARY_OWNER") or file.get("owner") or _login(environ)
        if not isinstance(name, str) or not name.strip():
            raise BadSettings(f"{folder / 'config.toml'}: `owner` must be a name in quotes.")
        busy = _seconds(environ.get("NOCTUARY_BUSY_SECONDS") or file.get("busy_seconds") or 30)
        reranker = _folder(environ.get("NOCTUARY_RERANKER") or file.get("reranker"))
        return cls(
            home=folder,
            owner=name,
            user_home=user,
            environ=environ,
            busy_seconds=busy,
            reranker=reranker,
            dream_table=file.get("dream"),
            hooks_table=file.get("hooks"),
            server_table=file.get("server"),
            database_url=_url(database or environ.get("NOCTUARY_DATABASE") or file.get("database")),
        )


def usual_home(environ: Mapping[str, str], user: Path) -> Path:
    """The folder of the memory that is meant where nobody names one, not even the environment."""
    return _default_home({name: value for name, value in environ.items() if not name.startswith("NOCTUARY_")}, user)


def _default_home(environ: Mapping[str, str], user: Path) -> Path:
    if given := environ.get("NOCTUARY_HOME"):
        return Path(given).expanduser()
    if sys.platform == "darwin":
        return user / "Library" / "Application Support" / "noctuary"
    if sys.platform == "win32":
        return Path(environ.get("LOCALAPPDATA") or user / "AppData" / "Local") / "noctuary"
    return Path(environ.get("XDG_DATA_HOME") or user / ".local" / "share") / "noctuary"


def _seconds(given: object) -> float:
    try:
        seconds = float(str(given))
    except ValueError:
        seconds = -1.0
    if not 0 <= seconds <= 3_600:
        raise BadSettings(f"NOCTUARY_BUSY_SECONDS is {given!r}; write a number of seconds, such as 30.")
    return seconds


def _url(given: object) -> str | None:
    if not given:
        return None
    if isinstance(given, str) and given.startswith(("postgresql://", "postgres://")):
        return given
    raise BadSettings("--database, NOCTUARY_DATABASE or `database` in config.toml must begin with postgresql://.")


def _folder(given: object) -> Path | None:
    if not given:
        return None
    with suppress(RuntimeError):  # the home of somebody who is not known here
        if isinstance(given, str):
            return Path(given).expanduser()
    raise BadSettings(f"NOCTUARY_RERANKER or `reranker` in config.toml is {given!r}; write a folder, in quotes.")


def _read_file(path: Path) -> Mapping[str, object]:
    try:
        written = path.read_text(encoding="utf-8")
        return tomllib.loads(written)
    except (FileNotFoundError, NotADirectoryError):  # whoever opens the folder says what is wrong with it
        return {}
    except (OSError, UnicodeDecodeError, tomllib.TOMLDecodeError) as error:
        raise BadSettings(f"{path} cannot be read: {error}. Correct it or move it away.") from error


def _login(environ: Mapping[str, str]) -> str:
    for name in ("USER", "LOGNAME", "USERNAME"):
        if environ.get(name):
            return environ[name]
    try:
        return pwd.getpwuid(os.getuid()).pw_name
    except (ImportError, AttributeError, KeyError, OSError):  # another system, or a container without a user database
        return f"user-{os.getuid()}" if hasattr(os, "getuid") else "me"
