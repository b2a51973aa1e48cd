"""What a project's history says already, however long it is; and what of a run's proposals is new against it.

A lookup takes the words of a sentence and asks for the events with each of those that are rare, or with several at once
of those that are common; no answer is long, so what a lookup costs does not grow with the history.  What was taken
back, or said anew in other words, is looked up too: what a user rejected is never proposed again.
"""

import re
from collections.abc import Callable, Iterable, Iterator, Sequence
from itertools import combinations
from math import log2
from typing import NamedTuple

from noctuary.authored import EventStatus, EventType, Trust
from noctuary.concepts import STOP_WORDS
from noctuary.dream.comparing.nearness import may_be_near, near_places
from noctuary.dream.comparing.numbers import have_own_numbers
from noctuary.dream.comparing.outline import may_say_all_of
from noctuary.dream.comparing.sameness import Relation, Signature, may_say_it_all, relation, signature
from noctuary.dream.merging.contradicting import is_rejected_choice
from noctuary.dream.merging.dates import absolute
from noctuary.fences import is_echo
from noctuary.ledger.ledger import entry_from, said_in_line
from noctuary.proposals import PROPOSED, Dropped, Proposal
from noctuary.store import Store
from noctuary.store.database import Row
from noctuary.store.event_words import EventWords
from noctuary.text import fold, identifier_parts, is_unspaced, plain_words, tokens

__all__ = ["Guarded", "History", "Known", "guard", "is_echo"]

MOST = 12
# What states something; that a task was opened does not say that it is done.
_STATEMENTS = (*sorted(PROPOSED), EventType.REMEMBER, EventType.SUPERSEDE, EventType.CLOSE)
_MOST_WORDS = 8
_MOST_ROWS = 48  # of a word; one that has as many is common
_RARITY = [1 / (1 + log2(1 + rows)) for rows in range(_MOST_ROWS + 1)]
_ENOUGH_RARE = 2  # words
_PAIRED = 3  # common words that are looked for in pairs otherwise
_MANY = 6  # words that are looked for together
_SEEN = 2  # times as many rows are read as are wanted: those of other types are among them
_SHOWN = "it repeats what memory had shown"
_OTHER_LETTER = re.compile(r"[^\0-\x7f\W]")

Likeness = Callable[[str, str], float | None]


class Known(NamedTuple):
    """Something that was said before."""

    event_id: str
    text: str
    type: EventType
    status: EventStatus
    hidden_by: str | None  # the event that corrected or retracted it
    superseded_by: str | None
    line: str  # of the journal

    @property
    def signature(self) -> Signature:
        """What it says; read once."""
        return signature(self.text)

    @property
    def is_taken_back(self) -> bool:
        """Whether somebody retracted it or said it otherwise."""
        return self.hidden_by is not None or self.status is EventStatus.RETRACTED


class Ending(NamedTuple):
    """The event that took something back or superseded it."""

    type: EventType
    ts_ms: int
    is_undo: bool  # a run was taken back with all it wrote; nobody judged what it said


class Guarded(NamedTuple):
    """What became of proposals."""

    kept: list[Proposal]  # new, also if it contradicts what is known
    merged: list[tuple[Proposal, Known]]  # known already, or more than what is known: it supports that
    dropped: list[Dropped]


