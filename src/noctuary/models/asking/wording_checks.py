"""Whether a new wording says what the old one said.

Meaning cannot be checked without a model, but what goes wrong can: a number, a path, a name, an identifier or a
literal that was not there, a reference that is gone, a "not" that is gone or new, two numbers that changed places.
"""

import re
from collections.abc import Iterator, Mapping, Sequence

from noctuary.models.writer import Worded

MOST_LOST = 0.25  # of the memories
MOST_GROWTH = 2.0  # how much longer a wording may be
MOST_NEW_WORDS = 0.5  # of the words that carry meaning
_LONGEST = 500
_SHORT_TEXT = 60  # characters; one that is shorter may become so long

_LITERAL = re.compile(r"`[^`\n]+`|\"[^\"\n]+\"|“[^”\n]+”|‘[^’\n]+’")
_NUMBER = re.compile(r"(?<![\w.])\d[\d,_]*(?:\.\d+)*")
# A word with a sign, a digit or a capital inside: a path, a flag, a version, an identifier, an address.
_CODE = re.compile(r"(?<![\w])[-.~/@#$]*\w+(?:[-./:\\@=+*#$]+\w+)*/?(?:\(\))?")
_CITATION = re.compile(r"\[[^\]\s]+\]|#\d+|\b[0-9A-HJKMNP-TV-Z]{26}\b|\b(?=[0-9a-f]*\d)[0-9a-f]{7,40}\b")
_WORD = re.compile(r"[^\W\d_]+(?:['’][^\W\d_]+)*")
_SENTENCE = re.compile(r"(?:^|[.!?:;]\s+|\n\s*(?:[-*]\s+)?)\W*")
_NEGATION = re.compile(
    r"\b(?:not|no|never|none|nor|neither|without|cannot|avoid\w*|forbid\w*|forbidden|prohibit\w*|refus\w*|reject\w*"
    r"|instead of|rather than|nicht|kein\w*|nie|ohne|pas|jamais|sans|nunca|sin)\b|n['’]t\b|[不没無无]",
    re.IGNORECASE,
)
_NUMBER_WORDS = {
    word: str(number)
    for number, word in enumerate(_WORD.findall("two three four five six seven eight nine ten eleven twelve"), start=2)
}
# What may begin a sentence though the old one did not have it: no name is among them.
_OPENERS = frozenset(
    _WORD.findall(
        "a add after all also always an any apply as at avoid because before build by call check commit"
        " create default do each ensure every fix follow for from give has have how if in include install is"
        " it its keep leave let make may must name never no not note of on once one only or prefer put read"
        " remember require run set should since so start store test tests that the their there these they this"
        " to treat try under until update use used uses using via when where whenever which while who why with"
        " without work write you"
    )
)


def complaint_about(entries: Sequence[Worded], texts: Mapping[str, str]) -> str:
    """Why these wordings of these memories cannot be taken, the first reason that is found; nothing if they can."""
    known = {entry.id: entry for entry in entries}
    if strangers := sorted(texts.keys() - known.keys()):
        return f"there is no memory {strangers[0]!r}"
    lost = len(known.keys() - texts.keys())
    if lost > MOST_LOST * len(known):
        return f"{lost} of {len(known)} memories are missing"
    for name, text in texts.items():
        if why := complaint_about_one(known[name], text):
            return f"memory {name!r} {why}"
    return ""


def complaint_about_one(entry: Worded, text: str) -> str:
    """What is wrong with the wording of one memory, to be read after its name; nothing if nothing is."""
    if not text.strip():
        return "is empty"
    if len(text) > max(_LONGEST, len(entry.text)) or len(text) > max(_SHORT_TEXT, MOST_GROWTH * len(entry.text)):
        return "became too long"
    source = " ".join([entry.text, *entry.quotes])
    checks = (_lost_citation(entry.text, text), _added_fact(source, text), _changed_negation(entry.text, text))
    return next(filter(None, (*checks, _changed_order(entry.text, text), _too_many_new_words(source, text))), "")


def _lost_citation(old: str, new: str) -> str:
    kept = _CITATION.findall(new)
    lost = [found for found in _CITATION.findall(old) if found not in kept]
    return f"lost {lost[0]}" if lost else ""


def _added_fact(source: str, new: str) -> str:
    """The first fact of the new wording that neither the old one nor a quote has."""
    words = {word.casefold() for word in _WORD.findall(source)}
    if found := added_literal(source, new):
        return found
    added = next((name for name in _names(new) if name.casefold() not in words), "")
    return f"adds the name {added}" if added else ""


def added_literal(source: str, new: str) -> str:
    """The first literal, number, path or identifier of the new wording that the source does not have."""
    folded, numbers = source.casefold(), _numbers(source)
    for fact in _LITERAL.findall(new):
        if " ".join(fact[1:-1].casefold().split()) not in " ".join(folded.split()):
            return f"adds {fact}"
    for number in _numbers(new):
        if number not in numbers:
            return f"adds the number {number}"
    for code in _codes(new):
        if code.casefold().strip(".") not in folded:
            return f"adds {code}"
    return ""


def says_something_else(source: str, new: str) -> bool:
    """Whether most of what a text says is not in the words of the source."""
    return bool(_too_many_new_words(source, new))


def _numbers(text: str) -> list[str]:
    """Numbers in order, 1,000 and 1000 alike, those in words too."""
    found = [(match.start(), re.sub(r"[,_]", "", match[0])) for match in _NUMBER.finditer(text)]
    found += [
        (match.start(), _NUMBER_WORDS[match[0].casefold()])
        for match in _WORD.finditer(text)
        if match[0].casefold() in _NUMBER_WORDS
    ]
    return [number for _, number in sorted(found)]


def _codes(text: str) -> Iterator[str]:
    for found in _CODE.findall(text):
        inner = found[1:]
        is_code = bool(re.search(r"[\d_./\\@=+*#$()]|[a-z][A-Z]", found)) or found.startswith(("-", "~"))
        if is_code and inner and not _NUMBER.fullmatch(found):
            yield found


def _names(text: str) -> Iterator[str]:
    """Words with a capital, but for plain ones that begin a sentence."""
    begins = {match.end() for match in _SENTENCE.finditer(text)}
    for match in _WORD.finditer(text):
        word = match[0]
        is_plain = match.start() in begins and (word.casefold() in _OPENERS or _NEGATION.fullmatch(word))
        if word[0].isupper() and word != "I" and not is_plain:
            yield word


def _changed_negation(old: str, new: str) -> str:
    had, has = bool(_NEGATION.search(old)), bool(_NEGATION.search(new))
    if had and not has:
        return "lost its negation"
    return "became a negation" if has and not had else ""


def _changed_order(old: str, new: str) -> str:
    """Numbers that both have stand in the same order: from 30 to 60 is not from 60 to 30."""
    before, after = _numbers(old), _numbers(new)
    shared = [number for number in after if before.count(number) == after.count(number) == 1]
    places = [before.index(number) for number in shared]
    return "changed the order of its numbers" if places != sorted(places) else ""


def _too_many_new_words(source: str, new: str) -> str:
    known = {_stem(word) for word in _WORD.findall(source)}
    said = [word for word in _WORD.findall(new) if len(word) > 3 and word.casefold() not in _OPENERS]
    added = [word for word in said if _stem(word) not in known]
    return f"says something else: {', '.join(added[:3])}" if len(added) > max(1, MOST_NEW_WORDS * len(said)) else ""


def _stem(word: str) -> str:
    return word.casefold()[:5]
