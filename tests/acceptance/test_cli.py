"""Every command on the shipped sample home, as a user runs it."""

import subprocess
import sys
from pathlib import Path

import pytest

from noctuary.doors.cli import SECTIONS, main
from tests.acceptance.conftest import SAMPLES, Cli

COMMANDS = {name: entry for entries in SECTIONS.values() for name, entry in entries.items()}
SQLITE_SESSION = "3b0f6a52-7c1d-4e0a-9a44-1d5e8c2f7a01"
FORK, FORKED = "019cf5c9-8d42-7a61-b3f4-0a1b2c3d4e06", "019cf5a2-4b17-7d30-8f2e-5c6a7b8d9e05"


def test_help_needs_no_command_to_be_loaded_and_says_what_they_say() -> None:
    """The table's line of help is the first line of the command's own help."""
    context = main.make_context("noctuary", ["--help"], resilient_parsing=True)
    for name, entry in COMMANDS.items():
        command = main.get_command(context, name)
        assert command is not None
        assert (command.help or "").splitlines()[0] == entry.help
        assert command.name == name


@pytest.mark.parametrize("name", COMMANDS)
def test_every_command_has_help_with_examples_and_json(cli: Cli, name: str) -> None:
    """`--help` shows an example that can be typed, and every command speaks JSON; no memory is made by asking."""
    ran = cli.start(name, "--help")

    assert ran.code == 0
    assert f"noctuary {name}" in ran.out.split("Examples:")[1]
    assert "--json" in ran.out
    assert not cli.memory.exists()


def test_group_help_lists_commands_and_exit_codes(cli: Cli) -> None:
    """`noctuary --help` has every command and what exit codes mean."""
    ran = cli("--help")

    assert ran.code == 0
    assert all(f"  {name} " in ran.out for name in COMMANDS)
    assert "Exit codes" in ran.out


def test_nothing_is_loaded_that_is_not_used(sample: Cli) -> None:
    """Help loads no command, and a search loads no other command and no heavy part of Python."""
    script = (
        "import sys\n"
        "from noctuary.doors.cli import main\n"
        "main(sys.argv[1:], standalone_mode=False)\n"
        "print(*sys.modules, file=sys.stderr)"
    )
    loaded = {}
    for arguments in (["--help"], ["search", "redis"]):
        command = [sys.executable, "-c", script, *arguments]
        ran = subprocess.run(command, env=sample.environ(), capture_output=True, text=True, check=False)
        loaded[arguments[0]] = set(ran.stderr.split())

    commands = {f"noctuary.doors.cli.{entry.place.partition(':')[0]}" for entry in COMMANDS.values()}
    assert not loaded["--help"] & commands
    assert loaded["search"] & commands == {"noctuary.doors.cli.search"}
    assert not loaded["search"] & {"asyncio", "logging", "difflib", "importlib.metadata", "shutil", "email", "http"}


def test_an_import_that_finds_nothing_new_loads_no_reader(sample: Cli) -> None:
    """What reads transcripts and what takes secrets out of them is loaded when there is something new."""
    script = (
        "import sys\n"
        "from noctuary.doors.cli import main\n"
        "main(['import'], standalone_mode=False)\n"
        "print(*sys.modules, file=sys.stderr)"
    )
    command = [sys.executable, "-c", script]
    subprocess.run(command, env=sample.environ(), capture_output=True, check=True)
    again = subprocess.run(command, env=sample.environ(), capture_output=True, text=True, check=True)

    assert "Nothing new" in again.stdout
    readers = {f"noctuary.transcripts.{name}" for name in ("claude_reader", "codex_reader")}
    assert not set(again.stderr.split()) & {*readers, "noctuary.redact.finding"}


def test_version(cli: Cli) -> None:
    """`--version` names the program and its version."""
    assert cli("--version").out.startswith("noctuary 0.")


def test_import_reports_what_became_of_every_transcript(cli: Cli) -> None:
    """Import says what it found and stored; a second one adds nothing and says so."""
    first, second = cli("import", "--from", SAMPLES), cli("import", "--from", SAMPLES, "--json")

    assert first.code == second.code == 0
    assert "7 found: 7 new" in first.out
    assert "claude-code 72" in first.out
    assert "stored once" in first.out
    assert "noctuary search" in first.out
    assert (second.json["unchanged"], second.json["messages"]) == (7, 0)
    assert first.err == ""


def test_import_of_another_home_keeps_the_memory_where_it_is(cli: Cli) -> None:
    """`--from` says where transcripts are, not where the memory is; this user's own settings do not apply there."""
    ran = cli("import", "--from", SAMPLES, "--json", CODEX_HOME="/nowhere", CLAUDE_CONFIG_DIR="/nowhere")

    assert ran.json["found"] == 7
    assert cli.database.exists()
    assert not (SAMPLES / ".local").exists()


def test_import_of_nothing_says_where_it_looked(cli: Cli) -> None:
    """Without transcripts, import succeeds, names the folders and the way out."""
    ran = cli("import")

    assert ran.code == 0
    assert str(cli.user_home) in ran.out
    assert ".codex/sessions" in ran.out
    assert "--from" in ran.out