class History:
    """All that was ever said in a project, by what it says."""

    def __init__(
        self,
        store: Store,
        owner: str,
        project: str,
        *,
        is_of_one_moment: bool = False,
        likeness: Likeness | None = None,
        words: EventWords | None = None,
    ) -> None:
        """One `is_of_one_moment` does not see what is written later, and looks nothing up twice.

        `likeness` is asked how alike two sentences are, where words alone would not do; `words` knows some already.
        """
        self.store = store
        self.likeness = likeness
        self.owner = owner
        self.project = project
        self._words = words or EventWords(store.database)
        self._is_of_one_moment = is_of_one_moment
        self._found: dict[tuple[str, bool], list[Known]] = {}  # by text, and whether it was taken back
        self._with_word: dict[str, list[int]] = {}  # numbers of events
        self._by_number: dict[int, Known | None] = {}  # None: of another project
        self._has_hidden = self._words.has_hidden() if is_of_one_moment else True
        self._has_forgotten = store.tombstones.has_said(owner) if is_of_one_moment else True

    def near(self, text: str, *, types: Iterable[EventType] | None = None, most: int = MOST) -> list[Known]:
        """Events that may say the same, those with the most of its words first; of these none that is hidden."""
        return self._near(text, None if types is None else [*types], most, hidden=False)

    def taken_back(self, text: str, *, most: int = MOST) -> list[Known]:
        """The same among what was retracted or corrected."""
        return self._near(text, None, most, hidden=True)

    def ended_by(self, known: Known) -> Ending | None:
        """What took it back or superseded it."""
        name = known.hidden_by or known.superseded_by
        row = self.store.events.find(self.owner, name) if name else None
        if row is None:
            return None
        event = entry_from(row).event
        return Ending(EventType(row[0]), event.ts_ms, "undo" in event.meta.get("dream", {}))

    def forgotten_ms(self, text: str) -> int | None:
        """When a sentence was forgotten, in these words; None if it never was, as of all if nothing ever was."""
        return self.store.tombstones.said_until(self.owner, text) if self._has_forgotten else None

    def foresee(self, texts: Iterable[str]) -> None:
        """Look several texts up at once, which costs less; only for a history of one moment."""
        if not self._is_of_one_moment:
            return
        words = {text: _words_of(text) for text in texts if (text, False) not in self._found}
        self._look_up_words([word for each in words.values() for word in each])
        numbers = {text: self._numbers(each, MOST * _SEEN, hidden=False) for text, each in words.items()}
        self._look_up_events([number for each in numbers.values() for number in each])
        for text, found in numbers.items():
            self._found[text, False] = self._events(found)

    def _near(self, text: str, types: Sequence[EventType] | None, most: int, *, hidden: bool) -> list[Known]:
        found = self._found.get((text, hidden))
        if found is None:
            found = self._looked_up(text, hidden=hidden)
            if self._is_of_one_moment:
                self._found[text, hidden] = found
        wanted = None if types is None else {*types}
        return [known for known in found if wanted is None or known.type in wanted][:most]

    def _looked_up(self, text: str, *, hidden: bool) -> list[Known]:
        if hidden and not self._has_hidden:
            return []
        return self._events(self._numbers(_words_of(text), MOST * _SEEN, hidden=hidden))

    def _events(self, numbers: Sequence[int]) -> list[Known]:
        """Those of the numbers that are events of the project, in the same order."""
        if not self._is_of_one_moment:
            rows = self._words.by_number(self.owner, self.project, numbers) if numbers else []
            return [_known(row) for row in rows]
        self._look_up_events(numbers)
        return [known for number in numbers if (known := self._by_number[number])]

    def _look_up_events(self, numbers: Iterable[int]) -> None:
        missing = [number for number in dict.fromkeys(numbers) if number not in self._by_number]
        if missing:
            self._by_number.update(dict.fromkeys(missing))
            rows = self._words.numbered(self.owner, self.project, missing)
            self._by_number.update((number, _known(row)) for number, row in rows.items())

    def _look_up_words(self, words: Iterable[str]) -> None:
        missing = [word for word in dict.fromkeys(words) if word not in self._with_word]
        if missing:
            found = self._asked([*map(_quoted, missing)], hidden=False)
            self._with_word.update(zip(missing, found, strict=True))

    def _asked(self, matches: Sequence[str], *, hidden: bool) -> list[list[int]]:
        return self._words.matching(self.owner, self.project, matches, _MOST_ROWS, hidden=hidden)

    def _matching(self, words: Sequence[str], *, hidden: bool) -> list[list[int]]:
        """Of each word the numbers of some events that have it."""
        if hidden or not self._is_of_one_moment:
            return self._asked([*map(_quoted, words)], hidden=hidden)
        self._look_up_words(words)
        return [self._with_word[word] for word in words]

    def _numbers(self, words: Sequence[str], most: int, *, hidden: bool) -> list[int]:
        """Events that have much of the words, the best first: by rare words, or else by several common ones at once.

        All events with a rare word are seen, so what was said word by word before is always found.
        """
        if not words:
            return []
        found = self._matching(words, hidden=hidden)
        rare = [numbers for numbers in found if len(numbers) < _MOST_ROWS]
        if sum(map(bool, rare)) < _ENOUGH_RARE:
            common = [word for word, numbers in zip(words, found, strict=True) if len(numbers) == _MOST_ROWS]
            together = [some for some in (common[:_MANY], *combinations(common[:_PAIRED], 2)) if some]
            rare += self._asked([" ".join(map(_quoted, some)) for some in together], hidden=hidden) if together else []
        votes: dict[int, float] = {}
        for numbers in rare:
            weight = _RARITY[len(numbers)]
            for number in numbers:
                votes[number] = votes.get(number, 0.0) + weight
        return sorted(votes, key=votes.__getitem__, reverse=True)[:most]


