"""A body is read only of somebody who may come in: strangers could make the server hold as many as they can send."""

from starlette.requests import Request
from starlette.types import ASGIApp, Message, Receive, Scope, Send

from noctuary.doors.http.problems import NotAdmitted, stranger


class Admitting:
    """Asks whose a request is before the first piece of its body is taken."""

    def __init__(self, app: ASGIApp) -> None:
        self.app = app

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        """Call what is within, which may ask for the body."""
        is_known = scope["type"] != "http"

        async def receiving() -> Message:
            nonlocal is_known
            if not is_known and (problem := await stranger(Request(scope))):
                raise NotAdmitted(problem)
            is_known = True
            return await receive()

        await self.app(scope, receiving, send)
