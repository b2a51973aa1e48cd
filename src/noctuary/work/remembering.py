"""Memories, as people and agents make them: remembered, listed, retired."""

from typing import Any

from noctuary.authored import NO_REFS, EventStatus, EventType, Refs, Trust
from noctuary.errors import BadChange, BadInput, NotFound
from noctuary.store.memories import EVERY_PROJECT, MemoryKind, MemoryStatus, Remembered, holds_everywhere, is_of_user
from noctuary.weighing import weight
from noctuary.work.citing import cite
from noctuary.work.desk import Desk
from noctuary.work.notes import checked_confidence, needed_words
from noctuary.work.superseding import check_speaker
from noctuary.work.wording import only_one, words_of

_HOLDING = (MemoryStatus.ACTIVE, MemoryStatus.PROPOSED)


def remember(
    desk: Desk,
    text: str,
    *,
    kind: str = "fact",
    topic: str = "",
    everywhere: bool = False,
    pinned: bool = False,
    refs: Refs = NO_REFS,
    suggested: bool = False,
    confidence: float | None = None,
) -> Remembered:
    """Keep a sentence, for this project or everywhere; one that is kept already is given back as it is."""
    if kind not in set(MemoryKind):
        raise BadInput(f"{kind!r} is no kind of memory; say {', '.join(MemoryKind)}.")
    words = needed_words(text)
    sureness = checked_confidence(confidence)
    facts = {
        "topic": words_of(topic, "topic"),
        "pinned": pinned,
        "trust": str(desk.writer.trust),
        "confidence": sureness,
    }
    with desk.writing(EVERY_PROJECT if everywhere else None) as write:
        project = EVERY_PROJECT if everywhere else desk.project
        if known := _kept_already(desk, words, project):
            return known
        cited = cite(desk, refs)
        name = desk.unused_id("m", desk.store.memories.find)
        status = MemoryStatus.PROPOSED if suggested else MemoryStatus.ACTIVE
        given = {key: value for key, value in facts.items() if value not in ("", None, False)}
        is_users, last_ms = desk.writer.trust is Trust.USER, cited.ts_ms or desk.clock.now_ms()
        heavy = weight(kind, desk.writer.trust, approved=is_users, confidence=sureness, last_ms=last_ms)
        memory = {"id": name, "kind": kind, "text": words, "status": str(status), "weight": heavy, **given}
        write(
            EventType.REMEMBER,
            words,
            change={"memories": [memory]},
            refs=cited.refs,
            status=EventStatus.SUGGESTED if suggested else EventStatus.CONFIRMED,
            confidence=sureness,
            ts_ms=cited.ts_ms,
        )
    return find_memory(desk, name)


def approval(memory: Remembered) -> dict[str, Any]:
    """What a user's yes makes of a memory: it may be shown as a rule, counts more, and nothing speaks against it."""
    facts = memory.facts
    support, confidence, last_ms = (facts.get(key) for key in ("support", "confidence", "last_ms"))
    heavy = weight(
        memory.kind,
        str(facts.get("trust", "")),
        approved=True,
        confidence=confidence if isinstance(confidence, (int, float)) else None,
        support=support if isinstance(support, int) else 1,
        last_ms=last_ms if isinstance(last_ms, int) else memory.recorded_ms,
    )
    vouched = {"verified": "unknown", "why": None, "vouched": True} if facts.get("verified") == "stale" else {}
    settled: dict[str, Any] = {"disputed": []} if facts.get("disputed") else {}
    return {"approved": True, "weight": heavy, **settled, **vouched}


def said_again(desk: Desk, memory: Remembered, kind: str = "fact") -> Remembered:
    """What becomes of a memory when it is told once more: if a user tells it, it is the user's, and it holds."""
    if desk.writer.trust is not Trust.USER or (is_of_user(memory) and memory.status is MemoryStatus.ACTIVE):
        return memory
    approved = {"id": memory.id, "status": str(MemoryStatus.ACTIVE), **approval(memory)}
    approved |= {"kind": kind} if kind != MemoryKind.FACT else {}  # which is meant if none is named
    with desk.writing(memory.project) as write:
        write(EventType.AMEND, change={"memories": [approved]}, meta={"bookkeeping": True})
    return find_memory(desk, memory.id)


def retire(desk: Desk, name: str, reason: str = "") -> Remembered:
    """Say that a memory holds no longer; it stays in the journal.  NotAllowed if an agent says so of the user's."""
    words = words_of(reason, "reason")
    with desk.writing(find_memory(desk, name).project) as write:
        memory = find_memory(desk, name)
        check_speaker(desk, memory)
        if memory.status not in _HOLDING:
            raise BadChange(f"{memory.id} is {memory.status} already.")
        change = {"memories": [{"id": memory.id, "status": str(MemoryStatus.ARCHIVED)}]}
        write(EventType.RETIRE, words, change=change, supersedes=memory.event)
    return find_memory(desk, name)


def find_memory(desk: Desk, name: str) -> Remembered:
    """The memory with this id, or the only one here whose id begins so; NotFound if there is none."""
    if found := desk.store.memories.find(desk.owner, name):
        return found
    known = desk.store.memories.where(desk.owner, project=desk.project, statuses=None, most=1_000_000)
    beginning = {one.id: one for one in known if name and one.id.startswith(name)}
    full = only_one([*beginning], name, "memory", NotFound)
    if full is None:
        raise NotFound(f"There is no memory {name!r}; `noctuary memory list` shows ids.")
    return beginning[full]


def list_memories(desk: Desk, *, held_only: bool = True, everywhere: bool = False) -> list[Remembered]:
    """Memories of the project and those for all, or of every project; with `held_only` those that still hold."""
    project, statuses = None if everywhere else desk.project, _HOLDING if held_only else None
    found = desk.store.memories.where(desk.owner, project=project, statuses=statuses, most=1_000_000)
    return [one for one in found if everywhere or one.project == desk.project or holds_everywhere(one)]


def _kept_already(desk: Desk, words: str, project: str) -> Remembered | None:
    said = " ".join(words.split()).casefold()
    held = desk.store.memories.where(desk.owner, project=project, statuses=_HOLDING, most=1_000_000)
    same = (one for one in held if one.project == project and " ".join(one.text.split()).casefold() == said)
    return next(same, None)
