"""LoCoMo: which turns of a long friendship answer the question?  Writes a run file for `score_retrieval.py locomo`.

    python bench/locomo.py --data FILE --out RUN.jsonl

Each conversation is one owner's memory, each meeting a session, each turn a message that begins with its speaker.
"""

import json
import sys
import tempfile
from datetime import UTC, datetime
from pathlib import Path
from typing import Any

import click

from noctuary import Memory
from noctuary.records import Message, Role, Session

MOST_HITS = 20


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
@click.option("--no-semantic", is_flag=True, help="Words only.  There is nothing else yet.")
@click.option("--out", type=click.Path(path_type=Path), required=True)
def main(data: Path, no_semantic: bool, out: Path) -> None:  # noqa: ARG001
    """Answer every question and write the run file."""
    samples = json.loads(data.read_text(encoding="utf-8"))
    questions = [(sample, i, qa) for sample in samples for i, qa in enumerate(sample["qa"])]
    memories: dict[str, tuple[Memory, dict[tuple[str, int], str]]] = {}
    with tempfile.TemporaryDirectory() as folder, out.open("w", encoding="utf-8") as run:
        with click.progressbar(questions, label="questions", file=sys.stderr) as bar:
            for sample, i, qa in bar:
                name = sample["sample_id"]
                if name not in memories:
                    memory = Memory.open(Path(folder) / name, owner=name)
                    memories[name] = (memory, store_conversation(memory, sample["conversation"]))
                memory, turns = memories[name]
                hits = memory.search_messages(qa["question"], limit=MOST_HITS).hits
                ranked = [turns[hit.session.id, hit.anchor_id] for hit in hits]
                run.write(json.dumps({"id": f"{name}#{i}", "ranked": ranked}) + "\n")
        for memory, _ in memories.values():
            memory.close()


if __name__ == "__main__":
    main()
