"""Words and messages of session files, in memory: what `searching` asks of a backend without a database.

Words are split, folded and stemmed as the database's index does it, from the same prepared text, so that a query
finds the same messages in both.  A file that has not changed is not read again; one that has grown is read from
where it was left.
"""

import re
import sys
from bisect import bisect_left
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass, field
from functools import lru_cache

from noctuary.recall.session_files import MESSAGES, META, Meta, SessionFiles, counted
from noctuary.records import Kind, Message, Role, Session, Term
from noctuary.stemming import stem
from noctuary.store import keys
from noctuary.store.lexicon import NEWEST, IndexSize, Within
from noctuary.store.messages import is_indexed
from noctuary.store.sessions import Selection
from noctuary.text import ascii_lowered, fold, is_unspaced, searchable

_WORDS = re.compile(r"(?:[^\W_]|[\u0300-\u036f])+")
_TAIL_BYTES = 64
_TITLE = 0  # the place of a title among the messages, whose ids begin at 1

Stamp = tuple[int, int, int]


@dataclass(slots=True)
class Shelved:
    """One session in memory: its messages, and the places its words stand at."""

    files: SessionFiles
    session: Session
    title: str = ""
    messages: dict[int, Message] = field(default_factory=dict)
    characters: int = 0
    indexed: int = 0
    stamps: tuple[Stamp, Stamp] | None = None
    end: int = 0  # bytes of the file that were read
    tail: bytes = b""  # the last of them, to see whether the file is still the same
    texts: dict[int, str] = field(default_factory=dict)  # words in a row, with spaces around each
    places: dict[str, list[int]] = field(default_factory=dict)
    vocabulary: list[str] | None = None  # sorted, for looking up beginnings

    def add(self, messages: Iterable[Message]) -> None:
        """Take in messages that follow those already here."""
        for message in messages:
            self.messages[message.id] = message
            if is_indexed(message):
                self.index(message.id, message.content)
                self.indexed += 1
                self.characters += len(message.content)

    def index(self, place: int, text: str) -> None:
        """Make the text findable at this place."""
        words = split(text)
        self.texts[place] = f" {' '.join(words)} "
        for word in dict.fromkeys(words):
            self.places.setdefault(word, []).append(place)
        self.vocabulary = None

    def having(self, term: Term) -> set[int]:
        """Where the term stands."""
        words = [_word(part) for word in term.words for part in _WORDS.findall(word)]
        if not words:
            return set()
        found = set(self._beginning_with(words[-1]) if term.prefix else self.places.get(words[-1], ()))
        if len(words) == 1:
            return found
        for word in words[:-1]:
            found &= set(self.places.get(word, ()))
        row = f" {' '.join(words)}" + ("" if term.prefix else " ")
        return {place for place in found if row in self.texts[place]}

    def _beginning_with(self, prefix: str) -> Iterator[int]:
        if self.vocabulary is None:
            self.vocabulary = sorted(self.places)
        at = bisect_left(self.vocabulary, prefix)
        while at < len(self.vocabulary) and self.vocabulary[at].startswith(prefix):
            yield from self.places[self.vocabulary[at]]
            at += 1

    def key(self, number: int, place: int) -> int:
        """The key of the message at this place, or of the title."""
        if place == _TITLE:
            return keys.pack(number, _TITLE, keys.TITLE, keys.length_class(len(self.title)))
        return keys.key_of(number, self.messages[place])


def split(text: str) -> list[str]:
    """The words of a text in a row, as they are looked up."""
    return [_word(word) for word in _WORDS.findall(searchable(text))]


@lru_cache(maxsize=100_000)
def _word(word: str) -> str:
    return word if is_unspaced(word) else stem(fold(word))


