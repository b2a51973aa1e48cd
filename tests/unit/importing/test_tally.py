"""What was odd in a transcript is counted by name, within bounds, and without contents."""

import json
from dataclasses import replace

import pytest
from hypothesis import given
from hypothesis import strategies as st

from noctuary.importing.tally import FIELDS, LONGEST_NAME, MOST_NAMES, OTHERS, TYPES, Oddity, Tally, Way, drift_in
from noctuary.store.places import SavedPlace
from noctuary.transcripts.items import NewField, Skipped

PLACE = SavedPlace(size=1, mtime_ns=1, byte_offset=1, line=1, fingerprint="", state="{}")


def tally_of(*types: str, at_ms: int = 1_000, fields: tuple[str, ...] = ()) -> Tally:
    """A tally of one record a line, of these types and with these fields."""
    made = Tally(at_ms)
    for line, name in enumerate(types, 1):
        made.skip(Skipped(line=line, reason="unknown type", unknown=name))
    for line, name in enumerate(fields, 1):
        made.notice(NewField(line=line, name=name))
    return made


def saved(tally: Tally, before: SavedPlace | None = None, way: Way = Way.ANEW) -> SavedPlace:
    """A place with what the tally has, and with what was before."""
    return replace(PLACE, malformed=tally.malformed_in_all(before, way), drift=tally.drift(before, way))


def test_types_and_fields_are_counted_by_name() -> None:
    """Each name has how often, when and on which line it was first seen."""
    drift = drift_in(tally_of("aura", "aura", "hologram", fields=("message.mood",)).drift(None, Way.ANEW))

    assert drift == {
        TYPES: {"aura": Oddity(2, 1_000, 1_000, 1), "hologram": Oddity(1, 1_000, 1_000, 3)},
        FIELDS: {"message.mood": Oddity(1, 1_000, 1_000, 1)},
    }


def test_nothing_odd_takes_no_room() -> None:
    """Most transcripts have nothing odd in them."""
    assert Tally(1).drift(None, Way.ANEW) == "{}"


AURA, OLD, NEW = Oddity(2, 1_000, 5_000, 1), Oddity(1, 1_000, 1_000, 2), Oddity(1, 5_000, 5_000, 3)


@pytest.mark.parametrize(
    ("way", "expected"),
    [
        (Way.ON, {"aura": AURA._replace(times=3), "old": OLD, "new": NEW}),
        (Way.ANEW, {"aura": AURA, "new": NEW}),
        (Way.PARTLY, {"aura": AURA, "old": OLD, "new": NEW}),
    ],
)
def test_readings_join(way: Way, expected: dict[str, Oddity]) -> None:
    """A log adds to what it had, a document says again all it has, and a database says again what has changed."""
    before = saved(tally_of("aura", "old"))

    drift = drift_in(tally_of("aura", "aura", "new", at_ms=5_000).drift(before, way))

    assert drift[TYPES] == expected


def test_records_that_could_not_be_used_join_likewise() -> None:
    """Malformed records are added, replaced or compared, as types are."""
    before = replace(PLACE, malformed=5)
    tally = Tally(1)
    for _ in range(3):
        tally.skip(Skipped(line=1, reason="not valid JSON"))

    assert [tally.malformed_in_all(before, way) for way in Way] == [8, 3, 5]


def test_names_are_bounded() -> None:
    """A record that is a map with names of its own fills nothing: the rest is counted together, and names are cut."""
    many = [f"name-{number}" for number in range(500)]

    first = saved(tally_of(*many, "x" * 10_000))
    second = saved(tally_of(*(f"other-{number}" for number in range(500))), first, Way.ON)

    for place in (first, second):
        names = drift_in(place.drift)[TYPES]
        assert len(names) <= MOST_NAMES + 1
        assert max(map(len, names)) <= LONGEST_NAME
        assert OTHERS in names
    assert sum(one.times for one in drift_in(second.drift)[TYPES].values()) == 501 + 500


def test_a_secret_that_is_a_name_is_not_kept() -> None:
    """Some maps have secrets for keys."""
    key = "sk-ant-api03-" + "Ab1" * 30

    assert "Ab1Ab1" not in tally_of(fields=(f"env.{key}",)).drift(None, Way.ANEW)


@given(st.lists(st.text(max_size=100)), st.sampled_from(Way))
def test_any_name_can_be_saved_and_read_again(names: list[str], way: Way) -> None:
    """Names are any text; what was saved is read again, and nothing is lost from the sum."""
    first = saved(tally_of(*names))
    again = saved(tally_of(*names), first, way)

    total = sum(one.times for one in drift_in(first.drift).get(TYPES, {}).values())
    assert total == sum(map(bool, names))
    assert sum(one.times for one in drift_in(again.drift).get(TYPES, {}).values()) == total * (
        2 if way is Way.ON else 1
    )


@pytest.mark.parametrize("text", ["", "null", "[]", '{"types": 3}', '{"types": {"a": 1}}', '{"types": {"a": ["x"]}}'])
def test_what_is_no_drift_is_none(text: str) -> None:
    """A column that somebody else wrote to stops no report."""
    assert not any(drift_in(text).values())


def test_drift_is_plain_json() -> None:
    """Numbers, texts and lists: what both databases can hold, and people can read."""
    assert json.loads(tally_of("aura").drift(None, Way.ANEW)) == {"types": {"aura": [1, 1_000, 1_000, 1]}}
