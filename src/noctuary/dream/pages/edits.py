"""What somebody changed by hand in a block of ours is that person's word, and becomes a memory.

A block is compared with what we wrote there: another wording takes the place of the memory it had, a line without id is
a new memory, a line that was taken out is archived, and `(pinned)` behind a line pins it.  Each edit is one event.  If
a block lost its end or all of its lines, or if nobody knows any more what we wrote, nothing is taken for taken out:
that is rather an accident.
"""

from collections.abc import Iterator, Mapping, Sequence
from pathlib import Path
from typing import Any, NamedTuple

from noctuary.authored import Author, EventSource, EventType, Refs, Trust
from noctuary.dream.night import Night
from noctuary.dream.pages.layout import DECISIONS, EVERYWHERE, RULES
from noctuary.dream.pages.lines import PINNED, REJECTED, Shown, ids_in, shown_in, shown_text
from noctuary.dream.pages.mirror_block import shortened
from noctuary.dream.pages.parsing import Item, items_in
from noctuary.dream.pages.pinning import TOO_MUCH, may_pin, set_pin
from noctuary.dream.pages.places import PAGE, mirror_paths, page_path
from noctuary.dreams import ChangeKind, MemoryChange
from noctuary.memory_file import Page, block_digest, read_page
from noctuary.redact import redact
from noctuary.store.memories import EVERY_PROJECT, MemoryKind, MemoryStatus, Remembered
from noctuary.text import clean
from noctuary.weighing import weight
from noctuary.work.desk import Desk, Writer
from noctuary.work.remembering import approval, remember, retire

HAND = Writer(author=Author.USER, source=EventSource.MANUAL, trust=Trust.USER)
STRANGER = Writer(author=Author.DREAM, source=EventSource.IMPORT, trust=Trust.IMPORT)
_KINDS = {RULES: MemoryKind.CONSTRAINT, DECISIONS: MemoryKind.DECISION}
_HOLDING = (MemoryStatus.ACTIVE, MemoryStatus.PROPOSED)
_AN_ACCIDENT = 5  # lines that are gone all at once
_KEPT_FACTS = ("topic", "pinned", "weight", "files", "commits")
_LONGEST_CHAIN = 100
_LONGEST_TOPIC = 40


class _Edits(NamedTuple):
    """What changed in a block."""

    reworded: Sequence[tuple[str, Item]]
    added: Sequence[Item]
    removed: Sequence[str]
    pinned: Mapping[str, bool]  # what is to be shown always, and what no longer


def take_in_edits(night: Night, project: str, folder: Path | None = None) -> list[MemoryChange]:
    """Take in what was edited by hand on the page of a project, and in the files of its folder that mirror it."""
    changes = _take_in(night, project, page_path(night.home, night.owner, project), is_mirror=False)
    for path in mirror_paths(folder, night.settings.mirror) if folder is not None else ():
        changes += _take_in(night, project, path, is_mirror=True)
    return changes


def take_in_topic_edits(night: Night, project: str, topic: str, page: Page) -> list[MemoryChange]:
    """Take in what was edited by hand in the file of a topic; a line that was taken out there stays a memory."""
    items = [item for item in items_in(page.block or "") if item.text != shown_text(topic)]
    with night.ledger.writing(project):
        return _carried_out(night, project, _compared(items, {}, is_sure=False), topic)


def _take_in(night: Night, project: str, path: Path, *, is_mirror: bool) -> list[MemoryChange]:
    page = read_page(path)
    pages, owner = night.store.pages, night.owner
    if not page.is_edited or page.block is None:
        return []
    content = block_digest(f"{path.name}\n{page.digest}\n{page.block}")
    if pages.is_taken(owner, project, content):
        return []
    generations = (generation.body for generation in pages.generations(owner, project))
    bodies = map(shortened, generations) if is_mirror else generations
    base = next((body for body in bodies if block_digest(body) == page.digest), None)
    items = items_in(page.block)
    edits = _compared(items, ids_in(base or ""), is_sure=base is not None and page.is_whole)
    with night.ledger.writing(project):
        if is_mirror and base is None:
            changes = _suggested(night, project, edits)
        else:
            changes = _carried_out(night, project, edits)
        pages.mark_taken(owner, project, content)
        pages.mark_due(owner, project)
    return changes


