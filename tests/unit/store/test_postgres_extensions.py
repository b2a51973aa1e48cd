"""What a server can do beyond its own is used where it may be, by nobody else, and is not missed where it is not."""

from collections.abc import Iterator
from contextlib import contextmanager

import psycopg
import pytest

from noctuary.recall.database import DatabaseRecall
from noctuary.records import Message, Role
from noctuary.store import open_server_store
from noctuary.store.lexicon import Within
from noctuary.testing import FakeClock
from tests.databases import change_behind, new_database, server_of_tests
from tests.postgres_server import ROLE

pytestmark = pytest.mark.slow

MANY = """
insert into messages (key, owner, role, kind, ts_ms, content)
select (1::bigint << 40) + (n << 8), 'ana', 'user', 'text', 1,
       'message ' || n || ' ' || md5(n::text) || case when n % 50 = 0 then ' 的日志 ' || chr(19968 + n) else '' end
from generate_series(1, 10000) n"""
_EXPLAINING = (
    "auto_explain.log_min_duration = 0",
    "auto_explain.log_nested_statements = on",
    "client_min_messages = log",
)


def plan_of(url: str, statement: str) -> str:
    """How the server runs a statement, and all that functions in it ask, for one who acts as ana."""
    told: list[str] = []
    with psycopg.connect(url.replace(f"//{ROLE}@", "//postgres@"), autocommit=True) as connection:
        connection.add_notice_handler(lambda notice: told.append(notice.message_primary or ""))
        connection.execute("load 'auto_explain'")
        for setting in (*_EXPLAINING, "search_path = noctuary", "role = noctuary_member", "noctuary.owner = 'ana'"):
            connection.execute(f"set {setting}".encode())
        told.clear()
        connection.execute(statement.encode())
    return "\n".join(told)


@pytest.fixture(scope="module")
def filled() -> Iterator[str]:
    """A database with many messages of ana's, of which the server knows how they are."""
    with new_database() as url:
        open_server_store(url, "ana").close()
        change_behind(url, MANY)
        change_behind(url, "analyze messages")
        yield url


@pytest.mark.parametrize("part", ["5b8add2a5d98b1a6", "支付服务", "的日志 一"])
def test_what_stands_inside_of_words_is_found_by_the_index(filled: str, part: str) -> None:
    """Not by reading all messages, in any script; though whoever asks is bound to their own rows."""
    for asked in (f"containing_messages('{part}', 9, 255, null, 0, 9)", f"every_message_containing('{part}')"):
        plan = plan_of(filled, f"select * from {asked}")
        assert "Bitmap Index Scan on messages_by_trigrams" in plan, plan
        assert "Seq Scan" not in plan, plan


def test_messages_beyond_ascii_are_found_by_their_index(filled: str) -> None:
    """To forget a text nobody has to read what surely does not have it."""
    assert "messages_other_letters" in plan_of(filled, "select * from messages_beyond_ascii()")


def test_the_functions_show_nobody_anothers_messages(filled: str) -> None:
    """They run as a role that sees all rows, and compare owners themselves; without one they show nothing."""
    with psycopg.connect(filled, autocommit=True) as connection:
        connection.execute("set role noctuary_member")
        connection.execute("set search_path = noctuary")
        asked = ("containing_messages('message', 9, 255, null, 0, 9)", "every_message_containing('e')")
        for owner in ("ben", "", "ana' or true --"):
            connection.execute("select set_config('noctuary.owner', %s, false)", (owner,))
            for each in (*asked, "messages_beyond_ascii()"):
                assert connection.execute(f"select * from {each}".encode()).fetchall() == [], each


def test_nobody_becomes_the_role_of_the_functions(filled: str) -> None:
    """Whoever acts as a member cannot act as the role that sees all messages, and it cannot log in or write."""
    rights = "pg_has_role('noctuary_member', 'noctuary_search', 'member') or pg_has_role('noctuary_search', 'usage')"
    writes = "has_table_privilege('noctuary_search', 'noctuary.messages', 'insert, update, delete, truncate')"
    logs_in = "(select rolcanlogin or rolbypassrls or rolsuper from pg_roles where rolname = 'noctuary_search')"
    makes = "has_schema_privilege('noctuary_search', 'noctuary', 'create')"
    with psycopg.connect(filled) as connection:
        told = connection.execute(f"select {rights}, {writes}, {logs_in}, {makes}".encode()).fetchall()
    assert told == [(False,) * 4]


