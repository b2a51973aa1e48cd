"""A session of Pi in Rust, `<time>_<session>.sqlite`: the records of a log as rows, the first of them in a table apart.

Rows are only ever added, so reading goes on behind the last one; if that is another by now, all was written anew.
"""

from collections.abc import Iterator
from zlib import crc32

from noctuary.transcripts.foreign_sqlite import ForeignDatabase, json_in, open_foreign, text_in
from noctuary.transcripts.items import Item, Mark, Place, Skipped, Source
from noctuary.transcripts.jsonl import Record
from noctuary.transcripts.pi_reader import PiReader, session_in
from noctuary.transcripts.speech import sort_turn

_HEADER, _ENTRIES = "pi_session_header", "pi_session_entries"
_ROWS = f"select seq, json from {_ENTRIES} where seq >= ? and seq < ? order by seq"  # noqa: S608 (names of ours)
_END = 1 << 62


def read_database(source: Source, place: Place) -> Iterator[Item]:
    """Yield what is new in a session; OSError if it cannot be read to its end."""
    with open_foreign(source.path) as database:
        if "json" not in database.columns(_HEADER) or "seq" not in database.columns(_ENTRIES):
            yield Skipped(line=1, reason="not a session of Pi")
            return
        reader, last = _reader(source, place.state, database), place.state.get("row", "")
        if place.line and [_mark(row) for _, row in database.rows(_ROWS, place.line - 1, place.line)] != [last]:
            place, reader, last = Place(), _reader(source, {}, database), ""
        if not place.line:
            for record in _header(database):
                yield from reader.take(record, 1)
        line, rows = place.line, database.rows(_ROWS, place.line, _END)
        for seq, row in rows:
            line, record = seq + 1, json_in(row)
            if type(record) is dict:
                yield from reader.take(record, line)
            else:
                yield Skipped(line=line, reason="not a JSON object")
        last = _mark(rows[-1][1]) if rows else last
        yield Mark(place=Place(line=line, state={**reader.state(), "row": last} if last else {}))


def _reader(source: Source, state: dict[str, object], database: ForeignDatabase) -> PiReader:
    def before(end: int) -> Iterator[tuple[int, Record]]:
        yield from ((1, record) for record in _header(database))
        for seq, row in database.rows(_ROWS, 0, end - 1):
            if type(record := json_in(row)) is dict:
                yield seq + 1, record

    named = source._replace(session=session_in(source.path.name))
    return PiReader(named, state, sort_turn, before)


def _header(database: ForeignDatabase) -> list[Record]:
    """The first record of the log, which in a database has no type."""
    rows = database.rows(f"select json from {_HEADER} order by rowid limit 1")  # noqa: S608 (a name of ours)
    found = [json_in(row) for (row,) in rows]
    return [{**record, "type": "session"} for record in found if type(record) is dict]


def _mark(row: object) -> str:
    """What tells a row from another in its place."""
    text = text_in(row)
    return f"{crc32(text.encode('utf-8', 'surrogatepass')):08x}{len(text):x}"
