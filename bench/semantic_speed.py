"""What searching by meaning costs, each as a ratio to a floor measured in the same run.

    python bench/semantic_speed.py --data FOLDER [--cache FILE] [--only NAME …]

FOLDER is the LongMemEval folder.  `hybrid` compares searches in the pooled store with and without a model, in turns;
`scan` compares a million vectors of 384 dimensions with a question, against one copy of the same bytes; `embedding`
compares messages embedded per CPU second by the verb with calling the model on the same passages in the same batches.
"""

import json
import statistics
import tempfile
from collections.abc import Callable, Sequence
from functools import partial
from pathlib import Path
from typing import Any

import click
import numpy as np

from longmemeval import AskedAt, dates_of, parse_date, read_questions, read_sessions, store_chats
from noctuary import Memory
from noctuary.models.choosing import open_embedder
from noctuary.recall.scan import Matrix
from semantic import DEFAULT_MODEL, CachingEmbedder, embed
from timing import cpu_seconds, seconds

Measured = dict[str, float]
VECTORS, DIMENSION = 1_000_000, 384
TURNS = 5
CHATS_TO_EMBED = 60


class RecordingEmbedder:
    """An `Embedder` that remembers which batches it was given, so that they can be run again without the product."""

    def __init__(self, inner: Any) -> None:
        self.inner, self.name, self.dimension = inner, inner.name, inner.dimension
        self.batches: list[list[str]] = []

    def passages(self, texts: Sequence[str]) -> Any:
        """The model's own."""
        self.batches.append(list(texts))
        return self.inner.passages(texts)

    def question(self, text: str) -> Any:
        """The model's own."""
        return self.inner.question(text)


def hybrid(data: Path, model: str, cache: Path | None) -> Measured:
    """Search in the pooled store by words and meaning, over search by words alone."""
    chats, questions = read_sessions(data), read_questions(data)
    embedder = CachingEmbedder(open_embedder(model, home=Path.home(), environ={}), cache)
    with tempfile.TemporaryDirectory() as folder:
        clock = AskedAt()
        with (
            Memory.open(Path(folder) / "words", clock=clock) as words,
            Memory.open(Path(folder) / "both", clock=clock) as both,
        ):
            for memory in (words, both):
                store_chats(memory, chats, dates_of(questions))
            embed(both, embedder, "embedding")
            embedder.save()
            by_words: list[float] = []
            by_both: list[float] = []
            for question in questions * 3:  # in turns, so that a slow moment meets both
                clock.time = parse_date(question["question_date"])
                by_words.append(seconds(partial(words.search, question["question"])))
                by_both.append(seconds(partial(both.search, question["question"])))
    return {
        "hybrid_p50_over_lexical": statistics.median(by_both) / statistics.median(by_words),
        "lexical_p50_ms": 1000 * statistics.median(by_words),
        "hybrid_p50_ms": 1000 * statistics.median(by_both),
    }


def scan() -> Measured:
    """A million vectors compared with one question, over one copy of their bytes."""
    random = np.random.default_rng(1)
    codes = random.integers(-127, 128, (VECTORS, DIMENSION), dtype=np.int8)
    matrix = Matrix(np.arange(VECTORS, dtype=np.int64) << 8, np.full(VECTORS, 0.01, dtype="<f4"), codes)
    question = random.normal(size=DIMENSION).astype(np.float32)
    target = np.empty_like(codes)
    matrix.compare(question)
    pairs = [
        (seconds(partial(np.copyto, target, codes)), seconds(lambda: matrix.compare(question).nearest(60)))
        for _ in range(TURNS)
    ]
    copying, scanning = min(pair[0] for pair in pairs), min(pair[1] for pair in pairs)
    return {"scan_over_memcpy": scanning / copying, "memcpy_ms": 1000 * copying, "scan_ms": 1000 * scanning}


def embedding(data: Path, model: str) -> Measured:
    """Messages embedded per CPU second by the verb, over the model alone on the same passages."""
    chats, questions = read_sessions(data), read_questions(data)
    some = {name: chats[name] for name in list(chats)[:CHATS_TO_EMBED]}
    embedder = RecordingEmbedder(open_embedder(model, home=Path.home(), environ={}))
    embedder.passages([f"warm up {i}" for i in range(32)])
    ours: list[float] = []
    direct: list[float] = []
    for _ in range(3):
        with tempfile.TemporaryDirectory() as folder, Memory.open(folder) as memory:
            store_chats(memory, some, dates_of(questions))
            memory.use_model(embedder)
            embedder.batches.clear()
            ours.append(cpu_seconds(memory.embed))
            batches = [list(batch) for batch in embedder.batches]
        direct.append(cpu_seconds(lambda: [embedder.inner.passages(batch) for batch in batches]))  # noqa: B023
    messages = sum(len(turns) for turns in some.values())
    return {
        "embedding_over_direct": min(direct) / min(ours),
        "messages_per_cpu_second": messages / min(ours),
        "passages_per_message": sum(map(len, batches)) / messages,
    }


@click.command()
@click.option("--data", type=click.Path(path_type=Path, exists=True), required=True)
@click.option("--model", default=DEFAULT_MODEL, show_default=True, help="As `noctuary model use` takes it.")
@click.option("--cache", type=click.Path(path_type=Path), help="File to keep vectors in from run to run.")
@click.option("--only", multiple=True, type=click.Choice(["hybrid", "scan", "embedding"]))
def main(data: Path, model: str, cache: Path | None, only: tuple[str, ...]) -> None:
    """Measure and print JSON."""
    parts: dict[str, Callable[[], Measured]] = {
        "scan": scan,
        "embedding": partial(embedding, data, model),
        "hybrid": partial(hybrid, data, model, cache),
    }
    measured: Measured = {}
    for name, part in parts.items():
        if not only or name in only:
            measured |= part()
    click.echo(json.dumps({name: round(value, 3) for name, value in measured.items()}, indent=1))


if __name__ == "__main__":
    main()
