"""Texts that memory itself put into a conversation: they are nobody's word, and never mined."""

import re

# Ids of memories as pages and briefs show them, what fences recalled text, and how our own pages begin.
_ECHO = re.compile(
    r"\[m-[0-9a-z]{4,}\]|</?noctuary[\w:-]*\b|<!--\s*/?noctuary|\bnoctuary:(?:recalled|memory|begin|end)\b"
    r"|^\s*\[recalled\b|\brecalled by noctuary\b|^\s*Kept by noctuary\.",
    re.IGNORECASE | re.MULTILINE,
)


def is_echo(text: str) -> bool:
    """Whether a text repeats what memory recalled or wrote, by the marks that all of that carries."""
    return _ECHO.search(text) is not None
