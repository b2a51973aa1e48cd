"""What install puts into settings, uninstall takes out: to the byte if nobody changed the file, else only ours."""

import json
import stat
from pathlib import Path
from typing import Any

import pytest

from noctuary.agents import jsonc
from noctuary.agents.commands import is_our_hook, is_our_server
from noctuary.agents.installing import install, plan
from noctuary.agents.known import EVENTS, TITLES
from noctuary.agents.uninstalling import plan_removal
from noctuary.transcripts.agents import adapters
from tests.unit.agents.machine import Machine

pytestmark = pytest.mark.slow

FOREIGN = """\
{
  // mine
  "model": "opus",
  "hooks": {
    "Stop": [
      {"matcher": "", "hooks": [{"type": "command", "command": "notify-send done"}]} // bell
    ],
    "PreToolUse": [ { "matcher":"Bash", "hooks":[] }, ],
  },
}
"""
LAYOUTS = {
    "missing": None,
    "empty": "",
    "white space": " \n\n",
    "only a mark": "\ufeff",
    "only a comment": "// to do",
    "nothing in it": "{}",
    "nothing in it, wide": "{ }\n",
    "nothing in it, long": "{\n}\n",
    "foreign hooks and comments": FOREIGN,
    "tabs": FOREIGN.replace("  ", "\t"),
    "CRLF": FOREIGN.replace("\n", "\r\n"),
    "CR": '{\r"a": 1\r}\r',
    "byte order mark": "\ufeff" + FOREIGN,
    "no newline at the end": '{\n    "a": [1,\n2]\n}',
    "one line": '{"a":1,"hooks":{"Stop":[{"hooks":[]}],"stop":[],"AfterAgent":[{}]}}',
    "one line, wide": '{"a": 1, "hooks": {}, "mcpServers": {}, "mcp": {}}',
    "escapes": '{"caf\\u00e9": "\\ud83d\\ude00 \\/", "é": 1e3}',
    "twice": '{"hooks": {"Stop": [1]}, "mcp": {"a": 1}, "mcp": {}, "hooks": {"Stop": [2]}}',
    "odd": '{"a"\n:\n1\n,"hooks" : {"Stop":[\n{}]\n}, "mcpServers" /* here */ :{"other":{}}}',
    "comments in the way": '{"hooks": {"Stop": [ // none\n ], "stop": [ /* nor here */ ]}, // the end\n}\n// really',
}
AGENTS = ["claude-code", "codex", "cursor", "gemini", "opencode"]


@pytest.fixture
def machine(tmp_path: Path) -> Machine:
    return Machine.below(tmp_path)


def read(path: Path) -> Any:
    """What a settings file says."""
    root = jsonc.read(path.read_bytes().decode())
    return root.data if root else None


@pytest.fixture(params=LAYOUTS)
def written(request: pytest.FixtureRequest, machine: Machine) -> Machine:
    """A machine on which the settings of all agents look like this."""
    text: str | None = LAYOUTS[request.param]
    for name in AGENTS:
        agent = machine.with_agent(name)
        for path in (agent.hooks, agent.servers):
            if text is not None and path and path.suffix != ".toml":
                path.write_bytes(text.encode())
    return machine


def test_there_and_back(written: Machine) -> None:
    """Whatever the settings look like, they hold ours after install and are what they were after uninstall."""
    before = written.all()

    assert [each.problems for each in written.install()] == [()] * len(AGENTS)
    after = written.all()
    assert sum(before.get(path) != content for path, content in after.items()) == 4  # OpenCode has no hooks
    assert [each.written for each in written.install()] == [()] * len(AGENTS)
    assert written.all() == after
    written.uninstall()
    assert written.all() == before


def test_plan_shows_what_is_added(written: Machine) -> None:
    """Everything that a file said it says after, and ours beside it; a plan writes nothing."""
    before = written.all()
    changes = plan(written.settings, written.order(has_server=True))

    assert written.all() == before
    assert [len(change.files) for change in changes] == [2, 2, 2, 1, 1]
    for file in (each for change in changes for each in change.files if each.path.suffix != ".toml"):
        root, old = jsonc.read(file.after or ""), jsonc.read(file.before or "{}")
        assert root is not None
        assert "noctuary" in json.dumps(root.data)
        assert is_within(old.data if old else {}, root.data)


