"""What an audit finds in a memory, on either database; and that it changes nothing."""

from collections.abc import Iterator
from datetime import timedelta
from pathlib import Path

import apsw
import psycopg
import pytest

from noctuary.app import Memory
from noctuary.app.auditing import audit
from noctuary.audit.auditing import WEEKS
from noctuary.audit.report import ADVICE, MEANING, Concern, Item
from noctuary.authored import Author, MessageRef, Refs, Trust
from noctuary.fences import fenced
from noctuary.records import Message, Role, Session
from noctuary.settings import Settings
from noctuary.testing import FakeClock
from noctuary.work.desk import Writer
from tests import databases

SHOP, BLOG = "/code/shop", "/code/blog"
RULE = "Always round prices half to even, never down."
AGENT = Writer(author=Author.AGENT, trust=Trust.AGENT)
TOKEN = "ghp_" + "aB3dE5gH7jK9mN1pQ3sT5vW7yZ9bC1dE3fG5"


@pytest.fixture
def clock() -> FakeClock:
    return FakeClock()


@pytest.fixture
def memory(tmp_path: Path, database: str, clock: FakeClock) -> Iterator[Memory]:
    """A memory on either database."""
    home = tmp_path / "home"
    settings = Settings(home, "ana", tmp_path, {}, database_url=databases.url_of(home))
    with Memory.from_settings(settings, clock) as opened:
        yield opened


def have(memory: Memory, session: str, *said: str, role: Role = Role.USER) -> None:
    """Have a session."""
    now_ms = memory.clock.now_ms()
    messages = [Message(role=role, content=words, ts_ms=now_ms) for words in said]
    memory.add_session(Session(id=session, project=SHOP, last_ms=now_ms), messages)


def dream_of(memory: Memory, session: str, *said: str) -> None:
    """Have a session, end it and dream of it."""
    have(memory, session, *said)
    memory.dreams.run(sessions=[session], backend="rules")


def all_of(memory: Memory, session: str) -> list[Message]:
    """All messages of a session, hidden ones too."""
    number, _ = memory.store.sessions.find("ana", session) or (0, None)
    return memory.store.messages.between(number, 1, 100)


def found(memory: Memory, concern: Concern) -> list[Item]:
    """What is of this concern."""
    return audit(memory).of(concern)


def test_a_memory_that_is_sound_has_no_concern(memory: Memory) -> None:
    """Something that a user said, which is there and was said once."""
    dream_of(memory, "s1", RULE)
    looked = audit(memory)

    assert (looked.items, looked.memories, looked.is_recall_known) == ([], 1, False)
    assert set(looked.counts()) == set(Concern) == set(MEANING) == set(ADVICE)
    assert looked.searched >= 3  # the memory, its event and the message


def test_what_is_said_twice_is_found(memory: Memory) -> None:
    """Letter for letter, or in other words; not what denies it, nor what another project says."""
    work = memory.work(SHOP)
    first = work.remember("Prices are rounded half to even")
    twin = work.remember("prices are rounded  half to even.")
    other = work.remember("We round prices half to even, as banks do")
    work.remember("Prices are never rounded half to even")
    memory.work(BLOG).remember("Prices are rounded half to even")

    doubled = found(memory, Concern.DUPLICATE)
    near = found(memory, Concern.NEAR_DUPLICATE)

    assert [item.id for item in doubled] in ([first.id], [twin.id])
    assert {item.id for item in near} <= {first.id, twin.id, other.id}
    assert other.id in {name for item in near for name in (item.id, item.why.split()[1].rstrip(":"))}


def test_what_rests_on_messages_that_are_gone_is_found(memory: Memory) -> None:
    """Somebody removed the rows; what cites nothing rests on nobody's message and is none."""
    dream_of(memory, "s1", RULE)
    memory.work(SHOP).remember("Tests run in CI")
    number, session = memory.store.sessions.find("ana", "s1") or (0, Session(id=""))
    memory.store.messages.remove_all("ana", number, session)

    (item,) = found(memory, Concern.ORPHANED)

    assert item.text == RULE
    assert item.why == "1 cited, none is there"


def test_what_names_something_that_is_gone_is_found(memory: Memory, tmp_path: Path) -> None:
    """The last look at the repository said so."""
    (tmp_path / "Makefile").write_text("test:\n\tpytest\n")
    kept = memory.work(SHOP).remember("Run the benchmarks with `make bench`.")
    memory.work(SHOP).remember("Run the tests with `make test`.")
    assert found(memory, Concern.STALE) == []

    memory.dreams.verify(project=SHOP, folder=tmp_path)

    assert [(one.id, one.why) for one in found(memory, Concern.STALE)] == [(kept.id, "there is no `make bench`")]


def test_what_memory_told_itself_is_found(memory: Memory) -> None:
    """A memory all of whose witnesses are our own words; one that somebody else said too is none."""
    have(memory, "s1", f"Look:\n{fenced('Deploys happen on Tuesdays')}", role=Role.ASSISTANT)
    have(memory, "s2", "Deploys happen on Tuesdays")
    told = next(message for message in all_of(memory, "s1") if "Tuesdays" in message.content)
    work = memory.work(SHOP)
    looped = work.remember("Deploys happen on Tuesdays", refs=Refs(messages=(MessageRef("s1", told.id),)))
    both = (MessageRef("s1", told.id), MessageRef("s2", 1))
    work.remember("Deploys are on Tuesdays at noon", refs=Refs(messages=both))

    assert [item.id for item in found(memory, Concern.RECALL_LOOP)] == [looped.id]


