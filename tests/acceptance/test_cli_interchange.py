"""`noctuary graph`: a goal as a file, taken to another machine and merged again."""

from collections.abc import Callable
from pathlib import Path

import pytest

from tests.acceptance.conftest import Cli
from tests.acceptance.shop import SHOP, Shop, make_shop


@pytest.fixture
def shop(cli: Cli) -> Shop:
    return make_shop(cli)


@pytest.fixture
def other(tmp_path: Path) -> Cli:
    """Another machine of the same user."""
    home = tmp_path / "other home"
    home.mkdir()
    return Cli(tmp_path / "other", home)


@pytest.fixture
def file(cli: Cli, shop: Shop, tmp_path: Path) -> Path:
    """The goal, exported."""
    path = tmp_path / "goal.toml"
    assert cli("graph", "export", shop.goal, "-o", path, *SHOP).code == 0
    return path


def edited(file: Path, old: str, new: str) -> None:
    text = file.read_text(encoding="utf-8")
    assert old in text
    file.write_text(text.replace(old, new), encoding="utf-8")


def test_there_and_back_is_the_same(cli: Cli, other: Cli, shop: Shop, file: Path) -> None:
    """Exported, imported into an empty memory and exported again, it is the same byte for byte."""
    ran = other("graph", "import", file, *SHOP)

    assert ran.code == 0
    assert "4 new nodes, 5 new edges" in ran.out
    assert other("graph", "export", shop.goal, *SHOP).out == file.read_text()
    assert other("graph", "diff", file, *SHOP).out.startswith("No difference")
    assert other("handoff", *SHOP).out == cli("handoff", *SHOP).out
    assert "nothing to change" in other("graph", "import", file, *SHOP).out


def test_export_prints_what_it_would_write(cli: Cli, shop: Shop, file: Path) -> None:
    """Without -o it goes to the pipe; without a goal it is the only active one."""
    assert cli("graph", "export", *SHOP).out == file.read_text()
    assert cli("graph", "export", shop.goal, *SHOP, "--json").json == {"toml": file.read_text()}


def test_a_pipe_is_a_file(cli: Cli, other: Cli, shop: Shop) -> None:
    """What is exported on one machine can be piped into another."""
    exported = cli("graph", "export", shop.goal, *SHOP)

    assert other("graph", "import", "-", *SHOP, stdin=exported.out).code == 0
    assert other("graph", "export", shop.goal, *SHOP).out == exported.out


def test_a_dry_run_shows_and_does_nothing(cli: Cli, shop: Shop, file: Path) -> None:
    """What would change is told field by field."""
    edited(file, '"Import the sessions"', '"Import all sessions"')
    before = cli("journal", "export", *SHOP).out

    ran = cli("graph", "import", file, "--dry-run", *SHOP)
    answer = cli("graph", "import", file, "--dry-run", *SHOP, "--json").json

    assert f"~ {shop.importing}  title: Import the sessions → Import all sessions" in ran.out
    assert "Nothing was changed" in ran.out
    assert answer["dry_run"] is True
    assert answer["changed"] == [
        {"name": shop.importing, "field": "title", "here": "Import the sessions", "in_file": "Import all sessions"}
    ]
    assert cli("journal", "export", *SHOP).out == before


def test_both_sides_are_merged_field_by_field(cli: Cli, shop: Shop, file: Path) -> None:
    """What only the file changed is taken, what only the memory changed is kept."""
    edited(file, '"Import the sessions"', '"Import all sessions"')
    cli("task", "rename", shop.redis, "Stop Redis", *SHOP)

    ran = cli("graph", "import", file, *SHOP)

    assert ran.code == 0
    assert "= " in ran.out
    told = cli("tree", *SHOP).out
    assert "Import all sessions" in told
    assert "Stop Redis" in told


def test_a_conflict_is_told_and_waits_for_a_decision(cli: Cli, shop: Shop, file: Path) -> None:
    """What both changed stays as it is here until somebody says whose it shall be."""
    edited(file, '"Import the sessions"', '"Import all sessions"')
    cli("task", "rename", shop.importing, "Import some sessions", *SHOP)

    merged = cli("graph", "import", file, *SHOP)
    kept = cli("tree", *SHOP).out
    taken = cli("graph", "import", file, "--theirs", *SHOP)

    assert "1 conflict" in merged.out
    assert "--theirs or --ours" in merged.out
    assert "Import some sessions" in kept
    assert taken.code == 0
    assert "Import all sessions" in cli("tree", *SHOP).out


