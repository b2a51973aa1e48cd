"""Memories for the tests of pages, made by events as a dream makes them, and pages as somebody edits them."""

from pathlib import Path
from typing import Any

from noctuary.authored import Author, Event, EventSource, EventType
from noctuary.dream.night import Night
from noctuary.dream.pages.places import page_path
from noctuary.store.memories import Remembered
from tests.unit.dream.nights import PROJECT

DAY_MS = 1_772_064_000_000  # 2026-02-26


def make(night: Night, name: str, text: str, *, project: str = PROJECT, kind: str = "fact", **facts: Any) -> Remembered:
    """A memory that holds, unless its facts say otherwise."""
    said_as = facts.pop("said_as", EventType.FINDING)
    known = {"valid_from": DAY_MS, "trust": "agent", "weight": 1.0, "topic": "general", **facts}
    memory = {"id": f"m-{name}", "kind": kind, "text": text, "status": "active", **known}
    source = EventSource.DREAM
    night.ledger.record(
        Event(said_as, text, project=project, author=Author.DREAM, source=source, change={"memories": [memory]})
    )
    return found(night, f"m-{name}")


def change(night: Night, name: str, *, project: str = PROJECT, **fields: Any) -> None:
    """Something else is known of a memory."""
    event = Event(EventType.STATUS, project=project, change={"memories": [{"id": f"m-{name}", **fields}]})
    night.ledger.record(event._replace(meta={"bookkeeping": True}))


def found(night: Night, name: str) -> Remembered:
    memory = night.store.memories.find(night.owner, name)
    assert memory is not None
    return memory


def page_file(night: Night, project: str = PROJECT) -> Path:
    return page_path(night.home, night.owner, project)


def text_of(night: Night, project: str = PROJECT) -> str:
    return page_file(night, project).read_text(encoding="utf-8")


def items(night: Night, project: str = PROJECT) -> list[str]:
    """The lines of a page that show memories."""
    return [line for line in text_of(night, project).split("\n") if line.startswith("- ")]


def edit(night: Night, old: str, new: str, project: str = PROJECT) -> None:
    """Somebody edits the page."""
    text = text_of(night, project)
    assert old in text
    page_file(night, project).write_text(text.replace(old, new), encoding="utf-8")