@contextmanager
def a_plain_user() -> Iterator[str]:
    """A database of a user who may make neither roles nor what is not trusted."""
    server = server_of_tests()
    server.run("create role modest_user login")
    server.run("grant noctuary_member to modest_user")
    server.run("create database modest owner modest_user")
    try:
        yield server.url("modest", "modest_user")
    finally:
        server.run("drop database modest with (force)")
        server.run("drop role modest_user")


WORDS = """
insert into message_index (key, owner, words)
select (1::bigint << 40) + (n << 8), case when n % 100 = 0 then 'ana' else 'ben' end, 'deploy:1 first:2'::tsvector
from generate_series(1, 10000) n"""


def test_words_of_others_are_not_passed_over() -> None:
    """Who searches is led to their own rows by the index, however many others use the same words."""
    with new_database() as url:
        change_behind(url, WORDS)
        change_behind(url, "analyze message_index")

        plan = plan_of(url, "select * from matching_messages('deploy & first'::tsquery, 9223372036854775807, 300)")

    assert "Bitmap Index Scan on message_index_owned" in plan, plan
    assert "Rows Removed" not in plan, plan


def test_words_are_found_by_an_index_also_where_they_are_not_known_by_owner() -> None:
    """Somebody took the extension away, with its indexes: those without it are made again, until it is back."""
    indexes = "select count(*) from pg_indexes where schemaname = 'noctuary' and indexname like '%\\_index\\_{}'"
    with new_database() as url:
        name = url.partition("@/")[2].partition("?")[0]
        server, store = server_of_tests(), open_server_store(url, "ana")
        assert server.run(indexes.format("owned"), name) == [(4,)]
        assert server.run(indexes.format("words"), name) == [(0,)]

        server.run("drop extension btree_gin cascade", name)
        server.run(f"alter database {name} owner to postgres; revoke create on database {name} from public")
        store.extend()
        assert server.run(indexes.format("words"), name) == [(4,)]

        server.run(f"alter database {name} owner to {ROLE}")
        store.extend()
        assert server.run(indexes.format("owned"), name) == [(4,)]
        assert server.run(indexes.format("words"), name) == [(0,)]
        store.close()


def said(text: str) -> Message:
    """A message."""
    return Message(role=Role.USER, content=text, ts_ms=1_772_000_000_000)


def test_without_trigrams_the_same_is_found() -> None:
    """By reading all messages, and only one's own; once an administrator allows it, the index is made for them."""
    with a_plain_user() as url:
        ana, ben = open_server_store(url, "ana"), open_server_store(url, "ben")
        for store in (ana, ben):
            owner = "ana" if store is ana else "ben"
            DatabaseRecall(store, FakeClock()).append(owner, "s", said("a lampshade"))
            assert len(store.lexicon.containing("AMPSH", Within(), 9)) == 1
            assert store.lexicon.containing("amp_h", Within(), 9) == []
            assert len(store.messages.containing("lampshade")) == 1
        is_there = "select to_regclass('noctuary.messages_by_trigrams') is not null"
        server = server_of_tests()
        assert server.run(is_there, "modest") == [(False,)]

        server.run("grant noctuary_search to modest_user")  # as whose member they would see all messages
        ana.extend()
        assert server.run(is_there, "modest") == [(False,)]
        server.run("revoke noctuary_search from modest_user; alter role modest_user createrole")
        ana.extend()

        assert server.run(is_there, "modest") == [(True,)]
        assert len(ana.lexicon.containing("AMPSH", Within(), 9)) == 1
        ana.close()
        ben.close()
        server.run("reassign owned by noctuary_search to postgres; drop owned by noctuary_search", "modest")
