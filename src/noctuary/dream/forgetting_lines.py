"""Lines of the journal lose the words that are to be forgotten: what dreams took from it, and the memories that end.

The lines stay, with all that they did; where their words stood is said that they were forgotten.
"""

import json
from collections.abc import Collection
from functools import partial
from typing import Any

from noctuary.dream.forgetting import Gone, Taken
from noctuary.dream.night import Night
from noctuary.ledger.rewriting import rewrite

FORGOTTEN = "(forgotten)"
REASON = "forget"
# Keys whose values are somebody's words: of entries and memories, and the title of a task that a dream proposes.
_WORDS = frozenset({"text", "quote", "why", "was", "title"})


def rewrite_lines(night: Night, gone: Gone, taken: Taken) -> int:
    """Take the words out of all lines of dreams that have them, provably; how many lines there were.

    That nobody proposes the same again was known by these words, and is by their hashes now.
    """
    said = [entry.event.text for entry in taken.entries] + [memory.text for memory in taken.ending]
    with night.store.database.transaction():
        for text in {text for text in said if text and text != FORGOTTEN}:
            night.store.tombstones.bury_said(night.owner, text, night.now_ms())
    events = {entry.event.id for entry in taken.entries} | {memory.event for memory in taken.ending}
    ending = {memory.id for memory in taken.ending}
    change = partial(_without_words, events, ending, gone)
    rewrote = [rewrite(night.ledger, project, change, REASON) for project in taken.projects]
    return sum(one.lines for one in rewrote if one)


def _without_words(events: Collection[str], ending: Collection[str], gone: Gone, line: bytes) -> bytes:
    try:
        record = json.loads(line)
        is_taken = record["event_id"] in events
    except (ValueError, TypeError, KeyError, RecursionError):
        return line
    kept = {**record}
    for key in ("text", "refs", "meta"):
        if key in kept and is_taken:
            kept[key] = FORGOTTEN if key == "text" else _blank(kept[key], lambda _: True)
    if "change" in kept:
        kept["change"] = _changed(kept["change"], ending, is_taken=is_taken)
    if record.get("author") == "dream" or (record.get("meta") or {}).get("bookkeeping"):
        kept = _blank(kept, gone.says)
    return line if kept == record else json.dumps(kept, ensure_ascii=False, separators=(",", ":")).encode()


def _changed(change: dict[str, Any], ending: Collection[str], *, is_taken: bool) -> dict[str, Any]:
    memories = [
        _blank(memory, lambda _: True) if is_taken or memory.get("id") in ending else memory
        for memory in change.get("memories", ())
    ]
    return {**change, "memories": memories} if memories else change


def _blank(value: Any, is_gone: Any, key: str = "") -> Any:
    """The value without words that are gone."""
    if isinstance(value, str):
        return FORGOTTEN if key in _WORDS and value and is_gone(value) else value
    if isinstance(value, list):
        return [_blank(item, is_gone, key) for item in value]
    if isinstance(value, dict):
        return {name: _blank(item, is_gone, name) for name, item in value.items()}
    return value
