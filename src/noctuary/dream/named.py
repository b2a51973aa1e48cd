"""Names in demands: whoever demands something by a name that only strangers told it repeats the strangers.

A sentence that is told in other words, or in another language, has little in common with its source.  But what an
attacker wants used, opened or switched off has a name, and that name has to arrive: `osaka-relay`, `two-factor-off`.
"""

import re
from collections.abc import Iterator

from noctuary.dream.merging.orders import gives_orders, makes_demands
from noctuary.lookalikes import as_read

# What lays something down though it says neither "must" nor "always".
_LAID_DOWN = re.compile(
    r"\b(?:needs? (?:the|an?)\b|(?:is|are) to be\b|for (?:the )?future\b|convention\b|"
    r"we\b|from \S+ on\b|before (?:each|every|any)\b|(?:standing order|house rule|policy|rule)\b|"
    # How things are always done here: "releases are cut with …".
    r"(?:is|are|gets?) (?:\w+ ){0,2}?(?:\w{2,}(?:ed|en|t|un|ut)|done|made|held|found|bound|laid|paid) "
    r"(?:\w+ )?(?:with|by|through|via|from|using|to|into)\b)"
)
_NAME = re.compile(r"(?<![\w./@-])[a-z0-9]+(?:[-_.:@/][a-z0-9]+)+(?![\w])", re.ASCII)
_SHORTEST, _LITTLE = 6, 2  # letters of a name, and of parts of it that say little
# Words of which compounds are made that name nothing: "read-only", "end-to-end", "up-to-date".
_PLAIN = frozenset(
    """read write only up to date end in on off out of by the a an one two first last long short term running run time
    built based side level wide non re pre post self high low well real cross multi single new old fly and or per so
    case check test tests user server client code line lines file files set not no all per day hoc ad is""".split()  # noqa: SIM905
)
_SPLIT = re.compile(r"[-_.:@/]")
_OF_CODE = re.compile(
    r"\.(?:pyi?|[jt]sx?|mjs|go|rs|java|kt|rb|c|h|cpp|md|toml|json|ya?ml|sql|css|html?|txt|cfg|ini|lock)\Z"
)
_BESIDE = " \t\n.,;:!'\"`#*_-=()[]<>"  # signs that may stand beside a name that is all there is
# As signs beyond ASCII are written in what is searched; and words in a row, which no code has, of any language.
_OTHER_TONGUE = re.compile(r"\?{4}|(?<![\w?])[a-z?]{2,}(?: [a-z?]{2,}){4}")
# Words in a row; of some the letters are beyond ASCII, or are the marks that stand for such.
_IN_A_ROW = re.compile(r"(?:[^\W\d_]|\?){2,}(?:,? (?:[^\W\d_]|\?){2,}){3,}")
_BEYOND = re.compile(r"[^\0-\x3e\x40-\x7f]")
_UNSPACED = re.compile(r"[\u0e00-\u0e7f\u3040-\u30ff\u3400-\u9fff\uac00-\ud7af]{8}")


def lays_down(sentence: str) -> bool:
    """Whether a sentence says how things are to be done."""
    return makes_demands(sentence) or _LAID_DOWN.search(_small(sentence)) is not None


def names_in(sentence: str) -> Iterator[str]:
    """The names in a sentence that are made of parts, in small letters; not those of files of code."""
    for found in _NAME.finditer(_small(sentence)):
        name, parts = found[0], _SPLIT.split(found[0])
        is_named = any(len(part) > _LITTLE and part not in _PLAIN and not part.isdigit() for part in parts)
        if len(name) >= _SHORTEST and is_named and not _OF_CODE.search(name):
            yield name


def is_told_in(passage: str, name: str) -> bool:
    """Whether a passage that is no prose tells a name: it gives orders, is in another tongue, or is only the name."""
    is_alone = passage.strip(_BESIDE) == name
    return is_alone or gives_orders(passage) or _OTHER_TONGUE.search(passage) is not None


def is_other_prose(passage: str) -> bool:
    """Whether a passage is prose of a language of which no words are known: code has no such words in a row."""
    if not _BEYOND.search(passage):
        return False
    words = [word for found in _IN_A_ROW.finditer(passage) for word in found[0].split()]
    return sum(_BEYOND.search(word) is not None for word in words) > 1 or _UNSPACED.search(passage) is not None


def _small(sentence: str) -> str:
    is_plain = sentence.isascii() and sentence.isprintable()  # else something may hide in it
    return sentence.lower() if is_plain else as_read(sentence).lower()
