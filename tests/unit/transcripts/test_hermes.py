"""What the golden cases of Hermes cannot show: change, and where its databases are."""

import json
import shutil
from contextlib import closing
from pathlib import Path

import apsw
import pytest

from noctuary.records import Relation
from noctuary.transcripts.hermes import Hermes
from noctuary.transcripts.items import Facts, Place, Skipped
from tests.unit.importing.machine import said
from tests.unit.transcripts.foreign_homes import change, home_of, imports, read_twice, taken_back, texts

DATABASE = Path(".hermes/state.db")


def test_only_what_is_new_is_told(tmp_path: Path) -> None:
    """A message that was added is told, and nothing else."""
    home = home_of("hermes", "database", tmp_path)

    items = read_twice(
        Hermes(),
        home,
        home / DATABASE,
        """insert into messages (session_id, role, content, timestamp)
        values ('20260301_090200_dd', 'assistant', 'Done.', 1772355730)""",
    )

    assert (texts(items), taken_back(items)) == (["Done."], 0)


def test_what_is_rewound_is_taken_back(tmp_path: Path) -> None:
    """Messages that are no longer active were taken back; those that were only compacted were not."""
    home = home_of("hermes", "database", tmp_path)

    items = read_twice(
        Hermes(),
        home,
        home / DATABASE,
        """update messages set active = 0 where content = 'It rounds to whole euros.';
        update messages set active = 0, compacted = 1 where content = 'Let me look.';
        update sessions set rewind_count = 1 where id = '20260301_090000_aa'""",
    )

    assert (texts(items), taken_back(items)) == ([], 1)


def test_a_variable_names_the_home_folder(tmp_path: Path) -> None:
    """The home folder of Hermes may be elsewhere, and its profiles with it."""
    home = home_of("hermes", "profile", tmp_path)
    shutil.move(home / ".hermes", tmp_path / "elsewhere")

    found = Hermes().find(home, {"HERMES_HOME": str(tmp_path / "elsewhere")})

    assert [source.path for source in found] == [tmp_path / "elsewhere/profiles/work/state.db"]


def test_it_is_found_on_windows(tmp_path: Path) -> None:
    """There the home folder of Hermes is among the local data."""
    home = home_of("hermes", "database", tmp_path)
    shutil.move(home / ".hermes", home / "AppData/Local/hermes")

    assert [source.path for source in Hermes().find(home, {})] == [home / "AppData/Local/hermes/state.db"]


def test_a_database_of_another_kind_says_nothing(tmp_path: Path) -> None:
    """What lies at the place but is of another program is told as that."""
    (tmp_path / ".hermes").mkdir()
    change(tmp_path / DATABASE, "create table sessions (id text)")
    [source] = Hermes().find(tmp_path, {})

    assert list(Hermes().read(source, Place())) == [Skipped(line=1, reason="not a database of Hermes")]


@pytest.mark.parametrize("content", ["\0json:{", "\1json:[7, null]", b"\xff", 7, None])
def test_a_message_of_any_shape_costs_only_itself(tmp_path: Path, content: object) -> None:
    """Columns of the wrong type count as absent."""
    home = home_of("hermes", "database", tmp_path)
    change(home / DATABASE, "update messages set content = ?, tool_calls = '[7]' where role = 'assistant'", content)
    [source] = Hermes().find(home, {})

    assert texts(list(Hermes().read(source, Place())))[-1] == "We found that tax() rounds to whole euros."


def test_commands_say_where_a_session_took_place(tmp_path: Path) -> None:
    """Where a session notes no folder, it is that of the first command which was told one."""
    home = home_of("hermes", "database", tmp_path)
    calls = json.dumps([{"id": "c", "function": {"name": "terminal", "arguments": '{"workdir": "/home/ana/shop"}'}}])
    with closing(apsw.Connection(str(home / DATABASE))) as database:
        database.execute("update sessions set cwd = null, model_config = null")
        database.execute(
            "update messages set tool_calls = ? where role = 'assistant' and tool_calls is not null", [calls]
        )

    told = [item for source in Hermes().find(home, {}) for item in Hermes().read(source, Place())]

    facts = {item.session: item.cwd for item in told if isinstance(item, Facts)}
    assert facts["20260301_090000_aa"] == "/home/ana/shop"
    assert facts["20260301_090200_dd"] is None


def branch(path: Path, of: str, name: str, began: int, *, prompt: str) -> None:
    """Hermes copies what is active in a session into a new one, with the time of the moment, and the user goes on."""
    with closing(apsw.Connection(str(path))) as connection:
        about = json.dumps({"_branched_from": of})
        connection.execute(
            """insert into sessions (id, source, model, model_config, parent_session_id, started_at)
            values (?, 'cli', 'claude-sonnet-4-5', ?, ?, ?)""",
            (name, about, of, began),
        )
        connection.execute(
            """insert into messages
            (session_id, role, content, tool_call_id, tool_calls, tool_name, timestamp, reasoning)
            select ?, role, content, tool_call_id, tool_calls, tool_name, ?, reasoning from messages
            where session_id = ? and active = 1 and role in ('user', 'assistant', 'tool') order by id""",
            (name, began, of),
        )
        connection.execute(
            "insert into messages (session_id, role, content, timestamp) values (?, 'user', ?, ?)",
            (name, prompt, began + 5),
        )