def is_within(old: Any, new: Any) -> bool:
    """Whether all of the old is in the new, in the same order."""
    if isinstance(old, dict) and isinstance(new, dict):
        return all(key in new and is_within(value, new[key]) for key, value in old.items())
    return new[: len(old)] == old if isinstance(old, list) and isinstance(new, list) else bool(old == new)


def test_servers_there_and_back(machine: Machine) -> None:
    """The MCP server is written where each agent looks for it, is started once, and goes again."""
    agents = [machine.with_agent(name) for name in AGENTS]
    before = machine.all()
    outcomes = machine.install(has_server=True)

    assert [each.problems for each in outcomes] == [()] * len(AGENTS)
    assert all("the MCP server" in each.checked for each in outcomes)
    assert all(agent.servers and "noctuary" in agent.servers.read_text(encoding="utf-8") for agent in agents)
    machine.uninstall()
    assert machine.all() == before


def test_hooks_stand_below_each_event(machine: Machine) -> None:
    """Beside those of others, which stay first and as they were."""
    agent = machine.with_agent("claude-code")
    assert agent.hooks
    agent.hooks.write_text(FOREIGN, encoding="utf-8")
    machine.install()
    hooks = read(agent.hooks)["hooks"]

    assert set(hooks) == {*EVENTS["claude-code"], "PreToolUse"}
    assert hooks["Stop"][0]["hooks"][0]["command"] == "notify-send done"
    assert is_our_hook(hooks["Stop"][1]["hooks"][0])
    assert "// bell" in agent.hooks.read_text(encoding="utf-8")


def test_tool_events_only_if_wanted(machine: Machine) -> None:
    """After tools our hook is called only if `tool_recall` is on, and no longer if it is off again."""
    agent = machine.with_agent("claude-code")
    assert agent.hooks
    Machine(machine.settings._replace(hooks_table={"tool_recall": True})).install()
    assert "PostToolUse" in read(agent.hooks)["hooks"]
    machine.install()

    assert "PostToolUse" not in read(agent.hooks)["hooks"]
    machine.uninstall()
    assert not agent.hooks.exists()


def test_subagents_only_if_wanted(machine: Machine) -> None:
    """When a sub-agent starts our hook is called only if `subagent_brief` is on, and no longer if it is off again."""
    agent = machine.with_agent("claude-code")
    assert agent.hooks
    Machine(machine.settings._replace(hooks_table={"subagent_brief": True})).install()
    assert "SubagentStart" in read(agent.hooks)["hooks"]
    machine.install()

    assert "SubagentStart" not in read(agent.hooks)["hooks"]
    machine.uninstall()
    assert not agent.hooks.exists()


def test_only_ours_goes_if_others_have_edited(machine: Machine) -> None:
    """What was added, changed and reordered around our entries stays, to the character."""
    agent = machine.with_agent("claude-code")
    assert agent.hooks
    agent.hooks.write_text(FOREIGN, encoding="utf-8")
    machine.install()
    text = agent.hooks.read_text(encoding="utf-8")
    theirs = '{"hooks": [{"type": "command", "command": "later"}]}'
    edited = text.replace('"opus"', '"haiku", // cheaper').replace('"PostCompact": [', f'"PostCompact": [ {theirs},')
    agent.hooks.write_text(edited, encoding="utf-8")
    machine.uninstall()
    left = agent.hooks.read_text(encoding="utf-8")

    assert left.startswith(FOREIGN[: FOREIGN.index('"opus"')] + '"haiku", // cheaper')
    assert read(agent.hooks)["hooks"]["PostCompact"] == [json.loads(theirs)]
    assert set(read(agent.hooks)["hooks"]) == {"Stop", "PreToolUse", "PostCompact"}
    assert "noctuary" not in left
    assert "// bell" in left


