"""Our own adapters, each loaded when there is a sign of its agent.

To load all of them takes as long as all else that an import does which has nothing to do, and few people use more than
three agents.

A sign is a folder without which the adapter can find nothing, or a variable that names another place.  That no place is
looked at which has no sign is what `test_ours.py` holds every adapter to.
"""

from collections.abc import Iterator, Mapping
from importlib import import_module
from pathlib import Path
from typing import Any, NamedTuple, cast

from noctuary.transcripts.items import Adapter, Item, Place, Source
from noctuary.transcripts.locations import chosen, data_folders, editor_folders
from noctuary.transcripts.repositories import AIDER, CRUSH, SPECSTORY, folders_with

_TASKS = "globalStorage"
_VS_CODE = ("Code", "Code - Insiders", "Code - OSS", "VSCodium")


class Signs(NamedTuple):
    """What there is of an agent on a machine."""

    home: tuple[str, ...] = ()  # below the home folder
    config: tuple[str, ...] = ()  # below the folder of configurations
    data: tuple[str, ...] = ()  # below the folders of data, on any system
    editor: tuple[str, ...] = ()  # below the folder `User` of an editor
    editors: tuple[str, ...] = ()  # only these, by their names; else all
    left: str = ""  # in the folders that people work in
    variables: tuple[str, ...] = ()

    def are_there(self, home: Path, environ: Mapping[str, str]) -> bool:
        """Whether one of them is."""
        if any(environ.get(name, "").strip() for name in self.variables):
            return True
        return any(map(_exists, self._folders(home, environ))) or bool(self.left and folders_with(home, self.left))

    def _folders(self, home: Path, environ: Mapping[str, str]) -> Iterator[Path]:
        yield from (home / name for name in self.home)
        yield from (chosen(home, environ, "XDG_CONFIG_HOME", ".config") / name for name in self.config)
        for name in self.data:
            yield from data_folders(home, environ, name)
        if self.editor:
            users = editor_folders(home, environ, self.editors) if self.editors else editor_folders(home, environ)
            yield from (user / name for user in users if _exists(user) for name in self.editor)


def _exists(path: Path) -> bool:
    try:
        return path.exists()
    except (OSError, ValueError):  # nobody may look there: then the adapter says so
        return True


class Ours:
    """One of our adapters, which is loaded when there is a sign of its agent, or when something is asked of it."""

    def __init__(self, name: str, made_by: str, signs: Signs, globally_unique: bool) -> None:
        self.name, self.globally_unique, self.signs = name, globally_unique, signs
        self._made_by = made_by
        self._adapter: Adapter | None = None

    @property
    def adapter(self) -> Adapter:
        """The adapter itself."""
        if self._adapter is None:
            module, _, made_by = self._made_by.partition(".")
            self._adapter = cast("Adapter", getattr(import_module(f"noctuary.transcripts.{module}"), made_by)())
        return self._adapter

    def find(self, home: Path, environ: Mapping[str, str]) -> Iterator[Source]:
        """What the adapter finds; nothing if there is no sign of its agent."""
        return self.adapter.find(home, environ) if self.signs.are_there(home, environ) else iter(())

    def find_at(self, path: Path, home: Path, environ: Mapping[str, str]) -> Iterator[Source]:
        """What the adapter finds at a path; nothing if there is no sign of its agent."""
        return self.adapter.find_at(path, home, environ) if self.signs.are_there(home, environ) else iter(())

    def read(self, source: Source, place: Place) -> Iterator[Item]:
        """What the adapter reads."""
        return self.adapter.read(source, place)

    def __getattr__(self, name: str) -> Any:
        return getattr(self.adapter, name)


def every() -> list[Ours]:
    """Each of them, in the order in which they are listed."""
    return [Ours(*each) for each in AGENTS]


class Agent(NamedTuple):
    """An agent: its name, what makes its adapter, its signs, and whether no two of its messages have the same uid."""

    name: str
    made_by: str
    signs: Signs
    globally_unique: bool = False


def _variables(names: str) -> tuple[str, ...]:
    return tuple(names.split())


