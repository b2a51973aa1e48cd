"""Coding sessions: which line of which transcript answers?  Writes a run file for `score_retrieval.py coding-sessions`.

    python bench/coding_sessions.py --home FOLDER [--home …] --gold FOLDER [--dream] [--no-semantic] --out RUN.jsonl

The home folders are imported as a user's home is; the questions come from the gold files.  With `--dream` a dream by
rules reads the sessions before they are searched.
"""

import json
import sys
import tempfile
from pathlib import Path

import click

from databases import open_memory, with_database
from semantic import embed, embedder_for, with_model_options

MOST_HITS = 20


@click.command()
@click.option("--home", "homes", type=click.Path(path_type=Path, exists=True), multiple=True, required=True)
@click.option("--gold", type=click.Path(path_type=Path, exists=True), required=True)
@click.option("--dream", "is_dreamt", is_flag=True, help="Dream before searching.")
@with_model_options
@with_database
@click.option("--out", type=click.Path(path_type=Path), required=True)
def main(
    homes: tuple[Path, ...],
    gold: Path,
    is_dreamt: bool,
    no_semantic: bool,
    model: str,
    cache: Path | None,
    url: str | None,
    out: Path,
) -> None:
    """Import the homes, answer every question and write the run file."""
    embedder = embedder_for(no_semantic, model, cache)
    questions = [
        (f"{path.stem}#{i}", question["question"])
        for path in sorted(gold.glob("*.json"))
        for i, question in enumerate(json.loads(path.read_text(encoding="utf-8"))["questions"])
    ]
    with tempfile.TemporaryDirectory() as folder, out.open("w", encoding="utf-8") as run:
        for home in homes:
            with open_memory(Path(folder), url, user_home=home) as memory:
                memory.import_transcripts()
        with (
            open_memory(Path(folder), url) as memory,
            click.progressbar(questions, label="questions", file=sys.stderr) as bar,
        ):
            if is_dreamt:
                memory.dream()
            embed(memory, embedder)
            for name, question in bar:
                hits = memory.search_messages(question, limit=MOST_HITS).hits
                ranked = [[Path(hit.session.source_path or "").name, hit.anchor.source_line] for hit in hits]
                run.write(json.dumps({"id": name, "ranked": ranked}) + "\n")
    if embedder:
        embedder.save()


if __name__ == "__main__":
    main()
