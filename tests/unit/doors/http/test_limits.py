"""How often, and how much at a time."""

from collections.abc import Iterator
from datetime import timedelta
from pathlib import Path

import pytest
from hypothesis import given
from hypothesis import strategies as st

from noctuary.doors.http.limits import MOST_KNOWN, Buckets, network_of
from noctuary.server_settings import ServerSettings
from noctuary.testing import FakeClock
from tests.unit.doors.http.guarded import TOKEN, Guarded, guarded

MOST = 1_000


@pytest.fixture
def clock() -> FakeClock:
    return FakeClock()


def test_a_bucket_holds_a_minutes_worth(clock: FakeClock) -> None:
    """Then one is given for each part of a minute that goes by."""
    buckets = Buckets(2, clock)

    assert [buckets.take("a") for _ in range(3)] == [0, 0, 30]
    clock.advance(timedelta(seconds=29))
    assert buckets.take("a") == 1
    clock.advance(timedelta(seconds=1))
    assert [buckets.take("a"), buckets.take("a")] == [0, 30]


def test_each_has_a_bucket_of_their_own(clock: FakeClock) -> None:
    """Who asks a lot takes nothing from others."""
    buckets = Buckets(1, clock)

    assert [buckets.take("a"), buckets.take("a"), buckets.take("b")] == [0, 60, 0]


def test_a_bucket_does_not_overflow(clock: FakeClock) -> None:
    """Who was away for a day may not ask a day's worth at once."""
    buckets = Buckets(2, clock)
    buckets.take("a")
    clock.advance(timedelta(days=1))

    assert [buckets.take("a") for _ in range(3)] == [0, 0, 30]


def test_a_clock_that_is_set_back_gives_and_takes_nothing(clock: FakeClock) -> None:
    """Nobody waits for the hour to come again."""
    buckets = Buckets(1, clock)
    buckets.take("a")
    clock.advance(timedelta(hours=-1))

    assert buckets.take("a") == 60
    clock.advance(timedelta(minutes=1))
    assert buckets.take("a") == 0


@given(st.integers(1, 5_000), st.lists(st.integers(0, 30_000), max_size=60))
def test_nobody_gets_more_than_their_share(per_minute: int, waits_ms: list[int]) -> None:
    """However the requests fall: a full bucket, and what has run in since; and who waits as told is let in."""
    clock = FakeClock()
    buckets = Buckets(per_minute, clock)
    given_out = 0
    for wait in waits_ms:
        clock.advance(timedelta(milliseconds=wait))
        seconds = buckets.take("a")
        given_out += seconds == 0
        if seconds:
            clock.advance(timedelta(seconds=seconds))
            assert buckets.take("a") == 0
            return

    assert given_out <= per_minute + sum(waits_ms) * per_minute / 60_000 + 1e-6


def test_strangers_do_not_fill_the_memory(clock: FakeClock) -> None:
    """Those who asked last are known, the others forgotten."""
    buckets = Buckets(1, clock)
    buckets.take("first")
    for number in range(MOST_KNOWN - 1):
        buckets.take(f"address {number}")
    assert buckets.take("first") == 60
    buckets.take("one more")  # in the place of whoever asked longest ago
    assert buckets.take("first") == 60
    assert buckets.take("address 0") == 0

    for number in range(MOST_KNOWN):
        buckets.take(f"other {number}")
    assert buckets.take("first") == 0


@pytest.mark.parametrize(
    ("address", "network"),
    [
        ("192.168.0.7", "192.168.0.7"),
        ("2001:db8:1:2:3:4:5:6", "2001:db8:1:2::/64"),
        ("2001:db8:1:2:ffff::1", "2001:db8:1:2::/64"),
        ("::ffff:10.0.0.1", "10.0.0.1"),
        ("fe80::1%eth0", "fe80::/64"),
        ("testclient", "testclient"),
        ("", ""),
    ],
)
def test_who_has_a_whole_network_counts_once(address: str, network: str) -> None:
    """Of the new addresses everybody has more than can be counted."""
    assert network_of(address) == network


@pytest.fixture(scope="module")
def door(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Guarded]:
    with guarded(tmp_path_factory.mktemp("limits"), ServerSettings(most_body_bytes=MOST)) as made:
        yield made


def post(door: Guarded, content: object, **headers: str) -> int:
    """The status of a request with this body."""
    named = {"authorization": f"Bearer {TOKEN}", **{name.replace("_", "-"): value for name, value in headers.items()}}
    answer = door.client().post("/api/v1/things", content=content, headers=named)  # type: ignore[arg-type]
    if answer.status_code == 413:
        assert answer.headers["content-type"] == "application/problem+json"
        assert "1,000 bytes" in answer.json()["detail"]
        assert answer.headers["x-content-type-options"] == "nosniff"
    return answer.status_code


def pieces(size: int) -> Iterator[bytes]:
    """A body that does not say how long it is."""
    for _ in range(size // 100):
        yield b"x" * 100
    yield b"x" * (size % 100)


def test_a_body_may_be_as_long_as_it_may_be(door: Guarded) -> None:
    """And not a byte longer."""
    assert post(door, b"x" * MOST) == 200
    assert post(door, b"x" * (MOST + 1)) == 413


def test_a_body_that_does_not_say_its_length_is_counted(door: Guarded) -> None:
    """It is cut off when it is too long, wherever the pieces end."""
    assert post(door, pieces(MOST)) == 200
    assert post(door, pieces(MOST + 1)) == 413
    assert post(door, pieces(50 * MOST)) == 413


@pytest.mark.parametrize("length", ["1001", "9" * 18, "9" * 400, "9" * 5_000])
def test_a_length_that_is_told_is_believed(door: Guarded, length: str) -> None:
    """Such a request is refused before anybody is given a byte of it."""
    assert post(door, b"", content_length=length) == 413


@pytest.mark.parametrize("length", ["-1", "1e9", "²", "0x10", ""])
def test_a_length_that_is_none_is_not_believed(door: Guarded, length: str) -> None:
    """What comes is counted all the same."""
    named = {"authorization": f"Bearer {TOKEN}", "content-length": length.encode()}
    answer = door.client().post("/api/v1/things", content=b"x" * (MOST + 1), headers=named)  # type: ignore[arg-type]

    assert answer.status_code == 413


def test_who_is_not_known_cannot_send_much_either(tmp_path: Path) -> None:
    """The limit is asked before the key."""
    with guarded(tmp_path, ServerSettings(most_body_bytes=MOST)) as door:
        assert door.client().post("/api/v1/things", content=b"x" * (MOST + 1)).status_code == 413