def _compared(items: Sequence[Item], lines: dict[str, str], *, is_sure: bool) -> _Edits:
    """What differs from the lines that we wrote; with `is_sure` also what is gone."""
    shown = {name: shown_in(line.removeprefix("- ")) for name, line in lines.items()}
    written = {name: one.text for name, one in shown.items()}
    items = [_without_pin(item, written) for item in items]
    by_text = {text: name for name, text in written.items()}
    present = {item.id for item in items} | {by_text[item.text] for item in items if item.text in by_text}
    unchanged = {item.id for item in items if item.id and written.get(item.id) == item.text}
    reworded: dict[str, Item] = {}
    added: list[Item] = []
    for item in items:
        if item.id in unchanged or not item.id:
            if item.text not in by_text:
                added.append(item)
        elif item.id not in reworded and item.text not in by_text:
            reworded[item.id] = item
        elif item.text not in by_text:
            added.append(item)
    is_accident = len(written) >= _AN_ACCIDENT and not items
    removed = [] if is_accident or not is_sure else [name for name in written if name not in present]
    return _Edits(list(reworded.items()), added, removed, _pins(items, shown, by_text))


def _without_pin(item: Item, written: Mapping[str, str]) -> Item:
    """The item; if somebody typed that it is pinned before its day, that is a note and none of its words."""
    text = item.text.removesuffix(f"({PINNED})").rstrip()
    is_noted = text != item.text and text == written.get(item.id)
    return item._replace(text=text, notes=item.notes | {PINNED}) if is_noted else item


def _pins(items: Sequence[Item], shown: Mapping[str, Shown], by_text: Mapping[str, str]) -> dict[str, bool]:
    """The memories whose lines say otherwise than ours whether they are pinned; of several lines one is enough."""
    pins: dict[str, bool] = {}
    for item in items:
        if name := item.id or by_text.get(item.text, ""):
            pins[name] = pins.get(name, False) or PINNED in item.notes
    notes = {name: one.notes for name, one in shown.items()}
    return {name: pin for name, pin in pins.items() if pin is not (PINNED in notes.get(name, ()))}


def _suggested(night: Night, project: str, edits: _Edits) -> list[MemoryChange]:
    """What a block says that we did not write: it came with the repository, so nobody has vouched for it.

    Its lines are proposals of somebody unknown; what is known already stays as it is.
    """
    items = [*(item for _, item in edits.reworded), *edits.added]
    desk, changes = night.desk(project, STRANGER), []
    for words in dict.fromkeys(filter(None, (_said(item.text) for item in items))):
        last = night.ledger.place(project).last_id
        memory = remember(desk, words, suggested=True)
        if memory.event > last:
            why = "stands in a file of the project that somebody else wrote"
            changes.append(MemoryChange(ChangeKind.PROPOSED, memory.id, memory.text, why, project))
    return changes


def _carried_out(night: Night, project: str, edits: _Edits, topic: str = "") -> list[MemoryChange]:
    """Write down the edits; what is said twice is one change."""
    return list({change.memory: change for change in _changes(night, project, edits, topic)}.values())


def _changes(night: Night, project: str, edits: _Edits, topic: str) -> Iterator[MemoryChange]:
    for name, item in edits.reworded:
        memory = night.store.memories.find(night.owner, name)
        if memory is None:
            yield from _added(night, project, item, topic)
        else:
            yield from _reworded(night, memory, item)
    for item in edits.added:
        yield from _added(night, project, item, topic)
    for name, is_pinned in edits.pinned.items():
        if (memory := night.store.memories.find(night.owner, name)) is not None:
            yield from _pinned(night, memory, is_pinned=is_pinned)
    for name in edits.removed:
        memory = night.store.memories.find(night.owner, name)
        if memory is not None and memory.status in _HOLDING:
            desk = night.desk(memory.project, HAND)
            retire(desk, name, f"Removed by hand from {PAGE}.")
            yield MemoryChange(ChangeKind.REMOVED, name, memory.text, f"removed by hand from {PAGE}", memory.project)


def _added(night: Night, project: str, item: Item, topic: str) -> Iterator[MemoryChange]:
    words = _said(item.text)
    if not words or words == "…":
        return
    desk = night.desk(EVERY_PROJECT if item.section == EVERYWHERE else project, HAND)
    kind = _KINDS.get(item.section, MemoryKind.FACT)
    about = topic or (item.heading if len(item.heading) <= _LONGEST_TOPIC else "")
    last = night.ledger.place(desk.project).last_id
    memory = remember(desk, words, kind=kind, topic=about, pinned=PINNED in item.notes)
    if memory.status is MemoryStatus.PROPOSED:  # whoever types it approves it
        fields = {"id": memory.id, "status": str(MemoryStatus.ACTIVE), **approval(memory)}
        with desk.writing() as write:
            write(EventType.AMEND, change={"memories": [fields]}, meta={"bookkeeping": True})
    elif memory.event <= last:
        if PINNED in item.notes:
            yield from _pinned(night, memory, is_pinned=True)
        return
    yield MemoryChange(ChangeKind.EDITED, memory.id, memory.text, f"added by hand to {PAGE}", desk.project)


