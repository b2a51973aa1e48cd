"""Models behind an endpoint, on a real server."""

import json
import os
import subprocess
import sys
from collections.abc import Callable, Iterator
from datetime import UTC, datetime
from email.utils import format_datetime
from typing import Any

import pytest

from noctuary.errors import ModelDamaged, ModelError, ModelMissing, ModelUnreachable
from noctuary.models.endpoint import BATCH_TEXTS, MOST_CHARACTERS, EndpointEmbedder, Ways
from noctuary.models.hashing import HashingEmbedder
from noctuary.models.posting import Absent, Address, Patience, Poster
from tests.unit.models.building import np
from tests.unit.models.serving import HANG_UP, Asked, Dripping, Echoing, Reply, Server, Sipping, embeddings

pytestmark = pytest.mark.slow

KEY = "sk-very-secret"
MORE_THAN_FITS = 50_000_000  # bytes into what a system keeps of a connection that is not read


class Slept(list[float]):
    """Stands for sleeping: remembers how long, and does not."""

    def __call__(self, seconds: float) -> None:
        self.append(seconds)


def ways(sleep: Callable[[float], None], **patience: Any) -> Ways:
    patient = Patience(**{"timeout": 5.0, "retries": 3, "waiting": 20.0, **patience})
    return Ways(for_passages=patient, for_questions=patient, sleep=sleep)


def answering(*replies: Reply) -> Callable[[Asked], Reply]:
    """The replies one after another, then good ones."""
    left: Iterator[Reply] = iter(replies)
    return lambda asked: next(left, None) or embeddings(asked)


def data(*rows: object, **more: object) -> Reply:
    return Reply(json.dumps({"data": [{"index": n, "embedding": row, **more} for n, row in enumerate(rows)]}).encode())


def test_vectors_are_asked_for_as_openai_has_it() -> None:
    """The model, the texts and the key go to {url}/embeddings."""
    with Server(embeddings) as server:
        found = EndpointEmbedder(f"{server.url}/v1/?api-version=2", "some/model", key=KEY).passages(["redis", "cache"])

    [asked] = server.asked
    assert asked.path == "/v1/embeddings?api-version=2"
    assert asked.headers["authorization"] == f"Bearer {KEY}"
    assert asked.json == {"model": "some/model", "input": ["redis", "cache"], "encoding_format": "float"}
    assert np.allclose(found, HashingEmbedder().passages(["redis", "cache"]), atol=1e-6)


def test_without_a_key_none_is_sent() -> None:
    """A server on this machine needs no key."""
    with Server(embeddings) as server:
        EndpointEmbedder(server.url, "m").question("redis")

    assert "authorization" not in server.asked[0].headers


def test_texts_go_in_batches() -> None:
    """No request is larger than endpoints take, and every text is asked for once; blank ones are not."""
    texts = [f"redis {number}" for number in range(BATCH_TEXTS + 3)] + ["", " \n", "x" * 90_000, "y" * 90_000]

    with Server(embeddings) as server:
        found = EndpointEmbedder(server.url, "m").passages(texts)

    sent = [asked.json["input"] for asked in server.asked]
    assert [text for batch in sent for text in batch] == [text[:MOST_CHARACTERS] for text in texts if text.strip()]
    assert max(map(len, sent)) == BATCH_TEXTS
    assert len(found) == len(texts)
    assert not found[-4:-2].any()


def test_the_dimension_is_found_by_the_first_answer() -> None:
    """Who knows it saves a request; who does not need not care."""
    with Server(embeddings) as server:
        asked = EndpointEmbedder(server.url, "m")
        told = EndpointEmbedder(server.url, "m", dimension=64)

        assert asked.passages([]).shape == (0, 64)
        assert told.passages([]).shape == (0, 64)

    assert len(server.asked) == 1


