"""Whom a sentence is about: a question after what Caroline did is not answered by what Melanie did.

In a conversation of people each message begins with who speaks ("Melanie: …"), as chats are exported.  What somebody
says in the first person is about them; what they say in the second person, or ask, is about the one they speak to.  If
a question names one of the speakers and all that fits it is about another, there is no answer, however well words fit.

To keep an answer back is worse than to show one too many.  So a label is a name only if several messages begin with it
and people write it as one ("Error: …" and "Plan: …" are nobody); and what nobody is known to have said, or the model
has not read, never speaks against an answer.
"""

import re
from collections import Counter
from collections.abc import Sequence
from functools import cache
from typing import TYPE_CHECKING, NamedTuple

from noctuary.recall.candidates import Candidates
from noctuary.recall.query import LONGEST_QUERY
from noctuary.recall.scoring import TALK, Scored
from noctuary.recall.wording import beginning_of, has_word
from noctuary.records import Term
from noctuary.store import keys
from noctuary.text import fold, fold_text

if TYPE_CHECKING:
    from noctuary.recall.scan import Likeness

BEST_SENTENCES = 8  # of each side: one sentence that fits may be chance …
LEAD_OF_BEST = 0.1  # … but others can fit better by no more than their best leads, and this
WHOLE_MESSAGE = 0.5  # what a word in another sentence of the message counts
LONGEST_NAME = 30
SEVERAL = 3  # messages with the same label: fewer may begin with a word and a colon by chance
LONGEST_TALK = 10_000  # characters of a message that are read: more is no talk
NOBODY = {"user", "assistant", "system", "human", "agent", "ai", "bot", "tool"}  # roles, not people
FIRST_PERSON = "i|i'm|i've|i'd|i'll|my|me|mine|myself|we|we're|we've|our|us|ich|mein|meine|je|mon|ma|mes|yo|mi|mis"
SECOND_PERSON = "you|you're|you've|you'd|you'll|your|yours|yourself|du|dein|deine|tu|ton|ta|tes|tú"
_LETTERS = r"\w'’\u0300-\u036f-"  # of a name, with accents that stand for themselves


class _Sentence(NamedTuple):
    lowered: str
    is_of_speaker: bool


def others_fit_better(question: str, scored: Sequence[Scored], found: Candidates, likeness: "Likeness | None") -> float:
    """How much better what is about others fits than what is about the speaker asked for; 0 if nobody is."""
    speakers = _speakers(scored)
    asked = _asked_for(question, speakers, scored)
    if not asked or len({*speakers} - {None}) < 2:
        return 0.0
    words = [
        (beginning_of(word.term), word.worth)
        for word in (*found.words, *found.common)
        if not _is_part_of(asked, word.term)
    ]
    if not words:
        return 0.0
    whole = sum(worth for _, worth in words) or 1.0
    alike = likeness.of(s.key for s in scored) if likeness is not None else {}
    most_alike = max(alike.values(), default=0.0)
    named = _named(asked)
    about_asked: list[float] = []
    about_others: list[float] = []
    for s, speaker in zip(scored, speakers, strict=True):
        fit = WHOLE_MESSAGE * _fit(s.lowered[:LONGEST_TALK], words) / whole
        for sentence in _sentences(_said(s)):
            fits = fit + _fit(sentence.lowered, words) / whole
            is_about_asked = (speaker == asked) == sentence.is_of_speaker or bool(named.search(sentence.lowered))
            if speaker is None or is_about_asked:
                about_asked.append(fits + alike.get(s.key, most_alike))
            else:
                about_others.append(fits + alike.get(s.key, 0.0))
    lead = max(about_others, default=0.0) - max(about_asked, default=0.0)
    return min(_level(about_others) - _level(about_asked), lead + LEAD_OF_BEST)


def said_by_asked(question: str, scored: Sequence[Scored]) -> list[Scored]:
    """Of the messages those said by the one speaker that the question names."""
    speakers = _speakers(scored)
    asked = _asked_for(question, speakers, scored)
    return [s for s, speaker in zip(scored, speakers, strict=True) if speaker == asked] if asked else []


