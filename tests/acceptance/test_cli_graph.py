"""`noctuary ready`, `next`, `claim`, `depend`, `link`, `unlink`, `tree` and `find`, as people and programs use them."""

import subprocess
from pathlib import Path

import pytest

from noctuary.app import Memory
from tests.acceptance.conftest import Cli
from tests.acceptance.shop import HOSTILE, SHOP, Shop, make_shop


@pytest.fixture
def shop(cli: Cli) -> Shop:
    return make_shop(cli)


def test_ready_lists_what_can_be_begun(cli: Cli, shop: Shop) -> None:
    """The most important first, and nothing that waits; a pipe gets the same without colours."""
    ran = cli("ready", *SHOP)

    assert ran.code == 0
    assert [line.split()[0] for line in ran.out.splitlines()] == ["ID", shop.schema, shop.alone]
    assert "\x1b" not in ran.out


def test_ready_of_a_goal_has_what_it_contains(cli: Cli, shop: Shop) -> None:
    """A goal narrows it down, also by the beginning of its id; JSON has whole nodes."""
    answer = cli("ready", shop.goal[:6], *SHOP, "--json").json

    assert [task["id"] for task in answer["tasks"]] == [shop.schema]
    assert answer["tasks"][0]["status"] == "ready"
    assert answer["stuck"] == []


def test_ready_says_what_is_stuck_and_what_to_do(cli: Cli, shop: Shop) -> None:
    """A task that waits for a cancelled one is told below, with two ways out that work as they are printed."""
    cli("task", "close", shop.schema, "--as", "abandoned", *SHOP)

    ran = cli("ready", *SHOP)
    way_out = next(line.partition(": noctuary ")[2] for line in ran.out.splitlines() if "--remove" in line)

    assert "1 task is stuck" in ran.out
    assert f"waits for {shop.schema}  Write the schema  cancelled" in ran.out
    assert cli(*way_out.split(), *SHOP).code == 0
    assert shop.importing in cli("ready", *SHOP).out
    assert "stuck" not in cli("ready", *SHOP).out


def test_nothing_ready_is_an_answer(cli: Cli, shop: Shop) -> None:
    """The exit code is 1 and the next step is named; an empty memory is not made by asking."""
    ran = cli("ready", "--project", "elsewhere")
    following = cli("next", "--project", "elsewhere")

    assert (ran.code, following.code) == (1, 1)
    assert "noctuary task list" in ran.out
    assert cli("next", "--project", "elsewhere", "--json").json == {"task": None}
    assert shop.schema in cli("ready", "--everywhere").out


@pytest.mark.parametrize("command", [["ready"], ["next"], ["tree"], ["find", "redis"], ["session", "list"]])
def test_asking_makes_no_memory(cli: Cli, command: list[str]) -> None:
    """Where there is no memory the answer is nothing, and there is none afterwards."""
    ran = cli(*command)

    assert ran.code == 1
    assert ran.out
    assert not cli.memory.exists()


def test_next_says_why(cli: Cli, shop: Shop) -> None:
    """One task, why it comes first, and how to take it."""
    ran = cli("next", *SHOP)
    answer = cli("next", *SHOP, "--json").json

    assert ran.out.startswith(shop.schema)
    assert "priority high; 2 others wait for it" in ran.out
    assert f"noctuary claim {shop.schema} --agent NAME" in ran.out
    assert (answer["task"]["id"], answer["dependents"], answer["others"]) == (shop.schema, 2, 1)


def test_claim_and_give_back(cli: Cli, shop: Shop) -> None:
    """Who claims holds it until it is given back; others are told who has it, with a code of its own."""
    claimed = cli("claim", shop.schema, "--agent", "ana-1", *SHOP)
    other = cli("claim", shop.schema, "--agent", "ben-2", *SHOP)
    again = cli("claim", shop.schema, "--agent", "ana-1", "--heartbeat", "--minutes", "90", *SHOP, "--json")
    stolen = cli("claim", shop.schema, "--agent", "ben-2", "--release", *SHOP)
    back = cli("claim", shop.schema, "--agent", "ana-1", "--release", "--reason", "no time", *SHOP)

    assert (claimed.code, other.code, again.code, stolen.code, back.code) == (0, 6, 0, 6, 0)
    assert "held by ana-1 until" in claimed.out
    assert "ana-1" in other.err
    assert again.json["assigned_to"] == "ana-1"
    assert shop.schema in cli("ready", *SHOP).out


def test_a_task_that_waits_cannot_be_claimed(cli: Cli, shop: Shop) -> None:
    """What it waits for is named."""
    ran = cli("claim", shop.redis, "--agent", "ana-1", *SHOP)

    assert ran.code == 6
    assert shop.importing in ran.err


