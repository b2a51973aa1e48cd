"""Models behind an endpoint that speaks OpenAI's protocol: `POST {url}/embeddings`.

The key goes to this endpoint only, over no redirect, and into no error.  What comes back is not believed: how long it
is, how many vectors of how many numbers, that each is a number and that not all of them are zero are checked.  An
endpoint that is busy is asked again, for a bounded time, and so is one that went away while it reads a memory; a
question gives up soon, since search goes on by words.  One text that it cannot take does not keep it from the others.
"""

import json
import time
from collections.abc import Callable, Iterator, Sequence
from typing import TYPE_CHECKING, NamedTuple

from noctuary.errors import ModelDamaged, ModelError, ModelMissing, ModelUnreachable
from noctuary.lazily import lazy_module
from noctuary.models.failures import said_of
from noctuary.models.naming import named
from noctuary.models.posting import Absent, Address, Busy, Patience, Poster, Refused
from noctuary.models.texts import has_words, readable
from noctuary.models.vectors import no_rows, unit_rows

if TYPE_CHECKING:
    import numpy as np

    from noctuary.models.embedder import Vectors
else:
    np = lazy_module("numpy")

BATCH_TEXTS = 64
BATCH_CHARACTERS = 100_000
MOST_CHARACTERS = 8_000  # of one text: what the usual 8,192 tokens hold in any script
MOST_DIMENSION = 16_384
FOR_PASSAGES = Patience(timeout=30.0, retries=6, waiting=60.0, is_for_absent=True)
FOR_QUESTIONS = Patience(timeout=5.0, retries=1, waiting=1.0)
_BYTES_PER_NUMBER = 32
_BYTES_PER_ANSWER = 1 << 16
_FIRST_WAIT = 0.5
_PROBE = "How long are your vectors?"


class Ways(NamedTuple):
    """How long an endpoint is waited for, and how to wait."""

    for_passages: Patience = FOR_PASSAGES
    for_questions: Patience = FOR_QUESTIONS
    sleep: Callable[[float], None] = time.sleep


