"""When there is no answer, is nothing found?  And when there is one, is it ever refused?

    python bench/abstention.py --longmemeval FOLDER --locomo FILE --home FOLDER --gold FOLDER [--no-semantic]

Unanswerable are LongMemEval's questions that end in `_abs` (asked of their own haystack), LoCoMo's category 5 (what one
friend did, asked of the other), and nonsense of our own (`bench/nonsense`), asked of every LoCoMo conversation and of
the coding sessions.  Answerable are all others.  Printed: the share that got no hits.
"""

import json
import tempfile
from collections import Counter
from collections.abc import Iterator
from pathlib import Path

import click

from locomo import DAY, store_conversation
from longmemeval import AskedAt, dates_of, parse_date, read_questions, read_sessions, store_chats
from noctuary import Memory
from semantic import CachingEmbedder, embed, embedder_for, with_model_options

NONSENSE = Path(__file__).parent / "nonsense" / "questions.txt"
ADVERSARIAL = 5
Asked = tuple[str, bool, bool]  # which set, whether there is an answer, whether nothing was found


def ask_longmemeval(folder: Path, embedder: CachingEmbedder | None) -> Iterator[Asked]:
    """Every question, asked of its own haystack on its own date."""
    chats, clock = read_sessions(folder), AskedAt()
    for question in read_questions(folder):
        clock.time = parse_date(question["question_date"])
        with tempfile.TemporaryDirectory() as home, Memory.open(home, clock=clock) as memory:
            haystack = {name: chats[name] for name in question["haystack_session_ids"]}
            store_chats(memory, haystack, dates_of([question]))
            embed(memory, embedder)
            is_answerable = not question["question_id"].endswith("_abs")
            yield "LongMemEval", is_answerable, not memory.search(question["question"]).hits


def ask_locomo(file: Path, embedder: CachingEmbedder | None) -> Iterator[Asked]:
    """Every question with evidence, and nonsense, asked of its conversation a day after it ended."""
    for sample in json.loads(file.read_text(encoding="utf-8")):
        clock = AskedAt()
        with tempfile.TemporaryDirectory() as home, Memory.open(home, clock=clock) as memory:
            store_conversation(memory, sample["conversation"])
            clock.time = max(session.last_ms or 0 for session in memory.sessions(limit=1_000)) + DAY
            embed(memory, embedder)
            for qa in sample["qa"]:
                if qa["category"] == ADVERSARIAL or qa.get("evidence"):
                    is_answerable = qa["category"] != ADVERSARIAL
                    yield "LoCoMo", is_answerable, not memory.search_messages(qa["question"]).hits
            yield from ask_nonsense(memory)


def ask_coding(home: Path, gold: Path, embedder: CachingEmbedder | None) -> Iterator[Asked]:
    """Every question about the coding sessions, and nonsense."""
    with tempfile.TemporaryDirectory() as folder, Memory.open(folder, owner="bench", user_home=home) as memory:
        memory.import_transcripts()
        embed(memory, embedder)
        for path in sorted(gold.glob("*.json")):
            for question in json.loads(path.read_text(encoding="utf-8"))["questions"]:
                yield "coding sessions", True, not memory.search_messages(question["question"]).hits
        yield from ask_nonsense(memory)


def ask_nonsense(memory: Memory) -> Iterator[Asked]:
    """What nobody ever said."""
    for line in NONSENSE.read_text(encoding="utf-8").splitlines():
        yield "nonsense", False, not memory.search_messages(line).hits


@click.command()
@click.option("--longmemeval", type=click.Path(path_type=Path, exists=True), required=True)
@click.option("--locomo", type=click.Path(path_type=Path, exists=True), required=True)
@click.option("--home", type=click.Path(path_type=Path, exists=True), required=True)
@click.option("--gold", type=click.Path(path_type=Path, exists=True), required=True)
@with_model_options
def main(
    longmemeval: Path, locomo: Path, home: Path, gold: Path, no_semantic: bool, model: str, cache: Path | None
) -> None:
    """Ask everything and print what was refused."""
    embedder = embedder_for(no_semantic, model, cache)
    asked: Counter[tuple[str, bool]] = Counter()
    refused: Counter[tuple[str, bool]] = Counter()
    for ask in (ask_locomo(locomo, embedder), ask_coding(home, gold, embedder), ask_longmemeval(longmemeval, embedder)):
        for name, is_answerable, is_refused in ask:
            asked[name, is_answerable] += 1
            refused[name, is_answerable] += is_refused
    if embedder:
        embedder.save()
    for is_answerable, heading in ((False, "unanswerable, refused"), (True, "answerable, wrongly refused")):
        sets = [key for key in asked if key[1] is is_answerable]
        for key in sets:
            click.echo(f"{heading}: {key[0]:<16} {refused[key]:>4} of {asked[key]:>4}  {refused[key] / asked[key]:.3f}")
        total, of = sum(refused[key] for key in sets), sum(asked[key] for key in sets)
        click.echo(f"{heading}: {'all':<16} {total:>4} of {of:>4}  {total / of:.3f}")


if __name__ == "__main__":
    main()
