"""Give messages their vectors: a verb that can be stopped at any moment, and goes on where it stopped.

Sessions come in the order of their last activity, the newest first, since those are asked for most.  A batch holds
passages of many sessions, so that the model is fed well; each session's vectors are stored in a transaction of their
own, with the id up to which they reach.  Killed in between, what was stored is kept and the rest is done next time.
A second process that does the same is no harm: whoever stores first wins, the other's work on that part is dropped.
"""

from collections.abc import Callable
from typing import TYPE_CHECKING, NamedTuple

from noctuary.errors import ModelDamaged
from noctuary.lazily import lazy_module
from noctuary.models.texts import has_words
from noctuary.recall.passages import Passage, passages_of
from noctuary.store import Store
from noctuary.store.vectors import LOW_MASK, KnownEmbedder, SessionVectors, State, Unfinished, mark_of

if TYPE_CHECKING:
    import array

    from noctuary.models.embedder import Embedder
    from noctuary.recall import scan
else:
    array = lazy_module("array")
    scan = lazy_module("noctuary.recall.scan")

BATCH = 256  # passages
MOST_AT_ONCE = 200  # messages of one session: a long one is stored in parts, so that little is lost
SESSIONS_AHEAD = 64

ShowDone = Callable[[int, int], None]  # messages that have vectors, of how many


class Embedded(NamedTuple):
    """What an embedding run did."""

    model: str
    messages: int = 0  # looked at; hidden ones have no vectors
    passages: int = 0
    waiting: int = 0  # messages that have no vectors yet
    is_serving: bool = False
    silent: int = 0  # of the passages, though they have words: the model makes nothing of them, or does not take them


class _Part(NamedTuple):
    """Some messages of a session, and the passages they make."""

    of: Unfinished
    passages: list[Passage]
    seen: int  # tells whether the messages are still what they were
    silent: int = 0  # passages with words that have no vector all the same


class EmbeddingRun:
    """Fills the memory's vectors of one model."""

    def __init__(self, store: Store, embedder: "Embedder", known: KnownEmbedder) -> None:
        """ModelDamaged if these are not the weights that the memory knows under this name."""
        if (embedder.name, embedder.dimension) != (known.name, known.dimension):
            raise ModelDamaged(
                f"The model at {known.place} is no longer {known.name} with {known.dimension} dimensions but "
                f"{embedder.name} with {embedder.dimension}; run `noctuary model use {known.place}` to change to it."
            )
        self.vectors = store.vectors
        self.embedder = embedder
        self.known = known

    def run(self, progress: ShowDone | None = None) -> Embedded:
        """Embed what has no vectors yet; when all have them, search with this model.

        Stops early if another model is chosen meanwhile.
        """
        messages = passages = silent = 0
        self.vectors.drop_damaged(self.known)
        while self.vectors.is_chosen(self.known) and (parts := self._next_parts()):
            stored = self._store(parts)
            messages += sum(part.of.last_id - part.of.upto for part in stored)
            passages += sum(len(part.passages) for part in stored)
            silent += sum(part.silent for part in stored)
            if progress:
                progress(*self.vectors.coverage(self.known.no))
        if self.known.state is State.WANTED:
            self.vectors.serve(self.known)
        done, total = self.vectors.coverage(self.known.no)
        if not self.vectors.is_chosen(self.known):
            return Embedded(self.known.name, messages, passages, waiting=total, silent=silent)
        serving = self.vectors.serving()
        is_serving = serving is not None and serving.no == self.known.no
        return Embedded(self.known.name, messages, passages, max(0, total - done), is_serving, silent)

    def _next_parts(self) -> list[_Part]:
        """Parts of sessions with enough passages for a batch; none if all is done."""
        parts: list[_Part] = []
        gathered = 0
        for unfinished in self.vectors.unfinished(self.known.no, SESSIONS_AHEAD):
            part = self._part(unfinished)
            parts.append(part)
            gathered += len(part.passages)
            if gathered >= BATCH:
                break
        return parts

    def _part(self, unfinished: Unfinished) -> _Part:
        of = unfinished.first(MOST_AT_ONCE)
        texts = self.vectors.texts(of)
        prompt = self.vectors.prompt_before(of.session, of.upto + 1) if of.upto else ""
        return _Part(of, list(passages_of(texts, prompt)), mark_of(texts))

    def _store(self, parts: list[_Part]) -> list[_Part]:
        """Embed the parts and store them; those that nobody else stored meanwhile, and that have not changed."""
        stored: list[_Part] = []
        passages = [passage for part in parts for passage in part.passages]
        vectors = self.embedder.passages([passage.text for passage in passages])
        start = 0
        for part in parts:
            own = vectors[start : start + len(part.passages)]
            start += len(part.passages)
            lows = array.array("I", [passage.key & LOW_MASK for passage in part.passages]).tobytes()
            fresh = SessionVectors(lows, *scan.packed(own))
            if self.vectors.add(self.known, part.of, fresh, seen=part.seen):
                silent = sum(not row.any() and has_words(p.text) for p, row in zip(part.passages, own, strict=True))
                stored.append(part._replace(silent=silent))
        return stored
