"""Sessions of the first Codex, `rollout-<day>-<session>.json`: a document of the same items as later stand on lines."""

from collections.abc import Iterator
from typing import Any

from noctuary.transcripts.codex_records import RESPONSE_ITEMS, SILENT_ITEMS
from noctuary.transcripts.documents import Entry, Talk, load_document, read_document, with_tool_names
from noctuary.transcripts.fields import dict_of, list_of, text_of, time_ms
from noctuary.transcripts.items import Facts, Item, NewField, Place, Skipped, Source
from noctuary.transcripts.unfamiliar import names, new_fields

_DOCUMENT = names("session items")
_SESSION = names("id timestamp instructions cwd model git version user provider")
Oddities = list[Skipped | NewField]


def read_legacy(source: Source, place: Place) -> Iterator[Item]:
    """Yield what is new in the session."""
    return read_document(place, lambda: [_talk(source)])


def _talk(source: Source) -> Talk:
    document = load_document(source.path)
    if type(document) is not dict or type(document.get("items")) is not list:
        raise ValueError("not a session of Codex")
    about = dict_of(document, "session")
    oddities: Oddities = [*new_fields("document", document, _DOCUMENT), *new_fields("session", about, _SESSION)]
    told = [_entry(item, number, oddities) for number, item in enumerate(list_of(document, "items"), 1)]
    facts = Facts(
        session=text_of(about, "id") or source.session,
        cwd=text_of(about, "cwd") or None,
        branch=text_of(dict_of(about, "git"), "branch") or None,
        model=text_of(about, "model") or None,
        title=source.title,
    )
    entries = with_tool_names([entry for entry in told if entry is not None])
    return Talk(facts, entries, oddities, started_ms=time_ms(about.get("timestamp")))


def _entry(item: Any, number: int, oddities: Oddities) -> Entry | None:
    if type(item) is not dict:
        oddities.append(Skipped(line=number, reason="not a JSON object"))
        return None
    kind = text_of(item, "type") or ("message" if "role" in item else "?")
    read = RESPONSE_ITEMS.get(kind)
    if read is None and kind not in SILENT_ITEMS:
        oddities.append(Skipped(line=number, reason="unknown type of item", unknown=f"item/{kind}"[:60]))
    drafts = read(item) if read else []
    return Entry(str(number), drafts, time_ms(item.get("timestamp")), number) if drafts else None
