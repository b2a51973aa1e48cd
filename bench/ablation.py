"""What each part of the ranking brings: every benchmark once as it is, and once without each part.

    python bench/ablation.py --longmemeval FOLDER --locomo FILE --home FOLDER --gold FOLDER [--cache FILE]

Prints a table in Markdown: LongMemEval pooled any@5 and all@5, LoCoMo frac@10, coding sessions near@5 of all and of
natural questions.  A part is switched off by taking its stage out of the list, or by giving it nothing to work with.
"""

import json
import tempfile
from collections.abc import Callable, Iterator, Sequence
from contextlib import ExitStack, contextmanager
from pathlib import Path
from typing import Any, NamedTuple

import click

from locomo import DAY, store_conversation
from longmemeval import AskedAt, dates_of, parse_date, read_questions, read_sessions, store_chats
from noctuary import Memory
from noctuary.recall import grouping, joining, ranking, scoring, searching, strength
from semantic import CachingEmbedder, embed, embedder_for, with_model_options

NEAR = 10  # source lines
OFF: dict[str, tuple[Any, str, Any]] = {
    "neighbours' words": (scoring, "NEIGHBOURS", ()),
    "what stands beside": (scoring, "MORE_BY_CONTEXT", 0),
    "role weights": (scoring, "VOICE_WEIGHTS", dict.fromkeys(scoring.VOICE_WEIGHTS, 1.0)),
    "title": (grouping, "TITLE_BONUS", 0.0),
    "second best of a session": (grouping, "SUPPORT", (0.0, 0.0)),
    "apart in one session": (grouping, "APART", 0),
    "messages most alike as candidates": (joining, "ALIKE", 1),
    "sessions of the time asked for as candidates": (joining, "MOST_SESSIONS_IN_TIME", -1),
    "refusing what is weak": (strength, "WEAKEST", -9.0),
    "refusing what is about others": (strength, "OTHERS_FIT", 9.0),
}


class Figures(NamedTuple):
    """One row of the table."""

    pooled_any: float
    pooled_all: float
    locomo: float
    coding: float
    natural: float


class Stores:
    """Every store, filled once."""

    def __init__(
        self, stack: ExitStack, folder: Path, paths: dict[str, Path], embedder: CachingEmbedder | None
    ) -> None:
        chats, self.questions = read_sessions(paths["longmemeval"]), read_questions(paths["longmemeval"])
        self.clock = AskedAt()
        self.pooled = stack.enter_context(Memory.open(folder / "pooled", clock=self.clock))
        store_chats(self.pooled, chats, dates_of(self.questions))
        embed(self.pooled, embedder, "embedding")
        self.friends = []
        for sample in json.loads(paths["locomo"].read_text(encoding="utf-8")):
            clock = AskedAt()
            memory = stack.enter_context(Memory.open(folder / sample["sample_id"], clock=clock))
            turns = store_conversation(memory, sample["conversation"])
            clock.time = max(session.last_ms or 0 for session in memory.sessions(limit=1_000)) + DAY
            embed(memory, embedder)
            self.friends.append((memory, turns, sample["qa"]))
        self.coding = stack.enter_context(Memory.open(folder / "coding", owner="bench", user_home=paths["home"]))
        self.coding.import_transcripts()
        embed(self.coding, embedder)
        self.gold = [json.loads(path.read_text(encoding="utf-8")) for path in sorted(paths["gold"].glob("*.json"))]

    def measure(self) -> Figures:
        """All figures, with the ranking as it is now."""
        any5, all5 = self._pooled()
        near = self._coding()
        natural = [hit for style, hit in near if style == "natural"]
        return Figures(any5, all5, self._locomo(), _mean([hit for _, hit in near]), _mean(natural))

    def _pooled(self) -> tuple[float, float]:
        found, whole = [], []
        for question in self.questions:
            if not question["question_id"].endswith("_abs"):
                self.clock.time = parse_date(question["question_date"])
                hits = {hit.session.id for hit in self.pooled.search(question["question"], limit=5).hits}
                wanted = set(question["answer_session_ids"])
                found.append(bool(hits & wanted))
                whole.append(wanted <= hits)
        return _mean(found), _mean(whole)

    def _locomo(self) -> float:
        shares = []
        for memory, turns, questions in self.friends:
            for qa in questions:
                evidence = ",".join(qa.get("evidence") or []).replace(";", ",").split(",")
                wanted = {each.strip() for each in evidence if each.strip()}
                if qa["category"] != 5 and wanted:
                    hits = memory.search_messages(qa["question"], limit=10).hits
                    got = {turns[hit.session.id, hit.anchor_id] for hit in hits}
                    shares.append(len(got & wanted) / len(wanted))
        return _mean(shares)

    def _coding(self) -> list[tuple[str, bool]]:
        near = []
        for gold in self.gold:
            for question in gold["questions"]:
                hits = self.coding.search_messages(question["question"], limit=5).hits
                near.append((question["style"], any(_is_near(hit, gold["file"], question["lines"][0]) for hit in hits)))
        return near


