"""`noctuary install` and `noctuary uninstall` as people and scripts use them."""

import json
import os
import stat
import subprocess
from pathlib import Path
from typing import Any

import pytest

from noctuary.app import sweep_state
from tests.acceptance.conftest import ROOT, Cli
from tests.acceptance.test_cli_terminal import on_terminal

SETTINGS = '{\n\t"model": "opus", // mine\n\t"hooks": {\n\t\t"Stop": [],\n\t},\n}'
CONFIG = 'model = "o5"\r\n[tui]\r\nanimations = false'


@pytest.fixture
def home(cli: Cli) -> Path:
    """A user's home with the settings of two agents."""
    (cli.user_home / ".claude").mkdir()
    (cli.user_home / ".claude" / "settings.json").write_bytes(SETTINGS.encode())
    (cli.user_home / ".codex").mkdir()
    (cli.user_home / ".codex" / "config.toml").write_bytes(CONFIG.encode())
    return cli.user_home


def files(home: Path) -> dict[str, bytes | None]:
    """Every file below a folder and its bytes, and every folder."""
    found = sorted(home.rglob("*"))
    return {str(path.relative_to(home)): path.read_bytes() if path.is_file() else None for path in found}


def hooks_in(path: Path) -> list[dict[str, Any]]:
    """The handlers of ours in a settings file that is plain JSON."""
    groups = json.loads(path.read_text(encoding="utf-8"))["hooks"].values()
    return [handler for each in groups for group in each for handler in group["hooks"]]


def test_there_and_back(cli: Cli, home: Path) -> None:
    """Both commands show what they do to which file; in between the agents can use the memory."""
    before = files(home)
    added = cli("install", "--yes")

    assert added.code == 0, added.err
    assert "Claude Code: added to ~/.claude/settings.json and ~/.claude.json; the hook and the MCP server" in added.out
    assert "Codex: added to ~/.codex/hooks.json and ~/.codex/config.toml" in added.out
    assert "were tried and work." in added.out
    assert '+\t\t"SessionStart": [' in added.out
    assert "Codex runs new hooks only when you have trusted them: type /hooks in Codex." in added.out
    assert "// mine" in (home / ".claude" / "settings.json").read_text(encoding="utf-8")
    taken = cli("uninstall", "--yes")
    assert taken.code == 0, taken.err
    assert "Codex: taken out of ~/.codex/config.toml; removed ~/.codex/hooks.json." in taken.out
    assert files(home) == before


def test_a_second_install_changes_nothing(cli: Cli, home: Path) -> None:
    """It says so, and needs no answer; so does a second uninstall."""
    cli("install", "--yes")
    before = files(home)
    again = cli("install")

    assert again.code == 0
    assert again.out.endswith("Everything is in place already; nothing was changed.\n")
    assert files(home) == before
    cli("uninstall", "--yes")
    nothing = cli("uninstall")
    assert nothing.code == 1
    assert nothing.out == "No agent has anything of ours in its settings. Nothing was changed.\n"


def test_nothing_is_done_unasked(cli: Cli, home: Path) -> None:
    """Without somebody to ask, without --yes and in a dry run every file stays, and no memory is made."""
    before = files(home)
    unasked, as_json, look = cli("install"), cli("install", "--json"), cli("install", "--dry-run")

    assert (unasked.code, as_json.code, look.code) == (2, 2, 0)
    assert "Add --yes to go ahead, or --dry-run to look." in unasked.err
    assert look.out.endswith("4 files would change. Nothing was changed: this was a dry run.\n")
    assert files(home) == before
    assert not cli.memory.exists()


@pytest.mark.parametrize("answer", [b"n\n", b"\n", b"\x03"])
def test_no_is_no(cli: Cli, home: Path, answer: bytes) -> None:
    """Whoever says no, or ends the question, has every file as it was."""
    before = files(home)
    _, seen = on_terminal(cli, "install", answer=answer)

    assert "Change 4 files? [y/N]" in seen
    assert files(home) == before
    assert not cli.memory.exists()