def _speakers(scored: Sequence[Scored]) -> list[str | None]:
    """Who speaks in each message, folded; None where that is not known."""
    names = [_name(label[1]) if (label := _label_of(s)) else None for s in scored]
    times = Counter(names)
    return [name if times[name] >= SEVERAL and name not in NOBODY else None for name in names]


def _asked_for(question: str, speakers: Sequence[str | None], scored: Sequence[Scored]) -> str | None:
    """The one speaker that the question names; None if it names none, or several."""
    words = _word().findall(_possessive().sub(" ", question[:LONGEST_QUERY]))
    named = {_name(word) for word in words}.intersection(speakers)
    return name if len(named) == 1 and not _is_word(name := named.pop(), scored) else None


def _is_word(name: str, scored: Sequence[Scored]) -> bool:
    """Whether it is a word rather than a name: inside of texts it stands in lower case more often than not."""
    if name.lower() == name.upper():  # of a script without cases
        return False
    labels = {label[1] for s in scored if (label := _label_of(s)) and _name(label[1]) == name}
    anywhere = re.compile(rf"\b(?:{'|'.join(map(re.escape, sorted(labels)))})\b", re.IGNORECASE)
    spelled: list[str] = [word for s in scored for word in anywhere.findall(_said(s))]
    return 2 * sum(word.islower() for word in spelled) > len(spelled)


def _is_part_of(name: str, term: Term) -> bool:
    parts = _between_words().split(name)
    if term.prefix:
        return any(part.startswith(fold(term.words[-1])) for part in parts)
    return all(fold(word) in parts for word in term.words)


def _label_of(s: Scored) -> "re.Match[str] | None":
    """What a message of a conversation begins with, if that can be a name."""
    if ":" not in s.text[: LONGEST_NAME + 2] or keys.voice_in(s.key) not in TALK:  # the first says no most often
        return None
    label = _label().match(s.text)
    return None if label is None or label[1][0].islower() else label


def _said(s: Scored) -> str:
    """What is read of the message, without its label."""
    label = _label_of(s)
    return s.text[label.end() if label else 0 :][:LONGEST_TALK]


def _name(spelled: str) -> str:
    return fold(spelled.replace("’", "'"))


def _sentences(text: str) -> list[_Sentence]:
    pieces = _end().split(text)
    return [_Sentence(fold_text(piece), _is_of_speaker(piece)) for piece in pieces if piece.strip()]


def _is_of_speaker(sentence: str) -> bool:
    of_speaker = len(_first().findall(sentence))
    if not of_speaker and sentence.rstrip().endswith("?"):
        return False
    return of_speaker >= len(_second().findall(sentence))


def _fit(lowered: str, words: Sequence[tuple[str, float]]) -> float:
    return sum(worth for beginning, worth in words if has_word(lowered, beginning))


def _level(fits: list[float]) -> float:
    """The mean of the best; what is missing counts nothing."""
    return sum(sorted(fits, reverse=True)[:BEST_SENTENCES]) / BEST_SENTENCES


@cache
def _named(name: str) -> re.Pattern[str]:
    """Where a sentence speaks of somebody ("Anna's patch sets it"), and not to them ("Thanks, Anna!")."""
    return re.compile(rf"\b{re.escape(name)}\b(?!\s*(?:[,!?.…)]|$))")


@cache
def _label() -> re.Pattern[str]:
    return re.compile(rf"([^\W\d_][{_LETTERS}]{{0,{LONGEST_NAME}}}):\s")


@cache
def _word() -> re.Pattern[str]:
    return re.compile(rf"[^\W\d_][{_LETTERS}]*")


@cache
def _possessive() -> re.Pattern[str]:
    return re.compile(r"['’]s\b", re.IGNORECASE)


@cache
def _between_words() -> re.Pattern[str]:
    return re.compile(r"[\W_]+")


@cache
def _end() -> re.Pattern[str]:
    return re.compile(r"(?<=[.!?])\s+|\n")


@cache
def _first() -> re.Pattern[str]:
    return re.compile(rf"\b(?:{FIRST_PERSON})\b", re.IGNORECASE)


@cache
def _second() -> re.Pattern[str]:
    return re.compile(rf"\b(?:{SECOND_PERSON})\b", re.IGNORECASE)
