"""What tests write to a ledger, and all that can be read from it."""

from collections.abc import Mapping
from typing import Any

from noctuary.authored import Event, EventStatus, EventType
from noctuary.journal.contract import BEGINNING
from noctuary.ledger.ledger import Ledger, entry_from
from noctuary.ledger.table_journal import TableJournal
from noctuary.store.database import Row
from noctuary.text import searchable

PROJECT = "/home/ana/code/shop"
TASK = "t-000000task"


def opening(node: str = TASK, *, project: str = PROJECT, **fields: Any) -> Event:
    """A task is opened."""
    made = {"id": node, "type": "task", "title": f"Title of {node}", "status": "pending", **fields}
    return Event(EventType.OPEN, f"Open {node}", project=project, node=node, change={"nodes": [made]})


def saying(text: str, kind: EventType = EventType.DECISION, *, node: str | None = TASK, **fields: Any) -> Event:
    """Something is said about a task."""
    return Event(kind, text, **{"project": PROJECT, "node": node, **fields})


def setting(node: str = TASK, *, project: str = PROJECT, ts_ms: int = 0, **fields: Any) -> Event:
    """Fields of a node are set."""
    return Event(EventType.AMEND, project=project, node=node, ts_ms=ts_ms, change={"set": {node: fields}})


def linking(kind: str, start: str, end: str, *, part: str = "edges", **more: Any) -> Event:
    """An edge is made, or taken away."""
    edge = {"type": kind, "from": start, "to": end, **more}
    return Event(EventType.LINK, project=PROJECT, change={part: [edge]})


def written(ledger: Ledger, project: str = PROJECT) -> bytes:
    """All lines of a journal."""
    return b"".join(line.content + b"\n" for line in ledger.journal(project).read())


def overwrite(ledger: Ledger, content: bytes, project: str = PROJECT) -> None:
    """Let a journal have other lines, behind the ledger's back; none, and it is gone."""
    journal = ledger.journal(project)
    if isinstance(journal, TableJournal):
        journal.lines.remove(ledger.owner, project)
        journal.append(content, BEGINNING)
    elif content:
        journal.path.parent.mkdir(parents=True, exist_ok=True)
        journal.path.write_bytes(content)
    else:
        journal.path.unlink()


def texts(ledger: Ledger, node: str = TASK) -> list[str]:
    """What is shown of a node, the newest first; what is only suggested with a question mark."""
    entries = [entry_from(row) for row in ledger.store.events.of_node(ledger.owner, node)]
    said = [entry for entry in entries if entry.event.text]
    return [entry.event.text + ("?" if entry.status is EventStatus.SUGGESTED else "") for entry in said]


def found(ledger: Ledger, word: str) -> list[str]:
    """What a search for a word finds among events."""
    rows = ledger.store.events.matching(ledger.owner, searchable(f'"{word}"'))
    return sorted(entry_from(row).event.text for row in rows)


def everything(ledger: Ledger, words: tuple[str, ...] = ()) -> Mapping[str, object]:
    """All that queries can show, of all projects and of search."""
    dumps: dict[str, dict[str, list[Row]]] = {
        project: ledger.store.journals.dump(ledger.owner, project) for project in ledger.projects()
    }
    titles = {word: [n.id for n in ledger.store.nodes.matching(ledger.owner, f'"{word}"')] for word in words}
    return {"dumps": dumps, "found": {word: found(ledger, word) for word in words}, "titles": titles}