def test_edits_elsewhere_leave_the_layout(machine: Machine) -> None:
    """If the surroundings of ours are as they were, the file is what it would be had we never been there."""
    agent = machine.with_agent("claude-code")
    assert agent.hooks
    agent.hooks.write_text(FOREIGN, encoding="utf-8")
    machine.install()
    text = agent.hooks.read_text(encoding="utf-8")
    agent.hooks.write_text(text.replace('"opus"', '"haiku"'), encoding="utf-8")
    machine.uninstall()

    assert agent.hooks.read_text(encoding="utf-8") == FOREIGN.replace('"opus"', '"haiku"')


def test_settings_written_anew_by_their_agent(machine: Machine) -> None:
    """Agents parse and dump their files; ours is found in them all the same, and what was made for it goes."""
    agent = machine.with_agent("gemini")
    assert agent.hooks
    agent.hooks.write_text('{"theme":"dark"}', encoding="utf-8")
    machine.put()
    dumped = {**read(agent.hooks), "seen": True}
    agent.hooks.write_text(json.dumps(dumped, indent=4), encoding="utf-8")
    machine.uninstall()

    assert agent.hooks.read_text(encoding="utf-8") == json.dumps({"theme": "dark", "seen": True}, indent=4)


def test_found_without_what_was_remembered(machine: Machine) -> None:
    """If the memory of install is lost, ours is known by what it calls."""
    agent = machine.with_agent("cursor")
    assert agent.hooks
    agent.hooks.write_text('{"version": 1, "hooks": {"stop": [{"command": "x"}]}}', encoding="utf-8")
    machine.install()
    (machine.settings.home / "state" / "installed.json").write_text("{broken", encoding="utf-8")
    machine.uninstall()

    assert agent.hooks.read_text(encoding="utf-8") == '{"version": 1, "hooks": {"stop": [{"command": "x"}]}}'


def test_made_file_stays_if_others_use_it(machine: Machine) -> None:
    """A file that install made is the user's as soon as something of theirs is in it."""
    agent = machine.with_agent("cursor")
    assert agent.hooks
    machine.install()
    agent.hooks.write_text(
        agent.hooks.read_text(encoding="utf-8").replace('"stop": [', '"stop": [ {"command": "x"},'), encoding="utf-8"
    )
    machine.uninstall()

    assert read(agent.hooks) == {"version": 1, "hooks": {"stop": [{"command": "x"}]}}


def test_folder_that_install_made_goes(tmp_path: Path) -> None:
    """An agent that was never started has no folder; after uninstall it has none again."""
    command = tmp_path / "cursor"
    command.write_text("#!/bin/sh\n", encoding="utf-8")
    command.chmod(0o755)
    machine = Machine.below(tmp_path, PATH=f"{tmp_path}:/usr/bin:/bin")
    machine.install()
    assert machine.all().keys() == {".cursor", ".cursor/hooks.json"}
    machine.uninstall()

    assert machine.all() == {}


def test_other_python_is_written_anew(machine: Machine, tmp_path: Path) -> None:
    """Installed from elsewhere, the old entries are replaced, not doubled; then the file can be what it was."""
    agent = machine.with_agent("claude-code")
    assert agent.hooks
    agent.hooks.write_text(FOREIGN, encoding="utf-8")
    machine.install()
    old = agent.hooks.read_text(encoding="utf-8")
    moved = Machine(machine.settings._replace(home=tmp_path / "memory"))
    order = machine.order()
    agent.hooks.write_text(old.replace(order.calls.python, "/gone/python"), encoding="utf-8")
    moved.install()

    assert agent.hooks.read_text(encoding="utf-8") == old
    machine.uninstall()
    assert agent.hooks.read_text(encoding="utf-8") == FOREIGN


@pytest.mark.parametrize(
    ("text", "why"),
    [
        ('{"a": 1', "line 1, column 8: it ends too early"),
        ("[]", "the whole is not an object"),
        ('{"hooks": []}', "`hooks` is not an object"),
        ('{"hooks": {"Stop": {"a": 1}}}', "`hooks.Stop` is not a list"),
    ],
)
def test_unreadable_settings_are_left_alone(machine: Machine, text: str, why: str) -> None:
    """They are named with the reason; nothing is written to them by install or uninstall."""
    agent = machine.with_agent("claude-code")
    assert agent.hooks
    agent.hooks.write_text(text, encoding="utf-8")
    (change,) = plan(machine.settings, machine.order())
    (outcome,) = machine.install()

    assert why in change.problems[0]
    assert why in outcome.problems[0]
    assert "left alone" in outcome.problems[0]
    assert machine.uninstall() == []
    assert agent.hooks.read_text(encoding="utf-8") == text


