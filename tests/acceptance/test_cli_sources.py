"""`noctuary sources`, as a process."""

from pathlib import Path

from noctuary.testing import ClaudeTranscript, CodexTranscript
from tests.acceptance.conftest import SAMPLES, Cli


def test_one_line_for_each_agent(sample: Cli) -> None:
    """Every agent that was seen has a line, and the others are named in the last one."""
    ran = sample("sources")

    lines = ran.out.splitlines()
    assert ran.code == 0
    assert lines[0].split()[:3] == ["agent", "sessions", "messages"]
    assert [line.split()[0] for line in lines[1:3]] == ["claude-code", "codex"]
    assert "~/.claude/projects" in lines[1]
    assert lines[-1].startswith("Not found here: ")
    assert str(SAMPLES) not in ran.out


def test_the_same_for_programs(sample: Cli) -> None:
    """`--json` has the same numbers, and all that has no room on a line."""
    found = sample("sources", "--json").json

    claude = found["agents"][0]
    assert (claude["agent"], claude["transcripts"], claude["read"], claude["parsed"]) == ("claude-code", 5, 5, 5)
    assert claude["folders"] == [str(SAMPLES / ".claude" / "projects" / "-home-ana-code-shop")]
    assert (claude["skipped"], claude["unknown"], claude["unparsed"], found["drift"]) == (0, 0, [], [])


def test_transcripts_without_anything_new(sample: Cli) -> None:
    """That nothing was new is said once something was read."""
    assert sample("sources", "--drift").out == "Nothing was new: every record type and field is known.\n"


def test_a_machine_without_agents(cli: Cli) -> None:
    """Nothing was ever seen: it says so, names what it knows, and makes no memory."""
    ran = cli("sources")

    assert (ran.code, ran.err) == (0, "")
    assert ran.out.startswith("No agent was ever seen")
    assert "claude-code" in ran.out
    assert not cli.memory.exists()
    assert cli("sources", "--drift").out == "No transcript was read yet: noctuary import\n"


def test_drift_is_told_by_import_and_listed(cli: Cli) -> None:
    """An import says in one line that something was new, and the report where; contents are never shown."""
    secret = "swordfish in the pantry"
    path = ClaudeTranscript("s-1").say("One.").note("hologram", beam=secret).note("hologram").save(cli.user_home)
    CodexTranscript().prompt("Two.").line("aura", {"colour": secret}).save(cli.user_home)

    told = cli("import").out
    listed, asked = cli("sources", "--drift"), cli("sources", "--drift", "--json").json

    assert len([line for line in told.splitlines() if "sources --drift" in line]) == 1
    assert "2 record types new to us" in told
    assert "hologram" in listed.out
    assert f"~/{path.relative_to(cli.user_home)}:2" in listed.out
    assert secret not in listed.out
    assert asked["count"] == 2
    assert (asked["drift"][0]["name"], asked["drift"][0]["times"]) == ("hologram", 2)
    assert secret not in str(asked)


def test_hostile_names_stay_on_their_line(cli: Cli) -> None:
    """A record type or a file may be called anything; no line is broken and no terminal is told what to do."""
    evil = "x\x1b[31m\nclaude-code  999 \u202e"
    folder = ClaudeTranscript("s-1").say("One.").note(evil).save(cli.user_home).parent
    (folder / "odd\n\x1b[2Jname.jsonl").write_text('{"type": "hologram"}\n')
    (folder / "loop").symlink_to("loop")
    (folder / "gone.jsonl").symlink_to("/nowhere.jsonl")
    cli("import")

    listed, drift = cli("sources"), cli("sources", "--drift")

    assert (listed.code, drift.code) == (0, 0)
    assert "\x1b" not in listed.out + drift.out
    assert "\u202e" not in drift.out
    assert len(listed.out.splitlines()) <= 5
    assert len(drift.out.splitlines()) == 3


def test_doctor_mentions_a_format_that_has_changed(cli: Cli) -> None:
    """Transcripts that mostly could not be read are a warning, which is no problem of the memory."""
    folder = ClaudeTranscript("s-1").say("One.").save(cli.user_home).parent
    for name in ("a", "b"):
        (folder / f"{name}.jsonl").write_text('{"type": "hologram"}\n')
    cli("import")

    ran = cli("doctor")

    assert ran.code == 0
    assert "formats: could not be read: 2 of 3 transcripts of claude-code" in ran.out


def test_another_home_is_refused_as_an_argument(cli: Cli) -> None:
    """What is no option of it is a mistake, with an exit code for it."""
    assert cli("sources", "nonsense").code == 2
    assert cli("sources", "--drift=yes").code == 2


def test_a_memory_that_is_a_file(cli: Cli, tmp_path: Path) -> None:
    """A home that is no folder is told as a problem, not as a list of nothing."""
    (tmp_path / "file").write_text("x")

    ran = cli("sources", "--home", tmp_path / "file")

    assert ran.code == 4
    assert ran.out == ""


def test_a_copy_is_imported_by_its_path(cli: Cli) -> None:
    """A transcript that somebody names comes in, wherever it lies; a file that is none is said to be."""
    copy = CodexTranscript().prompt("Why a cent too much?").save(cli.user_home).rename(cli.user_home / "copy.jsonl")
    other = cli.user_home / "list.json"
    other.write_text("[]")

    assert "codex 1 message" in cli("import", str(copy)).out
    assert "Nothing new." in cli("import", str(copy)).out
    assert cli("import", str(other)).out == f"No transcript of an agent was found in {other}.\n"
    assert cli("import", str(cli.user_home / "nowhere")).code == 2
