"""Words in a text, without an index: whether a word of the query stands in it, in any of its forms."""

from noctuary.records import Term
from noctuary.stemming import stem
from noctuary.text import fold, is_unspaced


def beginning_of(term: Term) -> str:
    """What the inflected forms of the term's last word have in common, for finding it in a text."""
    folded = fold(term.words[-1])
    stemmed = stem(folded)
    same = 0
    while same < min(len(folded), len(stemmed)) and folded[same] == stemmed[same]:
        same += 1
    if stemmed.endswith("i") and same == len(stemmed):  # ponies, of which the singular ends in y
        same -= 1
    return folded[: max(same, 1)]


def has_word(folded: str, beginning: str) -> bool:
    """Whether a word with this beginning stands in the folded text; in unspaced scripts words begin anywhere."""
    at = folded.find(beginning)
    if at >= 0 and not beginning.isascii() and is_unspaced(beginning):
        return True
    while at >= 0:
        if at == 0 or not folded[at - 1].isalnum():
            return True
        at = folded.find(beginning, at + 1)
    return False
