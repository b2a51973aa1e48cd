"""The plug-ins that are checked in are those that the script writes, and what agents make of them works."""

import json
import os
import re
import stat
import subprocess
import sys
from pathlib import Path
from typing import Any

import pytest

from noctuary.agents.commands import HOOK_FILE, arguments_of
from noctuary.agents.known import EVENTS
from noctuary.doors.mcp.tools import TOOLS
from scripts.plugins import COMMANDS, ROOT, SKILL, files

CLAUDE, CODEX = ROOT / "plugins" / "claude-code", ROOT / "plugins" / "codex"
PLUGINS = {"claude-code": CLAUDE, "codex": CODEX}
# What each agent dispatches; a name it does not know never fires, without a word.
KNOWN_EVENTS = {
    "claude-code": {
        *(
            "SessionStart",
            "UserPromptSubmit",
            "PreToolUse",
            "PostToolUse",
            "PostToolUseFailure",
            "Stop",
            "SubagentStart",
        ),
        *("SubagentStop", "PreCompact", "PostCompact", "SessionEnd", "Notification", "PermissionRequest"),
    },
    "codex": {
        *("SessionStart", "SessionEnd", "UserPromptSubmit", "PreToolUse", "PermissionRequest", "PostToolUse"),
        *("PreCompact", "PostCompact", "SubagentStart", "SubagentStop", "Stop", "Interrupt"),
    },
}
HANDLER_KEYS = {
    "claude-code": {"type", "command", "timeout"},
    "codex": {"type", "command", "commandWindows", "timeout"},
}
# What a file of hooks may say besides them: some versions of Codex refuse all of it for one word more.
ROOT_KEYS = {"claude-code": {"description", "hooks"}, "codex": {"hooks"}}
MANIFEST_KEYS = {
    "claude-code": {"name", "version", "description", "author", "license", "keywords"},
    "codex": {"name", "version", "description", "author", "license", "keywords", "skills", "mcpServers", "interface"},
}
each_plugin = pytest.mark.parametrize("agent", PLUGINS)


def read(path: Path) -> Any:
    """What a JSON file says; a name that stands in it twice is an error."""

    def once(pairs: list[tuple[str, Any]]) -> dict[str, Any]:
        assert len({key for key, _ in pairs}) == len(pairs)
        return dict(pairs)

    return json.loads(path.read_text(encoding="utf-8"), object_pairs_hook=once)


def handlers(agent: str) -> list[tuple[str, dict[str, Any]]]:
    """The handlers of a plug-in, with their events."""
    hooks = read(PLUGINS[agent] / "hooks" / "hooks.json")["hooks"]
    return [(event, each) for event, groups in hooks.items() for group in groups for each in group["hooks"]]


def frontmatter(text: str) -> dict[str, str]:
    """The fields at the top of a page."""
    found = re.match(r"---\n(.*?)\n---\n", text, re.DOTALL)
    assert found, "no frontmatter"
    folded = re.sub(r">-\n\s+", "", found[1])
    lines = re.sub(r"\n\s+", " ", folded).splitlines()
    return {name: value.strip() for name, _, value in (line.partition(":") for line in lines)}


@pytest.mark.parametrize("path", files())
def test_what_is_checked_in_is_what_is_generated(path: str) -> None:
    """`python -m scripts.plugins` writes them again."""
    assert (ROOT / path).read_text(encoding="utf-8") == files()[path], "run: python -m scripts.plugins"


def test_nothing_else_lies_there() -> None:
    """A file that is no longer generated goes."""
    folders = [ROOT / "plugins", ROOT / ".claude-plugin", ROOT / ".agents"]
    found = [path.relative_to(ROOT).as_posix() for each in folders for path in each.rglob("*") if path.is_file()]

    assert set(found) == set(files())


@each_plugin
def test_events_and_keys_are_known(agent: str) -> None:
    """Those that `noctuary install` uses, in the shape that the agent takes; none that could decide on permissions."""
    whole = read(PLUGINS[agent] / "hooks" / "hooks.json")

    assert set(whole) == ROOT_KEYS[agent]
    assert list(whole["hooks"]) == list(EVENTS[agent])
    assert set(whole["hooks"]) <= KNOWN_EVENTS[agent]
    assert not {"PreToolUse", "PermissionRequest"} & set(whole["hooks"])
    assert all(set(group) <= {"matcher", "hooks"} for groups in whole["hooks"].values() for group in groups)
    for event, handler in handlers(agent):
        assert set(handler) == HANDLER_KEYS[agent]
        assert handler.get("commandWindows", "noctuary-hook --agent codex") == "noctuary-hook --agent codex"
        assert handler["type"] == "command"
        assert type(handler["timeout"]) is int
        assert 0 < handler["timeout"] <= (3 if event == "SessionEnd" and agent == "codex" else 10)