def test_rules_that_no_user_has_confirmed_are_found(memory: Memory) -> None:
    """What an agent wrote down as a rule, until somebody approves it."""
    dream_of(memory, "s1", RULE)
    rule = memory.work(SHOP, AGENT).remember("Never touch the billing table", kind="constraint")

    assert RULE not in [item.text for item in found(memory, Concern.UNVERIFIED_RULE)]
    assert [item.id for item in found(memory, Concern.UNVERIFIED_RULE)] == [rule.id]


def test_secrets_are_found_and_never_shown(memory: Memory) -> None:
    """In messages that were kept before their kind was known; told by session and place."""
    have(memory, "s1", "Hi")
    number, _ = memory.store.sessions.find("ana", "s1") or (0, None)
    memory.store.messages.add("ana", number, [Message(role=Role.USER, content=f"use {TOKEN} for it")])

    (item,) = found(memory, Concern.SECRET)

    assert item.id == "s1#2"
    assert TOKEN not in str(audit(memory))
    assert audit(memory, is_quick=True).of(Concern.SECRET) == []


def test_what_no_session_was_told_for_a_month_is_found(memory: Memory, clock: FakeClock) -> None:
    """If any was told anything: by a transcript, or by what hooks keep."""
    work = memory.work(SHOP)
    told, silent = work.remember("Prices are cents"), work.remember("Deploys happen on Tuesdays")
    clock.advance(timedelta(days=31))
    unknown = found(memory, Concern.NEVER_RECALLED)
    work.remember("Posts are Markdown")
    have(memory, "s1", fenced(f"- Prices are cents [{told.id}]"))
    known = found(memory, Concern.NEVER_RECALLED)
    folder = memory.settings.home / "state" / "told"
    folder.mkdir(parents=True, exist_ok=True)
    (folder / "a").write_text(f"{silent.id} 1-1\n", encoding="utf-8")

    assert unknown == []
    assert [item.id for item in known] == [silent.id]
    assert found(memory, Concern.NEVER_RECALLED) == []


def test_weeks_say_what_held(memory: Memory, clock: FakeClock) -> None:
    """What was taken back is counted until then, and what is of concern today from when it was written."""
    work = memory.work(SHOP)
    gone = work.remember("Prices are cents")
    clock.advance(timedelta(weeks=3))
    work.retire(gone.id)
    memory.work(SHOP, AGENT).remember("Never touch the billing table", kind="constraint")
    clock.advance(timedelta(weeks=1))
    weeks = audit(memory).weeks

    assert len(weeks) == WEEKS
    assert [week.held for week in weeks[-6:]] == [0, 1, 1, 1, 1, 1]
    assert [week.added for week in weeks[-6:]] == [0, 1, 0, 0, 1, 0]
    assert [week.retired for week in weeks[-6:]] == [0, 0, 0, 0, 1, 0]
    assert [week.of_concern for week in weeks[-6:]] == [0, 0, 0, 0, 1, 1]


def test_one_project_is_looked_at_alone(memory: Memory) -> None:
    """By its name; others are not told of."""
    for project in (SHOP, BLOG):
        memory.work(project, AGENT).remember("Never touch the billing table", kind="constraint")

    assert {item.project for item in audit(memory, BLOG).items} == {BLOG}
    assert {item.project for item in audit(memory).items} == {SHOP, BLOG}


def test_nothing_is_changed(memory: Memory) -> None:
    """No row of any table, no journal and no file is another one afterwards."""
    dream_of(memory, "s1", RULE, f"the token is {TOKEN}")
    home = memory.settings.home
    before = {path: path.read_bytes() for path in home.rglob("*") if path.is_file() and ".db" not in path.name}
    rows = all_rows(home)
    audit(memory)

    assert {path: path.read_bytes() for path in home.rglob("*") if path.is_file() and ".db" not in path.name} == before
    assert all_rows(home) == rows
    assert len(rows) > 20


def all_rows(home: Path) -> dict[str, list[str]]:
    """Every row of every table, whatever our code thinks of it."""
    url = databases.url_of(home)
    if url is None:
        connection = apsw.Connection(str(home / "noctuary.db"), flags=apsw.SQLITE_OPEN_READONLY)
        tables = [str(name) for (name,) in connection.execute("select name from sqlite_schema where type = 'table'")]
        return {name: sorted(map(repr, connection.execute(f'select * from "{name}"'))) for name in tables}
    with psycopg.connect(url.replace("//noctuary@", "//postgres@")) as server:
        listed = "select tablename from pg_tables where schemaname = 'noctuary'"
        tables = [str(name) for (name,) in server.execute(listed).fetchall()]
        return {
            name: sorted(map(repr, server.execute(f'select * from noctuary."{name}"'.encode()).fetchall()))
            for name in tables
        }
