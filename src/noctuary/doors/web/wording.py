"""Filters of the templates: times, numbers and stored texts as a page shows them."""

import re
from collections.abc import Callable, Mapping
from typing import Any
from urllib.parse import quote

from markupsafe import Markup, escape

from noctuary.doors.cli.paint import one_line, safe
from noctuary.doors.cli.words import counted, last_part, size, title_of
from noctuary.moments import show_day, show_time

_MARKED = re.compile(r"(?<!\\)>>>(.*?)(?<!\\)<<<", re.DOTALL)


def marked(snippet: str) -> Markup:
    """A snippet on one line, with its matches marked as such."""
    line = one_line(snippet)
    pieces, end = [], 0
    for match in _MARKED.finditer(line):
        pieces += [
            escape(_unescaped(line[end : match.start()])),
            Markup("<mark>{}</mark>").format(_unescaped(match[1])),
        ]
        end = match.end()
    return Markup("").join([*pieces, escape(_unescaped(line[end:]))])


def _unescaped(text: str) -> str:
    return text.replace("\\>>>", ">>>").replace("\\<<<", "<<<")


def moment(ts_ms: int | None) -> Markup:
    """Day and minute as a <time>, which a script may show in the time of the reader; nothing if it is not known."""
    shown = show_time(ts_ms)
    if not shown:
        return Markup("")
    return Markup('<time datetime="{}Z" title="{} UTC">{}</time>').format(shown.replace(" ", "T"), shown, shown)


def day(ts_ms: int | None) -> Markup:
    """The same for the day alone."""
    shown = show_day(ts_ms)
    return Markup('<time datetime="{}">{}</time>').format(shown, shown) if shown else Markup("")


def in_address(text: object) -> str:
    """Any text as one piece of an address: an id in a path, a word in a query."""
    return quote(str(text).encode("utf-8", "surrogatepass"), safe="")


def short(text: str | None, most: int = 120) -> str:
    """The beginning of a text on one line."""
    words = one_line((text or "")[: most * 4])
    return words if len(words) <= most else words[: most - 1].rstrip() + "…"


FILTERS: Mapping[str, Callable[..., Any]] = {
    "bytes": size,
    "counted": counted,
    "day": day,
    "in_address": in_address,
    "last_part": last_part,
    "marked": marked,
    "moment": moment,
    "one_line": one_line,
    "safe_text": safe,
    "short": short,
    "title_of": title_of,
}
