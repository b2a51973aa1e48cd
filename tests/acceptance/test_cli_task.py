"""`noctuary task` and `noctuary goal`, as a person and as a program use them."""

import json
import subprocess
from pathlib import Path

import pytest

from tests.acceptance.conftest import SAMPLES, Cli
from tests.acceptance.test_cli_terminal import FORBIDDEN, HOSTILE, on_terminal

SHOP = ("--project", "/home/ana/code/shop")


def opened(cli: Cli, *words: str, noun: str = "task") -> str:
    """Open a task or a goal; its id."""
    return str(cli(noun, "open", *words, "--json", *SHOP).json["id"])


def journals(cli: Cli) -> dict[str, bytes]:
    """All that was ever written."""
    found = {path.name: path.read_bytes() for path in cli.memory.rglob("*.jsonl")}
    assert found
    return found


def test_a_task_from_opening_to_closing(cli: Cli) -> None:
    """Open, list, show, close, reopen, rename: each says what it did, and the next command sees it."""
    first = cli("task", "open", "Cart totals are wrong", "--goal", "Customers pay what the cart says", *SHOP)
    task = first.out.split()[1]

    assert first.code == 0
    assert first.out.splitlines()[0] == f"Opened {task}  Cart totals are wrong"
    assert f"noctuary note finding '…' --task {task}" in first.out
    assert f"{task}  ready" in cli("task", "list", *SHOP).out
    shown = cli("task", "show", task[:6], *SHOP).out
    assert "goal     Customers pay what the cart says" in shown
    closed = cli("task", "close", task, "--outcome", "Coupons are sorted", *SHOP)
    assert closed.out == f"Closed {task}  Cart totals are wrong  completed\n"
    assert cli("task", "list", *SHOP).code == 1
    assert "noctuary task list --all" in cli("task", "list", *SHOP).out
    assert "completed" in cli("task", "list", "--all", *SHOP).out
    assert cli("task", "reopen", task, "--reason", "Three coupons are wrong", *SHOP).code == 0
    assert cli("task", "rename", task, "Totals", *SHOP).out == f"Renamed {task}  Totals  ready\n"
    assert "Three coupons are wrong" in cli("task", "show", task, *SHOP).out


def test_goals_have_parts(cli: Cli) -> None:
    """A goal shows the tasks that are parts of it, and closing it names those that are open."""
    goal = opened(cli, "No Redis", "--description", "One server less", noun="goal")
    task = opened(cli, "Sessions in SQLite", "--parent", goal)

    assert f"{task}  Sessions in SQLite" in cli("goal", "show", goal, *SHOP).out
    assert f"part of  {goal}  No Redis" in cli("task", "show", task, *SHOP).out
    assert f"{goal}  active" in cli("goal", "list", *SHOP).out
    assert cli("goal", "rename", goal, "Without", "Redis", *SHOP).out == f"Renamed {goal}  Without Redis  active\n"
    closed = cli("goal", "close", goal, *SHOP, "--json").json
    assert closed["node"]["status"] == "completed"
    assert task in closed["notes"][0]
    assert cli("goal", "reopen", goal, *SHOP).code == 0
    assert cli("task", "list", "--json", *SHOP).json["count"] == 1


def test_amending_sets_and_clears(cli: Cli) -> None:
    """An option sets a field, an empty one clears it, `none` clears the priority."""
    task = opened(cli, "Totals", "--label", "triage", "--priority", "high", "--external", "SHOP-12")

    given = cli("task", "amend", task, "--goal", "Right sums", "--label", "cart", "--no-label", "triage", "--json").json
    cleared = cli("task", "amend", task, "--goal", "", "--priority", "none", "--no-external", "SHOP-12", "--json").json

    assert (given["goal"], given["labels"], given["priority"]) == ("Right sums", ["cart"], "high")
    assert (cleared["goal"], cleared["priority"], cleared["external"]) == (None, None, [])


def test_status_and_place(cli: Cli) -> None:
    """A status that may follow is set with its reason; a task is moved below a goal and out again."""
    task, goal = opened(cli, "Totals"), opened(cli, "No Redis", noun="goal")

    assert cli("task", "status", task, "blocked", "--reason", "No rates yet", *SHOP).code == 0
    assert "blocked: No rates yet" in cli("task", "show", task, *SHOP).out
    assert cli("task", "move", task, "--to", goal, "--json").json["node"]["parent"] == goal
    assert "there already" in cli("task", "move", task, "--to", goal).out
    assert cli("task", "move", task, "--out", "--json").json["node"]["parent"] is None


