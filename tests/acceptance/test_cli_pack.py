"""`noctuary pack`, `check`, `gaps` and `stale`: what the next session gets to read."""

import pytest

from tests.acceptance.conftest import Cli
from tests.acceptance.test_cli_task import SHOP, opened


@pytest.fixture(scope="module")
def record(tmp_path_factory: pytest.TempPathFactory) -> Cli:
    """One open task with a decision, a rejection and a suggestion; for tests that change nothing."""
    folder = tmp_path_factory.mktemp("record")
    cli = Cli(folder / "memory", folder)
    task = opened(cli, "Cart totals are wrong")
    cli("decide", "Sort by date", "--task", task, "--option", "by value: unknown", "--chosen", "by date", *SHOP)
    cli("reject", "Sort in the browser", "--because", "It cannot be trusted", "--task", task, *SHOP)
    cli("note", "hypothesis", "Time zones", "--suggested", "--task", task, *SHOP)
    cli("note", "finding", "long words " * 900, "--task", task, *SHOP)
    return cli


def test_a_pack_has_what_one_needs(record: Cli) -> None:
    """Title, state, decisions with alternatives, rejected ways and what is only suggested; the only open task is it."""
    page = record("pack", *SHOP)

    assert page.code == 0
    assert page.out.startswith("# Cart totals are wrong [ready]\n")
    for words in ("## Active decisions", "chosen: by date", "## Rejected ways", "It cannot be trusted", "Time zones"):
        assert words in page.out
    assert "\n\n\n" not in page.out


@pytest.mark.parametrize("budget", [1, 60, 500, 2_000, 8_000, 50_000])
def test_a_pack_stays_within_its_budget(record: Cli, budget: int) -> None:
    """However small it is; --json says how long the page is."""
    answer = record("pack", "--budget", str(budget), "--json", *SHOP).json

    assert answer.keys() == {"task", "budget", "characters", "pack"}
    assert answer["characters"] == len(answer["pack"]) <= budget


def test_a_record_is_checked(record: Cli) -> None:
    """The score, and each gap with what to do about it; --fill is what to tell an agent."""
    checked, gaps = record("check", *SHOP), record("gaps", *SHOP)
    prompt = record("gaps", "--fill", *SHOP).out
    as_json = record("check", "--json", *SHOP).json

    assert checked.code == gaps.code == 0
    assert "86 of 100" in checked.out
    assert "error   no goal is set" in checked.out
    assert "--goal" in gaps.out
    assert "invent nothing" in prompt
    assert "# Cart totals are wrong" in prompt
    assert as_json["score"] == 86
    assert as_json["gaps"][0]["severity"] == "error"
    assert record("gaps", "--fill", "--json", *SHOP).json["prompt"].strip() == prompt.strip()


def test_a_record_without_gaps(cli: Cli) -> None:
    """Nothing to do: 100, and exit code 1 where gaps are listed."""
    task = opened(cli, "Totals", "--goal", "Right sums")

    assert cli("check", task, "--json").json["score"] == 100
    gaps = cli("gaps", task)
    assert (gaps.code, gaps.out) == (1, f"The record of {task} has no gaps.\n")
    assert cli("gaps", task, "--fill").code == 1


@pytest.mark.parametrize("command", ["pack", "check", "gaps"])
def test_which_task(cli: Cli, command: str) -> None:
    """Without a task: what the session works on, else the only open one, else there is a choice to be made."""
    none = cli(command, *SHOP)
    first = opened(cli, "Totals")
    second = opened(cli, "Taxes")
    unclear = cli(command, *SHOP)
    cli("note", "finding", "x", "--task", second, *SHOP, NOCTUARY_SESSION="s1")
    active = cli(command, "--json", *SHOP, NOCTUARY_SESSION="s1")
    cli("task", "close", second, *SHOP)
    only = cli(command, "--json", *SHOP)

    assert (none.code, unclear.code) == (2, 2)
    assert "None is open" in none.err
    assert f"{first} Totals" in unclear.err
    assert f"{second} Taxes" in unclear.err
    assert (active.json["task"], only.json["task"]) == (second, first)


@pytest.mark.parametrize(
    ("arguments", "code", "words"),
    [
        (["pack", "nope"], 3, "nope"),
        (["pack", ""], 0, ""),
        (["pack", "--budget", "0"], 2, "budget"),
        (["pack", "--budget", "much"], 2, "much"),
        (["check", "nope"], 3, "nope"),
        (["gaps", "nope", "--fill"], 3, "nope"),
        (["stale", "--days", "-1"], 2, "days"),
        (["stale", "--days", "1" * 30], 2, "days"),
    ],
    ids=lambda value: " ".join(value)[:40] if isinstance(value, list) else "",
)
def test_bad_input(record: Cli, arguments: list[str], code: int, words: str) -> None:
    """What cannot be answered is said in a line that helps."""
    ran = record(*arguments, *SHOP)

    assert ran.code == code
    assert words in ran.err


def test_stale_tasks(record: Cli) -> None:
    """Open tasks that nobody touched for so many days; after none at all, every one."""
    assert record("stale", *SHOP).code == 1
    assert "7 days" in record("stale", *SHOP).out
    assert record("stale", "--days", "0", "--json", *SHOP).json["count"] == 1
    assert "Cart totals are wrong" in record("stale", "--days", "0", *SHOP).out
