"""What stands in a turn of Cursor's agent: the words of a person, what is put around them, and when that was."""

import re
from datetime import UTC, datetime, timedelta, timezone

from noctuary.transcripts.drafts import Draft, answered
from noctuary.transcripts.fields import time_ms
from noctuary.transcripts.speech import injected, sort_turn
from noctuary.transcripts.tags import part

_QUERY = "<user_query>"
_CONTEXT = (
    "agent_skills",
    "agent_transcripts",
    "attached_files",
    "git_status",
    "image_files",
    "open_and_recently_viewed_files",
    "project_layout",
    "rules",
    "system_notification",
    "system_reminder",
    "timestamp",
    "user_info",
)
_REDACTED = "[REDACTED]"  # stands in transcripts where the model thought
_MONTHS = ("Jan", "Feb", "Mar", "Apr", "May", "Jun", "Jul", "Aug", "Sep", "Oct", "Nov", "Dec")
_TIME = re.compile(
    r"<timestamp>\w+, (\w{3}) (\d{1,2}), (\d{4}), (\d{1,2}):(\d\d)\s([AP])M \(UTC(?:([+-]\d{1,2})(?::(\d\d))?)?\)</"
)


def spoken(role: str, text: str) -> list[Draft]:
    """What was said in a text of a turn; what no human typed is marked."""
    if role != "user":
        return answered(text.rstrip().removesuffix(_REDACTED).rstrip() if text.rstrip().endswith(_REDACTED) else text)
    if "<" not in text or _QUERY in text:
        return sort_turn(text)
    rest, context = text, []
    for tag in _CONTEXT:
        rest, pieces, _ = part(rest, tag, whole=True)
        context += pieces
    return [*(injected(piece) for piece in context), *sort_turn(rest if context else text)]


def said_ms(text: str) -> int:
    """When a prompt was typed, as it says itself; 0 if it does not."""
    found = _TIME.search(text.partition(_QUERY)[0])
    if found is None or found[1] not in _MONTHS:
        return 0
    month, day, year, hour, minute, half, hours, minutes = found.groups()
    off = int(hours or 0) * 60
    off += int(minutes or 0) * (-1 if (hours or "").startswith("-") else 1)
    try:
        zone = timezone(timedelta(minutes=off))
        moment = datetime(int(year), _MONTHS.index(month) + 1, int(day), int(hour) % 12, int(minute), tzinfo=zone)
    except ValueError:
        return 0
    return time_ms((moment + timedelta(hours=12 if half == "P" else 0)).astimezone(UTC).timestamp())
