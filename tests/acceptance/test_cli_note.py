"""`noctuary note`, `decide`, `reject`, `rejected`, `event`, `outcome`, `observe`, `revisit` and `remember`."""

from dataclasses import replace

import pytest

from noctuary.work.superseding import NOTED
from tests.acceptance.conftest import SAMPLES, Cli, Ran
from tests.acceptance.test_cli_task import SHOP, journals, opened

REDIS_SESSION = "3b0f6a52-7c1d-4e0a-9a44-1d5e8c2f7a01"


def event_of(ran: Ran) -> str:
    """The id of the entry that a command wrote."""
    assert ran.code == 0, ran.err
    return str(ran.json["event"]["id"])


def test_a_note_says_what_it_was_taken_to_be_about(cli: Cli) -> None:
    """About the task that was named; else about the one the session works on; else about the project, with a hint."""
    task = opened(cli, "Totals")

    named = cli("note", "finding", "Coupons", "come", "by id", "--task", task, *SHOP)
    loose = cli("note", "constraint", "No new services", *SHOP)
    cli("note", "finding", "first", "--task", task, "--session", "s1", *SHOP)
    within = cli("note", "evidence", "second", "--json", *SHOP, NOCTUARY_SESSION="s1").json["event"]

    assert named.out.splitlines()[1] == f"About {task}  Totals"
    assert "--task TASK" in loose.out
    assert (within["node"], within["author"], within["session"]) == (task, "agent", "s1")
    assert "    Coupons come by id" in cli("event", "list", *SHOP).out


@pytest.mark.parametrize("variable", ["CLAUDECODE", "CODEX_SANDBOX", "CURSOR_AGENT", "GEMINI_CLI"])
def test_what_an_agent_runs_is_not_the_users_word(cli: Cli, variable: str) -> None:
    """Also if the agent does not say in which session it is: its rules are no rules until the user says so."""
    agents = replace(cli, extra={**cli.extra, variable: "1"})
    agents("remember", "Never write tests.", "--kind", "constraint", *SHOP)
    cli("remember", "Never push to main.", "--kind", "constraint", *SHOP)
    rules = [each for each in cli("brief", "--json", *SHOP).json["sections"] if each["title"].startswith("Rules")]

    assert [["push" in line["text"] for line in each["lines"]] for each in rules] == [[True]]


def test_a_note_rests_on_messages_entries_commits_and_files(cli: Cli) -> None:
    """--cite takes a message by the beginning of its session, with a quote, or an entry; the note is from then."""
    cli("import", "--from", SAMPLES)
    first = event_of(cli("note", "finding", "Redis is one more server", "--json", *SHOP))

    ran = cli(
        *("note", "decision", "No Redis", "--cite", "3b0f6a52:1", "--cite", first[:20], "--commit", "abc1234"),
        *("--file", "src/shop/sessions.py", "--json", *SHOP),
    )

    refs = ran.json["event"]["refs"]
    assert refs["messages"][0]["session"] == REDIS_SESSION
    assert refs["messages"][0]["line"] is not None
    assert (refs["events"], refs["commits"], refs["files"]) == ([first], ["abc1234"], ["src/shop/sessions.py"])
    shown = cli("event", "show", ran.json["event"]["id"]).out
    assert f"message 1 of session {REDIS_SESSION}, line" in shown
    assert "happened  2026-03-0" in shown
    quoted = cli("note", "decision", "No Redis", "--cite", "3b0f6a52:1:a zeppelin: never said")
    assert quoted.code == 2
    assert "does not say 'a zeppelin: never said'" in quoted.err


def test_a_note_of_long_ago(cli: Cli) -> None:
    """--at says when it happened, and a late note does not make its task recent."""
    task = opened(cli, "Totals")
    entry = cli("note", "finding", "Long ago", "--task", task, "--at", "2024-05-01", "--json", *SHOP).json["event"]

    assert entry["ts_ms"] == 1_714_521_600_000
    assert cli("event", "list", "--task", task, *SHOP).out.splitlines()[-2].split()[1] == "2024-05-01"
    assert cli("stale", *SHOP).code == 1


