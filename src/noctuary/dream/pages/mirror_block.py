"""The part of a page that is shown in a project's own files: what to do and what was decided, and little of it."""

from noctuary.dream.pages.layout import DECISIONS, INTRODUCTION, RULES

MOST_LINES = 60
_SHOWN = (f"## {RULES}", f"## {DECISIONS}")


def shortened(body: str) -> str:
    """Rules and decisions of a page; the same for the same page, so that edits of it can be told, too."""
    parts = [part.split("\n") for part in body.split("\n\n") if part.split("\n")[0] in _SHOWN]
    if not parts:
        return ""
    room = MOST_LINES - 2 - 2 - 2 * len(parts)  # marks, introduction, and what stands around each part
    chosen: list[str] = [INTRODUCTION]
    for number, (heading, *lines) in enumerate(parts):
        others = sum(len(part) - 1 for part in parts[number + 1 :])
        share = max(room - others, room // (len(parts) - number))
        chosen.append("\n".join([heading, *lines[:share]]))
        room -= min(share, len(lines))
    return "\n\n".join(chosen)
