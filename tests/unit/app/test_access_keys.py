"""Keys: shown once, kept as digests, good until they are rotated, revoked or over."""

import re
import stat
from collections.abc import Iterator
from datetime import timedelta
from pathlib import Path

import pytest
from hypothesis import example, given
from hypothesis import strategies as st

from noctuary.access import Caller, Scope
from noctuary.app import Memory
from noctuary.app.access_keys import (
    AUDIT_DAYS,
    MadeKey,
    Refused,
    audits_of,
    caller_of,
    digest_of,
    forget_audits,
    keep_audits,
    keys_of,
    make_key,
    new_audit_id,
    refusals_of,
    revoke_key,
    rotate_key,
    server_token,
    state_of,
)
from noctuary.errors import BadInput, BadSettings, NotFound
from noctuary.settings import Settings
from noctuary.store.access import Audit
from noctuary.testing import FakeClock
from tests.databases import url_of
from tests.unit.importing.machine import open_memory

READ = frozenset({Scope.READ})
HOUR_MS = 3_600_000


def opened(folder: Path, owner: str) -> Memory:
    """An owner's memory in the folder, on whichever database."""
    settings = Settings(home=folder, owner=owner, user_home=folder, environ={}, database_url=url_of(folder))
    return Memory.from_settings(settings, FakeClock())


@pytest.fixture
def memory(tmp_path: Path, database: str) -> Iterator[Memory]:
    with opened(tmp_path / "memory", "ana") as anas:
        yield anas


@pytest.fixture
def ben(tmp_path: Path, memory: Memory) -> Iterator[Memory]:
    """Another owner's memory in the same database."""
    with opened(tmp_path / "memory", "ben") as bens:
        yield bens


def clock(memory: Memory) -> FakeClock:
    """The memory's clock, to be set."""
    assert isinstance(memory.clock, FakeClock)
    return memory.clock


def made(memory: Memory, **more: object) -> MadeKey:
    """A key to read."""
    return make_key(memory, "laptop", READ, **more)  # type: ignore[arg-type]


def test_a_key_says_whose_it_is_and_what_for(memory: Memory, ben: Memory) -> None:
    """Owner, project and scopes come from the key, whoever's memory is asked."""
    key = make_key(memory, "ci", {Scope.READ, Scope.DREAM}, project="/home/ana/code/shop")

    assert caller_of(ben, key.text) == Caller(
        "ana", frozenset({Scope.READ, Scope.DREAM}), "/home/ana/code/shop", key.key.id
    )


def test_a_key_can_be_read_aloud_and_selected_by_a_click(memory: Memory) -> None:
    """It is `nk_`, its id and 256 bits, in small letters and digits."""
    key = made(memory)

    assert re.fullmatch(r"nk_[a-z2-7]{10}_[a-z2-7]{52}", key.text)
    assert key.text.split("_")[1] == key.key.id
    assert made(memory).text != key.text


@pytest.mark.of_files
def test_the_key_itself_is_kept_nowhere(memory: Memory, tmp_path: Path) -> None:
    """Who reads the database cannot come in with what is there."""
    key = made(memory)
    secret = key.text.split("_")[2]
    memory.close()

    kept = b"".join(path.read_bytes() for path in tmp_path.rglob("*") if path.is_file())
    assert secret.encode() not in kept


def test_a_digest_is_no_key(memory: Memory) -> None:
    """What is kept cannot be shown in the place of what was digested."""
    key = made(memory)
    digest = digest_of(key.text.split("_")[2]).hex()

    assert caller_of(memory, f"nk_{key.key.id}_{digest}") is Refused.UNKNOWN
    assert caller_of(memory, f"nk_{key.key.id}_{digest[:52]}") is Refused.UNKNOWN


@given(st.text() | st.from_regex(r"nk_[a-z2-7]{10}_[a-z2-7]{52}", fullmatch=True))
@example("")
@example("nk__")
@example("nk_abcdefghij_" + "a" * 52 + "\n")
@example("nk_abcdefghij_" + "ａ" * 52)
@example("\0" * 66)
@example("nk_abcdefghij_" + "a" * 1_000_000)
def test_what_is_no_key_is_unknown(tmp_path_factory: pytest.TempPathFactory, text: str) -> None:
    """Whatever somebody sends: it is unknown, and never an error."""
    folder = tmp_path_factory.getbasetemp() / "keyless"
    with open_memory(folder, folder) as memory:
        assert caller_of(memory, text) is Refused.UNKNOWN


def test_every_wrong_letter_counts(memory: Memory) -> None:
    """A key with one letter changed, left out or added is no key, and the same goes for its case."""
    text = made(memory).text
    changed = [text[:at] + ("a" if text[at] != "a" else "b") + text[at + 1 :] for at in range(3, len(text))]

    for wrong in (*changed, text[:-1], text + "a", text.upper(), f" {text}", f"{text}\n", f"{text}\0", text[3:]):
        assert caller_of(memory, wrong) is Refused.UNKNOWN, wrong


