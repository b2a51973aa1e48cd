"""What went wrong at the command lines before us: names taken for others, empty answers, errors that end with 0."""

from pathlib import Path

import pytest

from tests.acceptance.conftest import Cli
from tests.acceptance.shop import SHOP, Shop, make_shop


@pytest.fixture
def shop(cli: Cli) -> Shop:
    return make_shop(cli)


@pytest.mark.parametrize(
    "command",
    [
        ["task", "list"],
        ["goal", "list"],
        ["ready"],
        ["next"],
        ["tree"],
        ["find", "sessions"],
        ["handoff"],
        ["graph", "export"],
        ["journal", "export"],
        ["status"],
    ],
)
def test_b11_every_question_has_a_command(cli: Cli, shop: Shop, command: list[str]) -> None:
    """Without a server, for people and as JSON."""
    here = [] if command == ["status"] else SHOP
    ran = cli(*command, *here)

    assert ran.code == 0
    assert ran.out
    assert isinstance(cli(*command, *here, "--json").json, dict | list)
    assert shop.goal


@pytest.mark.parametrize("command", [["ready"], ["next"], ["tree"], ["handoff"], ["session", "start"]])
def test_c36_a_project_is_not_taken_for_a_goal(cli: Cli, shop: Shop, command: list[str]) -> None:
    """The name of the project where a goal is asked for is an error that says so, never an empty answer."""
    ran = cli(*command, "shop", *SHOP)

    assert ran.code == 3
    assert "There is no node 'shop'" in ran.err
    assert ran.out == ""
    assert shop.goal


@pytest.mark.parametrize(
    "command",
    [
        ["task", "close", "t-nowhere"],
        ["task", "status", "t-nowhere", "blocked"],
        ["claim", "t-nowhere", "--agent", "ana"],
        ["depend", "t-nowhere", "t-neither"],
        ["decide", "d-nowhere", "--chosen", "x", "--because", "y"],
        ["event", "retract", "01NOWHERE"],
        ["session", "end", "ws-nowhere"],
        ["graph", "export", "g-nowhere"],
        ["graph", "import", "nowhere.toml"],
        ["journal", "import", "nowhere.jsonl"],
    ],
)
def test_c36_what_fails_does_not_end_with_0(cli: Cli, shop: Shop, command: list[str]) -> None:
    """One line to stderr, nothing to stdout, and a code that a program can read."""
    ran = cli(*command, *SHOP)

    assert ran.code in (2, 3)
    assert ran.out == ""
    assert ran.err
    assert shop.goal


def test_c36_a_dry_run_shows_every_field(cli: Cli, shop: Shop, tmp_path: Path) -> None:
    """Not how many changes there would be, but which."""
    file = tmp_path / "goal.toml"
    cli("graph", "export", shop.goal, "-o", file, *SHOP)
    text = file.read_text(encoding="utf-8").replace("Import the sessions", "Import all").replace('"high"', '"low"')
    file.write_text(text, encoding="utf-8")

    ran = cli("graph", "import", file, "--dry-run", *SHOP)

    assert "title: Import the sessions → Import all" in ran.out
    assert "priority: high → low" in ran.out
    assert "Import the sessions" in cli("tree", *SHOP).out


def test_c37_nothing_is_written_outside_the_folder_that_was_named(cli: Cli, shop: Shop, tmp_path: Path) -> None:
    """Whatever decisions are called, their pages stay where they were asked for."""
    cli("decide", "../../outside", "--task", shop.schema, "--chosen", "yes", "--option", "no", *SHOP)
    before = {path for path in tmp_path.rglob("*") if path.suffix == ".md"}

    ran = cli("adr", "export", tmp_path / "pages", *SHOP)

    assert ran.code == 0, ran.err
    fresh = {path for path in tmp_path.rglob("*") if path.suffix == ".md"} - before
    assert len(fresh) == 1
    assert all(path.parent == tmp_path / "pages" for path in fresh)
