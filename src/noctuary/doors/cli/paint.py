"""Colours, marks and widths: what text looks like on a terminal, and what of it may reach one.

Stored text is other people's: escape sequences, control and invisible characters are taken out before printing.
"""

import os
import re
import sys
from functools import cache
from unicodedata import combining, east_asian_width

import click

from noctuary.unseen import seen

_ESCAPE = r"(?:\x1b\[|\x9b)[0-?]*[ -/]*[@-~]|(?:\x1b\]|\x9d)[^\x07\x1b\x9c]*(?:\x07|\x1b\\|\x9c)?|\x1b[ -/]*[0-~]"
_MARKED = r"(?<!\\)>>>(.*?)(?<!\\)<<<"
_NARROWEST, _USUAL, _WIDEST = 40, 80, 120


@cache
def is_terminal() -> bool:
    """Whether people, not programs, read what is printed."""
    return sys.stdout.isatty()


@cache
def has_colours() -> bool:
    """Whether colours may be used; see no-color.org."""
    return is_terminal() and not os.environ.get("NO_COLOR") and os.environ.get("TERM") != "dumb"


def safe(text: str) -> str:
    """The text without anything that a terminal would obey instead of show; lines and tabs stay."""
    if "\x1b" in text or "\x9b" in text or "\x9d" in text:
        text = re.sub(_ESCAPE, "", text)
    return seen(text)


def one_line(text: str) -> str:
    """The text, safe and on one line."""
    return " ".join(safe(text).split())


def highlighted(snippet: str) -> str:
    """A snippet on one line with its matches in colour; where there are no colours its marks stay."""
    line = one_line(snippet)
    if not has_colours():
        return line
    painted = re.sub(_MARKED, lambda match: click.style(match[1], fg="yellow", bold=True), line)
    return painted.replace("\\>>>", ">>>").replace("\\<<<", "<<<")


def wrapped(text: str, indent: str) -> str:
    """The text in lines that fit the terminal, all but the first indented; elsewhere one line."""
    if not is_terminal():
        return text
    lines, room = [""], line_width() - len(indent)
    for word in text.split(" "):
        longer = f"{lines[-1]} {word}" if lines[-1] else word
        if width(click.unstyle(longer)) > room and lines[-1]:
            lines.append(word)
        else:
            lines[-1] = longer
    return f"\n{indent}".join(lines)


def bold(text: str) -> str:
    """Text that stands out."""
    return click.style(text, bold=True) if has_colours() else text


def dim(text: str) -> str:
    """Text that steps back."""
    return click.style(text, dim=True) if has_colours() else text


def coloured(text: str, colour: str) -> str:
    """Text in a colour."""
    return click.style(text, fg=colour) if has_colours() else text


@cache
def line_width() -> int:
    """How many columns a line may have."""
    given = os.environ.get("COLUMNS", "")
    return max(_NARROWEST, min(_WIDEST, int(given) if given.isdecimal() else _columns()))


def _columns() -> int:
    try:
        return os.get_terminal_size(sys.stdout.fileno()).columns or _USUAL
    except (OSError, ValueError):  # no terminal
        return _USUAL


def width(text: str) -> int:
    """How many columns the text takes; letters of East Asia take two."""
    if text.isascii():
        return len(text)
    return sum(0 if combining(c) else 2 if east_asian_width(c) in "WF" else 1 for c in text)


def clipped(text: str, columns: int) -> str:
    """The text within so many columns, an ellipsis at its end if something was left out."""
    if width(text) <= columns:
        return text
    kept, used = "", 0
    for letter in text:
        used += width(letter)
        if used > columns - 1:
            break
        kept += letter
    return kept.rstrip() + "…"


def padded(text: str, columns: int) -> str:
    """The text, filled up with spaces to so many columns."""
    return text + " " * (columns - width(text))
