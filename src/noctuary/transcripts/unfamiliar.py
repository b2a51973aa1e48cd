"""Notice what a format has that it did not have: the first sign that an agent has changed how it writes."""

from collections.abc import Mapping, Sequence

from noctuary.transcripts.items import NewField

MOST = 20  # new fields of one record that are told: some records are maps with names of their own


def new_fields(kind: str, record: Mapping[str, object], known: frozenset[str], line: int = 1) -> Sequence[NewField]:
    """The fields of a record that are not among those we know, by the kind of the record."""
    if known.issuperset(record):  # half the time of comparing the keys
        return ()
    found = [name for name in record if name not in known]  # there are few, so that this takes less than two sets
    return [tuple.__new__(NewField, (line, f"{kind}.{name[:60]}")) for name in sorted(found)[:MOST]]


def names(*rows: str) -> frozenset[str]:
    """Names that are written in rows, with spaces between."""
    return frozenset(name for row in rows for name in row.split())