def test_yes_is_yes(cli: Cli, home: Path) -> None:
    """Asked and agreed to, the same is done as with --yes, in colours."""
    ended, seen = on_terminal(cli, "install", "--agent", "codex", answer=b"y\n")

    assert ended == 0
    assert "\x1b[32m" in seen
    assert (home / ".codex" / "hooks.json").exists()
    ended, seen = on_terminal(cli, "uninstall", answer=b"y\n")
    assert ended == 0
    assert not (home / ".codex" / "hooks.json").exists()


def test_installed_hooks_run(cli: Cli, home: Path) -> None:
    """What stands in the settings, called as the agent calls it, leaves its note in this memory."""
    cli("install", "--yes")
    handler = hooks_in(home / ".codex" / "hooks.json")[0]
    given = {"hook_event_name": "Stop", "session_id": "s", "cwd": str(home), "transcript_path": "/t"}
    ran = subprocess.run(
        ["/bin/sh", "-c", handler["command"]],
        input=json.dumps(given).encode(),
        env={"PATH": os.environ["PATH"], "HOME": str(home)},
        capture_output=True,
        check=True,
        cwd="/",
    )

    assert ran.stdout == b""
    note = json.loads((cli.memory / "inbox" / "hooks.jsonl").read_text(encoding="utf-8"))
    assert (note["event"], note["agent"]) == ("Stop", "codex")


def test_another_memory_is_named(cli: Cli, home: Path, tmp_path: Path) -> None:
    """--home and --owner are handed on to the agents; the usual memory of the usual owner is not."""
    other = tmp_path / "my other memory"
    cli("install", "--agent", "codex", "--yes", "--home", other, "--owner", "bob")
    line = hooks_in(home / ".codex" / "hooks.json")[0]["command"]

    assert line.endswith(f"--agent codex --home '{other}' --owner bob")
    usual = cli("install", "--agent", "claude-code", "--yes", NOCTUARY_HOME="")
    assert usual.code == 0, usual.err
    assert "--home" not in (home / ".claude" / "settings.json").read_text(encoding="utf-8")


def test_json_for_programs(cli: Cli, home: Path) -> None:
    """The whole plan, and what came of it."""
    look = cli("install", "--json", "--dry-run").json
    done = cli("install", "--json", "--yes").json

    assert [each["agent"] for each in look["agents"]] == ["claude-code", "codex"]
    assert look["outcomes"] == []
    assert all(file["changes"] and file["diff"] for each in look["agents"] for file in each["files"])
    assert [each["checked"] for each in done["outcomes"]] == [["the hook", "the MCP server"]] * 2
    assert done["problems"] == []
    assert [each["name"] for each in cli("uninstall", "--json", "--yes").json["outcomes"]] == ["claude-code", "codex"]


def test_settings_that_cannot_be_read_are_named(cli: Cli, home: Path) -> None:
    """The others are dealt with; the exit code says that something is left to do."""
    (home / ".codex" / "config.toml").write_text("model = ", encoding="utf-8")
    (home / ".claude" / "settings.json").write_text('{"hooks": {', encoding="utf-8")
    before = files(home)
    ran = cli("install", "--yes")

    assert ran.code == 4
    assert (
        f"{home}/.claude/settings.json: line 1, column 12: a name in double quotes is missing; the file was" in ran.err
    )
    assert "it is no TOML" in ran.err
    assert (home / ".codex" / "hooks.json").exists()
    assert cli("uninstall", "--yes").code == 0
    assert files(home) == before


def test_hostile_names_are_only_shown(cli: Cli, home: Path) -> None:
    """Escape sequences in settings do not reach the terminal."""
    text = '{"a": 1,\n "x\u009b31m": "\x7f\u202e",\n "b": 2}'
    (home / ".claude" / "settings.json").write_text(text, encoding="utf-8")
    ran = cli("install", "--dry-run")

    assert ran.code == 0
    assert not {"\u009b", "\x7f", "\u202e"} & set(ran.out)