def dated(proposals: Iterable[Proposal]) -> list[Proposal]:
    """The proposals in the words in which they would be written down."""
    return [proposal._replace(text=_dated(proposal)) for proposal in proposals]


def guard(history: History, proposals: Sequence[Proposal], *, recalled_from: int | None = None) -> Guarded:
    """Compare proposals with all history and with one another.

    Of several that say the same, the one that says the most is kept, with what all of them cite.  From the message
    `recalled_from` on the agent knew what memory holds, so that its saying the same supports nothing.
    """
    guarded = Guarded([], [], [])
    spoken = _once_each([*_spoken(proposals, guarded.dropped)])
    history.foresee(map(_dated, spoken))
    for proposal in spoken:
        text = _dated(proposal)
        near = [
            known
            for known in history.near(text, types=_STATEMENTS)
            if history.likeness or _may_repeat(text, known.text)
        ]
        if known := _said_before(history, proposal, near):
            if _was_shown(proposal, recalled_from):
                guarded.dropped.append(Dropped(proposal.text, _SHOWN))
            else:
                guarded.merged.append((proposal, known))
        elif why := _why_not_again(history, proposal, near):
            guarded.dropped.append(Dropped(proposal.text, why))
        else:
            guarded.kept.append(proposal)
    return guarded


def _was_shown(proposal: Proposal, recalled_from: int | None) -> bool:
    """Whether no user says it, and memory had been shown to whoever says it."""
    if recalled_from is None or proposal.trust is Trust.USER or not proposal.messages:
        return False
    return min(cited.id for cited in proposal.messages) >= recalled_from


def _spoken(proposals: Iterable[Proposal], dropped: list[Dropped]) -> Iterable[Proposal]:
    """Those that somebody said: not what memory itself had put into the conversation."""
    for proposal in proposals:
        if is_echo(proposal.text) or any(is_echo(cited.quote) for cited in proposal.messages):
            dropped.append(Dropped(proposal.text, "it repeats what memory recalled"))
        else:
            yield proposal


def _once_each(proposals: Sequence[Proposal]) -> list[Proposal]:
    """The proposals without those that another one says as well."""
    kept: list[Proposal] = []
    texts: list[str] = []
    for proposal in proposals:
        text = _dated(proposal)
        for place in near_places(text, texts):
            if fuller := _together(kept[place], proposal):
                kept[place], texts[place] = fuller, _dated(fuller)
                break
        else:
            kept.append(proposal)
            texts.append(text)
    return kept


def _together(first: Proposal, second: Proposal) -> Proposal | None:
    """One proposal for two that say the same, in the words of the one that says more; else None."""
    text, other_text = _dated(second), _dated(first)
    if not may_say_all_of(text, other_text):
        return None
    new, old = signature(text), signature(other_text)
    found = relation(new, old) if may_say_it_all(new, old) else Relation.RELATED
    if found not in (Relation.SAME, Relation.SAYS_MORE) or is_rejected_choice(second.type, new, first.type, old):
        return None
    fuller, other = (second, first) if found is Relation.SAYS_MORE else (first, second)
    return fuller._replace(
        messages=tuple(dict.fromkeys((*fuller.messages, *other.messages))),
        files=tuple(dict.fromkeys((*fuller.files, *other.files))),
        commits=tuple(dict.fromkeys((*fuller.commits, *other.commits))),
        confidence=max(fuller.confidence, other.confidence),
        is_asked=fuller.is_asked or other.is_asked,
    )


