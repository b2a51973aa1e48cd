"""What does not work is told in words."""

import os
import sys
from pathlib import Path

import pytest

from noctuary.agents.checking import Trials, takes_arguments
from noctuary.agents.commands import Calls
from tests.unit.agents.machine import SOURCE

pytestmark = pytest.mark.slow


@pytest.fixture
def trials() -> Trials:
    return Trials({"PATH": os.environ["PATH"], "PYTHONPATH": str(SOURCE)})


def program(code: str) -> list[str]:
    """A command line that runs this."""
    return [sys.executable, "-c", code]


@pytest.mark.parametrize(
    ("arguments", "why"),
    [
        (["/nowhere/python"], "cannot be started"),
        (program("raise SystemExit(2)"), "ended with 2"),
        (program("print('hello')"), "no JSON object"),
        (program("print('[]')"), "no JSON object"),
        (program("print('{}')"), ""),
        (program("pass"), ""),
    ],
)
def test_a_hook_that_does_not_keep_its_contract(trials: Trials, arguments: list[str], why: str) -> None:
    """It starts, ends with 0, and prints one object or nothing."""
    said = trials.trouble_with_hook(arguments, "claude-code")

    assert why in said
    assert bool(said) == bool(why)


def test_our_hook_answers(trials: Trials) -> None:
    """A hook that is silent whatever happens would pass unless it is asked something it must answer."""
    calls = Calls.by_this_python()

    assert trials.trouble_with_program(calls.hook("cursor")) == ""
    assert "silent" in trials.trouble_with_program(program("pass"))


@pytest.mark.parametrize(
    ("arguments", "why"),
    [
        (["/nowhere/python"], "cannot be started"),
        (program("raise SystemExit('no library')"), "no library"),
        (program("print('{}')"), "does not answer as it should"),
        (program('import sys; sys.stdin.readline(); print(\'{"result": {"serverInfo": {"name": 1}}}\')'), ""),
    ],
)
def test_a_server_that_does_not_answer(trials: Trials, arguments: list[str], why: str) -> None:
    """It must greet back; what it wrote instead is told."""
    said = trials.trouble_with_server(arguments)

    assert why in said
    assert bool(said) == bool(why)


def test_a_server_that_ends_before_it_is_greeted(trials: Trials) -> None:
    """Whether the greeting was taken or not, what is told is that it said nothing."""
    said = {trials.trouble_with_server(["/bin/true", str(each)]) for each in range(40)}

    assert said == {"it does not answer as it should: it said nothing"}


def test_our_server_answers(trials: Trials) -> None:
    """As an agent would start it."""
    assert trials.trouble_with_server(Calls.by_this_python().server()) == ""


@pytest.mark.parametrize(
    ("script", "expected"),
    [
        ("echo '2.1.139 (Claude Code)'", True),
        ("echo '2.2.0 (Claude Code)'", True),
        ("echo '2.1.59 (Claude Code)'", False),
        ("echo '1.0.128 (Claude Code)'", False),
        ("echo unknown", True),
        ("exit 1", True),
    ],
)
def test_older_claude_code_is_known(tmp_path: Path, script: str, expected: bool) -> None:
    """It would start Python without the arguments of a hook, so it gets a line for a shell."""
    command = tmp_path / "claude"
    command.write_text(f"#!/bin/sh\n{script}\n", encoding="utf-8")
    command.chmod(0o755)

    assert takes_arguments({"PATH": f"{tmp_path}:/usr/bin:/bin"}) is expected


def test_claude_code_that_is_not_found_counts_as_new(tmp_path: Path) -> None:
    """As when it runs within an editor."""
    assert takes_arguments({"PATH": str(tmp_path)})
