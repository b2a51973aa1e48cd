"""The words, numbers and names of a sentence, each by what it means.

Words that mean the same have one concept; 30s and 30 seconds are one number; an identifier falls into its words.
"""

import re
from collections.abc import Iterator, Mapping, Sequence
from functools import cache, lru_cache

from noctuary import concepts
from noctuary.relatives import signed
from noctuary.stemming import stem
from noctuary.text import fold, identifier_parts, is_unspaced

LONGEST = 2_000  # characters; what comes after is not read
NUMBER, WORD, NAME, CHARACTER = "number", "word", "name", "character"
_LITTLE = 0.5  # weight of a word that is no noun to be bound to
UNITS = {
    "ms": ("s", 0.001), "msec": ("s", 0.001), "millisecond": ("s", 0.001), "milliseconds": ("s", 0.001),
    "s": ("s", 1), "sec": ("s", 1), "secs": ("s", 1), "second": ("s", 1), "seconds": ("s", 1),
    "min": ("s", 60), "mins": ("s", 60), "minute": ("s", 60), "minutes": ("s", 60),
    "h": ("s", 3600), "hr": ("s", 3600), "hrs": ("s", 3600), "hour": ("s", 3600), "hours": ("s", 3600),
    "d": ("s", 86400), "day": ("s", 86400), "days": ("s", 86400), "week": ("s", 604800), "weeks": ("s", 604800),
    "b": ("b", 1), "byte": ("b", 1), "bytes": ("b", 1), "kb": ("b", 1e3), "kib": ("b", 1024), "mb": ("b", 1e6),
    "mib": ("b", 1024**2), "gb": ("b", 1e9), "gib": ("b", 1024**3), "tb": ("b", 1e12), "megabytes": ("b", 1e6),
    "megabyte": ("b", 1e6), "gigabytes": ("b", 1e9), "gigabyte": ("b", 1e9), "kilobytes": ("b", 1e3),
    "%": ("%", 1), "percent": ("%", 1), "px": ("px", 1), "pixels": ("px", 1), "k": ("", 1e3),
}  # fmt: skip
SPELLED = {
    "zero": "0", "two": "2", "three": "3", "four": "4", "five": "5", "six": "6", "seven": "7", "eight": "8",
    "nine": "9", "ten": "10", "eleven": "11", "twelve": "12", "twenty": "20", "thirty": "30", "forty": "40",
    "fifty": "50", "sixty": "60", "ninety": "90", "hundred": "100",
}  # fmt: skip
_UNIT = "|".join(sorted(map(re.escape, UNITS), key=len, reverse=True))
_SPELLED_WORD = "|".join(SPELLED)
# A path has a stroke: most words have none, and are not gone through for it.
_PATH = (
    r"(?=[~\w.@-]*/)"
    r"(?P<path>(?:~|\.{1,2})?/?[\w.@-]*[^\W\d_][\w.@-]*(?:/[\w.@-]+)+|(?<![\w/])/[\w.@-]+(?:/[\w.@-]+)*)|"
)
# With these letters neither a number nor a version begins: half of all words are told without looking for either.
_PLAIN = r"(?P<plain>[a-dgi-mo-ruw-yA-DGI-MO-RUW-Y]\w*(?:[.](?=[^\W\d_])\w+)*)|"
_PIECE, _PIECE_OR_PATH = (
    re.compile(
        rf"""
        {plain}(?P<arrow>-->|->|=>|[→⇒⟶➜])
        |(?P<mark>§\w+)
        |(?P<date>\d{{4}}-\d\d-\d\d)
        |(?=\d)(?<![\w:.])(?P<clock>\d{{1,2}}(?::\d\d(?![\w:])|(?::\d\d)?[ ]?(?i:[ap]m)\b)(?:[ ]?(?i:[ap]m)\b)?)
        |{path}(?P<version>\b[vV]\d+(?:\.\d+)*\b|(?<![\w.])\d+(?:\.\d+){{2,}}(?:-(?i:[a-z])+\.?\d*)?)
        |(?i:(?=[\dztfsneh])(?<![\w])
             (?P<number>\d[\d,_]*(?:\.\d+)?|(?:{_SPELLED_WORD})\b)(?:[ -]?(?P<unit>{_UNIT})(?![\w]))?)
        |(?P<word>[^\W_][\w]*(?:[.](?=[^\W\d_])[\w]+)*|_\w+)
        |(?P<break>[,;:.!?()\n—–|]|\ -\ )
        """,
        re.VERBOSE,
    )
    for plain, path in ((_PLAIN, ""), ("", _PATH))
)
# The language, unless it is a verb.
_GO = re.compile(r"\bGo\b(?! (?:with|to|for|back|through|over|on|ahead|and|into|the|a|straight|live)\b)")
# The type, unless it belongs to a noun.
_ANY = re.compile(r"`any`|\bany\b(?= (?:in|as|types?|annotations?|casts?)\b|[.;]|$)")
_TOO = re.compile(r"\btoo (\w+) to (?:be )?(\w+)")  # too big to be locked: not locked
_VERSIONED = re.compile(r"([A-Za-z]?[a-z]{2,}|[A-Z]{3,})(\d+)")
_ACRONYMS = re.compile(r"^([A-Z]{2,})s$")
_ENDINGS = frozenset(
    {"py", "ts", "tsx", "js", "jsx", "mjs", "md", "json", "yaml", "yml", "toml", "txt", "rs", "go", "sql", "html"}
)
_UNSPACED_PART = re.compile(r"\d+(?:\.\d+)?|[A-Za-z]\w*(?<=[A-Za-z0-9])|\S")
_HEAD = re.compile(r"\w+")
_CONTRACTED = re.compile(r"n['’]t\b", re.IGNORECASE)
_ENDING = re.compile(r"['’](?:s|re|ve|ll|d|m)\b", re.IGNORECASE)
_ELIDED = re.compile(r"\bn['’](?=\w)", re.IGNORECASE)  # what denies follows
_UNDOING = ("un", "non")
_UNDONE = re.compile(r"(?:un|non)-?([a-z]{3,}(?:ed|able|ing|safe|blocking|empty|null|zero))$")


