"""`noctuary dream` and all that belongs to it, as a process: what it says, what it refuses, what it leaves."""

import os
import pty
import select
import subprocess
import sys
from collections.abc import Iterator
from contextlib import suppress
from datetime import UTC, datetime
from pathlib import Path

import pytest

from noctuary.testing import ClaudeTranscript
from tests.acceptance.conftest import SAMPLES, Cli
from tests.acceptance.test_cli_terminal import FORBIDDEN, HOSTILE

RULE = "From now on, never call datetime.now() without a zone; always pass the zone of the shop."
SCREEN = 30  # lines
HOLD_THE_LOCK = """
import fcntl, os, sys
folder = sys.argv[1]
os.makedirs(folder, exist_ok=True)
file = open(os.path.join(folder, "dream.lock"), "w")
fcntl.flock(file, fcntl.LOCK_EX)
print("held", flush=True)
sys.stdin.read()
"""


def dreamt(cli: Cli) -> Cli:
    """The sample conversations, imported and dreamt of."""
    assert cli("import", "--from", SAMPLES).code == 0
    assert cli("dream").code == 0
    return cli


def pages(cli: Cli) -> dict[str, bytes]:
    """Every file that dreams wrote."""
    return {str(path): path.read_bytes() for path in sorted((cli.memory / "memory").rglob("*.md"))}


def one_session(cli: Cli, *said: str, session: str = "3b0f6a52-0000-4000-8000-000000000001") -> str:
    """A conversation in the memory, long over; its id."""
    transcript = ClaudeTranscript(session)
    for words in said:
        transcript.say(words).reply("Done; all 12 tests pass.")
    transcript.save(cli.user_home)
    assert cli("import").code == 0
    return session


def test_a_dream_fits_a_screen_and_says_what_comes_next(cli: Cli) -> None:
    """What was read and found, the pages by project, and the two commands for what one may want to do about it."""
    imported = cli("import", "--from", SAMPLES)

    ran = cli("dream")

    lines = ran.out.splitlines()
    assert (ran.code, ran.err) == (0, "")
    assert "7 sessions are waiting for a dream: noctuary dream" in imported.out
    assert lines[0].startswith("Dreamt over 7 sessions in ")
    assert len(lines) <= SCREEN
    assert any(line.startswith("  MEMORY.md of ") and " lines" in line for line in lines)
    assert "noctuary dream review" in lines[-1]
    assert "noctuary dream undo" in lines[-1]
    kinds = [line.split()[1] for line in lines if line.startswith(("  + ", "  ? "))]
    assert kinds == sorted(kinds)


def test_an_import_says_nothing_of_dreams_when_all_is_read(cli: Cli) -> None:
    """The line is for what waits."""
    dreamt(cli)

    assert "for a dream" not in cli("import", "--from", SAMPLES).out


def test_nothing_to_dream_of_says_what_to_do(cli: Cli) -> None:
    """An empty memory is told to import; one in which all is read that all is, and a project or session the same."""
    empty = cli("dream")
    session = one_session(cli, RULE)
    cli("dream")
    again, chosen, elsewhere = cli("dream"), cli("dream", "--session", session), cli("dream", "--project", "nowhere")

    assert "noctuary import" in empty.out
    assert "Nothing to dream of" in again.out
    assert chosen.out == elsewhere.out == "Nothing to dream of there: every session that has ended is read.\n"
    assert {ran.code for ran in (empty, again, chosen, elsewhere)} == {0}


def test_sessions_that_go_on_are_named_and_can_be_read_now(cli: Cli) -> None:
    """A session in which something happened today is open: how many there are, until when, and how to end one."""
    session = "3b0f6a52-0000-4000-8000-000000000009"
    ClaudeTranscript(session, start=datetime.now(UTC)).say(RULE).reply("Done.").save(cli.user_home)
    imported = cli("import")

    waiting, status, named = cli("dream"), cli("dream", "status"), cli("dream", "--session", session[:8])

    assert "dreamt of" not in imported.out
    assert "1 session is still open and will be read if it stays quiet until" in waiting.out
    assert "--session SESSION" in waiting.out
    assert "1 session is still open" in status.out
    assert named.out.startswith("Dreamt over 1 session")


