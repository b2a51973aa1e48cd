"""Logs that must be read as a whole: what is said in them by many lines, or taken back by a later one.

They are compared with what they said before, as documents are, but read line by line.
"""

from collections.abc import Iterator
from pathlib import Path

from noctuary.transcripts.finding import open_file
from noctuary.transcripts.items import NewField, Place, Skipped
from noctuary.transcripts.jsonl import Record, read_lines

LARGEST = 500 * 1024 * 1024  # bytes; what is said in them is held in memory

Oddities = list[Skipped | NewField]


def records(path: Path, oddities: Oddities, largest: int = LARGEST) -> Iterator[tuple[int, Record]]:
    """The number and the record of every line; what is wrong with others is added to the oddities.

    ValueError if the file is too large, OSError if it cannot be read to its end.  A last line that is still being
    written is nothing yet.
    """
    with open_file(path) as file:
        if path.stat().st_size > largest:
            raise ValueError(f"larger than {largest // (1024 * 1024)} MB")
        for number, _, _, record, problem, is_complete in read_lines(file, Place()):
            if record is not None:
                yield number, record
            elif problem is not None and is_complete:
                oddities.append(Skipped(line=number, reason=problem))


def unknown(number: int, kind: str) -> Skipped:
    """A record of a type that we have not met."""
    return Skipped(line=number, reason="unknown type of record", unknown=kind[:60] or "?")