class Piece:
    """A word or number of a sentence, or what stands between them, before it is known what is said of it.

    No tuple, though never changed: each is asked for what it is again and again, which takes a fifth of the time so.
    """

    __slots__ = ("concept", "is_noun", "is_plain", "kind", "own_sign", "text", "turns", "weight")

    def __init__(self, text: str, concept: str, kind: str, weight: float, own_sign: int, turns: bool) -> None:
        self.text = text  # in lower case; of a break or a mark what it is
        self.concept = concept  # empty if it tells nothing by itself
        self.kind = kind
        self.weight = weight
        self.own_sign = own_sign  # of the word itself
        self.turns = turns  # the clause it stands in
        self.is_plain = own_sign > 0 and not turns  # it neither denies nor turns anything
        self.is_noun = weight > _LITTLE and kind == WORD and concept != ""  # what stands beside it is bound to it


@cache
def _turning() -> Mapping[str, tuple[str, int]]:
    return signed(concepts.TURNING)


@cache
def _opposites() -> Mapping[str, tuple[str, int]]:
    return signed(concepts.OPPOSITES)


@cache
def _same() -> Mapping[str, str]:
    return {word: concept for word, (concept, _) in signed(concepts.SAME).items()}


@cache
def _general() -> frozenset[str]:
    return frozenset(word for each in concepts.GENERAL.split() for word in (each, stem(each)))


@cache
def _meaning_something() -> frozenset[str]:
    """Words, and stems of words, that are more than a name of something."""
    by_word = (_turning(), _opposites(), _same(), _general())
    return frozenset().union(concepts.NEGATING, concepts.STOP_WORDS, concepts.PLACING, concepts.NAMES, *by_word)


@cache
def _phrases() -> Mapping[str, Sequence[str]]:
    """The phrases by their first words, or by their first letter where words are not apart."""
    found: dict[str, list[str]] = {}
    for phrase in concepts.PHRASES:
        found.setdefault(phrase[0] if is_unspaced(phrase[0]) else _HEAD.findall(phrase)[0], []).append(phrase)
    return found


@lru_cache(maxsize=1_000)
def _any_of(phrases: frozenset[str]) -> re.Pattern[str]:
    longest_first = sorted(phrases, key=lambda phrase: (-len(phrase), phrase))
    words = (re.escape(each) if is_unspaced(each[0]) else rf"\b{re.escape(each)}\b" for each in longest_first)
    return re.compile("|".join(words), re.IGNORECASE)


def _joined(text: str) -> str:
    """The text with phrases as single words.  Few texts have any, so only those are looked for that may be there."""
    lowered, phrases = text.lower(), _phrases()
    heads = {*_HEAD.findall(lowered), *(() if lowered.isascii() else lowered)} & phrases.keys()
    found = [phrase for head in heads for phrase in phrases[head] if phrase in lowered]
    if not found:
        return text
    if text.isascii():
        return _with_phrases(text, lowered, found)
    return _any_of(frozenset(found)).sub(lambda match: concepts.PHRASES[match[0].lower()], text)


