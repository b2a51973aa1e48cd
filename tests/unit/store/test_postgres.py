"""PostgreSQL as a database: whose rows a connection sees, how writers take turns, and what its errors mean."""

import threading
from collections.abc import Iterator

import psycopg
import pytest

from noctuary.errors import BadInput, StoreBusy, StoreError, StoreTooNew
from noctuary.recall.database import DatabaseRecall
from noctuary.records import Message, Role, Session, Status
from noctuary.store import Store, open_server_store
from noctuary.store.database import Foreseeing, Locking
from noctuary.store.postgres import PostgresDatabase
from noctuary.store.postgres_sql import typed
from noctuary.testing import FakeClock
from tests.databases import change_behind

pytestmark = pytest.mark.slow

END_OTHERS = """
select pg_terminate_backend(pid, 5000) from pg_stat_activity
where datname = current_database() and pid <> pg_backend_pid()"""


@pytest.fixture
def ana(postgres_url: str) -> Iterator[Store]:
    """Ana's store, with one message."""
    store = open_server_store(postgres_url, "ana")
    DatabaseRecall(store, FakeClock()).add_session("ana", Session(id="s1", title="Redis"), [said("redis is rejected")])
    yield store
    store.close()


def said(text: str) -> Message:
    """A message."""
    return Message(role=Role.USER, content=text, ts_ms=1_772_000_000_000)


def tables(url: str) -> list[str]:
    """Every table that has owners in it."""
    with psycopg.connect(url) as connection:
        rows = connection.execute(
            "select table_name from information_schema.columns"
            " where table_schema = 'noctuary' and column_name = 'owner' order by 1"
        ).fetchall()
    return [row[0] for row in rows]


def rows_seen(url: str, owner: str | None) -> dict[str, int]:
    """How many rows of each table plain SQL sees, past all of our code, as whom the application acts."""
    seen = {}
    with psycopg.connect(url, autocommit=True) as connection:
        connection.execute("set role noctuary_member")
        connection.execute("set search_path = noctuary")
        if owner is not None:
            connection.execute("select set_config('noctuary.owner', %s, false)", (owner,))
        for table in tables(url):
            seen[table] = connection.execute(f"select count(*) from {table}".encode()).fetchall()[0][0]
    return seen


def test_plain_sql_sees_nothing_of_another_owner(ana: Store, postgres_url: str) -> None:
    """The database itself keeps them apart, whatever a query says."""
    mine = rows_seen(postgres_url, "ana")

    assert mine["messages"] == mine["sessions"] == 1
    assert mine["message_index"] == 2  # the title, too
    assert not any(rows_seen(postgres_url, "ben").values())
    assert not any(rows_seen(postgres_url, None).values())


def test_plain_sql_cannot_write_for_another_owner(ana: Store, postgres_url: str) -> None:
    """Neither add, nor change, nor take away."""
    with psycopg.connect(postgres_url, autocommit=True) as connection:
        connection.execute("set role noctuary_member")
        connection.execute("set search_path = noctuary")
        connection.execute("select set_config('noctuary.owner', 'ben', false)")
        assert connection.execute("delete from messages").rowcount == 0
        assert connection.execute("update sessions set title = 'mine'").rowcount == 0
        with pytest.raises(psycopg.errors.InsufficientPrivilege):
            connection.execute("insert into totals (owner, messages, characters) values ('ana', 1, 1)")
        found = connection.execute("select * from matching_messages('redi'::tsquery, 9223372036854775807, 9)")
        assert found.fetchall() == []


def test_every_table_with_owners_is_guarded(ana: Store) -> None:
    """One that was forgotten would show everything to everybody."""
    assert ana.database.fetch("unguarded_tables") == []


def test_the_role_of_the_tables_is_bound_as_well(postgres_url: str, ana: Store) -> None:
    """Whoever made the tables and is no superuser sees nothing, either, without saying who they are."""
    with psycopg.connect(postgres_url) as connection:
        connection.execute("set search_path = noctuary")
        for table in ("sessions", "messages", "events", "memories", "api_keys", "journal_lines"):
            assert connection.execute(f"select count(*) from {table}".encode()).fetchall() == [(0,)], table


