"""The verbs of embedding models: which there are, which one serves, and letting it read."""

from __future__ import annotations  # or the annotations would load the parts below

from collections.abc import Callable, Sequence
from typing import TYPE_CHECKING

from noctuary.errors import ModelMissing, ModelUnreachable
from noctuary.lazily import lazy_module

if TYPE_CHECKING:
    from noctuary import embedding
    from noctuary.embedding import Embedded, ShowDone
    from noctuary.models import catalog, choosing, download, failures, guarded
    from noctuary.models import shelf as shelves
    from noctuary.models import vectors as model_vectors
    from noctuary.models.catalog import Entry as CatalogEntry
    from noctuary.models.embedder import Embedder
    from noctuary.models.folders import FoundModel
    from noctuary.models.shelf import Shelf
    from noctuary.settings import Settings
    from noctuary.store import Store
    from noctuary.store.vectors import Coverage, KnownEmbedder
else:
    catalog = lazy_module("noctuary.models.catalog")
    choosing = lazy_module("noctuary.models.choosing")
    download = lazy_module("noctuary.models.download")
    embedding = lazy_module("noctuary.embedding")
    failures = lazy_module("noctuary.models.failures")
    guarded = lazy_module("noctuary.models.guarded")
    model_vectors = lazy_module("noctuary.models.vectors")
    shelves = lazy_module("noctuary.models.shelf")


class Understanding:
    """What a memory does with embedding models; the part of `Memory` that is about them."""

    def __init__(self, store: Store, settings: Settings) -> None:
        self.store = store
        self.settings = settings
        self.owner = settings.owner
        self._given: dict[str, Embedder] = {}  # models that a program handed over, by their source
        self._shelf: Shelf | None = None

    def open_embedder(self, source: str) -> Embedder:
        """The embedding model of this name, folder, package or address, ready to use; a ModelError if there is none."""
        if source in self._given:
            return self._given[source]
        if choosing.is_address(source):
            self._allow_sending()
        opened = self.shelf.embedder(source, home=self.settings.home, environ=self.settings.environ)
        return guarded.GuardedEmbedder(opened, self._allow_sending) if choosing.is_address(source) else opened

    @property
    def shelf(self) -> Shelf:
        """The models that are open; a shelf of its own, unless it was given one that others have, too."""
        self._shelf = self._shelf or shelves.Shelf()
        return self._shelf

    def _allow_sending(self) -> None:
        """Nothing, if an endpoint may be sent what is here; asked before each time, since owners can come meanwhile."""
        if not self.store.sessions.is_only_owner(self.owner):
            raise ModelUnreachable(
                "This memory has several owners, and an endpoint would be sent what all of them said. "
                "Choose a model on this machine: `noctuary model list` shows some."
            )

    def require_libraries(self) -> None:
        """Nothing, if models can be run here; else ModelMissing says what to install."""
        with failures.said_of("Search by meaning", ""):
            model_vectors.no_rows(0)

    def downloadable(self) -> Sequence[CatalogEntry]:
        """The models that `install_model` can download."""
        return catalog.CATALOG

    def models(self) -> list[FoundModel]:
        """The embedding models on this machine: installed ones, then those that came with Python packages."""
        return choosing.available(self.settings.home)

    def install_model(self, name: str, *, progress: Callable[[int, int], None] | None = None) -> FoundModel:
        """Download a model of the catalog, checked against its pinned checksums; it is not used until `use_model`."""
        into = choosing.models_folder(self.settings.home)
        hub = download.hub_of(self.settings.environ)
        return download.download(catalog.find_entry(name), into, hub=hub, progress=progress)

    def use_model(self, model: str | Embedder) -> KnownEmbedder:
        """Embed with this model from now on; one that serves already goes on until `embed` has replaced its vectors."""
        if isinstance(model, str):
            source = choosing.lasting(model)
            embedder = self.open_embedder(source)
        else:
            embedder, source = model, f"given:{model.name}"  # only the program that gives it can open it again
            self._given[source] = model
        return self.store.vectors.choose(embedder.name, source, embedder.dimension)

    def use_no_model(self) -> None:
        """Search by words alone, and drop all vectors."""
        self.store.vectors.remove_all()

    def used_models(self) -> list[tuple[KnownEmbedder, Coverage]]:
        """The models in use, the serving one first, and how much of the memory each has seen."""
        vectors = self.store.vectors
        return [(known, vectors.coverage(known.no)) for known in vectors.embedders()]

    def embed(self, *, progress: ShowDone | None = None) -> Embedded:
        """Give every message that has none its vectors; can be stopped at any moment and goes on the next time."""
        known = self.store.vectors.to_fill()
        if known is None:
            raise ModelMissing(
                "No model is chosen yet; `noctuary model list` shows some, `noctuary model use` takes one."
            )
        return embedding.EmbeddingRun(self.store, self.open_embedder(known.source), known).run(progress)