def test_closing_keeps_what_git_knows(cli: Cli, tmp_path: Path) -> None:
    """Closed in a work tree of its project, a task keeps the commits and files since it was begun; elsewhere not."""
    tree = tmp_path / "shop"
    tree.mkdir()
    git = ["git", "-C", str(tree), "-c", "user.name=Ana", "-c", "user.email=ana@example.org"]
    subprocess.run([*git, "init", "-q", "-b", "coupons"], check=True)
    tasks = [cli("task", "open", title, "--goal", "x", "--json", cwd=tree).json["id"] for title in ("one", "two")]
    (tree / "cart.py").write_text("total = 1\n", encoding="utf-8")
    subprocess.run([*git, "add", "cart.py"], check=True)
    subprocess.run([*git, "commit", "-q", "-m", "Sort coupons"], check=True)

    cli("task", "close", tasks[0], "--outcome", "done", cwd=tree)
    cli("task", "close", tasks[1], "--outcome", "done", cwd=tmp_path)

    entries = [cli("task", "show", task, "--json", cwd=tree).json["entries"][0]["event"] for task in tasks]
    assert "cart.py" in entries[0]["meta"]["artifacts"]["files"]
    assert entries[0]["meta"]["artifacts"]["commits"]
    assert "artifacts" not in entries[1]["meta"]


def test_everywhere_shows_all_projects(cli: Cli) -> None:
    """A list is of one project unless it is asked for everywhere; then it says which."""
    opened(cli, "Totals")
    cli("task", "open", "Wings", "--project", "/home/ana/code/plane")

    assert cli("task", "list", "--json", *SHOP).json["count"] == 1
    everywhere = cli("task", "list", "--everywhere", *SHOP).out
    assert "plane" in everywhere
    assert "shop" in everywhere


def test_a_long_list_says_how_to_see_the_rest(cli: Cli) -> None:
    """--limit cuts the list, and what is left out is counted."""
    for title in "abc":
        opened(cli, title)

    assert "… and 1 more: add -n 3" in cli("task", "list", "-n", "2", *SHOP).out
    assert cli("task", "list", "-n", "2", "--json", *SHOP).json["count"] == 3


def test_a_text_comes_through_the_pipe(cli: Cli) -> None:
    """A title of - is read from the pipe; unquoted words are one title."""
    assert cli("task", "open", "-", "--json", stdin="Cart\ntotals\n").json["title"] == "Cart totals"
    assert cli("task", "open", "Cart", "totals", "--json").json["title"] == "Cart totals"
    assert cli("task", "open", "-", "--json", stdin="").code == 2


def test_hostile_titles_are_harmless(cli: Cli) -> None:
    """What is printed of a title has nothing that a terminal obeys, and stays on its line."""
    task = str(cli("task", "open", "-", "--goal", HOSTILE.replace("\0", ""), "--json", stdin=HOSTILE).json["id"])
    cli("note", "finding", "-", "--task", task, stdin=f"{HOSTILE}\nsecond line")

    for command in (["task", "list"], ["task", "show", task], ["pack", task], ["check", task], ["event", "list"]):
        for options in ([], ["--json"]):
            ran = cli(*command, *options)
            assert ran.code == 0
            assert not [bad for bad in FORBIDDEN if bad in ran.out], command
    code, seen = on_terminal(cli, "task", "show", task, NO_COLOR="1")
    assert code == 0
    assert not [bad for bad in FORBIDDEN if bad in seen.replace("\r\n", "\n")]


def test_a_terminal_gets_lines_that_fit(cli: Cli) -> None:
    """On a terminal long titles are cut in lists, and texts are broken into lines."""
    task = opened(cli, "word " * 60)
    cli("note", "finding", "letters " * 60, "--task", task)

    _, seen = on_terminal(cli, "task", "list", *SHOP, NO_COLOR="1")
    _, shown = on_terminal(cli, "event", "list", "--task", task, *SHOP, NO_COLOR="1")

    assert max(map(len, [*seen.splitlines(), *shown.splitlines()])) <= 80


@pytest.fixture(scope="module")
def filled(tmp_path_factory: pytest.TempPathFactory) -> Cli:
    """Two tasks and a goal; for tests that change nothing."""
    folder = tmp_path_factory.mktemp("filled")
    cli = Cli(folder / "memory", folder)
    opened(cli, "one")
    opened(cli, "two")
    opened(cli, "three", noun="goal")
    return cli


