"""Coding sessions: what does a dream find in them?  Writes an events file for `score_events.py`.

    python bench/extract_events.py --home FOLDER [--home FOLDER …] --out EVENTS.jsonl

The home folders are imported as a user's home is; what is found in each session is written with the lines it cites.
Beside the file it says how the CPU time of the finding compares with one read of the messages from the store.
"""

import json
import sys
import tempfile
import time
from collections.abc import Sequence
from pathlib import Path

import click

from noctuary import Memory
from noctuary.models.rules.extractor import RulesExtractor
from noctuary.models.rules.turns import readable
from noctuary.proposals import Conversation, Proposal
from noctuary.records import Message, Session
from noctuary.store.keys import MOST_MESSAGES

OWNER = "bench"


@click.command()
@click.option("--home", "homes", type=click.Path(path_type=Path, exists=True), multiple=True, required=True)
@click.option("--out", type=click.Path(path_type=Path), required=True)
def main(homes: tuple[Path, ...], out: Path) -> None:
    """Import the homes, look through every session and write what was found."""
    reading = finding = 0.0
    with tempfile.TemporaryDirectory() as folder, out.open("w", encoding="utf-8") as events:
        for home in homes:
            with Memory.open(folder, owner=OWNER, user_home=home) as memory:
                memory.import_transcripts()
        with Memory.open(folder, owner=OWNER) as memory:
            for number in memory.store.sessions.numbers(OWNER):
                session = memory.store.sessions.by_number([number])[number]
                started = time.process_time()
                messages = memory.store.messages.between(number, 1, MOST_MESSAGES)
                read = time.process_time()
                proposals = found_in(session, messages)
                finding += time.process_time() - read
                reading += read - started
                for proposal in proposals:
                    events.write(json.dumps(as_scored(session, proposal), ensure_ascii=False) + "\n")
    click.echo(f"CPU time of finding over one read: {finding / max(reading, 1e-9):.1f}", file=sys.stderr)


def found_in(session: Session, messages: Sequence[Message]) -> Sequence[Proposal]:
    """What is found in a session."""
    return RulesExtractor().extract(Conversation(session, readable(messages))).proposals


def as_scored(session: Session, proposal: Proposal) -> dict[str, object]:
    """A proposal as the scorer reads it."""
    return {
        "file": Path(session.source_path or "").name,
        "type": proposal.type.value,
        "text": proposal.text,
        "lines": [ref.line for ref in proposal.messages if ref.line is not None],
    }


if __name__ == "__main__":
    main()
