"""A unit of text as a statement: what it says once announcements and Markdown are left out."""

import re
from collections.abc import Sequence
from typing import NamedTuple

from noctuary.models.rules.cues import HEADINGS, INTENTS
from noctuary.models.rules.lexicon import normal, spellings
from noctuary.models.rules.prose import LONGEST, Unit, plain, sentences

LONGEST_QUOTE = 2 * LONGEST
_INTENT_WORDS = frozenset(form for cue in INTENTS for form in spellings(cue.split()[0]))
_GREETING = re.compile(
    r"\W{0,2}(?:great|perfect|good|excellent|done|okay|ok|sure|nice|awesome|understood|got it)[!.,]\s+", re.IGNORECASE
)
# "To make it work, I'll …" announces as "I'll …" does: what comes of it is told when it is done.
_AIM, _AIMED = (
    "to ",
    re.compile(r"to \w[^.!?\n]{3,200}?, (?:I(?:['’]ll| will)|let me|we can (?:check|look|try))\b", re.IGNORECASE),
)
_BEGINNING = 40  # characters of a sentence that tell whether it only announces something
_LEAST_WORDS = 5
_LEAST_SMALL = 4  # words that are no names
_LONG_ENOUGH = 90  # characters: what is longer says what it is about
_LONGEST_HEADING = 80
_PROSE = 0.6  # of the words of a text that people write are words
_LETTERS = re.compile(r"(?:[^\W\d_]|[\u0300-\u036f\u0591-\u05c7\u0610-\u065f\u0900-\u0dff\u0e31-\u0e4e])+\Z")
_LONGEST_TOPIC, _MOST_WORDS_OF_TOPIC = 40, 5


class Statement(NamedTuple):
    """What a unit says, and where."""

    text: str
    start: int
    end: int


def statement(content: str, unit: Unit) -> Statement | None:
    """What a unit of the message says, unless it only announces, greets or lists names."""
    spans = [
        span
        for piece in unit.spans
        for span in sentences(content, _greeted(content, piece[0]), piece[1])
        if not _announces(content[span[0] : span[1]])
    ]
    text = joined(content, spans)
    if not _says_something(text):
        return None
    heading = _introduction(unit)
    if heading and len(text) < LONGEST - len(heading):
        text = f"{heading}: {text}"
    start = spans[0][0]
    return Statement(shortened(text), start, quote_end(content, start, spans[-1][1]))


def _greeted(content: str, start: int) -> int:
    """Where a passage begins behind a word that only greets."""
    found = _GREETING.match(content, start)
    return found.end() if found else start


def _introduction(unit: Unit) -> str:
    """What stands above a bullet, or before the colon that announces a paragraph."""
    if not unit.is_bullet and not unit.heading.endswith(":"):
        return ""
    heading = unit.heading.rstrip(":")
    told = sentences(heading, _greeted(heading, 0), len(heading))
    kept = [heading[a:b] for a, b in told if not _announces(heading[a:b])]
    said = " ".join(kept).strip().rstrip(".")
    return said if len(said) < _LONGEST_HEADING else ""


def topic_of(heading: str) -> str:
    """What a short heading says that the statements below it are about, unless it only says what they are."""
    topic = heading.rstrip(":").replace("`", "").strip()
    if not 0 < len(topic) <= _LONGEST_TOPIC or len(topic.split()) > _MOST_WORDS_OF_TOPIC:
        return ""
    return "" if is_intent(topic) or HEADINGS.weigh(normal(topic)) else topic


def quote_end(content: str, start: int, end: int) -> int:
    """Where a quote ends that begins here: it is not too long, and does not end in white space."""
    return start + len(content[start : min(end, start + LONGEST_QUOTE)].rstrip())


def _announces(sentence: str) -> bool:
    """Whether a sentence only says what is done next, or greets."""
    if is_intent(sentence[:_BEGINNING]):
        return True
    return sentence[: len(_AIM)].lower() == _AIM and _AIMED.match(sentence) is not None


def is_intent(beginning: str) -> bool:
    """Whether a sentence that begins so only announces what is done next, or greets."""
    word = beginning.lstrip("*`_ ").split(" ", 1)[0].lower().rstrip(",.!:—*`_")
    return word in _INTENT_WORDS and normal(beginning).startswith(INTENTS)


def is_specific(text: str) -> bool:
    """Whether the text names something, or is long enough to say what it is about."""
    return len(text) > _LONG_ENOUGH or any(not (w.isalpha() and w.islower()) for w in text.rstrip(".!").split()[1:])


def is_prose(text: str) -> bool:
    """Whether the text consists of words rather than of a log or code."""
    words = text.split()
    return sum(_is_word(word.strip(".,;:!?()'\"`।")) for word in words) >= _PROSE * len(words)


def _is_word(word: str) -> bool:
    """Whether there are letters only; in some scripts marks that are none stand on them."""
    return word.isalpha() or (not word.isascii() and _LETTERS.match(word) is not None)


def shortened(text: str) -> str:
    """The text, or as many of its words as a proposal may have."""
    if len(text) <= LONGEST:
        return text
    kept = text[: LONGEST - 1].rsplit(" ", 1)[0]
    if kept.count("`") % 2 and kept.rfind("`") > LONGEST // 2:
        kept = kept[: kept.rfind("`")]  # half of a command is another command
    return kept.rstrip(" ,;:") + "…"


def joined(content: str, spans: Sequence[tuple[int, int]]) -> str:
    """The sentences and bullets as one text."""
    pieces: list[str] = []
    for start, end in spans:
        piece = plain(content[start:end])
        if piece:
            pieces.append(piece if piece[-1] in ".;:?!,—" else f"{piece};")
    return " ".join(pieces).rstrip(";, ")


def _says_something(text: str) -> bool:
    """Whether there are words enough between the names and places."""
    words = text.split()
    if len(words) < _LEAST_WORDS:
        return False
    small = 0
    for word in words:  # a loop, for generators take twice as long
        bare = word.strip("`")
        small += bare.isalpha() and bare.islower()
        if small == _LEAST_SMALL:
            return True
    return False
