"""What is noted of a request, when, and what is not."""

import json
from collections.abc import Iterator
from contextlib import closing
from datetime import timedelta
from pathlib import Path

import apsw
import pytest

from noctuary.app.access_keys import audits_of, keys_of, refusals_of
from noctuary.app.house import House
from noctuary.doors.http.auditing import MOST_WAITING, AuditTrail
from noctuary.doors.http.guarding import FAILURES_PER_MINUTE
from noctuary.doors.logging_lines import LogLines
from noctuary.settings import Settings
from noctuary.store.access import Audit
from noctuary.testing import FakeClock
from tests.unit.doors.http.guarded import TOKEN, Guarded, KeptLog, guarded

pytestmark = pytest.mark.slow

WRONG = "nk_abcdefghij_" + "a" * 52


@pytest.fixture
def door(tmp_path: Path) -> Iterator[Guarded]:
    with guarded(tmp_path) as made:
        yield made


def noted(door: Guarded, owner: str = "ana") -> list[tuple[str, str, str, int]]:
    """Key, verb, path and status of each entry of an owner, the oldest first; "" are those who were not let in."""
    door.guard.trail.write()
    with door.house.memory(owner or "ana") as memory:
        found = audits_of(memory) if owner else refusals_of(memory)
    return [(each.key_id, each.verb, each.path, each.status) for each in reversed(found)]


def test_a_request_is_noted_by_its_route(door: Guarded) -> None:
    """With the names of what was asked for in the place of it, below the owner that the key is for."""
    key = door.key(owner="ben")

    door.with_key(key, "/api/v1/things/private?q=private")
    door.with_key(key, "/api/v1/things", "POST")
    door.with_key(TOKEN)

    key_id = key.split("_")[1]
    assert noted(door, "ben") == [
        (key_id, "GET", "/api/v1/things/{name}", 200),
        (key_id, "POST", "/api/v1/things", 403),
    ]
    assert noted(door) == [("", "GET", "/api/v1/me", 200)]


def test_who_was_not_let_in_is_noted_too(door: Guarded) -> None:
    """As nobody, without what they tried."""
    door.with_key(WRONG)
    door.ask("/private-path")
    door.ask(host="evil.example")
    door.ask(f"/?token={WRONG}")

    assert noted(door, "") == [
        ("", "GET", "/api/v1/me", 401),
        ("", "GET", "", 404),
        ("", "GET", "", 421),
        ("", "GET", "/enter", 401),
    ]


def test_coming_in_by_a_browser_is_noted(door: Guarded) -> None:
    """With whom the key is for."""
    door.ask(f"/?token={TOKEN}")
    door.client().post("/leave")

    assert noted(door) == [("", "GET", "/enter", 303)]
    assert noted(door, "") == [("", "POST", "/leave", 303)]


def test_what_anybody_may_read_is_not_noted(door: Guarded) -> None:
    """How the page looks is no matter of anybody."""
    assert door.ask("/api/v1/open").status_code == 200

    assert noted(door, "") == []
    assert len(door.kept.lines) == 1


def test_who_tries_all_the_time_does_not_fill_the_log(door: Guarded) -> None:
    """Those who are told to wait are not noted any more."""
    for _ in range(FAILURES_PER_MINUTE + 5):
        door.with_key(WRONG)

    assert len(noted(door, "")) == FAILURES_PER_MINUTE


def test_a_verb_that_is_none_is_not_repeated(door: Guarded) -> None:
    """Whoever asks can write anything there."""
    door.with_key(TOKEN, "/api/v1/me", "PRIVATE-WORDS")

    assert noted(door, "") == [("", "OTHER", "/api/v1/me", 405)]
    assert "PRIVATE" not in door.kept.text


def test_use_of_a_key_is_noted_to_the_minute(door: Guarded) -> None:
    """Not with every request."""
    key, began = door.key(), door.clock.now_ms()

    def used() -> int | None:
        door.with_key(key)
        door.guard.trail.write()
        with door.house.memory("ana") as memory:
            return keys_of(memory)[0].used_ms

    assert used() == began
    door.clock.advance(timedelta(seconds=59))
    assert used() == began
    door.clock.advance(timedelta(seconds=1))
    assert used() == began + 60_000


def test_each_request_is_a_line_of_the_log(door: Guarded) -> None:
    """With how long it took, and no contents."""
    key = door.key()

    door.with_key(key, "/api/v1/things/private?q=private")

    line = json.loads(door.kept.lines[0])
    assert line.pop("seconds") >= 0
    assert line == {
        "time": "2026-03-01T12:00:00.000Z",
        "level": "info",
        "what": "request",
        "verb": "GET",
        "path": "/api/v1/things/{name}",
        "status": 200,
        "key": key.split("_")[1],
    }


def test_no_file_has_contents(door: Guarded, tmp_path: Path) -> None:
    """Neither a key nor the token nor what was asked for."""
    key = door.key()
    door.with_key(key, "/api/v1/things/private-name?q=private-words")
    door.with_key(TOKEN, "/private-path")
    door.guard.trail.close()
    door.house.close()

    kept = b"".join(path.read_bytes() for path in tmp_path.rglob("*") if path.is_file())
    for secret in (TOKEN, key.split("_")[2], "private"):
        assert secret.encode() not in kept


@pytest.fixture
def house(tmp_path: Path) -> Iterator[House]:
    settings = Settings(home=tmp_path, owner="ana", user_home=tmp_path, environ={}, busy_seconds=0.0)
    with closing(House(settings, FakeClock())) as made:
        yield made


def all_of(house: House) -> list[Audit]:
    """Ana's whole log, the oldest first."""
    with house.memory("ana") as memory:
        return audits_of(memory, most=2 * MOST_WAITING)[::-1]


def trail_of(house: House) -> tuple[AuditTrail, KeptLog]:
    """A trail that nobody started, and its log."""
    kept = KeptLog()
    return AuditTrail(house, LogLines(kept, house.clock)), kept


def test_the_trail_writes_at_its_end(house: House) -> None:
    """What was asked in the last second is not lost."""
    trail, _ = trail_of(house)
    trail.start()
    caller = Guarded.caller()

    trail.add(caller, "GET", "/last", 200)
    trail.close()

    assert [each.path for each in all_of(house)] == ["/last"]


def test_a_database_that_is_busy_gets_it_later(house: House, tmp_path: Path) -> None:
    """Nothing is lost, nothing comes twice, the order stays; and the log says why it waits."""
    trail, kept = trail_of(house)
    trail.add(Guarded.caller(), "GET", "/0", 200)
    trail.write()
    other = apsw.Connection(str(tmp_path / "noctuary.db"))
    other.execute("begin immediate")
    trail.add(Guarded.caller(), "GET", "/1", 200)

    trail.write()

    trail.add(Guarded.caller(), "GET", "/2", 200)
    other.execute("rollback")
    other.close()
    trail.write()
    trail.write()
    assert [each.path for each in all_of(house)] == ["/0", "/1", "/2"]
    assert json.loads(kept.lines[0])["failed"] == "StoreBusy"


def test_what_waits_has_a_bound(house: House) -> None:
    """The oldest are lost, and counted in the log."""
    trail, kept = trail_of(house)
    for number in range(MOST_WAITING + 3):
        trail.add(Guarded.caller(), "GET", f"/{number}", 200)

    trail.write()

    paths = [each.path for each in all_of(house)]
    assert (len(paths), paths[0]) == (MOST_WAITING, "/3")
    assert json.loads(kept.lines[0])["lost"] == 3