def test_a_look_changes_nothing(cli: Cli) -> None:
    """A dry run shows the difference each page would have, says so, and the dream after it does that and no less."""
    cli("import", "--from", SAMPLES)

    looked = cli("dream", "--dry-run")

    assert looked.out.startswith("Would dream over 7 sessions")
    assert looked.out.endswith("Nothing was changed: this was a dry run.\n")
    assert "+++ MEMORY.md of " in looked.out
    assert pages(cli) == {}
    assert cli("dream", "log").code == 1
    done = cli("dream", "--json").json
    assert done["diff"]
    assert all(line in looked.out for line in done["diff"].splitlines() if line.startswith("+- "))


def test_a_second_dream_adds_nothing(cli: Cli) -> None:
    """Not an entry, not a memory, not a byte."""
    dreamt(cli)
    before = pages(cli)

    again = cli("dream", "--json").json

    assert (again["kept"], again["merged"], again["changes"], again["pages"]) == (0, 0, [], [])
    assert pages(cli) == before != {}


def test_json_says_all_that_a_run_did(cli: Cli) -> None:
    """The report as it is kept: what `dream` printed is what `show` and `log` give later."""
    cli("import", "--from", SAMPLES)
    report = cli("dream", "--json").json

    assert (
        report
        == cli("dream", "show", report["run"][:20], "--json").json
        == cli("dream", "log", "--json").json["runs"][0]
    )
    assert (report["status"], report["processed"], report["failed"]) == ("completed", 7, 0)
    assert {page["path"] for page in report["written"]} <= set(report["pages"])
    assert all(change["text"] and change["memory"] for change in report["changes"])


@pytest.mark.parametrize(
    ("arguments", "code", "words"),
    [
        (["dream", "--backend", "nonsense"], 2, "nonsense"),
        (["dream", "--backend", "openai"], 5, "OPENAI_API_KEY"),
        (["dream", "--backend", "anthropic"], 5, "ANTHROPIC_API_KEY"),
        (["dream", "--backend", "claude"], 5, "claude"),
        (["dream", "--limit", "0"], 2, "limit"),
        (["dream", "--session", "nope"], 3, "noctuary sessions"),
        (["dream", "--session", ""], 3, "noctuary sessions"),
        (["dream", "--if-due", "--dry-run"], 2, "--if-due"),
        (["dream", "--dry-run", "status"], 2, "status"),
        (["dream", "juggle"], 2, "juggle"),
        (["dream", "show"], 3, "noctuary dream"),
        (["dream", "show", "zzz"], 3, "noctuary dream log"),
        (["dream", "show", ""], 3, "noctuary dream log"),
        (["dream", "undo"], 3, "noctuary dream log"),
        (["dream", "undo", "%"], 3, "noctuary dream log"),
        (["dream", "why"], 2, "LINE"),
        (["dream", "why", ""], 3, "noctuary memory list"),
        (["dream", "why", "%"], 3, "noctuary memory list"),
        (["dream", "why", "\x1b[2J"], 3, "noctuary memory list"),
        (["dream", "why", "m-zzzzzzzzzz"], 3, "noctuary memory list"),
        (["dream", "review", "--accept", "nope"], 3, "nope"),
        (["dream", "review", "--run", "zzz"], 3, "noctuary dream log"),
        (["dream", "review", "--accept", "x", "--reject", "x"], 2, "one of the two"),
        (["dream", "end", "nope"], 3, "noctuary sessions"),
        (["dream", "end", ""], 3, "noctuary sessions"),
        (["dream", "log", "--limit", "0"], 2, "limit"),
        (["memory", "show", "zz"], 3, "noctuary memory list"),
        (["memory", "pin", ""], 3, "noctuary memory list"),
        (["watch", "--every", "nan"], 2, "--every"),
        (["watch", "--every", "0"], 2, "--every"),
    ],
    ids=lambda value: " ".join(value)[:40] if isinstance(value, list) else None,
)
def test_what_cannot_be_done_is_said(sample: Cli, arguments: list[str], code: int, words: str) -> None:
    """A wrong call ends with 2, a missing thing with 3, a missing model with 5; stderr says what to do."""
    ran = sample(*arguments, PATH=os.defpath)

    assert ran.code == code
    assert words in ran.err
    assert ran.out == ""
    assert "\x1b" not in ran.err


