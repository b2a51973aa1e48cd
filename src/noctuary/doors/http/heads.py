"""HEAD is answered like GET, without what GET would say: monitors and link checkers ask so."""

from starlette.types import ASGIApp, Message, Receive, Scope, Send

_ENDLESS = "/changes"  # a stream has no end that the head of an answer could wait for


class Heads:
    """Asks what is within as GET would; all behind it, the log too, sees a GET."""

    def __init__(self, app: ASGIApp) -> None:
        self.app = app

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        """Answer one request."""
        if scope["type"] != "http" or scope["method"] != "HEAD" or scope["path"].endswith(_ENDLESS):
            await self.app(scope, receive, send)
            return

        async def sending(message: Message) -> None:
            await send({**message, "body": b""} if message["type"] == "http.response.body" else message)

        await self.app({**scope, "method": "GET"}, receive, sending)
