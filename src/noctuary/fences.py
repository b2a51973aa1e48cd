"""What programs put into a conversation, and what memory itself did: it is nobody's word.

Whoever puts something of ours into a conversation puts a fence around it with `fenced`; whoever reads conversations
leaves out what is fenced with `without_fenced`, and knows by `is_echo` what repeats memory without a fence.
"""

import re
from collections.abc import Iterator

OURS = "noctuary-recalled"
# Tags of ours, and those by which agents and editors add to what a user typed.
_NAMES = r"noctuary[\w:-]*|system-reminder|environment_context|ide_selection|ide_opened_file|ide_diagnostics"
_NAMES += r"|new-diagnostics"
_BEGINNING = re.compile(rf"<(?:{_NAMES}|!-- noctuary:begin)", re.IGNORECASE)  # of any of what follows
_TAG = re.compile(rf"<(/?)({_NAMES})(?:\s[^<>]*)?>", re.IGNORECASE)
# One that is never closed reaches to the end; on a line of its own, or somebody only speaks of it.
_OPEN = re.compile(rf"^[ \t]*<(?:{_NAMES})(?:\s[^<>]*)?>[ \t]*$.*", re.DOTALL | re.IGNORECASE | re.MULTILINE)
_BLOCK = re.compile(r"^[ \t]*<!-- noctuary:begin\b.*?(?:<!-- noctuary:end -->|\Z)", re.DOTALL | re.MULTILINE)
# Ids of memories as pages and briefs show them, what fences recalled text, and how our own pages begin.
_ECHO = re.compile(
    r"\[m-[0-9a-z]{4,}\]|</?noctuary[\w:-]*\b|<!--\s*/?noctuary|\bnoctuary:(?:recalled|memory|begin|end)\b"
    r"|^\s*\[recalled\b|\brecalled by noctuary\b|^\s*Kept by noctuary\.",
    re.IGNORECASE | re.MULTILINE,
)


def fenced(text: str) -> str:
    """A text of ours as it is put into a conversation; nothing in it ends the fence."""
    harmless = re.sub(rf"<(?=/?{OURS})", "&lt;", text, flags=re.IGNORECASE)
    return f"<{OURS}>\n{harmless}\n</{OURS}>"


def without_fenced(text: str) -> str:
    """What somebody said: the text without all that is fenced, which leaves an empty line."""
    if "<" not in text or not _BEGINNING.search(text):
        return text
    said = "\n\n".join(_unfenced(text))
    if not _BEGINNING.search(said):  # all that was opened is closed, as it mostly is
        return said
    for fence in (_BLOCK, _OPEN):
        said = fence.sub("\n\n", said)
    return said


def _unfenced(text: str) -> Iterator[str]:
    """What stands outside of tags that are closed; each tag is looked at once, however many there are."""
    tags = list(_TAG.finditer(text))
    ends: dict[str, list[re.Match[str]]] = {}
    for tag in reversed(tags):
        if tag[1]:
            ends.setdefault(tag[2].lower(), []).append(tag)  # the first of them last
    start = 0
    for tag in tags:
        closing = ends.get(tag[2].lower(), [])
        while closing and closing[-1].start() < tag.end():
            closing.pop()
        if not tag[1] and tag.start() >= start and closing:
            yield text[start : tag.start()]
            start = closing[-1].end()
    yield text[start:]


def is_echo(text: str) -> bool:
    """Whether a text repeats what memory recalled or wrote, by the marks that all of that carries."""
    small = text.lower()  # most texts have none of these, and to see that is quick
    may_be = "noctuary" in small or "[m-" in small or "[recalled" in small
    return may_be and _ECHO.search(text) is not None
