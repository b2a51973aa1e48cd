"""Install: plan what is put into the settings of each agent, put it in, and try it."""

import importlib.util
from collections.abc import Iterator, Sequence
from pathlib import Path
from typing import NamedTuple

from noctuary.agents import jsonc, settings_files, toml_text
from noctuary.agents.changes import AgentChange, FileChange, Outcome
from noctuary.agents.checking import Trials, takes_arguments
from noctuary.agents.commands import Calls, arguments_of
from noctuary.agents.known import Agent, agents_of, hook_entries, server_entry
from noctuary.agents.looking import why_hooks_are_off
from noctuary.agents.merging import Merged, Wanted, handlers_in, merged, server_in
from noctuary.agents.remembered import Remembered, digest_of, done_last, keep_backup, remember, remembered
from noctuary.agents.uninstalling import take_out
from noctuary.errors import BadSettings, NoctuaryError
from noctuary.settings import Settings

OURS = "noctuary"  # stands for our own settings, beside the names of agents
TRUST = "Codex runs new hooks only when you have trusted them: type /hooks in Codex."
NO_SERVER = (
    "The MCP server is left out, as its library is not installed: pip install 'noctuary[mcp]', then run this again."
)


class Order(NamedTuple):
    """What to install."""

    calls: Calls
    agents: Sequence[str] = ()  # none: all that are on this machine
    has_server: bool = True
    with_recall: bool = False


def has_server_library() -> bool:
    """Whether the library that the MCP server needs is installed."""
    return importlib.util.find_spec("mcp") is not None


def plan(settings: Settings, order: Order) -> list[AgentChange]:
    """What would be done, agent by agent; nothing is done."""
    changes = [_plan_of(agent, settings, order) for agent in _chosen(settings, order)]
    return [*changes, *([_plan_of_recall(settings)] if order.with_recall else ())]


def install(settings: Settings, order: Order) -> list[Outcome]:
    """Put it in and try it; what does not work is taken out again."""
    trials = Trials(settings.environ)
    outcomes = [_install_to(agent, settings, order, trials) for agent in _chosen(settings, order)]
    return [*outcomes, *([_install_recall(settings)] if order.with_recall else ())]


def _chosen(settings: Settings, order: Order) -> list[Agent]:
    known = agents_of(settings)
    return [each for each in known if (each.name in order.agents if order.agents else each.is_here(settings))]


def _wanted(agent: Agent, settings: Settings, order: Order) -> Iterator[tuple[Path, Wanted]]:
    """Each file of an agent, with what it should hold."""
    wanted = {"after_tools": _wants(settings, "tool_recall"), "for_subagents": _wants(settings, "subagent_brief")}
    in_shell = agent.name == "claude-code" and not takes_arguments(settings.environ)
    line, first = order.calls.hook(agent.name), order.calls.hook(agent.name, is_start=True)
    entries = hook_entries(agent.name, line, at_start=first, in_shell=in_shell, **wanted)
    hooks = entries if agent.hooks else {}
    server = server_entry(agent.name, order.calls) if order.has_server else None
    if agent.hooks and agent.hooks == agent.servers:
        yield agent.hooks, Wanted(agent.name, hooks, server, agent.servers_at)
        return
    if agent.hooks:
        yield agent.hooks, Wanted(agent.name, hooks)
    if agent.servers:
        yield agent.servers, Wanted(agent.name, {}, server, agent.servers_at, agent.servers.suffix == ".toml")


def _wants(settings: Settings, switch: str) -> bool:
    return isinstance(settings.hooks_table, dict) and settings.hooks_table.get(switch) is True


