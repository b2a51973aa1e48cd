"""Keys and what was done with them, as the database keeps them."""

from collections.abc import Callable, Iterator
from contextlib import ExitStack
from pathlib import Path

import pytest

from noctuary.access import Scope
from noctuary.store.access import MINUTE_MS, AccessKeys, ApiKey, Audit, AuditLog
from noctuary.store.database import Database
from tests.databases import store_in

NOW = 1_772_366_400_000
DIGEST = bytes(range(32))
KEY = ApiKey("ana", "abcdefghij", "laptop", None, frozenset({Scope.READ, Scope.WRITE}), NOW)
Open = Callable[[str], Database]


@pytest.fixture
def opened(tmp_path: Path, database: str) -> Iterator[Open]:
    """The database of one memory, as each owner's store opens it."""
    with ExitStack() as stack:

        def of(owner: str) -> Database:
            store = store_in(tmp_path / "memory", owner)
            stack.callback(store.close)
            return store.database

        yield of


@pytest.fixture
def keys(opened: Open) -> AccessKeys:
    return AccessKeys(opened("ana"))


@pytest.fixture
def log(opened: Open) -> AuditLog:
    return AuditLog(opened("ana"))


def found(keys: AccessKeys, key_id: str = KEY.id) -> ApiKey:
    """The key, which must be there."""
    row = keys.find(key_id)
    assert row is not None
    return row[0]


def entry(number: int, key_id: str = "", at_ms: int = NOW) -> Audit:
    """An entry of ana's log."""
    return Audit("ana", f"{number:05}", at_ms, key_id, "GET", "/sessions/{id}", 200)


def test_a_key_is_found_as_it_was_added(keys: AccessKeys) -> None:
    """Every field comes back, and the digest byte by byte."""
    key = KEY._replace(project="/home/ana/code/shop", expires_ms=NOW + 1)

    keys.add(key, DIGEST)

    assert keys.find(key.id) == (key, DIGEST)
    assert keys.of("ana") == [key]


def test_a_key_is_found_from_any_owners_store(keys: AccessKeys, opened: Open) -> None:
    """Whose a key is, is what one wants to know: the store of nobody finds it, and so does another's."""
    keys.add(KEY, DIGEST)

    assert AccessKeys(opened("")).find(KEY.id) == (KEY, DIGEST)
    assert AccessKeys(opened("ben")).find(KEY.id) == (KEY, DIGEST)


def test_what_is_not_there_is_not_found(keys: AccessKeys) -> None:
    """An id that nobody has finds nothing, and neither does half of one."""
    keys.add(KEY, DIGEST)

    assert keys.find("zzzzzzzzzz") is None
    assert keys.find(KEY.id[:5]) is None
    assert keys.find("") is None


def test_other_owners_change_nothing(keys: AccessKeys, opened: Open) -> None:
    """Another owner lists, revokes, replaces and uses none of ana's keys."""
    keys.add(KEY, DIGEST)
    bens = AccessKeys(opened("ben"))

    assert bens.of("ben") == []
    assert not bens.revoke("ben", KEY.id, NOW)
    assert not bens.replace(KEY._replace(owner="ben"), "klmnopqrst", now_ms=NOW, until_ms=NOW)
    bens.note_use("ben", KEY.id, NOW)
    assert found(keys) == KEY


def test_a_key_is_revoked_once(keys: AccessKeys) -> None:
    """The time at which it was revoked first stays."""
    keys.add(KEY, DIGEST)

    assert keys.revoke("ana", KEY.id, NOW + 1)
    assert not keys.revoke("ana", KEY.id, NOW + 2)
    assert found(keys).revoked_ms == NOW + 1


@pytest.mark.parametrize(
    ("expires", "until", "ends"),
    [(None, NOW + 10, NOW + 10), (NOW + 5, NOW + 10, NOW + 5), (NOW + 20, NOW + 10, NOW + 10)],
)
def test_a_replaced_key_ends_with_its_grace_at_the_latest(
    keys: AccessKeys, expires: int | None, until: int, ends: int
) -> None:
    """Grace gives no key more time than it had."""
    keys.add(KEY._replace(expires_ms=expires), DIGEST)

    assert keys.replace(KEY, "klmnopqrst", now_ms=NOW, until_ms=until)
    assert found(keys).expires_ms == ends
    assert found(keys).replaced_by == "klmnopqrst"


def test_only_one_key_follows_another(keys: AccessKeys) -> None:
    """Of two who rotate a key at once, one is told that it was done."""
    keys.add(KEY, DIGEST)

    assert keys.replace(KEY, "klmnopqrst", now_ms=NOW, until_ms=NOW + 10)
    assert not keys.replace(KEY, "uvwxyzabcd", now_ms=NOW, until_ms=NOW + 10)
    assert found(keys).replaced_by == "klmnopqrst"


@pytest.mark.parametrize("ended", [{"revoked_ms": NOW}, {"expires_ms": NOW}])
def test_no_key_follows_one_that_has_ended(keys: AccessKeys, ended: dict[str, int]) -> None:
    """Who finds an old key cannot make a good one of it."""
    keys.add(KEY._replace(expires_ms=ended.get("expires_ms")), DIGEST)
    if "revoked_ms" in ended:
        keys.revoke("ana", KEY.id, NOW)

    assert not keys.replace(KEY, "klmnopqrst", now_ms=NOW, until_ms=NOW + 10)


def test_use_is_noted_once_a_minute(keys: AccessKeys) -> None:
    """A key that is used all the time is not written to all the time."""
    keys.add(KEY, DIGEST)

    keys.note_use("ana", KEY.id, NOW)
    keys.note_use("ana", KEY.id, NOW + MINUTE_MS - 1)
    assert found(keys).used_ms == NOW

    keys.note_use("ana", KEY.id, NOW + MINUTE_MS)
    assert found(keys).used_ms == NOW + MINUTE_MS


def test_two_keys_never_have_one_id(keys: AccessKeys, opened: Open) -> None:
    """Not even those of two owners: else one of them would come in as the other."""
    keys.add(KEY, DIGEST)

    with pytest.raises(Exception, match=r"(?i)unique"):
        AccessKeys(opened("ben")).add(KEY._replace(owner="ben"), bytes(32))


def test_the_log_shows_the_newest_first(log: AuditLog) -> None:
    """All of an owner's, or of one key."""
    log.add([entry(1), entry(2, "abcdefghij"), entry(3)])

    assert [each.id for each in log.newest("ana", most=2)] == ["00003", "00002"]
    assert log.newest("ana", key_id="abcdefghij", most=9) == [entry(2, "abcdefghij")]
    assert log.newest("ben", most=9) == []


def test_the_log_has_a_bound_in_age(log: AuditLog) -> None:
    """What is older than it may be goes, what is as old stays."""
    log.add([entry(1, at_ms=NOW - 1), entry(2, at_ms=NOW)])

    log.forget("ana", before_ms=NOW, most=10)

    assert log.newest("ana", most=9) == [entry(2, at_ms=NOW)]


def test_the_log_has_a_bound_in_rows(log: AuditLog) -> None:
    """The oldest beyond so many go; as many as may be stay."""
    log.add([entry(number) for number in range(5)])

    log.forget("ana", before_ms=0, most=5)
    assert len(log.newest("ana", most=9)) == 5

    log.forget("ana", before_ms=0, most=3)
    assert [each.id for each in log.newest("ana", most=9)] == ["00004", "00003", "00002"]
