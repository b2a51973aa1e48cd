"""What the database itself lets owners do with what is shared, when nothing of ours stands before it."""

from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import Any

import psycopg
import pytest
from psycopg import errors

import noctuary
from noctuary.store import open_server_store
from noctuary.store.database import read_queries
from noctuary.store.memories import MemoryKind
from noctuary.store.postgres_sql import in_postgres, typed
from noctuary.store.sharing import Content, Role, ShareState

pytestmark = pytest.mark.slow
QUERIES = read_queries(Path(noctuary.__file__).parent / "store" / "sql" / "sharing.sql")
TABLES = ("teams", "team_members", "shares", "share_reviews", "share_history", "share_bindings")
TEAM, OFFERED, ACCEPTED = "tp-1", "sh-offered", "sh-accepted"


@pytest.fixture
def url(postgres_url: str) -> str:
    """A team of Ana, who reviews, and Ben, with one share of Ben's that was accepted and one that waits."""
    ana, ben = open_server_store(postgres_url, "ana"), open_server_store(postgres_url, "ben")
    content = Content("m-1", MemoryKind.FACT, "Prices are in cents", "", "e1", "user", "user", 1, None, None, 1)
    ana.sharing.add_team("ana", TEAM, "Shop", 1)
    ana.sharing.set_member("ana", TEAM, "ben", Role.MEMBER, 1)
    ana.sharing.set_member("ana", TEAM, "dan", Role.MEMBER, 1)
    ben.sharing.add("ben", ACCEPTED, TEAM, content, 1)
    ben.sharing.add("ben", OFFERED, TEAM, content._replace(memory="m-2"), 1)
    [share] = ana.sharing.where("ana", share=ACCEPTED)
    ana.sharing.review("ana", share, ShareState.ACCEPTED, "", "", 2)
    ana.close()
    ben.close()
    return postgres_url


@contextmanager
def sql_of(url: str, owner: str) -> Iterator[psycopg.Connection[Any]]:
    """A connection of somebody who says who they are, and then whatever they like."""
    with psycopg.connect(url, autocommit=True) as connection:
        connection.execute("set role noctuary_member")
        connection.execute("select set_config('noctuary.owner', %s, false)", (owner,))
        connection.execute("set search_path = noctuary")
        yield connection


def shares_of(connection: psycopg.Connection[Any]) -> set[str]:
    """The shares that are seen."""
    return {row[0] for row in connection.execute("select id from shares").fetchall()}


@pytest.mark.parametrize(
    ("owner", "seen"), [("ana", {OFFERED, ACCEPTED}), ("ben", {OFFERED, ACCEPTED}), ("dan", {ACCEPTED}), ("cem", set())]
)
def test_rows_are_seen_as_the_team_has_it(url: str, owner: str, seen: set[str]) -> None:
    """A reviewer and the publisher see proposals, members what was accepted, others nothing."""
    with sql_of(url, owner) as connection:
        assert shares_of(connection) == seen


@pytest.mark.parametrize("owner", ["cem", ""])
def test_who_is_in_no_team_sees_no_row_of_any_table(url: str, owner: str) -> None:
    """Nor does a connection that says nothing of whose it is."""
    with sql_of(url, owner) as connection:
        for name in TABLES:
            assert connection.execute(f"select * from {name}".encode()).fetchall() == []


def test_the_setting_by_which_the_policy_looks_shows_no_more(url: str) -> None:
    """It can only be used to see less."""
    with sql_of(url, "cem") as connection:
        connection.execute("set noctuary.looking = 'yes'")

        assert shares_of(connection) == set()
        assert connection.execute("select * from team_members").fetchall() == []


NOT_THEIRS = [
    ("dan", "insert into team_members values ('dan', 'tp-1', 'reviewer', 'dan', 9)"),
    ("cem", "insert into team_members values ('cem', 'tp-1', 'member', 'ana', 9)"),
    ("cem", "insert into team_members values ('cem', 'tp-1', 'reviewer', 'cem', 9)"),
    ("dan", "update team_members set role = 'reviewer' where owner = 'dan'"),
    ("dan", "insert into team_members values ('cem', 'tp-1', 'member', 'dan', 9)"),
    ("cem", "insert into teams values ('ana', 'tp-2', 'Till', 9)"),
    ("dan", "insert into shares values ('ben', 'sh-x', 'tp-1', 'm-9', 1, 'fact', 'x', '', '{}', 9)"),
    ("cem", "insert into shares values ('cem', 'sh-x', 'tp-1', 'm-9', 1, 'fact', 'x', '', '{}', 9)"),
    ("ben", "insert into share_reviews values ('ben', 'ben', 'sh-offered', 'tp-1', 'accepted', '', '', 9)"),
    ("ana", "insert into share_reviews values ('dan', 'ben', 'sh-offered', 'tp-1', 'accepted', '', '', 9)"),
    ("ana", "insert into share_reviews values ('ana', 'ben', 'sh-none', 'tp-1', 'accepted', '', '', 9)"),
    ("dan", "insert into share_history values ('ana', 'h', 'tp-1', 9, 'left', 'ana', '', 1)"),
    ("cem", "insert into share_history values ('cem', 'h', 'tp-1', 9, 'left', 'cem', '', 1)"),
    ("cem", "insert into share_bindings values ('ana', '/code/shop', 'tp-1', 9)"),
]