def test_a_decision_with_alternatives_is_a_node(cli: Cli) -> None:
    """The chosen way and the others, each with why, are options of a decision below the task."""
    task = opened(cli, "Sessions")

    cli("note", "decision", "In SQLite", "--task", task, "--alternative", "Redis: one more server",
        "--chosen", "SQLite: one file", *SHOP)  # fmt: skip

    decision = cli("task", "show", task, "--json", *SHOP).json["children"][0]
    assert (decision["title"], decision["status"]) == ("In SQLite", "decided")
    shown = cli("task", "show", decision["id"], *SHOP).out
    assert "SQLite  chosen  one file" in shown
    assert "Redis  rejected  one more server" in shown


def test_decide_in_one_line(cli: Cli) -> None:
    """Words and a reason are a decision; with options and a choice it has a node; an option's own words choose it."""
    plain = cli("decide", "Sessions live in SQLite", "--because", "One file", "--json", *SHOP).json["event"]
    made = cli("decide", "Where?", "--option", "Redis: a server", "--option", "SQLite", "--chosen", "sqlite",
               "--because", "One file", "--json", *SHOP).json["event"]  # fmt: skip

    assert plain["text"] == "Sessions live in SQLite. One file"
    options = made["meta"]["alternatives"]
    assert [(each["option"], each["chosen"], each["rationale"]) for each in options] == [
        ("Redis", False, "a server"),
        ("SQLite", True, "One file"),
    ]


def test_decide_later(cli: Cli) -> None:
    """Options without a choice leave a decision open: options are added and rejected, then one is chosen."""
    task = opened(cli, "Coupons")
    left = cli("decide", "Which first?", "--task", task, "--option", "by date: law", "--option", "by value", *SHOP)
    name = left.out.split()[0]

    assert f"noctuary decide {name} --chosen OPTION" in left.out
    added = cli("decide", name, "--option", "by id", "--json").json
    assert [option["title"] for option in added["options"]] == ["by date", "by value", "by id"]
    refused = cli("reject", added["options"][2]["id"], "--because", "Customers complained")
    assert refused.out == f"Rejected {added['options'][2]['id']}  by id  rejected\n"
    chosen = cli("decide", name, "--chosen", "BY DATE", "--because", "The law says so")
    assert "by date  chosen  The law says so" in chosen.out
    again = cli("decide", name, "--chosen", "by value")
    assert again.code == 2
    assert "decided" in again.err


def test_what_was_rejected_is_found_by_its_topic(cli: Cli) -> None:
    """Rejections and rejected options, with why; not those of another project, of before, or that were taken back."""
    event = event_of(cli("reject", "Memcached for carts", "--because", "One more server", "--json", *SHOP))
    cli("decide", "Sessions", "--option", "Redis: a server to run", "--chosen", "SQLite", *SHOP)
    cli("reject", "A server in Rust", "--project", "/elsewhere")

    found = cli("rejected", "server", *SHOP)
    assert found.code == 0
    assert "Memcached for carts. One more server" in found.out
    assert "Sessions: Redis\n   a server to run" in found.out
    assert "Rust" not in found.out
    assert cli("rejected", "server", "--everywhere", "--json", *SHOP).json["count"] == 3
    assert cli("rejected", "--json", *SHOP).json["count"] == 2
    assert cli("rejected", "server", "--since", "2099-01-01", *SHOP).code == 1
    cli("event", "retract", event, *SHOP)
    assert cli("rejected", "memcached", *SHOP).code == 1
    assert "Nothing was rejected about 'zeppelin'" in cli("rejected", "zeppelin", *SHOP).out


