"""How far transcripts were read, and what they told, on each database."""

from collections.abc import Iterator
from dataclasses import replace
from pathlib import Path

import apsw
import pytest

from noctuary.store import Store, open_store
from noctuary.store.places import PlaceCounts, SavedPlace
from tests.acceptance.test_upgrade import unpacked
from tests.databases import store_in

PLACE = SavedPlace(size=10, mtime_ns=20, byte_offset=9, line=3, fingerprint="f", state="{}")
ODD = replace(PLACE, agent="amp", told=7, malformed=2, drift='{"types": {"naïve": [1, 2, 3, 4]}}', error="torn")


@pytest.fixture
def store(tmp_path: Path, database: str) -> Iterator[Store]:
    opened = store_in(tmp_path / "memory")
    yield opened
    opened.close()


def test_a_place_comes_back_as_it_was_saved(store: Store) -> None:
    """Every field of a place is kept, and saved again it is replaced as a whole."""
    store.places.save("ana", "/a", PLACE)
    store.places.save("ana", "/b", ODD)
    store.places.save("ana", "/a", replace(ODD, told=8))

    assert store.places.find("ana", "/a") == replace(ODD, told=8)
    assert store.places.find("ana", "/b") == ODD
    assert store.places.find("ana", "/c") is None


def test_counts_are_those_of_one_owner(store: Store) -> None:
    """What transcripts told is listed by path, for their owner alone."""
    store.places.save("ana", "/b", ODD)
    store.places.save("ana", "/a", PLACE)

    assert store.places.counts("ana") == [
        PlaceCounts("/a", "", 0, 0, "{}"),
        PlaceCounts("/b", "amp", 7, 2, '{"types": {"naïve": [1, 2, 3, 4]}}'),
    ]
    assert store.places.counts("bob") == []


def test_places_of_before_are_given_their_agent(tmp_path: Path) -> None:
    """A memory of before this was noted learns whose each transcript is from the sessions that came of it."""
    path = unpacked(12, tmp_path / "then") / "noctuary.db"
    connection = apsw.Connection(str(path))
    connection.execute("delete from places")
    connection.execute(
        "insert into places values ('ana', '/a', 1, 2, 3, 4, 'f', '{}', null);"
        "insert into places values ('ana', '/b', 1, 2, 3, 4, 'f', '{}', null);"
        "insert into sessions (owner, id, agent, source_path, status, message_count)"
        " values ('ana', 's', 'codex', '/a', 'active', 3), ('ana', 't', 'codex', '/a', 'active', 2);"
    )
    connection.close()

    store = open_store(path)

    assert [(each.agent, each.told) for each in store.places.counts("ana")] == [("codex", 5), ("", 0)]
    store.close()
