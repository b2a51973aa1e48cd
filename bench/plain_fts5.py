"""What one would write in an afternoon: parse transcripts, insert the messages, index them with plain FTS5."""

import json
from collections.abc import Iterable, Iterator
from pathlib import Path

import apsw


def messages(paths: Iterable[Path]) -> Iterator[tuple[str, str, str]]:
    """Session, role and text of every message of Claude Code transcripts."""
    for path in paths:
        with path.open(encoding="utf-8") as lines:
            for line in lines:
                record = json.loads(line)
                if record.get("type") in ("user", "assistant"):
                    content = record["message"]["content"]
                    text = (
                        content if isinstance(content, str) else "\n".join(block.get("text", "") for block in content)
                    )
                    yield record["sessionId"], record["message"]["role"], text


def load(database: Path, paths: Iterable[Path]) -> apsw.Connection:
    """Parse, insert and index, in batches of 2,000 messages a transaction."""
    connection = apsw.Connection(str(database))
    connection.execute("pragma journal_mode = wal; pragma synchronous = normal")
    connection.execute("create table m (id integer primary key, session text, role text, content text)")
    connection.execute(
        "create virtual table f using fts5 (content, content='m', content_rowid='id', tokenize='porter')"
    )
    batch: list[tuple[int, str, str, str]] = []
    for number, message in enumerate(messages(paths), 1):
        batch.append((number, *message))
        if len(batch) == 2_000:
            _write(connection, batch)
            batch = []
    _write(connection, batch)
    return connection


def _write(connection: apsw.Connection, batch: list[tuple[int, str, str, str]]) -> None:
    with connection:
        connection.executemany("insert into m values (?, ?, ?, ?)", batch)
        connection.executemany("insert into f (rowid, content) values (?, ?)", ((row[0], row[3]) for row in batch))


def search(connection: apsw.Connection, words: Iterable[str]) -> list[tuple[int, str]]:
    """The ten best messages for any of the words, by BM25, with a snippet of each."""
    expression = " OR ".join('"' + word.replace('"', '""') + '"' for word in words)
    rows = connection.execute(
        "select rowid, snippet(f, 0, '>>>', '<<<', '…', 24) from f where f match ? order by rank limit 10",
        (expression,),
    )
    return list(rows)
