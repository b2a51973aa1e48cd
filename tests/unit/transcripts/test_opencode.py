"""What the golden cases of OpenCode cannot show: change, both stores at once, and where they are."""

import json
import shutil
from pathlib import Path

import apsw
import pytest

from noctuary.records import Relation
from noctuary.transcripts.items import Place, Said, Skipped
from noctuary.transcripts.opencode import OpenCode
from tests.unit.importing.machine import said
from tests.unit.transcripts.foreign_homes import change, counts, home_of, imports, read_twice, taken_back, texts

DATABASE = Path(".local/share/opencode/opencode.db")
SESSION = Path(".local/share/opencode/storage/session/prj/ses_1.json")
RUNNING = (
    '{"type":"tool","callID":"call_3","tool":"task","state":{"status":"%s","input":{"prompt":"Look"},"output":"None."}}'
)


def test_only_what_is_new_is_told(tmp_path: Path) -> None:
    """A message that was added is told, and its session with it; nothing else is."""
    home = home_of("opencode", "database", tmp_path)

    items = read_twice(
        OpenCode(),
        home,
        home / DATABASE,
        """insert into message values ('msg_b', 'ses_2', 1772355640000, 1, '{"role":"assistant"}');
        insert into part values ('prt_b', 'msg_b', 'ses_2', 1, 1, '{"type":"text","text":"Wait, one."}')""",
    )

    assert texts(items) == ["Wait, one."]
    assert taken_back(items) == 0


def test_an_answer_that_was_still_written_is_replaced(tmp_path: Path) -> None:
    """What a part said before it was complete is taken back."""
    home = home_of("opencode", "database", tmp_path)

    items = read_twice(
        OpenCode(),
        home,
        home / DATABASE,
        """update part set data = '{"type":"text","text":"There are none, I am sure."}' where id = 'prt_19';
        insert into part values ('prt_20', 'msg_9', 'ses_2', 1, 1, '{"type":"step-finish"}')""",
    )

    assert texts(items) == ["There are none, I am sure."]
    assert taken_back(items) == 1


def test_a_result_comes_later_than_its_call(tmp_path: Path) -> None:
    """When a tool is done only its result is new."""
    home = home_of("opencode", "database", tmp_path)
    change(home / DATABASE, "update part set data = ? where id = 'prt_08'", RUNNING % "running")

    done = (RUNNING % "completed").replace("'", "''")
    items = read_twice(
        OpenCode(),
        home,
        home / DATABASE,
        f"update part set data = '{done}' where id = 'prt_08'; update session set time_updated = 9 where id = 'ses_1'",
    )

    assert texts(items) == ["None."]
    assert taken_back(items) == 0


def test_what_is_reverted_is_taken_back(tmp_path: Path) -> None:
    """A session that was reverted to a message ends before it; undone, it goes on."""
    home = home_of("opencode", "database", tmp_path)
    change(home / DATABASE, "update session set revert = null")
    with imports(tmp_path) as memory:
        memory.import_transcripts()
        change(home / DATABASE, """update session set revert = '{"messageID":"msg_2","partID":"prt_10"}'""")
        reverted = memory.import_transcripts()
        change(home / DATABASE, "update session set revert = null")
        again = memory.import_transcripts()

    assert reverted.rewound == 3  # the answer, the summary and the last prompt; the template was hidden before
    assert counts(again) == (4, 0)


def test_a_session_in_both_stores_is_told_once(tmp_path: Path) -> None:
    """OpenCode leaves the files where they were when it moves a session into its database."""
    home = home_of("opencode", "files", tmp_path)
    with imports(tmp_path) as memory:
        first = memory.import_transcripts()
        move(home)
        second = memory.import_transcripts()

    assert [source.path for source in OpenCode().find(home, {})] == [home / DATABASE]
    assert first.messages == 4
    assert counts(second) == (0, 0)


def test_files_wait_for_a_database_that_cannot_be_read(tmp_path: Path) -> None:
    """Whether a session was moved is not known while the database is broken."""
    home = home_of("opencode", "files", tmp_path)
    (home / DATABASE).write_bytes(b"SQLite format 3\0" + b"\xff" * 100)

    assert [source.path for source in OpenCode().find(home, {})] == [home / DATABASE]