def test_writers_of_one_owner_take_turns(postgres_url: str, ana: Store) -> None:
    """Who waits too long is told; those of another owner do not wait at all."""
    hasty = open_server_store(postgres_url, "ana", busy_seconds=0.2)
    ben = open_server_store(postgres_url, "ben", busy_seconds=0.2)
    with ana.database.transaction():
        with pytest.raises(StoreBusy), hasty.database.transaction():
            pass
        with ben.database.transaction():
            assert ben.sessions.find("ben", "s1") is None
    with hasty.database.transaction():
        assert hasty.sessions.find("ana", "s1")
    hasty.close()
    ben.close()


def test_a_failed_transaction_leaves_nothing(ana: Store) -> None:
    """All or nothing, also of an inner one."""

    def fail() -> None:
        with ana.database.transaction():
            ana.sessions.ensure("ana", Session(id="s2"))
            with ana.database.transaction():
                ana.sessions.ensure("ana", Session(id="s3"))
                raise ZeroDivisionError

    with pytest.raises(ZeroDivisionError):
        fail()

    assert ana.sessions.find("ana", "s2") is None
    assert ana.sessions.find("ana", "s3") is None
    assert ana.sessions.find("ana", "s1")


def test_threads_share_a_store(ana: Store) -> None:
    """Each call has its connection; a transaction of one is not the others'."""
    recall = DatabaseRecall(ana, FakeClock())
    threads = [
        threading.Thread(target=lambda: [recall.append("ana", "shared", said("word")) for _ in range(20)])
        for _ in range(4)
    ]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()

    shown = recall.read("ana", "shared")
    assert shown is not None
    assert [message.id for message in shown.messages] == list(range(1, 81))


def test_a_look_uses_up_no_number(ana: Store) -> None:
    """Numbers of sessions are part of keys, and there are only so many of them."""
    first = ana.sessions.ensure("ana", Session(id="a"))
    for _ in range(20):
        ana.sessions.ensure("ana", Session(id="a"))

    assert ana.sessions.ensure("ana", Session(id="b")) == first + 1


@pytest.mark.parametrize("text", ["a\0b", "\ufdd1", "\ufdd10\0\ufdd11", "plain"])
def test_texts_come_back_as_they_were(ana: Store, text: str) -> None:
    """Also those with characters that no text of the server can hold."""
    ana.sessions.ensure("ana", Session(id=text))
    found = ana.sessions.find("ana", text)

    assert found is not None
    assert found[1].id == text


def test_a_lock_is_shared_or_held_alone(postgres_url: str, ana: Store) -> None:
    """Many dream at once; who takes a dream back is alone; owners do not meet."""
    ben = open_server_store(postgres_url, "ben")
    database, of_ben = ana.database, ben.database
    assert isinstance(database, Locking)
    assert isinstance(of_ben, Locking)
    with (
        database.locked("dream", with_others=True) as first,
        database.locked("dream", with_others=True) as second,
        database.locked("dream", with_others=False) as alone,
        of_ben.locked("dream", with_others=False) as other,
    ):
        assert (first, second, alone, other) == (True, True, False, True)
    with database.locked("dream", with_others=False) as alone, database.locked("dream", with_others=True) as late:
        assert (alone, late) == (True, False)
    ben.close()


def connections_to(url: str) -> int:
    """How many there are, but for those that ask: the server takes a moment to end the one that asked before."""
    asked = (
        "select count(*) from pg_stat_activity where datname = current_database()"
        " and backend_type = 'client backend' and application_name <> 'asking'"
    )
    with psycopg.connect(url, autocommit=True, application_name="asking") as connection:
        return int(connection.execute(asked).fetchall()[0][0])


