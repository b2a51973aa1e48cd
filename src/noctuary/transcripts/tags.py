"""Texts in which a program has put tags around pieces: take such pieces out, or apart."""

from typing import NamedTuple


class Parted(NamedTuple):
    """A text without the pieces that had a tag around them, and these pieces."""

    rest: str
    pieces: list[str]
    attributes: list[str]  # of each piece, as they are written


def part(text: str, tag: str, *, whole: bool = False) -> Parted:
    """Take out every piece within a tag that is closed; `whole` pieces keep their tags."""
    opening, closing = f"<{tag}", f"</{tag}>"
    if opening not in text:
        return Parted(text, [], [])
    rest: list[str] = []
    pieces: list[str] = []
    attributes: list[str] = []
    at = 0
    while (start := text.find(opening, at)) >= 0:
        after = start + len(opening)
        if text[after : after + 1] not in (" ", ">", "\n"):  # a tag of which this is only how it begins
            rest.append(text[at:after])
            at = after
            continue
        inner = text.find(">", after) + 1
        end = text.find(closing, inner) if inner else -1
        if end < 0:
            break
        rest.append(text[at:start])
        at = end + len(closing)
        pieces.append(text[start:at] if whole else text[inner:end].strip())
        attributes.append(text[after : inner - 1].strip())
    rest.append(text[at:])
    return Parted("".join(rest), pieces, attributes)
