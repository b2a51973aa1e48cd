"""What a PostgreSQL server is used for beyond its own abilities, for the doctor."""

from typing import NamedTuple

from noctuary.health import Checked, Finding
from noctuary.store import Store

NAME = "extensions"


class _Told(NamedTuple):
    """What to say of an extension."""

    used: str
    unused: str
    package: str
    is_missed: bool  # if the server does not have it


_TOLD = {
    "pg_trgm": _Told(
        "pg_trgm finds what stands inside of words",
        "what stands inside of words is found by reading all messages, as pg_trgm is not in use",
        "part of PostgreSQL; some systems have it in a package postgresql-contrib",
        is_missed=True,
    ),
    "btree_gin": _Told(
        "btree_gin finds words among one's own alone",
        "words of others are passed over by every search, as btree_gin is not in use",
        "part of PostgreSQL; some systems have it in a package postgresql-contrib",
        is_missed=True,
    ),
    "vector": _Told(
        "pgvector compares vectors",
        "vectors are read and compared by each process, as pgvector is not in use",
        "pgvector 0.7 or newer, e.g. Debian's postgresql-17-pgvector",
        is_missed=False,
    ),
}


def check_up(store: Store) -> Checked:
    """Say what is in use, and of the rest how it could be."""
    said, finding = [], Finding.OK
    for name, installed, available, is_used in store.database.fetch("extensions"):
        told = _TOLD[name]
        if is_used:
            said.append(told.used)
            continue
        said.append(f"{told.unused}: {_what_to_do(name, installed, available, told.package)}")
        if told.is_missed or installed is not None:
            finding = Finding.WARNING
    if store.database.fetch("language_of_letters")[0][0] in ("C", "POSIX"):
        said.append("letters beyond ASCII are none to this database (LC_CTYPE is C), so pg_trgm knows only a to z")
    return Checked(name=NAME, finding=finding, detail="; ".join(said))


def _what_to_do(name: str, installed: str | None, available: str | None, package: str) -> str:
    if available is None:
        return f"the server does not have it ({package})"
    if installed is None:
        return f"an administrator runs `create extension {name}` in this database, then run `noctuary rebuild`"
    able = ", who needs the right to make roles for it" if name == "pg_trgm" else ""
    return f"version {installed} is there; run `noctuary rebuild` as who made the tables{able}"
