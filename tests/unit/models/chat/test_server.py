"""What a server's failures mean."""

from datetime import UTC, datetime, timedelta
from email.utils import format_datetime

import pytest

from noctuary.errors import BadSettings, ModelError, ModelMissing
from noctuary.models.chat.model import NoAnswer, Passing, TooLong
from noctuary.models.chat.server import NotTaken, Server, counted, read_answer, refusal
from noctuary.models.deadline import Deadline

KEY = "sk-very-secret-key"
PLACE = Server("https://host.example/v1", "some-model", KEY, "SOME_KEY", "openai", 5.0)


def said(message: object, **more: object) -> object:
    return {"error": {"message": message, **more}}


@pytest.mark.parametrize(
    ("status", "body", "kind", "advice"),
    [
        (400, said("bad field"), NotTaken, "bad field. Check"),
        (400, said("prompt is too long: 300000 tokens"), TooLong, "less at a time"),
        (400, said("This model's maximum context length is 8192 tokens"), TooLong, "less at a time"),
        (401, said("who are you"), ModelMissing, "Set SOME_KEY"),
        (403, said("not you"), ModelMissing, "Set SOME_KEY"),
        (402, said("pay first"), NoAnswer, "account"),
        (404, said("no such model"), ModelMissing, "some-model"),
        (404, said("No endpoints found that support these parameters"), NotTaken, "some-model"),
        (413, None, TooLong, "less at a time"),
        (429, said("slow down"), Passing, "is busy or has a fault (HTTP status 429): slow down. Try again later."),
        (429, said("pay first", code="insufficient_quota"), NoAnswer, "account"),
        (500, "oh no", Passing, "later"),
        (503, {"error": "loading the model"}, Passing, "loading the model"),
        (529, said("Overloaded"), Passing, "Overloaded"),
        (307, None, NoAnswer, "another address"),
        (418, ["tea"], NotTaken, "Check"),
    ],
)
def test_a_status_says_what_to_do(status: int, body: object, kind: type[ModelError], advice: str) -> None:
    """What passes, what is too long, what is missing and what is not taken are told apart."""
    found = refusal(PLACE, status, {}, body)

    assert type(found) is kind
    assert advice in str(found)
    assert str(found).startswith("host.example/v1 ")


@pytest.mark.parametrize("status", [400, 401, 402, 404, 413, 429, 500])
def test_no_key_is_shown(status: int) -> None:
    """Servers like to repeat what they were sent."""
    assert KEY not in str(refusal(PLACE, status, {}, said(f"Incorrect API key provided: {KEY}")))


def test_long_complaints_are_cut() -> None:
    """A page instead of a message does not fill the screen."""
    assert len(str(refusal(PLACE, 500, {}, said("x" * 100_000)))) < 400


@pytest.mark.parametrize(
    ("headers", "wait"),
    [
        ({}, None),
        ({"retry-after": "12"}, 12.0),
        ({"retry-after-ms": "1500", "retry-after": "2"}, 1.5),
        ({"retry-after": "soon"}, None),
        ({"retry-after-ms": "soon"}, None),
        ({"retry-after": format_datetime(datetime(1990, 1, 1, tzinfo=UTC), usegmt=True)}, 0.0),
    ],
)
def test_how_long_to_wait_is_read(headers: dict[str, str], wait: float | None) -> None:
    """In seconds, in milliseconds, or as a date; nonsense is nothing."""
    found = refusal(PLACE, 429, headers, None)

    assert isinstance(found, Passing)
    assert found.wait == wait


def test_a_date_to_come_is_waited_for() -> None:
    """A date is as far away as it is."""
    later = format_datetime(datetime.now(UTC) + timedelta(hours=1), usegmt=True)
    found = refusal(PLACE, 503, {"retry-after": later}, None)

    assert isinstance(found, Passing)
    assert 3_000 < (found.wait or 0) <= 3_600


@pytest.mark.parametrize(
    "url",
    ["", "host/v1", "ftp://host/v1", "http://", "http://user:pass@host/v1", "http://[::1", "http://host:99999999/"],
)
def test_only_addresses_are_taken(url: str) -> None:
    """What is no address, or has a password in it, is refused before anything is sent."""
    with pytest.raises(BadSettings, match="http://localhost:11434/v1"):
        PLACE._replace(url=url).checked()


@pytest.mark.parametrize("key", ["sk-a\nX-Other: b", "sk-ä", "two words"])
def test_a_key_that_is_none_is_refused_and_not_shown(key: str) -> None:
    """A key with characters that would break the request is told by its name."""
    with pytest.raises(BadSettings, match="SOME_KEY") as caught:
        PLACE._replace(key=key).checked()

    assert key not in str(caught.value)


def test_an_address_is_shown_without_what_may_be_secret() -> None:
    """Parameters are not repeated."""
    assert str(PLACE._replace(url="https://host:8443/v1/?key=secret")) == "host:8443/v1"


@pytest.mark.parametrize("body", [b"", b"hello", b"[1]", b"\xff", b"[" * 100_000, b'{"a": 1'])
def test_what_is_no_object_is_strange(body: bytes) -> None:
    """It may be another server; it may also be a passing fault of one in between."""
    with pytest.raises(Passing, match="something else than") as caught:
        read_answer(PLACE, [body], Deadline(5.0))

    assert caught.value.used is None


def test_who_drips_is_late() -> None:
    """A byte now and then does not make an answer come in time."""
    with pytest.raises(TimeoutError):
        read_answer(PLACE, [b" "], Deadline(0.0))


@pytest.mark.parametrize(
    ("answer", "count"),
    [
        ({"usage": {"a": 1, "b": 2}}, 3),
        ({"usage": {"a": 1, "b": None}}, 1),
        ({"usage": {"a": 0}}, 0),
        ({"usage": {"a": -1}}, None),
        ({"usage": {}}, None),
        ({"usage": []}, None),
        ({}, None),
    ],
)
def test_what_is_not_counted_is_not_known(answer: dict[str, object], count: int | None) -> None:
    """Some servers do not say how many tokens it were."""
    assert counted(answer, "a", "b") == count