def test_bytes_that_are_no_text_are_left_alone(machine: Machine) -> None:
    """A file in another encoding is not ours to translate."""
    agent = machine.with_agent("claude-code")
    assert agent.hooks
    agent.hooks.write_bytes('{"a": "é"}'.encode("utf-16"))
    before = machine.all()

    assert "not UTF-8" in machine.install()[0].problems[0]
    assert machine.all() == before


def test_read_only_settings_are_left_alone(machine: Machine) -> None:
    """Who made a file read-only meant it."""
    agent = machine.with_agent("claude-code")
    assert agent.hooks
    agent.hooks.write_text("{}", encoding="utf-8")
    agent.hooks.chmod(0o444)

    assert "read-only" in machine.install()[0].problems[0]
    assert agent.hooks.read_text(encoding="utf-8") == "{}"


def test_symlinks_are_written_through(machine: Machine, tmp_path: Path) -> None:
    """Whoever keeps settings elsewhere still does so, with the mode that they had."""
    agent = machine.with_agent("claude-code")
    assert agent.hooks
    (tmp_path / "dotfiles").mkdir()
    kept = tmp_path / "dotfiles" / "claude.json"
    kept.write_text(FOREIGN, encoding="utf-8")
    kept.chmod(0o640)
    agent.hooks.symlink_to(kept)
    machine.install()

    assert agent.hooks.is_symlink()
    assert "noctuary" in kept.read_text(encoding="utf-8")
    assert stat.S_IMODE(kept.stat().st_mode) == 0o640
    machine.uninstall()
    assert agent.hooks.is_symlink()
    assert kept.read_text(encoding="utf-8") == FOREIGN
    assert stat.S_IMODE(kept.stat().st_mode) == 0o640


def test_a_server_of_somebody_else_stays(machine: Machine) -> None:
    """An entry under our name that install did not write is neither replaced nor removed."""
    agent = machine.with_agent("opencode")
    assert agent.servers
    text = '{"mcp": {"noctuary": {"type": "remote", "url": "https://example.org"}}}'
    agent.servers.write_text(text, encoding="utf-8")
    (change,) = plan(machine.settings, machine.order(has_server=True))

    assert any("did not write; it stays as it is" in note for note in change.notes)
    assert machine.install(has_server=True)[0].written == ()
    assert machine.uninstall() == []
    assert agent.servers.read_text(encoding="utf-8") == text


def test_servers_of_newer_opencode(machine: Machine) -> None:
    """Where servers stand below `mcp.servers`, ours does, too."""
    agent = machine.with_agent("opencode")
    assert agent.servers
    agent.servers.write_text('{"mcp": {"servers": {"a": {"type": "local"}}}}', encoding="utf-8")
    machine.put()

    assert is_our_server(read(agent.servers)["mcp"]["servers"]["noctuary"])
    machine.uninstall()
    assert agent.servers.read_text(encoding="utf-8") == '{"mcp": {"servers": {"a": {"type": "local"}}}}'


def test_without_its_library_the_server_is_left_out(machine: Machine) -> None:
    """The note says what to install; an entry from before, which cannot work now, goes."""
    agent = machine.with_agent("gemini")
    assert agent.servers
    machine.put()
    (change,) = plan(machine.settings, machine.order())
    machine.install()

    assert any("noctuary[mcp]" in note for note in change.notes)
    assert "mcpServers" not in read(agent.servers)