def refreshed(files: SessionFiles, owner: str, known: Shelved | None) -> Shelved | None:
    """The session as its files have it now, reading only what has changed; None if it is gone."""
    stamps = (_stamp(files, META), _stamp(files, MESSAGES))
    if known and known.stamps == stamps:
        return known
    meta = files.meta(owner)
    if meta is None:
        return None
    title = meta.session.title or ""
    shelved = known if known and known.title == title and _is_grown(known) else _empty(files, meta, title)
    lines = files.read(shelved.end, after_id=max(shelved.messages, default=0))
    shelved.add(lines.messages)
    shelved.end = lines.end
    shelved.tail = files.read_bytes(max(0, lines.end - _TAIL_BYTES), lines.end)
    known_facts = meta.session._replace(message_count=0, preview=None)
    shelved.session = counted(known_facts, shelved.messages.values())
    shelved.stamps = stamps
    return shelved


def _empty(files: SessionFiles, meta: Meta, title: str) -> Shelved:
    shelved = Shelved(files, meta.session, title)
    if title:
        shelved.index(_TITLE, title)
    return shelved


def _is_grown(known: Shelved) -> bool:
    """Whether what was read before is still there."""
    return known.files.read_bytes(max(0, known.end - _TAIL_BYTES), known.end) == known.tail


def _stamp(files: SessionFiles, ending: str) -> Stamp:
    try:
        stat = files.path(ending).stat()
    except FileNotFoundError:
        return (-1, -1, -1)
    return stat.st_size, stat.st_mtime_ns, stat.st_ino


class FileIndex:
    """All sessions of one owner at one moment: both the `Index` and the `Shelf` of a search.

    Sessions are numbered by their last activity, so that newer ones have higher numbers.
    """

    def __init__(self, shelved: Iterable[Shelved]) -> None:
        ordered = sorted(shelved, key=lambda s: (s.session.last_ms or 0, s.session.id))
        self.shelved = dict(enumerate(ordered, start=1))

    def pick(self, selection: Selection) -> list[int] | None:
        """Numbers of the selected sessions; None stands for all of them."""
        if selection.is_everything:
            return None
        return [number for number, shelved in self.shelved.items() if is_selected(shelved.session, selection)]

    def size(self) -> IndexSize:
        """How much there is to search."""
        return IndexSize(
            messages=sum(s.indexed for s in self.shelved.values()),
            characters=sum(s.characters for s in self.shelved.values()),
            sessions=len(self.shelved),
        )

    def sessions_from(self, no: int) -> int:
        """How many sessions have this number or a higher one."""
        return len(self.shelved) - no + 1

    def matching(self, terms: Sequence[Term], within: Within, most: int, below: int = NEWEST) -> list[int]:
        """Keys, lower than `below`, of the messages that have all the terms, the newest first."""
        found: list[int] = []
        for number in self._newest_first(within.picked):
            if keys.pack(number, 0) >= below:
                continue
            found += self._matching_in(number, [*terms, *within.required], within)
            if len(found) >= most:
                break
        return found[:most]

    def matching_any(self, terms: Sequence[Term], any_of: Sequence[Term], within: Within, most: int) -> list[int]:
        """Keys of the messages that have all the terms and at least one of the others, the newest first."""
        some = {key for term in any_of for key in self.matching([term], within, most=sys.maxsize)}
        return [key for key in self.matching(terms, within, most=sys.maxsize) if key in some][:most]

    def _matching_in(self, number: int, terms: Sequence[Term], within: Within) -> list[int]:
        shelved = self.shelved[number]
        places = shelved.having(terms[0])
        for term in terms[1:]:
            places &= shelved.having(term) if places else places
        for term in within.excluded if places else ():
            places -= shelved.having(term)
        return self._allowed(number, sorted(places, reverse=True), within)

    def _allowed(self, number: int, places: Iterable[int], within: Within) -> list[int]:
        """Keys of the places whose voice and time are asked for."""
        shelved = self.shelved[number]
        after, before = within.after_ms, within.before_ms
        found = []
        for place in places:
            key, message = shelved.key(number, place), shelved.messages.get(place)
            is_late = message is None or after is None or message.ts_ms >= after
            is_early = message is None or before is None or message.ts_ms < before
            if is_late and is_early and keys.voice_in(key) in within.voices:
                found.append(key)
        return found

    def containing(self, text: str, within: Within, most: int) -> list[int]:
        """Keys of messages of the conversation that contain the text literally, in any case, the newest first."""
        found: list[int] = []
        wanted = ascii_lowered(text)
        for number in self._newest_first(within.picked):
            messages = reversed(self.shelved[number].messages.items())
            visible = ((place, message) for place, message in messages if message.hidden is None)
            places = [place for place, message in visible if wanted in ascii_lowered(message.content)]
            found += self._allowed(number, places, within)
            if len(found) >= most:
                break
        return found[:most]

    def keys_at(self, positions: Iterable[int]) -> list[int]:
        """Keys of the messages that stand at these positions, if search may find them."""
        found = []
        for position in positions:
            number, place = position >> keys.PLACE_BITS, position & keys.MOST_MESSAGES
            message = self.shelved[number].messages.get(place) if number in self.shelved else None
            if message and is_indexed(message):
                found.append(keys.key_of(number, message))
        return found

    def texts(self, wanted: Iterable[int]) -> dict[int, tuple[int, str]]:
        """Time and text of the messages with these keys."""
        messages = {key: self.message(key) for key in wanted}
        return {key: (message.ts_ms, message.content) for key, message in messages.items() if message}

    def sessions(self, numbers: Sequence[int]) -> dict[int, Session]:
        """Sessions by their numbers."""
        return {number: self.shelved[number].session for number in numbers if number in self.shelved}

    def message(self, key: int) -> Message | None:
        """The message with this key."""
        shelved = self.shelved.get(keys.session_of(key))
        return shelved.messages.get(keys.place_of(key)) if shelved else None

    def around(self, number: int, place: int, window: int) -> tuple[list[Message], int, int]:
        """Visible messages around a place, and how many there are before and after them."""
        return window_around(self.shelved[number].messages, place, window)

    def first_talk(self, number: int, before: int, most: int) -> list[Message]:
        """What people and agents said first in the session, before this id."""
        return [message for message in self._talk(number) if message.id < before][:most]

    def last_talk(self, number: int, after: int, most: int) -> list[Message]:
        """What people and agents said last in the session, after this id."""
        return [message for message in self._talk(number) if message.id > after][-most:]

    def _talk(self, number: int) -> list[Message]:
        return [message for message in self.shelved[number].messages.values() if _is_talk(message)]

    def _newest_first(self, picked: Sequence[int] | None) -> list[int]:
        return sorted(self.shelved if picked is None else picked, reverse=True)


