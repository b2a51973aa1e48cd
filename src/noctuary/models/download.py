"""Download a model of the catalog, or leave nothing behind.

Every file is checked against its size and its SHA-256 as it comes in.  They gather in a folder beside the place where
the model will be, which takes its place in one step when all are there: whoever is interrupted has the model that was
there before, or none.  The hub can be another one (NOCTUARY_MODEL_HUB); it need not be trusted.
"""

import os
import shutil
from collections.abc import Callable, Mapping
from contextlib import AbstractContextManager
from pathlib import Path
from typing import TYPE_CHECKING, BinaryIO, Protocol

from noctuary.errors import ModelDamaged, ModelError, ModelUnreachable
from noctuary.lazily import lazy_module
from noctuary.models.catalog import Entry, PinnedFile
from noctuary.models.failures import reason
from noctuary.models.folders import FoundModel, read_folder
from noctuary.models.recipe import write_recipe

if TYPE_CHECKING:
    import hashlib
    import tempfile
    from http import client
    from urllib import error as failed
    from urllib import request
else:
    hashlib = lazy_module("hashlib")
    tempfile = lazy_module("tempfile")
    client = lazy_module("http.client")
    failed = lazy_module("urllib.error")
    request = lazy_module("urllib.request")

HUB = "https://huggingface.co"
HUB_SETTING = "NOCTUARY_MODEL_HUB"
TIMEOUT = 30.0  # seconds without a byte
_CHUNK = 1 << 18


class Readable(Protocol):
    """What comes from the hub."""

    def read(self, size: int, /) -> bytes:
        """At most so many bytes; none at the end."""
        ...


Fetch = Callable[[str], AbstractContextManager[Readable]]
Progress = Callable[[int, int], None]  # bytes so far, bytes in all


def hub_of(environ: Mapping[str, str]) -> str:
    """The hub to download from."""
    return environ.get(HUB_SETTING) or HUB


def fetch_url(url: str, *, timeout: float = TIMEOUT) -> AbstractContextManager[Readable]:
    """What is at the address; raises OSError or HTTPException."""
    opener = request.OpenerDirector()  # of the usual one all but files and FTP
    for handler in (
        request.ProxyHandler,
        request.HTTPHandler,
        request.HTTPSHandler,
        request.HTTPRedirectHandler,
        request.HTTPErrorProcessor,
        request.HTTPDefaultErrorHandler,
    ):
        opener.add_handler(handler())
    opened: AbstractContextManager[Readable] | None = opener.open(url, timeout=timeout)
    if opened is None:
        raise OSError("it is no http or https address")
    return opened


def download(
    entry: Entry, into: Path, *, hub: str = HUB, fetch: Fetch = fetch_url, progress: Progress | None = None
) -> FoundModel:
    """Put the model into a folder of its name; a ModelError says why that was not possible."""
    place = into / entry.name
    try:
        into.mkdir(parents=True, exist_ok=True)
        gathering = Path(tempfile.mkdtemp(prefix=f".{entry.name}.", dir=into))
    except OSError as error:
        raise _unwritable(into, error) from error
    try:
        done = 0
        for file in entry.files:
            url = f"{hub.rstrip('/')}/{entry.repository}/resolve/{entry.revision}/{file.path}"
            _download_file(url, file, gathering, fetch, _shifted(progress, done, entry.size))
            done += file.size
        try:
            write_recipe(gathering, entry.recipe, name=entry.name, dimension=entry.dimension)
            _put(gathering, place)
        except OSError as error:
            raise _unwritable(place, error) from error
    finally:
        shutil.rmtree(gathering, ignore_errors=True)
    return read_folder(place)


def _shifted(progress: Progress | None, done: int, total: int) -> Callable[[int], None]:
    return lambda size: progress(done + size, total) if progress else None


def _download_file(url: str, file: PinnedFile, folder: Path, fetch: Fetch, progress: Callable[[int], None]) -> None:
    path = folder / file.saved_as
    try:
        target = path.open("xb")
    except OSError as error:
        raise _unwritable(path, error) from error
    with target:
        try:
            with fetch(url) as source:
                found, size = _copy(source, target, file, progress)
        except failed.HTTPError as error:
            with error:
                raise ModelUnreachable(
                    f"{url} cannot be had (HTTP status {error.code}). Check {HUB_SETTING}, or try again later."
                ) from error
        except (OSError, client.HTTPException, ValueError) as error:
            raise ModelUnreachable(f"{url} cannot be had: {reason(error)}. Check your connection.") from error
    if size < file.size:
        raise ModelUnreachable(f"{url} broke off after {size:,} of {file.size:,} bytes. Try again.")
    if size > file.size or found != file.sha256:
        raise ModelDamaged(f"{url} is not the file it should be; nothing was installed. Use another hub.")


def _copy(source: Readable, target: BinaryIO, file: PinnedFile, progress: Callable[[int], None]) -> tuple[str, int]:
    """The digest and the size of what was copied, which ends when it is more than it should be."""
    digest = hashlib.sha256()
    size = 0
    while size <= file.size and (piece := source.read(_CHUNK)):
        size += len(piece)
        digest.update(piece)
        _write(target, piece)
        progress(size)
    _write(target, b"")
    return digest.hexdigest(), size


def _write(target: BinaryIO, piece: bytes) -> None:
    """Write the piece; at the end, which is an empty one, make sure that all of it is on the disk."""
    try:
        target.write(piece)
        if not piece:
            target.flush()
            os.fsync(target.fileno())
    except OSError as error:
        raise _unwritable(Path(target.name), error) from error


def _put(gathered: Path, place: Path) -> None:
    """Let the folder take its place, and away with what was there."""
    if not place.exists():
        gathered.replace(place)
        return
    former = Path(tempfile.mkdtemp(prefix=f".{place.name}.", dir=place.parent))
    place.replace(former / place.name)
    try:
        gathered.replace(place)
    except BaseException:
        _put_back(former / place.name, place)
        raise
    shutil.rmtree(former, ignore_errors=True)


def _put_back(former: Path, place: Path) -> None:
    """Let what was there take its place again; if that fails too, it stays where it is, and the error says where."""
    try:
        former.replace(place)
        former.parent.rmdir()
    except OSError as error:
        raise OSError(f"{reason(error)}; what was there lies in {former} now") from error


def _unwritable(path: Path, error: OSError) -> ModelError:
    return ModelError(f"{path} cannot be written: {reason(error)}. Make room or check its permissions.")