def test_plug_in_is_enough(machine: Machine) -> None:
    """Hooks that the plug-in brings already would be called twice."""
    claude, codex = machine.with_agent("claude-code"), machine.with_agent("codex")
    assert claude.hooks
    assert codex.servers
    claude.hooks.write_text('{"enabledPlugins": {"noctuary@noctuary": true}}', encoding="utf-8")
    codex.servers.write_text('[plugins."noctuary@noctuary"]\nenabled = true\n', encoding="utf-8")
    before = machine.all()
    changes = plan(machine.settings, machine.order(has_server=True))

    assert ["plug-in noctuary" in change.notes[0] for change in changes] == [True, True]
    machine.install(has_server=True)
    assert machine.all() == before


@pytest.mark.parametrize(
    ("name", "text"),
    [("claude-code", '{"disableAllHooks": true}'), ("gemini", '{"hooksConfig": {"enabled": false}}')],
)
def test_hooks_that_are_off_are_told(machine: Machine, name: str, text: str) -> None:
    """Whoever has turned hooks off learns why nothing will happen."""
    agent = machine.with_agent(name)
    assert agent.hooks
    agent.hooks.write_text(text, encoding="utf-8")
    (change,) = plan(machine.settings, machine.order())

    assert any("turned off" in note for note in change.notes)


def test_hooks_of_codex_wait_for_trust(machine: Machine) -> None:
    """Codex calls no new hook before its user has looked at it, and may have them off altogether."""
    agent = machine.with_agent("codex")
    assert agent.servers
    agent.servers.write_text("[features]\nhooks = false\n", encoding="utf-8")
    (change,) = plan(machine.settings, machine.order())

    assert any("/hooks" in note for note in change.notes)
    assert any("turned off" in note for note in change.notes)


def test_a_hook_that_does_not_work_is_taken_out_again(machine: Machine) -> None:
    """Nobody is left with settings that fail at every prompt."""
    agent = machine.with_agent("claude-code")
    assert agent.hooks
    agent.hooks.write_text(FOREIGN, encoding="utf-8")
    order = machine.order()
    broken = order._replace(calls=order.calls._replace(python="/usr/bin/false"))
    (outcome,) = install(machine.settings, broken)

    assert "the hook ended with 1" in outcome.problems[0]
    assert "taken out again" in outcome.problems[0]
    assert outcome.written == ()
    assert agent.hooks.read_text(encoding="utf-8") == FOREIGN


def test_older_claude_code_gets_lines(tmp_path: Path) -> None:
    """Hooks are written as a line for a shell, tried like that, and written anew after an update."""
    command = tmp_path / "claude"
    command.write_text("#!/bin/sh\necho '2.1.59 (Claude Code)'\n", encoding="utf-8")
    command.chmod(0o755)
    machine = Machine.below(tmp_path, PATH=f"{tmp_path}:/usr/bin:/bin")
    agent = machine.with_agent("claude-code")
    assert agent.hooks
    assert machine.install()[0].checked == ("the hook",)
    handler = read(agent.hooks)["hooks"]["Stop"][0]["hooks"][0]

    assert "args" not in handler
    command.write_text("#!/bin/sh\necho '2.1.300 (Claude Code)'\n", encoding="utf-8")
    assert machine.install()[0].written == (agent.hooks,)
    assert "args" in read(agent.hooks)["hooks"]["Stop"][0]["hooks"][0]
    machine.uninstall()
    assert not agent.hooks.exists()


def test_what_was_taken_out_by_hand_is_forgotten(machine: Machine) -> None:
    """A file that the user has made since is the user's, though install once made one of that name."""
    agent = machine.with_agent("claude-code")
    assert agent.hooks
    machine.install()
    agent.hooks.write_text("{}", encoding="utf-8")
    machine.install()
    machine.uninstall()

    assert agent.hooks.read_text(encoding="utf-8") == "{}"


def test_agents_can_be_chosen(machine: Machine) -> None:
    """The others are not touched, by install nor by uninstall."""
    claude, cursor = machine.with_agent("claude-code"), machine.with_agent("cursor")
    machine.install("cursor")
    assert claude.hooks
    assert not claude.hooks.exists()
    machine.install()
    machine.uninstall("claude-code")

    assert not claude.hooks.exists()
    assert cursor.hooks
    assert cursor.hooks.exists()
    assert [change.name for change in plan_removal(machine.settings)] == ["cursor"]


