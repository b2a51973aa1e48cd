"""Who may make the tables on a server: no superuser is needed, once somebody made the role that everybody acts as."""

import pytest

from noctuary.errors import StoreError
from noctuary.store import open_server_store
from tests.databases import server_of_tests
from tests.postgres_server import ROLE


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