def test_another_dimension_than_before_is_refused() -> None:
    """A model that was exchanged behind our back is noticed."""
    with Server(answering(data([1.0, 2.0]), data([1.0, 2.0, 3.0]))) as server:
        embedder = EndpointEmbedder(server.url, "m")
        embedder.question("redis")

        with pytest.raises(ModelDamaged, match="3 numbers instead of 2"):
            embedder.question("redis")


@pytest.mark.parametrize("status", [429, 502, 503, 504, HANG_UP])
def test_a_busy_endpoint_is_asked_again(status: int) -> None:
    """What is busy or breaks off is asked again, after longer and longer waits."""
    slept = Slept()
    with Server(answering(Reply(status=status), Reply(status=status))) as server:
        found = EndpointEmbedder(server.url, "m", ways=ways(slept)).question("redis")

    assert found.any()
    assert slept == [0.5, 1.0]


def test_an_answer_that_breaks_off_is_asked_for_again() -> None:
    """Half an answer is none."""
    with Server(answering(Reply(b'{"data": [', promised=5_000))) as server:
        assert EndpointEmbedder(server.url, "m", ways=ways(Slept())).question("redis").any()


@pytest.mark.parametrize(
    ("header", "wait"),
    [
        ("7", 7.0),
        ("nonsense", 0.5),
        (format_datetime(datetime(2020, 1, 1, tzinfo=UTC), usegmt=True), 0.0),
        (format_datetime(datetime(2200, 1, 1, tzinfo=UTC), usegmt=True), None),
        ("1000", None),
    ],
)
def test_an_endpoint_says_how_long_to_wait(header: str, wait: float | None) -> None:
    """Retry-After is followed, in seconds or as a date; if it is longer than our patience we give up at once."""
    slept = Slept()
    busy = Reply(status=429, headers=(("Retry-After", header),))
    with Server(answering(busy)) as server:
        embedder = EndpointEmbedder(server.url, "m", ways=ways(slept))
        if wait is None:
            with pytest.raises(ModelUnreachable, match="429"):
                embedder.question("redis")
        else:
            embedder.question("redis")

    assert slept == ([] if wait is None else [wait])


def test_patience_ends() -> None:
    """An endpoint that is always busy is given up, in a bounded time."""
    slept = Slept()
    with Server(lambda _: Reply(status=503)) as server, pytest.raises(ModelUnreachable, match="Try again later"):
        EndpointEmbedder(server.url, "m", ways=ways(slept, waiting=2.0)).question("redis")

    assert sum(slept) <= 2.0


def test_a_slow_endpoint_is_not_waited_for() -> None:
    """A question gives up when its time is over, even while bytes trickle in."""
    with Server(lambda asked: embeddings(asked)._replace(pause=1.0)) as server:
        embedder = EndpointEmbedder(server.url, "m", ways=ways(Slept(), timeout=0.2))
        with pytest.raises(ModelUnreachable, match=r"within 0\.2 seconds"):
            embedder.question("redis")


@pytest.mark.parametrize(
    ("scheme", "beginning"),
    [
        ("http", b"HTTP/1.1"),
        ("http", b"HTTP/1.1 200 OK\r\nX-Slow:"),
        ("http", b"HTTP/1.1 100 Continue\r\nX-Slow:"),
        ("http", b"HTTP/1.1 200 OK\r\nContent-Length: 5000\r\n\r\n"),
        ("http", b"HTTP/1.1 200 OK\r\nTransfer-Encoding: chunked\r\n\r\n"),
        ("https", b"\x16\x03\x03\x40\x00\x02\x00\x3f\xfc"),  # says: a long greeting comes
    ],
    ids=["status", "header", "before the status", "body", "chunk", "handshake"],
)
def test_an_endpoint_that_drips_is_not_waited_for(scheme: str, beginning: bytes) -> None:
    """The time is for the whole answer: a byte now and then, wherever in the answer, does not make it longer."""
    patience = ways(Slept(), timeout=0.2, retries=0)

    with Dripping(beginning) as server, pytest.raises(ModelUnreachable, match=r"within 0\.2 seconds"):
        EndpointEmbedder(f"{scheme}://{server.place}", "m", ways=patience).question("redis")


