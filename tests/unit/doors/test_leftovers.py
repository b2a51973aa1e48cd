"""What is still on its way of a request that is refused already."""

import asyncio
from collections.abc import Sequence

import pytest

from noctuary.doors.leftovers import App, HeardOut, Message, Receive, Scope, Send, announced

MOST = 1_000
LENGTH = b"content-length"


class Caller:
    """Sends a request piece by piece, and writes down in which order all is heard and answered."""

    def __init__(self, pieces: Sequence[int], headers: Sequence[tuple[bytes, bytes]] = ()) -> None:
        self.scope: Scope = {"type": "http", "headers": list(headers)}
        self.pieces = list(pieces)
        self.heard: list[int | str] = []

    async def receive(self) -> Message:
        """The next piece; who sent all of them waits for the answer."""
        if not self.pieces:
            await asyncio.sleep(3_600)
        piece = self.pieces.pop(0)
        self.heard.append(piece)
        return {"type": "http.request", "body": b"x" * piece, "more_body": bool(self.pieces)}

    async def send(self, message: Message) -> None:
        """They hear the answer."""
        self.heard.append(message["type"])

    def ask(self, app: App) -> list[int | str]:
        """What was heard and answered when the app dealt with it."""
        asyncio.run(HeardOut(app, MOST)(self.scope, self.receive, self.send))
        return self.heard


def answering(status: int, *, reading: int = 0) -> App:
    """An app that reads so many pieces and then answers."""

    async def app(_: Scope, receive: Receive, send: Send) -> None:
        for _piece in range(reading):
            await receive()
        await send({"type": "http.response.start", "status": status, "headers": []})
        await send({"type": "http.response.body", "body": b"No."})

    return app


START, BODY = "http.response.start", "http.response.body"


@pytest.mark.parametrize("reading", [0, 1, 2, 3])
def test_who_is_refused_is_heard_out_first(reading: int) -> None:
    """Whatever was read of it; or closing the connection would take the answer back."""
    assert Caller([300, 300, 300]).ask(answering(413, reading=reading)) == [300, 300, 300, START, BODY]


def test_who_is_answered_is_not_kept_waiting() -> None:
    """The app read what it wanted."""
    assert Caller([300, 300]).ask(answering(200, reading=1)) == [300, START, BODY]


def test_nobody_is_heard_for_ever() -> None:
    """Of what does not say its length, so much is thrown away; of what says that it is longer, nothing."""
    assert Caller([400] * 9).ask(answering(401)) == [400, 400, 400, START, BODY]
    assert Caller([400] * 9, [(LENGTH, b"3600")]).ask(answering(401)) == [START, BODY]


def test_who_waits_to_be_told_is_told() -> None:
    """They have not sent anything yet."""
    assert Caller([400], [(b"expect", b"100-continue")]).ask(answering(413)) == [START, BODY]


def test_other_messages_are_none_of_ours() -> None:
    """Of the life of the server, for instance."""
    caller = Caller([1, 2])
    caller.scope = {"type": "lifespan"}
    assert caller.ask(answering(500)) == [START, BODY]


@pytest.mark.parametrize(
    ("values", "length"), [([], 0), ([b"12"], 12), ([b"12", b"7"], 12), ([b"-1"], 0), ([b"9" * 5_000], 10**18 - 1)]
)
def test_the_length_that_a_request_announces(values: list[bytes], length: int) -> None:
    """The longest, if it says several; what is no number counts for nothing, and none is too long to be read."""
    assert announced({"type": "http", "headers": [(LENGTH, value) for value in values]}) == length
