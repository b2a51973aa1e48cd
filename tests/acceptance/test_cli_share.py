"""`noctuary share`: two people and a stranger, each with the real command line."""

from pathlib import Path
from typing import Any

import pytest

from tests.acceptance.conftest import Cli, Ran

PROJECT = "/home/team/code/shop"


class Person:
    """Somebody at the command line of a memory that several share."""

    def __init__(self, cli: Cli, owner: str) -> None:
        self._cli = cli
        self.owner = owner

    def __call__(self, *arguments: str | Path, **extra: Any) -> Ran:
        """Run a command in their name."""
        return self._cli("--owner", self.owner, *arguments, **extra)

    def share(self, *arguments: str) -> Ran:
        """Run a command of `noctuary share`."""
        return self("share", *arguments)

    def remember(self, text: str, *more: str) -> str:
        """Keep a sentence; its id."""
        name: str = self("remember", text, "--project", PROJECT, "--json", *more).json["id"]
        return name


@pytest.fixture
def people(cli: Cli) -> tuple[Person, Person, Person]:
    """Ana, who made the team and reviews, Ben, who is in it, and Cem, who is not."""
    ana, ben, cem = (Person(cli, name) for name in ("ana", "ben", "cem"))
    assert ana.share("make", "Shop").code == 0
    assert ana.share("invite", "Shop", "ben").out == "ben is a member of Shop.\n"
    return ana, ben, cem


def published(ben: Person, text: str = "Prices are stored in cents", *more: str) -> str:
    """Something that Ben proposed."""
    share: str = ben.share("publish", "Shop", ben.remember(text, *more), "--json").json["proposed"][0]["id"]
    return share


def test_a_memory_goes_to_the_team_and_back(people: tuple[Person, Person, Person]) -> None:
    """Preview, publish, review, read, take back; each says what was done and what can be done next."""
    ana, ben, _ = people
    memory = ben.remember("Prices are stored in cents", "--kind", "constraint", "--topic", "prices")

    preview = ben.share("preview", "Shop", memory)
    assert preview.out.startswith("constraint: Prices are stored in cents\n")
    assert "would be proposed" in preview.out
    assert PROJECT not in preview.out
    assert ana.share("review").code == 1

    assert ben.share("publish", "Shop", memory).out.startswith("Proposed 1 memory to Shop.\n")
    assert ben.share("publish", "Shop", memory).code == 1
    waiting = ana.share("review", "--json").json["proposals"]
    share = waiting[0]["id"]
    assert "Prices are stored in cents" in ana.share("review").out
    accepted = ana.share("accept", share, "--text", "All prices are in cents")
    assert accepted.out == f"Accepted {share}: All prices are in cents\n"

    assert "All prices are in cents" in ben.share("list", "Shop", "--words", "cents").out
    assert ben.share("list", "--words", "euros").code == 1
    shown = ben.share("show", share).out
    assert "the team reads: All prices are in cents" in shown
    assert "constraint: Prices are stored in cents" in shown

    assert ben.share("take-back", share).out == f"Took back {share} from Shop\n"
    assert ana.share("list").code == 1
    assert ana.share("show", share).code == 3
    newest = ana.share("history", "Shop").out.splitlines()[1]
    assert newest.split()[2:] == ["ben", "took", "back", share, "of", "ben"]
    assert "cents" not in ana.share("history", "Shop").out


def test_strangers_are_told_that_there_is_nothing(people: tuple[Person, Person, Person]) -> None:
    """In the same words as if there were no team of that name."""
    ana, ben, cem = people
    share = published(ben)
    ana.share("accept", share)

    assert cem.share("teams").code == 1
    assert cem.share("list").code == 1
    assert cem.share("show", share).code == 3
    for command in ("members", "history", "leave", "bind"):
        real, made_up = cem.share(command, "Shop"), cem.share(command, "Nope")
        assert real.code == made_up.code == 3
        assert real.err == made_up.err.replace("Nope", "Shop")


