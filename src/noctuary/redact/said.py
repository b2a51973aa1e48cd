"""What is said one after the other: what a command prints that prints a secret is known by its call alone."""

from noctuary.records import Kind
from noctuary.redact.places import prints_secret


def is_printed(content: str, kind: str, call: str | None, printing: set[str]) -> bool:
    """Whether a message is what such a command printed; `printing` are those of which the result is still to come."""
    if call and kind == Kind.TOOL_CALL and prints_secret(content):
        printing.add(call)
    elif call and kind == Kind.TOOL_RESULT and call in printing:
        printing.discard(call)
        return True
    return False
