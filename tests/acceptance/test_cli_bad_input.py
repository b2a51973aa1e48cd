"""Bad, hostile and broken input: a clear message, the right exit code, and nothing lost."""

import os
import subprocess
import sys
from pathlib import Path

import apsw
import pytest

from noctuary.testing import ClaudeTranscript
from tests.acceptance.conftest import SAMPLES, Cli

HOSTILE_QUERIES = ["", " ", "?", "=>", '"', '""', "AND", "NOT", "a AND", "NEAR(", "* OR *", "col:x", "{a b}:c", "^a",
                   "-rf", "--", "'; drop table sessions; --", "%", "_", "\\", "role:", "role:nobody", "after:never",
                   "(((", "支付", "é", "\u202e", "x" * 100_000, "redis " * 16_000]  # fmt: skip


@pytest.mark.parametrize("query", HOSTILE_QUERIES, ids=lambda query: repr(query[:20]))
def test_any_text_is_a_query(sample: Cli, query: str) -> None:
    """Whatever is typed is looked for: found or not, never an error."""
    ran = sample("search", "--json", "--", query)

    assert ran.code in (0, 1)
    assert ran.err == ""
    assert ran.json["query"] == query


def test_bytes_that_are_no_text_are_a_query(sample: Cli) -> None:
    """A query that is not UTF-8 is looked for as far as it can be read."""
    assert sample("search", b"redis \xff\xfe").code == 0
    assert sample("sessions", "--project", b"\xff").code == 1
    assert sample("status", "--owner", b"\xff").code == 0
    assert sample("--owner", b"\xff", "status").code == 0


@pytest.mark.parametrize(
    ("arguments", "code", "words"),
    [
        (["search"], 2, "TEXT"),
        (["search", "x", "--after", "soonish"], 2, "2026-05-01"),
        (["search", "x", "--before", "2026-13-45"], 2, "2026-13-45"),
        (["search", "x", "--role", "robot"], 2, "robot"),
        (["search", "x", "--limit", "0"], 2, "limit"),
        (["search", "x", "--limit", "many"], 2, "many"),
        (["search", "x", "--session", "nope"], 3, "nope"),
        (["sessions", "--after", "9" * 30], 2, "999"),
        (["sessions", "--after", "+99999-01-01"], 2, "99999"),
        (["sessions", "--after", ""], 2, "not a time"),
        (["show"], 2, "SESSION"),
        (["show", "nope"], 3, "noctuary sessions"),
        (["show", ""], 3, "noctuary sessions"),
        (["show", "%"], 3, "noctuary sessions"),
        (["show", "019cf5"], 3, "019cf5c9"),
        (["show", "3b0f", "--around", "9999"], 3, "9999"),
        (["show", "3b0f", "--around", "0"], 2, "around"),
        (["show", "3b0f", "--window", "-1"], 2, "window"),
        (["show", "3b0f", "--around", str(10**30)], 2, "around"),
        (["show", "3b0f", "--from", str(10**30)], 2, "from"),
        (["sessions", "--limit", str(10**30)], 2, "limit"),
        (["import", "--from", "/no/such/folder"], 2, "/no/such/folder"),
        (["juggle"], 2, "juggle"),
        (["status", "--juggle"], 2, "--juggle"),
    ],
    ids=lambda value: " ".join(value)[:40] if isinstance(value, list) else None,
)
def test_what_cannot_be_done_is_said(sample: Cli, arguments: list[str], code: int, words: str) -> None:
    """A wrong call ends with 2, a missing thing with 3; stderr says which, stdout stays empty."""
    ran = sample(*arguments)

    assert ran.code == code
    assert words in ran.err
    assert ran.out == ""


@pytest.mark.parametrize("owner", ["../x", "a/b", "ÄÖ", "記憶", "x" * 300, "ANA", "'; drop table sessions"])
def test_owners_see_only_their_own(sample: Cli, owner: str) -> None:
    """Any name is an owner, none escapes the folder, and none sees what another has."""
    ran = sample("status", "--owner", owner, "--json")

    assert ran.code == 0
    assert (ran.json["sessions"], ran.json["owner"]) == (0, owner)
    assert {path.name.split(".")[0] for path in sample.memory.parent.rglob("*")} == {"memory", "noctuary"}
    assert not (sample.memory.parent / "x").exists()


def test_a_file_where_the_folder_should_be(cli: Cli, tmp_path: Path) -> None:
    """A memory folder that is no folder is a store problem for every command, and doctor reports it as one."""
    (tmp_path / "file").write_text("not a folder")

    for arguments in (["search", "x"], ["import"], ["status"], ["rebuild"]):
        ran = cli(*arguments, "--home", tmp_path / "file")
        assert ran.code == 4
        assert "--home" in ran.err
        assert ran.err.count("\n") == 1
    examined = cli("doctor", "--home", tmp_path / "file")
    assert examined.code == 4
    assert "not a folder" in examined.out
    assert (tmp_path / "file").read_text() == "not a folder"


def test_a_missing_memory_is_a_problem_to_the_doctor_who_makes_none(cli: Cli) -> None:
    """Doctor says that there is no memory yet and how to make one; looking makes none."""
    ran = cli("doctor")

    assert ran.code == 4
    assert "noctuary import" in ran.out
    assert not cli.memory.exists()


def test_a_newer_schema_is_refused_and_not_touched(cli: Cli) -> None:
    """A database of a newer Noctuary is left alone; the message says to upgrade."""
    cli("import", "--from", SAMPLES)
    connection = apsw.Connection(str(cli.database))
    connection.execute("pragma user_version = 999")
    connection.close()
    before = cli.database.read_bytes()

    searched, examined = cli("search", "redis"), cli("doctor", "--json")

    assert searched.code == examined.code == 4
    assert "pip install -U noctuary" in searched.err
    assert examined.json["healthy"] is False
    assert "999" in examined.json["checks"][0]["detail"]
    assert cli.database.read_bytes() == before


