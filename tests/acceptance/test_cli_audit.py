"""`noctuary audit`, as a process."""

from tests.acceptance.conftest import Cli


def test_what_deserves_a_look_is_told_with_what_to_do(cli: Cli) -> None:
    """A heading, the concerns that there are, and the weeks; the same for programs."""
    cli("memory", "remember", "--project", "shop", "Prices are rounded half to even")
    cli("memory", "remember", "--project", "shop", "We round prices half to even, as banks do")

    told, asked = cli("audit"), cli("audit", "--json").json

    assert told.code == 0
    assert told.out.startswith("2 memories and ")
    assert "1 near duplicate: is said twice, in other words" in told.out
    assert "What to do: `noctuary memory forget ID`" in told.out
    assert "by week, " in told.out
    assert asked["counts"]["near_duplicate"] == len(asked["items"]) == 1
    assert len(asked["weeks"]) == 26


def test_one_concern_is_listed_alone(cli: Cli) -> None:
    """One that does not exist is refused with those that do."""
    cli("memory", "remember", "--project", "shop", "Prices are rounded half to even")
    cli("memory", "remember", "--project", "shop", "We round prices half to even, as banks do")

    assert cli("audit", "--concern", "stale", "--json").json["items"] == []
    assert len(cli("audit", "--concern", "near_duplicate", "--quick", "--json").json["items"]) == 1
    assert cli("audit", "--concern", "ugly").code == 2
    assert "near_duplicate" in cli("audit", "--concern", "ugly").err


def test_an_empty_memory_has_nothing_of_concern_and_is_not_made(cli: Cli) -> None:
    """Nothing is left behind."""
    ran = cli("audit")

    assert (ran.code, ran.err) == (0, "")
    assert ran.out.startswith("0 memories and 0 texts looked at: 0 concerns\n")
    assert not cli.memory.exists()