@pytest.mark.parametrize(
    ("table", "words"),
    [
        ("[dream]\nsession_count = 0", "session_count"),
        ('[dream]\nbackend = "gpt"', "rules, anthropic"),
        ('[dream]\ntime_hours = "soon"', "time_hours"),
        ("[dream]\nsessions = 5", "session_count"),
        ('[dream]\nmirror = ["README.md"]', "AGENTS.md"),
        ("[dream]\nwording = true", "dream.backend"),
        ("dream = 3", "[dream]"),
    ],
)
def test_settings_that_make_no_sense_are_refused(cli: Cli, table: str, words: str) -> None:
    """A dream ends with 2 and names the setting; an import works, and says it, too; the doctor calls it a problem."""
    one_session(cli, RULE)
    (cli.memory / "config.toml").write_text(table)

    ran, imported, status, examined = cli("dream"), cli("import"), cli("status"), cli("doctor")

    assert ran.code == 2
    assert "config.toml" in ran.err
    assert words in ran.err
    assert imported.code == status.code == 0
    if "wording" not in table:
        assert words in imported.out
        assert words in status.out
        assert examined.code == 4
        assert words in examined.out


@pytest.mark.parametrize(
    "arguments",
    [["dream", "status"], ["dream", "log"], ["dream", "show"], ["dream", "why", "x"], ["memory", "list"]],
    ids=" ".join,
)
def test_looking_makes_no_memory(cli: Cli, arguments: list[str]) -> None:
    """A folder mistyped in a question does not become a memory."""
    cli(*arguments)

    assert not cli.memory.exists()


def test_where_dreams_stand(cli: Cli) -> None:
    """What waits is counted before and after, `status` has a line, and the doctor looks."""
    cli("import", "--from", SAMPLES)
    before, at_a_glance = cli("dream", "status"), cli("status")
    cli("dream")
    after = cli("dream", "status", "--json").json

    assert "waiting    7 sessions" in before.out
    assert "never" in before.out
    assert "dreams       none yet; 7 sessions to read: `noctuary dream`" in at_a_glance.out
    assert (after["outlook"]["waiting"], after["completed"], after["sessions"]) == (0, 7, [])
    assert after["suggestions"] > 0
    assert "nothing waits" in cli("status").out
    assert cli("status", "--json").json["dreams"]["outlook"]["waiting"] == 0
    assert "dreams: 7 read, state and pages in place" in cli("doctor").out


def test_a_page_that_could_not_be_written_is_said_and_written_later(cli: Cli) -> None:
    """Where a page should be there is a folder: the dream says so and keeps what it read; the doctor knows."""
    one_session(cli, "Please remember that the staging database is reset every night.")
    cli("dream")
    [page] = [Path(path) for path in pages(cli) if path.endswith("/MEMORY.md")]
    page.unlink()
    page.mkdir()
    one_session(cli, RULE, session="3b0f6a52-0000-4000-8000-000000000002")

    ran, examined = cli("dream"), cli("doctor")
    page.rmdir()
    healed = cli("dream")

    assert ran.code == 0
    assert "could not be written" in ran.out
    assert "not up to date" in examined.out
    assert "noctuary dream" in examined.out
    assert "MEMORY.md of " in healed.out
    assert RULE[:40] in page.read_text()


def test_undo_takes_a_dream_back_once(cli: Cli) -> None:
    """Pages are gone, its sessions wait until somebody asks; the same dream can be had again, and a second undo not."""
    dreamt(cli)
    before = pages(cli)

    undone, again = cli("dream", "undo"), cli("dream", "undo")
    status, due, dream = cli("dream", "status"), cli("dream", "--if-due"), cli("dream")

    assert undone.code == 0
    assert "7 sessions wait again" in undone.out
    assert len(undone.out.splitlines()) < SCREEN
    assert (again.code, again.out) == (3, "")
    assert "7 until you ask" in status.out
    assert "No dream is due" in due.out
    assert dream.out.startswith("Dreamt over 7 sessions")
    assert pages(cli).keys() == before.keys()


def test_a_line_is_explained_wherever_one_stands(cli: Cli, tmp_path: Path) -> None:
    """By a part of it, by all of it, by its id: the sentence, who said it, and the command that shows where."""
    session = one_session(cli, RULE)
    cli("dream")
    [page] = [text for path, text in pages(cli).items() if path.endswith("MEMORY.md")]
    [line] = [line for line in page.decode().splitlines() if "datetime.now()" in line]

    by_part, by_line = cli("dream", "why", "never call datetime.now()", cwd=tmp_path), cli("dream", "why", line)
    by_name = cli("dream", "why", line.rsplit("[", 1)[1].rstrip("]"))

    assert by_part.out == by_line.out == by_name.out
    assert "said by" in by_part.out
    assert f"noctuary show {session} --around 1" in by_part.out