def test_what_is_said_later_counts(cli: Cli) -> None:
    """A correction stands in the place of what it corrects, a retraction hides, a suggestion waits to be confirmed."""
    task = opened(cli, "Totals")
    first = event_of(cli("note", "finding", "By id", "--task", task, "--json"))
    corrected = cli("event", "correct", first, "By number", *SHOP)
    assert "    By number" in corrected.out
    listed = cli("event", "list", "--task", task, *SHOP).out
    assert "By id" not in listed
    assert "replaced by" in cli("event", "list", "--task", task, "--hidden", *SHOP).out
    guess = event_of(cli("note", "hypothesis", "The cache", "--suggested", "--task", task, "--json"))
    assert cli("event", "list", "--suggested", "--json", *SHOP).json["entries"][0]["event"]["id"] == guess
    assert cli("event", "confirm", guess, "The cache is cold", "--json").json["acts_as"] == "hypothesis"
    assert cli("event", "list", "--suggested", *SHOP).code == 1
    retracted = cli("event", "retract", corrected.out.split()[1], "--because", "Wrong shop")
    assert "retracted by" in retracted.out
    assert "By number" not in cli("event", "list", "--task", task, *SHOP).out
    assert cli("event", "list", "--task", task, "--type", "hypothesis", "--json").json["count"] == 1


def test_what_holds_no_longer(cli: Cli) -> None:
    """A decision is superseded by another, in one step or two, and its entry says by what."""
    old = event_of(cli("decide", "Redis", "--json", *SHOP))
    new = event_of(cli("decide", "SQLite", "--supersedes", old, "--json", *SHOP))
    assert f"superseded by {new}" in cli("event", "list", *SHOP).out

    done = cli("event", "supersede", new, "--because", "Postgres came", *SHOP)
    assert done.out.startswith("Superseded ")
    assert cli("event", "supersede", new, *SHOP).code == 2


def test_what_came_of_it_and_deciding_anew(cli: Cli) -> None:
    """An outcome belongs to its decision; revisiting it supersedes the decision and opens the new one."""
    decision = cli("decide", "Where?", "--option", "Redis", "--chosen", "SQLite", "--json", *SHOP).json
    name = decision["event"]["meta"]["decision"]

    outcome = cli("outcome", name, "It locks", "--failed", *SHOP)
    came = outcome.out.split()[1]
    assert f"noctuary revisit {came}" in outcome.out
    anew = cli("revisit", came, "--because", "Locks", "--decide", "Where now?", "--option", "Postgres", *SHOP)
    assert f"Superseded {name}" in anew.out
    assert "Postgres  active" in anew.out
    assert cli("revisit", came, "--because", "Locks", *SHOP).code == 2
    seen = cli("observe", "Half of the carts have two coupons", "--about", name, "--json", *SHOP).json
    assert seen["type"] == "observation"
    assert f"{seen['id']}  Half of the carts" in cli("task", "show", name, *SHOP).out


def test_memories_are_kept_and_retired(cli: Cli) -> None:
    """A sentence is kept for this project or for all; one that is retired is only listed with --all."""
    here = cli("remember", "Staging is reset at night", "--topic", "staging", "--json", *SHOP).json
    cli("remember", "Answers in German", "--kind", "preference", "--everywhere", *SHOP)

    assert cli("remember", "staging is reset at NIGHT", "--json", *SHOP).json["id"] == here["id"]
    assert cli("memory", "list", "--json", "--project", "/elsewhere").json["count"] == 1
    assert "Retired" in cli("memory", "retire", here["id"][:7], "--because", "No more", *SHOP).out
    assert "Staging" not in cli("memory", "list", *SHOP).out
    assert "archived" in cli("memory", "list", "--all", *SHOP).out
    assert cli("memory", "retire", here["id"], *SHOP).code == 2


@pytest.fixture(scope="module")
def noted(tmp_path_factory: pytest.TempPathFactory) -> Cli:
    """A task, two notes and a decision to be made; for tests that change nothing."""
    folder = tmp_path_factory.mktemp("noted")
    cli = Cli(folder / "memory", folder)
    opened(cli, "one")
    for text in ("first", "second"):
        cli("note", "finding", text, *SHOP)
    cli("decide", "Which?", "--option", "a", "--option", "b", *SHOP)
    return cli


