"""Many languages and scripts in one memory: does a question find its session?  Prints any@1, any@5 and any@10.

    python bench/multilingual.py [--no-semantic] [--misses] [--out RUN.jsonl]

The set in `bench/multilingual` is our own: short conversations of coding agents, and questions as people ask them.

- same-words: words of the session, inflected or with particles attached as the asker's grammar wants it;
- paraphrase: half remembered, with few words of the session;
- short: one or two characters, or one short word, of a script that is written without spaces;
- spelling: other case, accents left out, other width, vowel signs, and letters that are written in two ways;
- code-mixed: names and English words within another language;
- cross-language: an English question that shares only names with a session in another language.
"""

import json
import tempfile
from collections.abc import Iterable, Sequence
from pathlib import Path
from typing import Any, NamedTuple

import click

from noctuary import Memory
from noctuary.records import Message, Role, Session
from semantic import CachingEmbedder, embed, embedder_for, with_model_options

DATA = Path(__file__).with_suffix("")
MOST_HITS = 10
CUTS = (1, 5, 10)
FIRST_DAY_MS = 1_767_225_600_000  # 2026-01-01
DAY_MS, MINUTE_MS = 86_400_000, 60_000


class Answer(NamedTuple):
    """A question and the sessions that were found for it, best first."""

    question: dict[str, str]
    ranked: Sequence[str]

    def is_within(self, cut: int) -> bool:
        """Whether the right session is among the first so many."""
        return self.question["session"] in self.ranked[:cut]


def read_lines(path: Path) -> list[dict[str, Any]]:
    """The records of a file of JSON lines."""
    return [json.loads(line) for line in path.read_text(encoding="utf-8").splitlines()]


def store_session(memory: Memory, session: dict[str, Any], start_ms: int) -> None:
    """Put a conversation into the memory, a minute a message."""
    messages = [
        Message(role=Role(message["role"]), content=message["content"], ts_ms=start_ms + place * MINUTE_MS)
        for place, message in enumerate(session["messages"])
    ]
    memory.add_session(Session(id=session["id"], project=session["project"], started_ms=start_ms), messages)


def answer_all(data: Path, embedder: CachingEmbedder | None) -> list[Answer]:
    """Store every session into one memory and ask every question."""
    with tempfile.TemporaryDirectory() as folder, Memory.open(folder, owner="multilingual") as memory:
        for day, session in enumerate(read_lines(data / "sessions.jsonl")):
            store_session(memory, session, FIRST_DAY_MS + day * DAY_MS)
        embed(memory, embedder)
        return [
            Answer(question, [hit.session.id for hit in memory.search(question["question"], limit=MOST_HITS).hits])
            for question in read_lines(data / "questions.jsonl")
        ]


def summary(name: str, answers: Sequence[Answer]) -> str:
    """One line: how many there are, and the share of them with the right session among the first few."""
    shares = (f"any@{cut} {sum(answer.is_within(cut) for answer in answers) / len(answers):.3f}" for cut in CUTS)
    return f"{name:<16} n {len(answers):>3}  {'  '.join(shares)}"


def summaries(answers: Sequence[Answer], field: str) -> Iterable[str]:
    """A line for each value of a field of the questions."""
    for value in dict.fromkeys(answer.question[field] for answer in answers):
        yield summary(value, [answer for answer in answers if answer.question[field] == value])


def miss(answer: Answer) -> str:
    """One line about a question whose session is not among the first five."""
    asked = answer.question
    return f"{asked['id']:<8} {asked['kind']:<14} {asked['session']:<7} {asked['question']}   {answer.ranked[:5]}"


@click.command()
@click.option("--data", type=click.Path(path_type=Path, exists=True), default=DATA, show_default=True)
@with_model_options
@click.option("--misses", is_flag=True, help="List the questions whose session is not among the first five.")
@click.option("--out", type=click.Path(path_type=Path), help="Write what was found for each question.")
def main(data: Path, no_semantic: bool, model: str, cache: Path | None, misses: bool, out: Path | None) -> None:
    """Answer every question and print how many were answered, by language and by kind."""
    answers = answer_all(data, embedder_for(no_semantic, model, cache))
    lines = [summary("all questions", answers), "", *summaries(answers, "kind"), "", *summaries(answers, "language")]
    if misses:
        lines += ["", *(miss(answer) for answer in answers if not answer.is_within(5))]
    click.echo("\n".join(lines))
    if out:
        runs = ({"id": answer.question["id"], "ranked": answer.ranked} for answer in answers)
        out.write_text("".join(json.dumps(run) + "\n" for run in runs), encoding="utf-8")


if __name__ == "__main__":
    main()