@pytest.mark.parametrize(
    ("arguments", "code", "words"),
    [
        (["task", "open"], 2, "TITLE"),
        (["task", "open", ""], 2, "title is needed"),
        (["task", "open", "\u202e\u200b"], 2, "title is needed"),
        (["task", "open", "x" * 501], 2, "500 are the most"),
        (["task", "open", "x", "--priority", "huge"], 2, "huge"),
        (["task", "open", "x", "--parent", "t-nope"], 3, "t-nope"),
        (["task", "open", "x", "--parent", "t-"], 3, "More than one"),
        (["task", "open", "x", "--goal", "g-0123456789"], 2, "--parent g-0123456789"),
        (["task", "open", "x", "--label", "y" * 300], 2, "too long"),
        (["task", "show", "nope"], 3, "noctuary task list"),
        (["task", "show", ""], 3, "noctuary task list"),
        (["task", "show", "%"], 3, "noctuary task list"),
        (["task", "show", "t-"], 3, "More than one"),
        (["task", "close", "nope"], 3, "nope"),
        (["task", "close", "g-", "--as", "failed"], 2, "cannot be failed"),
        (["task", "close", "g-", "--as", "perhaps"], 2, "perhaps"),
        (["task", "reopen", "g-"], 2, "nothing to reopen"),
        (["task", "rename", "g-", " "], 2, "title is needed"),
        (["task", "rename", "g-"], 2, "TITLE"),
        (["task", "amend", "g-"], 2, "--goal"),
        (["task", "amend", "nope", "--goal", "x"], 3, "nope"),
        (["task", "status", "g-", "sleepy"], 2, "there are"),
        (["task", "status", "g-", "review"], 2, "goal"),
        (["task", "status", "g-", "claimed"], 2, "noctuary claim"),
        (["task", "move", "g-"], 2, "--to NODE"),
        (["task", "move", "g-", "--to", "t-", "--out"], 2, "--to NODE"),
        (["task", "list", "--status", "sleepy"], 2, "there are"),
        (["task", "list", "-n", "0"], 2, "limit"),
        (["goal", "show", "nope"], 3, "nope"),
        (["goal", "open", ""], 2, "title is needed"),
        (["goal", "list", "--status", "blocked"], 1, ""),
        (["task", "list", "--author", "user"], 2, "--author"),
    ],
    ids=lambda value: " ".join(value)[:40] if isinstance(value, list) else "",
)
def test_bad_input(filled: Cli, arguments: list[str], code: int, words: str) -> None:
    """What cannot be done is said in a line that helps, with the right exit code, and nothing is written."""
    before = journals(filled)

    ran = filled(*arguments, *SHOP)

    assert ran.code == code
    assert words in ran.err
    assert journals(filled) == before


@pytest.mark.parametrize(
    "command", [["task", "list"], ["goal", "list"], ["event", "list"], ["memory", "list"], ["stale"]]
)
def test_questions_make_no_memory(cli: Cli, command: list[str]) -> None:
    """Asking where there is no memory finds nothing, says so, and leaves nothing behind."""
    asked, as_json = cli(*command), cli(*command, "--json")

    assert (asked.code, as_json.code, as_json.json["count"]) == (1, 1, 0)
    assert asked.out.strip()
    assert not cli.memory.exists()


def test_a_megabyte_is_refused(cli: Cli) -> None:
    """A title or text of a megabyte is no title and no text; the message says how much is."""
    for command in (["task", "open", "-"], ["note", "finding", "-"], ["remember", "-"]):
        ran = cli(*command, stdin="x" * 1_000_000)
        assert ran.code == 2
        assert "1,000,000 characters" in ran.err


def test_json_is_the_whole_record(cli: Cli) -> None:
    """`show --json` has the node, its entries, parts, edges and what they join it with."""
    goal = opened(cli, "No Redis", noun="goal")
    task = opened(cli, "Sessions", "--parent", goal, "--context", "It came up in review")

    view = json.loads(cli("task", "show", task, "--json").out)

    assert view.keys() == {"node", "entries", "children", "edges", "related"}
    assert view["node"]["parent"] == goal
    assert view["entries"][0]["event"]["text"] == "It came up in review"
    assert view["related"][goal]["title"] == "No Redis"


def test_a_project_is_named_by_the_end_of_its_path(cli: Cli) -> None:
    """`--project shop` is the project that is known by that end, from work or from sessions; two are refused."""
    task = opened(cli, "Totals")
    assert cli("task", "list", "--project", "shop", "--json").json["tasks"][0]["id"] == task
    cli("import", "--from", SAMPLES)

    assert cli("task", "list", "--project", "code/shop").code == 0
    new = cli("task", "open", "Other", "--project", "ana/shop", "--json").json
    assert new["project"] == "git.example.org/ana/shop"
    unclear = cli("task", "open", "Third", "--project", "shop")
    assert unclear.code == 2
    assert "/home/ana/code/shop, git.example.org/ana/shop" in unclear.err
    assert cli("task", "open", "New", "--project", "zeppelin", "--json").json["project"] == "zeppelin"