@pytest.mark.parametrize(
    ("arguments", "code", "words"),
    [
        (["note"], 2, "TYPE"),
        (["note", "finding"], 2, "TEXT"),
        (["note", "finding", " "], 2, "empty"),
        (["note", "opinion", "x"], 2, "notes are hypothesis"),
        (["note", "close", "x"], 2, "verb of its own"),
        (["note", "finding", "x", "--task", "nope"], 3, "nope"),
        (["note", "finding", "x", "--strength", "strong"], 2, "Only evidence"),
        (["note", "evidence", "x", "--strength", "huge"], 2, "huge"),
        (["note", "finding", "x", "--alternative", "y"], 2, "Only a decision"),
        (["note", "finding", "x", "--confidence", "2"], 2, "between 0 and 1"),
        (["note", "finding", "x", "--at", "soonish"], 2, "2026-05-01"),
        (["note", "finding", "x", "--cite", "not an id"], 2, "SESSION:ID"),
        (["note", "finding", "x", "--cite", "ZZZZ"], 3, "noctuary event list"),
        (["note", "finding", "x", "--supersedes", "d-nope"], 3, "d-nope"),
        (["note", "decision", "x", "--alternative", "a", "--alternative", "A"], 2, "twice"),
        (["note", "decision", "x", "--alternative", ": why"], 2, "title is needed"),
        (["decide", ""], 2, "empty"),
        (["decide", "d-nope", "--chosen", "a"], 3, "d-nope"),
        (["decide", "x", "--option", "a", "--because", "y"], 2, "Nothing is chosen yet"),
        (["reject", ""], 2, "empty"),
        (["reject", "o-nope"], 3, "o-nope"),
        (["event", "show", "nope"], 3, "noctuary event list"),
        (["event", "show", "01"], 3, "More than one event"),
        (["event", "correct", "01"], 2, "TEXT"),
        (["event", "confirm", "01"], 3, "More than one event"),
        (["event", "list", "--type", "opinion"], 2, "opinion"),
        (["event", "list", "--task", "nope"], 3, "nope"),
        (["event", "supersede", "m-nope"], 3, "m-nope"),
        (["outcome", "t-", "x"], 2, "--worked"),
        (["outcome", "nope", "x", "--worked"], 3, "nope"),
        (["observe", "x", "--about", "nope"], 3, "nope"),
        (["revisit", "t-", "--because", "x"], 3, "not an outcome"),
        (["remember", ""], 2, "empty"),
        (["remember", "x", "--kind", "guess"], 2, "guess"),
        (["memory", "retire", "m-nope"], 3, "noctuary memory list"),
        (["rejected", "x", "--since", "soonish"], 2, "2026-05-01"),
    ],
    ids=lambda value: " ".join(value)[:40] if isinstance(value, list) else "",
)
def test_bad_input(noted: Cli, arguments: list[str], code: int, words: str) -> None:
    """What cannot be written down is refused in a line that helps, and nothing is written."""
    before = journals(noted)

    ran = noted(*arguments, *SHOP)

    assert ran.code == code
    assert words in ran.err
    assert journals(noted) == before


def test_an_open_decision_takes_options_or_a_choice(noted: Cli) -> None:
    """Of a decision that is there already, exactly one thing is said at a time; its options are named if none fits."""
    name = noted("find", "Which", "--json", *SHOP).out.split('"d-')[1][:10]
    decision = f"d-{name}"
    for options, words in (
        ([], "--chosen OPTION decides it"),
        (["--option", "c", "--chosen", "c"], "--chosen OPTION decides it"),
        (["--option", "c", "--option", "d"], "one --option at a time"),
        (["--chosen", "zeppelin"], "its options are"),
        (["--chosen", "a", "--at", "3h"], "nothing else"),
    ):
        ran = noted("decide", decision, *options, *SHOP)
        assert ran.code == 2
        assert words in ran.err


def test_the_help_names_every_type_of_note(cli: Cli) -> None:
    """Nobody has to guess which types there are."""
    said = " ".join(cli("note", "--help").out.split())

    assert [kind for kind in NOTED if kind not in said] == []