def _plan_of(agent: Agent, settings: Settings, order: Order) -> AgentChange:
    if plugged := _plugged_in(agent):
        return AgentChange(agent.name, agent.title, notes=(plugged,))
    files, notes = [], list(_notes_on(agent, order))
    for path, wanted in _wanted(agent, settings, order):
        change, is_foreign = _plan_of_file(path, wanted, settings)
        files += [change] if change.is_change or change.problem else []
        if is_foreign:
            notes.append(f"{path} has an MCP server `noctuary` that install did not write; it stays as it is.")
    if agent.name == "codex" and any(file.path == agent.hooks and file.is_change for file in files):
        notes.append(TRUST)
    return AgentChange(agent.name, agent.title, tuple(files), tuple(notes))


def _notes_on(agent: Agent, order: Order) -> Iterator[str]:
    if not agent.hooks and not agent.servers:
        yield f"{agent.title} has neither hooks nor MCP, so there is nothing to add to it."
    elif not agent.hooks:
        yield f"{agent.title} calls no command at its events, so its sessions are told nothing when they begin."
    if agent.servers and not order.has_server:
        yield NO_SERVER
    if (why := why_hooks_are_off(agent)) and agent.hooks:
        yield f"Hooks are turned off in {why}; until that is changed {agent.title} does not call ours."


def _plugged_in(agent: Agent) -> str:
    """What to say if the agent has us as a plug-in already, whose hooks would be called twice."""
    try:
        if agent.name == "claude-code" and agent.hooks:
            root = jsonc.skim(settings_files.text_of(agent.hooks) or "")
            plugins = root.data.get("enabledPlugins") if root and isinstance(root.data, dict) else None
        elif agent.name == "codex" and agent.servers:
            given = toml_text.read(settings_files.text_of(agent.servers) or "").get("plugins")
            tables = given.items() if isinstance(given, dict) else ()
            plugins = {name: isinstance(table, dict) and table.get("enabled", True) for name, table in tables}
        else:
            return ""
    except BadSettings:
        return ""
    names = [name for name, is_on in plugins.items() if is_on is True] if isinstance(plugins, dict) else []
    if any(name.split("@")[0] == OURS for name in names):
        return f"{agent.title} has the plug-in noctuary, which brings the same hooks; nothing is added beside it."
    return ""


def _plan_of_file(path: Path, wanted: Wanted, settings: Settings) -> tuple[FileChange, bool]:
    try:
        target = settings_files.target_of(path)
        text = settings_files.text_of(target)
        done = merged(text or "", wanted, done_last(settings, target, text))
        settings_files.check_may_write(target)
    except BadSettings as error:
        return FileChange(path, problem=_left_alone(error)), False
    what = _in_words(wanted._replace(server=None) if done.is_server_foreign else wanted)
    after = None if text is None and not done.text else done.text
    return FileChange(path, text, after, what), done.is_server_foreign


def _left_alone(error: NoctuaryError) -> str:
    return f"{str(error).rstrip('.')}; the file was left alone."


def _in_words(wanted: Wanted) -> tuple[str, ...]:
    hooks = (f"hooks at {', '.join(wanted.hooks)}",) if wanted.hooks else ()
    return (*hooks, *(("the MCP server noctuary",) if wanted.server else ()))


def _install_to(agent: Agent, settings: Settings, order: Order, trials: Trials) -> Outcome:
    outcome = Outcome(agent.name, agent.title)
    if _plugged_in(agent):
        return outcome
    for path, wanted in _wanted(agent, settings, order):
        try:
            target = settings_files.target_of(path)
            is_written = _write(target, agent.name, settings, wanted)
            checked = _try(agent, target, wanted, settings, order, trials)
        except BadSettings as error:
            outcome = outcome._replace(problems=(*outcome.problems, f"{path}: {_left_alone(error)}"))
        except NoctuaryError as error:
            outcome = outcome._replace(problems=(*outcome.problems, str(error)))
        else:
            written = (*outcome.written, path) if is_written and not checked.problems else outcome.written
            outcome = outcome._replace(
                written=written,
                checked=(*outcome.checked, *checked.checked),
                problems=(*outcome.problems, *checked.problems),
            )
    return outcome