def test_ten_claim_at_once_and_one_wins(cli: Cli, shop: Shop) -> None:
    """Of ten processes that claim the same task, one gets it, and the other nine are told who."""
    command = [cli.command("claim", shop.schema, "--agent", f"agent-{number}", *SHOP, "--json") for number in range(10)]
    running = [
        subprocess.Popen(each, env=cli.environ(), stdout=subprocess.DEVNULL, stderr=subprocess.PIPE) for each in command
    ]
    ended = [(process.communicate()[1].decode(), process.returncode) for process in running]
    holder = cli("task", "show", shop.schema, *SHOP, "--json").json["node"]["assigned_to"]

    assert sorted(code for _, code in ended) == [0, *[6] * 9]
    assert all(holder in told for told, code in ended if code)


@pytest.mark.parametrize(
    "options",
    [
        [],
        ["--agent", ""],
        ["--agent", "a", "--minutes", "0"],
        ["--agent", "a", "--minutes", "nan"],
        ["--agent", "a", "--minutes", "1e9"],
        ["--agent", "a", "--heartbeat", "--release"],
        ["--agent", "a", "--release", "--minutes", "5"],
        ["--agent", "a", "--reason", "because"],
        ["--agent", "a" * 1_000],
    ],
)
def test_claims_that_make_no_sense_are_refused(cli: Cli, shop: Shop, options: list[str]) -> None:
    """Nothing is claimed by them."""
    ran = cli("claim", shop.schema, *options, *SHOP)

    assert ran.code == 2
    assert shop.schema in cli("ready", *SHOP).out


def test_depend_and_back(cli: Cli, shop: Shop) -> None:
    """A task waits, once; and waits no longer."""
    first = cli("depend", shop.alone, shop.schema, *SHOP)
    again = cli("depend", shop.alone, shop.schema, *SHOP)
    gone = cli("depend", shop.alone, shop.schema, "--remove", "--reason", "not true", *SHOP)
    nothing = cli("depend", shop.alone, shop.schema, "--remove", *SHOP)

    assert (first.code, again.code, gone.code, nothing.code) == (0, 0, 0, 2)
    assert "nothing was changed" in again.out
    assert gone.out.startswith("No longer:")
    assert "noctuary" in nothing.err


def test_a_circle_is_refused_and_named(cli: Cli, shop: Shop) -> None:
    """Every task of the circle is named, and nothing is changed."""
    before = cli("tree", *SHOP, "--json").json

    ran = cli("depend", shop.schema, shop.redis, *SHOP)

    assert ran.code == 2
    assert all(name in ran.err for name in (shop.schema, shop.importing, shop.redis))
    assert cli("tree", *SHOP, "--json").json == before


def test_to_wait_for_what_has_ended_is_said(cli: Cli, shop: Shop) -> None:
    """Whoever waits for a cancelled task is told that it will not come."""
    cli("task", "close", shop.alone, "--as", "abandoned", *SHOP)

    assert "will not be ready" in cli("depend", shop.schema, shop.alone, *SHOP).out


def test_link_and_unlink(cli: Cli, shop: Shop) -> None:
    """Any two nodes can be joined, with a label; the names of kinds are read as people write them."""
    made = cli("link", "Discovered-From", shop.alone, shop.schema, "--label", "while profiling", *SHOP, "--json").json
    told = cli("link", "discovered_from", shop.alone, shop.schema, *SHOP)
    gone = cli("unlink", "discovered_from", shop.alone, shop.schema, *SHOP, "--json").json

    assert (made["type"], made["label"], made["is_new"]) == ("discovered_from", "while profiling", True)
    assert "was discovered from" in told.out
    assert "(while profiling)" in told.out
    assert gone["removed"] is True


@pytest.mark.parametrize(
    ("arguments", "code"),
    [
        (["ready", "g-nothing"], 3),
        (["next", ""], 3),
        (["tree", "t-"], 3),  # many begin so
        (["tree", "%"], 3),
        (["claim", "t-nothing", "--agent", "a"], 3),
        (["depend", "t-nothing", "t-nothing"], 3),
        (["link", "loves", "t-", "g-"], 2),
        (["link", "chosen", "t-", "g-"], 2),
        (["unlink", "informs", "t-x", "t-y"], 3),
        (["handoff", "t-nothing"], 3),
        (["session", "start", "t-nothing"], 3),
        (["session", "end", "ws-nothing"], 3),
        (["session", "show", "x" * 100_000], 3),
        (["graph", "export", "t-nothing"], 3),
    ],
)
def test_what_is_not_there_is_said(cli: Cli, shop: Shop, arguments: list[str], code: int) -> None:
    """Unknown and ambiguous names are one line that says what to do, and change nothing."""
    before = cli("journal", "export", *SHOP).out

    ran = cli(*arguments, *SHOP)

    assert ran.code == code
    assert len(ran.err.splitlines()) == 1
    assert cli("journal", "export", *SHOP).out == before


def test_a_goal_is_no_task_to_claim(cli: Cli, shop: Shop) -> None:
    """A name of the wrong type is refused, with what it is."""
    ran = cli("claim", shop.goal, "--agent", "a", *SHOP)

    assert ran.code == 3
    assert "goal" in ran.err