def test_the_secret_of_one_key_opens_no_other(memory: Memory, ben: Memory) -> None:
    """An id and somebody else's secret are nothing."""
    anas, bens = made(memory).text.split("_"), made(ben).text.split("_")

    assert caller_of(memory, f"nk_{anas[1]}_{bens[2]}") is Refused.UNKNOWN


def test_a_key_ends_in_the_millisecond_it_says(memory: Memory) -> None:
    """One before, it is good."""
    key = made(memory, lives_ms=1000)

    clock(memory).advance(timedelta(milliseconds=999))
    assert isinstance(caller_of(memory, key.text), Caller)
    clock(memory).advance(timedelta(milliseconds=1))
    assert caller_of(memory, key.text) is Refused.EXPIRED
    assert state_of(keys_of(memory)[0], memory.clock.now_ms()) == "expired"


def test_a_revoked_key_is_over_at_once(memory: Memory) -> None:
    """By its id, or the whole key as it was found; a second time changes nothing."""
    key = made(memory)

    assert revoke_key(memory, key.text).revoked_ms == memory.clock.now_ms()
    assert caller_of(memory, key.text) is Refused.REVOKED
    clock(memory).advance(timedelta(hours=1))
    assert revoke_key(memory, key.key.id).revoked_ms == memory.clock.now_ms() - HOUR_MS


def test_why_a_key_is_not_good_is_told_to_whoever_has_it(memory: Memory) -> None:
    """Who knows only the id of a revoked key learns nothing about it."""
    key = made(memory)
    revoke_key(memory, key.key.id)

    assert caller_of(memory, f"nk_{key.key.id}_{'a' * 52}") is Refused.UNKNOWN


def test_a_rotated_key_is_good_until_its_grace_is_over(memory: Memory) -> None:
    """Meanwhile both are, and the new one is for the same."""
    old = make_key(memory, "ci", {Scope.WRITE}, project="/home/ana/code/shop")

    new = rotate_key(memory, old.key.id, grace_ms=HOUR_MS)

    callers = [caller_of(memory, each.text) for each in (old, new)]
    assert all(isinstance(each, Caller) for each in callers)
    assert callers[1] == Caller("ana", frozenset({Scope.WRITE}), "/home/ana/code/shop", new.key.id)
    clock(memory).advance(timedelta(hours=1))
    assert caller_of(memory, old.text) is Refused.EXPIRED
    assert isinstance(caller_of(memory, new.text), Caller)
    states = {each.id: state_of(each, memory.clock.now_ms()) for each in keys_of(memory)}
    assert states == {old.key.id: "rotated", new.key.id: "good"}


def test_grace_may_be_none(memory: Memory) -> None:
    """A key that leaked ends with the making of the next."""
    old = made(memory)

    rotate_key(memory, old.text, grace_ms=0)

    assert caller_of(memory, old.text) is Refused.EXPIRED


def test_a_rotated_key_lives_as_long_as_the_first_was_made_for(memory: Memory) -> None:
    """One of thirty days is followed by one of thirty days, from then on."""
    now = memory.clock.now_ms()
    old = made(memory, lives_ms=30 * HOUR_MS)
    clock(memory).advance(timedelta(hours=29))

    new = rotate_key(memory, old.key.id, grace_ms=5 * HOUR_MS)

    assert new.key.expires_ms == now + 59 * HOUR_MS
    assert {each.id: each.expires_ms for each in keys_of(memory)}[old.key.id] == now + 30 * HOUR_MS


def test_a_key_that_is_not_good_is_not_rotated(memory: Memory) -> None:
    """Neither revoked nor rotated before; and no key is left behind."""
    revoked, rotated = made(memory), made(memory)
    revoke_key(memory, revoked.key.id)
    rotate_key(memory, rotated.key.id, grace_ms=HOUR_MS)

    with pytest.raises(BadInput, match="revoked"):
        rotate_key(memory, revoked.key.id, grace_ms=0)
    with pytest.raises(BadInput, match="followed by"):
        rotate_key(memory, rotated.key.id, grace_ms=0)
    assert len(keys_of(memory)) == 3


@pytest.mark.parametrize("named", ["abcdefghij", "", "nk_", "\0", "%", "a' or 1=1"])
def test_a_key_that_is_not_there_is_not_found(memory: Memory, named: str) -> None:
    """Whatever is named."""
    with pytest.raises(NotFound, match="key list"):
        revoke_key(memory, named)


