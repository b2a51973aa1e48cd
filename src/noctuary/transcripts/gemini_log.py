"""The log of changes that Gemini CLI keeps of a chat: what has become of the chat by its end.

A line is a message, new or once more, or a change: `$rewindTo` takes a message and all after it away, `$patch` changes,
removes and moves some, `$set` changes what is known of the chat.  Messages in a `$set` are what the model is shown from
then on, after a compression say.  They take nothing back of what was said, so only what is new in them is added.
"""

from typing import Any

from noctuary.transcripts.drafts import new
from noctuary.transcripts.fields import dict_of, list_of, text_of
from noctuary.transcripts.gemini_chat import Kept
from noctuary.transcripts.genai_parts import all_text
from noctuary.transcripts.items import Skipped
from noctuary.transcripts.jsonl import Record

_Words = tuple[str, str]  # who, and what


class Chat:
    """A chat as far as its log was read."""

    def __init__(self) -> None:
        self.about: dict[str, Any] = {}
        self.problems: list[Skipped] = []
        self._kept: dict[str, Kept] = {}
        self._gone: dict[str, Kept] = {}
        self._own: set[str] = set()  # those that had a line of their own
        self._same: dict[str, str] = {}  # copies of messages under another name
        self._known: dict[str, tuple[Record, _Words]] = {}
        self._unnamed = 0

    def kept(self) -> list[Kept]:
        """The messages that are left, in their order."""
        return list(self._kept.values())

    def rewound(self) -> list[Kept]:
        """The messages that were taken back and not said again under the same name, in their order."""
        gone = [kept for name, kept in self._gone.items() if name not in self._kept]
        return sorted(gone, key=lambda kept: kept.line)

    def take(self, record: Record, line: int) -> None:
        """Apply one line."""
        if "$rewindTo" in record and type(record["$rewindTo"]) is str:
            self._rewind(record["$rewindTo"])
        elif "$patch" in record and type(record["$patch"]) is dict:
            self._patch(record["$patch"], line)
        elif type(record.get("id")) is str:
            self._put(record["id"], record, line, is_own=True)
        elif type(record.get("$set")) is dict:
            self._set(record["$set"], line)
        elif text_of(record, "sessionId") and ("projectHash" in record or "kind" in record):
            self._set(record, line)
        elif text_of(record, "type"):
            self._unnamed += 1
            self._put(f"#{self._unnamed}", record, line, is_own=True)
        else:
            name = min(record, default="?")[:60]
            self.problems.append(Skipped(line=line, reason="unknown type of record", unknown=name))

    def _put(self, name: str, message: Record, line: int, *, is_own: bool) -> None:
        name = self._same.get(name, name)
        old = self._kept.get(name)
        if old is not None and not is_own and name in self._own:
            return
        self._kept[name] = new(Kept, (old.line if old else line, message))
        if is_own:
            self._own.add(name)

    def _set(self, changed: Record, line: int) -> None:
        self.about.update({key: value for key, value in changed.items() if key != "messages"})
        named = [each for each in list_of(changed, "messages") if type(each) is dict and text_of(each, "id")]
        if not all(each["id"] in self._kept for each in named):
            self._find_copies(named)
        for each in named:
            self._put(each["id"], each, line, is_own=False)

    def _find_copies(self, named: list[Record]) -> None:
        """After a compression what was kept has other names."""
        said: dict[_Words, str] = {}
        for name, (_, message) in self._kept.items():
            known = self._known.get(name)
            if known is None or known[0] is not message:  # found out once for each
                known = self._known[name] = message, _words(message)
            said[known[1]] = name
        for each in named:
            if each["id"] not in self._kept:
                words = _words(each)
                same = said.get(words) if words[1] else None
                if same is not None:
                    self._same[each["id"]] = same

    def _rewind(self, name: str) -> None:
        """Take a message and all after it away; all of them if there is none of that name, as the agent does."""
        names = list(self._kept)
        name = self._same.get(name, name)
        for gone in names[names.index(name) if name in self._kept else 0 :]:
            self._gone[gone] = self._kept.pop(gone)

    def _patch(self, patch: Record, line: int) -> None:
        for change in (patch, *list_of(patch, "updates")):
            name = self._same.get(text_of(change, "id"), text_of(change, "id")) if type(change) is dict else ""
            if name in self._kept:
                old = self._kept[name]
                self._kept[name] = Kept(old.line, _patched(old.message, change))
            elif name and text_of(change, "type"):
                self._put(name, change, line, is_own=True)
        for name in list_of(patch, "removeIds"):
            if type(name) is str:
                self._kept.pop(name, None)
        for name in list_of(patch, "orderIds"):
            if type(name) is str and name in self._kept:
                self._kept[name] = self._kept.pop(name)


def _patched(message: Record, change: Record) -> Record:
    """The message with what a patch says of it; calls are found by their ids."""
    patched = {
        **message,
        **{key: value for key, value in change.items() if key in ("content", "displayContent", "type")},
    }
    changed = {text_of(each, "id"): each for each in list_of(change, "toolCalls") if type(each) is dict}
    if changed:
        calls = [each for each in list_of(message, "toolCalls") if type(each) is dict]
        known = {text_of(each, "id") for each in calls}
        patched["toolCalls"] = [{**each, **changed.get(text_of(each, "id"), {})} for each in calls]
        patched["toolCalls"] += [each for name, each in changed.items() if name not in known]
    return patched


def _words(message: Record) -> _Words:
    return text_of(message, "type"), all_text(message.get("displayContent", message.get("content"))).strip()


def legacy_messages(document: Record) -> list[Any]:
    """The messages of a chat that is one JSON document."""
    return list_of(document, "messages") or list_of(dict_of(document, "conversation"), "messages")
