"""The coding agents that we know: where their settings are, which events they have, and what they want written down."""

import shutil
from collections.abc import Mapping, Sequence
from pathlib import Path
from typing import NamedTuple

from noctuary.agents.commands import Calls, as_line
from noctuary.settings import Settings

SECONDS = 5  # that an agent waits for a hook; ours ends itself much sooner
_AT_END = 3  # the most that Codex allows there
_LIFE = ("SessionStart", "UserPromptSubmit", "PreCompact", "PostCompact", "Stop", "SubagentStop", "SessionEnd")
EVENTS: Mapping[str, Sequence[str]] = {
    "claude-code": _LIFE,
    "codex": _LIFE,
    # Before a prompt, Cursor takes no context: nothing could be told there.
    "cursor": ("sessionStart", "preCompact", "stop", "subagentStop", "sessionEnd"),
    "gemini": ("SessionStart", "BeforeAgent", "PreCompress", "AfterAgent", "SessionEnd"),
}
AFTER_TOOLS = {"claude-code": "PostToolUse", "codex": "PostToolUse", "cursor": "postToolUse", "gemini": "AfterTool"}
SUBAGENTS = {"claude-code": "SubagentStart"}  # at which a sub-agent can be told something
TITLES = {
    "claude-code": "Claude Code",
    "codex": "Codex",
    "cursor": "Cursor",
    "gemini": "Gemini CLI",
    "opencode": "OpenCode",
    "aider": "Aider",
}
_COMMANDS = {
    "claude-code": ("claude",),
    "codex": ("codex",),
    "cursor": ("cursor", "cursor-agent"),
    "gemini": ("gemini",),
    "opencode": ("opencode",),
    "aider": ("aider",),
}
SERVER = "noctuary"  # the name of our MCP server in settings


class Agent(NamedTuple):
    """A coding agent, and its files on this machine."""

    name: str
    folder: Path  # of its settings
    hooks: Path | None = None  # the file that hooks are written in
    servers: Path | None = None  # the file that MCP servers are written in
    servers_at: tuple[str, ...] = ("mcpServers",)  # where in it

    @property
    def title(self) -> str:
        """What people call it."""
        return TITLES[self.name]

    def is_here(self, settings: Settings) -> bool:
        """Whether it was used on this machine, or can be."""
        path = settings.environ.get("PATH")
        return self.folder.is_dir() or any(shutil.which(command, path=path) for command in _COMMANDS[self.name])

    @property
    def commands(self) -> Sequence[str]:
        """What it is started by."""
        return _COMMANDS[self.name]


def agents_of(settings: Settings) -> list[Agent]:
    """All that we know, wherever this user keeps their settings."""
    user, environ = settings.user_home, settings.environ
    chosen = environ.get("CLAUDE_CONFIG_DIR", "").split(",")[0].strip()
    claude = Path(chosen).expanduser() if chosen else user / ".claude"
    codex = Path(environ.get("CODEX_HOME", "").strip() or user / ".codex").expanduser()
    opencode = Path(environ.get("XDG_CONFIG_HOME") or user / ".config") / "opencode"
    cursor, gemini = user / ".cursor", user / ".gemini"
    return [
        Agent("claude-code", claude, claude / "settings.json", (claude if chosen else user) / ".claude.json"),
        Agent("codex", codex, codex / "hooks.json", codex / "config.toml", ("mcp_servers",)),
        Agent("cursor", cursor, cursor / "hooks.json", cursor / "mcp.json"),
        Agent("gemini", gemini, gemini / "settings.json", gemini / "settings.json"),
        Agent("opencode", opencode, None, _opencode_file(opencode), ("mcp",)),
        Agent("aider", user / ".aider"),
    ]


def _opencode_file(folder: Path) -> Path:
    with_comments = folder / "opencode.jsonc"
    return (
        with_comments
        if with_comments.exists() and not (folder / "opencode.json").exists()
        else folder / "opencode.json"
    )


def events_of(agent: str, *, after_tools: bool = False, for_subagents: bool = False) -> list[str]:
    """The events that our hook is called at."""
    more = [*([AFTER_TOOLS.get(agent)] if after_tools else ()), *([SUBAGENTS.get(agent)] if for_subagents else ())]
    return [*EVENTS.get(agent, ()), *(event for event in more if event)]


def hook_entries(
    agent: str,
    arguments: Sequence[str],
    *,
    at_start: Sequence[str] = (),
    after_tools: bool = False,
    for_subagents: bool = False,
    in_shell: bool = False,
) -> dict[str, object]:
    """What is written below each event, in the shape that the agent wants; `in_shell` if it knows only lines.

    When a session starts another command can be called.
    """
    events = events_of(agent, after_tools=after_tools, for_subagents=for_subagents)
    called = {event: at_start if at_start and event.lower() == "sessionstart" else arguments for event in events}
    return {event: _entry(agent, event, called[event], in_shell=in_shell) for event in events}


def _entry(agent: str, event: str, arguments: Sequence[str], *, in_shell: bool) -> object:
    if agent == "cursor":
        return {"command": as_line(arguments)}  # pages differ on whether its timeout is in seconds; ours is our own
    if agent == "claude-code" and not in_shell:  # started as it is, whatever is in its path
        handler = {"type": "command", "command": arguments[0], "args": [*arguments[1:]], "timeout": SECONDS}
    elif agent == "gemini":
        handler = {"name": SERVER, "type": "command", "command": as_line(arguments), "timeout": SECONDS * 1000}
    else:
        seconds = _AT_END if event == "SessionEnd" and agent == "codex" else SECONDS
        handler = {"type": "command", "command": as_line(arguments), "timeout": seconds}
    return {"hooks": [handler]}


def server_entry(agent: str, calls: Calls) -> dict[str, object]:
    """What is written as the MCP server, in the shape that the agent wants."""
    command, *more = calls.server()
    if agent == "opencode":
        return {"type": "local", "command": [command, *more], "enabled": True}
    if agent == "claude-code":
        return {"type": "stdio", "command": command, "args": more}
    return {"command": command, "args": more}