AGENTS = (
    Agent(
        "claude-code",
        "claude_code.ClaudeCode",
        Signs(home=(".claude", ".config/claude"), variables=_variables("CLAUDE_CONFIG_DIR")),
        globally_unique=True,
    ),
    Agent("codex", "codex.Codex", Signs(home=(".codex",), variables=_variables("CODEX_HOME"))),
    Agent("aider", "aider.Aider", Signs(left=AIDER, variables=_variables("AIDER_CHAT_HISTORY_FILE"))),
    Agent("amp", "amp.Amp", Signs(data=("amp",), editor=(f"{_TASKS}/sourcegraph.amp",))),
    Agent(
        "antigravity",
        "antigravity.Antigravity",
        Signs(
            home=(".gemini/antigravity", ".gemini/antigravity-cli", ".gemini/antigravity-ide"),
            variables=_variables("GEMINI_CLI_HOME"),
        ),
    ),
    Agent("chatgpt", "chatgpt.ChatGpt", Signs(home=("Library/Application Support/com.openai.chat",))),
    Agent("claude.ai", "claude_ai.ClaudeAi", Signs()),
    Agent(
        "cline",
        "cline.Cline",
        Signs(
            home=(".cline",),
            editor=(f"{_TASKS}/saoudrizwan.claude-dev", f"{_TASKS}/saoudrizwan.cline-nightly"),
            variables=_variables("CLINE_DIR CLINE_DATA_DIR CLINE_SESSION_DATA_DIR"),
        ),
    ),
    Agent(
        "copilot-chat",
        "copilot_chat.CopilotChat",
        Signs(editor=("workspaceStorage", _TASKS), editors=_VS_CODE),
    ),
    Agent(
        "copilot-cli",
        "copilot_cli.CopilotCli",
        Signs(home=(".copilot",), variables=_variables("COPILOT_HOME XDG_STATE_HOME")),
        globally_unique=True,
    ),
    Agent("crush", "crush.Crush", Signs(data=("crush",), left=CRUSH, variables=_variables("CRUSH_GLOBAL_DATA"))),
    Agent(
        "cursor",
        "cursor.Cursor",
        Signs(
            home=(".cursor",),
            editor=("workspaceStorage", _TASKS),
            editors=("Cursor",),
            variables=_variables("CURSOR_CONFIG_DIR CURSOR_DATA_DIR WSL_DISTRO_NAME"),
        ),
    ),
    Agent("droid", "droid.Droid", Signs(home=(".factory",), variables=_variables("FACTORY_HOME_OVERRIDE"))),
    Agent(
        "gemini",
        "gemini.Gemini",
        Signs(home=(".gemini/tmp", ".cache/.gemini"), variables=_variables("GEMINI_CLI_HOME")),
    ),
    Agent(
        "goose",
        "goose.Goose",
        Signs(
            home=(".goose",),
            config=("goose",),
            data=("goose", "Block/goose"),
            variables=_variables("GOOSE_PATH_ROOT"),
        ),
    ),
    Agent("grok", "grok.Grok", Signs(home=(".grok",), variables=_variables("GROK_HOME"))),
    Agent(
        "hermes",
        "hermes.Hermes",
        Signs(home=(".hermes", "AppData/Local/hermes"), variables=_variables("HERMES_HOME LOCALAPPDATA")),
    ),
    Agent("kilo", "kilo.Kilo", Signs(home=(".kilocode",), data=("kilo",), editor=(f"{_TASKS}/kilocode.kilo-code",))),
    Agent(
        "kimi",
        "kimi.Kimi",
        Signs(home=(".kimi-code", ".kimi"), variables=_variables("KIMI_CODE_HOME KIMI_SHARE_DIR")),
    ),
    Agent("kiro", "kiro.Kiro", Signs(home=(".kiro",), variables=_variables("KIRO_HOME"))),
    Agent(
        "openclaw",
        "openclaw.OpenClaw",
        Signs(
            home=(".openclaw", ".clawdbot", ".moltbot"),
            variables=_variables("OPENCLAW_STATE_DIR CLAWDBOT_STATE_DIR"),
        ),
    ),
    Agent(
        "opencode",
        "opencode.OpenCode",
        Signs(config=("opencode",), data=("opencode",), variables=_variables("OPENCODE_DB OPENCODE_SQLITE_DB")),
    ),
    Agent(
        "openhands",
        "openhands.OpenHands",
        Signs(
            home=(".openhands", ".openhands-state"),
            variables=_variables("OPENHANDS_PERSISTENCE_DIR OPENHANDS_CONVERSATIONS_DIR FILE_STORE_PATH"),
        ),
    ),
    Agent(
        "pi",
        "pi.Pi",
        Signs(
            home=(".pi", ".omp"),
            variables=_variables("PI_CODING_AGENT_DIR PI_CODING_AGENT_SESSION_DIR PI_SESSIONS_DIR"),
        ),
    ),
    Agent(
        "qwen",
        "qwen.Qwen",
        Signs(home=(".qwen",), variables=_variables("QWEN_HOME QWEN_RUNTIME_DIR")),
        globally_unique=True,
    ),
    Agent(
        "roo",
        "cline.Roo",
        Signs(editor=(f"{_TASKS}/rooveterinaryinc.roo-cline", f"{_TASKS}/rooveterinaryinc.roo-code-nightly")),
    ),
    Agent("specstory", "specstory.SpecStory", Signs(left=SPECSTORY)),
)
