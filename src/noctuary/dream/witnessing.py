"""What a user is the witness of: what was said in the user's own words, or a good part of it."""

from noctuary.dream.hearsay import words_of
from noctuary.dream.merging.orders import gives_orders

_MOST_ADDED = 0.25  # of the words of an order, that its witness did not say
_MOST_TOLD = 0.6  # of the words of what is only told, that its witness did not say


def says_more(text: str, witness: str) -> bool:
    """Whether a text says more than its witness stands for, who says a word of much that is told of something."""
    words, most = words_of(text), _MOST_ADDED if gives_orders(text) else _MOST_TOLD
    return len(words - words_of(witness)) > most * len(words)
