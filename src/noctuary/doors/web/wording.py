"""Filters of the templates: times, numbers and stored texts as a page shows them.

What makes markup of a stored text escapes it here and takes out what nobody sees; everything else is escaped by the
templates themselves.
"""

import re
from collections.abc import Callable, Iterator, Mapping
from itertools import pairwise
from typing import Any
from urllib.parse import quote

from markupsafe import Markup, escape

from noctuary.doors.cli.paint import one_line, safe
from noctuary.doors.cli.words import counted, last_part, size, title_of
from noctuary.moments import show_day, show_time

_MARKED = re.compile(r"(?<!\\)>>>(.*?)(?<!\\)<<<", re.DOTALL)
_FENCED = re.compile(r"^(```+|~~~+)[^\n`]*\n(.*?)(?:^\1[`~]*[ \t]*$|\Z)", re.DOTALL | re.MULTILINE)
_PARAGRAPHS = re.compile(r"\n[ \t]*\n(?:[ \t]*\n)*|\n(?= {0,3}#{1,6}[ \t])")
_HEADING = re.compile(r" {0,3}#{1,6}[ \t]+(\S[^\n]*)")
_ITEM = re.compile(r"^[ \t]*(?:[-*+•]|\d{1,3}[.)])[ \t]+(?=\S)", re.MULTILINE)
_PARAGRAPH, _LINE_OF_LIST = Markup('<p dir="auto">{}</p>'), Markup('<p class="item" dir="auto">{}</p>')
_PLAIN_ID = re.compile(r"[A-Za-z0-9_~-][A-Za-z0-9_.~-]*")
_INLINE = re.compile(r"`([^`\n]+)`|\*\*([^*\n]+)\*\*")


def marked(snippet: str) -> Markup:
    """A snippet on one line, with its matches marked as such."""
    line = one_line(snippet)
    pieces, end = [], 0
    for match in _MARKED.finditer(line):
        pieces.append(escape(_unescaped(line[end : match.start()])))
        pieces.append(Markup("<mark>{}</mark>").format(_unescaped(match[1])))
        end = match.end()
    return Markup("").join([*pieces, escape(_unescaped(line[end:]))])


def _unescaped(text: str) -> str:
    return text.replace("\\>>>", ">>>").replace("\\<<<", "<<<")


def speech(text: str) -> Markup:
    """What somebody said, with its blocks of code, headings, paragraphs and stresses; addresses stay text."""
    text = safe(text.replace("\r\n", "\n"))
    pieces: list[Markup] = []
    end = 0
    for fenced in _FENCED.finditer(text):
        pieces += _prose(text[end : fenced.start()])
        pieces.append(Markup('<pre tabindex="0"><code>{}</code></pre>').format(fenced[2].rstrip("\n")))
        end = fenced.end()
    return Markup("\n").join([*pieces, *_prose(text[end:])])


def _prose(text: str) -> Iterator[Markup]:
    for paragraph in _PARAGRAPHS.split(text.strip("\n")):
        rest = paragraph
        while heading := _HEADING.match(rest):
            yield Markup('<p class="heading" dir="auto">{}</p>').format(inline(heading[1]))
            rest = rest[heading.end() :].lstrip("\n")
        if rest.lstrip().startswith("|"):  # a table: its columns stand below each other if letters are of one width
            yield Markup('<pre tabindex="0"><code>{}</code></pre>').format(rest.strip("\n"))
        elif rest.strip():
            yield from _items(rest.rstrip())


def _items(text: str) -> Iterator[Markup]:
    """A paragraph; lines of a list in it are paragraphs of their own, so that their second line is indented, too."""
    edges = [0, *(match.start() for match in _ITEM.finditer(text) if match.start()), len(text)]
    for start, end in pairwise(edges):
        shown = _LINE_OF_LIST if _ITEM.match(text, start) else _PARAGRAPH
        yield shown.format(inline(text[start:end].rstrip("\n")))


def inline(text: str) -> Markup:
    """A sentence in which `code` and **stresses** are shown as such."""
    text = safe(text)
    pieces, end = [], 0
    for match in _INLINE.finditer(text):
        pieces.append(escape(text[end : match.start()]))
        shown = Markup("<code>{}</code>") if match[1] else Markup("<strong>{}</strong>")
        pieces.append(shown.format(match[1] or match[2]))
        end = match.end()
    return Markup("").join([*pieces, escape(text[end:])])


def moment(ts_ms: int | None) -> Markup:
    """Day and minute in UTC as a <time>; nothing if it is not known."""
    shown = show_time(ts_ms)
    return Markup('<time datetime="{}Z">{}</time>').format(shown.replace(" ", "T"), shown) if shown else Markup("")


def minute(ts_ms: int | None) -> Markup:
    """The same, but only the hour and the minute are shown: the day stands above."""
    shown = show_time(ts_ms)
    if not shown:
        return Markup("")
    return Markup('<time datetime="{}Z" title="{} UTC">{}</time>').format(shown.replace(" ", "T"), shown, shown[11:])


def day(ts_ms: int | None) -> Markup:
    """The same for the day alone."""
    shown = show_day(ts_ms)
    return Markup('<time datetime="{}">{}</time>').format(shown, shown) if shown else Markup("")


def in_address(text: object) -> str:
    """Any text as one piece of an address: an id in a path, a word in a query."""
    return quote(str(text).encode("utf-8", "replace"), safe="")


def session_address(session_id: str, message: int | None = None, **more: object) -> str:
    """Where a session is read: from its beginning, around one of its messages, or as `more` says.

    An id that is no plain word would be changed on its way: browsers take dots and slashes as steps of a path.
    """
    fields = {"at": message, **more} if message is not None else dict(more)
    is_plain = _PLAIN_ID.fullmatch(session_id)
    place = "/sessions/" + (session_id if is_plain else "")
    pairs = [*([] if is_plain else [("id", session_id)]), *fields.items()]
    query = "&".join(f"{name}={in_address(value)}" for name, value in pairs)
    return place + (f"?{query}" if query else "") + (f"#m{message}" if message is not None else "")


def short(text: str | None, most: int = 120) -> str:
    """The beginning of a text on one line."""
    words = one_line((text or "")[: most * 4])
    return words if len(words) <= most else words[: most - 1].rstrip() + "…"


FILTERS: Mapping[str, Callable[..., Any]] = {
    "bytes": size,
    "counted": counted,
    "day": day,
    "in_address": in_address,
    "inline": inline,
    "last_part": last_part,
    "marked": marked,
    "minute": minute,
    "moment": moment,
    "one_line": one_line,
    "session_address": session_address,
    "short": short,
    "speech": speech,
    "title_of": title_of,
}
