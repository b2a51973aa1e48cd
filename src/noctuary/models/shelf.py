"""Models of this machine that are open: each once, however many memories of a process ask for it.

A transformer takes a hundred megabytes and more, and a server has several memories of each owner open.  One that was
installed anew since is opened anew.
"""

from collections.abc import Callable, Mapping, Sequence
from pathlib import Path
from threading import Lock
from typing import TYPE_CHECKING, Any

from noctuary.lazily import lazy_module
from noctuary.models import choosing
from noctuary.models.folders import Files

if TYPE_CHECKING:
    from noctuary.models import cross_encoder
    from noctuary.models.embedder import Embedder
else:
    cross_encoder = lazy_module("noctuary.models.cross_encoder")

Judge = Callable[[str, Sequence[str]], Sequence[float]]
_Look = tuple[tuple[Path, int, int], ...]  # what files look like, without reading them


class Shelf:
    """Opens models, and knows those that it opened."""

    def __init__(self) -> None:
        self._lock = Lock()
        self._open: dict[tuple[str, str], tuple[_Look, Any]] = {}  # by what it is for and where it is

    def embedder(self, source: str, *, home: Path, environ: Mapping[str, str]) -> "Embedder":
        """The embedding model of this name; a ModelError says what to do if it cannot be had."""

        def opened() -> "Embedder":
            return choosing.open_embedder(source, home=home, environ=environ)

        if not choosing.has_files(source):
            return opened()
        embedder: Embedder = self._once("embedder", source, choosing.find_model(source, home=home).files, opened)
        return embedder

    def judge(self, folder: Path) -> Judge:
        """What the cross-encoder in the folder says; a ModelError says what to do if there is none."""
        files = cross_encoder.files_in(folder)
        judge: Judge = self._once("judge", str(folder), files, lambda: cross_encoder.CrossEncoder(folder)).judge
        return judge

    def _once(self, purpose: str, place: str, files: Files, open_it: Callable[[], Any]) -> Any:
        """What is open; whoever asks while it is being opened waits, for a second one would take as much memory."""
        with self._lock:
            look = _look_of(files.checked())
            known = self._open.get((purpose, place))
            if known is None or known[0] != look:
                known = self._open[purpose, place] = look, open_it()
            return known[1]


def _look_of(files: Files) -> _Look:
    paths = [path for path in (files.weights, files.tokenizer, files.config) if path is not None]
    found = ((path, path.stat()) for path in paths if path.exists())
    return tuple((path, status.st_mtime_ns, status.st_size) for path, status in found)
