"""What is still on its way of a request that is answered already.

Who closes a connection on which something waits to be read takes back what they answered, so some of it is read first.
"""

import asyncio
from collections.abc import Awaitable, Callable, MutableMapping
from contextlib import suppress
from typing import Any

Scope = MutableMapping[str, Any]
Message = MutableMapping[str, Any]
Receive = Callable[[], Awaitable[Message]]
Send = Callable[[Message], Awaitable[None]]
App = Callable[[Scope, Receive, Send], Awaitable[None]]

_MOST_DIGITS = 18  # of a length; more are too long all the same
_SECONDS = 5.0
_REFUSED = 400  # the status from which on nobody wants the request


def announced(scope: Scope) -> int:
    """How many bytes a request says that it has; 0 if it says nothing."""
    lengths = [value for name, value in scope["headers"] if name == b"content-length"]
    return max((int(value[:_MOST_DIGITS]) for value in lengths if value.isdigit()), default=0)


async def throw_away(scope: Scope, receive: Receive, most_bytes: int) -> None:
    """Read so much of it at most, for a while; nothing if that is in vain, or they wait to be told to send it."""
    if announced(scope) > most_bytes or any(name == b"expect" for name, _ in scope["headers"]):
        return
    with suppress(TimeoutError):
        async with asyncio.timeout(_SECONDS):
            while most_bytes > 0:
                message = await receive()
                if message["type"] != "http.request" or not message.get("more_body"):
                    return
                most_bytes -= len(message.get("body", b""))


class HeardOut:
    """Throws away what is left of a request before it is refused."""

    def __init__(self, app: App, most_bytes: int) -> None:
        self.app = app
        self.most_bytes = most_bytes

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        """Answer one request."""
        is_at_end = scope["type"] != "http"

        async def hear() -> Message:
            nonlocal is_at_end
            message = await receive()
            is_at_end = is_at_end or not message.get("more_body")
            return message

        async def answer(message: Message) -> None:
            if not is_at_end and message.get("status", 0) >= _REFUSED:
                await throw_away(scope, hear, self.most_bytes)
            await send(message)

        await self.app(scope, hear, answer)