def test_what_a_branch_repeats_is_stored_with_the_original(tmp_path: Path) -> None:
    """A branch has copies with numbers and times of their own; of it comes in what was said there."""
    home = home_of("hermes", "database", tmp_path)
    branch(home / DATABASE, "20260301_090000_aa", "20260302_f", 1772442000, prompt="In cents, then.")
    branch(home / DATABASE, "20260302_f", "20260302_g", 1772442100, prompt="Or in mills?")
    with imports(tmp_path) as memory:
        report = memory.import_transcripts()
        told = {name: said(memory, name) for name in ("20260302_f", "20260302_g")}
        about = memory.session("20260302_g")

    assert told == {"20260302_f": ["In cents, then."], "20260302_g": ["Or in mills?"]}
    assert (about.parent, about.relation) == ("20260302_f", Relation.FORK)
    assert report.repeated > 8


def test_a_branch_that_goes_on_is_told_on(tmp_path: Path) -> None:
    """Between two imports a branch gets an answer; neither it nor what was copied is told twice."""
    home = home_of("hermes", "database", tmp_path)
    branch(home / DATABASE, "20260301_090000_aa", "20260302_f", 1772442000, prompt="In cents, then.")
    with imports(tmp_path) as memory:
        memory.import_transcripts()
        sql = (
            "insert into messages (session_id, role, content, timestamp) values ('20260302_f', 'assistant', 'Done.', 1)"
        )
        change(home / DATABASE, sql)
        second = memory.import_transcripts()

    assert (second.messages, second.rewound) == (1, 0)


def compress(path: Path, of: str, name: str, began: int, *, head: int, tail: int, prompt: str) -> None:
    """Hermes ends a session whose context is full, and begins one with what it kept of that and a summary."""
    put = "insert into messages (session_id, role, content, tool_call_id, tool_calls, tool_name, timestamp)"
    same = "role, content, tool_call_id, tool_calls, tool_name"
    spoken = "session_id = ? and role in ('user', 'assistant', 'tool')"
    with closing(apsw.Connection(str(path))) as connection:
        connection.execute("update sessions set end_reason = 'compression' where id = ?", (of,))
        begin = "insert into sessions (id, source, model_config, parent_session_id, started_at)"
        connection.execute(f"{begin} values (?, 'cli', '{{}}', ?, ?)", (name, of, began))
        kept = f"select ?, {same}, ? from messages where {spoken} order by id limit ?"
        connection.execute(f"{put} {kept}", (name, began, of, head))
        connection.execute(
            f"{put} values (?, 'user', '[CONTEXT COMPACTION] Up to ' || ?, null, null, null, ?)", (name, name, began)
        )
        last = f"select id from messages where {spoken} order by id desc limit ?"
        kept = f"select ?, {same}, ? from messages where id in ({last}) order by id"
        connection.execute(f"{put} {kept}", (name, began, of, tail))
        connection.execute(f"{put} values (?, 'user', ?, null, null, null, ?)", (name, prompt, began + 5))


@pytest.fixture
def talk(tmp_path: Path) -> Path:
    """A database with one session of six messages."""
    home = home_of("hermes", "database", tmp_path)
    for table in ("messages", "sessions"):
        change(home / DATABASE, f"delete from {table}")
    change(
        home / DATABASE,
        "insert into sessions (id, source, model_config, started_at) values ('one', 'cli', '{}', 1772355600)",
    )
    sql = "insert into messages (session_id, role, content, timestamp) values ('one', ?, ?, 1772355600)"
    for at in range(6):
        change(home / DATABASE, sql, "assistant" if at % 2 else "user", f"word {at}")
    return home / DATABASE


def test_what_a_compression_takes_over_is_told_once(talk: Path, tmp_path: Path) -> None:
    """A session that goes on after one has the first and the last messages of that; they were said there."""
    compress(talk, "one", "two", 1772442000, head=2, tail=3, prompt="On we go.")
    compress(talk, "two", "three", 1772528400, head=2, tail=2, prompt="And on.")
    with imports(tmp_path) as memory:
        memory.import_transcripts()
        told = {name: said(memory, name) for name in ("one", "two", "three")}
        about = memory.session("three")

    assert told["one"] == [f"word {at}" for at in range(6)]
    assert told["two"] == ["[CONTEXT COMPACTION] Up to two", "On we go."]
    assert told["three"] == ["[CONTEXT COMPACTION] Up to three", "And on."]
    assert (about.parent, about.relation) == ("two", Relation.RESUME)


def test_words_that_are_said_again_after_a_compression_are_told(talk: Path, tmp_path: Path) -> None:
    """One message that says what was said before is no copy of it."""
    compress(talk, "one", "two", 1772442000, head=0, tail=0, prompt="word 5")
    with imports(tmp_path) as memory:
        memory.import_transcripts()
        told = said(memory, "two")

    assert told == ["[CONTEXT COMPACTION] Up to two", "word 5"]
