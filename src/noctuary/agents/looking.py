"""Look at which agents have our entries, and whether what these name is there: for the doctor."""

import shlex
from pathlib import Path

from noctuary.agents import jsonc, settings_files, toml_text
from noctuary.agents.changes import Installed
from noctuary.agents.commands import MARK, arguments_of, is_our_server
from noctuary.agents.known import Agent, agents_of
from noctuary.agents.merging import Wanted, handlers_in, server_in
from noctuary.errors import BadSettings
from noctuary.settings import Settings

_AGAIN = "`noctuary install` writes them anew."
_OF_A_SHELL = 3  # words: the shell, an option and a line
_AFTER_PYTHON = 3  # words stands the file in a line of ours


def installed(settings: Settings) -> list[Installed]:
    """The agents that have entries of ours; settings that cannot be read are told as a problem."""
    return [found for agent in agents_of(settings) if (found := _looked_at(agent))]


def _looked_at(agent: Agent) -> Installed | None:
    try:
        handlers = handlers_in(_text_of(agent.hooks)) if agent.hooks else []
        entry = _server_of(agent)
    except BadSettings as error:
        return Installed(agent.name, agent.title, False, False, f"its settings cannot be read: {error}")
    has_server = is_our_server(entry)
    if not handlers and not has_server:
        return None
    files = [each for handler in handlers for each in _named_by(handler)]
    if has_server and isinstance(entry, dict):
        command = entry["command"]
        files.append(command[0] if isinstance(command, list) else command)
    missing = [each for each in dict.fromkeys(files) if not Path(each).exists()]
    problem = f"its entries name {missing[0]}, which is not there. {_AGAIN}" if missing else ""
    if handlers and not problem and (why := why_hooks_are_off(agent)):
        problem = f"hooks are turned off in {why}, so it does not call ours."
    return Installed(agent.name, agent.title, bool(handlers), has_server, problem)


def why_hooks_are_off(agent: Agent) -> str:
    """Where the user of an agent has turned all hooks off; empty if nowhere."""
    try:
        if agent.name == "codex" and agent.servers:
            features = toml_text.read(settings_files.text_of(agent.servers) or "").get("features")
            off = isinstance(features, dict) and False in (features.get("hooks"), features.get("codex_hooks"))
            return f"{agent.servers} (features)" if off else ""
        root = jsonc.skim(settings_files.text_of(agent.hooks) or "") if agent.hooks else None
    except BadSettings:
        return ""  # said elsewhere
    data = root.data if root and isinstance(root.data, dict) else {}
    if agent.name == "claude-code" and data.get("disableAllHooks") is True:
        return f"{agent.hooks} (disableAllHooks)"
    config = data.get("hooksConfig")
    is_off = agent.name == "gemini" and isinstance(config, dict) and config.get("enabled") is False
    return f"{agent.hooks} (hooksConfig)" if is_off else ""


def _text_of(path: Path) -> str:
    return settings_files.text_of(settings_files.target_of(path)) or ""


def _server_of(agent: Agent) -> object:
    if agent.servers is None:
        return None
    wanted = Wanted(agent.name, {}, None, agent.servers_at, agent.servers.suffix == ".toml")
    return server_in(_text_of(agent.servers), wanted)


def _named_by(handler: object) -> list[str]:
    """The Python and the file of the hook that a handler names."""
    words = arguments_of(handler) or []
    if len(words) == _OF_A_SHELL:
        try:
            words = shlex.split(words[-1])
        except ValueError:
            return []
    files = [at for at, each in enumerate(words) if each.replace("\\", "/").endswith(MARK)]
    return [words[max(0, files[0] - _AFTER_PYTHON)], words[files[0]]] if files else words[:1]