def test_an_endpoint_that_does_not_listen_is_not_talked_to() -> None:
    """The time is for sending, too."""
    with Dripping(b"") as server, pytest.raises(Absent, match=r"within 0\.2 seconds"):
        Poster(Address.read(f"http://{server.place}"), KEY).post(b" " * MORE_THAN_FITS, most=100, timeout=0.2)


@pytest.mark.slow
def test_an_endpoint_that_listens_slowly_is_not_talked_to_for_long() -> None:
    """The time is for all that is sent: whoever takes a little now and then does not make it longer."""
    with Sipping() as server, pytest.raises(Absent, match=r"within 0\.3 seconds"):
        Poster(Address.read(f"http://{server.place}"), KEY).post(b" " * MORE_THAN_FITS, most=100, timeout=0.3)


@pytest.mark.parametrize(
    "reply",
    [
        Reply(b"<html>hello</html>"),
        Reply(b""),
        Reply(b"[1, 2]"),
        Reply(b'{"data": 7}'),
        Reply(b'{"data": []}'),
        Reply(b'{"data": [{"index": 0}]}'),
        Reply(b"[" * 100_000),
        data([1.0, 2.0], [1.0, 2.0]),
        data([1.0, 2.0], index=5),
        data("AAAA"),
        data(["1.0", "2.0"]),
        data([[1.0], [2.0]]),
        data([]),
        data(None),
        data([float("nan"), 1.0]),
        data([float("inf"), 1.0]),
        data([1e300, 1.0]),
        data([10**400, 1.0]),
        data([0.0, 0.0]),
        data([0, 0]),
        data([1e-300, 0.0]),
    ],
    ids=lambda reply: reply.body[:60].decode(),
)
def test_strange_answers_are_refused(reply: Reply) -> None:
    """What is no vector of finite numbers for each text, with a direction, does not get into the memory."""
    with Server(lambda _: reply) as server:
        with pytest.raises(ModelDamaged) as caught:
            EndpointEmbedder(server.url, "m", key=KEY, ways=ways(Slept())).question("redis")

        assert server.url in str(caught.value)


def choosy(asked: Asked, status: int) -> Reply:
    """Takes no text with a banana in it: refuses all of them together, or with status 200 answers zeros for that."""
    bad = [number for number, text in enumerate(asked.json["input"]) if "banana" in text]
    reply = embeddings(asked)
    if not bad or status != 200:
        return Reply(b"it is too long", status=status) if bad else reply
    answer = json.loads(reply.body)
    for item in answer["data"]:
        item["embedding"] = [0.0] * 64 if item["index"] in bad else item["embedding"]
    return Reply(json.dumps(answer).encode())


@pytest.mark.parametrize("status", [200, 400, 413, 422, 500])
def test_one_text_that_is_refused_is_left_out(status: int) -> None:
    """A text that an endpoint cannot take has no vector, whatever it says to it; the others have theirs."""
    texts = [f"redis {number}" for number in range(20)]
    texts[3] = texts[11] = "a banana"

    with Server(lambda asked: choosy(asked, status)) as server:
        rows = EndpointEmbedder(server.url, "m", ways=ways(Slept())).passages(texts)

    expected = HashingEmbedder().passages(texts)
    expected[[3, 11]] = 0.0
    assert np.allclose(rows, expected, atol=1e-6)


@pytest.mark.parametrize("reply", [Reply(status=413), Reply(status=400), data([0.0, 0.0])], ids=["413", "400", "zeros"])
def test_an_endpoint_that_takes_nothing_is_told(reply: Reply) -> None:
    """If it refuses whatever it is asked, the texts are not to blame, and none of them is given up."""
    with Server(lambda _: reply) as server, pytest.raises(ModelError, match=r"refused|zeros"):
        EndpointEmbedder(server.url, "m", ways=ways(Slept())).passages(["redis", "cache", "", "server"])

    assert len(server.asked) < 6