class EndpointEmbedder:
    """The model of this name at this address; nothing is sent before it is first asked for something."""

    def __init__(
        self, url: str, model: str, *, key: str | None = None, dimension: int | None = None, ways: Ways | None = None
    ) -> None:
        self._ways = ways or Ways()
        self._address = Address.read(url)
        self._poster = Poster(self._address, key)
        if not model.strip():
            raise ModelMissing(f"Which model at {self._address}? Name it behind a #: {self._address}#model-name")
        self._model = model
        self._dimension = dimension
        self.name = named(model, f"{self._address} {model}".encode("utf-8", "replace"))
        with said_of(f"The model at {self._address}", ""):
            no_rows(0)  # so that a missing library is told here, not in the middle of an import

    @property
    def dimension(self) -> int:
        """How long the vectors are; if nobody said so and nothing was asked yet, the endpoint is asked."""
        if self._dimension is None:
            # Who mistypes an address wants to know at once.
            patience = self._ways.for_passages._replace(is_for_absent=False)
            self._dimension = self._ask([_PROBE], patience).shape[1]
        return self._dimension

    def passages(self, texts: Sequence[str]) -> "Vectors":
        """One vector a text, as rows; texts longer than the model reads are cut, blank ones are not sent.

        That of a text which the endpoint refuses, though it takes others, is nothing but zeros.
        """
        return self._vectors(texts, self._taken)

    def question(self, text: str) -> "Vectors":
        """The vector of what somebody asks, as one row."""
        return self._vectors([text], lambda said: self._ask(said, self._ways.for_questions))

    def _vectors(self, texts: Sequence[str], ask: "Callable[[list[str]], Vectors]") -> "Vectors":
        said = readable(texts, most=MOST_CHARACTERS)
        answers = [(batch, ask([said[number] for number in batch])) for batch in _batches(said)]
        rows: Vectors = np.zeros((len(said), self.dimension), dtype=np.float32)
        for batch, found in answers:
            rows[batch] = found
        return rows

    def _taken(self, texts: list[str]) -> "Vectors":
        """The vectors of one batch, halved until the texts are found that the endpoint does not take."""
        try:
            return self._ask(texts, self._ways.for_passages)
        except (Refused, ModelDamaged):
            if len(texts) == 1:
                probe = self._ask([_PROBE], self._ways.for_passages)  # raises, if it is not the text
                return np.zeros_like(probe)
        half = len(texts) // 2
        return np.concatenate([self._taken(texts[:half]), self._taken(texts[half:])])

    def _ask(self, texts: list[str], patience: Patience) -> "Vectors":
        """The vectors of one batch, asked for until they come or patience ends."""
        body = json.dumps({"model": self._model, "input": texts, "encoding_format": "float"}).encode("ascii")
        width = self._dimension or MOST_DIMENSION
        most = len(texts) * (width * _BYTES_PER_NUMBER + _BYTES_PER_ANSWER) + _BYTES_PER_ANSWER
        waited = 0.0
        for attempt in range(patience.retries + 1):
            try:
                return self._read(self._poster.post(body, most=most, timeout=patience.timeout), texts)
            except Busy as busy:
                wait = _FIRST_WAIT * 2**attempt if busy.wait is None else busy.wait
                waited += busy.spent + wait
                is_hopeless = isinstance(busy, Absent) and not patience.is_for_absent
                if is_hopeless or attempt == patience.retries or waited > patience.waiting:
                    raise ModelUnreachable(str(busy)) from busy
            self._ways.sleep(wait)
        raise AssertionError  # the last attempt returned or raised

    def _read(self, answer: bytes, texts: list[str]) -> "Vectors":
        count = len(texts)
        try:
            items = json.loads(answer)["data"]
            placed = {int(item.get("index", number)): item["embedding"] for number, item in enumerate(items)}
            ordered = [placed[number] for number in range(count)]
            found = np.array(ordered)
        except (ValueError, TypeError, KeyError, AttributeError, OverflowError, RecursionError) as error:
            raise self._strange("no list of vectors, one for each text") from error
        if len(items) != count:
            raise self._strange(f"{len(items)} vectors for {count} texts")
        if found.ndim != 2 or found.dtype.kind not in "fiu" or not 0 < found.shape[1] <= MOST_DIMENSION:
            raise self._strange("something else than vectors")
        if self._dimension not in (None, found.shape[1]):
            raise self._strange(f"vectors of {found.shape[1]} numbers instead of {self._dimension}")
        with np.errstate(over="ignore"):
            vectors = unit_rows(found.astype(np.float32), f"The model {self._model} at {self._address}")
        silent = [text for text, row in zip(texts, vectors, strict=True) if not row.any()]
        if any(map(has_words, silent)):  # signs alone may mean nothing to a model
            raise self._strange("nothing but zeros for a text that has words")
        self._dimension = found.shape[1]
        return vectors

    def _strange(self, what: str) -> ModelError:
        return ModelDamaged(f"{self._address} answered with {what}. Check the address and the model's name.")


def _batches(texts: Sequence[str]) -> Iterator[list[int]]:
    """Numbers of the texts that are not blank, as many as may be sent at once."""
    batch: list[int] = []
    size = 0
    for number, text in enumerate(texts):
        if not text.strip():
            continue
        if batch and (len(batch) == BATCH_TEXTS or size + len(text) > BATCH_CHARACTERS):
            yield batch
            batch, size = [], 0
        batch.append(number)
        size += len(text)
    if batch:
        yield batch


def from_source(source: str, *, key: str | None) -> EndpointEmbedder:
    """The model of a source such as http://localhost:8080/v1#model-name."""
    url, _, model = source.partition("#")
    return EndpointEmbedder(url, model, key=key)
