"""MemPalace: its drawers, from the ChromaDB file `chroma.sqlite3` of a palace (`~/.mempalace/palace`).

Of its public source `exporter.py` was read, and of `miner.py` and `mcp_server.py` excerpts: drawers are documents of
the collection `mempalace_drawers`, with wing, room, source_file, chunk_index, filed_at (local time, no zone) and
added_by; closets, an index over them, are a collection of their own, and `_registry` is a room of its own books.  The
tables of ChromaDB are those that other programs read and have in their tests: embeddings (id, segment_id,
embedding_id), embedding_metadata (id, key, string_value, int_value, float_value, bool_value) with the text under
`chroma:document`, segments (scope METADATA) and collections.  No palace of a real user was seen.  Those on other
backends (Qdrant, Milvus, pgvector …) are not read.

A drawer is a piece of a file or of a conversation, word for word: those of one source become one session.  What was
mined is nobody's word, as what a tool prints is; what an agent filed is that agent's.
"""

from collections.abc import Iterator
from pathlib import Path, PurePath
from typing import NamedTuple

from noctuary.records import BROUGHT, TitleSource
from noctuary.switching.brought import Brought, ProjectOf
from noctuary.switching.reading import Row, database_of, file_at, short, text, when
from noctuary.switching.tools import Tool
from noctuary.transcripts.documents import Entry, Talk
from noctuary.transcripts.drafts import ASSISTANT, TEXT, TOOL, TOOL_RESULT, Draft
from noctuary.transcripts.foreign_sqlite import ForeignDatabase
from noctuary.transcripts.items import Facts

NAME = Tool.MEMPALACE
FILE = "chroma.sqlite3"
_DOCUMENT = "chroma:document"
_MINERS = ("mempalace", "miner", "")
_ROWS = """
select e.id, e.embedding_id, c.name, m.key, coalesce(m.string_value, m.int_value, m.float_value)
from embeddings e
join segments s on s.id = e.segment_id
join collections c on c.id = s.collection
join embedding_metadata m on m.id = e.id
order by e.id
"""


class Drawer(NamedTuple):
    """One document, with what is said of it."""

    key: str
    collection: str
    row: Row

    @property
    def content(self) -> str:
        """Its words."""
        return text(self.row, _DOCUMENT)


def read_mempalace(path: Path, project_of: ProjectOf) -> Brought:
    """Every drawer of a palace."""
    file = file_at(path, FILE, f"palace/{FILE}")
    brought = Brought(file)
    sources: dict[tuple[str, str, str], list[Drawer]] = {}
    with database_of(NAME, file, "embeddings", "embedding_metadata", "segments", "collections") as database:
        for drawer in _drawers(database):
            if why := _why_not(drawer):
                brought.left_out[why] += 1
            else:
                row = drawer.row
                sources.setdefault((text(row, "wing"), text(row, "room"), text(row, "source_file")), []).append(drawer)
    if (file.parent / "knowledge_graph.sqlite3").exists():
        brought.left_out["its knowledge graph, which is derived from drawers"] += 1
    brought.talks += [_talk(source, drawers, project_of) for source, drawers in sources.items()]
    return brought


def _drawers(database: ForeignDatabase) -> Iterator[Drawer]:
    found: dict[int, Drawer] = {}
    for number, key, collection, name, value in database.rows(_ROWS):
        drawer = found.setdefault(number, Drawer(str(key), str(collection), {}))
        drawer.row[str(name)] = value
    yield from found.values()


def _why_not(drawer: Drawer) -> str:
    if drawer.collection.endswith("closets"):
        return "closets, which are an index of drawers"
    if text(drawer.row, "room") == "_registry":
        return "entries of its own books"
    if not text(drawer.row, "wing"):
        return "documents that are no drawers"
    return "" if drawer.content else "empty drawers"


def _talk(source: tuple[str, str, str], drawers: list[Drawer], project_of: ProjectOf) -> Talk:
    wing, room, file = source
    ordered = sorted(drawers, key=_order)
    entries = [
        Entry(drawer.key, [_draft(drawer)], when(drawer.row, "filed_at", "date"), line)
        for line, drawer in enumerate(ordered, 1)
    ]
    place = PurePath(file).name if file else ""
    facts = Facts(
        session=f"{NAME}-{short(*source)}",
        project=project_of(wing.removeprefix("wing_")),
        source=BROUGHT,
        title=" / ".join(part for part in (wing, room, place) if part),
        title_source=TitleSource.GIVEN,
    )
    return Talk(facts, entries)


def _order(drawer: Drawer) -> tuple[int, int, str]:
    place = drawer.row.get("chunk_index")
    return (place if isinstance(place, int) else 0, when(drawer.row, "filed_at"), drawer.key)


def _draft(drawer: Drawer) -> Draft:
    if text(drawer.row, "added_by") in _MINERS:
        return Draft(TOOL, TOOL_RESULT, None, drawer.content, str(NAME))
    return Draft(ASSISTANT, TEXT, None, drawer.content)