def test_search_shows_where_and_how_to_go_on(sample: Cli) -> None:
    """A hit has rank, day, agent, project, title, the marked match, and a command that shows its surroundings."""
    ran = sample("search", "why did we drop redis?")

    lines = ran.out.splitlines()
    assert ran.code == 0
    assert lines[0] == "1. 2026-03-02  claude-code  shop  Session store: SQLite table instead of Redis"
    assert ">>>Redis<<<" in lines[1]
    follow = lines[2].split()
    assert follow[:2] == ["noctuary", "show"]
    assert ">" not in lines[2]
    assert f"▶ [{follow[-1]}]" in sample(*follow[1:]).out


def test_command_to_follow_names_the_same_memory(sample: Cli) -> None:
    """With --home or --owner given, before or after the command, the command to copy has them too."""
    before = sample("--home", sample.memory, "search", "redis", NOCTUARY_HOME="/nowhere")
    after = sample("search", "redis", "--home", sample.memory, "--owner", "ana", NOCTUARY_HOME="/nowhere")

    assert f"--home {sample.memory}" in before.out
    assert f"--home {sample.memory} --owner ana" in after.out


def test_search_as_json_has_everything(sample: Cli) -> None:
    """JSON hits carry session, anchor, snippet, window, bookends, score and reasons; --context limits the window."""
    found = sample("search", "redis", "--json").json
    narrow = sample("search", "redis", "--json", "--context", "1").json

    hit = found["hits"][0]
    assert found["count"] == len(found["hits"]) == 2
    assert hit["session"]["id"] == SQLITE_SESSION
    assert hit["anchor_id"] == hit["anchor"]["id"] == 1
    assert {reason["name"] for reason in hit["why"]} >= {"words"}
    assert hit["bookend_end"]
    assert len(hit["window"]) == 6
    assert len(narrow["hits"][0]["window"]) == 2


@pytest.mark.parametrize(
    ("options", "sessions"),
    [
        (["--agent", "codex"], {FORKED}),
        (["--agent", "nobody"], set()),
        (["--project", "shop", "--after", "2026-03-10"], {FORKED}),
        (["--before", "2026-03-10"], {SQLITE_SESSION}),
        (["--session", "3b0f"], {SQLITE_SESSION}),
        (["--exclude-session", SQLITE_SESSION], {FORKED}),
        (["--exclude-session", SQLITE_SESSION, "--exclude-session", FORKED], set()),
        (["--project", "elsewhere"], set()),
        (["--limit", "1"], {SQLITE_SESSION}),
    ],
)
def test_search_options_narrow(sample: Cli, options: list[str], sessions: set[str]) -> None:
    """Each option of search leaves out what it says, and nothing found is exit code 1."""
    ran = sample("search", "redis", "--json", *options)

    assert {hit["session"]["id"] for hit in ran.json["hits"]} == sessions
    assert ran.code == (0 if sessions else 1)


def test_search_by_message_and_role(sample: Cli) -> None:
    """--messages gives one hit a message; --role leaves out what others said."""
    every = sample("search", "redis", "--messages", "--json", "-n", "20").json
    user = sample("search", "redis", "--messages", "--json", "-n", "20", "--role", "user").json

    assert every["count"] > user["count"] > 1
    assert {hit["anchor"]["role"] for hit in user["hits"]} == {"user"}


def test_search_explains_its_scores(sample: Cli) -> None:
    """--explain shows the parts of each score, and --context the neighbours of the match."""
    ran = sample("search", "redis", "-n", "1", "--explain", "--context", "1")

    assert "score" in ran.out
    assert "= words " in ran.out
    assert "[2] assistant: They want to move sessions" in ran.out


def test_project_dot_is_the_project_of_this_folder(sample: Cli, tmp_path: Path) -> None:
    """`--project .` finds the sessions of the repository one stands in, by its remote."""
    (tmp_path / ".git").mkdir()
    (tmp_path / ".git" / "config").write_text('[remote "origin"]\n\turl = git@git.example.org:ana/shop.git\n')
    (tmp_path / "deep").mkdir()

    ran = sample("search", "redis", "--project", ".", "--json", cwd=tmp_path / "deep")

    assert [hit["session"]["id"] for hit in ran.json["hits"]] == [FORKED]


def test_a_miss_is_an_answer(sample: Cli) -> None:
    """Nothing found is exit code 1, said in words and in JSON."""
    told, as_json = sample("search", "zeppelin"), sample("search", "zeppelin", "--json")

    assert told.code == as_json.code == 1
    assert told.out.startswith("Nothing found")
    assert (as_json.json["count"], as_json.json["hits"]) == (0, [])
    assert as_json.json["note"]


def test_sessions_lists_the_last_active_first(sample: Cli) -> None:
    """A line a session, with the id in full so that it can be copied."""
    ran = sample("sessions")

    lines = ran.out.splitlines()
    assert ran.code == 0
    assert len(lines) == 8
    assert FORK in lines[1]
    assert "What trigrams would find" in lines[1]
    assert SQLITE_SESSION in lines[-1]