def test_a_question_that_is_refused_is_told() -> None:
    """Who asks must know that it was not understood; nothing is halved, and nothing asked again."""
    with Server(lambda asked: choosy(asked, 413)) as server, pytest.raises(ModelUnreachable, match="413"):
        EndpointEmbedder(server.url, "m", ways=ways(Slept())).question("a banana")

    assert len(server.asked) == 1


def test_signs_may_mean_nothing() -> None:
    """A model may have no vector for signs without a word: that is not a reason to stop."""
    reply = data([1.0, 0.0], [0.0, 0.0])

    with Server(lambda _: reply) as server:
        rows = EndpointEmbedder(server.url, "m", ways=ways(Slept())).passages(["redis", "🎉 !!!"])

    assert rows.tolist() == [[1.0, 0.0], [0.0, 0.0]]


def test_an_endless_answer_is_not_read_to_its_end() -> None:
    """An answer that is far longer than the vectors asked for is left alone."""
    with Server(lambda _: Reply(b" " * 3_000_000)) as server, pytest.raises(ModelDamaged, match="more than was asked"):
        EndpointEmbedder(server.url, "m", dimension=64, ways=ways(Slept())).question("redis")


@pytest.mark.parametrize(
    ("status", "advice"),
    [(401, "NOCTUARY_EMBED_KEY"), (403, "NOCTUARY_EMBED_KEY"), (404, "/v1"), (400, "model's name"), (500, "address")],
)
def test_a_refusal_says_what_to_do(status: int, advice: str) -> None:
    """Each status has its advice; what the server wrote, which may hold the key, is not repeated."""
    said = f"Incorrect API key provided: {KEY}".encode()
    with Server(lambda _: Reply(said, status=status)) as server:
        with pytest.raises(ModelUnreachable, match=advice) as caught:
            EndpointEmbedder(server.url, "m", key=KEY, ways=ways(Slept())).question("redis")

        assert server.url in str(caught.value)
    assert KEY not in str(caught.value)
    assert len(server.asked) == 1


@pytest.mark.parametrize("status", [301, 302, 303, 307, 308])
def test_the_key_follows_no_redirect(status: int) -> None:
    """Wherever an endpoint points to, nothing of ours is sent there."""
    with Server(embeddings) as elsewhere:
        moved = Reply(status=status, headers=(("Location", elsewhere.url),))
        with Server(lambda _: moved) as server, pytest.raises(ModelUnreachable, match="another address"):
            EndpointEmbedder(server.url, "m", key=KEY).question("redis")

    assert elsewhere.asked == []


def test_nobody_there_is_told_at_once() -> None:
    """A server that does not run is not waited for."""
    slept = Slept()
    with Server(embeddings) as server:
        url = server.url

    with pytest.raises(ModelUnreachable, match="that the server runs"):
        EndpointEmbedder(url, "m", ways=ways(slept)).question("redis")
    assert slept == []


def test_a_server_that_went_away_is_waited_for() -> None:
    """What reads a memory asks again until the server is back, for a bounded time."""
    slept = Slept()
    with Server(embeddings) as server:
        url = server.url
    embedder = EndpointEmbedder(url, "m", ways=ways(slept, is_for_absent=True))

    with pytest.raises(ModelUnreachable, match="that the server runs"):
        embedder.passages(["redis"])
    assert slept == [0.5, 1.0, 2.0]


