"""What stands in a prompt besides the user's own words: that was read, not said."""

import re

_SAID = re.compile(r"\S+")


def besides(content: str, own: str) -> str:
    """What stands in a prompt that is not the user's own: that has blanks in its place, line by line."""
    pairs = zip(content.split("\n"), own.split("\n"), strict=True)
    return "\n".join([_rest(line, said) for line, said in pairs if line != said])


def _rest(line: str, said: str) -> str:
    """The rest of a line besides what was said in it."""
    pieces, at = [], 0
    for word in _SAID.finditer(said):
        pieces.append(line[at : word.start()])
        at = word.end()
    return " ".join([*pieces, line[at:]])