def test_locks_one_after_the_other_share_a_connection(postgres_url: str, ana: Store) -> None:
    """To make one costs a server much; it is another than those of the pool, and closed with them."""
    database = ana.database
    assert isinstance(database, Locking)
    before = connections_to(postgres_url)
    for _ in range(3):
        with database.locked("dream", with_others=False) as is_mine:
            assert is_mine
        assert connections_to(postgres_url) == before + 1
    other = open_server_store(postgres_url, "ana").database
    assert isinstance(other, Locking)
    with database.locked("dream", with_others=False), other.locked("dream", with_others=False) as is_mine:
        assert not is_mine
    other.close()


def test_a_lock_whose_connection_was_ended_can_be_had_again(postgres_url: str, ana: Store) -> None:
    """Whether nobody held it just then, or somebody did, who is told."""
    database = ana.database
    assert isinstance(database, Locking)
    with database.locked("dream", with_others=False):
        pass
    change_behind(postgres_url, END_OTHERS)
    with database.locked("dream", with_others=False) as is_mine:
        assert is_mine

    with pytest.raises(StoreError), database.locked("dream", with_others=False):
        change_behind(postgres_url, END_OTHERS)
    with database.locked("dream", with_others=False) as is_mine:
        assert is_mine


def test_a_lock_is_free_when_what_it_was_held_for_failed(ana: Store) -> None:
    """Nothing is left locked by whoever could not finish."""
    database = ana.database
    assert isinstance(database, Locking)
    with pytest.raises(ZeroDivisionError), database.locked("dream", with_others=False):
        raise ZeroDivisionError
    with database.locked("dream", with_others=False) as is_mine:
        assert is_mine


def test_rows_of_every_owner_are_brought_to_the_newest_version(postgres_url: str) -> None:
    """A migration sees everybody's rows, though whoever runs it is bound to nobody's; afterwards they are again."""
    for owner in ("ana", "ben"):
        add = "insert into sessions (owner, id, agent, source_path, message_count) values (?, 's', 'codex', '/t', 7)"
        change_behind(postgres_url, add, owner)
        add = "insert into places (owner, path, size, mtime_ns, byte_offset, line, fingerprint, state)"
        change_behind(postgres_url, f"{add} values (?, '/t', 1, 1, 1, 1, '', '')", owner)
    columns = ("agent", "told", "malformed", "drift")
    change_behind(postgres_url, f"alter table places {', '.join(f'drop column {name}' for name in columns)}")
    for name in ("containing_messages", "every_message_containing", "messages_beyond_ascii", "within_text"):
        change_behind(postgres_url, f"drop function {name}")
    change_behind(postgres_url, "drop index sessions_by_owner")
    change_behind(postgres_url, "drop table memory_lines")
    change_behind(postgres_url, "drop function forget_line cascade")
    change_behind(postgres_url, "update schema_version set version = 13")

    for owner in ("ana", "ben"):
        store = open_server_store(postgres_url, owner)
        known = store.places.find(owner, "/t")
        assert known is not None
        assert (known.agent, known.told) == ("codex", 7)
        assert store.database.fetch("unguarded_tables") == []
        store.close()
    with psycopg.connect(postgres_url) as connection:
        connection.execute("set search_path = noctuary")
        for table in ("places", "sessions"):
            assert connection.execute(f"select count(*) from {table}".encode()).fetchall() == [(0,)]


def test_tables_of_a_later_version_are_refused(postgres_url: str, ana: Store) -> None:
    """And not touched."""
    with psycopg.connect(postgres_url) as connection:
        connection.execute("update noctuary.schema_version set version = 9999")

    with pytest.raises(StoreTooNew):
        open_server_store(postgres_url, "ana")


def test_a_later_version_is_noticed_while_the_tables_are_open(postgres_url: str, ana: Store) -> None:
    """Another version that migrates under an open memory is told from the next transaction on; nothing is written."""
    with psycopg.connect(postgres_url) as connection:
        connection.execute("update noctuary.schema_version set version = 9999")

    with pytest.raises(StoreTooNew, match="Start this one again"), ana.database.transaction():
        ana.tombstones.bury_text("ana", "written by the older one", 1)

    with psycopg.connect(postgres_url.replace("//noctuary@", "//postgres@")) as connection:
        assert connection.execute("select count(*) from noctuary.tombstones").fetchall() == [(0,)]


