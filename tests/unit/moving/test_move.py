"""A memory that is moved is the same there, wherever there is; one that cannot be is left alone."""

import os
import signal
import subprocess
import sys
import tempfile
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import apsw
import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

from noctuary.access import Scope
from noctuary.app import Memory
from noctuary.app.access_keys import keys_of, make_key
from noctuary.app.moves import move_memory
from noctuary.errors import BadInput, JournalDamaged, StoreError
from noctuary.moving.move import Moved
from noctuary.records import Message, Role, Session
from noctuary.settings import Settings
from noctuary.store import open_store
from noctuary.store.owned_rows import DERIVED, JOURNAL, NUMBERED, PLAIN
from noctuary.testing import FakeClock
from tests import databases
from tests.unit.moving.filling import OWNER, columns, everything_in, memories, put
from tests.unit.snapshot.memories import PROJECT, answers, fill, open_memory

pytestmark = pytest.mark.slow


def settings_of(home: Path, url: str | None = None, owner: str = OWNER) -> Settings:
    return Settings(home=home, owner=owner, user_home=home, environ={}, database_url=url)


def moved(home: Path, to: str, *, url: str | None = None, owner: str = OWNER, **more: Any) -> list[Moved]:
    return move_memory(settings_of(home, url, owner), to, FakeClock(), **more)


@pytest.fixture(scope="module")
def server() -> Iterator[databases.Reused]:
    """A database on the server for many examples; each empties it first."""
    with databases.reused_database() as made:
        yield made


@pytest.fixture
def full(tmp_path: Path) -> Path:
    """A memory with something of everything."""
    with open_memory(tmp_path / "live", tmp_path / "user") as memory:
        fill(memory)
    return tmp_path / "live"


@pytest.fixture(scope="module")
def empty_file(tmp_path_factory: pytest.TempPathFactory) -> Path:
    path = tmp_path_factory.mktemp("empty") / "noctuary.db"
    open_store(path).close()
    return path


@settings(max_examples=25, deadline=None, suppress_health_check=[HealthCheck.too_slow, HealthCheck.data_too_large])
@given(data=st.data())
def test_there_and_back_again(server: databases.Reused, empty_file: Path, data: st.DataObject) -> None:
    """From a file to a server to a file: every row of every table is what it was, whatever stands in it."""
    server.empty()
    filled = data.draw(memories(empty_file))
    with tempfile.TemporaryDirectory() as folder:
        home, back = Path(folder) / "home", Path(folder) / "back"
        store = open_store(home / "noctuary.db")
        put(store, home, filled)
        store.close()
        before = everything_in(home / "noctuary.db")

        (there,) = moved(home, server.url)
        (here,) = moved(home, str(back), url=server.url)

        assert there.held == here.held
        assert everything_in(back / "noctuary.db") == before == everything_in(home / "noctuary.db")
        assert journals_in(back) == journals_in(home)


def journals_in(home: Path) -> dict[str, bytes]:
    return {path.relative_to(home).as_posix(): path.read_bytes() for path in sorted(home.rglob("*.jsonl"))}


def test_every_table_is_moved_or_made_again(empty_file: Path) -> None:
    """A table that somebody adds is moved, or said to be made from others."""
    connection = apsw.Connection(str(empty_file))
    rows = connection.execute("select name from sqlite_schema where type = 'table' and name not like 'sqlite_%'")
    tables = {
        name for (name,) in rows if not any(name.startswith(f"{index}_") for index in DERIVED if "index" in index)
    }
    connection.close()

    assert tables == {*PLAIN, *NUMBERED, *DERIVED, JOURNAL}


@pytest.mark.parametrize("table", [*PLAIN, "sessions"])
def test_every_column_is_moved(empty_file: Path, table: str) -> None:
    """A column that somebody adds is moved, too."""
    store = open_store(empty_file)
    query = store.database.queries[f"owned_{table}"]  # type: ignore[attr-defined]
    store.close()
    names = query.partition("select ")[2].partition("from ")[0].replace('"', "").split(",")

    assert [name.strip() for name in names] == list(columns(empty_file, table))


def test_what_was_moved_is_found_and_can_be_gone_on_with(full: Path, tmp_path: Path, postgres_url: str) -> None:
    """The same answers from the server and from the folder, and new work goes on behind the old."""
    with open_memory(full, tmp_path / "user") as memory:
        before = answers(memory)

    moved(full, postgres_url)
    with Memory.from_settings(settings_of(full, postgres_url), FakeClock()) as there:
        assert answers(there) == before
        there.work(PROJECT).remember("Taxes are rounded up.", kind="constraint")
        there.add_session(Session(id="new"), [Message(Role.USER, "Which apricot?")])
        assert there.verify_journals() == []
    moved(full, str(tmp_path / "back"), url=postgres_url)

    with open_memory(tmp_path / "back", tmp_path / "user") as back:
        assert back.verify_journals() == []
        assert {each.text for each in back.work(PROJECT).memories()} >= {"Taxes are rounded up."}
        assert [hit.session.id for hit in back.search("apricot").hits] == ["new"]
        assert len(back.work(PROJECT).tasks()) == 1