def test_proposals_are_decided_by_their_ids(cli: Cli) -> None:
    """Accepted, accepted in other words, rejected: each leaves the list; what was rejected never comes back."""
    dreamt(cli)
    listed = cli("dream", "review", "--list", "--json").json
    first, second, third = [each["entry"]["event"]["id"] for each in listed["suggestions"][:3]]

    done = cli("dream", "review", "--accept", first, "--edit", second, "In my words.", "--reject", third)
    left = cli("dream", "review", "--json").json
    accepted = cli("dream", "review", "--accept-all")

    assert done.code == 0
    assert f"{listed['count'] - 3} proposals left." in done.out
    assert left["count"] == listed["count"] - 3
    assert len(accepted.out.splitlines()) <= 12
    assert cli("dream", "review").code == 1
    cli("dream", "undo")
    cli("dream")
    assert third not in cli("dream", "review", "--json").out
    texts = [each["entry"]["event"]["text"] for each in cli("dream", "review", "--json").json["suggestions"]]
    assert listed["suggestions"][2]["entry"]["event"]["text"] not in texts


def test_a_person_is_asked_about_each_proposal(cli: Cli) -> None:
    """On a terminal: skip, accept, edit, reject, accept all that is left; whoever quits has decided nothing more."""
    dreamt(cli)
    count = cli("dream", "review", "--json").json["count"]

    code, seen = typed(cli, "dream", "review", answers=["s", "a", "e", "In my own words.", "r", "juggle", "q"])
    left = cli("dream", "review", "--json").json["count"]
    _, rest = typed(cli, "dream", "review", answers=["all"])

    assert code == 0
    assert f"1 of {count}" in seen
    assert "is not one of" in seen
    assert left == count - 3
    assert f"Accepted {left} proposals." in rest
    assert "In my own words." in cli("memory", "list", "--everywhere").out + cli("event", "list", "--everywhere").out


def typed(cli: Cli, *arguments: str, answers: list[str]) -> tuple[int, str]:
    """Run a command on a terminal, and give an answer to each of its questions."""
    command = [str(part) for part in cli.command(*arguments)]
    child, terminal = pty.fork()
    if child == 0:
        os.execve(command[0], command, cli.environ(COLUMNS="100"))
    seen, waiting, answered = b"", list(answers), 0
    while True:
        if not select.select([terminal], [], [], 60)[0]:
            pytest.fail(f"the command asks nothing and does not end: {seen.decode()}")
        try:
            chunk = os.read(terminal, 65_536)
        except OSError:  # Linux says so when the other end is closed
            break
        seen += chunk
        if waiting and (asked := seen.count(b"]: ")) > answered and seen.endswith(b"]: "):
            answered = asked
            os.write(terminal, waiting.pop(0).encode() + b"\n")
    os.close(terminal)
    return os.waitstatus_to_exitcode(os.waitpid(child, 0)[1]), seen.decode("utf-8", "replace")


def test_sessions_are_ended_suspended_and_resumed(cli: Cli) -> None:
    """By the beginning of their ids; one that has ended is not suspended any more, and waits."""
    session = one_session(cli, RULE)

    suspended, unread = cli("dream", "suspend", session[:8]), cli("dream")
    resumed, ended = cli("dream", "resume", session[:8]), cli("dream", "end", session[:8], "--json")

    assert suspended.out == f"{session} is suspended now.\n"
    assert "Nothing to dream of" in unread.out
    assert resumed.out == f"{session} is active now.\n"
    assert (ended.json["status"], ended.json["last_id"]) == ("pending", 2)
    assert cli("dream", "suspend", session).code == 2
    assert cli("dream").out.startswith("Dreamt over 1 session")
    assert "nothing in it that no dream has read" in cli("dream", "end", session).out


def test_while_another_dream_runs(cli: Cli) -> None:
    """It says so, what waits, and ends well; nothing can be taken back until then."""
    dreamt(cli)
    one_session(cli, RULE)
    with subprocess.Popen(
        [sys.executable, "-c", HOLD_THE_LOCK, str(cli.memory / "state")],
        stdin=subprocess.PIPE,
        stdout=subprocess.PIPE,
        text=True,
    ) as holder:
        assert holder.stdout is not None
        holder.stdout.readline()

        busy, report, undone = cli("dream"), cli("dream", "--json"), cli("dream", "undo")

        holder.communicate("")
    assert busy.code == 0
    assert "Another dream is running; 1 session waits. When it is done: noctuary dream" in busy.out
    assert (report.json["status"], report.json["lock"]) == ("skipped", "busy")
    assert undone.code == 6
    assert "try again" in undone.err
    assert cli("dream").out.startswith("Dreamt over 1 session")