def test_a_server_that_is_not_there_says_so_without_the_password() -> None:
    """One sentence with the address, and nothing secret in it."""
    with pytest.raises(StoreError, match=r"postgresql://127\.0\.0\.1:1/none cannot be used") as told:
        open_server_store("postgresql://ana:s3cret@127.0.0.1:1/none", "ana")

    assert "s3cret" not in str(told.value)


def test_a_name_that_no_index_has_room_for_is_refused(ana: Store) -> None:
    """It is not the server that cannot be used: the next question is answered."""
    name = "".join(map(chr, range(0x4E00, 0x4E00 + 5_000)))  # nothing that could be packed
    with pytest.raises(BadInput, match="Choose a shorter one"):
        ana.sessions.ensure("ana", Session(id=name))

    assert ana.sessions.find("ana", name) is None
    assert ana.sessions.find("ana", "s1")


def test_a_closed_store_says_so(postgres_url: str) -> None:
    """Closing twice is fine."""
    store = open_server_store(postgres_url, "ana")
    store.close()
    store.close()

    with pytest.raises(StoreError, match="closed"):
        store.sessions.find("ana", "s1")


def test_a_server_that_was_started_again_is_used_at_once(postgres_url: str, ana: Store) -> None:
    """Connections that it ended are dropped, however many there were, and another is opened."""
    with psycopg.connect(postgres_url, autocommit=True) as connection:
        ended = connection.execute(
            "select pg_terminate_backend(pid, 5000) from pg_stat_activity"
            " where datname = current_database() and pid <> pg_backend_pid() and usename = current_user"
        ).fetchall()

    assert ended
    assert ana.sessions.find("ana", "s1")


def test_what_is_foreseen_is_given_as_it_was(ana: Store) -> None:
    """Whoever asks the same is given the answer of before; another question is asked, and all of them afterwards."""
    database = ana.database
    assert isinstance(database, Foreseeing)
    asked = [("find_session", {"owner": "ana", "id": name}) for name in ("s1", "s2")]
    with database.transaction():
        with database.foresee(asked):
            ana.sessions.set_status(1, Status.ENDED, None)
            first, second = ana.sessions.find("ana", "s1"), ana.sessions.find("ana", "s2")
            span = ana.dreams.span("ana", "s1")
        after = ana.sessions.find("ana", "s1")

    assert [found[1].status if found else None for found in (first, second, after)] == [
        Status.ACTIVE,
        None,
        Status.ENDED,
    ]
    assert span == (1, Status.ENDED, 1, 0)


def test_questions_are_foreseen_within_a_transaction_only(ana: Store) -> None:
    """Else others could write between the answer and whoever is given it."""
    assert isinstance(ana.database, Foreseeing)
    with pytest.raises(StoreError), ana.database.foresee([]):
        pass


def test_what_tasks_wait_for_is_looked_up_task_by_task(ana: Store, postgres_url: str) -> None:
    """Also by a server that knows nothing of the tables yet, which would compare thousands of tasks each with all."""
    database = ana.nodes.database
    assert isinstance(database, PostgresDatabase)
    values = {"owner": "ana", "project": None, "now_ms": 9}
    query = typed(database.queries["ready_tasks"].sql, tuple((name, type(value)) for name, value in values.items()))
    with psycopg.connect(postgres_url, autocommit=True) as connection:
        for setting in ("role = noctuary_member", "search_path = noctuary", "noctuary.owner = 'ana'"):
            connection.execute(f"set {setting}".encode())
        plan = "\n".join(row[0] for row in connection.execute(f"explain {query}".encode(), values).fetchall())

    assert "SubPlan" in plan
    assert "Anti Join" not in plan