def _write(target: Path, agent: str, settings: Settings, wanted: Wanted | None) -> bool:
    """Put what is ours into one file, as it is now; whether it was changed.  What was done is remembered first."""
    known = remembered(settings.home)
    text = settings_files.text_of(target)
    before = done_last(settings, target, text)
    done = merged(text or "", wanted, before) if wanted else _merge_recall(text or "")
    if done.text == (text or ""):
        return False
    if before and done.base == text and not before.is_after(text):
        before = None  # ours was taken out by hand since, so what is remembered is of another time
    settings_files.check_may_write(target)
    if text is not None and (before is None or before.before == digest_of(text)):
        keep_backup(settings.home, target, text.encode())
    known[str(target)] = Remembered(
        agent=agent,
        existed=before.existed if before else text is not None,
        before=digest_of(done.base),
        after=digest_of(done.text),
        edits=done.edits,
        made=done.made,
        folders=before.folders if before else settings_files.folders_missing(target),
    )
    remember(settings.home, known)
    settings_files.replace(target, done.text)
    return True


def _try(agent: Agent, target: Path, wanted: Wanted, settings: Settings, order: Order, trials: Trials) -> Outcome:
    """Call what stands in the file now; take it out again if it does not work."""
    text = settings_files.text_of(target) or ""
    line = _line_of(server_in(text, wanted)) if wanted.server else []
    trouble = _trouble_with_hooks(agent, text, order, trials) if wanted.hooks else ""
    if line and not trouble and (why := trials.trouble_with_server(line)):
        trouble = f"the MCP server does not work: {why}"
    if trouble:
        take_out(target, settings)
        problem = f"{target}: {trouble}. What was added to the file was taken out again."
        return Outcome(agent.name, agent.title, problems=(problem,))
    checked = (*(("the hook",) if wanted.hooks else ()), *(("the MCP server",) if line else ()))
    return Outcome(agent.name, agent.title, checked=checked)


def _trouble_with_hooks(agent: Agent, text: str, order: Order, trials: Trials) -> str:
    """Try every command line in the file as the agent would call it, and once one that has to answer."""
    lines = {tuple(line) for each in handlers_in(text) if (line := arguments_of(each))}
    found = [why for line in lines if (why := trials.trouble_with_hook(line, agent.name))]
    if not lines:
        return "the hooks are not in the file"
    return found[0] if found else trials.trouble_with_program(order.calls.hook("cursor"))


def _line_of(entry: object) -> list[str]:
    command = entry.get("command") if isinstance(entry, dict) else None
    if not isinstance(entry, dict) or not isinstance(command, list | str):
        return []
    more = entry.get("args")
    words = [*([command] if isinstance(command, str) else command), *(more if isinstance(more, list) else [])]
    return [str(word) for word in words]


def _config(settings: Settings) -> Path:
    return settings.home / "config.toml"


def _merge_recall(text: str) -> Merged:
    spliced = toml_text.with_recall(text)
    return Merged(spliced.text, text, spliced.edits, spliced.made)


def _plan_of_recall(settings: Settings) -> AgentChange:
    path = _config(settings)
    try:
        text = settings_files.text_of(path)
        change = FileChange(path, text, _merge_recall(text or "").text, ("recall at every prompt",))
    except BadSettings as error:
        change = FileChange(path, problem=_left_alone(error))
    return AgentChange(OURS, "Noctuary itself", (change,) if change.is_change or change.problem else ())


def _install_recall(settings: Settings) -> Outcome:
    path = _config(settings)
    try:
        is_written = _write(settings_files.target_of(path), OURS, settings, None)
    except NoctuaryError as error:
        return Outcome(OURS, "Noctuary itself", problems=(f"{path}: {_left_alone(error)}",))
    return Outcome(OURS, "Noctuary itself", written=(path,) if is_written else ())