def move(home: Path) -> None:
    """As OpenCode 1.2 does."""
    storage = home / SESSION.parents[2]
    connection = apsw.Connection(str(home / DATABASE))
    connection.execute(
        """create table session (id text, title text, directory text, time_created int, time_updated int);
        create table message (id text, session_id text, time_created int, data text);
        create table part (id text, message_id text, session_id text, data text);
        insert into session values ('ses_1', '', '/home/ana/code/shop', 1759309200000, 1759309260000)"""
    )
    for path in sorted((storage / "message/ses_1").glob("*.json")):
        connection.execute("insert into message values (?, 'ses_1', 1759309200000, ?)", (path.stem, path.read_text()))
    for path in sorted((storage / "part").glob("*/*.json")):
        values = (path.stem, path.parent.name, path.read_text())
        connection.execute("insert into part values (?, ?, 'ses_1', ?)", values)
    connection.close()


@pytest.mark.parametrize("variable", ["OPENCODE_DB", "OPENCODE_SQLITE_DB"])
def test_a_variable_names_the_database(tmp_path: Path, variable: str) -> None:
    """The database may be anywhere, also in the home folder we were given."""
    home = home_of("opencode", "database", tmp_path)
    shutil.move(home / DATABASE, home / "elsewhere.db")

    assert [source.path for source in OpenCode().find(home, {variable: "~/elsewhere.db"})] == [home / "elsewhere.db"]
    assert list(OpenCode().find(home, {variable: ":memory:"})) == []


def test_it_is_found_on_every_system(tmp_path: Path) -> None:
    """All systems are looked at, each database once, those of other channels too."""
    home = home_of("opencode", "database", tmp_path)
    for folder in ("Library/Application Support/opencode", "AppData/Local/opencode"):
        (home / folder).mkdir(parents=True)
        shutil.copy(home / DATABASE, home / folder / "opencode-dev.db")
    (home / ".config").mkdir()
    (home / ".config/opencode").symlink_to(home / DATABASE.parent)

    names = [source.path.name for source in OpenCode().find(home, {})]

    assert names == ["opencode.db", "opencode-dev.db", "opencode-dev.db"]


def test_a_database_of_another_kind_says_nothing(tmp_path: Path) -> None:
    """What lies at the place but is of another program is told as that."""
    home = tmp_path / "home"
    (home / DATABASE.parent).mkdir(parents=True)
    change(home / DATABASE, "create table session (id text, words text); insert into session values ('a', 'b')")

    [source] = OpenCode().find(home, {})

    assert list(OpenCode().read(source, Place())) == [Skipped(line=1, reason="not a database of OpenCode")]


def test_a_writing_program_does_not_keep_us_out(tmp_path: Path) -> None:
    """While OpenCode writes, what it committed before is imported; the rest with the next import."""
    home = home_of("opencode", "database", tmp_path)
    program = apsw.Connection(str(home / DATABASE))
    program.execute("pragma journal_mode=wal")
    program.execute("begin immediate")
    program.execute("""update part set data = '{"type":"text","text":"None at all."}' where id = 'prt_19'""")
    program.execute("""insert into part values ('prt_20', 'msg_9', 'ses_2', 1, 1, '{"type":"step-finish"}')""")
    with imports(tmp_path) as memory:
        first = memory.import_transcripts()
        program.execute("commit")
        second = memory.import_transcripts()
    program.close()

    assert (first.messages > 0, first.problems) == (True, [])
    assert counts(second) == (1, 1)


@pytest.mark.slow
def test_a_locked_database_is_imported_later(tmp_path: Path) -> None:
    """An exclusive lock is a problem of this import; the next one reads everything."""
    home = home_of("opencode", "database", tmp_path)
    program = apsw.Connection(str(home / DATABASE))
    program.execute("begin exclusive")
    with imports(tmp_path) as memory:
        locked = memory.import_transcripts()
        program.execute("rollback")
        program.close()
        later = memory.import_transcripts()

    assert (locked.messages, locked.skipped["unreadable"]) == (0, 1)
    assert "keeps it locked" in locked.problems[0]
    assert (later.messages > 0, later.problems) == (True, [])