def _with_phrases(text: str, lowered: str, phrases: Sequence[str]) -> str:
    """The same as a pattern of all these phrases would make of it; to compile one would cost more than all the rest."""
    spans = sorted((start, -len(phrase), phrase) for phrase in phrases for start in _places(lowered, phrase))
    parts: list[str] = []
    done = 0
    for start, length, phrase in spans:
        if start >= done:
            parts += (text[done:start], concepts.PHRASES[phrase])
            done = start - length
    return "".join((*parts, text[done:]))


def _places(text: str, phrase: str) -> Iterator[int]:
    """Where a phrase stands in a text in small letters, as words of their own."""
    start = text.find(phrase)
    while start >= 0:
        end = start + len(phrase)
        if not (start and _is_of_word(text[start - 1])) and not (end < len(text) and _is_of_word(text[end])):
            yield start
        start = text.find(phrase, start + 1)


def _is_of_word(letter: str) -> bool:
    return letter.isalnum() or letter == "_"


@cache
def directed() -> frozenset[str]:
    """What is not the same the other way round."""
    signed = {name for name, _ in (*_turning().values(), *_opposites().values())}
    return frozenset(concept_of(word) for word in concepts.DIRECTED) - {"", *signed}


@cache
def values() -> Mapping[str, int]:
    """The values of which something has one, each with the number of its class."""
    lines = enumerate(concepts.VALUES.strip().splitlines())
    found = {concept_of(word): number for number, line in lines for word in line.split()}
    return {concept: number for concept, number in found.items() if concept}


def concept_of(word: str) -> str:
    """The name that a word and all that mean the same are compared by."""
    return word_piece(word.lower()).concept


def pieces(text: str) -> list[Piece]:
    """The words, numbers, marks and breaks of a text, in order."""
    plain = text[:LONGEST]
    if "'" in plain or "’" in plain:
        plain = _ELIDED.sub("", _ENDING.sub("", _CONTRACTED.sub(" not", plain)))
    if "too " in plain:
        plain = _TOO.sub(r"too \1, not \2", plain)
    if "any" in plain:
        plain = _ANY.sub("anytype", plain)
    if "Go" in plain:
        plain = _GO.sub("golang", plain)
    found: list[Piece] = []
    for match in (_PIECE_OR_PATH if "/" in plain else _PIECE).finditer(_joined(plain)):
        kind = match.lastgroup
        if kind in ("plain", "word"):
            found += _pieces_of_word(match[0])
        elif kind in ("number", "unit"):
            found.append(_number_piece(match["number"], match["unit"]))
        else:
            found += _pieces_of(str(kind), match[0])
    return found


@lru_cache(maxsize=20_000)  # texts have few words, each of them often
def _pieces_of_word(text: str) -> tuple[Piece, ...]:
    if text.isalpha() and text.isascii() and (text.islower() or text[1:].islower()):
        return (word_piece(text.lower()),)  # as most are
    return tuple(_word_pieces(text))


@lru_cache(maxsize=2_000)
def _pieces_of(kind: str, text: str) -> tuple[Piece, ...]:
    if kind in ("arrow", "mark", "break"):
        return (Piece("→" if kind == "arrow" else text.strip(), "", kind, 0, 1, False),)
    if kind == "path":
        return tuple(_path_pieces(text))
    if kind == "version":
        digits = text.lower().removeprefix("v")
        return (Piece(text, f"#{digits}", NUMBER, 1.3, 1, False),)
    if kind == "clock":
        return (Piece(text, f"#{_hour(text)}", NUMBER, 1.3, 1, False),)
    return (Piece(text, f"#@{text}", NUMBER, 1.3, 1, False),)  # a date


def _hour(clock: str) -> str:
    """A time of day, as short as it can be said: 02:00 is 2."""
    digits, half = clock.lower().rstrip("apm "), clock.lower().lstrip("0123456789: ")
    hours, _, minutes = digits.partition(":")
    hour = int(hours) % 12 + 12 * (half == "pm") if half else int(hours)
    return f"{hour}:{minutes}" if minutes.strip("0") else str(hour)


def _number_piece(digits: str, unit: str | None) -> Piece:
    plain = SPELLED.get(digits.lower(), digits).replace(",", "").replace("_", "").rstrip(".")
    dimension, factor = UNITS.get((unit or "").lower(), ("", 1))
    value = f"{float(plain) * factor:g}" if unit else plain
    return Piece(digits, f"#{value}{dimension}", NUMBER, 1.3, 1, False)


