"""`noctuary handoff`, `session` and `adr`: what one session leaves to the next, and decisions to everybody."""

from pathlib import Path

import pytest

from noctuary.app import Memory
from tests.acceptance.conftest import Cli
from tests.acceptance.shop import SHOP, Shop, make_shop

EMPTY = "## Done\n\n## Remaining\n\n## Blocked\n\n## Decisions Made\n\n"


@pytest.fixture
def shop(cli: Cli) -> Shop:
    return make_shop(cli)


@pytest.fixture
def decided(cli: Cli, shop: Shop) -> str:
    """A decision with a chosen and a rejected option; its id."""
    with Memory.open(cli.memory, owner="ana") as memory:
        work = memory.work("shop")
        made = work.log_decision("Where sessions live", parent=shop.goal, options=["SQLite", "Redis"])
        work.choose_option(made.node, made.options[0], "one file, no server")
        return made.node.id


def test_handoff_prints_the_notes_and_nothing_else(cli: Cli, shop: Shop, decided: str) -> None:
    """The very bytes of the format that other tools read, also through a pipe."""
    cli("task", "close", shop.schema, "--outcome", "it holds", *SHOP)

    ran = cli("handoff", shop.goal, *SHOP)

    assert ran.out == (
        f"## Done\n- {decided}: Where sessions live (decided)\n- {shop.schema}: Write the schema (completed)\n\n"
        f"## Remaining\n- {shop.importing}: Import the sessions [ready]\n"
        f"- {shop.redis}: Drop the Redis container [pending]\n\n"
        "## Blocked\n(none)\n\n"
        f"## Decisions Made\n- {decided}: Where sessions live → SQLite (one file, no server)\n\n"
    )
    assert cli("handoff", shop.goal, *SHOP, "--json").json == {"notes": ran.out}


def test_handoff_takes_the_only_active_goal(cli: Cli, shop: Shop) -> None:
    """Without a goal it is the only active one; of several one has to be named, and they are."""
    alone = cli("handoff", *SHOP)
    other = cli("goal", "open", "Another", *SHOP, "--json").json
    several = cli("handoff", *SHOP)

    assert alone.out == cli("handoff", shop.goal, *SHOP).out
    assert several.code == 2
    assert shop.goal in several.err
    assert other["id"] in several.err
    assert cli("handoff", other["id"], *SHOP).out == EMPTY


def test_handoff_without_any_goal_says_what_to_do(cli: Cli) -> None:
    """Nothing is made by asking."""
    ran = cli("handoff")

    assert ran.code == 3
    assert "noctuary goal open" in ran.err
    assert not cli.memory.exists()


def test_a_session_hands_over_to_the_next(cli: Cli, shop: Shop) -> None:
    """What a session ends with is what the next one on the goal begins with."""
    first = cli("session", "start", shop.goal, "--agent", "ana-1", *SHOP)
    ended = cli("session", "end", "--summary", "the schema is next", *SHOP, "--json").json
    second = cli("session", "start", shop.goal, *SHOP)

    assert first.code == 0
    assert "no notes" in first.out
    assert ended["notes"] == cli("handoff", shop.goal, *SHOP).out
    assert (ended["agents"], ended["summary"], ended["had_ended"]) == (["ana-1"], "the schema is next", False)
    assert second.out.endswith(f"The last session left these notes:\n\n{ended['notes']}")


def test_a_session_that_is_open_is_joined(cli: Cli, shop: Shop) -> None:
    """There is one open session on a goal; who comes later works in it, too."""
    first = cli("session", "start", "--agent", "ana-1", *SHOP, "--json").json
    second = cli("session", "start", shop.goal, "--agent", "ben-2", *SHOP, "--json").json

    assert (first["is_new"], second["is_new"]) == (True, False)
    assert second["session"]["id"] == first["session"]["id"]
    assert second["session"]["agents"] == ["ana-1", "ben-2"]


def test_a_second_end_changes_nothing(cli: Cli, shop: Shop) -> None:
    """The notes stay those of the first end, though the work went on, and this is said."""
    name = cli("session", "start", shop.goal, *SHOP, "--json").json["session"]["id"]
    cli("session", "end", name, "--summary", "first", *SHOP)
    before = cli("session", "show", name, *SHOP, "--json").json
    cli("task", "close", shop.schema, *SHOP)

    again = cli("session", "end", name, "--summary", "second", *SHOP)

    assert again.code == 0
    assert "nothing was changed" in again.out
    assert cli("session", "show", name, *SHOP, "--json").json == before


