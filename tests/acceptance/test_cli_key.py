"""`noctuary key`: keys from the command line."""

import re
from pathlib import Path

import pytest

from tests.acceptance.conftest import Cli

DAY_MS = 86_400_000


def test_a_key_is_shown_once(cli: Cli) -> None:
    """Alone on standard output, for a script to keep; no command shows it again."""
    ran = cli("key", "make", "laptop")

    assert re.fullmatch(r"nk_[a-z2-7]{10}_[a-z2-7]{52}\n", ran.out)
    assert "shown once" in ran.err
    secret = ran.out.strip().split("_")[2]
    for again in (("list",), ("list", "--all", "--json"), ("audit", "--json")):
        assert secret not in cli("key", *again).out


def test_keys_are_listed(cli: Cli) -> None:
    """What each is for; those that are good no longer only if one asks."""
    first = cli("key", "make", "laptop", "--json").json
    cli("key", "make", "ci", "--scope", "write", "--scope", "read", "--days", "30", "--project", "/home/ana/code/shop")
    cli("key", "revoke", first["id"])

    lines = cli("key", "list").out.splitlines()

    assert lines[0].split() == ["ID", "STATE", "SCOPES", "PROJECT", "MADE", "ENDS", "LAST", "USED", "NAME"]
    assert len(lines) == 2
    assert lines[1].split()[1:4] == ["good", "read,write", "shop"]
    assert lines[1].split()[-2:] == ["never", "ci"]
    everything = cli("key", "list", "--all", "--json").json
    assert {each["name"]: each["state"] for each in everything} == {"laptop": "revoked", "ci": "good"}
    shop = next(each for each in everything if each["name"] == "ci")
    assert shop["project"] == "/home/ana/code/shop"
    assert shop["expires_ms"] - shop["made_ms"] == 30 * DAY_MS
    assert all("digest" not in each and "key" not in each for each in everything)


def test_no_keys_are_an_answer(cli: Cli) -> None:
    """A question makes no memory."""
    assert cli("key", "list").code == 1
    assert cli("key", "audit").code == 1
    assert not cli.memory.exists()


def test_a_key_is_for_the_project_of_a_folder(cli: Cli, tmp_path: Path) -> None:
    """By its whole path: another that ends in the same name is another project."""
    folder = tmp_path / "shop"
    folder.mkdir()

    made = cli("key", "make", "here", "--project", ".", "--json", cwd=folder).json

    assert made["project"] == str(folder)


def test_a_key_is_rotated(cli: Cli) -> None:
    """The old one stays good for a day, or not at all."""
    old = cli("key", "make", "laptop", "--json").json

    new = cli("key", "rotate", old["id"], "--json").json

    kept = {each["id"]: each for each in cli("key", "list", "--json").json}
    assert new["key"].startswith(f"nk_{new['id']}_")
    assert kept[old["id"]]["state"] == "ends soon"
    assert kept[old["id"]]["expires_ms"] - new["made_ms"] == DAY_MS
    assert cli("key", "rotate", new["key"], "--grace", "0").code == 0
    assert new["id"] not in {each["id"] for each in cli("key", "list", "--json").json}
    assert cli("key", "rotate", old["id"]).code == 2


@pytest.mark.parametrize(
    ("arguments", "code"),
    [
        (("make",), 2),
        (("make", ""), 2),
        (("make", "x" * 101), 2),
        (("make", "x", "--scope", "root"), 2),
        (("make", "x", "--days", "0"), 2),
        (("revoke", "abcdefghij"), 3),
        (("revoke", "no such key"), 3),
        (("rotate", "abcdefghij"), 3),
        (("rotate", "abcdefghij", "--grace", "-1"), 2),
        (("rotate", "abcdefghij", "--grace", "nan"), 2),
        (("audit", "--key", "abcdefghij"), 3),
    ],
)
def test_what_makes_no_sense_is_said_in_a_line(cli: Cli, arguments: tuple[str, ...], code: int) -> None:
    """And no key comes of it."""
    ran = cli("key", *arguments)

    assert ran.code == code
    assert ran.out == ""
    assert cli("key", "list").code == 1


def test_another_owner_has_other_keys(cli: Cli) -> None:
    """They neither see nor end those of others."""
    made = cli("key", "make", "laptop", "--json").json

    assert cli("key", "list", "--owner", "ben").code == 1
    assert cli("key", "revoke", made["id"], "--owner", "ben").code == 3
    assert cli("key", "list", "--json").json[0]["state"] == "good"


def test_a_name_cannot_command_a_terminal(cli: Cli) -> None:
    """Whatever somebody called a key."""
    cli("key", "make", "a\x1b[31mb\u202ec")

    assert "\x1b" not in cli("key", "list").out
    assert "\u202e" not in cli("key", "list", "--json").out
