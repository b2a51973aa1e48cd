"""What the doctor says of hooks: when they spoke last, whether anybody listens, and what is in their way."""

import json
import sys
from collections.abc import Iterator
from datetime import timedelta
from pathlib import Path

import pytest

from noctuary.agents.commands import HOOK_FILE
from noctuary.app import Memory, sweep_state
from noctuary.app.hook_checkup import check_up
from noctuary.doors.hook import trouble
from noctuary.health import Finding
from noctuary.settings import Settings
from tests.unit.app.test_sweeping import Machine


@pytest.fixture
def machine(tmp_path: Path) -> Iterator[Machine]:
    made = Machine(tmp_path)
    with made.memory:
        yield made


def found(machine: Machine) -> str:
    """What is wrong, in words."""
    checked = check_up(machine.memory.settings, machine.clock.now_ms())
    assert (checked.name, checked.finding) == ("hooks", Finding.WARNING)
    return checked.detail


def told(machine: Machine) -> str:
    """What is said if nothing is wrong."""
    checked = check_up(machine.memory.settings, machine.clock.now_ms())
    assert checked.finding is Finding.OK, checked.detail
    return checked.detail


def test_where_there_are_none(machine: Machine) -> None:
    """It is nothing wrong, and one is told how to get them."""
    assert told(machine).startswith("none has run yet. `noctuary install`")


def test_where_none_was_called_yet(machine: Machine) -> None:
    """They are there, and to install them again would change nothing."""
    handler = {"type": "command", "command": f"{sys.executable} -I -S {HOOK_FILE}"}
    path = machine.user_home / ".gemini" / "settings.json"
    path.parent.mkdir(parents=True)
    path.write_text(json.dumps({"hooks": {"SessionStart": [{"hooks": [handler]}]}}), encoding="utf-8")

    assert told(machine) == "in the settings of Gemini CLI; none has run yet"


def test_when_they_spoke_last(machine: Machine) -> None:
    """Before a sweep and after it, it is the same note; and one is told whether it waits."""
    machine.hook("Stop", "one")
    machine.clock.advance(timedelta(hours=2))

    assert told(machine) == "the last note is of 2026-03-03 09:00; no sweep has been yet, 1 waits for the next"
    machine.sweep()
    assert told(machine) == "the last note is of 2026-03-03 09:00; the last sweep was on 2026-03-03 11:00"


def test_they_are_looked_at_where_there_is_no_memory_yet(tmp_path: Path) -> None:
    """Hooks that cannot run may be why there is none."""
    user_home = tmp_path / "user"
    (user_home / ".claude").mkdir(parents=True)
    (user_home / ".claude" / "settings.json").write_text("{", encoding="utf-8")
    settings = Settings.load({"USER": "ana"}, home=tmp_path / "memory", user_home=user_home)
    database, hooks = Memory.examine(settings).checks

    assert (database.finding, hooks.finding) == (Finding.PROBLEM, Finding.WARNING)
    assert hooks.detail.startswith("Claude Code: its settings cannot be read")


def test_notes_that_nobody_deals_with(machine: Machine) -> None:
    """After a day something must be wrong: a sweep cannot be started, or fails."""
    machine.hook("Stop", "one")
    machine.clock.advance(timedelta(hours=25))
    machine.hook("Stop", "two")

    assert found(machine).startswith("they leave notes, the oldest of 2026-03-03 09:00, but no sweep deals with them.")
    assert "`noctuary sweep`" in found(machine)
    machine.sweep()
    told(machine)


@pytest.mark.parametrize(
    ("name", "said"),
    [("failed", "the sweep of their notes failed"), ("unwritten", "they could not leave a note")],
)
def test_word_that_was_left_of_trouble(machine: Machine, name: str, said: str) -> None:
    """With its time and its reason; what is damaged is shown as it is."""
    folder = sweep_state.hook_folder(machine.home)
    folder.mkdir(parents=True)
    (folder / name).write_text("1772524800000 the disk is full\n", encoding="utf-8")
    assert found(machine) == f"{said} on 2026-03-03 08:00: the disk is full"
    trouble.record(str(machine.home), name, "it is in the way", 1772528400000)
    assert found(machine) == f"{said} on 2026-03-03 09:00: it is in the way"

    (folder / name).write_text("nonsense the disk is full", encoding="utf-8")
    assert found(machine) == f"{said}: the disk is full"
    (folder / name).write_text("", encoding="utf-8")
    assert found(machine).startswith(f"{said}: not even why could be written down")


def test_hooks_that_were_too_slow(machine: Machine) -> None:
    """Once is chance; more often, and not long ago, it is said."""
    folder, now_ms = sweep_state.hook_folder(machine.home), machine.clock.now_ms()
    folder.mkdir(parents=True)
    (folder / f"slow-start-{now_ms - 5_000}-12").touch()
    (folder / f"slow-prompt-{now_ms - 900_000}-13").touch()
    (folder / "slow-prompt-never-14").touch()
    told(machine)

    (folder / f"slow-prompt-{now_ms - 9_000}-15").touch()

    assert found(machine).startswith("2 of them were too slow")


def test_settings_that_make_no_sense(machine: Machine) -> None:
    """Hooks pass over what they do not know, so the doctor says it."""
    (machine.home / "config.toml").write_text("[hooks]\nprompt_recal = true\n", encoding="utf-8")
    again = Machine(machine.home.parent)
    with again.memory:
        assert "no setting 'prompt_recal'" in found(again)


def test_settings_of_an_agent_that_name_a_python_which_is_gone(machine: Machine) -> None:
    """After an upgrade of Python hooks cannot start, and the agent may not say so."""
    missing = machine.shop / "gone" / "bin" / "python3"
    hook = f"{machine.shop}/noctuary/doors/hook/__main__.py"
    command = {"type": "command", "command": f"{missing} -I -S {hook} --agent claude-code"}
    settings = machine.user_home / ".claude" / "settings.json"
    settings.parent.mkdir(parents=True)
    settings.write_text(json.dumps({"hooks": {"Stop": [{"hooks": [command]}]}}), encoding="utf-8")

    assert found(machine).startswith("Claude Code: ")
    assert str(missing) in found(machine)


def test_what_matters_most_comes_first(machine: Machine) -> None:
    """And how much more there is."""
    machine.hook("Stop", "one")
    machine.clock.advance(timedelta(days=3))
    sweep_state.failed(machine.home, machine.clock.now_ms(), "the disk is full")

    assert found(machine).startswith("the sweep of their notes failed")
    assert found(machine).endswith("(and 1 more)")


def test_the_doctor_asks(machine: Machine) -> None:
    """Hooks are among what it looks at."""
    assert "hooks" in [checked.name for checked in machine.memory.doctor().checks]
