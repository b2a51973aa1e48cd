"""How many tokens a text has, guessed without the model's own tokenizer."""

CHARACTERS_A_TOKEN = 4  # of English and code


def tokens_of(text: str) -> int:
    """At least as many as models count in most texts: other scripts have a token a character, or nearly."""
    plain = len(text.encode("ascii", "ignore"))
    return -(-plain // CHARACTERS_A_TOKEN) + len(text) - plain