def window_around(messages: dict[int, Message], place: int, window: int) -> tuple[list[Message], int, int]:
    """The message at the place and so many visible ones on both sides; and how many are before and after them."""
    earlier = [message for message in messages.values() if message.id < place and message.hidden is None]
    later = [message for message in messages.values() if message.id > place and message.hidden is None]
    shown = [*earlier[max(0, len(earlier) - window) :], messages[place], *later[:window]]
    return shown, max(0, len(earlier) - window), max(0, len(later) - window)


def is_selected(session: Session, selection: Selection) -> bool:
    """Whether the session is one of those looked at."""
    return (
        (not selection.agent or (session.agent or "").startswith(selection.agent))
        and (selection.project is None or _is_of_project(session, selection.project))
        and (selection.session is None or session.id.lower().startswith(selection.session.lower()))
        and (selection.after_ms is None or (session.last_ms is not None and session.last_ms >= selection.after_ms))
        and (selection.before_ms is None or (session.started_ms or selection.before_ms) < selection.before_ms)
        and session.id not in selection.excluded
    )


def _is_of_project(session: Session, project: str) -> bool:
    """Named whole, or by the last parts of its path."""
    if session.project is None:
        return False
    return session.project == project or session.project.lower().endswith(f"/{project.strip('/').lower()}")


def _is_talk(message: Message) -> bool:
    said = message.kind is Kind.TEXT and message.role in (Role.USER, Role.ASSISTANT)
    return said and message.hidden is None and message.content != ""
