"""Coding sessions: which line of which transcript answers?  Writes a run file for `score_retrieval.py coding-sessions`.

    python bench/coding_sessions.py --home FOLDER [--home FOLDER …] --gold FOLDER --out RUN.jsonl

The home folders are imported as a user's home is; the questions come from the gold files.
"""

import json
import sys
import tempfile
from pathlib import Path

import click

from noctuary import Memory

MOST_HITS = 20


@click.command()
@click.option("--home", "homes", type=click.Path(path_type=Path, exists=True), multiple=True, required=True)
@click.option("--gold", type=click.Path(path_type=Path, exists=True), required=True)
@click.option("--no-semantic", is_flag=True, help="Words only.  There is nothing else yet.")
@click.option("--out", type=click.Path(path_type=Path), required=True)
def main(homes: tuple[Path, ...], gold: Path, no_semantic: bool, out: Path) -> None:  # noqa: ARG001
    """Import the homes, answer every question and write the run file."""
    questions = [
        (f"{path.stem}#{i}", question["question"])
        for path in sorted(gold.glob("*.json"))
        for i, question in enumerate(json.loads(path.read_text(encoding="utf-8"))["questions"])
    ]
    with tempfile.TemporaryDirectory() as folder, out.open("w", encoding="utf-8") as run:
        for home in homes:
            with Memory.open(folder, owner="bench", user_home=home) as memory:
                memory.import_transcripts()
        with (
            Memory.open(folder, owner="bench") as memory,
            click.progressbar(questions, label="questions", file=sys.stderr) as bar,
        ):
            for name, question in bar:
                hits = memory.search_messages(question, limit=MOST_HITS).hits
                ranked = [[Path(hit.session.source_path or "").name, hit.anchor.source_line] for hit in hits]
                run.write(json.dumps({"id": name, "ranked": ranked}) + "\n")


if __name__ == "__main__":
    main()
