"""Which memory a command is about: the options that say so are the same everywhere."""

import click
import pytest

from noctuary.doors.cli import main
from scripts.reference import commands

PLACE = {"--home", "--owner", "--database"}


def of_a_memory() -> dict[str, set[str]]:
    """The options of every command that is about some memory, by the words it is called by."""
    every = {
        " ".join(path): {option for parameter in command.params for option in parameter.opts}
        for path, command in commands(main, ("noctuary",))
    }
    return {name: options for name, options in every.items() if options & PLACE}


@pytest.mark.parametrize("name", of_a_memory())
def test_a_command_that_can_be_told_one_of_them_can_be_told_all(name: str) -> None:
    """Whoever uses a team's memory says so on every command line, and is told commands to copy that do."""
    missing = PLACE - of_a_memory()[name]

    assert not missing


def test_there_are_such_commands() -> None:
    """Or the rule above would be about nothing."""
    assert {"noctuary", "noctuary dream", "noctuary search"} <= of_a_memory().keys()
    assert isinstance(main, click.Group)