def _path_pieces(path: str) -> Iterator[Piece]:
    """The names in a path: the last one tells what it is, those before it where."""
    *folders, last = [name for name in path.split("/") if name] or [path]
    for folder in folders:
        yield from _named_parts(folder, 0.3)
    yield from _named_parts(last, 1.4)


def _named_parts(name: str, weight: float) -> Iterator[Piece]:
    """The words of a name, which tell as much as one together; the ending of a file tells little."""
    words = [part for word in re.split(r"[._@~-]+", name) if word for part in identifier_parts(word) or (word,)]
    for word in words:
        is_ending = word in _ENDINGS and word is words[-1] and len(words) > 1
        share = 0.15 if is_ending else max(weight / len(words), min(weight, 0.9))
        yield Piece(word.lower(), _name_concept(word), NAME, share, 1, False)


def _name_concept(word: str) -> str:
    piece = word_piece(word.lower())
    return piece.concept if piece.concept and not piece.turns else stem(fold(word))


def _word_pieces(text: str) -> Iterator[Piece]:
    """The pieces of a word; an identifier falls into its parts, an unspaced run into its characters."""
    if not text.isascii() and any(is_unspaced(letter) for letter in text):
        yield from _unspaced_pieces(text)
        return
    if text[-1] == "s":
        text = _ACRONYMS.sub(r"\1", text)
    is_whole = text.lower() in concepts.SPELLED_FREELY or _VERSIONED.fullmatch(text) is not None
    if not is_whole and ("_" in text or "." in text or identifier_parts(text)):
        yield from _named_parts(text, 1.4)
    else:
        yield from _plain_pieces(text)


def _plain_pieces(word: str) -> Iterator[Piece]:
    if versioned := _VERSIONED.fullmatch(word):
        yield _as_name(word_piece(versioned[1].lower()), 1.2)
        yield _number_piece(versioned[2], None)
        return
    piece = word_piece(word.lower())
    is_named = word.isupper() and len(word) > 1 and piece.kind == WORD and piece.concept and not piece.turns
    yield _as_name(piece, 1.4) if is_named else piece


def _as_name(piece: Piece, weight: float) -> Piece:
    """The piece as part of a name: it turns nothing, and it tells more."""
    concept = piece.concept or stem(fold(piece.text))
    return Piece(piece.text, concept, NAME, max(weight, piece.weight), 1, False)


def _unspaced_pieces(run: str) -> Iterator[Piece]:
    """A piece a character, but for what is written in digits or in Latin letters between them."""
    for part in _UNSPACED_PART.findall(run):
        if part[0].isdigit():
            yield _number_piece(part, None)
        elif part.isascii():
            yield from _plain_pieces(part)
        elif part in concepts.UNSPACED_NEGATING:
            yield Piece(part, "", WORD, 0, -1, True)
        elif part not in concepts.UNSPACED_GRAMMAR:
            yield Piece(part, part, CHARACTER, 0.4, 1, False)


@lru_cache(maxsize=20_000)
def word_piece(word: str) -> Piece:
    """A word in small letters by what it means, whatever stands beside it."""
    stemmed, known = stem(fold(word)), _meaning_something()
    if word not in known and stemmed not in known and not word.startswith(_UNDOING):  # as most that are met once
        return Piece(word, stemmed, WORD, 1.0, 1, False)
    if word in concepts.NEGATING:
        return Piece(word, "", WORD, 0, -1, True)
    turning = _turning().get(word) or _turning().get(stemmed)
    if turning and word not in concepts.STOP_WORDS:
        return Piece(word, turning[0], WORD, 0.25 if turning[0] == "use" else 0.45, turning[1], turning[1] < 0)
    if word in concepts.STOP_WORDS or word in concepts.PLACING:
        return Piece(word, "", WORD, 0, 1, False)
    if opposite := _opposites().get(word) or _opposites().get(stemmed):
        return Piece(word, opposite[0], WORD, 0.8, opposite[1], False)
    if word.startswith(_UNDOING) and (undone := _UNDONE.match(word)):
        done = word_piece(undone[1])
        return Piece(word, done.concept, done.kind, done.weight, -1, done.turns)
    concept = _same().get(word) or _same().get(stemmed) or stemmed
    weight = 0.5 if concept in _general() or stemmed in _general() else 1.0
    is_name = word in concepts.NAMES or concept in concepts.NAMES
    return Piece(word, concept, NAME if is_name else WORD, 1.5 if is_name else weight, 1, False)
