"""What a PostgreSQL server reports, in terms of ours."""

from collections.abc import Iterator
from contextlib import contextmanager
from urllib.parse import urlsplit

import psycopg
from psycopg import errors
from psycopg_pool import PoolTimeout

from noctuary.errors import BadInput, StoreBusy, StoreDamaged, StoreFull, StoreReadOnly, StoreUnreachable


@contextmanager
def translated(url: str) -> Iterator[None]:
    """What the server reports becomes an error of ours."""
    try:
        yield
    except (psycopg.Error, PoolTimeout) as error:
        raise as_ours(error, url) from error


def as_ours(error: Exception, url: str) -> Exception:
    """What the server's error means to a user; one that can only be a mistake of ours stays as it is."""
    match error:
        case errors.LockNotAvailable() | errors.DeadlockDetected() | errors.SerializationFailure() | PoolTimeout():
            return StoreBusy()
        case errors.ReadOnlySqlTransaction() | errors.InsufficientPrivilege():
            return StoreReadOnly(f"{shown(url)} may not be written to by this user: {_said(error)}.")
        case errors.DiskFull() | errors.OutOfMemory():
            return StoreFull()
        case errors.DataCorrupted() | errors.IndexCorrupted():
            return StoreDamaged(f"{shown(url)} is damaged: {_said(error)}. Put a backup in its place.")
        case errors.ProgramLimitExceeded():  # a mistake of nobody's server: names are found by an index
            return BadInput(
                f"That is too long for {shown(url)}, where a name may have about 2,600 bytes: {_said(error)}. "
                "Choose a shorter one."
            )
        case psycopg.OperationalError():
            return StoreUnreachable(
                f"{shown(url)} cannot be used: {_said(error)}. Check that it runs, and its address."
            )
    return error


def _said(error: Exception) -> str:
    return " ".join(str(error).split()).rstrip(".?")[:300]


def shown(url: str) -> str:
    """The address without what nobody should read."""
    parts = urlsplit(url)
    where = parts.hostname or "the PostgreSQL server"
    return f"{parts.scheme}://{where}{f':{parts.port}' if parts.port else ''}{parts.path}"
