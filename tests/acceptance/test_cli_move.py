"""`noctuary move`: to a server and back, by the real command line."""

from pathlib import Path

import pytest

from tests.acceptance.conftest import Cli


def test_there_and_back(sample: Cli, postgres_url: str, tmp_path: Path) -> None:
    """What was moved is searched there with --database; moved back, it is the same, table by table."""
    before = sample("search", "redis", "--json").json
    look = sample("move", "--to", postgres_url, "--dry-run")
    assert (look.code, "would be moved" in look.out) == (0, True)

    moved = sample("move", "--to", postgres_url, "--json").json["moved"]
    back = tmp_path / "back"
    again = sample("move", "--database", postgres_url, "--to", str(back), "--json").json["moved"]

    assert again == moved
    assert moved[0]["held"]["messages"]["rows"] > 0
    for place in (("--database", postgres_url), ("--home", str(back))):
        found = sample("search", "redis", "--json", *place).json
        assert [hit["session"]["id"] for hit in found["hits"]] == [hit["session"]["id"] for hit in before["hits"]]


def test_a_dream_is_had_where_the_command_line_says(sample: Cli, postgres_url: str, tmp_path: Path) -> None:
    """Before the word or behind it: what was moved is dreamt of there, and no memory is made here."""
    assert sample("move", "--to", postgres_url).code == 0
    here = Cli(tmp_path / "here", tmp_path)

    look = here("--database", postgres_url, "dream", "--dry-run", "--json").json
    had = here("dream", "--database", postgres_url, "--json").json
    status = here("dream", "status", "--database", postgres_url, "--json").json

    assert look["processed"] == had["processed"] > 0
    assert status["last"]["run"] == had["run"]
    assert not here.database.exists()


def test_told_what_arrived_and_how_to_use_it(sample: Cli, postgres_url: str) -> None:
    """Counts and digests are printed, and what to write where; a second move finds that all is there."""
    first, second = (sample("move", "--to", postgres_url) for _ in range(2))

    assert (first.code, second.code) == (0, 0)
    assert first.out.startswith("ana: moved, ")
    assert "all of it is there already" in second.out
    assert "config.toml" in first.out
    lines = {line.split()[0]: line.split()[1:] for line in first.out.splitlines() if line.startswith("  ")}
    assert len(lines["messages"][1]) == 32


def test_a_password_is_not_printed(sample: Cli) -> None:
    """An address that cannot be used is told without what is secret in it."""
    ran = sample("move", "--to", "postgresql://ana:topsecret@127.0.0.1:1/none")

    assert ran.code != 0
    assert "topsecret" not in ran.out + ran.err


def test_a_command_to_copy_has_no_password(sample: Cli, postgres_url: str) -> None:
    """What is printed is read by agents and kept in their transcripts; how to go on is still said."""
    sample("move", "--to", postgres_url)

    for address in (postgres_url.replace("@", ":topsecret@", 1), f"{postgres_url}&password=topsecret"):
        ran = sample("search", "redis", "--database", address)

        assert (ran.code, "--database" in ran.out) == (0, True)
        assert "topsecret" not in ran.out + ran.err


@pytest.mark.parametrize("nowhere", ["", " ", "mysql://db.example/x"])
def test_a_place_has_a_name(sample: Cli, nowhere: str) -> None:
    """A variable that was not set is not the folder one happens to be in."""
    ran = sample("move", "--to", nowhere)

    assert (ran.code, "name a folder" in ran.err) == (2, True)


def test_not_mixed_with_another(sample: Cli, tmp_path: Path) -> None:
    """A folder that holds something is refused, with the exit code of bad input."""
    (tmp_path / "taken").mkdir()
    (tmp_path / "taken" / "diary.txt").write_text("mine")
    ran = sample("move", "--to", str(tmp_path / "taken"))

    assert (ran.code, "is not empty" in ran.err) == (2, True)


def test_others_of_a_team_are_named(cli: Cli, tmp_path: Path) -> None:
    """Whoever moves alone is told who stays, and how to take them along."""
    cli("share", "make", "Shop")
    cli("share", "invite", "Shop", "ben o'neil")

    alone = cli("move", "--to", str(tmp_path / "alone"))
    both = cli("move", "--to", str(tmp_path / "both"), "--also", "ben o'neil")

    assert "in no team with ana there: ben o'neil. To take along: --also 'ben o'\"'\"'neil'" in alone.out
    assert "To take along" not in both.out
