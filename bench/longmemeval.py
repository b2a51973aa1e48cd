"""LongMemEval: which past chats answer the question?  Writes a run file for `score_retrieval.py longmemeval`.

    python bench/longmemeval.py --data FOLDER [--pooled] [--no-semantic] [--database URL] --out RUN.jsonl

FOLDER holds `questions.jsonl` and `sessions.jsonl.xz`.  By default each question has a store of its own with only its
haystack in it; with --pooled all sessions are in one store, which is harder and closer to a real memory.  A question is
asked on its own date, so that "last week" means what it meant.
"""

import json
import lzma
import sys
import tempfile
from collections.abc import Iterable
from datetime import UTC, datetime
from pathlib import Path
from typing import Any

import click

from databases import open_memory, with_database
from noctuary import Memory
from noctuary.records import Message, Role, Session
from semantic import embed, embedder_for, with_model_options

MOST_HITS = 20
Chats = dict[str, list[dict[str, Any]]]


def read_sessions(folder: Path) -> Chats:
    """Every chat by its id."""
    with lzma.open(folder / "sessions.jsonl.xz", "rt", encoding="utf-8") as lines:
        return {record["id"]: record["turns"] for record in map(json.loads, lines)}


def read_questions(folder: Path) -> list[dict[str, Any]]:
    """The questions, abstention questions too."""
    with (folder / "questions.jsonl").open(encoding="utf-8") as lines:
        return [json.loads(line) for line in lines]


def dates_of(questions: Iterable[dict[str, Any]]) -> dict[str, int]:
    """When each chat took place, as the first question that has it in its haystack says."""
    dates: dict[str, int] = {}
    for question in questions:
        for session_id, date in zip(question["haystack_session_ids"], question["haystack_dates"], strict=True):
            dates.setdefault(session_id, parse_date(date))
    return dates


def parse_date(date: str) -> int:
    """Milliseconds of a date such as `2023/04/20 (Thu) 12:10`."""
    day, _, clock = date.split()
    return int(datetime.strptime(f"{day} {clock}", "%Y/%m/%d %H:%M").replace(tzinfo=UTC).timestamp() * 1000)


def store_chats(memory: Memory, chats: Chats, dates: dict[str, int]) -> None:
    """Put the chats into the memory, oldest first."""
    for session_id in sorted(chats, key=lambda name: dates.get(name, 0)):
        start = dates.get(session_id, 0)
        messages = [
            Message(role=Role(turn["role"]), content=turn["content"], ts_ms=start + 60_000 * place)
            for place, turn in enumerate(chats[session_id])
        ]
        memory.add_session(Session(id=session_id, started_ms=start), messages)


class AskedAt:
    """A `Clock` that stands at a question's date."""

    def __init__(self) -> None:
        self.time = 0

    def now_ms(self) -> int:
        """The time when the present question is asked."""
        return self.time


def ask(memory: Memory, question: dict[str, Any], clock: AskedAt) -> dict[str, Any]:
    """One line of the run file."""
    clock.time = parse_date(question["question_date"])
    hits = memory.search(question["question"], limit=MOST_HITS).hits
    return {"id": question["question_id"], "ranked": [hit.session.id for hit in hits]}


@click.command()
@click.option("--data", type=click.Path(path_type=Path, exists=True), required=True)
@click.option("--pooled", is_flag=True, help="All sessions in one store.")
@with_model_options
@with_database
@click.option("--out", type=click.Path(path_type=Path), required=True)
def main(
    data: Path, pooled: bool, no_semantic: bool, model: str, cache: Path | None, url: str | None, out: Path
) -> None:
    """Answer every question and write the run file."""
    chats, questions = read_sessions(data), read_questions(data)
    embedder, clock = embedder_for(no_semantic, model, cache), AskedAt()
    with tempfile.TemporaryDirectory() as folder, out.open("w", encoding="utf-8") as run:
        shared = open_memory(Path(folder) / "pooled", url, clock=clock) if pooled else None
        if shared:
            click.echo(f"storing {len(chats):,} chats …", err=True)
            store_chats(shared, chats, dates_of(questions))
            embed(shared, embedder, "embedding")
        with click.progressbar(questions, label="questions", file=sys.stderr) as bar:
            for question in bar:
                if shared:
                    line = ask(shared, question, clock)
                else:
                    haystack = {name: chats[name] for name in question["haystack_session_ids"]}
                    with open_memory(Path(folder) / question["question_id"], url, clock=clock) as memory:
                        store_chats(memory, haystack, dates_of([question]))
                        embed(memory, embedder)
                        line = ask(memory, question, clock)
                run.write(json.dumps(line) + "\n")
        if shared:
            shared.close()
    if embedder:
        embedder.save()


if __name__ == "__main__":
    main()