@each_plugin
def test_manifest(agent: str) -> None:
    """Only keys that are known; paths begin at the plug-in and exist; the hooks' file is not listed a second time."""
    manifest = read(PLUGINS[agent] / f".{agent.removesuffix('-code')}-plugin" / "plugin.json")

    assert set(manifest) == MANIFEST_KEYS[agent]
    assert re.fullmatch(r"[a-z][a-z0-9-]*", manifest["name"])
    assert "hooks" not in manifest
    for path in (manifest.get("skills"), manifest.get("mcpServers")):
        assert path is None or (path.startswith("./") and (PLUGINS[agent] / path).exists())


@each_plugin
def test_server_is_started_by_name(agent: str) -> None:
    """One server, which `noctuary` on the PATH serves."""
    assert read(PLUGINS[agent] / ".mcp.json") == {"mcpServers": {"noctuary": {"command": "noctuary", "args": ["mcp"]}}}


def test_catalogues_lead_to_the_plugins() -> None:
    """They lie where the agents look for them in a repository, and name folders within it."""
    claude = read(ROOT / ".claude-plugin" / "marketplace.json")
    codex = read(ROOT / ".agents" / "plugins" / "marketplace.json")

    assert claude["owner"]["name"]
    assert [ROOT / each["source"] for each in claude["plugins"]] == [CLAUDE]
    assert [ROOT / each["source"]["path"] for each in codex["plugins"]] == [CODEX]
    assert codex["plugins"][0]["policy"] == {"installation": "AVAILABLE", "authentication": "ON_INSTALL"}
    assert codex["plugins"][0]["category"]


@each_plugin
def test_hooks_run(agent: str, tmp_path: Path) -> None:
    """Every command, called as the agent calls it, ends with 0 and prints nothing or one object."""
    shim = tmp_path / "bin" / "noctuary-hook"
    shim.parent.mkdir()
    shim.write_text(f'#!/bin/sh\nexec "{sys.executable}" -I -S "{HOOK_FILE}" "$@"\n', encoding="utf-8")
    shim.chmod(shim.stat().st_mode | stat.S_IXUSR)
    home = tmp_path / "memory"
    environ = {"PATH": f"{shim.parent}:{os.environ['PATH']}", "HOME": str(tmp_path), "NOCTUARY_HOME": str(home)}
    for event, handler in handlers(agent):
        given = {"hook_event_name": event, "session_id": "s", "cwd": "", "transcript_path": "", "prompt": "why?"}
        line = arguments_of(handler)
        assert line
        ran = subprocess.run(
            line, input=json.dumps(given).encode(), env=environ, capture_output=True, check=False, cwd=tmp_path
        )

        assert (ran.returncode, ran.stderr) == (0, b"")
        assert not ran.stdout or isinstance(json.loads(ran.stdout), dict)
    noted = [json.loads(line)["event"] for line in (home / "inbox" / "hooks.jsonl").read_text().splitlines()]
    assert noted == [event for event in EVENTS[agent] if event not in ("SessionStart", "UserPromptSubmit")]


@each_plugin
def test_without_the_package_a_start_says_so_and_nothing_fails(agent: str, tmp_path: Path) -> None:
    """An agent would show an error at every prompt, of a plug-in that cannot do anything about it."""
    for event, handler in handlers(agent):
        line = arguments_of(handler)
        assert line
        environ = {"PATH": "/usr/bin:/bin", "HOME": str(tmp_path)}
        ran = subprocess.run(line, input=b"{}", env=environ, capture_output=True, check=False)

        assert (ran.returncode, ran.stderr) == (0, b"")
        assert bool(ran.stdout) is (event == "SessionStart")
        said = json.loads(ran.stdout or "{}")
        assert not said or "Install the package" in said["systemMessage"]
        assert ("hookSpecificOutput" in said) is (agent == "codex" and bool(said))  # or Codex calls it an error


def test_skill_says_when() -> None:
    """Its description is all that a model sees until it is used, so it says when; the rest is short and calm."""
    told = frontmatter(SKILL)

    assert set(told) == {"name", "description"}
    assert told["name"] == "noctuary"
    assert "Use when" in told["description"]
    assert len(told["description"]) <= 1024
    assert len(SKILL.split()) < 500
    assert not re.search(r"\b(?:MUST|NEVER|ALWAYS|CRITICAL|IMPORTANT)\b|!", SKILL)
    assert "## When to search" in SKILL
    assert "## When to record" in SKILL


def test_texts_name_tools_that_exist() -> None:
    """A tool that is renamed is renamed here, too."""
    known = {str(tool["name"]) for tool in TOOLS}
    named = set(re.findall(r"`([a-z]+_[a-z_]+)`", SKILL + "".join(text for _, _, text in COMMANDS.values())))

    assert named
    assert named <= known


@pytest.mark.parametrize("name", COMMANDS)
def test_commands_say_what_they_do(name: str) -> None:
    """Each has a line of help, a hint of what to write after it, and uses that."""
    page = (CLAUDE / "commands" / f"{name}.md").read_text(encoding="utf-8")
    told = frontmatter(page)

    assert set(told) == {"description", "argument-hint"}
    assert told["description"]
    assert "$ARGUMENTS" in page
