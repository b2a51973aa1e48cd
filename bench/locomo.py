"""LoCoMo: which turns of a long friendship answer the question?  Writes a run file for `score_retrieval.py locomo`.

    python bench/locomo.py --data FILE [--no-semantic] --out RUN.jsonl

Each conversation is one owner's memory, each meeting a session, each turn a message that begins with its speaker.
Questions have no date of their own; they are asked a day after the last meeting.
"""

import json
import sys
import tempfile
from datetime import UTC, datetime
from pathlib import Path
from typing import Any

import click

from databases import open_memory, with_database
from longmemeval import AskedAt
from noctuary import Memory
from noctuary.records import Message, Role, Session
from semantic import embed, embedder_for, with_model_options

MOST_HITS = 20
DAY = 86_400_000


def store_conversation(memory: Memory, conversation: dict[str, Any]) -> dict[tuple[str, int], str]:
    """Put the meetings into the memory; which turn each message is."""
    turns: dict[tuple[str, int], str] = {}
    numbers = sorted(
        int(key.split("_")[1]) for key in conversation if key.startswith("session_") and key.count("_") == 1
    )
    for number in numbers:
        name, start = f"session_{number}", parse_date(conversation.get(f"session_{number}_date_time", ""))
        messages = [
            Message(role=Role.USER, content=render(turn), ts_ms=start + 60_000 * place)
            for place, turn in enumerate(conversation[name])
        ]
        ids = memory.add_session(Session(id=name, started_ms=start), messages)
        turns.update(
            ((name, message_id), turn["dia_id"]) for message_id, turn in zip(ids, conversation[name], strict=True)
        )
    return turns


def render(turn: dict[str, Any]) -> str:
    """The turn as text: who says it, what, and what the shared picture shows."""
    picture = f" [shares a picture: {turn['blip_caption']}]" if turn.get("blip_caption") else ""
    return f"{turn['speaker']}: {turn['text']}{picture}"


def parse_date(date: str) -> int:
    """Milliseconds of a date such as `1:56 pm on 8 May, 2023`; 0 if there is none."""
    if not date:
        return 0
    return int(datetime.strptime(date.upper(), "%I:%M %p ON %d %B, %Y").replace(tzinfo=UTC).timestamp() * 1000)


@click.command()
@click.option("--data", type=click.Path(path_type=Path, exists=True), required=True)
@with_model_options
@with_database
@click.option("--out", type=click.Path(path_type=Path), required=True)
def main(data: Path, no_semantic: bool, model: str, cache: Path | None, url: str | None, out: Path) -> None:
    """Answer every question and write the run file."""
    embedder = embedder_for(no_semantic, model, cache)
    samples = json.loads(data.read_text(encoding="utf-8"))
    with tempfile.TemporaryDirectory() as folder, out.open("w", encoding="utf-8") as run:
        for sample in samples:
            name, clock = sample["sample_id"], AskedAt()
            with open_memory(Path(folder) / name, url, owner=name, clock=clock) as memory:
                turns = store_conversation(memory, sample["conversation"])
                clock.time = max(session.last_ms or 0 for session in memory.sessions(limit=1_000)) + DAY
                embed(memory, embedder)
                with click.progressbar(list(enumerate(sample["qa"])), label=name, file=sys.stderr) as bar:
                    for i, qa in bar:
                        hits = memory.search_messages(qa["question"], limit=MOST_HITS).hits
                        ranked = [turns[hit.session.id, hit.anchor_id] for hit in hits]
                        run.write(json.dumps({"id": f"{name}#{i}", "ranked": ranked}) + "\n")
    if embedder:
        embedder.save()


if __name__ == "__main__":
    main()