def test_the_source_is_not_touched(full: Path, postgres_url: str) -> None:
    """What is moved stays where it is, byte for byte."""
    before = everything_in(full / "noctuary.db"), journals_in(full)

    moved(full, postgres_url)

    assert (everything_in(full / "noctuary.db"), journals_in(full)) == before


def test_moved_again_nothing_is_done(full: Path, tmp_path: Path, postgres_url: str) -> None:
    """Whoever is not sure whether a move ended repeats it."""
    for to in (postgres_url, str(tmp_path / "copy")):
        assert [each.was_there for each in (*moved(full, to), *moved(full, to))] == [False, True]


def test_another_memory_is_not_mixed_with(full: Path, tmp_path: Path, postgres_url: str) -> None:
    """Where the owner has anything else, nothing is written, and it is said what there is."""
    with Memory.from_settings(settings_of(tmp_path / "other", postgres_url), FakeClock()) as other:
        other.add_session(Session(id="mine"), [Message(Role.USER, "Hello?")])

    with pytest.raises(BadInput, match="sessions \\(1 there, 2 here\\)"):
        moved(full, postgres_url)

    with Memory.from_settings(settings_of(tmp_path / "other", postgres_url), FakeClock()) as other:
        assert [session.id for session in other.sessions()] == ["mine"]
        assert other.ledger.projects() == []


def test_a_look_changes_nothing(full: Path, tmp_path: Path, postgres_url: str) -> None:
    """A dry run says what would be moved, and leaves no folder and no row."""
    (looked,) = moved(full, postgres_url, dry_run=True)
    (again,) = moved(full, str(tmp_path / "copy"), dry_run=True)

    assert looked.held["messages"].rows == again.held["messages"].rows == 6
    assert not (tmp_path / "copy").exists()
    assert [each.was_there for each in moved(full, postgres_url)] == [False]


def test_owners_are_moved_by_name_or_all(tmp_path: Path, postgres_url: str) -> None:
    """One owner's move takes nothing of another's along; all of them can be moved at once, from a folder."""
    for owner in ("ana", "bob"):
        with Memory.from_settings(settings_of(tmp_path / "live", owner=owner), FakeClock()) as memory:
            memory.add_session(Session(id="same"), [Message(Role.USER, f"I am {owner}.")])

    moved(tmp_path / "live", postgres_url)
    with Memory.from_settings(settings_of(tmp_path, postgres_url, "bob"), FakeClock()) as bobs:
        assert bobs.sessions() == []
    found = moved(tmp_path / "live", postgres_url, all_owners=True)

    assert [(each.owner, each.was_there) for each in found] == [("ana", True), ("bob", False)]
    with pytest.raises(BadInput, match="--also"):
        moved(tmp_path, str(tmp_path / "back"), url=postgres_url, all_owners=True)
    both = move_memory(settings_of(tmp_path, postgres_url), str(tmp_path / "back"), FakeClock(), also=["bob"])
    assert len(both) == 2
    assert everything_in(tmp_path / "back" / "noctuary.db") == everything_in(tmp_path / "live" / "noctuary.db")


def test_owners_with_models_of_their_own_share_no_folder(tmp_path: Path, postgres_url: str) -> None:
    """On a server each has one; in a folder one serves for all, so who has another is moved to another folder."""
    chosen = {"ana": ("mini", "/mini", 4), "bob": ("large", "/large", 4), "cid": ("mini", "/new", 8)}
    for owner, model in chosen.items():
        with Memory.from_settings(settings_of(tmp_path, postgres_url, owner), FakeClock()) as memory:
            memory.add_session(Session(id="same"), [Message(Role.USER, f"I am {owner}.")])
            memory.store.vectors.choose(*model)

    for other in ("bob", "cid"):
        with pytest.raises(BadInput, match=f"{other} to a folder of their own"):
            moved(tmp_path, str(tmp_path / "both"), url=postgres_url, also=[other])

    assert not (tmp_path / "both").exists()
    assert moved(tmp_path, str(tmp_path / "bobs"), url=postgres_url, owner="bob")


def test_a_damaged_journal_is_not_moved(full: Path, postgres_url: str) -> None:
    """What is not what was read of it is put right first."""
    (journal,) = (path for path in full.rglob("*.jsonl"))
    journal.write_bytes(journal.read_bytes()[:-20])

    with pytest.raises(JournalDamaged, match="noctuary journal restore"):
        moved(full, postgres_url)


def test_a_journal_that_was_not_read_is_not_moved(full: Path, postgres_url: str) -> None:
    """Tables that do not know all lines are no equal of what is folded there."""
    (journal,) = (path for path in full.rglob("*.jsonl"))
    journal.write_bytes(journal.read_bytes() + b"{}\n")

    with pytest.raises(StoreError, match="noctuary status"):
        moved(full, postgres_url)


