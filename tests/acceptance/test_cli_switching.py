"""`noctuary import --from TOOL`, as a process: one command to switch, and whatever is not of the tool is refused."""

from pathlib import Path

import apsw
import pytest

from tests.acceptance.conftest import SAMPLES, Cli
from tests.unit.switching.tools import claude_mem, mem0_export, mem0_history, notes, observe, palace, run

MADE = {
    "claude-mem": lambda folder: claude_mem(folder / "claude-mem.db"),
    "mempalace": lambda folder: palace(folder / "chroma.sqlite3"),
    "mem0": lambda folder: mem0_history(folder / "history.db"),
    "basic-memory": lambda folder: notes(folder / "notes"),
}
each_tool = pytest.mark.parametrize("tool", MADE)
ISSUE = '{"id":"bd-1","title":"Move to SQLite","status":"open","created_at":"2026-01-01T10:00:00Z"}\n'
EVENT = (
    '{"event_id":"01JZZZZZZZZZZZZZZZZZZZZZZZ","schema_version":"1.0","task_id":"tj-1","type":"open",'
    '"timestamp":"2026-01-01T10:00:00Z","text":"Move to SQLite"}\n'
)


@each_tool
def test_one_command_to_switch(cli: Cli, tmp_path: Path, tool: str) -> None:
    """A rehearsal says what would come in and makes no memory; then it comes in, and a second time nothing does."""
    path = MADE[tool](tmp_path)

    dry = cli("import", "--from", tool, path, "--project", "shop", "--dry-run")
    assert dry.code == 0
    assert dry.out.startswith("Would bring ")
    assert dry.out.endswith("Nothing was changed.\n")
    assert not cli.memory.exists()
    done = cli("import", "--from", tool, path, "--project", "shop")
    again = cli("import", "--from", tool, path, "--project", "shop")

    assert done.code == 0
    assert done.out.splitlines()[0] == dry.out.splitlines()[0].replace("Would bring", "Brought")
    assert again.out.startswith(f"Nothing new in {tool}.")


def test_what_came_in_is_found_and_waits_for_a_yes(cli: Cli, tmp_path: Path) -> None:
    """Prompts are found by a search, entries by their words, and rules wait in the review; none is in a brief."""
    path = claude_mem(tmp_path / "claude-mem.db")

    done = cli("import", "--from", "claude-mem", path, "--project", "shop", "--json").json

    assert (done["sessions"], done["messages"], done["entries"], done["proposed"]) == (1, 3, 3, 1)
    assert "orders fail on Mondays" in cli("search", "orders Mondays").out
    assert "Times are kept in UTC" in cli("find", "UTC", "--project", "shop").out
    assert "Never push on Fridays" in cli("dream", "review", "--list", "--project", "shop").out
    brief = cli("brief", "--project", "shop").out
    assert "Never push on Fridays" not in brief
    assert "(imported)" in brief


def test_what_is_left_out_is_told_with_its_reason(cli: Cli, tmp_path: Path) -> None:
    """Nothing is left out silently."""
    ran = cli("import", "--from", "mem0", mem0_history(tmp_path / "history.db"))

    assert "left out  1: memories that were deleted there" in ran.out


def test_usual_places_need_not_be_named(cli: Cli) -> None:
    """A tool that keeps its things in its own folder is found there."""
    claude_mem(cli.user_home / ".claude-mem" / "claude-mem.db")

    assert cli("import", "--from", "claude-mem").out.startswith("Brought 3 messages in 1 session")
    missing = cli("import", "--from", "mempalace")
    assert missing.code == 2
    assert ".mempalace" in missing.err


@pytest.mark.parametrize(("tool", "lines"), [("beads", ISSUE), ("task-journal", EVENT)])
def test_lines_of_other_tools(cli: Cli, tmp_path: Path, tool: str, lines: str) -> None:
    """Issues and journals become tasks, once; nothing is written beside them."""
    path = tmp_path / "lines.jsonl"
    path.write_text(lines + "{oops\n")

    dry = cli("import", "--from", tool, path, "--project", "shop", "--dry-run")
    assert "Would bring" in dry.out
    assert not cli.memory.exists()
    done = cli("import", "--from", tool, path, "--project", "shop")
    again = cli("import", "--from", tool, path, "--project", "shop")

    assert done.code == 0
    assert "line 2" in done.out
    assert again.out.startswith(f"Nothing new in {tool}.")
    assert "Move to SQLite" in cli("task", "list", "--project", "shop").out
    assert [each.name for each in tmp_path.glob("lines*")] == ["lines.jsonl"]


def test_a_home_folder_still_goes_with_from(cli: Cli) -> None:
    """`--from FOLDER` looks below another home folder, as it always did; so does `--user-home`."""
    assert cli("import", "--from", SAMPLES).out.startswith("Imported 95 messages in 7 sessions.")
    assert cli("import", "--user-home", SAMPLES).out.startswith("Nothing new.")


def test_a_folder_that_is_called_like_a_tool(cli: Cli, tmp_path: Path) -> None:
    """The name of a tool is the tool; a folder of that name is written as a path."""
    (tmp_path / "mem0").mkdir()

    assert cli("import", "--from", "./mem0", cwd=tmp_path).out.startswith("No transcripts found.")
    assert ".mem0" in cli("import", "--from", "mem0", cwd=tmp_path).err