def test_folders_of_the_environment_are_used(tmp_path: Path) -> None:
    """Where a user has moved the settings of an agent, ours go there; uninstall finds them from anywhere."""
    given = {"CLAUDE_CONFIG_DIR": tmp_path / "c", "CODEX_HOME": tmp_path / "x", "XDG_CONFIG_HOME": tmp_path / "xdg"}
    machine = Machine.below(tmp_path, **{name: str(path) for name, path in given.items()})
    for name in ("claude-code", "codex", "opencode"):
        machine.with_agent(name)
    changes = plan(machine.settings, machine.order(has_server=True))
    paths = [str(file.path.relative_to(tmp_path)) for change in changes for file in change.files]

    assert paths == ["c/settings.json", "c/.claude.json", "x/hooks.json", "x/config.toml", "xdg/opencode/opencode.json"]
    machine.install()
    assert (tmp_path / "c" / "settings.json").exists()
    Machine(machine.settings._replace(environ={})).uninstall()
    assert not (tmp_path / "c" / "settings.json").exists()
    assert not (tmp_path / "x" / "hooks.json").exists()


@pytest.mark.parametrize(
    "text", [None, "", 'owner = "ana"', "[hooks]\ntool_recall = true\n", "[hooks]\nprompt_recall = false"]
)
def test_recall_there_and_back(machine: Machine, text: str | None) -> None:
    """`--recall` turns one setting of our own on, and uninstall puts the file back."""
    config = machine.settings.home / "config.toml"
    machine.settings.home.mkdir()
    if text is not None:
        config.write_text(text, encoding="utf-8")
    machine.with_agent("cursor")
    machine.install(with_recall=True)

    assert "prompt_recall = true" in config.read_text(encoding="utf-8")
    machine.uninstall()
    assert (config.read_text(encoding="utf-8") if config.exists() else None) == text
    assert not (machine.settings.home / "state" / "installed.json").exists()


@pytest.mark.parametrize("layout", ["missing", "foreign hooks and comments", "one line", "CRLF"])
@pytest.mark.parametrize("last", [0, 1])
def test_a_second_memory_takes_the_place_of_the_first(machine: Machine, tmp_path: Path, layout: str, last: int) -> None:
    """Whichever of them is uninstalled, the files are what they were before both."""
    others = [Machine(machine.settings._replace(home=tmp_path / name)) for name in ("first", "second")]
    for name in ("claude-code", "cursor"):
        agent = machine.with_agent(name)
        if agent.hooks and (text := LAYOUTS[layout]) is not None:
            agent.hooks.write_bytes(text.encode())
    before = machine.all()
    for each in others:
        each.install()
    assert machine.all() != before

    others[last].uninstall()
    assert machine.all() == before


def test_backup_is_kept_while_ours_is_there(machine: Machine) -> None:
    """For its owner only, and gone when the file is what it was."""
    agent = machine.with_agent("claude-code")
    assert agent.hooks
    agent.hooks.write_text(FOREIGN, encoding="utf-8")
    machine.install()
    (backup,) = (machine.settings.home / "state" / "settings-before").iterdir()

    assert backup.read_text(encoding="utf-8") == FOREIGN
    assert stat.S_IMODE(backup.stat().st_mode) == 0o600
    machine.uninstall()
    assert not backup.exists()


def test_aider_is_told_of(machine: Machine) -> None:
    """It has nothing that we could be added to."""
    machine.with_agent("aider")
    (change,) = plan(machine.settings, machine.order(has_server=True))

    assert change.files == ()
    assert "neither hooks nor MCP" in change.notes[0]


def test_conversations_of_every_agent_are_read(machine: Machine) -> None:
    """Install names no agent whose sessions could not be brought in, and says of none that they cannot."""
    assert {adapter.name for adapter in adapters()} >= set(TITLES)
    for name in TITLES:
        machine.with_agent(name)
    changes = plan(machine.settings, machine.order(has_server=True))

    assert {change.name for change in changes} == set(TITLES)
    assert not [note for change in changes for note in change.notes if "import" in note]