def test_without_an_open_session_there_is_nothing_to_end(cli: Cli, shop: Shop) -> None:
    """It says how to begin one; of several open ones, one has to be named."""
    none = cli("session", "end", *SHOP)
    for goal in (shop.goal, shop.alone):
        assert cli("session", "start", goal, *SHOP).code == 0
    several = cli("session", "end", *SHOP)

    assert none.code == 3
    assert "noctuary session start" in none.err
    assert several.code == 2
    assert several.err.count("ws-") == 2


def test_sessions_are_listed_and_shown(cli: Cli, shop: Shop) -> None:
    """The newest first, by goal if one asks for it; a beginning of an id is enough."""
    first = cli("session", "start", shop.goal, *SHOP, "--json").json["session"]["id"]
    cli("session", "end", *SHOP)
    second = cli("session", "start", shop.alone, *SHOP, "--json").json["session"]["id"]

    listed = cli("session", "list", *SHOP, "--json").json
    of_goal = cli("session", "list", shop.goal, *SHOP)
    shown = cli("session", "show", first[:-2], *SHOP)

    assert {session["id"] for session in listed["sessions"]} == {first, second}
    assert second not in of_goal.out
    assert f"{first} has ended" in shown.out
    assert "## Remaining" in shown.out
    assert "is open" in cli("session", "show", second, *SHOP).out


@pytest.mark.parametrize("agent", ["", "  ", "x" * 501])
def test_agents_have_names(cli: Cli, shop: Shop, agent: str) -> None:
    """An empty or endless name is refused, and no session begins."""
    assert cli("session", "start", shop.goal, "--agent", agent, *SHOP).code == 2
    assert cli("session", "list", *SHOP).code == 1


def test_decisions_become_pages(cli: Cli, decided: str, tmp_path: Path) -> None:
    """One page a decision, in docs/adr unless said otherwise; again, nothing is to do."""
    here = tmp_path / "here"
    here.mkdir()

    first = cli("adr", "export", *SHOP, cwd=here)
    again = cli("adr", "export", "docs/adr", *SHOP, "--json", cwd=here).json

    page = here / "docs" / "adr" / "001-where-sessions-live.md"
    assert "1 decision in docs/adr: 1 written" in first.out
    assert decided in page.read_text()
    assert "SQLite" in page.read_text()
    assert (again["written"], again["unchanged"]) == ([], [page.name])


def test_pages_are_not_written_through_links_of_a_repository(cli: Cli, decided: str, tmp_path: Path) -> None:
    """Whoever laid docs/adr into it cannot choose where files of the user are written; the user can."""
    here, outside = tmp_path / "repository", tmp_path / "outside"
    (here / "docs").mkdir(parents=True)
    outside.mkdir()
    (here / "docs" / "adr").symlink_to(outside)

    refused = cli("adr", "export", *SHOP, cwd=here)
    assert (refused.code, [*outside.iterdir()]) == (2, [])
    assert "leads to" in refused.err

    assert cli("adr", "export", outside, *SHOP, cwd=here).code == 0
    assert decided in next(outside.iterdir()).read_text()


def test_a_page_that_was_edited_stays(cli: Cli, decided: str, tmp_path: Path) -> None:
    """Somebody's edit is kept and told."""
    cli("adr", "export", tmp_path / "adr", *SHOP)
    page = tmp_path / "adr" / "001-where-sessions-live.md"
    page.write_text(page.read_text().replace("SQLite", "SQLite (mine)"))
    cli("outcome", decided, "It holds", *SHOP)

    ran = cli("adr", "export", tmp_path / "adr", *SHOP)

    assert f"{page.name} left as it is" in ran.out
    assert "SQLite (mine)" in page.read_text()


def test_no_decision_no_page(cli: Cli, shop: Shop, tmp_path: Path) -> None:
    """Nothing is written, no folder is made, and the next step is named."""
    ran = cli("adr", "export", tmp_path / "adr", *SHOP)

    assert (ran.code, (tmp_path / "adr").exists()) == (1, False)
    assert "noctuary decide" in ran.out
    assert shop.goal in cli("tree", *SHOP).out


def test_a_folder_that_is_a_file_is_refused(cli: Cli, decided: str, tmp_path: Path) -> None:
    """In one line, and nothing is lost."""
    (tmp_path / "adr").write_text("mine")

    ran = cli("adr", "export", tmp_path / "adr", *SHOP)

    assert ran.code == 2
    assert (tmp_path / "adr").read_text() == "mine"
    assert cli("tree", decided, *SHOP).code == 0
