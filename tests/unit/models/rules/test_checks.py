"""Checks that failed."""

import pytest

from noctuary.authored import EventType, Strength, Trust
from tests.unit.models.rules.talking import call, found, result, texts, user

TASK = user("Test the shop")
FAILED = "Process exited with code 1\nOutput:\n> tsc\nshop.ts(3,1): error TS6133: 'x' is never read.\nExit status 1"


def test_a_failed_check_is_evidence() -> None:
    """With what was run and what it complains about; the program says so, not the agent."""
    [proposal] = found(
        TASK, call("exec_command", "cmd: npm run type-check\nworkdir: /shop"), result("exec_command", FAILED)
    )

    assert proposal.type is EventType.EVIDENCE
    assert proposal.text == "npm run type-check failed: shop.ts(3,1): error TS6133: 'x' is never read."
    assert proposal.trust is Trust.TOOL
    assert proposal.strength is Strength.STRONG
    assert proposal.messages[0].quote == "shop.ts(3,1): error TS6133: 'x' is never read."
    assert [ref.id for ref in proposal.messages] == [3, 2]


def test_output_that_comes_later_belongs_to_the_check() -> None:
    """An agent may wait for a long one."""
    [proposal] = found(
        TASK, call("exec_command", "cmd: pytest"), result("exec_command", "running"),
        call("write_stdin", "x"), result("write_stdin", "1 failed\nexit code: 1"),
    )  # fmt: skip

    assert proposal.text == "pytest failed: 1 failed"


@pytest.mark.parametrize(
    ("command", "output"),
    [
        ("npm test", "Process exited with code 0\n3 passed, no error"),
        ("cat test.log", FAILED),
        ("rg -n error build", FAILED),
        ("cd shop && git status", FAILED),
        ("npm test", "Process exited with code 1\n"),
    ],
)
def test_what_passed_or_was_only_looked_at_is_none(command: str, output: str) -> None:
    """Nor what says nothing."""
    assert texts(TASK, call("Bash", f"command: {command}"), result("Bash", output)) == []


def test_of_a_long_output_the_ends_are_read() -> None:
    """Megabytes of it are not searched."""
    output = f"Process exited with code 1\n{'error in the middle ' * 10_000}\n{'.' * 3_000}\nFAIL shop.test.ts"

    [text] = texts(TASK, call("Bash", "command: npm test"), result("Bash", output))

    assert text == "npm test failed: FAIL shop.test.ts"
