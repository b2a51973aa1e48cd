"""Text of others inside a Markdown page of ours: it shows what was written and cannot break out of its place.

A title is plain text, so every sign of it is shown as it was typed.  A description is Markdown and stays so, but for
what would change the page around it: headings, HTML, and blocks of code that are never closed.
"""

import re
from collections.abc import Iterator

# Underscores within a word and a lone & mean nothing, and stay readable in the source.
_SIGNS = re.compile(r"[\\`*\[\]<>|~]|(?<![^\W_])_|_(?![^\W_])|&(?=#?\w{1,32};)|(?<!\S)#", re.UNICODE)
_FENCE = re.compile(r" {0,3}(?:(`{3,})[^`]*|(~{3,}).*)")
_HEADING = re.compile(r"( {0,3})(#{1,6})(?=\s|$)")
_UNDERLINE = re.compile(r"( {0,3})(=+|-+)\s*")
_TAG = re.compile(r"(?<!\\)((?:\\\\)*)<(?=[A-Za-z/!?])")
_TICKS = re.compile(r"\\.|(`+)")


def one_line(text: str) -> str:
    """The text in one line; what is one line already stays as it is, to the byte."""
    lines = text.splitlines()
    return text if lines == [text] else " ".join(part for line in lines if (part := line.strip()))


def plain(text: str) -> str:
    """A title or a name, in one line and without meaning to Markdown."""
    return _SIGNS.sub(lambda sign: f"\\{sign.group()}", one_line(text))


def contained(text: str) -> str:
    """A text in Markdown, without headings and HTML, and with every block of code closed."""
    lines: list[str] = []
    paragraph: list[str] = []
    fence = ""
    for line in text.strip("\r\n").splitlines():
        if fence:
            lines.append(line)
            fence = "" if _closes(line, fence) else fence
        elif opening := _FENCE.fullmatch(line):
            lines += [*_without_html(paragraph), line.lstrip(" ")]  # at the margin no list can end it before its time
            paragraph, fence = [], opening[1] or opening[2]
        elif line.strip():
            paragraph.append(line)
        else:
            lines += [*_without_html(paragraph), ""]
            paragraph = []
    return "\n".join([*lines, *_without_html(paragraph), *([fence] if fence else [])])


def labelled(label: str, text: str) -> str:
    """A bold label and what it is about: behind it if that is one line, else below."""
    shown = contained(text.strip())
    return f"**{label}:**\n\n{shown}" if "\n" in shown else f"**{label}:** {shown}"


def _closes(line: str, fence: str) -> bool:
    end = line.strip()
    return len(line) - len(line.lstrip(" ")) <= 3 and len(end) >= len(fence) and set(end) == {fence[0]}


def _without_html(paragraph: list[str]) -> Iterator[str]:
    """The lines with tags as text, except in code; code is trusted only if none of it runs over a line's end."""
    pieces = [_pieces(line) for line in paragraph]
    is_trusted = all(piece is not None for piece in pieces)
    for number, (line, parts) in enumerate(zip(paragraph, pieces, strict=True)):
        safe = "".join(_safe(part, is_code=is_code) for part, is_code in parts or ()) if is_trusted else _safe(line)
        safe = _HEADING.sub(r"\1\\\2", safe, count=1) if _HEADING.match(safe) else safe
        yield f"\\{safe.lstrip()}" if number and _UNDERLINE.fullmatch(safe) else safe


def _safe(text: str, *, is_code: bool = False) -> str:
    return text if is_code else _TAG.sub(r"\1&lt;", text)


def _pieces(line: str) -> list[tuple[str, bool]] | None:
    """The line in pieces, each code or not; None if a run of backticks has no partner, or a bar may split a table."""
    pieces: list[tuple[str, bool]] = []
    start = 0
    at = 0
    while found := _TICKS.search(line, at):
        at = found.end()
        if found[1]:
            partner = re.compile(rf"(?<!`){found[1]}(?!`)").search(line, at)
            if partner is None or "|" in line[at : partner.start()]:
                return None
            pieces += [(line[start : found.start()], False), (line[found.start() : partner.end()], True)]
            start = at = partner.end()
    return [*pieces, (line[start:], False)]
