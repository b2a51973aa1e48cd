"""What an agent tells a hook: four agents with names of their own for the same things, read into one shape.

Whatever is given may be missing, of another type, or hostile: a text that is none counts as empty.
"""

AGENTS = ("claude-code", "codex", "cursor", "gemini")
CLAUDE_CODE, CODEX, CURSOR, GEMINI = AGENTS

# As Claude Code calls them; what the others say stands beside it.
NAMES = {
    "SessionStart": "SessionStart",
    "sessionStart": "SessionStart",
    "UserPromptSubmit": "UserPromptSubmit",
    "beforeSubmitPrompt": "UserPromptSubmit",
    "BeforeAgent": "UserPromptSubmit",
    "PostToolUse": "PostToolUse",
    "postToolUse": "PostToolUse",
    "AfterTool": "PostToolUse",
    "PreCompact": "PreCompact",
    "preCompact": "PreCompact",
    "PreCompress": "PreCompact",
    "PostCompact": "PostCompact",
    "Stop": "Stop",
    "stop": "Stop",
    "AfterAgent": "Stop",
    "SubagentStart": "SubagentStart",
    "SubagentStop": "SubagentStop",
    "subagentStop": "SubagentStop",
    "SessionEnd": "SessionEnd",
    "sessionEnd": "SessionEnd",
}
# Somebody waits while these are dealt with, so they have less time than all others, in seconds after a hook began.
PROMPTS = ("UserPromptSubmit", "PostToolUse")
SECONDS, SECONDS_OF_A_PROMPT = 1.0, 0.3
_GEMINI_ONLY = {"BeforeAgent", "AfterAgent", "AfterTool", "PreCompress"}
_MOST_PATH, _MOST_NAME, _MOST_SUMMARY, _MOST_ASKED = 4_096, 256, 60_000, 4_000
_MOST_PIECES = 400

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Iterator, Mapping


class Event:
    """Something that happened in a session."""

    __slots__ = (
        "agent",
        "asked",
        "cwd",
        "given_name",
        "is_of_subagent",
        "name",
        "reason",
        "seconds",
        "session",
        "summary",
        "transcript",
    )

    def __init__(self, given: "Mapping[str, object]", given_name: str, agent: str) -> None:
        self.name = NAMES[given_name]
        self.given_name = given_name  # as this agent calls it
        self.agent = agent
        self.seconds = SECONDS_OF_A_PROMPT if self.name in PROMPTS else SECONDS  # that a hook has for it
        self.session = _text(given, "session_id", "conversation_id", most=_MOST_NAME)
        self.cwd = _text(given, "cwd", most=_MOST_PATH) or _first(given.get("workspace_roots"))
        of_subagent = "agent_transcript_path" if self.name == "SubagentStop" else "transcript_path"
        self.transcript = _text(given, of_subagent, "transcript_path", most=_MOST_PATH)
        self.summary = _text(given, "compact_summary", most=_MOST_SUMMARY)
        self.reason = _text(given, "reason", "trigger", "source", "status", most=_MOST_NAME)
        # `agent_type` alone is told of a session that somebody started as an agent of that type.
        self.is_of_subagent = bool(_text(given, "agent_id", most=_MOST_NAME))
        self.asked = _asked(self.name, given)

    def note(self, now_ms: int, owner: str) -> "dict[str, str | int]":
        """What is left in the inbox: the fields of `noctuary.inbox.Note` that say something."""
        note: dict[str, str | int] = {"event": self.name, "at_ms": now_ms}
        texts = {
            "agent": self.agent,
            "session": self.session,
            "cwd": self.cwd,
            "transcript": self.transcript,
            "summary": self.summary,
            "owner": owner,
            "reason": self.reason,
        }
        note.update((name, text) for name, text in texts.items() if text)
        return note


def event_in(given: "Mapping[str, object]", agent: str = "") -> Event | None:
    """The event that an agent tells of; None if it is one that nobody waits for."""
    name = given.get("hook_event_name")
    if not isinstance(name, str) or name not in NAMES:
        return None
    return Event(given, name, agent if agent in AGENTS else _agent_of(given, name))


def _agent_of(given: "Mapping[str, object]", name: str) -> str:
    """Whose way of speaking this is."""
    if "conversation_id" in given or name[0].islower():
        return CURSOR
    if name in _GEMINI_ONLY:
        return GEMINI
    return CODEX if "turn_id" in given else CLAUDE_CODE


def _text(given: "Mapping[str, object]", *names: str, most: int) -> str:
    for name in names:
        value = given.get(name)
        if isinstance(value, str) and value:
            return value[:most]
    return ""


def _first(values: object) -> str:
    first = values[0] if isinstance(values, list) and values else ""
    return first[:_MOST_PATH] if isinstance(first, str) else ""


def _asked(name: str, given: "Mapping[str, object]") -> str:
    """What memory may bear on: the words of a prompt, or of what a tool was given."""
    if name == "UserPromptSubmit":
        return _text(given, "prompt", most=_MOST_ASKED)
    if name == "PostToolUse":
        return "\n".join(_texts_in(given.get("tool_input")))[:_MOST_ASKED]
    return ""


def _texts_in(value: object) -> "Iterator[str]":
    """The first texts in what a tool was given, however they are nested."""
    waiting = [value]
    for _ in range(_MOST_PIECES):
        if not waiting:
            return
        each = waiting.pop()
        if isinstance(each, str):
            yield each[:_MOST_ASKED]
        elif isinstance(each, dict):
            waiting.extend(list(each.values())[:_MOST_PIECES])
        elif isinstance(each, list):
            waiting.extend(each[:_MOST_PIECES])