@pytest.mark.parametrize(("owner", "statement"), NOT_THEIRS)
def test_what_is_not_ones_own_to_write_is_refused(url: str, owner: str, statement: str) -> None:
    """Nobody lets themselves in, reviews without the right, or writes in the name of another."""
    with sql_of(url, owner) as connection, pytest.raises((errors.InsufficientPrivilege, errors.UniqueViolation)):
        connection.execute(statement.encode())


WITHOUT_EFFECT = [
    ("ana", "update shares set text = 'Prices are in euros'"),
    ("ben", "update shares set text = 'Prices are in euros'"),
    ("ana", "delete from shares"),
    ("dan", "delete from shares"),
    ("ana", "delete from share_reviews"),
    ("dan", "update share_reviews set wording = 'x'"),
    ("dan", "update team_members set role = 'left' where owner = 'ben'"),
    ("ana", "delete from team_members"),
    ("ana", "update share_history set what = 'made'"),
    ("ana", "delete from share_history"),
    ("ana", "update teams set name = 'Till'"),
]


@pytest.mark.parametrize(("owner", "statement"), WITHOUT_EFFECT)
def test_what_is_there_is_not_changed_by_others(url: str, owner: str, statement: str) -> None:
    """What somebody published stays as they said it: to change it is to publish it anew, to remove it is theirs."""
    with sql_of(url, owner) as connection:
        assert connection.execute(statement.encode()).rowcount == 0


def test_who_left_cannot_come_back_by_themselves(url: str) -> None:
    """Not even whoever made the team."""
    store = open_server_store(url, "ana")
    store.sharing.set_member("ana", TEAM, "ben", Role.REVIEWER, 3)
    assert store.sharing.end_membership(TEAM, "ana", 4)
    store.close()

    again = "insert into team_members values ('ana', 'tp-1', 'reviewer', 'ana', 9)"
    for statement in (
        again,
        f"{again} on conflict (owner, team) do update set role = 'reviewer'",
        "update team_members set role = 'reviewer' where owner = 'ana'",
    ):
        with sql_of(url, "ana") as connection:
            with pytest.raises((errors.InsufficientPrivilege, errors.UniqueViolation)):
                connection.execute(statement.encode())
            assert shares_of(connection) == set()


def test_a_reviewer_accepts_their_own_only_if_they_are_the_only_one(url: str) -> None:
    """The database counts reviewers, too."""
    own = "insert into shares values ('ana', 'sh-own', 'tp-1', 'm-9', 1, 'fact', 'x', '', '{}', 9)"
    accept = "insert into share_reviews values ('ana', 'ana', 'sh-own', 'tp-1', 'accepted', '', '', 9)"
    with sql_of(url, "ana") as connection:
        connection.execute(own.encode())
        connection.execute("update team_members set role = 'reviewer' where owner = 'ben'")
        with pytest.raises(errors.InsufficientPrivilege):
            connection.execute(accept.encode())

        connection.execute("update team_members set role = 'member' where owner = 'ben'")
        connection.execute(accept.encode())
    with sql_of(url, "dan") as connection:
        assert "sh-own" in shares_of(connection)


@pytest.mark.parametrize(
    ("name", "values"),
    [
        ("shares_seen", {"id": None, "team": TEAM, "publisher": "ben", "state": None}),
        ("shares_told", {"project": "/work/shop"}),
    ],
)
def test_later_editions_are_looked_up_share_by_share(url: str, name: str, values: dict[str, str | None]) -> None:
    """Also by a server that knows nothing of the tables yet, which would compare a thousand shares each with all."""
    given: dict[str, Any] = {"owner": "ben", "most": 10, **values}
    kinds = tuple((each, type(value)) for each, value in given.items())
    query = typed(in_postgres(QUERIES[name]).sql, kinds)
    with sql_of(url, "ben") as connection:
        plan = "\n".join(row[0] for row in connection.execute(f"explain {query}".encode(), given).fetchall())

    assert "SubPlan" in plan
    assert "Anti Join" not in plan
