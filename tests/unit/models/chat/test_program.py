"""Agents' commands, run as models."""

from pathlib import Path

import pytest

from noctuary.errors import ModelMissing
from noctuary.models.chat.model import NoAnswer, Passing
from noctuary.models.chat.program import DREAMING, Program, is_dreaming
from tests.unit.models.chat.answering import KEY, LONG, Step, environ_for, is_left_alone, program


def test_a_command_runs_in_an_empty_folder_and_says_that_it_works_for_a_dream(tmp_path: Path) -> None:
    """No project's instructions are read, no hook of ours runs, and it does not think that it is inside an agent."""
    with program(tmp_path, "claude", lambda _: Step("hello", "warning", 3)) as asked:
        found = Program("claude", environ_for(tmp_path), LONG).run(["-p", ""], "prompt", {"a.json": "{}"})

        [kept] = asked()
    assert found == ("hello", "warning", 3)
    assert kept.prompt == "prompt"
    assert kept.details["argv"] == ["-p", ""]
    assert kept.details["files"] == {"a.json": "{}"}
    assert kept.details["environ"][DREAMING] == "1"
    assert "CLAUDECODE" not in kept.details["environ"]
    assert not Path(kept.details["cwd"]).exists()


def test_a_dreams_own_agent_starts_no_agent(tmp_path: Path) -> None:
    """Or a dream would start an agent whose session starts a dream."""
    with program(tmp_path, "claude", lambda _: Step()) as asked:
        with pytest.raises(ModelMissing, match="for a dream already"):
            Program("claude", {**environ_for(tmp_path), DREAMING: "1"}, LONG)

        assert asked() == []


@pytest.mark.parametrize(("environ", "is_so"), [({}, False), ({DREAMING: ""}, False), ({DREAMING: "1"}, True)])
def test_whoever_works_for_a_dream_can_tell(environ: dict[str, str], is_so: bool) -> None:
    """Hooks and commands ask this first."""
    assert is_dreaming(environ) is is_so


def test_a_command_that_is_not_there_is_told(tmp_path: Path) -> None:
    """The error names it and what to do."""
    with pytest.raises(ModelMissing, match="no command claude on this machine; install it"):
        Program("claude", environ_for(tmp_path), LONG)


def test_a_command_that_cannot_be_started_is_told(tmp_path: Path) -> None:
    """A file that is no program is our error, not the system's."""
    path = tmp_path / "claude"
    path.write_text("#!/nowhere/at/all\n", encoding="utf-8")
    path.chmod(0o755)

    with pytest.raises(ModelMissing, match="cannot be started"):
        Program("claude", environ_for(tmp_path), LONG).run([], "prompt")


@pytest.mark.slow
def test_all_that_a_late_command_started_is_ended(tmp_path: Path) -> None:
    """Its time is for the whole group of its processes."""
    with program(tmp_path, "claude", lambda _: Step(sleep=600, child=True)):
        late = Program("claude", environ_for(tmp_path), 2.0)
        with pytest.raises(Passing, match="did not answer within 2 seconds and was ended"):
            late.run([], "prompt")

    assert is_left_alone(tmp_path)


def test_what_a_command_leaves_running_is_ended_with_it(tmp_path: Path) -> None:
    """An answer is there when the command ends, even if a child keeps its output open."""
    with program(tmp_path, "claude", lambda _: Step("hello", child=True)):
        assert Program("claude", environ_for(tmp_path), LONG).run([], "prompt").out == "hello"

    assert is_left_alone(tmp_path)


def test_a_command_that_does_not_read_is_no_trouble(tmp_path: Path) -> None:
    """It may end before it has read a long prompt."""
    path = tmp_path / "claude"
    path.write_text("#!/bin/sh\necho done\n", encoding="utf-8")
    path.chmod(0o755)

    assert Program("claude", environ_for(tmp_path), LONG).run([], "x" * 5_000_000).out == "done\n"


def test_a_command_that_talks_without_end_is_ended(tmp_path: Path) -> None:
    """It does not fill the memory, nor does it get all its time."""
    path = tmp_path / "claude"
    path.write_text(
        "#!/bin/sh\nwhile :; do echo xxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxx; done\n", encoding="utf-8"
    )
    path.chmod(0o755)

    with pytest.raises(NoAnswer, match="far more than was asked"):
        Program("claude", environ_for(tmp_path), 60.0).run([], "")


def test_secrets_of_the_environment_are_not_shown(tmp_path: Path) -> None:
    """A command may complain about its key, and repeat it."""
    with program(tmp_path, "claude", lambda _: Step()):
        shown = Program("claude", environ_for(tmp_path), LONG).shown(f"\nbad key {KEY}.\nsecond line")

    assert shown == "bad key [ANTHROPIC_API_KEY]"
