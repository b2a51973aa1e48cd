"""Whom a sentence is about: a question after what Caroline did is not answered by what Melanie did.

In a conversation of people each message begins with who speaks ("Melanie: …"), as chats are exported.  What somebody
says in the first person is about them; what they say in the second person, or ask, is about the one they speak to.  If
a question names one of the speakers and all that fits it is about another, there is no answer, however well words fit.
"""

import re
from collections.abc import Sequence
from functools import cache
from typing import TYPE_CHECKING, NamedTuple

from noctuary.recall.candidates import Candidates
from noctuary.recall.scoring import Scored
from noctuary.recall.wording import beginning_of, has_word

if TYPE_CHECKING:
    from noctuary.recall.scan import Likeness

BEST_SENTENCES = 8  # of each side: one sentence that fits may be chance …
LEAD_OF_BEST = 0.1  # … but others can fit better by no more than their best leads, and this
WHOLE_MESSAGE = 0.5  # what a word in another sentence of the message counts
LONGEST_NAME = 30
FIRST_PERSON = "i|i'm|i've|i'd|i'll|my|me|mine|myself|we|we're|we've|our|us|ich|mein|meine|je|mon|ma|mes|yo|mi|mis"
SECOND_PERSON = "you|you're|you've|you'd|you'll|your|yours|yourself|du|dein|deine|tu|ton|ta|tes|tú"


class _Sentence(NamedTuple):
    lowered: str
    is_of_speaker: bool


def others_fit_better(question: str, scored: Sequence[Scored], found: Candidates, likeness: "Likeness | None") -> float:
    """How much better what is about others fits than what is about the speaker asked for; 0 if none is asked for."""
    speakers = [_speaker(s.text) for s in scored]
    asked = _asked_for(question, {speaker for speaker in speakers if speaker})
    if not asked:
        return 0.0
    words = [
        (beginning_of(word.term), word.worth)
        for word in (*found.words, *found.common)
        if word.term.words[0].lower() != asked
    ]
    whole = sum(worth for _, worth in words) or 1.0
    alike = likeness.of(s.key for s in scored) if likeness is not None else {}
    about_asked: list[float] = []
    about_others: list[float] = []
    for s, speaker in zip(scored, speakers, strict=True):
        fit = alike.get(s.key, 0.0) + WHOLE_MESSAGE * _fit(s.lowered, words) / whole
        for sentence in _sentences(s.text):
            is_about_asked = (speaker == asked) == sentence.is_of_speaker
            (about_asked if is_about_asked else about_others).append(fit + _fit(sentence.lowered, words) / whole)
    lead = max(about_others, default=0.0) - max(about_asked, default=0.0)
    return min(_level(about_others) - _level(about_asked), lead + LEAD_OF_BEST)


def said_by_asked(question: str, scored: Sequence[Scored]) -> list[Scored]:
    """Of the messages those said by the one speaker that the question names."""
    speakers = [_speaker(s.text) for s in scored]
    asked = _asked_for(question, {speaker for speaker in speakers if speaker})
    return [s for s, speaker in zip(scored, speakers, strict=True) if speaker == asked] if asked else []


def _speaker(text: str) -> str | None:
    """Who speaks, in lower case, if the message begins with it."""
    label = _label().match(text)
    return label[1].lower() if label else None


def _asked_for(question: str, speakers: set[str]) -> str | None:
    """The one speaker that the question names; None if it names none, or several."""
    words = {word.lower() for word in _word().findall(question.replace("’", "'").replace("'s", " "))}
    named = words & speakers
    return named.pop() if len(named) == 1 else None


def _sentences(text: str) -> list[_Sentence]:
    label = _label().match(text)
    pieces = _end().split(text[label.end() if label else 0 :])
    return [_Sentence(piece.lower(), _is_of_speaker(piece)) for piece in pieces if piece.strip()]


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
def _label() -> re.Pattern[str]:
    return re.compile(rf"([^\W\d_][\w'-]{{0,{LONGEST_NAME}}}):\s")


@cache
def _word() -> re.Pattern[str]:
    return re.compile(r"[^\W\d_][\w'-]*")


@cache
def _end() -> re.Pattern[str]:
    return re.compile(r"(?<=[.!?])\s+|\n|(?=\[)")


@cache
def _first() -> re.Pattern[str]:
    return re.compile(rf"\b(?:{FIRST_PERSON})\b", re.IGNORECASE)


@cache
def _second() -> re.Pattern[str]:
    return re.compile(rf"\b(?:{SECOND_PERSON})\b", re.IGNORECASE)