def test_places_that_are_none(full: Path, tmp_path: Path) -> None:
    """A folder with something in it, the memory itself, another kind of server, and no memory at all."""
    (tmp_path / "taken").mkdir()
    (tmp_path / "taken" / "diary.txt").write_text("mine")

    for home, to, why in (
        (full, str(tmp_path / "taken"), "not empty"),
        (full, str(full), "already"),
        (full, "mysql://db/x", "postgresql://"),
        (tmp_path / "nowhere", str(tmp_path / "new"), "no memory"),
    ):
        with pytest.raises(BadInput, match=why):
            moved(home, to)
    assert not (tmp_path / "nowhere").exists()


_KILLED = """
import os, signal, sys
from pathlib import Path
from noctuary.app.moves import move_memory
from noctuary.settings import Settings
from noctuary.testing import FakeClock

home, to, at = Path(sys.argv[1]), sys.argv[2], int(sys.argv[3])

def progress(owner, done, total):
    if done == at:
        os.kill(os.getpid(), signal.SIGKILL)

move_memory(Settings(home=home, owner="ana", user_home=home, environ={}), to, FakeClock(), progress=progress)
"""


@pytest.mark.parametrize("at", [0, 1, 2])
def test_killed_it_can_be_done_again(full: Path, tmp_path: Path, postgres_url: str, at: int) -> None:
    """A move that was killed has left nothing that counts, neither on a server nor in a folder."""
    for to in (postgres_url, str(tmp_path / "copy")):
        done = subprocess.run([sys.executable, "-c", _KILLED, str(full), to, str(at)], env=os.environ, check=False)
        assert done.returncode == -signal.SIGKILL
        assert not (tmp_path / "copy").exists()

        (again,) = moved(full, to)

        assert (again.was_there, again.held["messages"].rows) == (False, 6)
    assert [path.name for path in tmp_path.iterdir() if "moving" in path.name] == []


def test_whoever_was_only_invited_can_still_move(tmp_path: Path, postgres_url: str) -> None:
    """A team is made, people are let in and given keys; then each brings their memory, and stays in the team."""
    with Memory.open(tmp_path / "lead", owner="lead", database=postgres_url) as lead:
        lead.team.make("Shop")
        lead.team.invite("Shop", OWNER)
    with Memory.open(tmp_path / "other", owner=OWNER, database=postgres_url) as there:
        make_key(there, "laptop", [Scope.READ])
    with open_memory(tmp_path / "live", tmp_path / "user") as memory:
        fill(memory)

    first, again = moved(tmp_path / "live", postgres_url), moved(tmp_path / "live", postgres_url)

    assert (first[0].was_there, again[0].was_there) == (False, True)
    with Memory.open(tmp_path / "other", owner=OWNER, database=postgres_url) as there:
        assert [team.name for team in there.team.teams()] == ["Shop"]
        assert [key.name for key in keys_of(there)] == ["laptop"]
        assert there.status().messages


def test_whoever_was_left_behind_and_let_in_again_can_still_move(tmp_path: Path, postgres_url: str) -> None:
    """They were in the team here and have keys here; what they are there counts, and keys of both places open."""
    home = tmp_path / "live"
    with Memory.open(home, owner="lead") as lead, Memory.open(home, owner=OWNER) as here:
        for team in ("Shop", "Yard"):
            lead.team.make(team)
            lead.team.invite(team, OWNER)
        make_key(here, "desk", [Scope.READ])
    moved(home, postgres_url, owner="lead")
    with (
        Memory.open(tmp_path / "lead", owner="lead", database=postgres_url) as lead,
        Memory.open(tmp_path / "other", owner=OWNER, database=postgres_url) as there,
    ):
        lead.team.invite("Shop", OWNER, as_reviewer=True)
        make_key(there, "laptop", [Scope.READ])
        there.team.bind("Shop", "/work/shop")
        there.team.make("Own")
        lead.team.invite("Yard", OWNER)
        lead.team.remove("Yard", OWNER)

    first, again = moved(home, postgres_url), moved(home, postgres_url)

    assert (first[0].was_there, again[0].was_there) == (False, True)
    with Memory.open(tmp_path / "other", owner=OWNER, database=postgres_url) as there:
        roles = {team.name: str(team.role) for team in there.team.teams()}
        assert roles == {"Own": "reviewer", "Shop": "reviewer"}  # not Yard, from which they were removed
        assert {key.name for key in keys_of(there)} == {"desk", "laptop"}
        assert [binding.team_name for binding in there.team.bindings()] == ["Shop"]


def test_who_is_left_behind_is_named(tmp_path: Path, postgres_url: str) -> None:
    """Others of a team are moved with their own memory; nobody loses them unawares."""
    home = tmp_path / "live"
    with Memory.open(home, owner=OWNER) as ana:
        ana.team.make("Shop")
        ana.team.invite("Shop", "ben")

    alone, both = moved(home, str(tmp_path / "alone")), moved(home, postgres_url, also=["ben"])
    one, other = moved(home, str(tmp_path / "alone")), moved(home, postgres_url, owner="ben")

    assert [each.left for each in (*alone, *one)] == [["ben"], ["ben"]]
    assert [each.left for each in other] == [[]]  # whoever was moved before is there
    assert [each.left for each in both] == [[], []]
    with Memory.open(home, owner=OWNER, database=postgres_url) as ana:
        assert [member.owner for member in ana.team.members("Shop")] == [OWNER, "ben"]