def test_tree_shows_where_everything_stands(cli: Cli, shop: Shop) -> None:
    """Parts are below the whole, with status, progress, who is at it, and what it waits for."""
    cli("claim", shop.schema, "--agent", "ana-1", *SHOP)

    lines = cli("tree", *SHOP).out.splitlines()
    below = cli("tree", shop.goal, *SHOP, "--json").json

    assert lines[0].split("  ")[0] == shop.goal
    assert "0 of 3 done" in lines[0]
    assert lines[1].startswith(f"  {shop.schema}  claimed")
    assert "by ana-1" in lines[1]
    assert f"waits for {shop.schema}" in lines[2]
    assert lines[4].startswith(shop.alone)
    assert (below["count"], [branch["depth"] for branch in below["branches"]]) == (4, [0, 1, 1, 1])


def test_a_deep_tree_stays_readable(cli: Cli) -> None:
    """Beyond some depth lines go no further to the right, and say how deep they are."""
    with Memory.open(cli.memory, owner="ana") as memory:
        work = memory.work("shop")
        above = work.open_task("Level 0")
        for level in range(1, 60):
            above = work.open_task(f"Level {level}", parent=above)

    lines = cli("tree", *SHOP).out.splitlines()

    assert len(lines) == 60
    assert "(59) " in lines[-1]
    assert len(lines[-1]) < 120


def test_find_finds_nodes_and_entries(cli: Cli, shop: Shop) -> None:
    """Titles and notes by their words; what has only some of them says so; nothing is a complete answer."""
    cli("note", "finding", "The maxmemory policy was volatile-lru", "--task", shop.redis, *SHOP)

    node, note = cli("find", "redis container", *SHOP), cli("find", "volatile-lru", *SHOP)
    some = cli("find", "redis zeppelin", *SHOP)
    nothing = cli("find", "zeppelin", *SHOP)

    assert shop.redis in node.out
    assert "The maxmemory policy" in note.out
    assert some.out.startswith("Nothing has all of these words")
    assert (nothing.code, cli("find", "zeppelin", *SHOP, "--json").json["nodes"]) == (1, [])
    assert cli("find", shop.redis, *SHOP, "--json").json["nodes"][0]["node"]["id"] == shop.redis


@pytest.mark.parametrize("query", ['"', "*", "-", "(", "a" * 100_000, "\x00\u202e", "NEAR/3 AND OR", "  "])
def test_any_text_can_be_looked_for(cli: Cli, shop: Shop, query: str) -> None:
    """No text breaks the search."""
    with Memory.open(cli.memory, owner="ana") as memory:
        assert memory.work("shop").find_nodes(query, limit=1) is not None
    if "\x00" not in query and len(query) < 10_000:
        assert cli("find", "--", query, *SHOP[:0], cwd=cli.user_home).code in (0, 1)


def test_hostile_titles_reach_no_terminal(cli: Cli) -> None:
    """Newlines, escapes and marks in titles, agents and labels stay on their line and move nothing."""
    with Memory.open(cli.memory, owner="ana") as memory:
        work = memory.work("shop")
        goal = work.open_goal(HOSTILE)
        first, second = work.open_task(HOSTILE, parent=goal), work.open_task(HOSTILE, parent=goal)
        work.link("leads_to", first, second, HOSTILE)
        work.close(work.open_task("x" * 500, parent=goal), reason=HOSTILE, tag="failed")
    agent = HOSTILE.replace("\n", " ")
    runs = [
        cli("claim", first.id, "--agent", agent, *SHOP),
        cli("link", "leads_to", first.id, second.id, *SHOP),
        *(cli(*command.split(), *SHOP) for command in ("ready", "next", "tree", "find pay", "handoff", "graph export")),
        cli("session", "start", "--agent", agent, *SHOP),
        cli("session", "list", *SHOP),
        cli("session", "end", "--summary", HOSTILE, *SHOP),
    ]

    for ran in runs:
        assert ran.code == 0, ran.err
        assert not {"\x1b", "\u202e", "\x07"} & set(ran.out)
    assert len(runs[4].out.splitlines()) == 4


def test_a_project_is_that_of_the_folder(cli: Cli, tmp_path: Path) -> None:
    """Without --project it is where one stands; elsewhere there is nothing of it."""
    here, elsewhere = tmp_path / "here", tmp_path / "elsewhere"
    here.mkdir()
    elsewhere.mkdir()
    cli("task", "open", "Stand here", cwd=here)

    assert "Stand here" in cli("ready", cwd=here).out
    assert cli("ready", cwd=elsewhere).code == 1
    assert "Stand here" in cli("ready", "--project", str(here), cwd=elsewhere).out


def test_nobody_sees_anothers_work(cli: Cli, shop: Shop) -> None:
    """Another owner of the same memory finds nothing, by name neither."""
    assert cli("ready", *SHOP, "--owner", "ben").code == 1
    assert cli("tree", shop.goal, *SHOP, "--owner", "ben").code == 3
    assert cli("find", "redis", *SHOP, "--owner", "ben").code == 1
    assert cli("claim", shop.schema, "--agent", "a", *SHOP, "--owner", "ben").code == 3