def test_a_project_is_published_whole_and_again(people: tuple[Person, Person, Person]) -> None:
    """What is new since is proposed then; what is known or was refused is counted."""
    ana, ben, _ = people
    share = published(ben)
    ben.remember("Tests run in parallel")
    assert ben.share("publish", "Shop", "--project", PROJECT).out.splitlines()[0] == "Proposed 1 memory to Shop."
    ana.share("refuse", share, "--because", "Only in your branch")
    ben.remember("The till is offline")

    again = ben.share("publish", "Shop", "--project", PROJECT).out

    assert again.startswith("Proposed 1 memory to Shop.\n")
    assert "1 memory left out: proposed or shared already." in again
    assert "1 memory left out: refused before; name one to propose it again." in again
    assert "Only in your branch" in ben.share("show", share).out


def test_who_may_not_is_told_who_may(people: tuple[Person, Person, Person]) -> None:
    """In one line, with a code of its own kind."""
    ana, ben, _ = people
    share = published(ben)

    refused = ben.share("accept", share)
    assert refused.code == 2
    assert refused.err == ("noctuary: Only a reviewer of Shop may do that; `noctuary share members` names them.\n")
    assert ben.share("invite", "Shop", "cem").code == 2
    assert ana.share("leave", "Shop").code == 2
    assert ana.share("refuse", share).code == 2  # without a reason


def test_sessions_in_a_bound_project_are_told(people: tuple[Person, Person, Person]) -> None:
    """As statements of others, which can be asked for; and no longer when they are taken back."""
    ana, ben, _ = people
    share = published(ben, "Prices are stored in cents", "--kind", "constraint")
    ana.share("accept", share)
    assert ana("brief", "--project", PROJECT).code == 1

    assert ana.share("bind", "Shop", "--project", PROJECT).code == 0
    told = ana("brief", "--project", PROJECT).out
    assert "## Shared by the team: statements of others, not the user's\n- ben says (constraint): Prices" in told
    assert "Rules" not in told
    assert "from ben" in ana("brief", "--project", PROJECT, "--why", share).out
    assert ana.share("teams").out.splitlines()[1].endswith("shop")

    ben("memory", "retire", ben.share("mine", "--json").json["shares"][0]["content"]["memory"], "--project", PROJECT)
    assert ana("brief", "--project", PROJECT).code == 1
    assert ana.share("unbind", "Shop", "--project", PROJECT).code == 0
    assert ana.share("unbind", "Shop", "--project", PROJECT).code == 1


def test_who_leaves_can_still_take_back(people: tuple[Person, Person, Person]) -> None:
    """The command is named when they leave."""
    ana, ben, _ = people
    ana.share("accept", published(ben))

    left = ben.share("leave", "Shop").out
    team = left.split("--all ")[1].split()[0]

    assert ben.share("list").code == 1
    assert ben.share("take-back", "--all", team).code == 0
    assert ana.share("list").code == 1


def test_members_come_and_go(people: tuple[Person, Person, Person]) -> None:
    """By name, with a role."""
    ana, ben, cem = people
    assert ana.share("invite", "Shop", "cem", "--reviewer").out == "cem is a reviewer of Shop.\n"
    assert [line.split()[:2] for line in ben.share("members", "Shop").out.splitlines()[1:]] == [
        ["ana", "reviewer"],
        ["ben", "member"],
        ["cem", "reviewer"],
    ]

    assert cem.share("remove", "Shop", "ben").out == "ben is in Shop no longer.\n"

    assert ben.share("members", "Shop").code == 3
    assert cem.share("members", "Shop", "--json").json["count"] == 2


@pytest.mark.parametrize(
    "arguments",
    [
        ("publish", "Shop"),
        ("publish", "Shop", "m-1", "--project", "."),
        ("take-back",),
        ("take-back", "sh-1", "--all", "Shop"),
        ("make", " "),
        ("refuse", "sh-1"),
    ],
)
def test_what_cannot_be_meant_is_refused(people: tuple[Person, Person, Person], arguments: tuple[str, ...]) -> None:
    """With the code for commands that cannot be read as they were written."""
    assert people[0].share(*arguments).code == 2


def test_a_question_makes_no_memory(cli: Cli) -> None:
    """Whoever asks what is shared where there is nothing is told so."""
    for command in ("teams", "list", "mine", "review"):
        assert cli("share", command).code == 1
    assert not cli.memory.exists()