def test_another_owners_key_is_not_found(memory: Memory, ben: Memory) -> None:
    """It is neither revoked nor rotated nor listed, and nobody learns that it is there."""
    key = made(memory)

    for verb in (revoke_key, lambda who, named: rotate_key(who, named, grace_ms=0)):
        with pytest.raises(NotFound, match="You have no key"):
            verb(ben, key.key.id)
    with pytest.raises(NotFound):
        audits_of(ben, key=key.key.id)
    assert keys_of(ben) == []
    assert isinstance(caller_of(ben, key.text), Caller)


@pytest.mark.parametrize(
    ("name", "scopes", "more"),
    [
        ("", READ, {}),
        (" \n", READ, {}),
        ("x" * 101, READ, {}),
        ("laptop", frozenset(), {}),
        ("laptop", READ, {"lives_ms": 0}),
        ("laptop", READ, {"project": ""}),
        ("laptop", READ, {"project": "x" * 4_001}),
    ],
)
def test_a_key_makes_sense(memory: Memory, name: str, scopes: frozenset[Scope], more: dict[str, object]) -> None:
    """It has a name, is for something, and does not end before it begins."""
    with pytest.raises(BadInput):
        make_key(memory, name, scopes, **more)  # type: ignore[arg-type]
    assert keys_of(memory) == []


def test_use_is_noted_with_the_log(memory: Memory) -> None:
    """What was asked is kept, and with it when the key was used last."""
    key, now = made(memory).key, memory.clock.now_ms()
    audits = [Audit("ana", new_audit_id("", now), now, key.id, "GET", "/sessions", 200)]

    keep_audits(memory, audits)

    assert audits_of(memory) == audits_of(memory, key=key.id) == audits
    assert keys_of(memory)[0].used_ms == now


def test_the_log_forgets_what_is_old(memory: Memory) -> None:
    """It is no diary."""
    now = memory.clock.now_ms()
    keep_audits(memory, [Audit("ana", "1", now, "", "GET", "/sessions", 200)])

    clock(memory).advance(timedelta(days=AUDIT_DAYS))
    forget_audits(memory)
    assert len(audits_of(memory)) == 1
    clock(memory).advance(timedelta(milliseconds=1))
    forget_audits(memory)
    assert audits_of(memory) == []


def test_those_who_were_not_let_in_are_in_a_log_of_their_own(tmp_path: Path, memory: Memory) -> None:
    """They are nobody's, and in nobody's log."""
    refused = Audit("", "1", memory.clock.now_ms(), "", "GET", "/sessions", 401)
    with opened(tmp_path / "memory", "") as nobody:
        keep_audits(nobody, [refused])

    assert refusals_of(memory) == [refused]
    assert audits_of(memory) == []


def test_ids_of_the_log_grow(memory: Memory) -> None:
    """Also within a millisecond."""
    first = new_audit_id("", memory.clock.now_ms())

    assert new_audit_id(first, memory.clock.now_ms()) > first


def settings(home: Path, **environ: str) -> Settings:
    """Settings of a server in a folder."""
    return Settings(home=home, owner="ana", user_home=home, environ=environ)


def test_a_token_stays_the_same(tmp_path: Path) -> None:
    """The server that is started next has the same one, in a file that nobody else can read."""
    token = server_token(settings(tmp_path / "memory"))

    assert re.fullmatch(r"[a-z2-7]{52}", token)
    assert server_token(settings(tmp_path / "memory")) == token
    assert stat.S_IMODE((tmp_path / "memory" / "server.token").stat().st_mode) == 0o600


def test_a_token_that_others_can_read_is_refused(tmp_path: Path) -> None:
    """It may be known already."""
    server_token(settings(tmp_path))
    (tmp_path / "server.token").chmod(0o644)

    with pytest.raises(BadSettings, match="Others can read"):
        server_token(settings(tmp_path))


def test_the_environment_may_say_the_token(tmp_path: Path) -> None:
    """Then no file is made."""
    assert server_token(settings(tmp_path, NOCTUARY_TOKEN="a-token-of-my-own")) == "a-token-of-my-own"
    assert list(tmp_path.iterdir()) == []


@pytest.mark.parametrize("token", ["short", "with a space in it", "ünder-umlauten-allein", "x" * 15, "a\0" * 20])
def test_a_token_that_is_too_easy_or_no_word_is_refused(tmp_path: Path, token: str) -> None:
    """It must stand in an address, a header and a cookie as it is."""
    with pytest.raises(BadSettings, match="one word of at least 16"):
        server_token(settings(tmp_path, NOCTUARY_TOKEN=token))


def test_a_token_file_that_was_emptied_is_refused(tmp_path: Path) -> None:
    """An empty token would let everybody in."""
    (tmp_path / "server.token").touch(mode=0o600)

    with pytest.raises(BadSettings, match=r"server\.token must be"):
        server_token(settings(tmp_path))