@pytest.mark.parametrize(
    ("arguments", "code", "said"),
    [
        (("install", "--agent", "emacs"), 2, "'emacs' is not one of 'claude-code', 'codex'"),
        (("install", "--agent", "cursor", "--yes"), 3, "Cursor is not on this machine"),
        (("install", "claude-code"), 2, "unexpected extra argument"),
        (("uninstall", "--agent", ""), 2, "is not one of"),
        (("install", "--recall", "--yes", "--home", "/dev/null/memory"), 4, "/dev/null/memory"),
    ],
)
def test_bad_input(cli: Cli, home: Path, arguments: tuple[str, ...], code: int, said: str) -> None:
    """It is told what is wrong, and nothing is changed."""
    before = files(home)
    ran = cli(*arguments)

    assert (ran.code, said in ran.err) == (code, True), ran.err
    assert files(home) == before


def test_no_agents(cli: Cli, tmp_path: Path) -> None:
    """On a machine without any, that is said."""
    ran = cli("install", PATH=str(tmp_path))

    assert ran.code == 1
    assert ran.out.startswith("No coding agent was found on this machine.")


def test_recall_is_turned_on(cli: Cli, home: Path) -> None:
    """--recall sets one line of our own settings, and uninstall takes it back."""
    config = cli.memory / "config.toml"
    cli.memory.mkdir()
    config.write_text('owner = "ana" # me', encoding="utf-8")
    ran = cli("install", "--yes", "--recall", "--agent", "codex")

    assert ran.code == 0, ran.err
    assert config.read_text(encoding="utf-8") == 'owner = "ana" # me\n[hooks]\nprompt_recall = true\n'
    cli("uninstall", "--yes")
    assert config.read_text(encoding="utf-8") == 'owner = "ana" # me'


def test_a_full_or_foreign_folder_stops_nothing_else(cli: Cli, home: Path) -> None:
    """A settings file that is a folder is named, the rest goes on."""
    (home / ".claude" / "settings.json").unlink()
    (home / ".claude" / "settings.json").mkdir()
    ran = cli("install", "--yes")

    assert ran.code == 4
    assert "it is not a file; the file was left alone" in ran.err
    assert (home / ".codex" / "hooks.json").exists()


def test_modes_stay(cli: Cli, home: Path) -> None:
    """Whoever may read a settings file may do so afterwards, and nobody else."""
    path = home / ".claude" / "settings.json"
    path.chmod(0o600)
    cli("install", "--yes", "--agent", "claude-code")

    assert stat.S_IMODE(path.stat().st_mode) == 0o600
    assert stat.S_IMODE((cli.memory / "state" / "installed.json").stat().st_mode) == 0o600
    assert stat.S_IMODE((cli.memory / "state").stat().st_mode) == 0o700
    assert stat.S_IMODE(cli.memory.stat().st_mode) == 0o700


def test_help_names_every_agent(cli: Cli) -> None:
    """And is found in the list of commands."""
    assert "claude-code, codex, cursor, gemini, opencode, aider" in " ".join(cli("install", "--help").out.split())
    assert "Let the coding agents on this machine use the memory." in cli("--help").out
    assert (ROOT / "docs" / "agents.md").exists()


def test_two_at_once_take_turns(cli: Cli, home: Path) -> None:
    """Of installs that run at once each does all or nothing, and says so; all that was added can be taken out."""
    before = files(home)
    command = [str(part) for part in cli.command("install", "--yes")]
    running = [
        subprocess.Popen(command, env=cli.environ(), stdout=subprocess.PIPE, stderr=subprocess.PIPE, text=True)
        for _ in range(3)
    ]
    ended = [(process.communicate(timeout=120)[1], process.returncode) for process in running]

    assert 0 in [code for _, code in ended]
    for err, code in ended:
        assert code == 0 or (code == 4 and "when it has ended" in err), err
    assert cli("uninstall", "--yes").code == 0
    assert files(home) == before


def test_whoever_comes_second_changes_nothing(cli: Cli, home: Path) -> None:
    """While somebody else is at it, install and uninstall say so and touch nothing."""
    assert cli("install", "--yes", "--agent", "codex").code == 0
    before = files(home)

    with sweep_state.lock(cli.memory, "install"):
        added, taken = cli("install", "--yes"), cli("uninstall", "--yes")

    assert added.code == taken.code == 4
    assert "when it has ended" in added.err
    assert "when it has ended" in taken.err
    assert files(home) == before
