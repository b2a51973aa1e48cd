"""Transcripts that are no logs: a document that is written anew, or a database of many sessions.

They are read as a whole when they have changed.  An entry is known by what its agent calls it *and* by what it says:
said again it is the same message, and if it says something else by now, as an answer does that was still being
written, the old message is taken back and the new one told.  What the last entries of the last sessions said is
remembered for that, so that the memory of a reader stays small.
"""

import json
from collections.abc import Callable, Iterable, Iterator, Sequence
from dataclasses import replace
from hashlib import blake2b
from pathlib import Path
from typing import Any, NamedTuple

from noctuary.records import TitleSource
from noctuary.transcripts.drafts import Draft, is_typed
from noctuary.transcripts.items import Facts, Item, Mark, NewField, Place, Rewound, Said, Skipped, State
from noctuary.transcripts.jsonl import load_clean
from noctuary.transcripts.speech import title_from

LARGEST = 100 * 1024 * 1024  # bytes of a document; all of it is held in memory
REMEMBERED_ENTRIES, REMEMBERED_SESSIONS = 400, 40
MARK_SESSIONS = 50
_version = json.JSONEncoder(default=str, separators=(",", ":")).encode
_BOM = b"\xef\xbb\xbf"


class Entry(NamedTuple):
    """One entry of a session: what its agent calls it, the messages that it is made of, when, and where it stands."""

    key: str  # no other entry of the session has it
    drafts: Sequence[Draft]
    ts_ms: int
    line: int  # the number of its record in the transcript, from 1


class Talk(NamedTuple):
    """One session as a whole."""

    facts: Facts
    entries: Sequence[Entry]
    oddities: Sequence[Skipped | NewField] = ()
    started_ms: int = 0  # when its first entry was made, if that does not say so itself
    is_named_apart: bool = False  # its keys are those of no other session, so a copy in another is the same entry


def load_document(path: Path, largest: int = LARGEST) -> Any:
    """The JSON value in a file; ValueError says what is wrong with it, OSError that it cannot be read."""
    if path.stat().st_size > largest:
        raise ValueError(f"larger than {largest // (1024 * 1024)} MB")
    raw = path.read_bytes().removeprefix(_BOM)
    try:
        return load_clean(raw.decode("utf-8", "replace"))
    except RecursionError:
        raise ValueError("nested too deeply") from None
    except ValueError:
        raise ValueError("not valid JSON") from None


def read_document(place: Place, talks: Callable[[], Iterable[Talk | Skipped]]) -> Iterator[Item]:
    """Yield what a document says that was not said when it was last read; a ValueError of `talks` is told as skipped.

    There is one Mark, at the end: a document that is broken is read again when it has changed.
    """
    memory = _Memory(place.state)
    try:
        for talk in talks():
            if isinstance(talk, Skipped):
                yield talk
            else:
                yield from memory.told(talk)
    except ValueError as error:
        yield Skipped(line=1, reason=str(error))
        return
    yield Mark(place=Place(state=memory.state()))


def read_store(
    place: Place, listed: Iterable[tuple[str, str]], talk: Callable[[str], Talk | Skipped | None]
) -> Iterator[Item]:
    """Yield what is new in a database of sessions: of each there is its name, and a version that changes with it.

    Only sessions of another version than when they were last read are asked for.
    """
    memory = _Memory(place.state)
    unmarked = 0
    for session, version in listed:
        if memory.versions.get(session) == version:
            continue
        found = talk(session)
        if isinstance(found, Talk):
            yield from memory.told(found)
        elif found is not None:
            yield found
        memory.versions[session] = version
        unmarked += 1
        if unmarked == MARK_SESSIONS:
            unmarked = 0
            yield Mark(place=Place(state=memory.state()))
    yield Mark(place=Place(state=memory.state()))


class _Memory:
    """What a reader remembers of sessions: their versions, and what their last entries said."""

    def __init__(self, state: State) -> None:
        self.versions: dict[str, str] = dict(state.get("versions", {}))
        self._said: dict[str, dict[str, str]] = dict(state.get("said", {}))

    def state(self) -> State:
        """Plain JSON."""
        kept = dict(list(self._said.items())[-REMEMBERED_SESSIONS:])
        return {"versions": dict(self.versions), "said": kept} if self.versions else {"said": kept}

    def told(self, talk: Talk) -> Iterator[Item]:
        """The items of a session that were not told before."""
        session = talk.facts.session
        yield _titled(talk)
        yield from talk.oddities
        scope = "" if talk.is_named_apart else _short(session)
        before, now = self._said.pop(session, {}), {}
        last_ms = talk.started_ms
        for key, drafts, said_ms, line in talk.entries:
            last_ms = said_ms or last_ms  # what has no time was said after what has one
            short = _short(drafts[0].content if len(drafts) == 1 else "\0".join([draft.content for draft in drafts]))
            now[key] = said = f"{short}.{len(drafts)}"
            if (old := before.get(key)) == said:
                continue
            if old is not None:
                yield Rewound(session=session, uids=_uids(scope, key, old))
            for number, draft in enumerate(drafts):
                yield Said(session, draft.message(f"{scope}:{key}:{short}:{number}", line, last_ms))
        gone = [uid for key, old in before.items() if key not in now for uid in _uids(scope, key, old)]
        if gone:
            yield Rewound(session=session, uids=tuple(gone))
        self._said[session] = dict(list(now.items())[-REMEMBERED_ENTRIES:])


def _titled(talk: Talk) -> Facts:
    """What is known of a session, named after the first thing a human said in it if nobody named it."""
    facts = talk.facts
    if facts.title:
        return facts if facts.title_source else replace(facts, title_source=TitleSource.GIVEN)
    for entry in talk.entries:
        for draft in entry.drafts:
            if is_typed(draft) and draft.hidden is None and (title := title_from(draft.content)):
                return replace(facts, title=title, title_source=TitleSource.PROMPT)
    return facts


def _uids(scope: str, key: str, digest: str) -> tuple[str, ...]:
    """The uids that the messages of an entry were given."""
    said, _, count = digest.rpartition(".")
    return tuple([f"{scope}:{key}:{said}:{number}" for number in range(int(count))])


def _short(text: str) -> str:
    return blake2b(text.encode("utf-8", "surrogatepass"), digest_size=8).hexdigest()


def version_of(*parts: object) -> str:
    """A version made of whatever changes with a session."""
    return _version(parts)