@pytest.mark.parametrize(
    "data", ["[]", "7", '{"type":3}', '{"type":"tool","state":[]}', '{"type":"text","text":{}}', ""]
)
def test_a_part_of_any_shape_costs_only_itself(tmp_path: Path, data: str) -> None:
    """Fields of the wrong type count as absent."""
    home = home_of("opencode", "database", tmp_path)
    change(home / DATABASE, "update part set data = ? where id = 'prt_18'", data)
    [source] = OpenCode().find(home, {})

    said = [item for item in OpenCode().read(source, Place()) if isinstance(item, Said) and item.session == "ses_2"]

    assert said[-1].message.content == "There are none."


def fork(path: Path, of: str, name: str, began: int, most: int, *, prompt: str) -> None:
    """OpenCode copies the first messages of a session into a new one, and the user goes on there."""
    connection = apsw.Connection(str(path))
    connection.execute(
        """insert into session select ?, project_id, null, slug, directory, title || ' (fork #1)', version, null, null,
        null, ?, ?, null, null from session where id = ?""",
        (name, began, began, of),
    )
    messages = "select id from message where session_id = ? order by time_created, id limit ?"
    for number, (message,) in enumerate(list(connection.execute(messages, (of, most)))):
        copy = f"{name}_m{number}"
        connection.execute("insert into message select ?, ?, time_created, ?, data from message where id = ?",
                           (copy, name, began, message))  # fmt: skip
        parts = list(connection.execute("select id from part where message_id = ? order by id", (message,)))
        for place, (part,) in enumerate(parts):
            connection.execute("insert into part select ?, ?, ?, ?, ?, data from part where id = ?",
                               (f"{copy}_p{place:03}", copy, name, began, began, part))  # fmt: skip
    typed = json.dumps({"type": "text", "text": prompt})
    about = json.dumps({"role": "user", "time": {"created": began + 1000}})
    connection.execute("insert into message values (?, ?, ?, 1, ?)", (f"{name}_z", name, began + 1000, about))
    connection.execute("insert into part values (?, ?, ?, 1, 1, ?)", (f"{name}_z1", f"{name}_z", name, typed))
    connection.close()


def test_what_a_fork_repeats_is_stored_with_the_original(tmp_path: Path) -> None:
    """A fork has copies under other names; they are known by their times, and only what is new comes in."""
    home = home_of("opencode", "database", tmp_path)
    with imports(tmp_path) as memory:
        memory.import_transcripts()
        fork(home / DATABASE, "ses_1", "ses_f", 1772360000000, 4, prompt="In cents, then.")
        second = memory.import_transcripts()
        about = memory.session("ses_f")

    assert (second.messages, second.repeated > 4) == (1, True)
    assert (about.parent, about.relation) == ("ses_1", Relation.FORK)


def test_a_fork_of_a_fork_repeats_both(tmp_path: Path) -> None:
    """What the second copies of the first, and what that had copied, is each stored where it was said."""
    home = home_of("opencode", "database", tmp_path)
    fork(home / DATABASE, "ses_1", "ses_f", 1772360000000, 4, prompt="In cents, then.")
    fork(home / DATABASE, "ses_f", "ses_g", 1772370000000, 9, prompt="Or in mills?")
    with imports(tmp_path) as memory:
        memory.import_transcripts()
        told = {name: said(memory, name) for name in ("ses_f", "ses_g")}
        parent = memory.session("ses_g").parent

    assert told == {"ses_f": ["In cents, then."], "ses_g": ["Or in mills?"]}
    assert parent == "ses_f"


def test_a_fork_whose_original_is_gone_has_all_of_it(tmp_path: Path) -> None:
    """Copies of messages that nobody has are messages as any other."""
    home = home_of("opencode", "database", tmp_path)
    fork(home / DATABASE, "ses_1", "ses_f", 1772360000000, 4, prompt="In cents, then.")
    for table, column in (("session", "id"), ("message", "session_id"), ("part", "session_id")):
        change(home / DATABASE, f"delete from {table} where {column} = 'ses_1'")
    with imports(tmp_path) as memory:
        report = memory.import_transcripts()
        told = said(memory, "ses_f")

    assert (report.repeated, told[-1], len(told) > 4) == (0, "In cents, then.", True)