def _said_before(history: History, proposal: Proposal, near: Sequence[Known]) -> Known | None:
    """What is known and says the same, else what is known and is part of it."""
    text = _dated(proposal)
    more: Known | None = None
    for known in near:
        if not history.likeness and not may_say_all_of(text, known.text):
            continue  # of most this is known at once
        new, old = signature(text), known.signature
        likeness = history.likeness(new.plain, old.plain) if history.likeness else None
        if likeness is None and not may_say_it_all(new, old):
            continue
        if is_rejected_choice(proposal.type, new, known.type, old) or _settles(proposal, known):
            continue
        found = relation(new, old, likeness)
        if found not in (Relation.SAME, Relation.SAYS_MORE) or _was_forgotten(history, known):
            continue
        if found is Relation.SAME:
            return known
        more = more or known
    return more


def _may_repeat(text: str, known: str) -> bool:
    """Whether one may say what is known, or more; of most this is seen at once."""
    return not have_own_numbers(text, known) and may_be_near(text, known)


def _settles(proposal: Proposal, known: Known) -> bool:
    """Whether what was only supposed is now known."""
    return known.type is EventType.HYPOTHESIS and proposal.type is not EventType.HYPOTHESIS


def _why_not_again(history: History, proposal: Proposal, near: Sequence[Known]) -> str:
    """Why something is not to be said again; empty if it may be, as when a user says it after all."""
    text = _dated(proposal)
    forgotten_ms = history.forgotten_ms(text)
    if forgotten_ms is not None and not (proposal.trust is Trust.USER and proposal.ts_ms > forgotten_ms):
        return "it was forgotten"
    hidden = [known for known in history.taken_back(text) if _may_repeat(text, known.text)]
    for known in (*hidden, *(each for each in near if _was_forgotten(history, each))):
        ending = history.ended_by(known)
        is_said_anew = ending is not None and proposal.trust is Trust.USER and proposal.ts_ms > ending.ts_ms
        if is_said_anew or (ending is not None and ending.is_undo):
            continue
        if relation(signature(text), known.signature) in (Relation.SAME, Relation.SAYS_MORE):
            was_corrected = ending is not None and ending.type not in (EventType.RETRACT, EventType.RETIRE)
            return f"it was {'corrected' if was_corrected else 'rejected'} before ({known.event_id})"
    return ""


def _was_forgotten(history: History, known: Known) -> bool:
    """Whether it was a memory that somebody retired."""
    ending = history.ended_by(known) if known.superseded_by else None
    return ending is not None and ending.type is EventType.RETIRE


def _dated(proposal: Proposal) -> str:
    """The text as it would be written down."""
    return absolute(proposal.text, proposal.ts_ms)[0]


def _known(row: Row) -> Known:
    kind, status, hidden_by, superseded_by, body = row
    event_id, text = said_in_line(body)
    return Known(event_id, text, EventType(kind), EventStatus(status), hidden_by, superseded_by, body)


def _words_of(text: str) -> list[str]:
    """The words that an event may be found by, the most telling first."""
    text = text[:2_000]
    found = _plain_words(text) if text.isascii() else dict.fromkeys(map(fold, _parts(text)))
    some = [word for word in found if word not in STOP_WORDS and not (len(word) == 1 and word.isascii())]
    telling = {word: len(word) if word.isalpha() else _telling(word) for word in some or found}
    return sorted(telling, key=telling.__getitem__, reverse=True)[:_MOST_WORDS]


def _plain_words(text: str) -> dict[str, None]:
    """The same as of `_parts`, in small letters, of a text in ASCII: most of its words are small already."""
    found: dict[str, None] = {}
    for word in plain_words(text):
        found[word.lower()] = None
        if not (word.isalpha() and word[1:].islower()):
            found.update(dict.fromkeys(map(str.lower, identifier_parts(word))))
    return found


def _parts(text: str) -> Iterator[str]:
    if not _OTHER_LETTER.search(text):
        for word in plain_words(text):
            yield word
            if not (word.isalpha() and word[1:].islower()):  # as most words are
                yield from identifier_parts(word)
        return
    for token in tokens(text):
        word = text[token.start : token.end]
        yield from token.terms[:1] if is_unspaced(word[0]) else (word, *identifier_parts(word))


def _telling(word: str) -> int:
    return len(word) + 6 * any(map(str.isdigit, word))


def _quoted(word: str) -> str:
    return '"' + word.replace('"', '""') + '"'
