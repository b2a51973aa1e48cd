"""What a hook may say, by the contract of each agent; where nothing may be said, or there is nothing, it is silent."""

from noctuary.doors.hook.events import CLAUDE_CODE, CODEX, CURSOR, Event
from noctuary.doors.hook.json_reading import written

TYPE_CHECKING = False
if TYPE_CHECKING:
    from noctuary.doors.hook.json_reading import Written

MOST = 9_500  # what is longer agents put into a file, of which the model sees the beginning
_ANSWERED = {"SessionStart", "UserPromptSubmit", "PostToolUse"}


def can_be_told(event: Event) -> bool:
    """Whether this agent gives what we say at this event to the model."""
    return _is_answered(event) and not (event.agent == CURSOR and event.name == "UserPromptSubmit")


def _is_answered(event: Event) -> bool:
    """Whether anything may be said; of sub-agents that begin only Claude Code hears."""
    return event.name in _ANSWERED or (event.name == "SubagentStart" and event.agent == CLAUDE_CODE)


def can_be_shown(event: Event) -> bool:
    """Whether this agent shows its user a message at this event, and it is one of the user's own sessions."""
    return event.name == "SessionStart" and event.agent != CURSOR and not event.is_of_subagent


def answer(event: Event, context: str = "", message: str = "") -> bytes:
    """The output for an event: context for the model, and a message that its user sees; empty if there is none."""
    if not _is_answered(event):
        return b""
    fitted = _fitted(context, event.agent) if context and can_be_told(event) else ""
    fields = _for_cursor(event, fitted) if event.agent == CURSOR else _for_others(event, fitted, message)
    return written(fields).encode("ascii") if fields else b""


def _for_cursor(event: Event, context: str) -> "dict[str, Written]":
    fields: dict[str, Written] = {} if event.name == "PostToolUse" else {"continue": True}
    if context:
        fields["additional_context"] = context
    return fields if context or event.name == "UserPromptSubmit" else {}


def _for_others(event: Event, context: str, message: str) -> "dict[str, Written]":
    fields: dict[str, Written] = {"systemMessage": message} if message else {}
    is_due = event.agent == CODEX and event.name == "SessionStart"  # which takes silence for an error
    if context or is_due:
        fields["hookSpecificOutput"] = {"hookEventName": event.given_name, "additionalContext": context}
    return fields


def _fitted(text: str, agent: str) -> str:
    """The text without the lines before its last one that are too many, so that a fence stays closed."""
    if _size(text, agent) <= MOST:
        return text
    *lines, last = text.split("\n")
    room = MOST - _size(last, agent)
    kept = []
    for line in lines:
        room -= _size(line, agent) + 1
        if room < 0:
            break
        kept.append(line)
    return "\n".join([*kept, last]) if kept else ""


def _size(text: str, agent: str) -> int:
    """How long an agent takes a text to be: Codex counts bytes, the others the units of UTF-16."""
    if agent == CODEX:
        return len(text.encode("utf-8", "surrogatepass"))
    return len(text) + (0 if text.isascii() else sum(letter > "\uffff" for letter in text))