def test_ours_settles_a_conflict(cli: Cli, shop: Shop, file: Path) -> None:
    """After --ours the same file is no conflict any more."""
    edited(file, '"Import the sessions"', '"Import all sessions"')
    cli("task", "rename", shop.importing, "Import some sessions", *SHOP)

    assert cli("graph", "import", file, "--ours", *SHOP).code == 0
    assert cli("graph", "import", file, *SHOP, "--json").json["conflicts"] == []
    assert "Import some sessions" in cli("tree", *SHOP).out


def test_diff_names_what_is_only_on_one_side(cli: Cli, shop: Shop, file: Path) -> None:
    """With ids and titles; nothing is changed."""
    new = cli("task", "open", "Measure it", "--parent", shop.goal, *SHOP, "--json").json["id"]

    ran = cli("graph", "diff", file, *SHOP)
    answer = cli("graph", "diff", file, *SHOP, "--json").json

    assert f"- {new}  Measure it" in ran.out
    assert (answer["is_same"], answer["removed_nodes"], answer["titles"]) == (False, [new], {new: "Measure it"})


def test_a_foreign_project_is_refused_unless_asked_for(other: Cli, shop: Shop, file: Path) -> None:
    """A file of another project changes nothing; with --foreign it belongs to this one."""
    refused = other("graph", "import", file, "--project", "mill")
    taken = other("graph", "import", file, "--foreign", "--project", "mill")

    assert refused.code == 2
    assert "shop" in refused.err
    assert taken.code == 0
    assert other("tree", shop.goal, "--project", "mill").code == 0


def _broken(text: str) -> str:
    return text.replace("[nodes", "[nodes", 1)[:-40] + '"'


def _without_an_end(text: str) -> str:
    return text.replace('to_node = "t-', 'to_node = "t-gone', 1)


def _unknown_status(text: str) -> str:
    return text.replace('status = "pending"', 'status = "asleep"', 1)


def _newer(text: str) -> str:
    return text.replace("version = 1", "version = 99")


@pytest.mark.parametrize("damage", [_broken, _without_an_end, _unknown_status, _newer, str.upper, lambda _: ""])
def test_a_bad_file_changes_nothing(cli: Cli, shop: Shop, file: Path, damage: Callable[[str], str]) -> None:
    """Torn, of a newer version, with an edge into nowhere, an unknown status: one line, and the work as it was."""
    file.write_text(damage(file.read_text()))
    before = cli("journal", "export", *SHOP).out

    for strategy in ("--merge", "--theirs"):
        ran = cli("graph", "import", file, strategy, *SHOP)

        assert ran.code in (2, 3)
        assert len(ran.err.splitlines()) == 1
    assert cli("journal", "export", *SHOP).out == before
    assert shop.goal in cli("tree", *SHOP).out


def test_a_circle_in_a_file_is_refused(cli: Cli, shop: Shop, file: Path) -> None:
    """It is named, and nothing of the file is taken."""
    edge = f'\n[edges.e-circle]\nedge_type = "depends_on"\nfrom_node = "{shop.schema}"\nto_node = "{shop.redis}"\n'
    edited(file, "\n[base", f"{edge}\n[base")
    edited(file, '"Import the sessions"', '"Import all sessions"')

    ran = cli("graph", "import", file, *SHOP)

    assert ran.code == 2
    assert "circle" in ran.err
    assert "Import all sessions" not in cli("tree", *SHOP).out


@pytest.mark.parametrize("content", [b"\xff\xfe\x00binary", b"\x00" * 1_000_000])
def test_what_is_no_text_is_refused(cli: Cli, tmp_path: Path, content: bytes) -> None:
    """Bytes that are no text, or a megabyte of nothing."""
    (tmp_path / "odd.toml").write_bytes(content)

    assert cli("graph", "import", tmp_path / "odd.toml").code == 2
    assert cli("graph", "diff", tmp_path / "odd.toml").code == 2


@pytest.mark.parametrize("command", [["graph", "import"], ["graph", "diff"], ["journal", "import"]])
def test_a_file_that_is_not_there(cli: Cli, tmp_path: Path, command: list[str]) -> None:
    """It is named in one line."""
    ran = cli(*command, tmp_path / "nowhere.toml")

    assert ran.code == 2
    assert "nowhere.toml" in ran.err
    assert len(ran.err.splitlines()) == 1


def test_nobodys_file_is_overwritten(cli: Cli, shop: Shop, tmp_path: Path) -> None:
    """A file that is no export stays; --force replaces it."""
    (tmp_path / "notes.toml").write_text("# mine\n")

    refused = cli("graph", "export", shop.goal, "-o", tmp_path / "notes.toml", *SHOP)

    assert refused.code == 2
    assert (tmp_path / "notes.toml").read_text() == "# mine\n"
    assert cli("graph", "export", shop.goal, "-o", tmp_path / "notes.toml", "--force", *SHOP).code == 0
