"""What a user's turn of Grok Build is made of."""

from noctuary.transcripts.drafts import TEXT, USER, Draft
from noctuary.transcripts.speech import injected, sort_turn

_OPENING, _CLOSING = "<user_query>", "</user_query>"


def turn(text: str) -> list[Draft]:
    """What the human typed, out of its wrapping, and what was put around it."""
    before, found, rest = text.partition(_OPENING)
    if not found:
        return sort_turn(text)
    query, _, after = rest.partition(_CLOSING)
    around = [injected(part.strip()) for part in (before, after) if part.strip()]
    return [*around, *([Draft(USER, TEXT, None, query.strip())] if query.strip() else [])]
