"""What is typed, as titles and texts that the tables take; and names in the sentences that answer it."""

from collections.abc import Sequence

from noctuary.errors import BadInput, NotFound
from noctuary.ledger.ledger import LONGEST_TEXT
from noctuary.text import clean

LONGEST_TITLE = 500
LONGEST_HEADLINE = 120
# Controls, and what is invisible or turns the direction of text: nobody sees them, and lines must stay lines.
_RANGES = ((0, 0x1F), (0x7F, 0x9F), (0x61C, 0x61C), (0x200B, 0x200F), (0x2028, 0x202E), (0x2060, 0x206F), (0xFEFF,) * 2)
UNSEEN = [code for first, last in _RANGES for code in range(first, last + 1)]
_SPACES = dict.fromkeys(UNSEEN, " ")
_FEW = 5


def title_of(text: str) -> str:
    """A title: one line, without what cannot be seen; BadInput if nothing is left or it is no title any more."""
    title = " ".join(clean(text).translate(_SPACES).split())
    if not title:
        raise BadInput("A title is needed, of at least one letter.")
    if len(title) > LONGEST_TITLE:
        raise BadInput(f"The title has {len(title):,} characters; {LONGEST_TITLE} are the most. Say the rest below it.")
    return title


def words_of(text: str, what: str) -> str:
    """A text of any number of lines, such as a goal or an outcome; BadInput if it is longer than an entry may be."""
    words = clean(text).strip()
    if not words.translate(_SPACES).strip():
        return ""  # nobody would see anything of it
    if len(words) > LONGEST_TEXT:
        raise BadInput(f"The {what} has {len(words):,} characters; {LONGEST_TEXT:,} are the most. Keep it shorter.")
    return words


def headline_of(text: str) -> str:
    """A title for a text: its first line, or its beginning up to the end of a word; BadInput if there is none."""
    lines = (" ".join(line.translate(_SPACES).split()) for line in clean(text).splitlines())
    first = next((line for line in lines if line), "")
    if len(first) > LONGEST_HEADLINE:
        first = first[: LONGEST_HEADLINE - 1]
        first = (first[: first.rfind(" ")] if " " in first[LONGEST_HEADLINE // 2 :] else first).rstrip(" ,;:") + "…"
    return title_of(first)


def with_article(noun: str) -> str:
    """The noun with its article."""
    return f"an {noun}" if noun[0] in "aeiou" else f"a {noun}"


def first_of(names: Sequence[str], most: int = _FEW, between: str = ", ") -> str:
    """The first few names, and how many more there are."""
    more = f" and {len(names) - most} more" if len(names) > most else ""
    return f"{between.join(names[:most])}{more}"


def only_one(beginning: Sequence[str], name: str, what: str, error: type[NotFound]) -> str | None:
    """The one id that begins with a name, None if there is none; the error, naming some, if there are several."""
    if len(beginning) > 1:
        raise error(f"More than one {what} begins with {name!r}: {', '.join(beginning[:_FEW])} …")
    return beginning[0] if beginning else None