def test_an_empty_path_is_not_this_folder(cli: Cli) -> None:
    """As a variable that is not set leaves it: nothing is imported that nobody named."""
    ran = cli("import", "")

    assert ran.code == 2
    assert "it is empty" in ran.err


def test_words_that_are_neither(cli: Cli, tmp_path: Path) -> None:
    """What is no tool and no folder is a mistake, and so is what goes with a tool alone."""
    (tmp_path / "file").write_text("x")

    for arguments, why in (
        (["--from", "clod-mem"], "neither a folder nor a tool"),
        (["--from", tmp_path / "file"], "neither a folder nor a tool"),
        (["--from", ""], "neither a folder nor a tool"),
        (["--dry-run"], "go with --from TOOL"),
        (["--from", SAMPLES, tmp_path], "go with --from TOOL"),
        (["--from", SAMPLES, "--project", "shop"], "go with --from TOOL"),
        (["--user-home", tmp_path / "nothing"], "does not exist"),
    ):
        ran = cli("import", *arguments)
        assert (ran.code, ran.out) == (2, "")
        assert why in ran.err
    assert not cli.memory.exists()


@each_tool
def test_what_is_not_of_the_tool_is_refused(cli: Cli, tmp_path: Path, tool: str) -> None:
    """Nothing there, another kind of file, another program's database, a broken one, a folder without anything."""
    (tmp_path / "empty").mkdir()
    (tmp_path / "text.bin").write_bytes(bytes(range(256)))
    run(tmp_path / "other.db", "create table t (x)")
    whole = MADE["claude-mem" if tool == "basic-memory" else tool](tmp_path / "made").read_bytes()
    (tmp_path / "broken.db").write_bytes(whole[:100] + b"\xff" * (len(whole) - 100))
    (tmp_path / "loop").symlink_to("loop")

    for name in ("nothing", "empty", "text.bin", "other.db", "broken.db", "loop"):
        ran = cli("import", "--from", tool, tmp_path / name)
        assert (ran.code, ran.out) == (2, ""), name
        assert "Nothing was changed" in ran.err
        assert name in ran.err
    assert cli("status", "--json").json["events"] == 0


def test_a_database_that_somebody_holds(cli: Cli, tmp_path: Path) -> None:
    """A tool that lets nobody else in is to be stopped first; that is said, and nothing is changed."""
    path = claude_mem(tmp_path / "claude-mem.db")
    connection = apsw.Connection(str(path))
    connection.execute("begin exclusive")

    ran = cli("import", "--from", "claude-mem", path)

    connection.execute("rollback")
    connection.close()
    assert (ran.code, ran.out) == (2, "")
    assert "stop it and try again" in ran.err


def test_a_database_that_is_in_use(cli: Cli, tmp_path: Path) -> None:
    """A tool that writes goes on; what it has committed comes in, and its file stays as it is."""
    path = claude_mem(tmp_path / "claude-mem.db")
    connection = apsw.Connection(str(path))
    list(connection.execute("pragma journal_mode = wal; begin immediate; create table more (x)"))
    before = path.read_bytes()

    ran = cli("import", "--from", "claude-mem", path)

    assert ran.out.startswith("Brought 3 messages")
    assert path.read_bytes() == before
    connection.execute("rollback")
    connection.close()


def test_hostile_contents(cli: Cli, tmp_path: Path) -> None:
    """Control characters, odd times, huge numbers, blobs for texts, secrets: read, cleaned, and nothing breaks."""
    secret = "sk-ant-api03-" + "Ab1" * 30
    path = claude_mem(tmp_path / "claude-mem.db")
    observe(
        path, title="\x1b[31mred\x00\u202e", narrative=f"key {secret}", created_at_epoch=1 << 62, project="../../x\n"
    )
    observe(path, title=b"\xff\xfe", narrative="a" * 150_000, facts="[" * 10_000, created_at_epoch=-5)
    observe(path, title="fine", type=7, created_at_epoch="soon", project="")

    ran = cli("import", "--from", "claude-mem", path, "--project", "shop")

    assert ran.code == 0
    assert "\x1b" not in ran.out
    assert "100,000 are the most" in ran.out
    everything = cli("journal", "export", "--everywhere").out + cli("find", "key", "--project", "shop").out
    assert secret[20:] not in everything


def test_an_export_that_no_adapter_knows(cli: Cli, tmp_path: Path) -> None:
    """Exports of web pages are named by the person; what is none of them is refused."""
    (tmp_path / "x.txt").write_text("hello")

    for tool in ("chatgpt", "claude.ai"):
        assert cli("import", "--from", tool).code == 2
        ran = cli("import", "--from", tool, tmp_path / "x.txt")
        assert (ran.code, ran.out) == (2, "")


def test_the_same_file_in_another_memory(cli: Cli, tmp_path: Path) -> None:
    """A file of memories: what each is about stays with it."""
    path = mem0_export(tmp_path / "m.json", {"id": "1", "memory": "Ana wants short pages.", "user_id": "ana"})

    ran = cli("import", "--from", "mem0", path, "--project", "shop")

    assert "1 memory, none of which holds until you say so" in ran.out
    assert "Next: noctuary dream review" in ran.out
    assert "Ana wants short pages." in cli("memory", "list", "--project", "shop").out