def test_a_dream_within_a_dream_does_nothing(cli: Cli) -> None:
    """What a dream starts starts no other: neither a dream, nor one that is due, nor a look, nor a watch."""
    one_session(cli, RULE)
    before = cli("dream", "status").out

    for arguments in (["dream"], ["dream", "--if-due"], ["dream", "--dry-run"], ["watch"], ["watch", "--once"]):
        ran = cli(*arguments, NOCTUARY_DREAMING="1")
        assert ran.code == 0
        assert "NOCTUARY_DREAMING" in ran.out
    assert cli("dream", "--json", NOCTUARY_DREAMING="1").json["lock"] == "nested"
    assert cli("dream", "status").out == before
    assert pages(cli) == {}


def test_owners_dream_apart(cli: Cli) -> None:
    """Each reads what is theirs, has pages of their own, and knows nothing of the other's."""
    dreamt(cli)
    mine = pages(cli)

    theirs, listed = cli("dream", "--owner", "bob"), cli("--owner", "bob", "memory", "list", "--everywhere")
    cli("--owner", "bob", "import", "--from", SAMPLES)
    asked = cli("dream", "--owner", "bob")

    assert "no conversation is kept yet" in theirs.out
    assert listed.code == 1
    assert asked.out.startswith("Dreamt over 7 sessions")
    assert {path: text for path, text in pages(cli).items() if path in mine} == mine
    assert len(pages(cli)) == 2 * len(mine)


def test_hostile_words_reach_no_terminal(cli: Cli) -> None:
    """Escapes and marks in what was said are in no line of any command about dreams, and every line is one line."""
    one_session(cli, f"Remember: {HOSTILE} is what we always call the build.\nNever \x1b[2J deploy on a Friday.")
    ran = cli("dream")
    name = cli("memory", "list", "--everywhere", "--json").json["memories"][0]["id"]

    said = [
        ran.out,
        cli("dream", "show").out,
        cli("dream", "status").out,
        cli("dream", "log").out,
        cli("dream", "review", "--list").out,
        cli("dream", "why", name).out,
        cli("memory", "list", "--everywhere").out,
        cli("memory", "show", name).out,
        cli("dream", "--dry-run", "--json").out,
        cli("memory", "list", "--everywhere", "--json").out,
    ]

    assert [mark for mark in FORBIDDEN for text in said if mark in text] == []


@pytest.fixture
def small_disk(tmp_path: Path) -> Iterator[Path]:
    """A disk of twelve megabytes."""
    folder = tmp_path / "disk"
    folder.mkdir()
    mounting = ["mount", "-t", "tmpfs", "-o", "size=12m", "tmpfs", str(folder)]
    if subprocess.run(mounting, check=False, capture_output=True).returncode:
        pytest.skip("a small disk can only be mounted by root: a full one is not tried here")
    yield folder
    subprocess.run(["umount", "-l", str(folder)], check=False, capture_output=True)


def test_a_full_disk_loses_nothing(cli: Cli, small_disk: Path) -> None:
    """A dream that finds no room says so with exit code 4; with room again it is had as if it were the first."""
    memory = Cli(small_disk / "memory", cli.user_home)
    memory("import", "--from", SAMPLES)
    ballast = small_disk / "ballast"
    with ballast.open("wb", buffering=0) as file, suppress(OSError):
        while True:
            file.write(b"x" * 4096)
    os.truncate(ballast, ballast.stat().st_size - 128 * 1024)  # enough to open the database

    full = memory("dream")
    ballast.unlink()
    healed = memory("dream")

    assert full.code == 4
    assert "disk is full" in full.err
    assert healed.code == 0
    assert memory("dream", "status", "--json").json["completed"] == 7
    assert memory("doctor").code == 0


@pytest.mark.skipif(os.name != "posix" or os.geteuid() == 0, reason="root may write to anything")
def test_a_memory_that_may_not_be_written_to(cli: Cli) -> None:
    """A dream needs the right to write, and says that; what only looks does not."""
    cli("import", "--from", SAMPLES)
    cli.database.chmod(0o400)
    cli.memory.chmod(0o500)
    try:
        ran, looked = cli("dream"), cli("dream", "status")
    finally:
        cli.memory.chmod(0o700)

    assert ran.code == 4
    assert "permissions" in ran.err
    assert looked.code == 0
