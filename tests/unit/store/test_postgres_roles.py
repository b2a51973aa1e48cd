"""Who may make the tables on a server: no superuser is needed, once somebody made the role that everybody acts as."""

from concurrent.futures import ThreadPoolExecutor
from time import sleep

import psycopg
import pytest

from noctuary.errors import StoreError
from noctuary.store import open_server_store
from noctuary.store.postgres_tables import _MIGRATING
from tests.databases import server_of_tests
from tests.postgres_server import ROLE

pytestmark = pytest.mark.slow


@pytest.mark.slow
def test_a_user_who_may_make_no_roles_makes_the_tables() -> None:
    """An administrator makes the role once, as the message says; then any of its members can begin."""
    server = server_of_tests()
    for statement in ("create role plain_user login", f"create database plain owner {ROLE}"):
        server.run(statement)
    try:
        server.run("alter database plain owner to plain_user")
        with pytest.raises(StoreError, match="grant noctuary_member to plain_user"):
            open_server_store(server.url("plain", "plain_user"), "ana")

        server.run("grant noctuary_member to plain_user")  # the role is there: other tests made it

        store = open_server_store(server.url("plain", "plain_user"), "ana")
        assert store.sessions.numbers("ana") == []
        store.close()
    finally:
        server.run("drop database plain with (force)")
        server.run("drop role plain_user")


def test_several_who_begin_at_once_make_the_tables_once() -> None:
    """Each looks whether there are any, finds none, and waits for its turn; the others then find what one made."""
    server, many = server_of_tests(), 12
    server.run(f"create database begun owner {ROLE}")
    here = "database = (select oid from pg_database where datname = 'begun')"
    waiting = f"select count(*) from pg_locks where locktype = 'advisory' and not granted and {here}"
    try:
        with psycopg.connect(server.url("begun"), autocommit=True) as first, ThreadPoolExecutor(many) as others:
            first.execute(f"select pg_advisory_lock({_MIGRATING})")
            opened = [others.submit(open_server_store, server.url("begun"), f"owner{n}") for n in range(many)]
            while server.run(waiting) != [(many,)]:
                sleep(0.01)
            first.execute(f"select pg_advisory_unlock({_MIGRATING})")
            for each in opened:
                store = each.result()
                assert store.database.fetch("unguarded_tables") == []
                store.close()
    finally:
        server.run("drop database begun with (force)")