def test_sessions_can_be_chosen(sample: Cli) -> None:
    """Filters narrow the list; an empty list is exit code 1."""
    codex = sample("sessions", "--agent", "codex", "--json")
    nothing = sample("sessions", "--project", "elsewhere")

    assert {session["agent"] for session in codex.json["sessions"]} == {"codex"}
    assert codex.json["count"] == 2
    assert nothing.code == 1
    assert "No session matches" in nothing.out


def test_show_tells_a_session(sample: Cli) -> None:
    """A session is shown with its facts, its relation to others, and who said what."""
    ran = sample("show", FORK[:10])

    assert ran.code == 0
    assert f"fork of {FORKED}" in ran.out
    assert "gpt-5.3-codex" in ran.out
    assert "[1] user" in ran.out
    assert "Before I decide: try the trigram tokenizer" in ran.out


def test_show_around_a_message(sample: Cli) -> None:
    """--around shows a message and its neighbours, says how much there is besides, and JSON has the same."""
    ran = sample("show", SQLITE_SESSION, "--around", "14", "--window", "2")
    as_json = sample("show", SQLITE_SESSION, "--around", "14", "--window", "2", "--json").json

    assert "▶ [14] tool Bash" in ran.out
    assert "11 messages before" in ran.out
    assert "3 messages after" in ran.out
    assert [message["id"] for message in as_json["messages"]] == [12, 13, 14, 15, 16]
    assert (as_json["before"], as_json["after"]) == (11, 3)


def test_show_page_by_page(sample: Cli) -> None:
    """A page ends with the command that shows the next one; together the pages are the session."""
    first = sample("show", SQLITE_SESSION, "--limit", "10")
    command = first.out.splitlines()[-1].split()
    second = sample(*command[1:], "--json").json

    assert "9 messages after" in first.out
    assert [message["id"] for message in second["messages"]] == list(range(11, 20))
    assert (second["before"], second["after"]) == (10, 0)


def test_show_leads_past_what_is_hidden(sample: Cli) -> None:
    """A page of nothing but hidden messages still says how to go on."""
    ran = sample("show", FORKED, "--limit", "3")

    assert "15 messages after" in ran.out
    assert sample(*ran.out.splitlines()[-1].split()[1:], "--json").json["after"] == 0


def test_status_counts(sample: Cli) -> None:
    """Status says how much is kept, of whom, and that nothing is left to import."""
    told, as_json = sample("status"), sample("status", "--json").json

    assert "89 messages in 7 sessions" in told.out
    assert "7 on this machine, 0 not imported yet" in told.out
    assert (as_json["sessions"], as_json["unread"], as_json["owner"]) == (7, 0, "ana")


@pytest.mark.parametrize("command", [["search", "redis"], ["sessions"], ["status"]])
def test_an_empty_memory_says_how_to_fill_it(cli: Cli, command: list[str]) -> None:
    """Whatever is asked of an empty memory, the answer names the next step."""
    ran = cli(*command)

    assert "empty" in ran.out
    assert "noctuary import" in ran.out


@pytest.mark.parametrize("command", [["search", "redis"], ["sessions"], ["status"], ["show", "some-id"]])
def test_asking_makes_no_memory(cli: Cli, tmp_path: Path, command: list[str]) -> None:
    """A folder mistyped in a question does not become a memory."""
    ran = cli(*command, "--home", str(tmp_path / "mistyped"))

    assert not (tmp_path / "mistyped").exists()
    assert ("not made yet" in ran.out) == (command == ["status"])


def test_show_from_beyond_the_end_says_so(sample: Cli) -> None:
    """A page that does not exist is not shown as an empty session."""
    session = sample("sessions", "--json").json["sessions"][0]["id"]

    ran = sample("show", session, "--from", "5000")

    assert ran.code == 0
    assert "none from there on" in ran.out


def test_doctor_finds_a_sound_memory_sound(sample: Cli) -> None:
    """A sound memory passes every check, with exit code 0."""
    told, as_json = sample("doctor"), sample("doctor", "--json")

    assert told.code == as_json.code == 0
    assert "PROBLEM" not in told.out
    assert as_json.json["healthy"] is True
    assert len(as_json.json["checks"]) >= 6


def test_rebuild_changes_no_answer(cli: Cli) -> None:
    """After a rebuild every search answers as before."""
    cli("import", "--from", SAMPLES)
    before = cli("search", "redis", "--json").json

    rebuilt = cli("rebuild", "--json")

    assert rebuilt.json["indexed"] > 80
    after = cli("search", "redis", "--json").json
    assert [hit["anchor_id"] for hit in after["hits"]] == [hit["anchor_id"] for hit in before["hits"]]


def test_python_m_is_the_same_command(cli: Cli) -> None:
    """`python -m noctuary` is `noctuary`."""
    assert cli("--help").out.startswith("Usage: noctuary ")