def _pinned(night: Night, memory: Remembered, *, is_pinned: bool) -> Iterator[MemoryChange]:
    """Pin a memory, or what took its place, or unpin it; nothing if it is so."""
    latest = _latest(night, memory)
    if latest.status not in _HOLDING or bool(latest.facts.get("pinned")) is is_pinned:
        return
    why = f"{'pinned' if is_pinned else 'unpinned'} by hand in {PAGE}"
    if is_pinned and not may_pin(night, latest.project, latest):
        why = f"not pinned. {TOO_MUCH}"
    else:
        set_pin(night.desk(latest.project, HAND), latest, is_pinned=is_pinned)
    yield MemoryChange(ChangeKind.EDITED, latest.id, latest.text, why, latest.project)


def _reworded(night: Night, memory: Remembered, item: Item) -> Iterator[MemoryChange]:
    """Let the new words take the place of the memory; nothing if they are what it says, or what took its place says."""
    words = _whole(memory, item.text)
    latest = _latest(night, memory)
    if not words or _is_same(words, latest.text) or _is_same(words, memory.text):
        return
    if latest.status not in _HOLDING:  # it holds no longer, but these words do
        yield from _added(night, memory.project, item._replace(text=words), "")
        return
    desk = night.desk(memory.project, HAND)
    name = say_anew(desk, latest, words)
    yield MemoryChange(ChangeKind.EDITED, name, words, f"reworded by hand in {PAGE}", memory.project)


def say_anew(desk: Desk, old: Remembered, words: str) -> str:
    """Let other words of a user take the place of a memory; the id of the memory that says them."""
    with desk.writing(old.project) as write:
        name = desk.unused_id("m", desk.store.memories.find)
        now_ms = desk.clock.now_ms()
        kept = {key: old.facts[key] for key in _KEPT_FACTS if key in old.facts}
        own_weight = weight(old.kind, Trust.USER, last_ms=now_ms)
        new: dict[str, Any] = {
            "id": name,
            "kind": str(old.kind),
            "text": words,
            "status": str(MemoryStatus.ACTIVE),
            **kept,
            "trust": str(Trust.USER),
            "support": 1,
            "weight": max(own_weight, float(kept.get("weight") or 0.0)),
            "valid_from": now_ms,
        }
        ended = {
            "id": old.id,
            "status": str(MemoryStatus.SUPERSEDED),
            "superseded_by": name,
            "valid_to": now_ms,
        }
        refs = Refs(events=(old.event,)) if old.event else Refs()
        change = {"memories": [new, ended]}
        write(EventType.REMEMBER, words, change=change, refs=refs, supersedes=old.event or None)
    return name


def _whole(memory: Remembered, text: str) -> str:
    """The words of an edited line, with the rest of the memory if the line had no room for it and still says so."""
    full = shown_text(memory.text)
    words = text.removeprefix(REJECTED) if not full.startswith(REJECTED) else text
    if "…" in words and "…" not in full:
        told, *others = (part.strip() for part in words.split("…"))
        for part in others:
            told = " ".join(filter(None, (told, _left_out(full, told, part), part)))
        words = told
    return _said(words)


def _left_out(full: str, before: str, after: str) -> str:
    """What of the full text stands between the two, found by the last words of one and the first of the other."""
    told, follows = before.split(), after.split()
    ends = (_place(full, told[-count:], is_end=True) for count in range(min(8, len(told)), 1, -1))
    starts = (_place(full, follows[:count]) for count in range(min(8, len(follows)), 1, -1))
    start = next((place for place in ends if place >= 0), -1 if told else 0)
    end = next((place for place in starts if place >= 0), -1 if follows else len(full))
    return full[start:end].strip() if 0 <= start <= end else ""


def _place(full: str, words: list[str], *, is_end: bool = False) -> int:
    told = " ".join(words)
    at = full.find(told)
    return at + len(told) if at >= 0 and is_end else at


def _latest(night: Night, memory: Remembered) -> Remembered:
    """What took the place of a memory in the end."""
    for _ in range(_LONGEST_CHAIN):
        successor = night.store.memories.find(night.owner, memory.superseded_by) if memory.superseded_by else None
        if successor is None:
            break
        memory = successor
    return memory


def _said(text: str) -> str:
    """What the ledger will make of the words, so that the same edit is known again."""
    return redact(clean(text)).strip()


def _is_same(one: str, other: str) -> bool:
    return shown_text(one).casefold() == shown_text(other).casefold()