def _is_near(hit: Any, file: str, line: int) -> bool:
    is_there = Path(hit.session.source_path or "").name == Path(file).name
    return is_there and abs((hit.anchor.source_line or 0) - line) <= NEAR


def _mean(values: Sequence[float]) -> float:
    return sum(values) / len(values)


@contextmanager
def without_stage(stage: ranking.Stage) -> Iterator[None]:
    """The ranking without one of its stages."""
    at = ranking.STAGES.index(stage)
    del ranking.STAGES[at]
    try:
        yield
    finally:
        ranking.STAGES.insert(at, stage)


@contextmanager
def switched_off(module: Any, name: str, value: Any) -> Iterator[None]:
    """The ranking with one number at the value that makes its part do nothing."""
    before = getattr(module, name)
    everywhere = [each for each in (grouping, joining, ranking, scoring, searching, strength) if hasattr(each, name)]
    for each in everywhere:
        setattr(each, name, value)
    scoring.voice_and_length.cache_clear()
    try:
        yield
    finally:
        for each in everywhere:
            setattr(each, name, before)
        scoring.voice_and_length.cache_clear()


def row(name: str, figures: Figures) -> str:
    """A line of the table."""
    return f"| {name} | " + " | ".join(f"{value:.3f}" for value in figures) + " |"


@click.command()
@click.option("--longmemeval", type=click.Path(path_type=Path, exists=True), required=True)
@click.option("--locomo", type=click.Path(path_type=Path, exists=True), required=True)
@click.option("--home", type=click.Path(path_type=Path, exists=True), required=True)
@click.option("--gold", type=click.Path(path_type=Path, exists=True), required=True)
@with_model_options
def main(no_semantic: bool, model: str, cache: Path | None, **paths: Path) -> None:
    """Measure with everything, then without each part."""
    with tempfile.TemporaryDirectory() as folder, ExitStack() as stack:
        stores = Stores(stack, Path(folder), paths, embedder_for(no_semantic, model, cache))
        click.echo("| without | pooled any@5 | pooled all@5 | LoCoMo frac@10 | coding near@5 | natural near@5 |")
        click.echo("|---|---|---|---|---|---|")
        click.echo(row("nothing: all parts", stores.measure()))
        parts: list[tuple[str, Callable[[], Any]]] = [
            (stage.__name__.replace("_", " "), lambda stage=stage: without_stage(stage))  # type: ignore[misc]
            for stage in list(ranking.STAGES)
        ]
        parts += [(name, lambda off=off: switched_off(*off)) for name, off in OFF.items()]  # type: ignore[misc]
        for name, part in parts:
            with part():
                click.echo(row(name, stores.measure()))


if __name__ == "__main__":
    main()