@pytest.mark.slow
def test_a_slow_server_is_asked_again() -> None:
    """The same if it does not answer in time; what was spent on waiting for it counts."""
    slow = Reply(b" " * 100, pause=2.0)
    slept = Slept()
    with Server(answering(slow, slow)) as server:
        rows = EndpointEmbedder(server.url, "m", ways=ways(slept, timeout=1.5, is_for_absent=True)).passages(["redis"])
    assert rows.any()

    impatient = ways(slept, timeout=0.3, waiting=2.0, is_for_absent=True)
    with Server(lambda _: slow) as server, pytest.raises(ModelUnreachable, match="within 0"):
        EndpointEmbedder(server.url, "m", ways=impatient).passages(["redis"])

    assert slept == [0.5, 1.0, 0.5]


def test_a_mistyped_address_is_told_at_once() -> None:
    """To learn how long the vectors are, nobody is waited for who is not there."""
    slept = Slept()
    with Server(embeddings) as server:
        url = server.url

    with pytest.raises(ModelUnreachable, match="that the server runs"):
        _ = EndpointEmbedder(url, "m", ways=ways(slept, is_for_absent=True)).dimension
    assert slept == []


def test_what_an_endpoint_repeats_is_not_shown() -> None:
    """A server that sends back what it was sent, a key in the address and all, is not quoted."""
    with Echoing() as server:
        embedder = EndpointEmbedder(f"http://{server.place}/v1?api_key={KEY}", "m", ways=ways(Slept(), retries=0))
        with pytest.raises(ModelUnreachable, match=server.place) as caught:
            embedder.question("redis")

    assert KEY not in str(caught.value)


THROUGH_A_PROXY = """
from noctuary.errors import ModelUnreachable
from noctuary.models.endpoint import EndpointEmbedder
try:
    EndpointEmbedder("http://127.0.0.1:1/v1", "m").question("redis")
except ModelUnreachable as error:
    assert "socks5h" in str(error), error
else:
    raise AssertionError
"""


def test_a_proxy_of_another_kind_is_told() -> None:
    """A proxy that we do not speak with is our error, not the library's."""
    environ = {**os.environ, "http_proxy": "socks5h://127.0.0.1:1", "no_proxy": ""}

    subprocess.run([sys.executable, "-c", THROUGH_A_PROXY], check=True, env=environ)


@pytest.mark.parametrize(
    "url",
    [
        "file:///etc/passwd",
        "ftp://host/v1",
        "host/v1",
        "http://",
        "http://user:pass@host/v1",
        "http://host:99999999/v1",
        "http://[::1/v1",
        "http://ho st/v1",
        "http://host/v1\nX: y",
        "http://höst/v1",
        "",
    ],
)
def test_only_plain_web_addresses_are_taken(url: str) -> None:
    """What is no address, or has a password in it, is refused before anything is sent."""
    with pytest.raises(ModelMissing, match="http"):
        EndpointEmbedder(url, "m")


@pytest.mark.parametrize("key", ["sk-a\nX-Other: b", "sk-ä", "two words"])
def test_a_key_that_is_none_is_not_shown(key: str) -> None:
    """A key with characters that would break the request is refused without being repeated."""
    with pytest.raises(ModelMissing) as caught:
        EndpointEmbedder("http://127.0.0.1:1", "m", key=key)

    assert key not in str(caught.value)


def test_hosts_that_cannot_be_are_unreachable() -> None:
    """Whatever the library says of a host's name is our error."""
    with pytest.raises(ModelError):
        EndpointEmbedder("http://a..b:1/v1", "m").question("redis")


def test_a_model_has_a_name() -> None:
    """An endpoint without a model is told how to name one."""
    with pytest.raises(ModelMissing, match="#model-name"):
        EndpointEmbedder("http://127.0.0.1:1/v1", "")


def test_addresses_are_shown_without_what_may_be_secret() -> None:
    """Parameters are sent but not shown."""
    address = Address.read("https://host:8443/v1/embeddings?key=secret")

    assert address.url == "https://host:8443/v1/embeddings?key=secret"
    assert str(address) == "https://host:8443/v1/embeddings"
