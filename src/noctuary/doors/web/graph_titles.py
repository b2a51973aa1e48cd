"""Titles in the nodes of the graph: two lines that fit into the shape, whatever letters they have.

How wide a text is depends on the font of whoever looks.  So letters are taken as wide as the widest of the usual fonts
has them, and nothing stands beside its shape.
"""

from unicodedata import category, east_asian_width

from noctuary.graph import NodeType

_LINES = 2
_ROOM = 13.8  # of a line, in sizes of the font
_ROOM_OF_GOALS = 11.6  # which are bold, and whose shape is round
_NARROW = frozenset("ijl.,:;'`!|()[]{}Itfr/\\ -\"")
_BROAD = frozenset("mwMWOQ@%&<>=+~_#…—")
_NO_WIDTH = frozenset({"Mn", "Me", "Cf", "Cc"})


def titled(title: str, kind: NodeType) -> list[str]:
    """The title in lines that fit; what is too long is cut, and says so."""
    room = _ROOM_OF_GOALS if kind is NodeType.GOAL else _ROOM
    left = " ".join(title[:400].split()) or "(no title)"
    lines: list[str] = []
    while left and len(lines) < _LINES:
        end = _end_of_line(left, room)
        lines.append(left[:end])
        left = left[end:].lstrip()
    if left:
        last = lines[-1]
        lines[-1] = last[: _reach(last, room - _width("…"))].rstrip() + "…"
    return lines


def _end_of_line(text: str, room: float) -> int:
    """How much of the text fits: to the end of a word or behind a hyphen, if one ends there."""
    reach = _reach(text, room)
    if reach == len(text) or text[reach] == " ":
        return reach
    return max(text.rfind(" ", 1, reach), text.rfind("-", 1, reach) + 1, 0) or reach


def _reach(text: str, room: float) -> int:
    """How many letters of the text fit; one at least."""
    so_far = 0.0
    for place, letter in enumerate(text):
        so_far += _width(letter)
        if so_far > room:
            return max(1, place)
    return len(text)


def _width(letter: str) -> float:
    """How wide a letter is, in sizes of the font."""
    if category(letter) in _NO_WIDTH:
        return 0.0
    if letter in _NARROW:
        return 0.4
    if letter in _BROAD or east_asian_width(letter) in "WF":
        return 1.0
    return 0.72 if letter.isupper() else 0.63
