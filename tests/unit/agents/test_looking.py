"""The doctor is told which agents have us, and what is missing."""

from pathlib import Path

import pytest

from noctuary.agents import installed
from noctuary.agents.commands import HOOK_FILE, MARK
from tests.unit.agents.machine import Machine

pytestmark = pytest.mark.slow


@pytest.fixture
def machine(tmp_path: Path) -> Machine:
    return Machine.below(tmp_path)


def test_those_with_entries_are_named(machine: Machine) -> None:
    """Others are not, though they are on the machine."""
    for name in ("claude-code", "codex", "cursor"):
        machine.with_agent(name)
    machine.put("codex")
    machine.install("cursor")

    assert [(each.name, each.has_hooks, each.has_server, each.problem) for each in installed(machine.settings)] == [
        ("codex", True, True, ""),
        ("cursor", True, False, ""),
    ]


@pytest.mark.parametrize("name", ["claude-code", "codex", "cursor", "gemini"])
def test_a_python_that_is_gone_is_told(machine: Machine, name: str) -> None:
    """As happens when the environment that install ran in is removed."""
    agent = machine.with_agent(name)
    machine.install()
    assert agent.hooks
    text = agent.hooks.read_text(encoding="utf-8")
    agent.hooks.write_text(text.replace(machine.order().calls.python, "/gone/bin/python"), encoding="utf-8")
    (found,) = installed(machine.settings)

    assert (
        found.problem == "its entries name /gone/bin/python, which is not there. `noctuary install` writes them anew."
    )


def test_a_hook_that_is_gone_is_told(machine: Machine) -> None:
    """As happens when another version of Python takes the place of the one that install ran with."""
    agent = machine.with_agent("claude-code")
    machine.install()
    assert agent.hooks
    text = agent.hooks.read_text(encoding="utf-8")
    agent.hooks.write_text(text.replace(str(HOOK_FILE), f"/gone/{MARK}"), encoding="utf-8")
    (found,) = installed(machine.settings)

    assert found.problem.startswith(f"its entries name /gone/{MARK}, which is not there.")


def test_hooks_that_are_turned_off_are_told(machine: Machine) -> None:
    """Or everything would look well, and nothing would ever be noticed."""
    agent = machine.with_agent("claude-code")
    assert agent.hooks
    agent.hooks.write_text('{"disableAllHooks": true}', encoding="utf-8")
    assert installed(machine.settings) == []
    machine.install()
    (found,) = installed(machine.settings)

    assert found.problem == f"hooks are turned off in {agent.hooks} (disableAllHooks), so it does not call ours."


def test_settings_that_cannot_be_read_are_told(machine: Machine) -> None:
    """Whether ours is in them cannot be known."""
    agent = machine.with_agent("gemini")
    assert agent.hooks
    agent.hooks.write_text("{", encoding="utf-8")
    (found,) = installed(machine.settings)

    assert "cannot be read" in found.problem