def test_garbage_is_not_a_database(cli: Cli) -> None:
    """A file that is no database is a store problem, is kept as it is, and doctor names it."""
    cli.memory.mkdir()
    cli.database.write_bytes(os.urandom(100_000))
    before = cli.database.read_bytes()

    searched, examined = cli("search", "redis"), cli("doctor")

    assert searched.code == examined.code == 4
    assert "damaged" in searched.err
    assert "PROBLEM" in examined.out
    assert cli.database.read_bytes() == before


def test_a_damaged_page_is_found_by_the_doctor(cli: Cli) -> None:
    """A database with a torn middle makes commands fail clearly, and doctor reports it with exit code 4."""
    cli("import", "--from", SAMPLES)
    size = cli.database.stat().st_size
    with cli.database.open("r+b") as file:
        file.seek(size // 4)
        file.write(os.urandom(size // 2))

    assert cli("doctor").code == 4
    assert cli("search", "redis").code in (0, 1, 4)


def test_a_locked_database_is_waited_for_and_then_reported(cli: Cli) -> None:
    """While another process holds the database, a writer waits as long as it is told and then says so."""
    cli("import", "--from", SAMPLES)
    holding = (
        "import apsw, sys\n"
        f"connection = apsw.Connection({str(cli.database)!r})\n"
        "connection.execute('begin exclusive')\nprint('held', flush=True)\nsys.stdin.read()"
    )
    with subprocess.Popen(
        [sys.executable, "-c", holding], stdin=subprocess.PIPE, stdout=subprocess.PIPE, text=True
    ) as holder:
        assert holder.stdout is not None
        holder.stdout.readline()

        written = cli("rebuild", NOCTUARY_BUSY_SECONDS="0.2")
        read = cli("search", "redis", NOCTUARY_BUSY_SECONDS="0.2")

        holder.communicate("")
    assert written.code == 4
    assert "try again" in written.err
    assert read.code == 0  # readers never wait
    assert cli("rebuild").code == 0


def test_a_bug_is_said_to_be_one(cli: Cli) -> None:
    """What nobody expected ends with 70 and a word on what to do; only NOCTUARY_DEBUG=1 shows a traceback."""
    cli("import", "--from", SAMPLES)
    connection = apsw.Connection(str(cli.database))
    connection.execute("drop table sessions")
    connection.close()

    quiet = subprocess.run(cli.command("sessions"), env=cli.environ(), capture_output=True, text=True, check=False)
    loud = subprocess.run(
        cli.command("sessions"), env=cli.environ(NOCTUARY_DEBUG="1"), capture_output=True, text=True, check=False
    )

    assert quiet.returncode == 70
    assert "NOCTUARY_DEBUG=1" in quiet.stderr
    assert "Traceback" not in quiet.stderr
    assert "Traceback" in loud.stderr


@pytest.mark.parametrize("seconds", ["soon", "-1", "nan", "1e9"])
def test_a_setting_that_makes_no_sense_is_refused(cli: Cli, seconds: str) -> None:
    """A wait that is no number of seconds is bad input, not ignored."""
    ran = cli("status", NOCTUARY_BUSY_SECONDS=seconds)

    assert ran.code == 2
    assert "NOCTUARY_BUSY_SECONDS" in ran.err


def test_a_configuration_that_cannot_be_read_is_named(cli: Cli) -> None:
    """A broken config.toml is bad input; the message names the file."""
    cli.memory.mkdir()
    (cli.memory / "config.toml").write_text("owner = [")

    ran = cli("status")

    assert ran.code == 2
    assert "config.toml" in ran.err


@pytest.mark.skipif(os.name != "posix" or os.geteuid() == 0, reason="root may write to anything")
def test_a_read_only_memory(cli: Cli) -> None:
    """A memory that may not be written to is a store problem that names the permissions."""
    cli("import", "--from", SAMPLES)
    cli.database.chmod(0o400)
    cli.memory.chmod(0o500)
    try:
        ran = cli("import", "--from", SAMPLES)
    finally:
        cli.memory.chmod(0o700)

    assert ran.code == 4
    assert "permissions" in ran.err


@pytest.fixture
def small_disk(tmp_path: Path) -> Path:
    """A disk of six megabytes: a memory of the sample takes two."""
    folder = tmp_path / "disk"
    folder.mkdir()
    mounted = subprocess.run(
        ["mount", "-t", "tmpfs", "-o", "size=6m", "tmpfs", str(folder)], check=False, capture_output=True
    )
    if mounted.returncode:
        pytest.skip("a small disk can only be mounted by root: StoreFull is not tried here")
    return folder


def test_a_full_disk_loses_nothing(cli: Cli, small_disk: Path) -> None:
    """An import that fills the disk says so with exit code 4; what was stored before is still there."""
    memory = Cli(small_disk / "memory", cli.user_home)
    try:
        memory("import", "--from", SAMPLES)
        words = "".join(f"word{number} " for number in range(400_000))
        ClaudeTranscript("big").say(words).say(words[::-1]).save(cli.user_home)

        full = memory("import")

        assert full.code == 4
        assert "disk is full" in full.err
        assert memory("search", "redis").code == 0
        assert memory("status", "--json").json["sessions"] == 7
    finally:
        subprocess.run(["umount", "-l", str(small_disk)], check=False, capture_output=True)
